# files of this room
librill_a_SOURCES += \
  src/water/model/model.c src/water/model/model.h \
  src/water/forces/forces.c src/water/forces/forces.h \
  src/water/forces/pairs.h src/water/forces/pairs_body.h \
  src/water/forces/pairs_portable.c src/water/forces/reference.c
librill_avx2_a_SOURCES += src/water/forces/pairs_avx2.c
librill_avx512_a_SOURCES += src/water/forces/pairs_avx512.c

# The speed of the force kernels: make bench-programs
EXTRA_PROGRAMS += bench/forces
bench_forces_SOURCES = bench/forces.c
bench_forces_LDADD = $(RILL_LINK)
librill_a_SOURCES += src/water/forces/derivative.c src/water/forces/derivative.h

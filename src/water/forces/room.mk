# files of this room
librill_core_a_SOURCES += \
  src/water/model/model.c src/water/model/model.h \
  src/water/model/species.c src/water/model/species.h \
  src/water/model/positions.h src/water/model/site.c src/water/model/site.h \
  src/water/forces/energies.h src/water/forces/periodic_options.h \
  src/water/forces/forces.c src/water/forces/forces.h \
  src/water/forces/external.c src/water/forces/external.h src/water/forces/wall.c src/water/forces/wall.h src/water/forces/oxygens.c src/water/forces/oxygens.h \
  src/water/forces/oxygens_body.h \
  src/water/forces/pairs.h src/water/forces/pairs_body.h src/water/forces/pairs_mixed_body.h \
  src/water/forces/site_body.h src/water/forces/site_mixed_body.h src/water/forces/small_mixed_body.h \
  src/water/forces/pairs_portable.c src/water/forces/plain.h src/water/forces/reference.c \
  src/water/forces/periodic.c src/water/forces/periodic.h \
  src/water/forces/periodic_reference.c src/water/forces/periodic_reference.h \
  src/water/forces/excluded.c src/water/forces/excluded.h \
  src/water/forces/lennard_jones.c src/water/forces/lennard_jones.h \
  src/water/forces/smooth.c src/water/forces/smooth.h \
  src/water/forces/box_pairs.h src/water/forces/box_pairs_body.h \
  src/water/forces/lanes_mixed.h src/water/forces/lanes_double.h \
  src/water/forces/box_mixed_portable.c src/water/forces/box_double_portable.c \
  src/water/forces/box_site_mixed_portable.c src/water/forces/box_site_double_portable.c
librill_neon_a_SOURCES += \
  src/water/forces/pairs_neon.c src/water/forces/box_mixed_neon.c src/water/forces/box_double_neon.c \
  src/water/forces/box_site_mixed_neon.c src/water/forces/box_site_double_neon.c
librill_avx2_a_SOURCES += \
  src/water/forces/pairs_avx2.c src/water/forces/box_mixed_avx2.c src/water/forces/box_double_avx2.c \
  src/water/forces/box_site_mixed_avx2.c src/water/forces/box_site_double_avx2.c
librill_avx512_a_SOURCES += \
  src/water/forces/pairs_avx512.c src/water/forces/box_mixed_avx512.c src/water/forces/box_double_avx512.c \
  src/water/forces/box_site_mixed_avx512.c src/water/forces/box_site_double_avx512.c \
  src/water/forces/box_mixed_avx512vl.c src/water/forces/box_site_mixed_avx512vl.c

# The speed of the force kernels: make bench-programs
EXTRA_PROGRAMS += bench/forces
bench_forces_SOURCES = bench/forces.c bench/clock.h
bench_forces_LDADD = $(RILL_LINK)
librill_core_a_SOURCES += src/water/forces/derivative.c src/water/forces/derivative.h
EXTRA_PROGRAMS += bench/liquid_kernel
bench_liquid_kernel_SOURCES = bench/liquid_kernel.c
bench_liquid_kernel_LDADD = $(RILL_LINK)

librill_core_a_SOURCES += \
  src/water/lanes/lanes.c src/water/lanes/lanes.h src/water/lanes/kernels.c src/water/lanes/kernels.h \
  src/water/lanes/lanes_body.h src/water/lanes/pairs_body.h src/water/lanes/pairs_mixed_body.h \
  src/water/lanes/wall_body.h src/water/lanes/lanes_portable.c
librill_neon_a_SOURCES += src/water/lanes/lanes_neon.c
librill_avx2_a_SOURCES += src/water/lanes/lanes_avx2.c
librill_avx512_a_SOURCES += src/water/lanes/lanes_avx512.c

# Clusters in lanes against clusters alone: make bench-programs
EXTRA_PROGRAMS += bench/lanes
bench_lanes_SOURCES = bench/lanes.c bench/clock.h
bench_lanes_LDADD = $(RILL_LINK)

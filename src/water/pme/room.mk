# files of this room
librill_core_a_SOURCES += \
  src/base/simd/real.h \
  src/water/pme/accuracy.c src/water/pme/accuracy.h \
  src/water/pme/ewald.c src/water/pme/ewald.h \
  src/water/pme/fourier.c src/water/pme/fourier.h \
  src/water/pme/lattice.c src/water/pme/lattice.h \
  src/water/pme/parameters.h src/water/pme/mesh.h src/water/pme/mesh_atom.h src/water/pme/mesh_body.h \
  src/water/pme/mesh_portable_double.c src/water/pme/mesh_portable_single.c \
  src/water/pme/pme.c src/water/pme/pme.h \
  src/water/pme/agree.c src/water/pme/counts.h src/water/pme/division.h src/water/pme/evaluate.c \
  src/water/pme/object.h src/water/pme/over_ranks.c src/water/pme/pass.h \
  src/water/pme/slabs.c src/water/pme/slabs.h
librill_neon_a_SOURCES += src/water/pme/mesh_neon_double.c src/water/pme/mesh_neon_single.c
librill_avx2_a_SOURCES += src/water/pme/mesh_avx2_double.c src/water/pme/mesh_avx2_single.c
librill_avx512_a_SOURCES += src/water/pme/mesh_avx512_double.c src/water/pme/mesh_avx512_single.c

# The speed of a pass over the mesh: make bench-programs
EXTRA_PROGRAMS += bench/pme
bench_pme_SOURCES = bench/pme.c
bench_pme_LDADD = $(RILL_LINK)

librill_core_a_SOURCES += src/water/bodies/bodies.c src/water/bodies/bodies.h \
  src/water/bodies/bodies_body.h src/water/bodies/damping_body.h src/water/bodies/rotor_body.h src/water/bodies/bodies_portable.c
librill_neon_a_SOURCES += src/water/bodies/bodies_neon.c
librill_avx2_a_SOURCES += src/water/bodies/bodies_avx2.c
librill_avx512_a_SOURCES += src/water/bodies/bodies_avx512.c

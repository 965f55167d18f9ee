librill_core_a_SOURCES += src/water/flows/flows.c src/water/flows/flows.h \
  src/water/flows/atoms_body.h src/water/flows/flows_body.h src/water/flows/flows_portable.c
librill_neon_a_SOURCES += src/water/flows/flows_neon.c
librill_avx2_a_SOURCES += src/water/flows/flows_avx2.c
librill_avx512_a_SOURCES += src/water/flows/flows_avx512.c

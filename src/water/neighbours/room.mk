librill_core_a_SOURCES += \
  src/water/neighbours/contact.c src/water/neighbours/contact.h \
  src/water/neighbours/neighbours.c src/water/neighbours/neighbours.h \
  src/water/neighbours/lists_body.h src/water/neighbours/lists_portable.c
librill_neon_a_SOURCES += src/water/neighbours/lists_neon.c
librill_avx2_a_SOURCES += src/water/neighbours/lists_avx2.c

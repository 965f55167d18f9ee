librill_a_SOURCES += \
  src/papers/result.h \
  src/papers/wendlandt_marsden.c src/papers/wendlandt_marsden.h
librill_a_SOURCES += src/papers/leok_shingel_shooting.c src/papers/leok_shingel_shooting.h
librill_a_SOURCES += src/papers/emit.c src/papers/emit.h src/papers/tao_owhadi.c src/papers/tao_owhadi.h \
  src/papers/tao_owhadi_water.c src/papers/tao_owhadi_water.h src/papers/water_starts.c src/papers/water_starts.h

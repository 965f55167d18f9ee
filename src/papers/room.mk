librill_core_a_SOURCES += \
  src/papers/result.h \
  src/papers/wendlandt_marsden.c src/papers/wendlandt_marsden.h
librill_core_a_SOURCES += src/papers/motion.c src/papers/motion.h \
  src/papers/leok_shingel_rotations.c src/papers/leok_shingel_rotations.h \
  src/papers/leimkuhler_patrick.c src/papers/leimkuhler_patrick.h
librill_core_a_SOURCES += src/papers/discrete_reduction.c src/papers/discrete_reduction.h
librill_core_a_SOURCES += src/papers/leok_shingel_shooting.c src/papers/leok_shingel_shooting.h
librill_core_a_SOURCES += src/papers/emit.c src/papers/emit.h src/papers/tao_owhadi.c src/papers/tao_owhadi.h \
  src/papers/tao_owhadi_water.c src/papers/tao_owhadi_water.h src/papers/water_starts.c src/papers/water_starts.h

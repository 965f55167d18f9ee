librill_a_SOURCES += \
  src/papers/result.h \
  src/papers/wendlandt_marsden.c src/papers/wendlandt_marsden.h
librill_a_SOURCES += src/papers/tao_owhadi.c src/papers/tao_owhadi.h

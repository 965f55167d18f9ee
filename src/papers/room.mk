librill_a_SOURCES += \
  src/papers/result.h \
  src/papers/wendlandt_marsden.c src/papers/wendlandt_marsden.h

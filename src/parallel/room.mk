librill_core_a_SOURCES += \
  src/parallel/bricks.c src/parallel/bricks.h

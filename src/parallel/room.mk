librill_core_a_SOURCES += \
  src/parallel/agree.c src/parallel/agree.h \
  src/parallel/bricks.c src/parallel/bricks.h

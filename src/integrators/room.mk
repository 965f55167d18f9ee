librill_a_SOURCES += \
  src/integrators/registry.c src/integrators/registry.h \
  src/integrators/words.c src/integrators/words.h

librill_a_SOURCES += \
  src/integrators/filters.c src/integrators/filters.h \
  src/integrators/lie.c src/integrators/lie.h \
  src/integrators/linearised.c src/integrators/linearised.h \
  src/integrators/registry.c src/integrators/registry.h \
  src/integrators/words.c src/integrators/words.h

librill_a_SOURCES += \
  src/integrators/filters.c src/integrators/filters.h \
  src/integrators/newmark.c src/integrators/newmark.h \
  src/integrators/registry.c src/integrators/registry.h \
  src/integrators/words.c src/integrators/words.h

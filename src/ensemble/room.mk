librill_core_a_SOURCES += \
  src/ensemble/advice.c src/ensemble/advice.h \
  src/ensemble/ensemble.c src/ensemble/ensemble.h \
  src/ensemble/estimates.c src/ensemble/estimates.h \
  src/ensemble/exchange.c src/ensemble/exchange.h \
  src/ensemble/rungs.c src/ensemble/rungs.h \
  src/ensemble/share.c src/ensemble/share.h

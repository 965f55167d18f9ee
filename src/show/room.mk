# what commands show, which the libraries do without; a line a pair, so that additions do not meet
librill_show_a_SOURCES += \
  src/show/combinations.c src/show/combinations.h \
  src/show/comparison.c src/show/comparison.h \
  src/show/contents.c src/show/contents.h \
  src/show/distances.c src/show/distances.h \
  src/show/energies.c src/show/energies.h \
  src/show/ensemble.c src/show/ensemble.h \
  src/show/findings.c src/show/findings.h \
  src/show/json.c src/show/json.h \
  src/show/listing.c src/show/listing.h \
  src/show/minima.c src/show/minima.h \
  src/show/model.c src/show/model.h \
  src/show/page.c src/show/page.h \
  src/show/plan.c src/show/plan.h \
  src/show/results.c src/show/results.h \
  src/show/summary.c src/show/summary.h \
  src/show/tuning.c src/show/tuning.h \
  src/show/verdicts.c src/show/verdicts.h

# a line a pair, so that additions do not meet
librill_core_a_SOURCES += \
  src/study/combinations.c src/study/combinations.h \
  src/study/compare.c src/study/compare.h \
  src/study/compare_columns.h \
  src/study/compare_csv.c \
  src/study/compare_limits.c src/study/compare_samples.c src/study/compare_samples.h \
  src/study/compare_small.c src/study/compare_small.h \
  src/study/compare_small_reference.c \
  src/study/compare_small_samples.c \
  src/study/compare_small_times.c \
  src/study/compare_water.c src/study/compare_water.h \
  src/study/compare_water_prices.c \
  src/study/compare_water_run.c \
  src/study/compare_water_stable.c \
  src/study/compare_water_times.c \
  src/study/distances.c src/study/distances.h \
  src/study/method_label.c src/study/method_label.h \
  src/study/overrides.c src/study/overrides.h \
  src/study/recording.c src/study/recording.h \
  src/study/reproduce.c src/study/reproduce.h \
  src/study/try_ladder.c src/study/try_ladder.h \
  src/study/tune.c src/study/tune.h \
  src/study/tune_timing.c src/study/tune_timing.h \
  src/study/tune_rule.c src/study/tune_rule.h \
  src/study/tune_step.c \
  src/study/validate.c src/study/validate.h \
  src/study/validate_ensemble.c \
  src/study/validate_pressures.c src/study/validate_properties.c \
  src/study/validate_small.c \
  src/study/validate_water.c \
  src/study/verify.c src/study/verify.h

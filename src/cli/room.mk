# a line a pair, so that additions do not meet
rill_SOURCES += \
  src/cli/arguments.c \
  src/cli/build.c \
  src/cli/catalogue.c src/cli/catalogue.h \
  src/cli/check.c \
  src/cli/command.h \
  src/cli/compare.c \
  src/cli/compare_table.c src/cli/compare_table.h \
  src/cli/compare_water.c src/cli/compare_water.h \
  src/cli/convert.c \
  src/cli/crash.c src/cli/crash.h \
  src/cli/distribution.c src/cli/distribution.h \
  src/cli/energy.c \
  src/cli/energy_periodic.c src/cli/energy_periodic.h \
  src/cli/field.c src/cli/field.h \
  src/cli/files.c src/cli/files.h \
  src/cli/frames.c src/cli/frames.h \
  src/cli/help.c \
  src/cli/info.c \
  src/cli/json.c src/cli/json.h \
  src/cli/list.c \
  src/cli/list_small.c src/cli/list_small.h \
  src/cli/main.c \
  src/cli/manifest.c src/cli/manifest.h \
  src/cli/manual.c \
  src/cli/minimize.c \
  src/cli/multipliers.c src/cli/multipliers.h \
  src/cli/overrides.c src/cli/overrides.h \
  src/cli/progress.c src/cli/progress.h \
  src/cli/rdf.c \
  src/cli/recording.c src/cli/recording.h \
  src/cli/reproduce.c \
  src/cli/resources.c src/cli/resources.h \
  src/cli/resume.c src/cli/resume.h \
  src/cli/run.c \
  src/cli/run_small.c src/cli/run_small.h \
  src/cli/series_columns.c src/cli/series_columns.h \
  src/cli/setup.c src/cli/setup.h \
  src/cli/signals.c src/cli/signals.h \
  src/cli/small.c src/cli/small.h \
  src/cli/small_summary.c src/cli/small_summary.h \
  src/cli/stable_steps.c src/cli/stable_steps.h \
  src/cli/stop.c src/cli/stop.h \
  src/cli/summary.c src/cli/summary.h \
  src/cli/validate.c src/cli/validate.h \
  src/cli/validate_small.c \
  src/cli/validate_water.c \
  src/cli/terminal.c src/cli/terminal.h \
  src/cli/verify.c \
  src/cli/watch.c src/cli/watch.h \
  src/cli/written.c src/cli/written.h

# a line a pair, so that additions do not meet
rill_SOURCES += \
  src/cli/arguments.c \
  src/cli/build.c \
  src/cli/check.c \
  src/cli/command.h \
  src/cli/compare.c \
  src/cli/convert.c \
  src/cli/crash.c src/cli/crash.h \
  src/cli/energy.c \
  src/cli/help.c \
  src/cli/info.c \
  src/cli/list.c \
  src/cli/main.c \
  src/cli/manual.c \
  src/cli/manual_combinations.c \
  src/cli/minimize.c \
  src/cli/notes.c src/cli/notes.h \
  src/cli/progress.c src/cli/progress.h \
  src/cli/rdf.c \
  src/cli/reproduce.c \
  src/cli/roff.c src/cli/roff.h \
  src/cli/run.c \
  src/cli/signals.c src/cli/signals.h \
  src/cli/terminal.c src/cli/terminal.h \
  src/cli/validate.c \
  src/cli/verify.c \
  src/cli/watch.c src/cli/watch.h

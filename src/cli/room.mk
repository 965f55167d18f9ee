# a line a pair, so that additions do not meet
RILL_CLI = \
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
  src/cli/manual.c \
  src/cli/manual_combinations.c \
  src/cli/manual_mpi.c \
  src/cli/minimize.c \
  src/cli/notes.c src/cli/notes.h \
  src/cli/program.c src/cli/program.h \
  src/cli/progress.c src/cli/progress.h \
  src/cli/rdf.c \
  src/cli/reproduce.c \
  src/cli/roff.c src/cli/roff.h \
  src/cli/run.c src/cli/run.h \
  src/cli/signals.c src/cli/signals.h \
  src/cli/terminal.c src/cli/terminal.h \
  src/cli/tune.c \
  src/cli/validate.c \
  src/cli/verify.c \
  src/cli/watch.c src/cli/watch.h
rill_SOURCES += $(RILL_CLI) src/cli/main.c

# The program for several ranks: the same but for its main function, and the only one that knows MPI.
if WITH_MPI
bin_PROGRAMS += rill-mpi
noinst_LIBRARIES += librill_mpi.a
endif
librill_mpi_a_SOURCES = src/parallel/mpi_ranks.c src/parallel/mpi_ranks.h
librill_mpi_a_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
rill_mpi_SOURCES = $(RILL_CLI) src/cli/main_mpi.c
rill_mpi_LDADD = librill_show.a librill_mpi.a $(RILL_LINK) $(MPI_LIBS)

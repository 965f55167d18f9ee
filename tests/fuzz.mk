# Fuzz targets: replayed over their corpora by `make check`, driven by libFuzzer where configure was given
# --enable-fuzzing with clang.  They need four modules only, so that a fuzzing build is quick.
FUZZ_TARGETS = tests/fuzz/deck tests/fuzz/gro tests/fuzz/pdb tests/fuzz/xyz tests/fuzz/h5md \
  tests/fuzz/checkpoint tests/fuzz/hdf5
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/deck.dict tests/fuzz/pdb.dict tests/fuzz/xyz.dict
dist_check_SCRIPTS += tests/fuzz/run tests/fuzz/long
check_PROGRAMS += $(FUZZ_TARGETS)
check_LIBRARIES += tests/fuzz/librooms.a
tests_fuzz_librooms_a_SOURCES = tests/fuzz/fuzz.h \
  src/base/archive.c src/base/choices.c src/base/memory.c src/base/nearest.c src/base/output_file.c \
  src/base/output_lock.c \
  src/base/status.c src/base/timers.c \
  src/deck/deck.c src/deck/expand.c src/deck/fields.c src/deck/ini.c src/deck/kind.c src/deck/ladder.c src/deck/schema.c src/deck/synonyms.c src/deck/units.c \
  src/structure/structure.c src/structure/molecules.c src/structure/atoms.c src/structure/frame.c src/structure/text.c \
  src/structure/gro.c src/structure/pdb.c src/structure/xyz.c \
  src/structure/export.c src/structure/dcd.c src/structure/trr.c src/structure/psf.c \
  src/output/checkpoint.c src/output/h5.c src/output/h5_sums.c src/output/h5_write.c src/output/ordered_driver.c \
  src/output/series_file.c src/output/series_reader.c \
  src/output/atom_order.c src/output/descriptor_driver.c src/output/h5_read.c src/output/h5md_file.c src/output/sandbox.c \
  src/output/trajectory_reader.c src/output/trajectory_writer.c
FUZZ_LINK = tests/fuzz/librooms.a $(HDF5_LIBS) $(INIH_LIBS) $(ZLIB_LIBS)
if FUZZING
FUZZ_DRIVER = -fsanitize=fuzzer
FUZZ_MAIN =
# Edit distances: the target for decks would spend most of its time in counting the comparisons of their inner loops.
src/base/nearest.o: CFLAGS += -fno-sanitize=fuzzer-no-link
else
FUZZ_DRIVER =
FUZZ_MAIN = tests/fuzz/replay.c
TESTS += $(FUZZ_TARGETS)
endif
EXTRA_DIST += tests/fuzz/replay.c

tests_fuzz_deck_SOURCES = tests/fuzz/deck.c $(FUZZ_MAIN)
tests_fuzz_deck_LDADD = $(FUZZ_LINK)
tests_fuzz_deck_LDFLAGS = $(FUZZ_DRIVER)
tests_fuzz_gro_SOURCES = tests/fuzz/gro.c tests/fuzz/structure.h $(FUZZ_MAIN)
tests_fuzz_gro_LDADD = $(FUZZ_LINK)
tests_fuzz_gro_LDFLAGS = $(FUZZ_DRIVER)
tests_fuzz_pdb_SOURCES = tests/fuzz/pdb.c tests/fuzz/structure.h $(FUZZ_MAIN)
tests_fuzz_pdb_LDADD = $(FUZZ_LINK)
tests_fuzz_pdb_LDFLAGS = $(FUZZ_DRIVER)
tests_fuzz_xyz_SOURCES = tests/fuzz/xyz.c tests/fuzz/structure.h $(FUZZ_MAIN)
tests_fuzz_xyz_LDADD = $(FUZZ_LINK)
tests_fuzz_xyz_LDFLAGS = $(FUZZ_DRIVER)
tests_fuzz_h5md_SOURCES = tests/fuzz/h5md.c tests/fuzz/read_h5.h $(FUZZ_MAIN)
tests_fuzz_h5md_LDADD = $(FUZZ_LINK)
tests_fuzz_h5md_LDFLAGS = $(FUZZ_DRIVER)
tests_fuzz_checkpoint_SOURCES = tests/fuzz/checkpoint.c $(FUZZ_MAIN)
tests_fuzz_checkpoint_LDADD = $(FUZZ_LINK)
tests_fuzz_checkpoint_LDFLAGS = $(FUZZ_DRIVER)
tests_fuzz_hdf5_SOURCES = tests/fuzz/hdf5.c tests/fuzz/read_h5.h $(FUZZ_MAIN)
tests_fuzz_hdf5_LDADD = $(FUZZ_LINK)
tests_fuzz_hdf5_LDFLAGS = $(FUZZ_DRIVER)

# A short run over every reader, for a build with --enable-fuzzing: FUZZ_RUNS inputs a target, the same every time.  Longer
# ones: tests/fuzz/long.  Not hdf5, which has random inputs from any build: tests/fuzz/hdf5 N [SEED].
FUZZ_RUNS = 6000
check-fuzz: $(FUZZ_TARGETS)
	$(srcdir)/tests/fuzz/run runs $(FUZZ_RUNS) tests/fuzz/deck tests/fuzz/gro tests/fuzz/pdb tests/fuzz/xyz tests/fuzz/h5md \
	  tests/fuzz/checkpoint
.PHONY: check-fuzz

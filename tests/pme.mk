# tests of the Ewald sums
if HAVE_CHECK
check_PROGRAMS += tests/kernels/test_ewald tests/kernels/test_accuracy
TESTS += tests/kernels/test_ewald tests/kernels/test_accuracy
endif
tests_kernels_test_ewald_SOURCES = tests/kernels/test_ewald.c
tests_kernels_test_ewald_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kernels_test_ewald_CFLAGS = $(TEST_CFLAGS)
tests_kernels_test_ewald_LDADD = $(TEST_LDADD)

tests_kernels_test_accuracy_SOURCES = tests/kernels/test_accuracy.c
tests_kernels_test_accuracy_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kernels_test_accuracy_CFLAGS = $(TEST_CFLAGS)
tests_kernels_test_accuracy_LDADD = $(TEST_LDADD)

EXTRA_DIST += \
  tests/data/energies/boxes.csv tests/data/energies/p210_dodeca_forces.csv tests/data/energies/p216_forces.csv \
  tests/data/energies/p895_forces.csv

# The mesh over ranks.
if HAVE_CHECK
check_PROGRAMS += tests/kernels/test_slabs
TESTS += tests/kernels/test_slabs
endif
tests_kernels_test_slabs_SOURCES = tests/kernels/test_slabs.c tests/support/thread_ranks.c
tests_kernels_test_slabs_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kernels_test_slabs_CFLAGS = $(TEST_CFLAGS)
tests_kernels_test_slabs_LDADD = $(TEST_LDADD)

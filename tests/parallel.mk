# Ranks: as threads, over MPI (skipped in a build without it), and the division of a box among them.
EXTRA_DIST += tests/support/check_ranks.h tests/support/thread_ranks.h
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_ranks tests/unit/test_bricks
TESTS += tests/unit/test_ranks tests/unit/test_bricks
endif
tests_unit_test_ranks_SOURCES = tests/unit/test_ranks.c tests/support/check_ranks.c tests/support/thread_ranks.c
tests_unit_test_ranks_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_ranks_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_ranks_LDADD = $(TEST_LDADD)
tests_unit_test_bricks_SOURCES = tests/unit/test_bricks.c
tests_unit_test_bricks_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_bricks_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_bricks_LDADD = $(TEST_LDADD)

if HAVE_CHECK
check_PROGRAMS += tests/parallel/test_shared_water
TESTS += tests/parallel/test_shared_water
endif
tests_parallel_test_shared_water_SOURCES = tests/parallel/test_shared_water.c tests/support/thread_ranks.c
tests_parallel_test_shared_water_CPPFLAGS = $(TEST_CPPFLAGS)
tests_parallel_test_shared_water_CFLAGS = $(TEST_CFLAGS)
tests_parallel_test_shared_water_LDADD = $(TEST_LDADD)

if HAVE_CHECK
check_PROGRAMS += tests/parallel/test_start_memory
TESTS += tests/parallel/test_start_memory
endif
tests_parallel_test_start_memory_SOURCES = tests/parallel/test_start_memory.c
tests_parallel_test_start_memory_CPPFLAGS = $(TEST_CPPFLAGS)
tests_parallel_test_start_memory_CFLAGS = $(TEST_CFLAGS)
tests_parallel_test_start_memory_LDADD = $(TEST_LDADD)

# Long messages go in pieces; these are short ones.
if WITH_MPI
check_PROGRAMS += tests/parallel/mpi_ranks
endif
tests_parallel_mpi_ranks_SOURCES = tests/parallel/mpi_ranks.c tests/support/check_ranks.c src/parallel/mpi_ranks.c
tests_parallel_mpi_ranks_CPPFLAGS = $(TEST_CPPFLAGS) -DRILL_MPI_PIECE=64
tests_parallel_mpi_ranks_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_parallel_mpi_ranks_LDADD = $(RILL_LINK) $(MPI_LIBS)
dist_check_SCRIPTS += tests/parallel/test_mpi_ranks.sh
TESTS += tests/parallel/test_mpi_ranks.sh

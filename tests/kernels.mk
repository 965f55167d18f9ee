# tests of this room
if HAVE_CHECK
check_PROGRAMS += tests/kernels/test_forces tests/unit/test_model
TESTS += tests/kernels/test_forces tests/unit/test_model
endif
tests_kernels_test_forces_SOURCES = tests/kernels/test_forces.c
tests_kernels_test_forces_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kernels_test_forces_CFLAGS = $(TEST_CFLAGS)
tests_kernels_test_forces_LDADD = $(TEST_LDADD)
tests_unit_test_model_SOURCES = tests/unit/test_model.c
tests_unit_test_model_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_model_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_model_LDADD = $(TEST_LDADD)

EXTRA_DIST += \
  tests/data/energies/clusters.csv tests/data/energies/rounded.csv \
  tests/data/energies/c001_forces.csv \
  tests/data/energies/c002_close_forces.csv tests/data/energies/c002_min_forces.csv \
  tests/data/energies/c007_liq_forces.csv tests/data/energies/c007_min_forces.csv \
  tests/data/energies/c020_a_forces.csv tests/data/energies/c020_b_forces.csv \
  tests/data/energies/c100_a_forces.csv \
  tests/data/energies/water7_akma.dat tests/data/energies/water100_akma.dat

if HAVE_CHECK
check_PROGRAMS += tests/kernels/test_periodic tests/kernels/test_domains
TESTS += tests/kernels/test_periodic tests/kernels/test_domains
endif
tests_kernels_test_domains_SOURCES = tests/kernels/test_domains.c tests/support/thread_ranks.c
tests_kernels_test_domains_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kernels_test_domains_CFLAGS = $(TEST_CFLAGS)
tests_kernels_test_domains_LDADD = $(TEST_LDADD)
tests_kernels_test_periodic_SOURCES = tests/kernels/test_periodic.c
tests_kernels_test_periodic_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kernels_test_periodic_CFLAGS = $(TEST_CFLAGS)
tests_kernels_test_periodic_LDADD = $(TEST_LDADD)

if HAVE_CHECK
check_PROGRAMS += tests/kernels/test_cluster
TESTS += tests/kernels/test_cluster
endif
tests_kernels_test_cluster_SOURCES = tests/kernels/test_cluster.c
tests_kernels_test_cluster_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kernels_test_cluster_CFLAGS = $(TEST_CFLAGS)
tests_kernels_test_cluster_LDADD = $(TEST_LDADD)

if HAVE_CHECK
check_PROGRAMS += tests/kernels/test_neighbours
TESTS += tests/kernels/test_neighbours
endif
tests_kernels_test_neighbours_SOURCES = tests/kernels/test_neighbours.c
tests_kernels_test_neighbours_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kernels_test_neighbours_CFLAGS = $(TEST_CFLAGS)
tests_kernels_test_neighbours_LDADD = $(TEST_LDADD)

if HAVE_CHECK
check_PROGRAMS += tests/kernels/test_lanes
TESTS += tests/kernels/test_lanes
endif
tests_kernels_test_lanes_SOURCES = tests/kernels/test_lanes.c
tests_kernels_test_lanes_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_kernels_test_lanes_CFLAGS = $(TEST_CFLAGS)
tests_kernels_test_lanes_LDADD = $(TEST_LDADD)

if HAVE_CHECK
check_PROGRAMS += tests/kernels/test_four_sites
TESTS += tests/kernels/test_four_sites
endif
tests_kernels_test_four_sites_SOURCES = tests/kernels/test_four_sites.c
tests_kernels_test_four_sites_CPPFLAGS = $(TEST_CPPFLAGS)
tests_kernels_test_four_sites_CFLAGS = $(TEST_CFLAGS)
tests_kernels_test_four_sites_LDADD = $(TEST_LDADD)
EXTRA_DIST += tests/independent/four_sites.py tests/data/energies/four_sites.csv \
  tests/data/energies/four_sites_forces.csv

# The small systems: laws over all methods, and numbers of papers.
SMALL = tests/laws/test_so3 tests/laws/test_lie_groups tests/laws/test_spheres tests/laws/test_small_systems tests/laws/test_small_bath tests/laws/test_tao_owhadi_results \
  tests/laws/test_tao_owhadi_water tests/laws/test_measures
EXTRA_DIST += tests/laws/small.h tests/laws/rows.h tests/data/papers/lie_groups.csv \
  tests/independent/pendulum.py tests/independent/dna.py tests/independent/bodies.py tests/independent/water.py \
  tests/independent/water_monte_carlo.c
if HAVE_CHECK
check_PROGRAMS += $(SMALL)
TESTS += $(SMALL)
endif
tests_laws_test_so3_SOURCES = tests/laws/test_so3.c
tests_laws_test_so3_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_so3_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_so3_LDADD = $(TEST_LDADD)
tests_laws_test_lie_groups_SOURCES = tests/laws/test_lie_groups.c
tests_laws_test_lie_groups_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_lie_groups_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_lie_groups_LDADD = $(TEST_LDADD)
tests_laws_test_spheres_SOURCES = tests/laws/test_spheres.c
tests_laws_test_spheres_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_spheres_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_spheres_LDADD = $(TEST_LDADD)
tests_laws_test_small_systems_SOURCES = tests/laws/test_small_systems.c
tests_laws_test_small_systems_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_small_systems_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_small_systems_LDADD = $(TEST_LDADD)
tests_laws_test_small_bath_SOURCES = tests/laws/test_small_bath.c
tests_laws_test_small_bath_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_small_bath_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_small_bath_LDADD = $(TEST_LDADD)
tests_laws_test_measures_SOURCES = tests/laws/test_measures.c
tests_laws_test_measures_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_measures_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_measures_LDADD = $(TEST_LDADD)
tests_laws_test_tao_owhadi_results_SOURCES = tests/laws/test_tao_owhadi_results.c
tests_laws_test_tao_owhadi_results_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_tao_owhadi_results_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_tao_owhadi_results_LDADD = $(TEST_LDADD)
tests_laws_test_tao_owhadi_water_SOURCES = tests/laws/test_tao_owhadi_water.c
tests_laws_test_tao_owhadi_water_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_tao_owhadi_water_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_tao_owhadi_water_LDADD = $(TEST_LDADD)

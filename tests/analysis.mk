# tests of this room
dist_check_SCRIPTS += tests/cli/test_validate.sh
TESTS += tests/cli/test_validate.sh
ANALYSIS = tests/unit/test_analysis tests/unit/test_verdicts tests/unit/test_replicas \
  tests/unit/test_minima tests/unit/test_correlations
if HAVE_CHECK
check_PROGRAMS += $(ANALYSIS)
TESTS += $(ANALYSIS)
endif
tests_unit_test_analysis_SOURCES = tests/unit/test_analysis.c
tests_unit_test_analysis_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_analysis_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_analysis_LDADD = $(TEST_LDADD)
tests_unit_test_verdicts_SOURCES = tests/unit/test_verdicts.c
tests_unit_test_verdicts_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_verdicts_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_verdicts_LDADD = $(TEST_LDADD)
tests_unit_test_replicas_SOURCES = tests/unit/test_replicas.c
tests_unit_test_replicas_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_replicas_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_replicas_LDADD = $(TEST_LDADD)
tests_unit_test_minima_SOURCES = tests/unit/test_minima.c
tests_unit_test_minima_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_minima_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_minima_LDADD = $(TEST_LDADD)
tests_unit_test_correlations_SOURCES = tests/unit/test_correlations.c
tests_unit_test_correlations_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_correlations_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_correlations_LDADD = $(TEST_LDADD)

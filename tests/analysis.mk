# tests of this room
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_analysis
TESTS += tests/unit/test_analysis
endif
tests_unit_test_analysis_SOURCES = tests/unit/test_analysis.c
tests_unit_test_analysis_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_analysis_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_analysis_LDADD = $(TEST_LDADD)

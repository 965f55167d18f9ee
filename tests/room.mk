EXTRA_DIST += tests/suite.h
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_base
TESTS += tests/unit/test_base
endif
tests_unit_test_base_SOURCES = tests/unit/test_base.c
tests_unit_test_base_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_base_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_base_LDADD = $(TEST_LDADD)

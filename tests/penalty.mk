PENALTY_TESTS = tests/penalty/test_reference
EXTRA_DIST += tests/penalty/fixture.h
if HAVE_CHECK
check_PROGRAMS += $(PENALTY_TESTS)
TESTS += $(PENALTY_TESTS)
endif
tests_penalty_test_reference_SOURCES = tests/penalty/test_reference.c
tests_penalty_test_reference_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/penalty
tests_penalty_test_reference_CFLAGS = $(TEST_CFLAGS)
tests_penalty_test_reference_LDADD = $(TEST_LDADD)

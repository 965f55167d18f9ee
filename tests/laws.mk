LAWS = tests/laws/test_water_flows
EXTRA_DIST += tests/laws/fixture.h
if HAVE_CHECK
check_PROGRAMS += $(LAWS)
TESTS += $(LAWS)
endif
tests_laws_test_water_flows_SOURCES = tests/laws/test_water_flows.c
tests_laws_test_water_flows_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_water_flows_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_water_flows_LDADD = $(TEST_LDADD)

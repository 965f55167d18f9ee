PENALTY_TESTS = tests/penalty/test_solve tests/penalty/test_reference tests/penalty/test_implicit tests/bridge/test_bridge \
  tests/physics/test_penalised_water7
EXTRA_DIST += tests/penalty/fixture.h tests/bridge/two_waters.h
if HAVE_CHECK
check_PROGRAMS += $(PENALTY_TESTS)
TESTS += $(PENALTY_TESTS)
endif
PENALTY_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/penalty
tests_penalty_test_solve_SOURCES = tests/penalty/test_solve.c
tests_penalty_test_solve_CPPFLAGS = $(PENALTY_CPPFLAGS)
tests_penalty_test_solve_CFLAGS = $(TEST_CFLAGS)
tests_penalty_test_solve_LDADD = $(TEST_LDADD)
tests_penalty_test_reference_SOURCES = tests/penalty/test_reference.c
tests_penalty_test_reference_CPPFLAGS = $(PENALTY_CPPFLAGS)
tests_penalty_test_reference_CFLAGS = $(TEST_CFLAGS)
tests_penalty_test_reference_LDADD = $(TEST_LDADD)
tests_penalty_test_implicit_SOURCES = tests/penalty/test_implicit.c
tests_penalty_test_implicit_CPPFLAGS = $(PENALTY_CPPFLAGS)
tests_penalty_test_implicit_CFLAGS = $(TEST_CFLAGS)
tests_penalty_test_implicit_LDADD = $(TEST_LDADD)
tests_physics_test_penalised_water7_SOURCES = tests/physics/test_penalised_water7.c
tests_physics_test_penalised_water7_CPPFLAGS = $(PENALTY_CPPFLAGS)
tests_physics_test_penalised_water7_CFLAGS = $(TEST_CFLAGS)
tests_physics_test_penalised_water7_LDADD = $(TEST_LDADD)
tests_bridge_test_bridge_SOURCES = tests/bridge/test_bridge.c
tests_bridge_test_bridge_CPPFLAGS = $(PENALTY_CPPFLAGS) -I$(top_srcdir)/tests/bridge
tests_bridge_test_bridge_CFLAGS = $(TEST_CFLAGS)
tests_bridge_test_bridge_LDADD = $(TEST_LDADD)

LAWS = tests/laws/test_heat_bath tests/laws/test_water_flows tests/laws/test_water_dynamics tests/laws/test_water_thermostat tests/laws/test_water_trials tests/laws/test_water_exchange tests/laws/test_constant_pressure tests/laws/test_liquid \
  tests/laws/test_four_sites \
  tests/physics/test_water7
EXTRA_DIST += tests/laws/fixture.h tests/data/starts/water7-150K.gro
if HAVE_CHECK
check_PROGRAMS += $(LAWS)
TESTS += $(LAWS)
endif
tests_laws_test_heat_bath_SOURCES = tests/laws/test_heat_bath.c
tests_laws_test_heat_bath_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_heat_bath_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_heat_bath_LDADD = $(TEST_LDADD)
tests_laws_test_water_flows_SOURCES = tests/laws/test_water_flows.c
tests_laws_test_water_flows_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_water_flows_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_water_flows_LDADD = $(TEST_LDADD)
tests_laws_test_water_dynamics_SOURCES = tests/laws/test_water_dynamics.c
tests_laws_test_water_dynamics_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_water_dynamics_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_water_dynamics_LDADD = $(TEST_LDADD)
tests_laws_test_water_trials_SOURCES = tests/laws/test_water_trials.c
tests_laws_test_water_trials_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_water_trials_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_water_trials_LDADD = $(TEST_LDADD)
tests_laws_test_water_exchange_SOURCES = tests/laws/test_water_exchange.c
tests_laws_test_water_exchange_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_water_exchange_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_water_exchange_LDADD = $(TEST_LDADD)
tests_laws_test_water_thermostat_SOURCES = tests/laws/test_water_thermostat.c
tests_laws_test_water_thermostat_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_water_thermostat_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_water_thermostat_LDADD = $(TEST_LDADD)
tests_physics_test_water7_SOURCES = tests/physics/test_water7.c
tests_physics_test_water7_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_physics_test_water7_CFLAGS = $(TEST_CFLAGS)
tests_physics_test_water7_LDADD = $(TEST_LDADD)
tests_laws_test_constant_pressure_SOURCES = tests/laws/test_constant_pressure.c
tests_laws_test_constant_pressure_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_constant_pressure_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_constant_pressure_LDADD = $(TEST_LDADD)
tests_laws_test_liquid_SOURCES = tests/laws/test_liquid.c
tests_laws_test_liquid_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_liquid_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_liquid_LDADD = $(TEST_LDADD)
tests_laws_test_four_sites_SOURCES = tests/laws/test_four_sites.c
tests_laws_test_four_sites_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_four_sites_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_four_sites_LDADD = $(TEST_LDADD)

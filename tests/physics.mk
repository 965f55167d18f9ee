# Longer tests of the physics: minutes, not part of `make check`.  make check-physics RILL_PHYSICS_SCALE=0.1 takes a tenth
# of the samples; other files add to PHYSICS_TESTS.
PHYSICS_SUITES = tests/physics/test_ensemble tests/physics/test_trials tests/physics/test_conservation tests/physics/test_error_bars
PHYSICS_TESTS += tests/physics/energy_order.sh tests/physics/constant_pressure.sh tests/physics/densities.sh tests/physics/liquid.sh tests/physics/liquid_temperature.sh tests/physics/reproduce.sh
RILL_PHYSICS_SCALE = 1
EXTRA_DIST += tests/physics/scale.h tests/physics/constant_pressure.py tests/physics/densities.py tests/data/densities
dist_check_SCRIPTS += tests/physics/energy_order.sh tests/physics/constant_pressure.sh tests/physics/densities.sh tests/physics/liquid.sh tests/physics/liquid_temperature.sh tests/physics/reproduce.sh
if HAVE_CHECK
check_PROGRAMS += $(PHYSICS_SUITES)
PHYSICS_TESTS += $(PHYSICS_SUITES)
endif
tests_physics_test_ensemble_SOURCES = tests/physics/test_ensemble.c
tests_physics_test_ensemble_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws -I$(top_srcdir)/tests/physics
tests_physics_test_ensemble_CFLAGS = $(TEST_CFLAGS)
tests_physics_test_ensemble_LDADD = $(TEST_LDADD)
tests_physics_test_trials_SOURCES = tests/physics/test_trials.c
tests_physics_test_trials_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws -I$(top_srcdir)/tests/physics
tests_physics_test_trials_CFLAGS = $(TEST_CFLAGS)
tests_physics_test_trials_LDADD = $(TEST_LDADD)
tests_physics_test_error_bars_SOURCES = tests/physics/test_error_bars.c
tests_physics_test_error_bars_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws -I$(top_srcdir)/tests/physics
tests_physics_test_error_bars_CFLAGS = $(TEST_CFLAGS)
tests_physics_test_error_bars_LDADD = $(TEST_LDADD)
tests_physics_test_conservation_SOURCES = tests/physics/test_conservation.c
tests_physics_test_conservation_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws -I$(top_srcdir)/tests/physics
tests_physics_test_conservation_CFLAGS = $(TEST_CFLAGS)
tests_physics_test_conservation_LDADD = $(TEST_LDADD)

.PHONY: check-physics
check-physics: rill $(PHYSICS_SUITES)
	@$(AM_TESTS_ENVIRONMENT) RILL_PHYSICS_SCALE='$(RILL_PHYSICS_SCALE)'; export RILL_PHYSICS_SCALE; failed=0; \
	$(MKDIR_P) tests/physics; \
	for test in $(PHYSICS_TESTS); do \
	  log=$$test.log; file=./$$test; test -f $$file || file=$(srcdir)/$$test; \
	  $$file >$$log 2>&1 </dev/null; status=$$?; \
	  case $$status in \
	    0) echo "PASS: $$test" ;; \
	    77) echo "SKIP: $$test" ;; \
	    *) echo "FAIL: $$test"; tail -n 40 $$log; failed=1 ;; \
	  esac; \
	done; exit $$failed

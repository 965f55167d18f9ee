EXTRA_DIST += tests/suite.h
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_base tests/unit/test_exact_sum tests/unit/test_simd
TESTS += tests/unit/test_base tests/unit/test_exact_sum tests/unit/test_simd
endif
tests_unit_test_exact_sum_SOURCES = tests/unit/test_exact_sum.c
tests_unit_test_exact_sum_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_exact_sum_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_exact_sum_LDADD = $(TEST_LDADD)
tests_unit_test_simd_SOURCES = tests/unit/test_simd.c
tests_unit_test_simd_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_simd_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_simd_LDADD = $(TEST_LDADD)
tests_unit_test_base_SOURCES = tests/unit/test_base.c
tests_unit_test_base_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_base_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_base_LDADD = $(TEST_LDADD)
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_integrator
TESTS += tests/unit/test_integrator
endif
tests_unit_test_integrator_SOURCES = tests/unit/test_integrator.c
tests_unit_test_integrator_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_integrator_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_integrator_LDADD = $(TEST_LDADD)

# A table of changed lines, each of which the tests named beside it must notice: all of them with
# `make check-mutants`, in part with MUTANTS='--rows neighbours'.  `make check` only looks whether the table fits the sources.
dist_check_SCRIPTS += tests/mutants/run tests/mutants/check.sh
EXTRA_DIST += tests/mutants/table
TESTS += tests/mutants/check.sh
MUTANTS =
check-mutants:
	$(srcdir)/tests/mutants/run $(MUTANTS)

# All tests but those that take longest, mostly samples of the physics, and the cases of others that have the tag "long".
# With SCRIPTED=no without the scripts, which run the program from outside.
SCRIPTED = yes
LONG_TESTS = tests/laws/test_wendlandt_marsden tests/laws/test_tao_owhadi_results tests/laws/test_water_thermostat \
  tests/laws/test_small_systems tests/physics/test_penalised_water7 tests/physics/test_water7 tests/kernels/test_accuracy \
  tests/cli/test_reproduce.sh bench/check bench/check-openmm
check-short:
	@short=; for test in $(TESTS); do \
	  case '$(SCRIPTED) $(LONG_TESTS) ' in *" $$test "*) continue ;; no*) case $$test in *.sh) continue ;; esac ;; esac; \
	  short="$$short $$test"; done; \
	CK_EXCLUDE_TAGS=long $(MAKE) $(AM_MAKEFLAGS) check TESTS="$$short"

# All tests on each instruction set, resuming included, in builds of their own: instruction-sets/SET.
# make check-instruction-sets SETS=portable CHECK=check-short
dist_check_SCRIPTS += tests/instruction-sets
SETS = portable avx2 avx512 avx512vl
CHECK = check
check-instruction-sets: rill
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/instruction-sets $(CHECK) 25 12 $(SETS)

# The tests of the vector code on an emulated AArch64, in a build of their own: arm.  ARM_SYSROOT: the libraries, fetched
# once; make check-arm ARM_TESTS=tests/unit/test_simd
dist_check_SCRIPTS += tests/arm
ARM_SYSROOT = arm-sysroot
ARM_TESTS = tests/unit/test_simd tests/unit/test_base tests/unit/test_exact_sum tests/unit/test_model \
  tests/kernels/test_forces tests/kernels/test_periodic tests/kernels/test_neighbours tests/kernels/test_lanes \
  tests/kernels/test_cluster tests/kernels/test_four_sites tests/kernels/test_ewald tests/laws/test_water_flows \
  tests/bodies/test_rotor tests/cli/test_replicas.sh tests/cli/test_run.sh
check-arm:
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/arm '$(ARM_SYSROOT)' $(ARM_TESTS)

# What the tests reach, as a table by room: the target CHECK in a build of its own, coverage/, with the portable kernels,
# which are the same bodies as the others.
dist_check_SCRIPTS += tests/coverage
check-coverage:
	@mkdir -p coverage && cd coverage && \
	  { test -f config.status || eval "'$(abs_top_srcdir)/configure' $$(../config.status --config) --disable-vector-kernels CFLAGS='-O1 -g --coverage -DRILL_COVERAGE'"; } \
	  >/dev/null
	-CK_TIMEOUT_MULTIPLIER=10 $(MAKE) -C coverage $(CHECK) >coverage/check.output 2>&1
	$(srcdir)/tests/tally coverage <coverage/check.output
	$(srcdir)/tests/coverage coverage
.PHONY: check-arm check-mutants check-short check-instruction-sets check-coverage

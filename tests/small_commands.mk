# Commands on small systems: run, check, info, list, reproduce, compare, and the drawings; comparisons of water.
dist_check_SCRIPTS += tests/cli/test_small_run.sh tests/cli/test_bath.sh tests/cli/test_measure.sh \
  tests/cli/test_reproduce.sh tests/cli/test_compare_water.sh tests/cli/test_compare_small.sh \
  tests/cli/test_compare_baths.sh tests/cli/test_forces.sh tests/cli/test_tune.sh
TESTS += tests/cli/test_small_run.sh tests/cli/test_bath.sh tests/cli/test_measure.sh tests/cli/test_reproduce.sh \
  tests/cli/test_compare_water.sh tests/cli/test_compare_small.sh tests/cli/test_compare_baths.sh \
  tests/cli/test_forces.sh tests/cli/test_tune.sh

# Commands on small systems: run, check, info, list, reproduce, compare, and the drawings.
dist_check_SCRIPTS += tests/cli/test_small_run.sh tests/cli/test_reproduce.sh
TESTS += tests/cli/test_small_run.sh tests/cli/test_reproduce.sh

# tests of this room

# The direction of includes and the prefix of symbols; the counting behind ./quickstart test.
dist_check_SCRIPTS += tests/layers tests/tally tests/cli/test_tally.sh
TESTS += tests/layers tests/cli/test_tally.sh

# The drawing scripts; shell completion.
dist_check_SCRIPTS += tests/cli/test_plots.sh tests/cli/test_completion.sh
EXTRA_DIST += tests/cli/plots.py
TESTS += tests/cli/test_plots.sh tests/cli/test_completion.sh

EXTRA_DIST += bench/clusters docs/clusters.md
EXTRA_DIST += bench/ensemble bench/history bench/liquid bench/peers bench/sampling bench/scaling bench/measure.py bench/programs.py docs/benchmarks.md
dist_check_SCRIPTS += bench/check
TESTS += bench/check

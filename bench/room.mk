EXTRA_DIST += bench/clusters docs/clusters.md
EXTRA_DIST += bench/ensemble bench/history bench/liquid bench/peers bench/sampling bench/scaling bench/measure.py \
  bench/programs.py bench/openmm_peer.py bench/openmm_step.py docs/benchmarks.md
dist_check_SCRIPTS += bench/check
TESTS += bench/check

# The same of OpenMM, where it is installed
dist_check_SCRIPTS += bench/check-openmm
TESTS += bench/check-openmm

# Ranks of a box, visited one at a time; its check is a test
check_PROGRAMS += bench/ranks
bench_ranks_SOURCES = bench/ranks.c bench/walk.c bench/walk.h
bench_ranks_LDADD = librill_api.a $(RILL_LINK)
dist_check_SCRIPTS += bench/check-ranks
TESTS += bench/check-ranks

# tests of this room

# The direction of includes and the prefix of symbols; the counting behind ./quickstart test.
dist_check_SCRIPTS += tests/layers tests/format tests/tally tests/cli/test_tally.sh
TESTS += tests/layers tests/format tests/cli/test_tally.sh

# The drawing scripts; shell completion.
dist_check_SCRIPTS += tests/cli/test_plots.sh tests/cli/test_ensemble_analysis.sh tests/cli/test_completion.sh
EXTRA_DIST += tests/cli/plots.py tests/cli/ensemble_analysis.py
TESTS += tests/cli/test_plots.sh tests/cli/test_ensemble_analysis.sh tests/cli/test_completion.sh

# The program itself: what it refuses, computes, writes and leaves behind.
CLI_TESTS = \
  tests/cli/test_commands.sh \
  tests/cli/test_disk.sh \
  tests/cli/test_energy.sh \
  tests/cli/test_energy_periodic.sh \
  tests/cli/test_ensemble.sh \
  tests/cli/test_failures.sh \
  tests/cli/test_foreign.sh \
  tests/cli/test_hostile.sh \
  tests/cli/test_interchange.sh \
  tests/cli/test_json.sh \
  tests/cli/test_lessons.sh \
  tests/cli/test_liquid.sh \
  tests/cli/test_barostat.sh \
  tests/cli/test_field.sh \
  tests/cli/test_locale.sh \
  tests/cli/test_models.sh \
  tests/cli/test_overwriting.sh \
  tests/cli/test_penalty.sh \
  tests/cli/test_properties.sh \
  tests/cli/test_refusals.sh \
  tests/cli/test_replicas.sh \
  tests/cli/test_run.sh \
  tests/cli/test_statistics.sh \
  tests/cli/test_growing.sh \
  tests/cli/test_trajectory.sh
dist_check_SCRIPTS += $(CLI_TESTS)
TESTS += $(CLI_TESTS)
EXTRA_DIST += \
  tests/cli/documents.py \
  tests/cli/energy.py \
  tests/cli/properties.py \
  tests/cli/energy_periodic.py \
  tests/cli/foreign.py \
  tests/cli/hostile.py \
  tests/cli/lib.sh \
  tests/cli/interchange.py \
  tests/cli/models.py \
  tests/cli/trajectory.py

# States that end a run.
dist_check_SCRIPTS += tests/cli/test_limits.sh
TESTS += tests/cli/test_limits.sh
dist_check_SCRIPTS += tests/cli/test_memory.sh
TESTS += tests/cli/test_memory.sh
dist_check_SCRIPTS += tests/cli/test_trials.sh
TESTS += tests/cli/test_trials.sh
dist_check_SCRIPTS += tests/cli/test_stop.sh
TESTS += tests/cli/test_stop.sh

# Two runs at once.
dist_check_SCRIPTS += tests/cli/test_locks.sh
TESTS += tests/cli/test_locks.sh

# Files as other programs write them.
dist_check_SCRIPTS += tests/cli/test_writers.sh
EXTRA_DIST += tests/data/writers tests/data/models
TESTS += tests/cli/test_writers.sh

# Signals and time limits.
dist_check_SCRIPTS += tests/cli/test_signals.sh
TESTS += tests/cli/test_signals.sh

# Ensembles over MPI; skipped in a build without it.
dist_check_SCRIPTS += tests/cli/test_ranks.sh tests/cli/test_box_ranks.sh
TESTS += tests/cli/test_ranks.sh tests/cli/test_box_ranks.sh
EXTRA_DIST += tests/cli/ranks.sh

# More boxes over ranks, chosen at random.
RANDOM_RANKS = 40
.PHONY: check-ranks
check-ranks: all
	@$(AM_TESTS_ENVIRONMENT) RILL_RANDOM_RANKS='$(RANDOM_RANKS)' $(srcdir)/tests/cli/test_box_ranks.sh

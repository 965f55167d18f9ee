# Checkpoints and resuming.
dist_check_SCRIPTS += tests/restart/test_resume.sh tests/restart/test_verify.sh tests/restart/combinations.sh tests/restart/kills.sh tests/restart/test_ensemble_kills.sh
EXTRA_DIST += tests/restart/at_step.py tests/restart/large_steps.py tests/restart/readable.py tests/restart/forge.py tests/restart/kernel.py tests/restart/change.py tests/restart/unused.py tests/restart/loop_index.py tests/data/checkpoints
TESTS += tests/restart/test_resume.sh tests/restart/test_verify.sh tests/restart/test_ensemble_kills.sh

# The long products, some minutes: every combination by whole files, and many kills; also of ensembles, whose replicas
# must be single runs.  make check-restart KILLS=200; with EVERY=25 only every 25th combination.
KILLS = 100
EVERY = 1
check-restart: rill
	@$(AM_TESTS_ENVIRONMENT) \
	$(srcdir)/tests/restart/combinations.sh $(EVERY) && $(srcdir)/tests/restart/kills.sh $(KILLS) && \
	$(srcdir)/tests/cli/test_replicas.sh $(EVERY) && $(srcdir)/tests/restart/test_ensemble_kills.sh $(KILLS)
.PHONY: check-restart
if HAVE_CHECK
check_PROGRAMS += tests/restart/test_checkpoint
TESTS += tests/restart/test_checkpoint
endif
tests_restart_test_checkpoint_SOURCES = tests/restart/test_checkpoint.c
tests_restart_test_checkpoint_CPPFLAGS = $(TEST_CPPFLAGS)
tests_restart_test_checkpoint_CFLAGS = $(TEST_CFLAGS)
tests_restart_test_checkpoint_LDADD = $(TEST_LDADD)
tests_restart_test_checkpoint_LDFLAGS = -Wl,--wrap=pwrite
if HAVE_CHECK
check_PROGRAMS += tests/restart/test_continuation
TESTS += tests/restart/test_continuation
endif
tests_restart_test_continuation_SOURCES = tests/restart/test_continuation.c
tests_restart_test_continuation_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_restart_test_continuation_CFLAGS = $(TEST_CFLAGS)
tests_restart_test_continuation_LDADD = $(TEST_LDADD)

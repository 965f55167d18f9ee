# Checkpoints and resuming.
EXTRA_DIST += tests/restart/combinations.sh
if HAVE_CHECK
check_PROGRAMS += tests/restart/test_checkpoint
TESTS += tests/restart/test_checkpoint
endif
tests_restart_test_checkpoint_SOURCES = tests/restart/test_checkpoint.c
tests_restart_test_checkpoint_CPPFLAGS = $(TEST_CPPFLAGS)
tests_restart_test_checkpoint_CFLAGS = $(TEST_CFLAGS)
tests_restart_test_checkpoint_LDADD = $(TEST_LDADD)
tests_restart_test_checkpoint_LDFLAGS = -Wl,--wrap=pwrite

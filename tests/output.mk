# tests of this room
EXTRA_DIST += tests/output/read_back.py
dist_check_SCRIPTS += tests/output/read_back.sh
check_PROGRAMS += tests/output/write_sample
TESTS += tests/output/read_back.sh
tests_output_write_sample_SOURCES = tests/output/write_sample.c tests/output/sample.h
tests_output_write_sample_CPPFLAGS = $(TEST_CPPFLAGS)
tests_output_write_sample_LDADD = $(RILL_LINK)
# Damaged trajectories: some in make check; tests/output/test_damage N, every sector and N flips.
check_PROGRAMS += tests/output/test_damage
TESTS += tests/output/test_damage
tests_output_test_damage_SOURCES = tests/output/test_damage.c tests/output/sample.h
tests_output_test_damage_CPPFLAGS = $(TEST_CPPFLAGS)
tests_output_test_damage_LDADD = $(RILL_LINK)
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_output
TESTS += tests/unit/test_output
endif
tests_unit_test_output_SOURCES = tests/unit/test_output.c tests/output/sample.h
tests_unit_test_output_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_output_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_output_LDADD = $(TEST_LDADD)
tests_unit_test_output_LDFLAGS = -Wl,--wrap=pwrite -Wl,--wrap=ftruncate
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_output_lock
TESTS += tests/unit/test_output_lock
endif
tests_unit_test_output_lock_SOURCES = tests/unit/test_output_lock.c
tests_unit_test_output_lock_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_output_lock_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_output_lock_LDADD = $(TEST_LDADD)
tests_unit_test_output_lock_LDFLAGS = -Wl,--wrap=flock
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_sandbox
TESTS += tests/unit/test_sandbox
endif
tests_unit_test_sandbox_SOURCES = tests/unit/test_sandbox.c
tests_unit_test_sandbox_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_sandbox_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_sandbox_LDADD = $(TEST_LDADD)

# tests of this room
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_deck tests/unit/test_deck_edit tests/unit/test_tune_rule
TESTS += tests/unit/test_deck tests/unit/test_deck_edit tests/unit/test_tune_rule
endif
tests_unit_test_deck_edit_SOURCES = tests/unit/test_deck_edit.c
tests_unit_test_deck_edit_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_deck_edit_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_deck_edit_LDADD = $(TEST_LDADD)
tests_unit_test_tune_rule_SOURCES = tests/unit/test_tune_rule.c
tests_unit_test_tune_rule_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_tune_rule_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_tune_rule_LDADD = $(TEST_LDADD)
tests_unit_test_deck_SOURCES = tests/unit/test_deck.c
tests_unit_test_deck_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_deck_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_deck_LDADD = $(TEST_LDADD)

# tests of this room
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_deck
TESTS += tests/unit/test_deck
endif
tests_unit_test_deck_SOURCES = tests/unit/test_deck.c
tests_unit_test_deck_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_deck_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_deck_LDADD = $(TEST_LDADD)

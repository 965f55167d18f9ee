EXTRA_DIST += tests/data/structures tests/data/variants
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_structure
TESTS += tests/unit/test_structure
endif
tests_unit_test_structure_SOURCES = tests/unit/test_structure.c
tests_unit_test_structure_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_structure_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_structure_LDADD = $(TEST_LDADD)

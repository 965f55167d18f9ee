EXTRA_DIST += \
  tests/data/minima/min2.xyz tests/data/minima/min3.xyz tests/data/minima/min4.xyz tests/data/minima/min5.xyz \
  tests/data/minima/min7.xyz
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_relax
TESTS += tests/unit/test_relax
endif
tests_unit_test_relax_SOURCES = tests/unit/test_relax.c
tests_unit_test_relax_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_relax_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_relax_LDADD = $(TEST_LDADD)

# Variational and conserving methods, exact solutions, and Wendlandt & Marsden's numbers.
EXTRA_DIST += tests/data/papers/wendlandt_marsden.csv tests/data/papers/wendlandt_marsden_rb_exact.csv \
  tests/data/papers/wendlandt_marsden_dsp_accurate.csv tests/data/papers/leok_shingel.csv
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_numerics tests/laws/test_variational tests/laws/test_wendlandt_marsden \
  tests/laws/test_leok_shingel
TESTS += tests/unit/test_numerics tests/laws/test_variational tests/laws/test_wendlandt_marsden \
  tests/laws/test_leok_shingel
endif
tests_unit_test_numerics_SOURCES = tests/unit/test_numerics.c
tests_unit_test_numerics_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_numerics_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_numerics_LDADD = $(TEST_LDADD)
tests_laws_test_variational_SOURCES = tests/laws/test_variational.c
tests_laws_test_variational_CPPFLAGS = $(TEST_CPPFLAGS)
tests_laws_test_variational_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_variational_LDADD = $(TEST_LDADD)
tests_laws_test_wendlandt_marsden_SOURCES = tests/laws/test_wendlandt_marsden.c
tests_laws_test_wendlandt_marsden_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_wendlandt_marsden_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_wendlandt_marsden_LDADD = $(TEST_LDADD)
tests_laws_test_leok_shingel_SOURCES = tests/laws/test_leok_shingel.c
tests_laws_test_leok_shingel_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_leok_shingel_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_leok_shingel_LDADD = $(TEST_LDADD)

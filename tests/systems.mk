# tests of the small systems
EXTRA_DIST += tests/systems/fixture.h
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_band tests/systems/test_linkage tests/systems/test_tao_owhadi
TESTS += tests/unit/test_band tests/systems/test_linkage tests/systems/test_tao_owhadi
endif
tests_unit_test_band_SOURCES = tests/unit/test_band.c
tests_unit_test_band_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_band_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_band_LDADD = $(TEST_LDADD)
tests_systems_test_linkage_SOURCES = tests/systems/test_linkage.c
tests_systems_test_linkage_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/systems
tests_systems_test_linkage_CFLAGS = $(TEST_CFLAGS)
tests_systems_test_linkage_LDADD = $(TEST_LDADD)
tests_systems_test_tao_owhadi_SOURCES = tests/systems/test_tao_owhadi.c
tests_systems_test_tao_owhadi_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/systems
tests_systems_test_tao_owhadi_CFLAGS = $(TEST_CFLAGS)
tests_systems_test_tao_owhadi_LDADD = $(TEST_LDADD)

# Forces beside those of the Lagrangian, constraints on velocities, steps of varying length, multistep and Hamiltonian methods.
if HAVE_CHECK
check_PROGRAMS += tests/laws/test_forced tests/laws/test_nonholonomic tests/laws/test_step_control tests/laws/test_multistep tests/laws/test_hamiltonian
TESTS += tests/laws/test_forced tests/laws/test_nonholonomic tests/laws/test_step_control tests/laws/test_multistep tests/laws/test_hamiltonian
endif
tests_laws_test_forced_SOURCES = tests/laws/test_forced.c
tests_laws_test_forced_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_forced_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_forced_LDADD = $(TEST_LDADD)
tests_laws_test_nonholonomic_SOURCES = tests/laws/test_nonholonomic.c
tests_laws_test_nonholonomic_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_nonholonomic_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_nonholonomic_LDADD = $(TEST_LDADD)
tests_laws_test_multistep_SOURCES = tests/laws/test_multistep.c
tests_laws_test_multistep_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_multistep_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_multistep_LDADD = $(TEST_LDADD)
tests_laws_test_step_control_SOURCES = tests/laws/test_step_control.c
tests_laws_test_step_control_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_step_control_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_step_control_LDADD = $(TEST_LDADD)
tests_laws_test_hamiltonian_SOURCES = tests/laws/test_hamiltonian.c
tests_laws_test_hamiltonian_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws
tests_laws_test_hamiltonian_CFLAGS = $(TEST_CFLAGS)
tests_laws_test_hamiltonian_LDADD = $(TEST_LDADD)

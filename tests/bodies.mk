BODIES = tests/bodies/test_rotor tests/bodies/test_bodies
EXTRA_DIST += tests/bodies/field_molecule.h
if HAVE_CHECK
check_PROGRAMS += $(BODIES)
TESTS += $(BODIES)
endif
PHYSICS_SUITES += tests/physics/test_rigid_bodies
BODIES_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/laws -I$(top_srcdir)/tests/bodies
tests_bodies_test_rotor_SOURCES = tests/bodies/test_rotor.c
tests_bodies_test_rotor_CPPFLAGS = $(BODIES_CPPFLAGS)
tests_bodies_test_rotor_CFLAGS = $(TEST_CFLAGS)
tests_bodies_test_rotor_LDADD = $(TEST_LDADD)
tests_bodies_test_bodies_SOURCES = tests/bodies/test_bodies.c
tests_bodies_test_bodies_CPPFLAGS = $(BODIES_CPPFLAGS)
tests_bodies_test_bodies_CFLAGS = $(TEST_CFLAGS)
tests_bodies_test_bodies_LDADD = $(TEST_LDADD)
tests_physics_test_rigid_bodies_SOURCES = tests/physics/test_rigid_bodies.c
tests_physics_test_rigid_bodies_CPPFLAGS = $(BODIES_CPPFLAGS) -I$(top_srcdir)/tests/physics
tests_physics_test_rigid_bodies_CFLAGS = $(TEST_CFLAGS)
tests_physics_test_rigid_bodies_LDADD = $(TEST_LDADD)
dist_check_SCRIPTS += tests/cli/test_bodies.sh
TESTS += tests/cli/test_bodies.sh

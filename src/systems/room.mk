librill_core_a_SOURCES += \
  src/systems/registry.c src/systems/registry.h \
  src/systems/parameters.c \
  src/systems/mechanical_system.c src/systems/mechanical_system.h \
  src/systems/linkage.c src/systems/linkage.h \
  src/systems/heat_bath.c src/systems/heat_bath.h \
  src/systems/bend.c src/systems/bend.h \
  src/systems/fixman.c src/systems/fixman.h \
  src/systems/spatial_start.c src/systems/spatial_start.h \
  src/systems/types.h \
  src/systems/planar_pendulum.c \
  src/systems/spherical_pendulum.c \
  src/systems/double_spherical_pendulum.c \
  src/systems/double_pendulum.c \
  src/systems/pendulum_chain.c \
  src/systems/planar_triatomic.c \
  src/systems/dna_chain.c \
  src/systems/harmonic_oscillator.c \
  src/systems/simple_pendulum.c \
  src/systems/lagrangian_system.c src/systems/lagrangian_system.h \
  src/systems/falling_particles.c src/systems/falling_particles.h \
  src/systems/rigid_body.c \
  src/systems/spherical_pendulum_angles.c \
  src/systems/double_pendulum_angles.c \
  src/systems/attitude_system.c src/systems/attitude_system.h \
  src/systems/magnetic_body.c \
  src/systems/free_body.c \
  src/systems/pendulum_3d.c \
  src/systems/quartic_body.c \
  src/systems/ellipsoid_particle.c \
  src/systems/nonholonomic_model.h \
  src/systems/rolling_disk.c \
  src/systems/chaplygin_sleigh.c \
  src/systems/nonholonomic_particle.c \
  src/systems/kepler.c src/systems/kepler.h \
  src/systems/point_vortices.c src/systems/point_vortices.h

EXTRA_PROGRAMS += bench/chain
bench_chain_SOURCES = bench/chain.c
bench_chain_LDADD = $(RILL_LINK)

librill_core_a_SOURCES += \
  src/numerics/band.h src/systems/registry.h \
  src/mech/driver.c src/mech/driver.h \
  src/mech/forcing.c src/mech/forcing.h \
  src/mech/filter.h src/mech/flow.h src/mech/followers.h src/mech/group.h src/mech/lagrangian.h src/mech/lanes.h src/mech/mechanical.c src/mech/mechanical.h src/mech/state.h \
  src/mech/nonholonomic.c src/mech/nonholonomic.h \
  src/mech/guard.c src/mech/guard.h \
  src/mech/integrator.c src/mech/integrator.h \
  src/mech/implicit.h src/mech/pushforward.c src/mech/pushforward.h \
  src/mech/system.h src/mech/timing.c src/mech/timing.h src/mech/splitting.h src/mech/barostat.h src/mech/trial.h \
  src/mech/thermal.h \
  src/mech/legendre.c src/mech/legendre.h \
  src/mech/hamiltonian.c src/mech/hamiltonian.h \
  src/mech/refusal.c src/mech/refusal.h

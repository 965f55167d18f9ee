librill_core_a_SOURCES += \
  src/integrators/discrete_lagrangian.c src/integrators/discrete_lagrangian.h \
  src/integrators/conserving.h src/integrators/energy_momentum.c src/integrators/implicit_midpoint.c \
  src/integrators/symplectic_euler.c \
  src/integrators/action.c src/integrators/action.h src/integrators/galerkin.c src/integrators/galerkin.h \
  src/integrators/shooting.c src/integrators/shooting.h \
  src/integrators/initial_momentum.c src/integrators/initial_momentum.h \
  src/integrators/filters.c src/integrators/filters.h \
  src/integrators/lie.c src/integrators/lie.h \
  src/integrators/lie_galerkin.c src/integrators/lie_galerkin.h \
  src/integrators/riemannian_leapfrog.c src/integrators/riemannian_leapfrog.h \
  src/integrators/rotation_verlet.c src/integrators/rotation_verlet.h \
  src/integrators/group_runge_kutta.c src/integrators/group_runge_kutta.h \
  src/integrators/linearised.c src/integrators/linearised.h \
  src/integrators/newmark.c src/integrators/newmark.h \
  src/integrators/step_control.h src/integrators/transformed_verlet.c src/integrators/adaptive_verlet.c \
  src/integrators/dvp_energy.c \
  src/integrators/hamiltonian_curve.c src/integrators/hamiltonian_curve.h src/integrators/hamiltonian_methods.h \
  src/integrators/hamiltonian_midpoint.c src/integrators/hamiltonian_shooting.c \
  src/integrators/prolongation.c src/integrators/prolongation.h \
  src/integrators/multistep.c src/integrators/multistep.h \
  src/integrators/nonholonomic.h src/integrators/lagrange_d_alembert.c src/integrators/rk4.c \
  src/integrators/registry.c src/integrators/registry.h \
  src/integrators/splittings.c src/integrators/splittings.h
librill_core_a_SOURCES += src/integrators/implicit_step.c src/integrators/implicit_step.h

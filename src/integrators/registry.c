#include "integrators/registry.h"

#include <string.h>

#include "integrators/conserving.h"
#include "integrators/discrete_lagrangian.h"
#include "integrators/filters.h"
#include "integrators/galerkin.h"
#include "integrators/group_runge_kutta.h"
#include "integrators/hamiltonian_methods.h"
#include "integrators/lie.h"
#include "integrators/lie_galerkin.h"
#include "integrators/linearised.h"
#include "integrators/multistep.h"
#include "integrators/newmark.h"
#include "integrators/nonholonomic.h"
#include "integrators/riemannian_leapfrog.h"
#include "integrators/rotation_verlet.h"
#include "integrators/shooting.h"
#include "integrators/splittings.h"
#include "integrators/step_control.h"

static const struct rill_method *const methods[] = {
    &rill_method_verlet,
    &rill_method_position_shake,
    &rill_method_respa,
    &rill_method_yoshida4,
    &rill_method_yoshida6,
    &rill_method_yoshida8,
    &rill_method_zs,
    &rill_method_zss,
    &rill_method_zss_simplified,
    &rill_method_newmark_pushforward,
    &rill_method_symplectic_euler,
    &rill_method_lie_trotter,
    &rill_method_dvp,
    &rill_method_dvp_onepoint,
    &rill_method_variational_euler,
    &rill_method_dvp_generalised,
    &rill_method_galerkin,
    &rill_method_shooting,
    &rill_method_energy_momentum,
    &rill_method_energy_preserving,
    &rill_method_implicit_midpoint,
    &rill_method_zs_euler,
    &rill_method_hamilton_pontryagin,
    &rill_method_lie_verlet,
    &rill_method_lgvi,
    &rill_method_lie_poisson,
    &rill_method_lie_galerkin,
    &rill_method_ambient_explicit_midpoint,
    &rill_method_ambient_implicit_midpoint,
    &rill_method_crouch_grossman,
    &rill_method_riemannian_leapfrog,
    &rill_method_newmark,
    &rill_method_newmark_onestep,
    &rill_method_lagrange_d_alembert,
    &rill_method_rk4,
    &rill_method_rk4_projected,
    &rill_method_verlet_transformed,
    &rill_method_verlet_adaptive,
    &rill_method_verlet_naive,
    &rill_method_dvp_energy,
    &rill_method_verlet_two_step,
    &rill_method_quinlan_tremaine,
    &rill_method_symmetric8,
    &rill_method_hamiltonian_midpoint,
    &rill_method_hamiltonian_shooting,
    &rill_method_discrete_hamiltonian,
};

const struct rill_method *const *rill_methods(size_t *count) {
  *count = sizeof methods / sizeof methods[0];
  return methods;
}

static bool is(const char *name, const char *wanted) { return name != NULL && strcmp(name, wanted) == 0; }

bool rill_method_is_called(const struct rill_method *method, const char *name) {
  return is(method->name, name) || is(method->alias, name) || is(method->former, name);
}

const struct rill_method *rill_method_find(const char *name) {
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
    if (rill_method_is_called(methods[i], name)) return methods[i];
  return NULL;
}

bool rill_method_name_is_former(const char *name) {
  const struct rill_method *method = rill_method_find(name);
  return method != NULL && is(method->former, name);
}

size_t rill_method_index(const struct rill_method *method) {
  size_t i = 0;
  while (methods[i] != method) i++;
  return i;
}

#include "systems/lagrangian_system.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static bool allocate_state(struct rill_state *state, size_t n, size_t m) {
  double *memory = rill_allocate(2 * n + m, sizeof *memory);
  if (memory == NULL) return false;
  *state = (struct rill_state){
      .n = n, .m = m, .multipliers = m, .q = memory, .p = memory + n, .multiplier = memory + 2 * n};
  for (size_t c = 0; c < m; c++) state->multiplier[c] = NAN;
  return true;
}

static bool allocate_noise(struct rill_lagrangian_system *base) {
  const size_t n = base->state.n, m = base->state.m;
  base->noise = rill_allocate(n, sizeof *base->noise);
  base->root = rill_allocate(n * n, sizeof *base->root);
  base->jacobian = rill_allocate(m * n, sizeof *base->jacobian);
  return base->noise != NULL && base->root != NULL && base->jacobian != NULL;
}

enum rill_status rill_lagrangian_system_allocate(size_t size, size_t n, size_t m,
                                                 const struct rill_lagrangian_ops *ops,
                                                 struct rill_lagrangian_system **out, struct rill_error *error) {
  struct rill_lagrangian_system *base = rill_allocate(1, size);
  enum rill_status status;
  *out = NULL;
  if (base == NULL || !allocate_state(&base->state, n, m) || !allocate_state(&base->saved, n, m) ||
      !allocate_noise(base)) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a system of %zu coordinates", n);
  } else {
    base->lagrangian = (struct rill_lagrangian){.ops = ops, .n = n, .m = m, .quadratic = true, .self = base};
    status = rill_legendre_create(&base->lagrangian, &base->legendre, error);
    if (status == RILL_OK && m == 0)
      status = rill_legendre_hamiltonian_create(&base->lagrangian, &base->hamiltonian, error);
  }
  if (status != RILL_OK) {
    rill_lagrangian_system_destroy(base);
    return status;
  }
  *out = base;
  return RILL_OK;
}

/* ---- the heat bath ---- */

/* The lower triangle of a becomes L with L L^T = a, a symmetric: [n][n], row major.  False: not positive definite. */
static bool factor_symmetric(size_t n, double *a) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
      if (i == j && !(sum > 0)) return false;
      a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
    }
  return true;
}

/* root = the Cholesky factor of M(q) + s Dg^T Dg, with s for terms of one size.  The constraint's term has no effect
 * on the noise, which is projected, but M may be regular on the tangent space only. */
static bool find_root(struct rill_lagrangian_system *base) {
  const struct rill_lagrangian *lagrangian = &base->lagrangian;
  const size_t n = base->state.n, m = base->state.m;
  struct rill_lagrangian_values values = {.dvv = base->root};
  double mass = 0, square = 0;
  memset(base->noise, 0, n * sizeof *base->noise);
  lagrangian->ops->evaluate(lagrangian->self, base->state.q, base->noise, &values);
  if (m > 0) lagrangian->ops->jacobian(lagrangian->self, base->state.q, base->jacobian);
  for (size_t i = 0; i < n; i++) mass += base->root[i * n + i];
  for (size_t k = 0; k < m * n; k++) square += base->jacobian[k] * base->jacobian[k];
  for (size_t c = 0; c < m; c++)
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        base->root[i * n + j] += mass / square * base->jacobian[c * n + i] * base->jacobian[c * n + j];
  return factor_symmetric(n, base->root);
}

/* The Legendre transform projects: it finds the momentum of a tangent velocity. */
static enum rill_status ou(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  struct rill_lagrangian_system *base = self;
  const struct rill_heat_bath_coefficients of = rill_heat_bath_coefficients(&base->bath, 1, h);
  const size_t n = base->state.n;
  double *p = base->state.p;
  if (!find_root(base))
    return rill_error_set(error, RILL_ERROR_NOT_FINITE,
                          "system %s: the matrix of masses is not positive definite here: the coordinates are "
                          "singular, or not finite",
                          base->bath.system);
  rill_heat_bath_noise(&base->bath, step, use, base->noise, n);
  for (size_t i = 0; i < n; i++) {
    p[i] *= of.decay;
    for (size_t j = 0; j <= i; j++) p[i] += of.amplitude * base->root[i * n + j] * base->noise[j];
  }
  if (base->state.m == 0) return RILL_OK;
  RILL_TRY(rill_legendre_transform(&base->legendre, base->state.q, p, error));
  memcpy(p, base->legendre.momentum, n * sizeof *p);
  return RILL_OK;
}

static const struct rill_flow_ops flow = {.ou = ou};

/* ---- the system ---- */

void rill_lagrangian_system_start(struct rill_lagrangian_system *base, const double *v,
                                  const struct rill_system_ops *ops, struct rill_system *system) {
  struct rill_lagrangian_values values = {.dv = base->state.p};
  base->lagrangian.ops->evaluate(base, base->state.q, v, &values);
  rill_lagrangian_system_save(base);
  base->bath = (struct rill_heat_bath){.system = ops->name, .n = base->state.n, .p = base->state.p};
  *system = (struct rill_system){.ops = ops,
                                 .flow = &flow,
                                 .lagrangian = &base->lagrangian,
                                 .hamiltonian = base->state.m == 0 ? &base->hamiltonian.hamiltonian : NULL,
                                 .thermal = &rill_heat_bath_thermal,
                                 .state = &base->state,
                                 .self = base};
}

double rill_lagrangian_system_dof(const void *self) {
  const struct rill_lagrangian_system *base = self;
  return (double)(base->state.n - base->state.m);
}

enum rill_status rill_lagrangian_system_begin(void *self, uint64_t step, double h, struct rill_error *error) {
  (void)h, (void)error;
  rill_heat_bath_begin_step(&((struct rill_lagrangian_system *)self)->bath, step);
  return RILL_OK;
}

/* max and rms of |x_i|. */
static void sizes(const double *x, size_t n, double *max, double *rms) {
  *max = *rms = 0;
  for (size_t i = 0; i < n; i++) {
    *max = fmax(*max, fabs(x[i]));
    *rms += x[i] * x[i] / (double)n;
  }
  *rms = sqrt(*rms);
}

/* Energy v.p - L split into -L(q, 0) and the rest; deviations of positions: g(q), of momenta: from the cotangent
 * space. */
enum rill_status rill_lagrangian_system_observe(void *self, struct rill_observation *observation,
                                                struct rill_error *error) {
  struct rill_lagrangian_system *base = self;
  const struct rill_lagrangian *lagrangian = &base->lagrangian;
  const struct rill_state *state = &base->state;
  struct rill_lagrangian_values values = {0};
  double *work = base->legendre.newton.residual; /* [n + m], unused between transforms */
  double *momentum = base->legendre.momentum;
  double energy = 0;
  RILL_TRY(rill_legendre_transform(&base->legendre, state->q, state->p, error));
  for (size_t i = 0; i < state->n; i++) energy += base->legendre.velocity[i] * momentum[i];
  lagrangian->ops->evaluate(lagrangian->self, state->q, base->legendre.velocity, &values);
  energy -= values.value;
  memset(work, 0, state->n * sizeof *work);
  lagrangian->ops->evaluate(lagrangian->self, state->q, work, &values);
  *observation = (struct rill_observation){.kinetic = energy + values.value,
                                           .potential = -values.value,
                                           .part = {NAN, NAN, NAN, NAN},
                                           .temperature_half = NAN,
                                           .temperature_translation = NAN,
                                           .temperature_rotation = NAN,
                                           .temperature_half_translation = NAN,
                                           .temperature_half_rotation = NAN,
                                           .bond_deviation = NAN,
                                           .momentum = {NAN, NAN, NAN},
                                           .angular_momentum = {NAN, NAN, NAN},
                                           .iterations = state->iterations};
  observation->temperature =
      rill_heat_bath_kinetic_temperature(&base->bath, observation->kinetic, rill_lagrangian_system_dof(base));
  if (base->momenta != NULL)
    base->momenta(base, state->q, state->p, observation->momentum, observation->angular_momentum);
  for (size_t i = 0; i < state->n; i++) momentum[i] -= state->p[i];
  sizes(momentum, state->n, &observation->velocity_deviation_max, &observation->velocity_deviation_rms);
  if (state->m > 0) lagrangian->ops->constraint(lagrangian->self, state->q, work);
  sizes(work, state->m, &observation->position_deviation_max, &observation->position_deviation_rms);
  return RILL_OK;
}

static void copy_state(const struct rill_state *from, struct rill_state *to) {
  memcpy(to->q, from->q, (2 * from->n + from->m) * sizeof *from->q);
  to->iterations = from->iterations;
  to->residual = from->residual;
}

void rill_lagrangian_system_save(void *self) {
  struct rill_lagrangian_system *base = self;
  copy_state(&base->state, &base->saved);
}

void rill_lagrangian_system_restore(void *self) {
  struct rill_lagrangian_system *base = self;
  copy_state(&base->saved, &base->state);
}

void rill_lagrangian_system_archive(void *self, struct rill_archive *archive) {
  struct rill_state *state = &((struct rill_lagrangian_system *)self)->state;
  rill_archive_reals(archive, "q", state->q, state->n);
  rill_archive_reals(archive, "p", state->p, state->n);
  rill_archive_reals(archive, "multiplier", state->multiplier, state->m);
  rill_archive_reals(archive, "residual", &state->residual, 1);
  rill_archive_count(archive, "iterations", &state->iterations);
}

void rill_lagrangian_system_destroy(void *self) {
  struct rill_lagrangian_system *base = self;
  if (base == NULL) return;
  rill_legendre_destroy(&base->legendre);
  rill_legendre_hamiltonian_destroy(&base->hamiltonian);
  rill_release(base->noise);
  rill_release(base->root);
  rill_release(base->jacobian);
  rill_release(base->state.q);
  rill_release(base->saved.q);
  rill_release(base);
}

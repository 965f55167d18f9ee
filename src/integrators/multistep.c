/* Symmetric linear multistep methods for q'' = a(q), explicit, of k steps:
 *
 *   sum_j alpha_j q_{n+j} = h^2 sum_j beta_j a(q_{n+j}),   alpha_j = alpha_{k-j},  beta_j = beta_{k-j},  beta_k = 0.
 *
 * The step is made in the increments d_n = q_{n+1} - q_n, since rounding in the sum over q grows faster: with
 * rho(z) = sum_j alpha_j z^j = (z - 1) sum_j gamma_j z^j,
 *
 *   sum_j gamma_j d_{n+j} = h^2 sum_j beta_j a(q_{n+j}),   j < k   (Hairer, Lubich & Wanner, XV.1 and XV.3.1).
 *
 * Velocities take no part in it.  They are read off the last increment and accelerations,
 *
 *   v_n = d_{n-1} / h + h sum_j mu_j a_{n-j},   j = 0 .. k,
 *
 * where the acceleration is the polynomial through these k + 1 points, so that the error is O(h^(k+1)).
 *
 * k = 1 increments: q_{n+1} - 2 q_n + q_{n-1} = h^2 a(q_n), the discrete Euler-Lagrange equation
 * D_1 Ld(q_n, q_{n+1}) + D_2 Ld(q_{n-1}, q_n) = 0 of Ld = (h/2) (|(q' - q)/h|^2_M - V(q) - V(q')), with the momentum
 * p_n = D_2 Ld(q_{n-1}, q_n), which is that of velocity Verlet.
 *
 * k = 8: for given alpha, the order 8 determines beta_1 .. beta_4.
 *   quinlan-tremaine  alpha = 1, -2, 2, -1, 0, ...: Quinlan & Tremaine, Astron. J. 100, 1694 (1990), "SY8" in Hairer,
 *                     Lubich & Wanner.  Roots of rho at 60, 72 and 144 degrees.
 *   symmetric8        alpha = 1, -1, 0, 0, 0, ...: "SY8C" there.  Roots at 51, 103 and 154 degrees, far apart.
 *
 * The first step starts a history from (q, p): one step of Verlet back, or for order 8 seven steps back by the
 * composition yoshida8 of Verlet, each in pieces. */
#include "integrators/multistep.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/splittings.h"

enum { PIECES = 8 }; /* of a step back, so that the start is more accurate than the steps */

static const int verlet_alpha[] = {1, -2, 1}, verlet_force[] = {0, 1, 0};
static const int tremaine_alpha[] = {1, -2, 2, -1, 0, -1, 2, -2, 1},
                 tremaine_force[] = {0, 17671, -23622, 61449, -50516, 61449, -23622, 17671, 0};
static const int eight_alpha[] = {1, -1, 0, 0, 0, 0, 0, -1, 1},
                 eight_force[] = {0, 13207, -8934, 42873, -33812, 42873, -8934, 13207, 0};

static const struct rill_multistep_coefficients sets[] = {
    {"verlet-two-step", 2, 2, verlet_alpha, verlet_force, 1},
    {"quinlan-tremaine", 8, 8, tremaine_alpha, tremaine_force, 12096},
    {"symmetric8", 8, 8, eight_alpha, eight_force, 8640},
};
enum { VERLET, TREMAINE, EIGHT, SETS };

/* mu_j; for Verlet that of its discrete momentum. */
static const double verlet_velocity[] = {0.5, 0};
static const double velocity8[] = {416173.0 / 1814400,  950684.0 / 1814400, -1025097.0 / 1814400, 1059430.0 / 1814400,
                                   -768805.0 / 1814400, 362112.0 / 1814400, -99359.0 / 1814400,   12062.0 / 1814400};

const struct rill_multistep_coefficients *rill_multistep_coefficients(size_t *count) {
  *count = SETS;
  return sets;
}

struct multistep {
  struct rill_state *state;
  const struct rill_mechanical *mechanical;
  double h;
  const struct rill_composition *start;           /* NULL: one step of Verlet */
  size_t earlier;                                 /* increments, k - 1 */
  double last[RILL_EARLIER], force[RILL_EARLIER]; /* weights of d_{n-1}, d_{n-2}, ..., and of a_n, a_{n-1}, ... */
  const double *velocity;                         /* mu: [earlier + 1] */
  double *q, *p, *a, *increment;                  /* [n] */
};

static void multistep_destroy(void *self) {
  struct multistep *multistep = self;
  if (multistep == NULL) return;
  rill_release(multistep->q);
  rill_release(multistep);
}

static enum rill_status create(struct rill_system *system, double h, int set, void **self, struct rill_error *error) {
  const struct rill_multistep_coefficients *of = &sets[set];
  const size_t n = system->mechanical->n;
  struct multistep *multistep = rill_allocate(1, sizeof *multistep);
  int gamma = 0;
  if (system->state->history == NULL) {
    rill_release(multistep);
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "system %s has no room for a history", system->ops->name);
  }
  if (multistep == NULL || (multistep->q = rill_allocate(4 * n, sizeof *multistep->q)) == NULL) {
    multistep_destroy(multistep);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a multistep method");
  }
  multistep->p = multistep->q + n;
  multistep->a = multistep->q + 2 * n;
  multistep->increment = multistep->q + 3 * n;
  multistep->state = system->state;
  multistep->mechanical = system->mechanical;
  multistep->h = h;
  multistep->start = set == VERLET ? NULL : rill_composition_find("yoshida8");
  multistep->earlier = (size_t)of->k - 1;
  multistep->velocity = set == VERLET ? verlet_velocity : velocity8;
  for (int j = 0; j < of->k - 1; j++) { /* gamma by Horner's scheme: alpha_k = 1 first */
    gamma += of->alpha[of->k - j];
    multistep->last[j] = -(gamma + of->alpha[of->k - j - 1]);
    multistep->force[j] = (double)of->force[of->k - j - 1] / of->denominator;
  }
  system->state->earlier = multistep->earlier;
  system->state->history[0] = NAN; /* another's, or of another step */
  *self = multistep;
  return RILL_OK;
}

static enum rill_status create_two_step(struct rill_system *system, double h,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  (void)options;
  return create(system, h, VERLET, self, error);
}

static enum rill_status create_tremaine(struct rill_system *system, double h,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  (void)options;
  return create(system, h, TREMAINE, self, error);
}

static enum rill_status create_eight(struct rill_system *system, double h, const struct rill_method_options *options,
                                     void **self, struct rill_error *error) {
  (void)options;
  return create(system, h, EIGHT, self, error);
}

static void find_acceleration(const struct multistep *multistep, const double *q, double *a) {
  const struct rill_mechanical *mechanical = multistep->mechanical;
  mechanical->ops->gradient(mechanical->self, q, a);
  for (size_t i = 0; i < mechanical->n; i++) a[i] = -a[i] / mechanical->mass[i];
}

/* One step of Verlet from (q, p), p a velocity here, with a = a(q) before and after; the change of q is added to the
 * increment. */
static void move(struct multistep *multistep, double h) {
  const size_t n = multistep->state->n;
  for (size_t i = 0; i < n; i++) {
    multistep->p[i] += 0.5 * h * multistep->a[i];
    multistep->q[i] += h * multistep->p[i];
    multistep->increment[i] += h * multistep->p[i];
  }
  find_acceleration(multistep, multistep->q, multistep->a);
  for (size_t i = 0; i < n; i++) multistep->p[i] += 0.5 * h * multistep->a[i];
}

static double *row(const struct multistep *multistep, size_t index) {
  return multistep->state->history + index * multistep->state->n;
}

/* Rows 0 .. earlier - 1: increments, the last first; then accelerations, that of the present first. */
static double *acceleration(const struct multistep *multistep, size_t index) {
  return row(multistep, multistep->earlier + index);
}

static void step_back(struct multistep *multistep) {
  const struct rill_composition *start = multistep->start;
  memset(multistep->increment, 0, multistep->state->n * sizeof *multistep->increment);
  if (start == NULL) {
    move(multistep, -multistep->h);
    return;
  }
  for (int piece = 0; piece < PIECES; piece++)
    for (size_t i = 0; i < start->factor_count; i++) move(multistep, -start->factors[i] * multistep->h / PIECES);
}

static void make_history(struct multistep *multistep) {
  const struct rill_state *state = multistep->state;
  const size_t n = state->n;
  memcpy(multistep->q, state->q, n * sizeof *state->q);
  for (size_t i = 0; i < n; i++) multistep->p[i] = state->p[i] / multistep->mechanical->mass[i];
  find_acceleration(multistep, multistep->q, multistep->a);
  memcpy(acceleration(multistep, 0), multistep->a, n * sizeof *multistep->a);
  for (size_t j = 0; j < multistep->earlier; j++) {
    step_back(multistep);
    for (size_t i = 0; i < n; i++) row(multistep, j)[i] = -multistep->increment[i];
    memcpy(acceleration(multistep, j + 1), multistep->a, n * sizeof *multistep->a);
  }
}

static enum rill_status multistep_step(void *self, struct rill_error *error) {
  struct multistep *multistep = self;
  struct rill_state *state = multistep->state;
  const size_t n = state->n, earlier = multistep->earlier;
  const double h = multistep->h;
  (void)error;
  if (n > 0 && isnan(state->history[0])) make_history(multistep);
  for (size_t i = 0; i < n; i++) {
    double sum = 0, forces = 0;
    for (size_t j = 0; j < earlier; j++) {
      sum += multistep->last[j] * row(multistep, j)[i];
      forces += multistep->force[j] * acceleration(multistep, j)[i];
    }
    multistep->increment[i] = sum + h * h * forces;
  }
  memmove(row(multistep, 1), row(multistep, 0), (earlier - 1) * n * sizeof *state->history);
  memmove(acceleration(multistep, 1), acceleration(multistep, 0), earlier * n * sizeof *state->history);
  memcpy(row(multistep, 0), multistep->increment, n * sizeof *state->history);
  for (size_t i = 0; i < n; i++) state->q[i] += multistep->increment[i];
  find_acceleration(multistep, state->q, acceleration(multistep, 0));
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j <= earlier; j++) sum += multistep->velocity[j] * acceleration(multistep, j)[i];
    state->p[i] = multistep->mechanical->mass[i] * (multistep->increment[i] / h + h * sum);
  }
  state->iterations = 0;
  return RILL_OK;
}

static const struct rill_one_step two_step = {create_two_step, multistep_step, multistep_destroy},
                                  tremaine = {create_tremaine, multistep_step, multistep_destroy},
                                  eight = {create_eight, multistep_step, multistep_destroy};

const struct rill_method rill_method_verlet_two_step = {
    .name = "verlet-two-step",
    .summary =
        "Stoermer-Verlet as the discrete Euler-Lagrange equation of three positions, of which two are the state",
    .citation = "Stoermer (1907); Hairer, Lubich & Wanner, Acta Numerica 12, 399 (2003), section 1.6",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .multistep = true,
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
    .one_step = &two_step,
};

const struct rill_method rill_method_quinlan_tremaine = {
    .name = "quinlan-tremaine",
    .alias = "sy8",
    .summary = "the explicit symmetric method of 8 steps and order 8, with resonances: one force a step",
    .citation = "Quinlan & Tremaine, Astron. J. 100, 1694 (1990); Hairer, Lubich & Wanner, XV.1, SY8",
    .order = 8,
    .symmetric = true,
    .multistep = true,
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
    .one_step = &tremaine,
};

const struct rill_method rill_method_symmetric8 = {
    .name = "symmetric8",
    .alias = "sy8c",
    .summary = "the explicit symmetric method of 8 steps and order 8 whose roots are far apart: one force a step",
    .citation =
        "Hairer, Lubich & Wanner, Geometric Numerical Integration, XV.1, SY8C; Quinlan, astro-ph/9901136 (1999)",
    .order = 8,
    .symmetric = true,
    .multistep = true,
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
    .one_step = &eight,
};

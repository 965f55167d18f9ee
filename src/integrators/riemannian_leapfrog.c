/* A step of the leapfrog of Leimkuhler & Patrick, section 4, for V and a metric g on a sphere, or a product of
 * spheres, with the round metrics for the exponential map exp, parallel transport P and curvature:
 *
 *   w = h v - (h^2 / 2) grad V(q) + A(q, w) / 2,     q' = exp_q w                                  (32)
 *   v' = P w / h - (h / 2) grad V(q') + A(q', -P w) / 2 h                                          (33)
 *
 * w is found by fixed-point iteration.  The method is the variational integrator whose discrete action is the mean of
 * the round geodesic's actions in the metrics at its two ends: symplectic, symmetric, of order 2.  For a multiple of
 * the round metric, A = 0 and the method is kick, geodesic, kick.
 *
 * Here g is a constant metric G of (R^3)^N, restricted to the unit spheres |q_a| = 1, and h = G less a round metric
 * on each sphere.  Then (section 5.1, with a 2 where the paper prints 1) the part of g A on the sphere a is
 *
 *   g A(q, w)_a = -(q_a.(h w)_a) w_a + (1 - g2 R_w) (T_q h w)_a - P^-1 (1 + g1 R_Pw) (T_q' h P w)_a,
 *   R_w u = |w_a|^2 u - (u.w_a) w_a,
 *   g1(z) = (z / sin z) (z - sin z) / z^3,  g2(z) = g1(z) - (sin z / z) / (1 + cos z),  z = |w_a|,
 *
 * where T_q is the tangential part: geodesics, P and R of a product are those of its factors, and h is constant, so
 * that nabla h comes from the connection alone, sphere by sphere.  exp and P are the rotations exp((q_a x w_a)^),
 * (40), (41): computed from sines and cosines of q and w instead, the rounding error in q.v would grow
 * exponentially. */
#include "integrators/riemannian_leapfrog.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numerics/newton.h"
#include "numerics/so3.h"

enum { MOST = 3 * RILL_SPHERES_MOST };

struct leapfrog {
  struct rill_state *state;
  const struct rill_mechanical *mechanical;
  struct rill_rods rods;
  double h;
  double tolerance; /* a hundredth of the requested one: residuals of (32) accumulate in conserved momenta */
  unsigned max_iterations;
  bool printed;
};

static enum rill_status create(struct rill_system *system, double h, const struct rill_method_options *options,
                               void **self, struct rill_error *error) {
  const struct rill_mechanical *mechanical = system->mechanical;
  struct leapfrog *leapfrog = rill_allocate(1, sizeof *leapfrog);
  if (leapfrog == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a step on the sphere");
  *leapfrog = (struct leapfrog){.state = system->state,
                                .mechanical = mechanical,
                                .rods = {mechanical->spheres, mechanical->radius, mechanical->mass},
                                .h = h,
                                .tolerance = fmax(0.01 * options->tolerance, DBL_EPSILON),
                                .max_iterations = (unsigned)options->max_iterations};
  *self = leapfrog;
  return RILL_OK;
}

static enum rill_status create_printed(struct rill_system *system, double h,
                                       const struct rill_method_options *options, void **self,
                                       struct rill_error *error) {
  RILL_TRY(create(system, h, options, self, error));
  ((struct leapfrog *)*self)->printed = true;
  return RILL_OK;
}

/* --- rods --- */

/* Vectors at the ends of the rods from those along them, in place: x_k = sum over a <= k of length_a u_a. */
static void add_up(const struct rill_rods *rods, double *u) {
  for (size_t a = 0; a < rods->count; a++)
    for (size_t i = 0; i < 3; i++) u[3 * a + i] = rods->length[a] * u[3 * a + i] + (a > 0 ? u[3 * a - 3 + i] : 0);
}

/* The inverse of add_up, in place. */
static void take_apart(const struct rill_rods *rods, double *x) {
  for (size_t a = rods->count; a-- > 0;)
    for (size_t i = 0; i < 3; i++) x[3 * a + i] = (x[3 * a + i] - (a > 0 ? x[3 * a - 3 + i] : 0)) / rods->length[a];
}

/* The transpose of add_up, in place: forces at the ends of the rods to covectors along them. */
static void gather(const struct rill_rods *rods, double *force) {
  for (size_t a = rods->count - 1; a-- > 0;)
    for (size_t i = 0; i < 3; i++) force[3 * a + i] += force[3 * a + 3 + i];
  for (size_t a = 0; a < rods->count; a++)
    for (size_t i = 0; i < 3; i++) force[3 * a + i] *= rods->length[a];
}

/* vector = G^-1 covector: tridiagonal, since a mass moves with the two rods that it joins. */
static void raise_freely(const struct rill_rods *rods, const double *covector, double *vector) {
  for (size_t a = 0; a < rods->count; a++)
    for (size_t i = 0; i < 3; i++) {
      double along = covector[3 * a + i] / rods->length[a];
      if (a + 1 < rods->count) along -= covector[3 * a + 3 + i] / rods->length[a + 1];
      vector[3 * a + i] = along / rods->mass[3 * a + i];
    }
  take_apart(rods, vector);
}

/* The vector of a covector (sharp), tangent at q: G^-1 (covector - gamma_a q_a), gamma from q_a.vector_a = 0, a
 * tridiagonal system. */
static void raise(const struct rill_rods *rods, const double *q, const double *covector, double *vector) {
  double diagonal[RILL_SPHERES_MOST], beside[RILL_SPHERES_MOST], gamma[RILL_SPHERES_MOST], left[MOST];
  const size_t n = rods->count;
  raise_freely(rods, covector, vector);
  for (size_t a = 0; a < n; a++) {
    const double *here = q + 3 * a, *mass = rods->mass + 3 * a, scale = 1 / rods->length[a];
    diagonal[a] = beside[a] = 0;
    gamma[a] = rill_dot3(here, vector + 3 * a);
    for (int i = 0; i < 3; i++) {
      diagonal[a] += here[i] * here[i] * (1 / mass[i] + (a > 0 ? 1 / mass[i - 3] : 0)) * scale * scale;
      if (a + 1 < n) beside[a] -= here[i] * here[3 + i] / mass[i] * scale / rods->length[a + 1];
    }
    if (a == 0) continue;
    diagonal[a] -= beside[a - 1] * beside[a - 1] / diagonal[a - 1];
    gamma[a] -= beside[a - 1] / diagonal[a - 1] * gamma[a - 1];
  }
  for (size_t a = n; a-- > 0;) {
    gamma[a] = (gamma[a] - (a + 1 < n ? beside[a] * gamma[a + 1] : 0)) / diagonal[a];
    for (size_t i = 0; i < 3; i++) left[3 * a + i] = covector[3 * a + i] - gamma[a] * q[3 * a + i];
  }
  raise_freely(rods, left, vector);
}

/* u = h w, h the metric less a round one on each sphere, whose factor is that of the first axis. */
static void lower(const struct rill_rods *rods, const double *w, double *u) {
  double mass = 0;
  for (size_t i = 0; i < 3 * rods->count; i++) u[i] = w[i];
  add_up(rods, u);
  for (size_t i = 0; i < 3 * rods->count; i++) u[i] *= rods->mass[i];
  gather(rods, u);
  for (size_t a = rods->count; a-- > 0;) {
    mass += rods->mass[3 * a];
    for (size_t i = 0; i < 3; i++) u[3 * a + i] -= rods->length[a] * rods->length[a] * mass * w[3 * a + i];
  }
}

void rill_sphere_rotation(const double q[3], const double w[3], double rotation[9]) {
  double axis[3];
  rill_cross3(q, w, axis);
  rill_so3_exp(axis, rotation);
}

/* u becomes (1 + factor R_w) T_q u, on one sphere. */
static void curve(const double q[3], const double w[3], double factor, double u[3]) {
  double square = rill_dot3(w, w), along, normal = rill_dot3(u, q) / rill_dot3(q, q);
  for (int i = 0; i < 3; i++) u[i] -= normal * q[i];
  along = rill_dot3(u, w);
  for (int i = 0; i < 3; i++) u[i] += factor * (square * u[i] - along * w[i]);
}

void rill_riemannian_correction(const struct rill_rods *rods, bool printed, const double *q, const double *w,
                                double *correction) {
  double end[MOST], moved[MOST] = {0}, here[MOST], there[MOST], rotation[RILL_SPHERES_MOST][9];
  for (size_t a = 0; a < rods->count; a++) {
    rill_sphere_rotation(q + 3 * a, w + 3 * a, rotation[a]);
    rill_mat3_apply(rotation[a], q + 3 * a, end + 3 * a);
    rill_mat3_apply(rotation[a], w + 3 * a, moved + 3 * a);
  }
  lower(rods, w, here);
  lower(rods, moved, there);
  for (size_t a = 0; a < rods->count; a++) {
    const double *at = q + 3 * a, *along = w + 3 * a, s = rill_dot3(along, along), z = sqrt(s);
    double c[3], b[3], back[3], mixed = rill_dot3(here + 3 * a, at);
    rill_so3_dexp_coefficients(s, c, b); /* b = (z - sin z) / z^3 */
    const double sinc = 1 - s * b[0], g1 = b[0] / sinc, g2 = g1 - sinc / (1 + cos(z));
    if (printed) mixed *= 0.5;
    curve(at, along, -g2, here + 3 * a);
    curve(end + 3 * a, moved + 3 * a, g1, there + 3 * a);
    rill_mat3_transposed_apply(rotation[a], there + 3 * a, back);
    for (size_t i = 0; i < 3; i++) here[3 * a + i] -= back[i] + mixed * along[i];
  }
  raise(rods, q, here, correction);
}

/* --- the step --- */

/* v -= scale * grad V / 2; on the unit spheres. */
static enum rill_status kick(const struct leapfrog *leapfrog, const double *q, double scale, double *v,
                             struct rill_error *error) {
  const size_t n = leapfrog->mechanical->n;
  double at[MOST], gradient[MOST], force[MOST];
  memcpy(at, q, n * sizeof *at);
  add_up(&leapfrog->rods, at);
  leapfrog->mechanical->ops->gradient(leapfrog->mechanical->self, at, gradient);
  for (size_t i = 0; i < n; i++)
    if (!isfinite(gradient[i]))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE, "a force is not finite; take a smaller step");
  gather(&leapfrog->rods, gradient);
  raise(&leapfrog->rods, q, gradient, force);
  for (size_t i = 0; i < n; i++) v[i] -= 0.5 * scale * force[i];
  return RILL_OK;
}

static double size_of(const double *w, size_t n) {
  double square = 0;
  for (size_t i = 0; i < n; i++) square += w[i] * w[i];
  return sqrt(square);
}

/* w = free + A(q, w) / 2 */
static enum rill_status find_displacement(struct leapfrog *leapfrog, const double *q, const double *free, double *w,
                                          struct rill_error *error) {
  struct rill_state *state = leapfrog->state;
  const size_t n = state->n;
  double before = INFINITY;
  memcpy(w, free, n * sizeof *w);
  for (state->iterations = 1; state->iterations <= leapfrog->max_iterations; state->iterations++) {
    double correction[MOST], change = 0;
    rill_riemannian_correction(&leapfrog->rods, leapfrog->printed, q, w, correction);
    for (size_t i = 0; i < n; i++) {
      const double next = free[i] + 0.5 * correction[i];
      if (!(fabs(next - w[i]) <= change)) change = fabs(next - w[i]);
      w[i] = next;
    }
    state->residual = change;
    if (!isfinite(size_of(w, n)))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE,
                            "the fixed point of the Riemannian leapfrog is not finite; take a smaller step");
    if (rill_newton_done(change, before, leapfrog->tolerance * size_of(w, n), 0)) return RILL_OK;
    before = change;
  }
  if (state->iterations > leapfrog->max_iterations) state->iterations = leapfrog->max_iterations;
  return rill_error_set(
      error, RILL_ERROR_CONVERGENCE,
      "the fixed point of the Riemannian leapfrog did not converge in %u iterations: last change %.3g of "
      "an arc %.3g; take a smaller step",
      state->iterations, state->residual, size_of(w, n));
}

static enum rill_status step(void *self, struct rill_error *error) {
  struct leapfrog *leapfrog = self;
  struct rill_state *state = leapfrog->state;
  const struct rill_rods *rods = &leapfrog->rods;
  const double h = leapfrog->h;
  const size_t n = state->n;
  double q[MOST], v[MOST], w[MOST], free[MOST], moved[MOST], back[MOST] = {0}, correction[MOST];
  for (size_t i = 0; i < n; i++) q[i] = state->q[i], v[i] = state->p[i] / rods->mass[i];
  take_apart(rods, q);
  take_apart(rods, v);
  RILL_TRY(kick(leapfrog, q, h, v, error));
  for (size_t i = 0; i < n; i++) free[i] = h * v[i];
  RILL_TRY(find_displacement(leapfrog, q, free, w, error));
  for (size_t a = 0; a < rods->count; a++) {
    double rotation[9], from[3];
    memcpy(from, q + 3 * a, sizeof from);
    rill_sphere_rotation(from, w + 3 * a, rotation);
    rill_mat3_apply(rotation, w + 3 * a, moved + 3 * a);
    rill_mat3_apply(rotation, from, q + 3 * a);
  }
  for (size_t i = 0; i < n; i++) back[i] = -moved[i];
  rill_riemannian_correction(rods, leapfrog->printed, q, back, correction);
  for (size_t i = 0; i < n; i++) v[i] = (moved[i] + 0.5 * correction[i]) / h;
  RILL_TRY(kick(leapfrog, q, h, v, error));
  add_up(rods, q);
  add_up(rods, v);
  for (size_t i = 0; i < n; i++) state->q[i] = q[i], state->p[i] = rods->mass[i] * v[i];
  return RILL_OK;
}

static const struct rill_one_step own = {create, step, rill_release};
static const struct rill_one_step own_printed = {create_printed, step, rill_release};

const struct rill_method rill_method_riemannian_leapfrog = {
    .name = "riemannian-leapfrog",
    .summary = "leapfrog on a sphere, or on those of rods in a row, with any constant metric, along great circles",
    .citation =
        "Leimkuhler & Patrick, J. Nonlinear Sci. 6, 367 (1996), eqs (32), (33), section 5.1; misprints corrected",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_SPHERE,
    .one_step = &own,
    .reads = RILL_READS_SOLVER,
};

const struct rill_method rill_method_riemannian_leapfrog_printed = {
    .name = "riemannian-leapfrog-printed",
    .summary = "riemannian-leapfrog with the misprint of section 5.1: not symplectic, not consistent",
    .citation = "Leimkuhler & Patrick, J. Nonlinear Sci. 6, 367 (1996), section 5.1",
    .order = 2,
    .symmetric = true, /* so that it can be composed */
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_SPHERE,
    .one_step = &own_printed,
    .reads = RILL_READS_SOLVER,
};

/* A step of the leapfrog of Leimkuhler & Patrick, section 4, for V and a metric g on the sphere, with the round
 * metric for the exponential map exp, parallel transport P and curvature:
 *
 *   w = h v - (h^2 / 2) grad V(q) + A(q, w) / 2,     q' = exp_q w                                  (32)
 *   v' = P w / h - (h / 2) grad V(q') + A(q', -P w) / 2 h                                          (33)
 *
 * w is found by fixed-point iteration.  The method is the variational integrator whose discrete action is the mean of
 * the round geodesic's actions in the metrics at its two ends: symplectic, symmetric, of order 2.  For a multiple of
 * the round metric, A = 0 and the method is kick, geodesic, kick.
 *
 * Here g is the restriction to |q| = 1 of the constant metric G = diag(metric) of R^3, and h = G - 1.  Then (section
 * 5.1, with a 2 where the paper prints 1)
 *
 *   g A(q, w) = -h(q, w) w + (1 - g2 R_w) T_q h w - P^-1 (1 + g1 R_Pw) T_q' h P w,   R_w u = |w|^2 u - (u.w) w,
 *   g1(z) = (z / sin z) (z - sin z) / z^3,  g2(z) = g1(z) - (sin z / z) / (1 + cos z),  z = |w|,
 *
 * where T_q is the tangential part.  exp and P are the rotation exp((q x w)^), (40), (41): computed from sines and
 * cosines of q and w instead, the rounding error in q.v would grow exponentially. */
#include "integrators/riemannian_leapfrog.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numerics/newton.h"
#include "numerics/so3.h"

struct leapfrog {
  struct rill_state *state;
  const struct rill_mechanical *mechanical;
  double h, radius;
  double tolerance; /* a hundredth of the requested one: residuals of (32) accumulate in conserved momenta */
  unsigned max_iterations;
  bool printed;
  double metric[3]; /* of the unit sphere: masses times the radius squared */
};

static enum rill_status create(struct rill_system *system, double h, const struct rill_method_options *options,
                               void **self, struct rill_error *error) {
  struct leapfrog *leapfrog = rill_allocate(1, sizeof *leapfrog);
  if (leapfrog == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a step on the sphere");
  *leapfrog = (struct leapfrog){.state = system->state,
                                .mechanical = system->mechanical,
                                .h = h,
                                .tolerance = fmax(0.01 * options->tolerance, DBL_EPSILON),
                                .radius = system->mechanical->sphere_radius,
                                .max_iterations = (unsigned)options->max_iterations};
  for (int i = 0; i < 3; i++) leapfrog->metric[i] = system->mechanical->mass[i] * leapfrog->radius * leapfrog->radius;
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

void rill_sphere_rotation(const double q[3], const double w[3], double rotation[9]) {
  double axis[3];
  rill_cross3(q, w, axis);
  rill_so3_exp(axis, rotation);
}

/* The vector of a covector (sharp), tangent at q. */
static void raise(const double metric[3], const double q[3], const double covector[3], double vector[3]) {
  double above = 0, below = 0;
  for (int i = 0; i < 3; i++) {
    above += covector[i] * q[i] / metric[i];
    below += q[i] * q[i] / metric[i];
  }
  for (int i = 0; i < 3; i++) vector[i] = (covector[i] - above / below * q[i]) / metric[i];
}

/* u = (1 + factor R_w) T_q h w */
static void curved(const double metric[3], const double q[3], const double w[3], double factor, double u[3]) {
  double square = rill_dot3(w, w), along, normal;
  for (int i = 0; i < 3; i++) u[i] = (metric[i] - 1) * w[i];
  normal = rill_dot3(u, q) / rill_dot3(q, q);
  for (int i = 0; i < 3; i++) u[i] -= normal * q[i];
  along = rill_dot3(u, w);
  for (int i = 0; i < 3; i++) u[i] += factor * (square * u[i] - along * w[i]);
}

void rill_riemannian_correction(const double metric[3], bool printed, const double q[3], const double w[3],
                                double correction[3]) {
  const double s = rill_dot3(w, w), z = sqrt(s);
  double a[3], b[3], rotation[9], here[3], there[3], end[3], moved[3], sinc, cosine, g1, g2, mixed = 0;
  rill_so3_dexp_coefficients(s, a, b); /* b = (z - sin z) / z^3 */
  sinc = 1 - s * b[0], cosine = cos(z);
  g1 = b[0] / sinc;
  g2 = g1 - sinc / (1 + cosine);
  rill_sphere_rotation(q, w, rotation);
  rill_mat3_apply(rotation, q, end);
  rill_mat3_apply(rotation, w, moved);
  curved(metric, q, w, -g2, here);
  curved(metric, end, moved, g1, there);
  rill_mat3_transposed_apply(rotation, there, moved);
  for (int i = 0; i < 3; i++) mixed += (metric[i] - 1) * q[i] * w[i];
  if (printed) mixed *= 0.5;
  for (int i = 0; i < 3; i++) here[i] -= moved[i] + mixed * w[i];
  raise(metric, q, here, correction);
}

/* v -= scale * grad V / 2; on the unit sphere. */
static enum rill_status kick(const struct leapfrog *leapfrog, const double q[3], double scale, double v[3],
                             struct rill_error *error) {
  double at[3], gradient[3], force[3];
  for (int i = 0; i < 3; i++) at[i] = leapfrog->radius * q[i];
  leapfrog->mechanical->ops->gradient(leapfrog->mechanical->self, at, gradient);
  for (int i = 0; i < 3; i++) {
    gradient[i] *= leapfrog->radius;
    if (!isfinite(gradient[i]))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE, "a force is not finite; take a smaller step");
  }
  raise(leapfrog->metric, q, gradient, force);
  for (int i = 0; i < 3; i++) v[i] -= 0.5 * scale * force[i];
  return RILL_OK;
}

/* w = free + A(q, w) / 2 */
static enum rill_status find_displacement(struct leapfrog *leapfrog, const double q[3], const double free[3],
                                          double w[3], struct rill_error *error) {
  struct rill_state *state = leapfrog->state;
  double before = INFINITY;
  memcpy(w, free, 3 * sizeof *w);
  for (state->iterations = 1; state->iterations <= leapfrog->max_iterations; state->iterations++) {
    double correction[3], next[3], change = 0;
    rill_riemannian_correction(leapfrog->metric, leapfrog->printed, q, w, correction);
    for (int i = 0; i < 3; i++) {
      next[i] = free[i] + 0.5 * correction[i];
      if (!(fabs(next[i] - w[i]) <= change)) change = fabs(next[i] - w[i]);
    }
    memcpy(w, next, sizeof next);
    state->residual = change;
    if (!isfinite(change)) break;
    if (rill_newton_done(change, before, leapfrog->tolerance * sqrt(rill_dot3(w, w)), 0)) return RILL_OK;
    before = change;
  }
  if (state->iterations > leapfrog->max_iterations) state->iterations = leapfrog->max_iterations;
  return rill_error_set(
      error, RILL_ERROR_CONVERGENCE,
      "the fixed point of the Riemannian leapfrog did not converge in %u iterations: last change %.3g of "
      "an arc %.3g; take a smaller step",
      state->iterations, state->residual, sqrt(rill_dot3(w, w)));
}

static enum rill_status step(void *self, struct rill_error *error) {
  struct leapfrog *leapfrog = self;
  struct rill_state *state = leapfrog->state;
  const double h = leapfrog->h, r = leapfrog->radius;
  double q[3], v[3], w[3], free[3], rotation[9], moved[3], back[3], correction[3];
  for (int i = 0; i < 3; i++) {
    q[i] = state->q[i] / r;
    v[i] = state->p[i] * r / leapfrog->metric[i];
  }
  RILL_TRY(kick(leapfrog, q, h, v, error));
  for (int i = 0; i < 3; i++) free[i] = h * v[i];
  RILL_TRY(find_displacement(leapfrog, q, free, w, error));
  rill_sphere_rotation(q, w, rotation);
  rill_mat3_apply(rotation, w, moved);
  memcpy(w, q, sizeof q);
  rill_mat3_apply(rotation, w, q);
  for (int i = 0; i < 3; i++) back[i] = -moved[i];
  rill_riemannian_correction(leapfrog->metric, leapfrog->printed, q, back, correction);
  for (int i = 0; i < 3; i++) v[i] = (moved[i] + 0.5 * correction[i]) / h;
  RILL_TRY(kick(leapfrog, q, h, v, error));
  for (int i = 0; i < 3; i++) {
    state->q[i] = r * q[i];
    state->p[i] = leapfrog->metric[i] * v[i] / r;
  }
  return RILL_OK;
}

static const struct rill_one_step own = {create, step, rill_release};
static const struct rill_one_step own_printed = {create_printed, step, rill_release};

const struct rill_method rill_method_riemannian_leapfrog = {
    .name = "riemannian-leapfrog",
    .summary = "leapfrog on a sphere with any constant metric around it, along the round sphere's geodesics",
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

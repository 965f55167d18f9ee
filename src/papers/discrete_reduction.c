/* Wendlandt & Marsden's discrete Lagrangian (5.8) is 2 u.I u / h with (s, u) = conj(q_k) q_k+1.  It does not change
 * when both quaternions are multiplied from the left, so it is a function on the group alone, and what is left of its
 * equations is the discrete Euler-Poincare equation for (s, u) and the body momentum Pi,
 *
 *   (2 / h) (s I u + u x I u) = Pi_k,   Pi_k+1 = (2 / h) (s I u - u x I u) = Ad* of (s, u) on Pi_k:
 *
 * a step on so(3)*, from which q_k+1 = q_k (s, u) follows.  It is `lgvi` with rotation = quaternion.  The unreduced
 * step is `dvp` on the quaternions, whose body momentum is Im(conj(q) p) / 2. */
#include "papers/discrete_reduction.h"

#include <math.h>

#include "integrators/discrete_lagrangian.h"
#include "integrators/rotation_verlet.h"
#include "numerics/quaternion.h"
#include "numerics/rigid_body_exact.h"
#include "numerics/so3.h"
#include "papers/emit.h"
#include "papers/motion.h"

enum { STEPS = 300 };

static const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
static const double rates[3] = {0.3, 3, 4};
static const char quaternions[] = "inertia=1 2 3 kg m2;angular_velocity=0.3 3 4 rad/s";
static const char matrices[] = "inertia=1 2 3;rates=0.3 3 4";

static const struct rill_method_options precise = {
    .tolerance = 1e-15, .max_iterations = 200, .rotation = RILL_ROTATION_QUATERNION};

/* Pi = Im(conj(q) p) / 2 of a state on the quaternions. */
static void project(const struct rill_state *state, double pi[3]) {
  double conjugate[4], body[4];
  rill_quaternion_conjugate(state->q, conjugate);
  rill_quaternion_multiply(conjugate, state->p, body);
  for (int i = 0; i < 3; i++) pi[i] = 0.5 * body[1 + i];
}

/* The rotation matrix of a unit quaternion. */
static void rotation_of(const double q[4], double rotation[9]) { rill_so3_quadratic(q + 1, 2 * q[0], 2, rotation); }

static double distance(const double *a, const double *b, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* Pi_k+1 from Pi_k by the discrete Euler-Poincare equation. */
static enum rill_status reduced_step(double h, const double pi[3], double after[3], struct rill_error *error) {
  double g[3], u[3], momentum[3], cross[3], s;
  unsigned iterations;
  for (int i = 0; i < 3; i++) g[i] = h * pi[i];
  RILL_TRY(rill_lgvi_solve_quaternion(inertia, g, u, &iterations, error));
  s = sqrt(1 - rill_dot3(u, u));
  rill_mat3_apply(inertia, u, momentum);
  rill_cross3(u, momentum, cross);
  for (int i = 0; i < 3; i++) after[i] = 2 / h * (s * momentum[i] - cross[i]);
  return RILL_OK;
}

/* Largest over a run; momenta relative to |Pi|. */
struct differences {
  double step;     /* of one reduced step from the projected state, against the projected state after one step */
  double run;      /* of the two runs' momenta */
  double attitude; /* of their rotation matrices' entries */
  double orbit, reduced_orbit, spatial, reduced_spatial, energy; /* changes since the start; energy relative */
};

static double size3(const double x[3]) { return sqrt(rill_dot3(x, x)); }

static double energy_of(const double pi[3]) {
  double energy = 0;
  for (int i = 0; i < 3; i++) energy += 0.5 * pi[i] * pi[i] / inertia[4 * i];
  return energy;
}

static enum rill_status compare_step(struct rill_motion *whole, struct rill_motion *reduced, double h,
                                     const double start[3], struct differences *most, struct rill_error *error) {
  const double *p = reduced->system.state->p, size = size3(start), energy = energy_of(start);
  double before[3], after[3], predicted[3], rotation[9], spatial[3];
  project(whole->system.state, before);
  RILL_TRY(reduced_step(h, before, predicted, error));
  RILL_TRY(rill_motion_go(whole, 1, error));
  RILL_TRY(rill_motion_go(reduced, 1, error));
  project(whole->system.state, after);
  rotation_of(whole->system.state->q, rotation);
  most->step = fmax(most->step, distance(after, predicted, 3) / size);
  most->run = fmax(most->run, distance(after, p, 3) / size);
  most->attitude = fmax(most->attitude, distance(rotation, reduced->system.state->q, 9));
  most->orbit = fmax(most->orbit, fabs(size3(after) - size) / size);
  most->reduced_orbit = fmax(most->reduced_orbit, fabs(size3(p) - size) / size);
  most->energy = fmax(most->energy, fabs(energy_of(p) / energy - 1));
  rill_mat3_apply(rotation, after, spatial); /* at the start the attitude is the identity */
  most->spatial = fmax(most->spatial, distance(spatial, start, 3) / size);
  rill_mat3_apply(reduced->system.state->q, p, spatial);
  most->reduced_spatial = fmax(most->reduced_spatial, distance(spatial, start, 3) / size);
  return RILL_OK;
}

static enum rill_status compare_runs(double h, struct differences *most, struct rill_error *error) {
  struct rill_motion whole = {0}, reduced = {0};
  double start[3];
  enum rill_status status =
      rill_motion_begin(&whole, "rigid-body", quaternions, &rill_method_dvp, &precise, NULL, h, error);
  *most = (struct differences){0};
  if (status == RILL_OK)
    status = rill_motion_begin(&reduced, "free-body", matrices, &rill_method_lgvi, &precise, NULL, h, error);
  rill_mat3_apply(inertia, rates, start);
  for (int k = 0; k < STEPS && status == RILL_OK; k++) status = compare_step(&whole, &reduced, h, start, most, error);
  rill_motion_end(&whole);
  rill_motion_end(&reduced);
  return status;
}

/* Largest error of Pi over 3 s, relative to |Pi|, of the reduced integrator alone. */
static enum rill_status reduced_error(double h, double *most, struct rill_error *error) {
  struct rill_rigid_body_exact exact;
  double pi[3], after[3], q[4], omega[3];
  rill_mat3_apply(inertia, rates, pi);
  *most = 0;
  rill_rigid_body_exact_set(&exact, (double[3]){1, 2, 3}, rates, (double[4]){1, 0, 0, 0});
  for (long k = 1; k <= lround(3 / h); k++) {
    RILL_TRY(reduced_step(h, pi, after, error));
    for (int i = 0; i < 3; i++) pi[i] = after[i];
    rill_rigid_body_exact_at(&exact, (double)k * h, q, omega);
    rill_mat3_apply(inertia, omega, after);
    *most = fmax(*most, distance(pi, after, 3) / size3(pi));
  }
  return RILL_OK;
}

static enum rill_status reduction(const struct rill_result_sink *sink, struct rill_error *error) {
  const struct rill_report report = {sink, error};
  static const double steps[] = {0.1, 0.01};
  double coarse, fine;
  for (int k = 0; k < 2; k++) {
    const double h = steps[k];
    /* A step's rounding errors, and their sum in phases. */
    const struct rill_expected rounding = rill_exact(0, 1e-13), sum = rill_exact(0, 1e-11);
    struct differences most;
    RILL_TRY(compare_runs(h, &most, error));
    const struct {
      const char *quantity;
      struct rill_expected expected;
      double ours;
    } rows[] = {{"one step: projected less reduced momentum", rounding, most.step},
                {"whole run: projected less reduced momentum", sum, most.run},
                {"whole run: attitude less the reduced step's", sum, most.attitude},
                {"change of |Pi|, unreduced", rounding, most.orbit},
                {"change of |Pi|, reduced", rounding, most.reduced_orbit},
                {"change of the spatial momentum, unreduced", rounding, most.spatial},
                {"change of the spatial momentum, reduced", rounding, most.reduced_spatial},
                {"change of the energy, reduced", rounding, most.energy}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
      RILL_TRY(rill_emit(&report, rows[i].quantity, rows[i].expected, rows[i].ours, "h = %g s, %d steps", h, STEPS));
  }
  RILL_TRY(reduced_error(0.01, &coarse, error));
  RILL_TRY(reduced_error(0.005, &fine, error));
  return rill_emit(&report, "order of the reduced momentum's error", rill_exact(2, 0.01), log2(coarse / fine),
                   "h = 0.01 s to 0.005 s, 3 s");
}

static const struct rill_result results[] = {
    {"marsden-wendlandt-reduction",
     "free rigid body: the reduced integrator on so(3)* against the integrator on quaternions, step by step",
     reduction},
};

const struct rill_result *rill_discrete_reduction_results(size_t *count) {
  *count = sizeof results / sizeof results[0];
  return results;
}

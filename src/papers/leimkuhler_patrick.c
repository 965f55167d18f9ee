/* The paper has no numbers.  Expected values are those of independent programs for its algorithms with our settings,
 * the systems' defaults; orders, symplecticity and invariants are proved in the paper. */
#include "papers/leimkuhler_patrick.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/riemannian_leapfrog.h"
#include "integrators/rotation_verlet.h"
#include "integrators/splittings.h"
#include "numerics/so3.h"
#include "papers/emit.h"
#include "papers/motion.h"

enum { NUMBERS = 6 }; /* q and v on the sphere; for a body only the body momentum */

struct scheme {
  const char *label;
  const struct rill_method *method;
  const char *composition;
};

static const struct rill_method_options precise = {.tolerance = 1e-15, .max_iterations = 200};

static enum rill_status begin(struct rill_motion *motion, const char *kind, const char *settings,
                              const struct scheme *scheme, double h, struct rill_error *error) {
  return rill_motion_begin(motion, kind, settings, scheme->method, &precise,
                           scheme->composition != NULL ? rill_composition_find(scheme->composition) : NULL, h, error);
}

/* The largest difference of the compared numbers. */
static double distance(const double a[NUMBERS], const double b[NUMBERS]) {
  double most = 0;
  for (int i = 0; i < NUMBERS; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void get(const struct rill_motion *motion, double z[NUMBERS]) {
  const struct rill_state *state = motion->system.state;
  memset(z, 0, NUMBERS * sizeof *z);
  if (motion->system.group != NULL) {
    memcpy(z, state->p, 3 * sizeof *z);
    return;
  }
  memcpy(z, state->q, 3 * sizeof *z);
  for (int i = 0; i < 3; i++) z[3 + i] = state->p[i] / motion->system.mechanical->mass[i];
}

static enum rill_status run_to(const char *kind, const char *settings, const struct scheme *scheme, double h,
                               double time, double z[NUMBERS], struct rill_error *error) {
  struct rill_motion motion;
  enum rill_status status;
  RILL_TRY(begin(&motion, kind, settings, scheme, h, error));
  status = rill_motion_go(&motion, (uint64_t)llround(time / h), error);
  get(&motion, z);
  rill_motion_end(&motion);
  return status;
}

/* --- errors against steps --- */

enum { STEPS = 5 }; /* 0.2 / 2^k */

struct ladder {
  const char *kind, *settings, *label;
  double time;
  struct scheme scheme, truth;
  int order;
  double truth_step;
  const char *errors[STEPS];
};

static enum rill_status emit_ladder(const struct rill_report *report, const struct ladder *ladder) {
  static const char *const columns[] = {"h", "error"};
  double exact[NUMBERS], z[NUMBERS], found[STEPS];
  char curve[80];
  RILL_TRY(
      run_to(ladder->kind, ladder->settings, &ladder->truth, ladder->truth_step, ladder->time, exact, report->error));
  snprintf(curve, sizeof curve, "%s, %s", ladder->label, ladder->scheme.label);
  RILL_TRY(rill_emit_curve(report, curve, columns, 2));
  for (int k = 0; k < STEPS; k++) {
    double h = ldexp(0.2, -k);
    RILL_TRY(run_to(ladder->kind, ladder->settings, &ladder->scheme, h, ladder->time, z, report->error));
    found[k] = distance(z, exact);
    RILL_TRY(rill_emit_point(report, (double[]){h, found[k]}));
    RILL_TRY(rill_emit(report, "largest error at the end", rill_independent(ladder->errors[k]), found[k],
                       "%s, %s, h = %g", ladder->label, ladder->scheme.label, h));
  }
  /* At these steps the remainder of the next order is 0.01 at most. */
  return rill_emit(report, "order of the error", rill_exact(ladder->order, 0.02),
                   log2(found[STEPS - 2] / found[STEPS - 1]), "%s, %s, h = 0.025 to 0.0125", ladder->label,
                   ladder->scheme.label);
}

/* --- energies --- */

struct energies {
  double least, most, first, last, iterations, momentum;
};

/* Extremes of E - E0; means of it over the first and last tenth; mean iterations; largest change of the third
 * component of the angular momentum, of a body of |Pi|^2.  Points: one in `each` steps. */
static enum rill_status follow(const struct rill_report *report, const char *kind, const char *settings,
                               const struct scheme *scheme, double h, uint64_t steps, uint64_t each,
                               struct energies *energies) {
  struct rill_motion motion;
  struct rill_observation o = {0};
  double first = NAN, kept_first = NAN;
  enum rill_status status;
  *energies = (struct energies){0};
  RILL_TRY(begin(&motion, kind, settings, scheme, h, report->error));
  for (uint64_t k = 0; k <= steps; k++) {
    double energy, kept;
    status = k > 0 ? rill_motion_go(&motion, 1, report->error) : RILL_OK;
    if (status == RILL_OK) status = motion.system.ops->observe(motion.system.self, &o, report->error);
    if (status != RILL_OK) break;
    energy = o.kinetic + o.potential;
    kept = motion.system.group != NULL ? rill_dot3(o.momentum, o.momentum) : o.angular_momentum[2];
    if (k == 0) first = energy, kept_first = kept;
    energies->least = fmin(energies->least, energy - first);
    energies->most = fmax(energies->most, energy - first);
    energies->momentum = fmax(energies->momentum, fabs(kept - kept_first));
    energies->iterations += o.iterations / (double)steps;
    if (k < steps / 10) energies->first += (energy - first) / (double)(steps / 10);
    if (k > steps - steps / 10) energies->last += (energy - first) / (double)(steps / 10);
    if (k % each == 0) status = rill_emit_point(report, (double[]){(double)k * h, energy - first});
    if (status != RILL_OK) break;
  }
  rill_motion_end(&motion);
  return status;
}

static enum rill_status emit_energies(const struct rill_report *report, const char *kind, const char *settings,
                                      const char *label, const struct scheme *scheme, double h, uint64_t steps,
                                      const char *least, const char *most, double more, struct energies *energies) {
  static const char *const columns[] = {"t", "energy error"};
  char curve[80];
  snprintf(curve, sizeof curve, "%s, %s, h = %g", label, scheme->label, h);
  RILL_TRY(rill_emit_curve(report, curve, columns, 2));
  RILL_TRY(follow(report, kind, settings, scheme, h, steps, steps / 1000, energies));
  RILL_TRY(rill_emit(report, "least energy error", rill_independent(least), energies->least, "%s, %s, h = %g", label,
                     scheme->label, h));
  return rill_emit(report, "largest energy error", rill_loosened(rill_independent(most), more), energies->most,
                   "%s, %s, h = %g", label, scheme->label, h);
}

/* --- derivatives of a step, by differences of the fourth order --- */

static const double nodes[4] = {2, 1, -1, -2}, weights[4] = {-1.0 / 12, 2.0 / 3, -2.0 / 3, 1.0 / 12}, apart = 1e-4;

/* Largest change of sum dq_i dp_i over a step on T*S^2, on all pairs of four directions. */
static enum rill_status sphere_defect(const char *settings, const struct scheme *scheme, double h, double *defect,
                                      struct rill_error *error) {
  struct rill_motion motion;
  struct rill_state *state;
  const double *mass;
  double q[3], p[3], in[4][6] = {{0}}, out[4][6] = {{0}};
  enum rill_status status = RILL_OK;
  RILL_TRY(begin(&motion, "ellipsoid-particle", settings, scheme, h, error));
  state = motion.system.state;
  mass = motion.system.mechanical->mass;
  memcpy(q, state->q, sizeof q), memcpy(p, state->p, sizeof p);
  for (int d = 0; d < 4; d++)
    for (int k = 0; k < 4 && status == RILL_OK; k++) {
      double w[3], rotation[9], above = 0, below = 0;
      for (int i = 0; i < 3; i++) {
        double tangent = (i == d % 2) - q[d % 2] * q[i];
        w[i] = d < 2 ? nodes[k] * apart * tangent : 0;
        state->p[i] = p[i] + (d < 2 ? 0 : nodes[k] * apart * tangent);
      }
      rill_sphere_rotation(q, w, rotation);
      rill_mat3_apply(rotation, q, state->q);
      for (int i = 0; i < 3; i++) {
        above += state->q[i] * state->p[i] / mass[i];
        below += state->q[i] * state->q[i] / mass[i];
      }
      for (int i = 0; i < 3; i++) {
        state->p[i] -= above / below * state->q[i];
        in[d][i] += weights[k] * state->q[i] / apart, in[d][3 + i] += weights[k] * state->p[i] / apart;
      }
      status = rill_motion_go(&motion, 1, error);
      for (int i = 0; i < 3; i++)
        out[d][i] += weights[k] * state->q[i] / apart, out[d][3 + i] += weights[k] * state->p[i] / apart;
    }
  rill_motion_end(&motion);
  RILL_TRY(status);
  *defect = 0;
  for (int c = 0; c < 4; c++)
    for (int d = 0; d < c; d++) {
      double before = rill_dot3(in[c], in[d] + 3) - rill_dot3(in[d], in[c] + 3);
      double after = rill_dot3(out[c], out[d] + 3) - rill_dot3(out[d], out[c] + 3);
      *defect = fmax(*defect, fabs(after - before));
    }
  return RILL_OK;
}

/* Largest entry of D K(mu) D^T - K(image) of the free body's step on so(3)*, K(mu) = mu^. */
static enum rill_status poisson_defect(const struct scheme *scheme, double h, double *defect,
                                       struct rill_error *error) {
  struct rill_motion motion;
  struct rill_state *state;
  double mu[3], d[9] = {0}, image[3], k[9], product[9], transposed[9], pushed[9], expected[9];
  enum rill_status status;
  RILL_TRY(begin(&motion, "free-body", "", scheme, h, error));
  state = motion.system.state;
  memcpy(mu, state->p, sizeof mu);
  status = rill_motion_go(&motion, 1, error);
  memcpy(image, state->p, sizeof image);
  for (int j = 0; j < 3; j++)
    for (int node = 0; node < 4 && status == RILL_OK; node++) {
      memcpy(state->p, mu, sizeof mu);
      state->p[j] += nodes[node] * apart;
      status = rill_motion_go(&motion, 1, error);
      for (int i = 0; i < 3; i++) d[3 * i + j] += weights[node] * state->p[i] / apart;
    }
  rill_motion_end(&motion);
  RILL_TRY(status);
  for (int i = 0; i < 9; i++) transposed[i] = d[i % 3 * 3 + i / 3];
  rill_so3_hat(mu, k);
  rill_mat3_product(d, k, product);
  rill_mat3_product(product, transposed, pushed);
  rill_so3_hat(image, expected);
  *defect = 0;
  for (int i = 0; i < 9; i++) *defect = fmax(*defect, fabs(pushed[i] - expected[i]));
  return RILL_OK;
}

/* --- the particle on an ellipsoid --- */

/* clang-format off */
#define LEAPFROG {"leapfrog", &rill_method_riemannian_leapfrog, NULL}
#define LEAPFROG_4 {"yoshida4", &rill_method_riemannian_leapfrog, "yoshida4"}
#define LEAPFROG_8 {"", &rill_method_riemannian_leapfrog, "yoshida8"}
#define PRINTED {"as printed", &rill_method_riemannian_leapfrog_printed, NULL}
/* clang-format on */

static const char missing_two[] =
    "section 5.1 prints nabla h(q) w^2 = d(h(q)(w, w)) - (1/a^2) h(w, q) w^T; the line above it has 2/a^2, with "
    "which the step is that of the action (18), symplectic and of order 2. With 1/a^2 it does not converge to the "
    "motion";

static enum rill_status ellipsoid(const struct rill_result_sink *sink, struct rill_error *error) {
  /* clang-format off */
  static const struct ladder ladders[] = {
      {"ellipsoid-particle", "axes=1 1.3 0.7", "a = (1, 1.3, 0.7)", 2, LEAPFROG, LEAPFROG_8, 2, 0.02,
       {"1.994e-2", "5.385e-3", "1.373e-3", "3.449e-4", "8.633e-5"}},
      {"ellipsoid-particle", "axes=1 1.3 0.7", "a = (1, 1.3, 0.7)", 2, LEAPFROG_4, LEAPFROG_8, 4, 0.02,
       {"1.619e-2", "1.203e-3", "8.096e-5", "5.167e-6", "3.247e-7"}},
      {"ellipsoid-particle", "axes=1.2 1.2 0.8", "a = (1.2, 1.2, 0.8)", 2, LEAPFROG, LEAPFROG_8, 2, 0.02,
       {"2.154e-2", "5.711e-3", "1.450e-3", "3.638e-4", "9.105e-5"}},
      {"ellipsoid-particle", "axes=1.2 1.2 0.8", "a = (1.2, 1.2, 0.8)", 2, LEAPFROG_4, LEAPFROG_8, 4, 0.02,
       {"1.190e-2", "9.747e-4", "6.698e-5", "4.297e-6", "2.703e-7"}},
      {"ellipsoid-particle", "axes=1 1 1", "a = (1, 1, 1)", 2, LEAPFROG, LEAPFROG_8, 2, 0.02,
       {"7.192e-3", "1.793e-3", "4.480e-4", "1.120e-4", "2.800e-5"}},
      {"ellipsoid-particle", "axes=1 1 1", "a = (1, 1, 1)", 2, LEAPFROG_4, LEAPFROG_8, 4, 0.02,
       {"3.137e-4", "2.056e-5", "1.300e-6", "8.146e-8", "5.095e-9"}},
  };
  /* clang-format on */
  static const struct scheme leapfrog = LEAPFROG, reference = LEAPFROG_8, printed = PRINTED;
  const struct rill_report report = {sink, error};
  struct energies energies;
  /* Motions on three different axes are chaotic: after 200 units of time they depend on round-off, and the largest
   * energy error of a run scatters by 6e-5.  This is three standard deviations of a difference of two. */
  const double chaos = 2.5e-4;
  double defect, exact[NUMBERS], z[NUMBERS];
  /* If the order were 2, the error would be that of the correct method, 8.6e-5, times some factor. */
  static const struct rill_claim symplectic = {0, 1e-9, missing_two}, of_order_two = {0, 1e-2, missing_two};
  for (size_t i = 0; i < sizeof ladders / sizeof ladders[0]; i++) RILL_TRY(emit_ladder(&report, &ladders[i]));
  RILL_TRY(emit_energies(&report, "ellipsoid-particle", "axes=1 1.3 0.7", "a = (1, 1.3, 0.7)", &leapfrog, 0.1, 6000,
                         "-4.673e-3", "6.462e-3", chaos, &energies));
  RILL_TRY(emit_energies(&report, "ellipsoid-particle", "axes=1.2 1.2 0.8", "a = (1.2, 1.2, 0.8)", &leapfrog, 0.1,
                         3000, "-4.1765e-3", "2.7477e-3", 0, &energies));
  RILL_TRY(rill_emit(&report, "change of J_3", rill_exact(0, 1e-12), energies.momentum,
                     "a = (1.2, 1.2, 0.8), leapfrog, h = 0.1"));
  RILL_TRY(emit_energies(&report, "ellipsoid-particle", "axes=1 1.3 0.7", "a = (1, 1.3, 0.7)", &leapfrog, 0.05, 2000,
                         "-1.167e-3", "1.459e-3", 0, &energies));
  /* By differences of 1e-4, for which rounding is at least 1e-12. */
  RILL_TRY(sphere_defect("axes=1 1.3 0.7", &leapfrog, 0.2, &defect, error));
  RILL_TRY(rill_emit(&report, "change of the symplectic form in a step", rill_exact(0, 2e-11), defect,
                     "a = (1, 1.3, 0.7), h = 0.2"));
  RILL_TRY(sphere_defect("axes=1 1.3 0.7", &printed, 0.2, &defect, error));
  RILL_TRY(rill_emit_refuted(&report, "change of the symplectic form in a step", rill_independent("1e-2"),
                             &symplectic, defect, "as printed, a = (1, 1.3, 0.7), h = 0.2"));
  RILL_TRY(run_to("ellipsoid-particle", "axes=1 1.3 0.7", &reference, 0.02, 2, exact, error));
  RILL_TRY(run_to("ellipsoid-particle", "axes=1 1.3 0.7", &printed, 0.0125, 2, z, error));
  return rill_emit_refuted(&report, "largest error at the end", rill_expect(RILL_SOURCE_INDEPENDENT, 0.165, 0.01),
                           &of_order_two, distance(z, exact), "as printed, a = (1, 1.3, 0.7), h = 0.0125");
}

/* --- the Lie-Poisson integrator --- */

/* clang-format off */
#define LIE_POISSON {"Lie-Poisson", &rill_method_lie_poisson, NULL}
#define LIE_POISSON_4 {"yoshida4", &rill_method_lie_poisson, "yoshida4"}
#define LIE_POISSON_8 {"", &rill_method_lie_poisson, "yoshida8"}
#define LIE_POISSON_PRINTED {"as printed", &rill_method_lie_poisson_printed, NULL}
/* clang-format on */

static const char wrong_factor[] =
    "(45) and (46) print -(2 - f1/f2 - 1/f2) where the derivation gives 2 (1 - f1/f2): a sign, and 1/f2 for f1/f2. "
    "Order 2 and |mu|^2 are conserved with any factor, so only this test detects it";

static enum rill_status lie_poisson(const struct rill_result_sink *sink, struct rill_error *error) {
  /* clang-format off */
  static const struct ladder ladders[] = {
      {"free-body", "", "rigid body", 5, LIE_POISSON, LIE_POISSON_8, 2, 0.02,
       {"8.689e-4", "2.194e-4", "5.498e-5", "1.375e-5", "3.439e-6"}},
      {"free-body", "", "rigid body", 5, LIE_POISSON_4, LIE_POISSON_8, 4, 0.02,
       {"3.256e-5", "2.049e-6", "1.283e-7", "8.022e-9", "5.014e-10"}},
  };
  /* clang-format on */
  static const struct scheme corrected = LIE_POISSON, printed = LIE_POISSON_PRINTED;
  static const struct rill_claim poisson = {0, 1e-9, wrong_factor};
  const struct rill_report report = {sink, error};
  struct energies energies;
  double defect;
  for (size_t i = 0; i < sizeof ladders / sizeof ladders[0]; i++) RILL_TRY(emit_ladder(&report, &ladders[i]));
  RILL_TRY(emit_energies(&report, "free-body", "", "rigid body", &corrected, 0.1, 10000, "-4.249e-5", "2.419e-5", 0,
                         &energies));
  RILL_TRY(rill_emit(&report, "mean energy error, first tenth", rill_independent("-1.32e-5"), energies.first,
                     "rigid body, h = 0.1"));
  RILL_TRY(rill_emit(&report, "mean energy error, last tenth", rill_independent("-1.34e-5"), energies.last,
                     "rigid body, h = 0.1"));
  RILL_TRY(rill_emit(&report, "change of |mu|^2", rill_exact(0, 1e-12), energies.momentum,
                     "rigid body, h = 0.1, 10000 steps"));
  RILL_TRY(rill_emit_data(&report, "mean iterations of the fixed point", energies.iterations, NULL,
                          "rigid body, h = 0.1"));
  RILL_TRY(poisson_defect(&corrected, 0.5, &defect, error));
  RILL_TRY(rill_emit(&report, "Poisson: |D K(mu) D^T - K(mu')|", rill_exact(0, 5e-11), defect, "corrected, h = 0.5"));
  RILL_TRY(poisson_defect(&printed, 0.5, &defect, error));
  return rill_emit_refuted(&report, "Poisson: |D K(mu) D^T - K(mu')|", rill_independent("0.00256"), &poisson, defect,
                           "as printed, h = 0.5");
}

/* clang-format off */
static const struct rill_result results[] = {
    {"leimkuhler-patrick-ellipsoid", "particle on an ellipsoid: errors, orders, energy, and the effect of a misprint",
     ellipsoid},
    {"leimkuhler-patrick-lie-poisson", "free rigid body on so(3)*: errors, orders, energy, and the Poisson test",
     lie_poisson},
};
/* clang-format on */

const struct rill_result *rill_leimkuhler_patrick_results(size_t *count) {
  *count = sizeof results / sizeof results[0];
  return results;
}

#include "water/forces/smooth.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Boys' function F_k(z) = integral over t from 0 to 1 of t^(2k) exp(-z t2), by its series of positive terms
 * exp(-z) sum_i (2z)^i / ((2k+1) (2k+3) ... (2k+2i+1)): stable for every z, and F_k' = -F_(k+1). */
static double boys(int k, double z) {
  double term = 1.0 / (2 * k + 1), sum = term;
  for (int i = 1; term > 1e-18 * sum || 2.0 * z > 2 * k + 2 * i + 1; i++) {
    term *= 2.0 * z / (2 * k + 2 * i + 1);
    sum += term;
  }
  return exp(-z) * sum;
}

struct rill_smooth rill_smooth_create(enum rill_coulomb_kind kind, double beta, double cutoff, double dielectric) {
  struct rill_smooth smooth = {.kind = kind, .beta = beta};
  if (kind == RILL_COULOMB_REACTION_FIELD) {
    double ratio = dielectric == 0.0 ? 0.5 : (dielectric - 1.0) / (2.0 * dielectric + 1.0);
    smooth.field = ratio / (cutoff * cutoff * cutoff);
    smooth.constant = 1.0 / cutoff + smooth.field * cutoff * cutoff;
  }
  return smooth;
}

/* erf(beta r) / r = 2 beta / sqrt(pi) F_0(beta2 r2). */
double rill_smooth_derivative(const struct rill_smooth *smooth, double r2, int order) {
  const double beta2 = smooth->beta * smooth->beta;
  switch (smooth->kind) {
  case RILL_COULOMB_EWALD: return 2.0 * smooth->beta / sqrt(pi) * pow(-beta2, order) * boys(order, beta2 * r2);
  case RILL_COULOMB_REACTION_FIELD:
    return order == 0 ? smooth->constant - smooth->field * r2 : order == 1 ? -smooth->field : 0.0;
  case RILL_COULOMB_CUT:
  case RILL_COULOMB_ALL: break;
  }
  return 0.0;
}

static double sum_chebyshev(int degree, const double *c, double u) {
  double b1 = 0.0, b2 = 0.0;
  for (int k = degree; k > 0; k--) {
    double b = 2.0 * u * b1 - b2 + c[k];
    b2 = b1;
    b1 = b;
  }
  return u * b1 - b2 + c[0];
}

void rill_smooth_fit(const struct rill_smooth *smooth, double limit2, int degree, struct rill_smooth_fit *fit) {
  const int nodes = degree + 1, checks = 4 * nodes;
  fit->degree = degree;
  fit->limit2 = limit2;
  fit->energy_error = fit->force_error = 0.0;
  for (int k = 0; k < nodes; k++) fit->energy[k] = fit->force[k] = 0.0;
  for (int i = 0; i < nodes; i++) {
    const double angle = pi * (i + 0.5) / nodes, r2 = 0.5 * limit2 * (1.0 + cos(angle));
    const double s = rill_smooth_derivative(smooth, r2, 0), p = -2.0 * rill_smooth_derivative(smooth, r2, 1);
    for (int k = 0; k < nodes; k++) {
      const double weight = (k == 0 ? 1.0 : 2.0) / nodes * cos(k * angle);
      fit->energy[k] += weight * s;
      fit->force[k] += weight * p;
    }
  }
  for (int i = 0; i <= checks; i++) {
    const double r2 = limit2 * i / checks, u = 2.0 * i / checks - 1.0;
    const double s = rill_smooth_derivative(smooth, r2, 0), p = -2.0 * rill_smooth_derivative(smooth, r2, 1);
    fit->energy_error = fmax(fit->energy_error, fabs(sum_chebyshev(degree, fit->energy, u) - s));
    fit->force_error = fmax(fit->force_error, fabs(sum_chebyshev(degree, fit->force, u) - p) * sqrt(r2));
  }
}

void rill_smooth_powers(int degree, const double *chebyshev, double *power) {
  double last[RILL_SMOOTH_DEGREE_MAX + 1] = {0.0}, now[RILL_SMOOTH_DEGREE_MAX + 1] = {0.0};
  for (int k = 0; k <= degree; k++) power[k] = 0.0;
  last[0] = 1.0;                  /* T_0 */
  now[1 <= degree ? 1 : 0] = 1.0; /* T_1 */
  power[0] = chebyshev[0];
  for (int n = 1; n <= degree; n++) {
    for (int k = 0; k <= n; k++) power[k] += chebyshev[n] * now[k];
    for (int k = n + 1; k >= 0 && n < degree; k--) { /* T_(n+1) = 2 u T_n - T_(n-1) */
      const double next = (k > 0 ? 2.0 * now[k - 1] : 0.0) - last[k];
      last[k] = now[k];
      now[k] = next;
    }
  }
}

#include "numerics/elliptic.h"

#include <float.h>
#include <math.h>

enum { LEVELS = 16 }; /* the mean converges quadratically: 6 suffice except next to m = 1 */

double rill_elliptic_quarter_period(double m) {
  double a = 1, b = sqrt(1 - m);
  if (m >= 1) return INFINITY;
  while (fabs(a - b) > 4 * DBL_EPSILON * a) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return M_PI / (a + b);
}

/* Carlson's R_F by duplication; the error of the series is below 0.01 times the sixth power of the bound. */
static double carlson_first(double x, double y, double z) {
  double a, dx, dy, dz, e2, e3;
  do {
    double lambda = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
    x = 0.25 * (x + lambda);
    y = 0.25 * (y + lambda);
    z = 0.25 * (z + lambda);
    a = (x + y + z) / 3;
    dx = (a - x) / a;
    dy = (a - y) / a;
    dz = (a - z) / a;
  } while (fmax(fabs(dx), fmax(fabs(dy), fabs(dz))) > 2e-3);
  e2 = dx * dy - dz * dz;
  e3 = dx * dy * dz;
  return (1 + (e2 / 24 - 0.1 - 3 * e3 / 44) * e2 + e3 / 14) / sqrt(a);
}

double rill_elliptic_first_kind(double phi, double m) {
  double turns = round(phi / M_PI), s, c;
  if (m >= 1) return asinh(tan(phi));
  phi -= turns * M_PI;
  s = sin(phi);
  c = cos(phi);
  return s * carlson_first(c * c, 1 - m * s * s, 1) + (turns != 0 ? 2 * turns * rill_elliptic_quarter_period(m) : 0);
}

void rill_elliptic_functions(double u, double m, double *sn, double *cn, double *dn) {
  double a[LEVELS], c[LEVELS], b, phi;
  int n = 0;
  if (m >= 1) { /* the separatrix */
    *sn = tanh(u);
    *cn = *dn = 1 / cosh(u);
    return;
  }
  a[0] = 1;
  c[0] = sqrt(m);
  b = sqrt(1 - m);
  while (n + 1 < LEVELS && fabs(c[n]) > DBL_EPSILON * a[n]) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = sqrt(a[n] * b);
    n++;
  }
  phi = ldexp(a[n] * u, n);
  for (int i = n; i > 0; i--) phi = 0.5 * (phi + asin(c[i] / a[i] * sin(phi)));
  *sn = sin(phi);
  *cn = cos(phi);
  *dn = sqrt(1 - m * *sn * *sn);
}

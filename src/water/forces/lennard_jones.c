#include "water/forces/lennard_jones.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* The switched force of r^-n: n r^-(n+1) + A d2 + B d3, zero with its derivative at the cutoff (van der Spoel and
 * van Maaren, J. Chem. Theory Comput. 2, 1 (2006), eqs. 5-7). */
static void find_switch(int n, double from, double cutoff, double *quadratic, double *cubic) {
  const double width = cutoff - from, scale = n / (pow(cutoff, n + 2) * width * width);
  *quadratic = -scale * ((n + 4) * cutoff - (n + 1) * from);
  *cubic = scale / width * ((n + 3) * cutoff - (n + 1) * from);
}

struct rill_lennard_jones rill_lennard_jones_create(const struct rill_water_model *model, enum rill_lj_kind kind,
                                                    double cutoff, double from) {
  struct rill_lennard_jones lj = {.c12 = model->c12, .c6 = model->c6, .cutoff = cutoff, .from = cutoff};
  if (kind == RILL_LJ_SWITCH) {
    double a12, b12, a6, b6;
    find_switch(12, from, cutoff, &a12, &b12);
    find_switch(6, from, cutoff, &a6, &b6);
    lj.from = from;
    lj.quadratic = lj.c12 * a12 - lj.c6 * a6;
    lj.cubic = lj.c12 * b12 - lj.c6 * b6;
  }
  if (kind != RILL_LJ_CUT) {
    double force;
    lj.constant = rill_lennard_jones_at(&lj, cutoff, &force);
  }
  return lj;
}

double rill_lennard_jones_at(const struct rill_lennard_jones *lj, double r, double *force_over_r) {
  const double r6 = pow(r, -6.0), d = r > lj->from ? r - lj->from : 0.0;
  *force_over_r = (12.0 * lj->c12 * r6 - 6.0 * lj->c6) * r6 / (r * r) + (lj->quadratic + lj->cubic * d) * d * d / r;
  return (lj->c12 * r6 - lj->c6) * r6 - (lj->quadratic / 3.0 + lj->cubic / 4.0 * d) * d * d * d - lj->constant;
}

/* 2 pi N rho times the integrals of (whole - used) r2 and of its -r d/dr, the virial.  Beyond the cutoff they are in
 * closed form, as is the constant; between `from` and the cutoff the added polynomial is integrated by the five-point
 * Gauss-Legendre rule, exact to degree nine. */
void rill_lennard_jones_tail(const struct rill_lennard_jones *lj, double molecules, double volume, double *energy,
                             double *virial) {
  static const double node[5] = {-0.90617984593866399280, -0.53846931010568309104, 0.0, 0.53846931010568309104,
                                 0.90617984593866399280};
  static const double weight[5] = {0.23692688505618908751, 0.47862867049936646804, 0.56888888888888888889,
                                   0.47862867049936646804, 0.23692688505618908751};
  const double rc = lj->cutoff, rc3 = rc * rc * rc, density = molecules / volume, half = 0.5 * (rc - lj->from);
  double e = lj->c12 / (9.0 * rc3 * rc3 * rc3) - lj->c6 / (3.0 * rc3) + lj->constant * rc3 / 3.0;
  double w = 12.0 * lj->c12 / (9.0 * rc3 * rc3 * rc3) - 6.0 * lj->c6 / (3.0 * rc3);
  for (int k = 0; k < 5; k++) {
    const double d = half * (1.0 + node[k]), r = lj->from + d;
    e += half * weight[k] * (lj->quadratic / 3.0 + lj->cubic / 4.0 * d) * d * d * d * r * r;
    w -= half * weight[k] * (lj->quadratic + lj->cubic * d) * d * d * r * r * r;
  }
  *energy = 2.0 * pi * molecules * density * e;
  *virial = 2.0 * pi * molecules * density * w;
}

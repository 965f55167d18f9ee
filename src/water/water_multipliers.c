/* The multipliers of the bonds' constraints; declared in water_system.h. */
#include <math.h>

#include "numerics/mat3.h"
#include "water/water_atoms.h"
#include "water/water_evaluate.h"
#include "water/water_filtered.h"
#include "water/water_system.h"

static void bonds_of(const struct rill_water *water, const double *x, size_t m, double r[RILL_BONDS][3]) {
  for (size_t b = 0; b < RILL_BONDS; b++)
    for (size_t c = 0; c < 3; c++)
      r[b][c] = rill_water_coordinate(water, x, m, rill_bond_ends[b][1], c) -
                rill_water_coordinate(water, x, m, rill_bond_ends[b][0], c);
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void accelerations_of_bonds(const struct rill_water *water, size_t m, double u[RILL_BONDS][3]) {
  const double *mass = water->options.model.mass;
  for (size_t b = 0; b < RILL_BONDS; b++) {
    const size_t i = rill_bond_ends[b][0], j = rill_bond_ends[b][1];
    for (size_t c = 0; c < 3; c++)
      u[b][c] = rill_water_coordinate(water, water->f, m, j, c) / mass[j] -
                rill_water_coordinate(water, water->f, m, i, c) / mass[i];
  }
}

/* With w_b the bonds of the velocities, u_b those of M^-1 F and A_be = sum_i s_ib s_ie / m_i:
 * 4 A_be (r_b.r_e) lambda_e = -2 r_b.u_b - 2 |w_b|^2. */
static void rigid_multipliers(struct rill_water *water, size_t m, double multiplier[RILL_BONDS]) {
  double r[RILL_BONDS][3], w[RILL_BONDS][3], u[RILL_BONDS][3], matrix[3][3], inverse[3][3];
  bonds_of(water, water->q, m, r);
  bonds_of(water, water->v, m, w);
  accelerations_of_bonds(water, m, u);
  for (int b = 0; b < RILL_BONDS; b++)
    for (int e = 0; e < RILL_BONDS; e++) matrix[b][e] = 2 * water->rigid.a[b][e] * dot(r[b], r[e]);
  for (int b = 0; b < RILL_BONDS; b++) multiplier[b] = NAN;
  if (!rill_mat3_inverse(matrix, inverse)) return;
  for (int b = 0; b < RILL_BONDS; b++) {
    multiplier[b] = 0;
    for (int e = 0; e < RILL_BONDS; e++) multiplier[b] -= inverse[b][e] * (dot(r[e], u[e]) + dot(w[e], w[e]));
  }
}

/* The linearised constraint at q: g(x) + 2 r.(bond of q - bond of x). */
static void stiff_multipliers(const struct rill_water *water, const double *q, size_t m, double at_x[RILL_BONDS],
                              double at_q[RILL_BONDS]) {
  double r[RILL_BONDS][3], s[RILL_BONDS][3];
  bonds_of(water, water->q, m, r);
  bonds_of(water, q, m, s);
  for (int b = 0; b < RILL_BONDS; b++) {
    double g = dot(r[b], r[b]) - water->stiff.penalty.d2[b];
    at_x[b] = -water->stiff.penalty.stiffness2 * g;
    at_q[b] = -water->stiff.penalty.stiffness2 * (g + 2 * (dot(r[b], s[b]) - dot(r[b], r[b])));
  }
}

void rill_water_multipliers(const struct rill_system *system, double *at_x, double *at_q) {
  struct rill_water *water = system->self;
  const double *q = rill_water_physical(water);
  rill_water_evaluate(water, NULL);
  rill_water_bodies_follow(water);
  for (size_t m = 0; m < water->molecules; m++) {
    double x_based[RILL_BONDS], q_based[RILL_BONDS];
    if (water->penalised) stiff_multipliers(water, q, m, x_based, q_based);
    else rigid_multipliers(water, m, x_based);
    for (size_t b = 0; b < RILL_BONDS; b++) {
      if (at_x != NULL) at_x[RILL_BONDS * m + b] = x_based[b];
      if (at_q != NULL) at_q[RILL_BONDS * m + b] = water->penalised ? q_based[b] : x_based[b];
    }
  }
}

/* The multipliers of the bonds' constraints; declared in water_system.h. */
#include <math.h>
#include <string.h>

#include "numerics/mat3.h"
#include "water/water_atoms.h"
#include "water/water_domain.h"
#include "water/water_evaluate.h"
#include "water/water_filtered.h"
#include "water/water_lead.h"
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

/* The same for rigid molecules. */
static void find(struct rill_water *water, const double *q, size_t m, double at_x[RILL_BONDS],
                 double at_q[RILL_BONDS]) {
  if (water->penalised) {
    stiff_multipliers(water, q, m, at_x, at_q);
    return;
  }
  rigid_multipliers(water, m, at_x);
  memcpy(at_q, at_x, RILL_BONDS * sizeof *at_q);
}

/* Of the rank that has the molecule, whose numbers all receive: the bits of a double plus zeros are these bits. */
static void find_among_ranks(struct rill_water *water, const double *q, size_t molecule, double at_x[RILL_BONDS],
                             double at_q[RILL_BONDS]) {
  struct rill_ranks *ranks = water->domain->ranks;
  uint64_t words[2 * RILL_BONDS] = {0};
  struct rill_error unused = {0};
  for (size_t m = 0; m < water->molecules; m++) {
    if (rill_water_number(water, m) != molecule) continue;
    find(water, q, m, at_x, at_q);
    memcpy(words, at_x, RILL_BONDS * sizeof *words);
    memcpy(words + RILL_BONDS, at_q, RILL_BONDS * sizeof *words);
  }
  if (ranks->ops->sum(ranks, words, 2 * RILL_BONDS, &unused) == RILL_OK) {
    memcpy(at_x, words, RILL_BONDS * sizeof *words);
    memcpy(at_q, words + RILL_BONDS, RILL_BONDS * sizeof *words);
  } else {
    for (size_t b = 0; b < RILL_BONDS; b++) at_x[b] = at_q[b] = NAN;
  }
}

void rill_water_multipliers_of(const struct rill_system *system, size_t molecule, double at_x[RILL_BONDS],
                               double at_q[RILL_BONDS]) {
  struct rill_water *water = system->self;
  struct rill_error unused = {0};
  const double *q;
  (void)rill_water_lead_molecule(water, RILL_LEAD_MULTIPLIERS, molecule, &unused); /* a failure shows below */
  q = rill_water_physical(water);
  rill_water_evaluate(water, NULL);
  rill_water_bodies_follow(water);
  if (water->domain != NULL) find_among_ranks(water, q, molecule, at_x, at_q);
  else find(water, q, molecule, at_x, at_q);
}

void rill_water_multipliers(const struct rill_system *system, double *at_x, double *at_q) {
  struct rill_water *water = system->self;
  const double *q = rill_water_physical(water);
  rill_water_evaluate(water, NULL);
  rill_water_bodies_follow(water);
  for (size_t m = 0; m < water->molecules; m++) {
    double x_based[RILL_BONDS], q_based[RILL_BONDS];
    find(water, q, m, x_based, q_based);
    for (size_t b = 0; b < RILL_BONDS; b++) {
      if (at_x != NULL) at_x[RILL_BONDS * m + b] = x_based[b];
      if (at_q != NULL) at_q[RILL_BONDS * m + b] = q_based[b];
    }
  }
}

/* The confining wall: a half-harmonic potential on the molecules' centres of mass, U = (k/2) sum_m max(0, |R_m - R| -
 * radius)^2, R the cluster's centre of mass.
 *
 * The wall moves with the cluster, so that momentum and angular momentum are conserved: the force on the centre is
 * distributed over all molecules. */
#ifndef RILL_WATER_FORCES_WALL_H
#define RILL_WATER_FORCES_WALL_H

#include <stddef.h>

#include "water/model/model.h"

struct rill_wall {
  double radius, stiffness; /* nm, kJ/mol/nm2 */
};

/* Adds the wall's forces at q to f, both [9][stride]; returns its energy, kJ/mol. */
double rill_wall_evaluate(const struct rill_wall *wall, const struct rill_water_model *model, size_t molecules,
                          size_t stride, const double *q, double *f);

#endif

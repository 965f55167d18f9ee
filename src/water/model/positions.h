/* Positions of the atoms of molecules, in columns or molecule by molecule; read only. */
#ifndef RILL_WATER_MODEL_POSITIONS_H
#define RILL_WATER_MODEL_POSITIONS_H

#include "water/model/model.h"

/* Coordinate k of molecule m, 0 <= k < 9, is q[m * molecule + k * coordinate], nm. */
struct rill_positions {
  const double *q; /* borrowed */
  size_t molecule, coordinate;
};

/* Of [9][stride]. */
static inline struct rill_positions rill_positions_in_columns(const double *q, size_t stride) {
  return (struct rill_positions){q, 1, stride};
}
/* Of [molecules][3][3]. */
static inline struct rill_positions rill_positions_by_molecule(const double *q) {
  return (struct rill_positions){q, RILL_COORDINATES, 1};
}

static inline double rill_position(const struct rill_positions *positions, size_t m, size_t k) {
  return positions->q[m * positions->molecule + k * positions->coordinate];
}

#endif

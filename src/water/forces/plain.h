/* Positions and forces of atoms and charges, one number at a time: for the plain loops, which the kernels are tested
 * against. */
#ifndef RILL_WATER_FORCES_PLAIN_H
#define RILL_WATER_FORCES_PLAIN_H

#include "water/model/model.h"

struct rill_plain {
  const struct rill_water_model *model;
  size_t stride;
  const double *q; /* [9][stride] */
  double *f;       /* [9][stride] */
};

static inline double rill_plain_atom(const struct rill_plain *plain, size_t m, size_t atom, size_t c) {
  return plain->q[(3 * atom + c) * plain->stride + m];
}

/* The position of a charge: of an atom, or of the site M in place of the oxygen. */
static inline double rill_plain_charge(const struct rill_plain *plain, size_t m, size_t charge, size_t c) {
  const double a = plain->model->site_weight;
  if (charge > 0 || a == 0.0) return rill_plain_atom(plain, m, charge, c);
  return (1.0 - 2.0 * a) * rill_plain_atom(plain, m, 0, c) +
         a * (rill_plain_atom(plain, m, 1, c) + rill_plain_atom(plain, m, 2, c));
}

static inline void rill_plain_push_atom(const struct rill_plain *plain, size_t m, size_t atom, size_t c,
                                        double force) {
  plain->f[(3 * atom + c) * plain->stride + m] += force;
}

static inline void rill_plain_push_charge(const struct rill_plain *plain, size_t m, size_t charge, size_t c,
                                          double force) {
  const double a = plain->model->site_weight;
  if (charge > 0 || a == 0.0) {
    rill_plain_push_atom(plain, m, charge, c, force);
    return;
  }
  rill_plain_push_atom(plain, m, 0, c, (1.0 - 2.0 * a) * force);
  rill_plain_push_atom(plain, m, 1, c, a * force);
  rill_plain_push_atom(plain, m, 2, c, a * force);
}

#endif

/* Shared by the systems with constraints on velocities: no potential. */
#ifndef RILL_SYSTEMS_NONHOLONOMIC_MODEL_H
#define RILL_SYSTEMS_NONHOLONOMIC_MODEL_H

#include <string.h>

#include "systems/mechanical_system.h"

static inline double rill_no_potential(const void *self, const double *q) {
  (void)self, (void)q;
  return 0;
}

static inline void rill_no_hessian(const void *self, enum rill_hessian_part part, double scale, const double *q,
                                   struct rill_band *hessian) {
  (void)self, (void)part, (void)scale, (void)q, (void)hessian;
}

#endif

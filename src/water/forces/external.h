/* Forces on each molecule from outside: a uniform electric field, U = -E . sum_i q_i r_i, and a harmonic trap of its
 * centre of mass, U = (k/2) |R - c|^2.
 *
 * A molecule is neutral: its energy in the field is that of its dipole, and depends neither on the origin nor on the
 * image of a box that it is in.  The trap acts on unwrapped positions. */
#ifndef RILL_WATER_FORCES_EXTERNAL_H
#define RILL_WATER_FORCES_EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/exact_sum.h"
#include "water/model/model.h"

struct rill_external {
  double electric[3]; /* kJ/mol/nm/e */
  double trap;        /* k, kJ/mol/nm2 */
  double centre[3];   /* c, nm */
};

static inline bool rill_external_has_electric(const struct rill_external *external) {
  return external->electric[0] != 0.0 || external->electric[1] != 0.0 || external->electric[2] != 0.0;
}
static inline bool rill_external_has_trap(const struct rill_external *external) { return external->trap > 0.0; }
static inline bool rill_external_acts(const struct rill_external *external) {
  return rill_external_has_electric(external) || rill_external_has_trap(external);
}

/* Adds the forces at q to f, both [9][stride], and the energies in the field and in the trap, kJ/mol, to energy[0]
 * and energy[1].  offset: unwrapped position minus q. */
void rill_external_evaluate(const struct rill_external *external, const struct rill_water_model *model,
                            size_t molecules, size_t stride, const double offset[3], const double *q, double *f,
                            struct rill_exact_sum energy[2]);

#endif

/* The accuracy of forces in a box, measured at given positions against a direct Ewald sum and Lennard-Jones in double
 * precision; and the choice of a mesh that has a requested accuracy there. */
#ifndef RILL_WATER_WATER_ACCURACY_H
#define RILL_WATER_WATER_ACCURACY_H

#include "base/status.h"
#include "water/model/model.h"
#include "water/water_field.h"

struct rill_force_accuracy {
  double error;        /* root mean square error of an atom's force, over the scale */
  double scale;        /* kJ/mol/nm: the root mean square force, but not below rill_force_floor() */
  double rms_force;    /* kJ/mol/nm, of atoms, without constraint forces */
  double energy_error; /* of the Coulomb energy, kJ/mol per molecule; NaN unless the sample is all molecules */
  size_t molecules;    /* sample size; 0: not measured */
};

/* The least scale of force errors, k T / nm at 300 K, 2.494 kJ/mol/nm.  Forces on molecules that are alone or far
 * apart nearly vanish, and an error relative to them is meaningless: on this scale, the work of an error of 1e-3 over
 * a nanometre is a thousandth of k T. */
double rill_force_floor(void);

/* Measures the forces of `field` at q.  At most 256 molecules, evenly taken from all, are compared, and
 * fewer in large boxes: half a second on one core for 7000 molecules, a few for 56000.  Fewer than 32 molecules are
 * moved through the box together, by up to 16 vectors, which does not change the true forces, and the largest error
 * is returned: a few atoms may happen to lie where the mesh is accurate.  The same bytes for any number of threads.
 * Errors as rill_water_field_create, rill_water_field_evaluate. */
enum rill_status rill_water_measure_accuracy(const struct rill_water_model *model, size_t molecules,
                                             const struct rill_positions *q, const struct rill_field_options *field,
                                             double expected, struct rill_force_accuracy *measured,
                                             struct rill_error *error);

/* Sets mesh and box.beta of `field`, an Ewald sum whose other options are given: the mesh that is estimated to be
 * accurate enough or, if the measured error or that of the Coulomb energy is larger, a finer one for which it is not.
 * With pairs in mixed precision the mesh is in single precision, or in double if that does not suffice.
 * RILL_ERROR_INPUT if `accuracy` (1e-10 to 1e-2) cannot be reached: the message gives the least measured error.  The
 * result depends on positions and options alone, not on threads or timing. */
enum rill_status rill_water_choose_mesh(const struct rill_water_model *model, size_t molecules,
                                        const struct rill_positions *q, double accuracy,
                                        struct rill_field_options *field, struct rill_force_accuracy *measured,
                                        struct rill_error *error);

/* Chooses by the estimate alone, for positions that are not yet known: in a box that is not filled with liquid, for
 * forces as small as rill_force_floor(). */
enum rill_status rill_water_estimate_mesh(const struct rill_water_model *model, size_t molecules, double accuracy,
                                          struct rill_field_options *field, struct rill_error *error);

#endif

/* How accurate forces in a box are: measured, on some of its molecules, against a direct Ewald sum and Lennard-Jones in
 * double precision. */
#ifndef RILL_WATER_WATER_ACCURACY_H
#define RILL_WATER_WATER_ACCURACY_H

#include "base/status.h"
#include "mech/system.h"
#include "water/forces/lennard_jones.h"
#include "water/model/model.h"

struct rill_force_accuracy {
  double error;       /* root mean square error over root mean square force, of atoms, without constraint forces */
  size_t molecules;   /* that it was measured on; 0: not measured */
};

/* Boxes of more are not measured: the direct sum takes longer than it is worth. */
enum { RILL_ACCURACY_MOLECULES_MAX = 100000 };

/* f: the forces to be judged, at q, both [9][stride].  The sum is complete to a hundredth of `expected`, the error one
 * looks for.  At most 256 molecules are taken, evenly from all; half a second on one core for 7000 molecules, and a few
 * for 56000.  The same bytes for any number of threads. */
enum rill_status rill_water_measure_accuracy(const struct rill_water_model *model, size_t molecules, size_t stride,
                                             const double box[3][3], const struct rill_lennard_jones *lj,
                                             const double *q, const double *f, double expected, int threads,
                                             struct rill_force_accuracy *accuracy, struct rill_error *error);

/* Of a water system as it stands; not measured without an Ewald sum, and in too large a box. */
enum rill_status rill_water_accuracy(struct rill_system *system, double expected, struct rill_force_accuracy *accuracy,
                                     struct rill_error *error);

#endif

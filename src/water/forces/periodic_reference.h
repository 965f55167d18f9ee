/* The plain loops over all images: the reference for the kernels in a box. */
#ifndef RILL_WATER_FORCES_PERIODIC_REFERENCE_H
#define RILL_WATER_FORCES_PERIODIC_REFERENCE_H

#include "water/forces/energies.h"
#include "water/forces/periodic_options.h"
#include "water/model/model.h"
#include "water/cell.h"

/* Pairs between different molecules, and their images; adds to f, lj, coulomb and virial. */
void rill_periodic_reference(const struct rill_water_model *model, const struct rill_cell *box,
                             const struct rill_periodic_options *options, size_t molecules, size_t stride,
                             const double *q, double *f, struct rill_periodic_energies *energies);

/* The same for the pairs of an open cluster in which at least one molecule is marked. */
void rill_periodic_reference_marked(const struct rill_water_model *model, const struct rill_periodic_options *options,
                                    size_t molecules, size_t stride, const unsigned char *marked, const double *q,
                                    double *f, struct rill_periodic_energies *energies);

#endif

/* Direct Ewald sum of water: plain code in double precision, complete up to its cutoffs: the
 * reference for the fast forces. */
#ifndef RILL_WATER_PME_EWALD_H
#define RILL_WATER_PME_EWALD_H

#include <stddef.h>

#include "base/status.h"
#include "water/model/positions.h"

struct rill_ewald_parameters {
  double beta;        /* 1/nm */
  double real_cutoff; /* nm, for the distance of charges, over all images; it may exceed half the box */
  double wave_cutoff; /* 1/nm, of |m|, the wave vector over 2 pi */
};

struct rill_ewald_energies {
  double real, reciprocal, self, excluded, total;
  double virial_atomic[3][3], virial_molecular[3][3]; /* W[i][j] = sum r_i f_j; see pme.h */
};

/* Chooses parameters for which both sums are truncated where their terms are below `tolerance` of the first, with
 * about equal work. */
struct rill_ewald_parameters rill_ewald_choose(const double box[3][3], size_t molecules, double tolerance);

/* f: [9][stride], overwritten with the Coulomb forces.  Time grows as N^1.5 at best.  RILL_ERROR_INPUT if the box is
 * not lower triangular with a positive diagonal or the molecules have a net charge. */
enum rill_status rill_ewald_evaluate(const struct rill_water_model *model, size_t molecules, size_t stride,
                                     const double box[3][3], const struct rill_ewald_parameters *parameters,
                                     const double *q, double *f, struct rill_ewald_energies *energies,
                                     struct rill_error *error);

/* The Coulomb forces on some molecules only, f [count][3][3], with sums truncated at `tolerance`, and their shares of
 * the Coulomb energy, energies [count], whose sum over all molecules is the energy.  The parameters are chosen for
 * the sample; work is proportional to N sqrt(count).  The same bytes for any number of threads. */
enum rill_status rill_ewald_sample(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                   double tolerance, const struct rill_positions *q, const size_t *sample,
                                   size_t count, int threads, double *f, double *energies, struct rill_error *error);

/* Relative root mean square difference of two sets of forces, |f - judge| / |judge| over all atoms. */
double rill_force_error(size_t molecules, size_t stride, const double *f, const double *judge);

#endif

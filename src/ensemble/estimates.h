/* Averages of an ensemble at each temperature, over its ladders, with errors: computed on line in bounded memory.
 *
 * The samples of each rung of each ladder are kept as sums over 32 to 63 blocks of equal length, which merge in pairs
 * as the series grows.  Errors are by the jackknife, leaving out one block of one ladder at a time, and the largest
 * over blocks of one, two, four... times the length, as long as 16 blocks are left: blocks shorter than the
 * correlation time give errors that are too small. */
#ifndef RILL_ENSEMBLE_ESTIMATES_H
#define RILL_ENSEMBLE_ESTIMATES_H

#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"

enum { RILL_ESTIMATE_BLOCKS = 64, RILL_ESTIMATE_LEAST_BLOCKS = 16 };

/* Sums of u, u^2 (from a reference) and kinetic energies. */
struct rill_sums {
  double u, uu, kinetic;
};

/* The samples of one rung of one ladder. */
struct rill_rung_samples {
  uint64_t samples, block_samples, blocks;
  struct rill_sums filling; /* the incomplete block */
  struct rill_sums block[RILL_ESTIMATE_BLOCKS];
};

struct rill_estimates {
  size_t ladders, rungs;
  double *reference;                 /* [rungs]: the first potential energy seen there */
  struct rill_rung_samples *samples; /* [ladders][rungs] */
};

/* NaN where there are too few samples. */
struct rill_rung_estimate {
  uint64_t samples;
  double potential, potential_error;
  /* (<U^2> - <U>^2) / (k T)^2: the configurational heat capacity in units of k. */
  double fluctuation, fluctuation_error;
  double kinetic;     /* mean */
  double independent; /* effective number of samples: variance of U over the squared error */
  double spread;      /* split R-hat of U over the halves of the ladders (Gelman & Rubin 1992) */
};

/* RILL_ERROR_MEMORY. */
enum rill_status rill_estimates_create(size_t ladders, size_t rungs, struct rill_estimates *estimates,
                                       struct rill_error *error);

void rill_estimates_add(struct rill_estimates *estimates, size_t ladder, size_t rung, double potential,
                        double kinetic);

/* thermal: k T of the rung. */
struct rill_rung_estimate rill_estimate(const struct rill_estimates *estimates, size_t rung, double thermal);

void rill_estimates_archive(struct rill_estimates *estimates, struct rill_archive *archive);
void rill_estimates_release(struct rill_estimates *estimates);

#endif

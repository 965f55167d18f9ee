/* The summary of a run of a small system, gathered sample by sample. */
#ifndef RILL_SIMULATION_SMALL_SUMMARY_H
#define RILL_SIMULATION_SMALL_SUMMARY_H

#include <stdint.h>

#include "mech/system.h"

enum { RILL_SMALL_MOMENTA = 6 };

/* Zeroed before the first sample. */
struct rill_small_summary {
  uint64_t samples;
  double first, sum, most;               /* total energy: of the first sample; deviations from it: sum, largest */
  double time_sum, time_square, product; /* of times since the first one, and of time * deviation */
  double start;                          /* time of the first sample */
  double momentum[RILL_SMALL_MOMENTA], momentum_change[RILL_SMALL_MOMENTA];
  double position_residual, velocity_residual;
  double iterations, iterations_most; /* sum, largest */
};

void rill_small_summary_add(struct rill_small_summary *summary, double time,
                            const struct rill_observation *observation);
void rill_small_summary_archive(struct rill_small_summary *summary, struct rill_archive *archive);
/* Slope of a straight line fitted to the energy; NaN for fewer than two times. */
double rill_small_summary_drift(const struct rill_small_summary *summary);

#endif

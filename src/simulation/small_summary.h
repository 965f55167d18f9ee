/* The summary of a run of a small system, gathered sample by sample. */
#ifndef RILL_SIMULATION_SMALL_SUMMARY_H
#define RILL_SIMULATION_SMALL_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/statistics.h"
#include "mech/system.h"

enum { RILL_SMALL_MOMENTA = 6 };

/* The means of a run in a heat bath: names, and labels for people. */
#define RILL_SMALL_MEANS_LIST(X)                                                                                     \
  X(potential, "potential energy", o->potential)                                                                     \
  X(kinetic, "kinetic energy", o->kinetic)                                                                           \
  X(total, "total energy", o->kinetic + o->potential)                                                                \
  X(temperature, "temperature, on-step", o->temperature)                                                             \
  X(temperature_half, "temperature, half-step", o->temperature_half)
enum rill_small_mean {
#define X(name, label, value) RILL_SMALL_MEAN_##name,
  RILL_SMALL_MEANS_LIST(X)
#undef X
      RILL_SMALL_MEANS
};

/* Zeroed before the first sample, except for `sampled` and `from`. */
struct rill_small_summary {
  bool sampled; /* in a heat bath */
  double from;  /* the time from which samples count in the means */
  uint64_t counted;
  struct rill_average mean[RILL_SMALL_MEANS];
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

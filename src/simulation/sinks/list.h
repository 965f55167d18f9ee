/* The outputs of runs and the files that they write: lists.  To add an output: write its sink in a file of this
 * folder (sink.h), and add a row to each list that it belongs to. */
#ifndef RILL_SIMULATION_SINKS_LIST_H
#define RILL_SIMULATION_SINKS_LIST_H

/* clang-format off */
/* Sinks, in their order in a checkpoint: rill_NAME_sink. */
#define RILL_WATER_SINKS(X)                                                                                          \
  X(limits)        /* [stop]: only its state, in checkpoints */                                                      \
  X(summary)       /* means and drifts of the closing summary */                                                     \
  X(series)        /* energies, temperatures, ...: CSV, and a table of the trajectory */                             \
  X(distribution)  /* O-O distances: the same */                                                                     \
  X(properties)    /* of the liquid: CSV, JSON */                                                                    \
  X(multipliers)   /* of a molecule's bonds: CSV */                                                                  \
  X(trajectory)    /* H5MD */                                                                                        \
  X(frames)        /* first and last state: GRO */

#define RILL_SMALL_SINKS(X)                                                                                          \
  X(small_summary) /* energies, momenta, residuals of the closing summary */                                         \
  X(limits)                                                                                                          \
  X(small_file)    /* HDF5 */                                                                                        \
  X(small_series)  /* CSV */

#define RILL_ENSEMBLE_SINKS(X)                                                                                       \
  X(replicas)      /* rungs and energies of all replicas: tables of the trajectory */                                \
  X(averages)      /* averages at each temperature, and of exchanges: CSV */                                         \
  X(rung_distances) /* O-O distances at each temperature: CSV */                                                     \
  X(minima)        /* inherent structures: CSV, GRO */                                                               \
  X(replica_frames) /* H5MD of all replicas, first and last states as GRO */

#define RILL_SMALL_ENSEMBLE_SINKS(X)                                                                                 \
  X(averages)

/* Files: X(ROLE, name, shown, check).  The name is that of the path in struct rill_outputs and of the entry in a
 * checkpoint; shown: to users; check: how the file is compared with the checkpoint (enum rill_file_check). */
#define RILL_FILE_LIST(X)                                                                                            \
  X(TRAJECTORY, trajectory, "trajectory", TRAJECTORY)                                                                \
  X(SERIES, series, "series", SERIES)                                                                                \
  X(MULTIPLIERS, multipliers, "multipliers", SERIES)                                                                 \
  X(FIRST_FRAME, first_frame, "first frame", WHOLE_FROM_START)                                                       \
  X(DISTRIBUTION, distribution, "distribution", WHOLE_AT_END)                                                        \
  X(DISTRIBUTION_OH, distribution_OH, "distribution O-H", WHOLE_AT_END)                                              \
  X(DISTRIBUTION_HH, distribution_HH, "distribution H-H", WHOLE_AT_END)                                              \
  X(PROPERTIES, properties, "properties", WHOLE_AT_END)                                                              \
  X(PROPERTY_CURVES, property_curves, "correlations", WHOLE_AT_END)                                                  \
  X(AVERAGES, averages, "averages", WHOLE_AT_END)                                                                    \
  X(MINIMA, minima, "minima", WHOLE_AT_END)                                                                          \
  X(MINIMUM_FRAMES, minimum_frames, "structures of minima", WHOLE_AT_END)                                            \
  X(FINAL_FRAME, final_frame, "final frame", WHOLE_AT_END)
/* clang-format on */

#endif

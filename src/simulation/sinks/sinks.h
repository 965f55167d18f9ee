/* All kinds of output. */
#ifndef RILL_SIMULATION_SINKS_SINKS_H
#define RILL_SIMULATION_SINKS_SINKS_H

#include "simulation/sink.h"

extern const struct rill_sink rill_limits_sink; /* [stop]: only its state, in checkpoints */
/* For water. */
extern const struct rill_sink rill_summary_sink, /* means and drifts of the closing summary */
    rill_series_sink,                            /* energies, temperatures, ...: CSV, and a table of the trajectory */
    rill_distribution_sink,                      /* O-O distances: the same */
    rill_multipliers_sink,                       /* of a molecule's bonds: CSV */
    rill_trajectory_sink,                        /* H5MD */
    rill_frames_sink;                            /* first and last state: GRO */
/* For small systems. */
extern const struct rill_sink rill_small_summary_sink, /* energies, momenta, residuals of the closing summary */
    rill_small_series_sink,                            /* CSV */
    rill_small_file_sink;                              /* HDF5 */

#endif

/* All kinds of output. */
#ifndef RILL_SIMULATION_SINKS_SINKS_H
#define RILL_SIMULATION_SINKS_SINKS_H

#include "simulation/sink.h"
#include "simulation/sinks/list.h"

#define RILL_SINK_DECLARATION(name) extern const struct rill_sink rill_##name##_sink;
RILL_WATER_SINKS(RILL_SINK_DECLARATION)
RILL_SMALL_SINKS(RILL_SINK_DECLARATION)
RILL_ENSEMBLE_SINKS(RILL_SINK_DECLARATION)

/* Opens run->trajectory, of one system or of replicas, as a sink's `open`. */
enum rill_status rill_run_open_trajectory(struct rill_run *run, size_t replicas, enum rill_opening opening,
                                          struct rill_archive *archive, struct rill_error *error);

/* An entry of a list of sinks. */
#define RILL_SINK_ENTRY(name) &rill_##name##_sink,

#endif

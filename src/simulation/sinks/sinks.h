/* All kinds of output. */
#ifndef RILL_SIMULATION_SINKS_SINKS_H
#define RILL_SIMULATION_SINKS_SINKS_H

#include "simulation/sink.h"
#include "simulation/sinks/list.h"

#define RILL_SINK_DECLARATION(name) extern const struct rill_sink rill_##name##_sink;
RILL_WATER_SINKS(RILL_SINK_DECLARATION)
RILL_SMALL_SINKS(RILL_SINK_DECLARATION)
RILL_ENSEMBLE_SINKS(RILL_SINK_DECLARATION)

/* An entry of a list of sinks. */
#define RILL_SINK_ENTRY(name) &rill_##name##_sink,

#endif

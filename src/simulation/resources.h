/* The resources that a run will need: memory and disk space. */
#ifndef RILL_SIMULATION_RESOURCES_H
#define RILL_SIMULATION_RESOURCES_H

#include "simulation/outputs.h"
#include "simulation/simulation.h"

/* Bytes; below 0 where unknown. */
struct rill_resources {
  double memory; /* of the process so far, with an estimate for output */
  double disk;   /* of all outputs, to about a tenth */
  double free;   /* on their disk */
};

/* The number of records in a run of this many steps: at its start, at each interval, and at its end. */
double rill_resources_samples(uint64_t steps, uint64_t interval);

/* To be called when everything that a run works with has been created, and its limits are watched. */
struct rill_resources rill_resources_of(const struct rill_simulation *sim, const struct rill_outputs *outputs);

#endif

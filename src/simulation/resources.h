/* What a run will take: memory, and space on the disk. */
#ifndef RILL_SIMULATION_RESOURCES_H
#define RILL_SIMULATION_RESOURCES_H

#include "simulation/outputs.h"
#include "simulation/simulation.h"

/* Bytes; below 0 where unknown. */
struct rill_resources {
  double memory; /* what the process has taken by now, with what output takes of it */
  double disk;   /* of all outputs, to about a tenth */
  double free;   /* where they go */
};

/* To be called when all that a run works with is there: created, and its limits watched. */
struct rill_resources rill_resources_of(const struct rill_simulation *sim, const struct rill_outputs *outputs);

#endif

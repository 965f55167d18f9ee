/* Lines that say what would run. */
#ifndef RILL_CLI_DESCRIBE_H
#define RILL_CLI_DESCRIBE_H

#include <stdio.h>

#include "cli/json.h"
#include "simulation/resources.h"
#include "simulation/simulation.h"

/* System, integrator, forces, and when the run would stop; the limits of sim are watched. */
void rill_describe_simulation(const struct rill_simulation *sim, FILE *stream);

/* One line of what was measured, without a newline: error, its scale, and the Coulomb energy's where it is known. */
void rill_describe_accuracy(const struct rill_force_accuracy *measured, FILE *stream);

/* The same as members of an object: system, method, step, forces, what the deck sets, limits, and the observation of
 * the start. */
void rill_put_simulation(struct rill_json *json, const struct rill_simulation *sim, const char *expanded);
/* A mesh with its measured accuracy. */
void rill_put_mesh(struct rill_json *json, const char *name, const struct rill_pme_parameters *mesh,
                   const struct rill_force_accuracy *measured);
void rill_put_resources(struct rill_json *json, const struct rill_resources *resources);

/* One line of memory and disk. */
void rill_describe_resources(const struct rill_resources *resources, FILE *stream);

#endif

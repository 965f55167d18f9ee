/* Lines that say what would run. */
#ifndef RILL_CLI_DESCRIBE_H
#define RILL_CLI_DESCRIBE_H

#include <stdio.h>

#include "simulation/resources.h"
#include "simulation/simulation.h"

/* System, integrator, forces, and when the run would stop; the limits of sim are watched. */
void rill_describe_simulation(const struct rill_simulation *sim, FILE *stream);

/* One line of what was measured, without a newline: error, its scale, and the Coulomb energy's where it is known. */
void rill_describe_accuracy(const struct rill_force_accuracy *measured, FILE *stream);

/* One line of memory and disk. */
void rill_describe_resources(const struct rill_resources *resources, FILE *stream);

#endif

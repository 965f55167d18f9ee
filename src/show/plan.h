/* The plan of a run. */
#ifndef RILL_SHOW_PLAN_H
#define RILL_SHOW_PLAN_H

#include "show/page.h"
#include "simulation/resources.h"
#include "simulation/parts.h"

/* System, integrator, forces, and the limits that stop the run, which must be watched already. */
void rill_describe_simulation(const struct rill_simulation *sim, FILE *stream);

/* The same with resources, the observation of the start, and the expanded deck: in the document an object, which is
 * left open. */
void rill_show_plan(struct rill_page *page, const struct rill_simulation *sim, const struct rill_resources *resources,
                    const char *expanded);

/* One line of measurements, without a newline: error, its scale, and the Coulomb energy's error where it is known. */
void rill_describe_accuracy(const struct rill_force_accuracy *measured, FILE *stream);
/* A mesh with its measured accuracy. */
void rill_put_mesh(struct rill_json *json, const char *name, const struct rill_pme_parameters *mesh,
                   const struct rill_force_accuracy *measured);

#endif

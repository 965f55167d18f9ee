/* What would run. */
#ifndef RILL_SHOW_PLAN_H
#define RILL_SHOW_PLAN_H

#include "show/page.h"
#include "simulation/resources.h"
#include "simulation/parts.h"

/* System, integrator, forces, and when the run would stop; the limits of sim are watched. */
void rill_describe_simulation(const struct rill_simulation *sim, FILE *stream);

/* The same with what it takes, the observation of the start, and the expanded deck: in the document an object, which
 * is left open. */
void rill_show_plan(struct rill_page *page, const struct rill_simulation *sim, const struct rill_resources *resources,
                    const char *expanded);

/* One line of what was measured, without a newline: error, its scale, and the Coulomb energy's where it is known. */
void rill_describe_accuracy(const struct rill_force_accuracy *measured, FILE *stream);
/* A mesh with its measured accuracy. */
void rill_put_mesh(struct rill_json *json, const char *name, const struct rill_pme_parameters *mesh,
                   const struct rill_force_accuracy *measured);

#endif

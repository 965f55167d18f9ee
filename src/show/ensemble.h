/* Ensembles: their replicas before a run, and their averages after it. */
#ifndef RILL_SHOW_ENSEMBLE_H
#define RILL_SHOW_ENSEMBLE_H

#include "show/page.h"
#include "simulation/report.h"
#include "study/try_ladder.h"

/* Lines of the plan. */
void rill_describe_ensemble(const struct rill_simulation *sim, FILE *stream);
/* "ensemble": replicas, ladder and expected acceptances. */
void rill_put_ensemble(struct rill_json *json, const struct rill_simulation *sim);

/* The acceptances of a trial run, and the temperatures that they suggest. */
void rill_show_ladder_trial(struct rill_page *page, const struct rill_simulation *sim,
                            const struct rill_ladder_trial *trial);

/* The averages at each temperature, and the exchanges. */
void rill_print_averages(FILE *stream, const struct rill_run *run);
void rill_put_averages(struct rill_json *json, const struct rill_run *run);

#endif

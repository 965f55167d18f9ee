/* The beginning and the end of a run's output. */
#ifndef RILL_SHOW_SUMMARY_H
#define RILL_SHOW_SUMMARY_H

#include "show/page.h"
#include "simulation/run_parts.h"

/* The simulation, and from where it is resumed. */
void rill_describe_run(FILE *stream, const struct rill_run *run);

/* Means with errors, drift, deviations, speed, and the written files: of a run that has made its steps (for a
 * document: closed its files), or of a resumed one that was already complete. */
void rill_show_summary(struct rill_page *page, const struct rill_run *run);

#endif

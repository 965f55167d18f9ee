/* The closing summary of a run, as text and as JSON. */
#ifndef RILL_CLI_PRINT_SUMMARY_H
#define RILL_CLI_PRINT_SUMMARY_H

#include <stdio.h>

#include "cli/json.h"
#include "simulation/report.h"

/* Means with errors, drift, deviations, speed, and the files that are written; the run has made its steps. */
void rill_print_summary(FILE *stream, const struct rill_run *run);
/* The same, when all files are closed; also of a resumed run that was complete already. */
void rill_put_summary(struct rill_json *json, const struct rill_run *run);

#endif

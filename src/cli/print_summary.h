/* The closing summary of a run, as text. */
#ifndef RILL_CLI_PRINT_SUMMARY_H
#define RILL_CLI_PRINT_SUMMARY_H

#include <stdio.h>

#include "simulation/run.h"

/* Means with errors, drift, deviations, speed, and the files that are written; the run has made its steps. */
void rill_print_summary(FILE *stream, const struct rill_run *run);

#endif

/* The closing summary of a run. */
#ifndef RILL_CLI_SUMMARY_H
#define RILL_CLI_SUMMARY_H

#include <stdio.h>

#include "analysis/rdf.h"
#include "cli/files.h"
#include "cli/setup.h"
#include "mech/driver.h"
#include "output/series.h"

void rill_summary_write(FILE *stream, const struct rill_setup *setup, const struct rill_driver *driver, double wall,
                        const struct rill_series *series, const struct rill_rdf *rdf,
                        const struct rill_outputs *outputs);

#endif

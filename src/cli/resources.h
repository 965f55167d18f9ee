/* What a run will take: memory, and space on the disk. */
#ifndef RILL_CLI_RESOURCES_H
#define RILL_CLI_RESOURCES_H

#include <stdint.h>
#include <stdio.h>

#include "cli/files.h"
#include "cli/setup.h"

/* Samples of a run of so many steps: at its start, at each interval, and at its end. */
double rill_resources_samples(uint64_t steps, uint64_t interval);

/* Bytes on the disk, to about a tenth: frames, series, and two checkpoints.  observation: of the start, by whose
 * digits the lines of the series are measured. */
double rill_resources_disk(const struct rill_setup *setup, const struct rill_outputs *outputs,
                           const struct rill_observation *observation);

/* One line: the memory that the program has taken by now, with what output takes of it, and `disk` bytes beside what
 * is free where they go.  To be called when all that a run works with is there. */
void rill_resources_describe(double disk, const struct rill_outputs *outputs, FILE *stream);

#endif

/* Trajectories that commands read. */
#ifndef RILL_CLI_RECORDING_H
#define RILL_CLI_RECORDING_H

#include "output/trajectory.h"

/* rill_trajectory_open, and what the reader guessed or repaired as notes on standard error. */
enum rill_status rill_recording_open(const char *path, struct rill_trajectory_reader **reader, struct rill_error *error);

#endif

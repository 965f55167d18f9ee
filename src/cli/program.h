/* What the programs rill and rill-mpi have in common: how they begin, report errors and end. */
#ifndef RILL_CLI_PROGRAM_H
#define RILL_CLI_PROGRAM_H

#include "base/status.h"

/* name: for messages. */
enum rill_status rill_program_begin(const char *name, struct rill_error *error);
const char *rill_program_name(void);

/* The exit status for the result of a command. */
int rill_program_status(enum rill_status status);
/* Prints the message of an error; returns the exit status. */
int rill_program_end(enum rill_status status, struct rill_error *error);

#endif

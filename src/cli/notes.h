/* Notes of the library, on standard error or on another stream. */
#ifndef RILL_CLI_NOTES_H
#define RILL_CLI_NOTES_H

#include <stdbool.h>

#include "base/notes.h"

/* On standard error, where a line of progress is erased first; NULL with --quiet. */
const struct rill_notes *rill_notes_unless(bool quiet);
/* On standard output. */
extern const struct rill_notes rill_notes_on_output;

#endif

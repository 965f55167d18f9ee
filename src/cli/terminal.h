/* Safe printing.  Decks inside trajectories, creators, file names, titles and column headers are untrusted, and a
 * terminal obeys control sequences in them.  All of standard output and standard error therefore passes through a
 * filter that shows control characters instead of sending them: \x1b, \u202e.  Line breaks and tabs are kept.  rill's
 * own control sequences bypass the filter. */
#ifndef RILL_CLI_TERMINAL_H
#define RILL_CLI_TERMINAL_H

#include <stdbool.h>

#define RILL_TERMINAL_LINE "\r"      /* to the start of the line */
#define RILL_TERMINAL_CLEAR "\033[K" /* the rest of the line */

/* Puts the filters in front of stdout and stderr; false when memory is out. */
bool rill_terminal_filter(void);

/* Sends a control sequence to standard error, after everything printed before. */
void rill_terminal_control(const char *sequence);

#endif

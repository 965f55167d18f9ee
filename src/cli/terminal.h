/* What is printed.  Decks inside trajectories, creators, file names, titles, headers of columns: much of it comes
 * from strangers, and a terminal obeys what is hidden in a text.  So standard output and standard error pass, as
 * whole streams, through a filter that shows control characters instead of sending them: \x1b, \u202e.  Lines and
 * tabs stay.  What rill itself says to a terminal goes another way. */
#ifndef RILL_CLI_TERMINAL_H
#define RILL_CLI_TERMINAL_H

#include <stdbool.h>

#define RILL_TERMINAL_LINE "\r"      /* to the line's beginning */
#define RILL_TERMINAL_CLEAR "\033[K" /* the rest of the line */

/* Puts the filters in front of stdout and stderr; false when memory is out. */
bool rill_terminal_filter(void);

/* Sends a control sequence to standard error, behind what was printed there. */
void rill_terminal_control(const char *sequence);

#endif

/* What is printed.  Decks inside trajectories, creators, file names, titles, headers of columns: much of it comes
 * from strangers, and a terminal obeys what is hidden in a text.  So standard output and standard error pass, as
 * whole streams, through a filter that shows control characters instead of sending them: \x1b, \u202e.  Lines and
 * tabs stay.  What rill itself says to a terminal goes another way. */
#ifndef RILL_CLI_TERMINAL_H
#define RILL_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RILL_TERMINAL_LINE "\r"      /* to the line's beginning */
#define RILL_TERMINAL_CLEAR "\033[K" /* the rest of the line */

/* Puts the filters in front of stdout and stderr; false when memory is out. */
bool rill_terminal_filter(void);

/* Sends a control sequence to standard error, behind what was printed there. */
void rill_terminal_control(const char *sequence);

/* Bytes of the UTF-8 character at the beginning of a text: 0 when it is none, and `size` + 1 when it is unfinished. */
size_t rill_utf8_character(const unsigned char *text, size_t size, uint32_t *code);

enum { RILL_VISIBLE_MOST = 10 }; /* bytes that become of one, at most */

/* The text so that it can be shown; `visible` holds RILL_VISIBLE_MOST * size bytes.  Returns the bytes that were
 * taken: an unfinished character at the end, of at most 3, is left for the next call.  *length: of what was made. */
size_t rill_make_visible(const char *text, size_t size, char *visible, size_t *length);

#endif

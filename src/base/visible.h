/* UTF-8, and making text from files safe to print on a terminal. */
#ifndef RILL_BASE_VISIBLE_H
#define RILL_BASE_VISIBLE_H

#include <stddef.h>
#include <stdint.h>

/* Length in bytes of the UTF-8 character at the beginning of a text; 0 when it is invalid, `size` + 1 when it is
 * incomplete. */
size_t rill_utf8_character(const unsigned char *text, size_t size, uint32_t *code);

enum { RILL_VISIBLE_MOST = 10 }; /* most bytes that one input byte can become */

/* Makes text safe to print; `visible` has room for RILL_VISIBLE_MOST * size bytes, and *length is set to the
 * number written.  Returns the number of bytes consumed: an incomplete character at the end, of at most 3 bytes, is
 * left for the next call. */
size_t rill_make_visible(const char *text, size_t size, char *visible, size_t *length);

#endif

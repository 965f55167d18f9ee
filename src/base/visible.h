/* UTF-8, and texts from files in a form that commands no terminal. */
#ifndef RILL_BASE_VISIBLE_H
#define RILL_BASE_VISIBLE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the UTF-8 character at the beginning of a text: 0 when it is none, and `size` + 1 when it is unfinished.
 */
size_t rill_utf8_character(const unsigned char *text, size_t size, uint32_t *code);

enum { RILL_VISIBLE_MOST = 10 }; /* bytes that become of one, at most */

/* The text so that it can be shown; `visible` holds RILL_VISIBLE_MOST * size bytes.  Returns the bytes that were
 * taken: an unfinished character at the end, of at most 3, is left for the next call.  *length: of what was made. */
size_t rill_make_visible(const char *text, size_t size, char *visible, size_t *length);

#endif

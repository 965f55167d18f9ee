#include "config.h" /* _GNU_SOURCE, for fopencookie */

#include "cli/terminal.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

size_t rill_utf8_character(const unsigned char *text, size_t size, uint32_t *code) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const size_t length = text[0] < 0x80   ? 1
                        : text[0] < 0xc2 ? 0
                        : text[0] < 0xe0 ? 2
                        : text[0] < 0xf0 ? 3
                        : text[0] < 0xf5 ? 4
                                         : 0;
  if (length < 2) {
    *code = text[0];
    return length;
  }
  *code = text[0] & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    if (i == size) return size + 1;
    if ((text[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (text[i] & 0x3f);
  }
  return *code >= least[length] && *code <= 0x10ffff && !(*code >= 0xd800 && *code < 0xe000) ? length : 0;
}

/* Controls, and what turns the direction of writing or separates lines. */
static bool is_shown(uint32_t code) {
  if (code < 0x20) return code == '\n' || code == '\t';
  return !(code >= 0x7f && code < 0xa0) && code != 0x61c && code != 0x200e && code != 0x200f && code != 0xfeff &&
         !(code >= 0x2028 && code <= 0x202e) && !(code >= 0x2066 && code <= 0x2069) && code < 0xe0000;
}

size_t rill_make_visible(const char *text, size_t size, char *visible, size_t *length) {
  size_t taken = 0;
  *length = 0;
  while (taken < size) {
    const unsigned char *at = (const unsigned char *)text + taken;
    uint32_t code;
    const size_t bytes = rill_utf8_character(at, size - taken, &code);
    if (bytes > size - taken) break;
    if (bytes > 0 && is_shown(code)) {
      memcpy(visible + *length, at, bytes);
      *length += bytes;
    } else {
      *length += (size_t)snprintf(visible + *length, RILL_VISIBLE_MOST + 1,
                                  bytes < 2        ? "\\x%02x"
                                  : code < 0x10000 ? "\\u%04x"
                                                   : "\\U%06x",
                                  bytes < 2 ? at[0] : (unsigned)code);
    }
    taken += bytes > 0 ? bytes : 1;
  }
  return taken;
}

enum { UNFINISHED_MOST = 3, PIECE = 512 };

struct filter {
  FILE *stream; /* that it stands in front of */
  char unfinished[UNFINISHED_MOST];
  size_t count;
};

static ssize_t filter_write(void *cookie, const char *text, size_t size) {
  struct filter *filter = cookie;
  char piece[UNFINISHED_MOST + PIECE], visible[RILL_VISIBLE_MOST * sizeof piece + 1];
  for (size_t done = 0; done < size;) {
    const size_t more = size - done < PIECE ? size - done : PIECE, count = filter->count + more;
    size_t length, taken;
    memcpy(piece, filter->unfinished, filter->count);
    memcpy(piece + filter->count, text + done, more);
    taken = rill_make_visible(piece, count, visible, &length);
    filter->count = count - taken;
    memcpy(filter->unfinished, piece + taken, filter->count);
    if (fwrite(visible, 1, length, filter->stream) != length) return 0;
    done += more;
  }
  return (ssize_t)size;
}

static FILE *put_before(FILE *stream, struct filter *filter, int mode) {
  const cookie_io_functions_t functions = {.write = filter_write};
  FILE *filtered = fopencookie(filter, "w", functions);
  filter->stream = stream;
  if (filtered == NULL) return NULL;
  setvbuf(stream, NULL, _IONBF, 0);
  setvbuf(filtered, NULL, mode, BUFSIZ);
  return filtered;
}

static struct filter output, errors;

bool rill_terminal_filter(void) {
  FILE *first = put_before(stdout, &output, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
  FILE *second = put_before(stderr, &errors, _IONBF);
  if (first == NULL || second == NULL) return false;
  stdout = first;
  stderr = second;
  return true;
}

void rill_terminal_control(const char *sequence) {
  fflush(stderr);
  fputs(sequence, errors.stream != NULL ? errors.stream : stderr);
}

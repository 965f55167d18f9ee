#include "config.h" /* _GNU_SOURCE, for fopencookie */

#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/visible.h"

enum { UNFINISHED_MOST = 3, PIECE = 512 };

struct filter {
  FILE *stream; /* the wrapped stream */
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

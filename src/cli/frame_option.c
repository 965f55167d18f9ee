#include "cli/frame_option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum rill_status rill_frame_choose(const char *text, struct rill_frame_choice *choice, struct rill_error *error) {
  *choice = (struct rill_frame_choice){.kind = RILL_FRAME_FIRST};
  if (text == NULL) return RILL_OK;
  if (strcmp(text, "all") == 0) {
    choice->kind = RILL_FRAME_ALL;
  } else if (strcmp(text, "last") == 0) {
    choice->kind = RILL_FRAME_LAST;
  } else {
    choice->kind = RILL_FRAME_NUMBER;
    errno = 0;
    choice->number = (size_t)strtoull(text, NULL, 10);
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
      return rill_error_set(error, RILL_ERROR_USAGE, "--frame %s: expected a number from 0, last or all", text);
    if (errno != 0) return rill_error_set(error, RILL_ERROR_USAGE, "--frame %s: no file has as many frames", text);
  }
  return RILL_OK;
}

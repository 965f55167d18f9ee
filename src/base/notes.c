#include "base/notes.h"

#include <stdarg.h>
#include <stdio.h>

void rill_note(const struct rill_notes *notes, const char *format, ...) {
  char text[2001];
  va_list arguments;
  if (notes == NULL) return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  notes->take(notes->context, text);
}

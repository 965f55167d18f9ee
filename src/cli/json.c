#include "cli/json.h"

#include <math.h>
#include <stdio.h>

void rill_json_string(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      putchar('\\');
    if (*text == '\n')
      fputs("\\n", stdout);
    else
      putchar(*text);
  }
  putchar('"');
}

void rill_json_number(const char *name, double value) {
  if (isfinite(value))
    printf(", \"%s\": %.17g", name, value);
  else
    printf(", \"%s\": null", name);
}

#include "show/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/visible.h"

static void put_text(FILE *stream, const char *text) {
  const size_t size = strlen(text);
  size_t length;
  fputc('"', stream);
  for (size_t i = 0; i < size; i += length) {
    uint32_t code;
    length = rill_utf8_character((const unsigned char *)text + i, size - i, &code);
    if (length == 0 || length > size - i) {
      code = 0xfffd;
      length = 1;
    }
    if (code == '"' || code == '\\') fprintf(stream, "\\%c", (int)code);
    else if (code == '\n') fputs("\\n", stream);
    else if (code >= 0x20 && code < 0x7f) fputc((int)code, stream);
    else if (code < 0x10000) fprintf(stream, "\\u%04x", (unsigned)code);
    else fprintf(stream, "\\u%04x\\u%04x", 0xd7c0 + (unsigned)(code >> 10), 0xdc00 + (unsigned)(code & 0x3ff));
  }
  fputc('"', stream);
}

static void indent(struct rill_json *json) { fprintf(json->stream, "\n%*s", 2 * json->depth, ""); }

/* Comma, line break and name before the next value. */
static FILE *next(struct rill_json *json, const char *name) {
  if (json->depth > 0) {
    const bool first = !json->level[json->depth - 1].any, lines = json->level[json->depth - 1].lines;
    json->level[json->depth - 1].any = true;
    if (!first) fputc(',', json->stream);
    if (lines) indent(json);
    else if (!first) fputc(' ', json->stream);
  }
  if (name != NULL) {
    put_text(json->stream, name);
    fputs(": ", json->stream);
  }
  return json->stream;
}

/* Members of an object in the document start new lines; those of a list, and deeper ones, stay on one line. */
static void begin(struct rill_json *json, const char *name, char first, char last) {
  const bool lines = json->depth == 0 || (json->depth == 1 && json->level[0].end == '}');
  fputc(first, next(json, name));
  json->level[json->depth].end = last;
  json->level[json->depth].lines = lines;
  json->level[json->depth].any = false;
  json->depth++;
}

void rill_json_object(struct rill_json *json, const char *name) { begin(json, name, '{', '}'); }
void rill_json_list(struct rill_json *json, const char *name) { begin(json, name, '[', ']'); }

void rill_json_row(struct rill_json *json, const char *name) {
  rill_json_list(json, name);
  json->level[json->depth - 1].lines = false;
}

void rill_json_close(struct rill_json *json) {
  json->depth--;
  if (json->level[json->depth].lines && json->level[json->depth].any) indent(json);
  fputc(json->level[json->depth].end, json->stream);
}

void rill_json_null(struct rill_json *json, const char *name) { fputs("null", next(json, name)); }

void rill_json_string(struct rill_json *json, const char *name, const char *text) {
  if (text == NULL) rill_json_null(json, name);
  else put_text(next(json, name), text);
}

void rill_json_number(struct rill_json *json, const char *name, double value) {
  if (isfinite(value)) fprintf(next(json, name), "%.17g", value);
  else rill_json_null(json, name);
}

void rill_json_quantity(struct rill_json *json, const char *name, const char *unit, double value) {
  char full[64];
  snprintf(full, sizeof full, "%s%s%s", name, *unit ? "_" : "", unit);
  for (char *at = full; *at != '\0'; at++)
    if (*at == '/') *at = '_';
  rill_json_number(json, full, value);
}

void rill_json_numbers(struct rill_json *json, const char *name, const double *values, size_t count) {
  rill_json_row(json, name);
  for (size_t i = 0; i < count; i++) rill_json_number(json, NULL, values[i]);
  rill_json_close(json);
}

void rill_json_count(struct rill_json *json, const char *name, uint64_t value) {
  fprintf(next(json, name), "%" PRIu64, value);
}

void rill_json_bool(struct rill_json *json, const char *name, bool value) {
  fputs(value ? "true" : "false", next(json, name));
}

void rill_json_matrix(struct rill_json *json, const char *name, const double (*rows)[3]) {
  if (rows == NULL) {
    rill_json_null(json, name);
    return;
  }
  rill_json_row(json, name);
  for (int i = 0; i < 3; i++) rill_json_numbers(json, NULL, rows[i], 3);
  rill_json_close(json);
}

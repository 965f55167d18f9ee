#include "simulation/properties_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/output_file.h"
#include "deck/units.h"

/* ---- CSV ---- */

static void put_comment(FILE *stream, const char *text) {
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    fprintf(stream, "# %.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

static void put_csv(FILE *stream, const struct rill_property_report *report, const char *provenance) {
  put_comment(stream, "properties of the liquid; error: one standard error, nan with too few independent samples");
  for (size_t i = 0; i < report->note_count; i++) put_comment(stream, report->note[i]);
  put_comment(stream, provenance);
  fputs("property,value,error,unit,remark\n", stream);
  for (size_t i = 0; i < report->count; i++) {
    const struct rill_property *r = &report->result[i];
    fprintf(stream, "%s,%.17g,%.17g,%s,%s\n", r->name, r->estimate.value, r->estimate.error, r->unit, r->remark);
  }
}

/* ---- JSON ---- */

static void put_number(FILE *stream, double value) {
  if (isfinite(value)) fprintf(stream, "%.17g", value);
  else fputs("null", stream);
}

/* The texts hold no control characters. */
static void put_text(FILE *stream, const char *text) {
  fputc('"', stream);
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', stream);
    fputc(*text, stream);
  }
  fputc('"', stream);
}

static void put_texts(FILE *stream, const char *name, const char *const *texts, size_t count) {
  fprintf(stream, "      \"%s\": [", name);
  for (size_t i = 0; i < count; i++) {
    if (i > 0) fputs(", ", stream);
    put_text(stream, texts[i]);
  }
  fputs("],\n", stream);
}

static void put_curve(FILE *stream, const struct rill_property_curve *curve) {
  fprintf(stream, "    \"%s\": {\n", curve->name);
  put_texts(stream, "columns", curve->column, curve->columns);
  put_texts(stream, "units", curve->unit, curve->columns);
  fputs("      \"fit\": [", stream);
  put_number(stream, curve->from);
  fputs(", ", stream);
  put_number(stream, curve->to);
  fputs("],\n      \"rows\": [", stream);
  for (size_t i = 0; i < curve->rows; i++) {
    fputs(i > 0 ? ",\n        [" : "\n        [", stream);
    for (size_t c = 0; c < curve->columns; c++) {
      if (c > 0) fputs(", ", stream);
      put_number(stream, curve->values[i * curve->columns + c]);
    }
    fputc(']', stream);
  }
  fputs("\n      ]\n    }", stream);
}

static void put_json(FILE *stream, const struct rill_property_report *report) {
  fputs("{\n  \"properties\": [", stream);
  for (size_t i = 0; i < report->count; i++) {
    const struct rill_property *r = &report->result[i];
    fprintf(stream, "%s\n    {\"property\": \"%s\", \"value\": ", i > 0 ? "," : "", r->name);
    put_number(stream, r->estimate.value);
    fputs(", \"error\": ", stream);
    put_number(stream, r->estimate.error);
    fputs(", \"unit\": ", stream);
    put_text(stream, r->unit);
    fputs(", \"remark\": ", stream);
    put_text(stream, r->remark);
    fputc('}', stream);
  }
  fputs("\n  ],\n  \"notes\": [", stream);
  for (size_t i = 0; i < report->note_count; i++) {
    fputs(i > 0 ? ",\n    " : "\n    ", stream);
    put_text(stream, report->note[i]);
  }
  fputs("\n  ],\n  \"curves\": {", stream);
  for (size_t i = 0; i < report->curve_count; i++) {
    fputs(i > 0 ? ",\n" : "\n", stream);
    put_curve(stream, &report->curve[i]);
  }
  fputs("\n  }\n}\n", stream);
}

/* ---- files ---- */

typedef void (*put_function)(FILE *stream, const struct rill_property_report *report, const char *provenance);

static void put_json_only(FILE *stream, const struct rill_property_report *report, const char *provenance) {
  (void)provenance;
  put_json(stream, report);
}

static enum rill_status write_file(put_function put, const struct rill_property_report *report, const char *path,
                                   const char *provenance, bool replace, struct rill_error *error) {
  struct rill_part part;
  FILE *stream;
  int descriptor;
  bool failed = true;
  RILL_TRY(rill_part_create(path, &part, error));
  descriptor = dup(part.descriptor);
  stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  if (stream != NULL) {
    put(stream, report, provenance);
    failed = ferror(stream) != 0;
    failed = fclose(stream) != 0 || failed;
  } else if (descriptor >= 0) {
    close(descriptor);
  }
  if (!failed) return rill_part_finish(&part, replace, NULL, error);
  rill_part_discard(&part);
  return rill_error_set(error, RILL_ERROR_WRITE, "%s cannot be written", path);
}

enum rill_status rill_properties_write(const struct rill_property_report *report, const char *csv, const char *json,
                                       const char *provenance, bool replace, struct rill_error *error) {
  struct rill_c_locale locale;
  enum rill_status status;
  RILL_TRY(rill_c_locale_enter(&locale, error));
  status = write_file(put_csv, report, csv, provenance, replace, error);
  if (status == RILL_OK) status = write_file(put_json_only, report, json, provenance, replace, error);
  rill_c_locale_leave(&locale);
  return status;
}

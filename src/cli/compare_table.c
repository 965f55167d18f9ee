#include "cli/compare_table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/written.h"

struct column {
  enum rill_compare_part part;
  const char *name, *heading, *format;
  double factor;
  size_t offset;
};

static const struct column columns[] = {
#define X(part, name, heading, format, factor) \
  {RILL_COMPARE_##part, #name, heading, format, factor, offsetof(struct rill_compare_numbers, name)},
    RILL_COMPARE_COLUMNS(X)
#undef X
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const char *const part_titles[RILL_COMPARE_PARTS] = {
    "time, and work of a step",
    "what is conserved",
    "what is sampled",
};
static const char *const part_notes[RILL_COMPARE_PARTS] = {
    "us/step: median of interleaved repeats, with the least and the most; forces, solve (constraints, linear or "
    "nonlinear), "
    "thermostat and rest are parts of it;\nobservation: us a sample, not in a step; evaluations: of forces and their "
    "derivatives in "
    "a step; us/day: simulated",
    "bonds: rms of |d-d0|/d0 at the state x and at the physical positions q; drift in kJ/mol/ns, fluctuation "
    "(standard deviation) "
    "and change (largest) of the\ntotal energy at q in kJ/mol; momenta: largest change, u nm/ps and u nm2/ps (- "
    "under a thermostat)",
    "temperatures in K, on-step and half-step; energies in kJ/mol; +-: standard errors, - with too few independent "
    "samples; L1: distance of the O-O distribution from that of "
    "the first "
    "line; seeds: that of the first\nline with another seed",
};

static double number_of(const struct rill_compare_row *row, const struct column *column) {
  return *(const double *)(const void *)((const char *)&row->numbers + column->offset);
}

void rill_compare_clear(struct rill_compare_numbers *numbers) {
  for (size_t i = 0; i < COLUMNS; i++) *(double *)(void *)((char *)numbers + columns[i].offset) = NAN;
}

/* The width that a format such as %10.3f begins with. */
static int width_of(const struct column *column) { return atoi(column->format + 1); }

static bool any_shown(const struct rill_compare_row *rows, size_t count, const struct column *column) {
  if (column->heading == NULL) return false;
  for (size_t i = 0; i < count; i++)
    if (!isnan(number_of(&rows[i], column))) return true;
  return false;
}

static void print_part(FILE *stream, enum rill_compare_part part, const struct rill_compare_row *rows, size_t count) {
  bool shown[COLUMNS];
  fprintf(stream, "\n%s\n%-28s%9s", part_titles[part], "method", "step/fs");
  for (size_t i = 0; i < COLUMNS; i++) {
    shown[i] = columns[i].part == part && any_shown(rows, count, &columns[i]);
    if (shown[i]) fprintf(stream, "%*s", width_of(&columns[i]), columns[i].heading);
  }
  fputc('\n', stream);
  for (size_t r = 0; r < count; r++) {
    if (rows[r].failure[0] != '\0') continue;
    fprintf(stream, "%-28s%9.4g", rows[r].label, rows[r].step * 1e3);
    for (size_t i = 0; i < COLUMNS; i++) {
      double value = number_of(&rows[r], &columns[i]);
      if (shown[i] && isnan(value))
        fprintf(stream, "%*s", width_of(&columns[i]), "-");
      else if (shown[i])
        fprintf(stream, columns[i].format, value * columns[i].factor);
    }
    fputc('\n', stream);
  }
  fprintf(stream, "%s\n", part_notes[part]);
}

void rill_compare_print(FILE *stream, const struct rill_compare_row *rows, size_t count) {
  for (int part = 0; part < RILL_COMPARE_PARTS; part++) print_part(stream, (enum rill_compare_part)part, rows, count);
  for (size_t r = 0; r < count; r++)
    if (rows[r].failure[0] != '\0')
      fprintf(stream, "\n%s, step %.4g fs, failed: %s", rows[r].label, rows[r].step * 1e3, rows[r].failure);
  fputc('\n', stream);
}

static double akma(double stiffness) { return stiffness * RILL_ANGSTROM * RILL_ANGSTROM / sqrt(RILL_KCAL); }

enum rill_status rill_compare_write_csv(const char *path, bool replace, const char *title,
                                        const struct rill_compare_row *rows, size_t count, struct rill_error *error) {
  FILE *file;
  bool failed;
  RILL_TRY(rill_written_open(path, replace, &file, error));
  fprintf(file, "# %s\nmethod,step_fs,steps,stiffness_akma", title);
  for (size_t i = 0; i < COLUMNS; i++) fprintf(file, ",%s", columns[i].name);
  fputs(",status\n", file);
  for (size_t r = 0; r < count; r++) {
    fprintf(file, "%s,%.10g,%" PRIu64 ",%.10g", rows[r].label, rows[r].step * 1e3, rows[r].steps,
            akma(rows[r].stiffness));
    for (size_t i = 0; i < COLUMNS; i++) {
      double value = number_of(&rows[r], &columns[i]);
      fprintf(file, isnan(value) ? "," : ",%.10g", value);
    }
    fprintf(file, ",%s\n", rows[r].failure[0] == '\0' ? "ok" : "failed");
  }
  failed = ferror(file) != 0;
  failed = fclose(file) != 0 || failed;
  return failed ? rill_error_set(error, RILL_ERROR_WRITE, "%s could not be written", path) : RILL_OK;
}

void rill_compare_print_json(FILE *stream, const struct rill_compare_row *rows, size_t count) {
  fputs("[\n", stream);
  for (size_t r = 0; r < count; r++) {
    fprintf(stream, "  {\"method\": \"%s\", \"step_fs\": %.10g, \"steps\": %" PRIu64 ", \"stiffness_akma\": %.10g",
            rows[r].label, rows[r].step * 1e3, rows[r].steps, akma(rows[r].stiffness));
    for (size_t i = 0; i < COLUMNS; i++) {
      double value = number_of(&rows[r], &columns[i]);
      fprintf(stream, ", \"%s\": ", columns[i].name);
      fprintf(stream, isfinite(value) ? "%.10g" : "null", value);
    }
    fprintf(stream, ", \"status\": \"%s\"}%s\n", rows[r].failure[0] == '\0' ? "ok" : "failed",
            r + 1 < count ? "," : "");
  }
  fputs("]\n", stream);
}

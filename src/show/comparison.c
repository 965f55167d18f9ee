#include "show/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const part_titles[RILL_COMPARE_PARTS] = {
    "time and work per step",
    "conservation",
    "sampling",
};
static const char *const part_notes[RILL_COMPARE_PARTS] = {
    "us/step: median of interleaved repeats, with the minimum and the maximum; forces, solve (constraints, linear or "
    "nonlinear), thermostat and rest are its parts;\nobservation: microseconds per sample, not part of a step; "
    "evaluations: of forces and their derivatives per step; us/day: simulated time per day of wall time",
    "bonds: rms of |d-d0|/d0 at the state x and at the physical positions q; drift in kJ/mol/ns, fluctuation "
    "(standard deviation) and largest change of the\ntotal energy at q in kJ/mol; momenta: largest change, in u "
    "nm/ps and u nm2/ps (- with a thermostat)",
    "temperatures in K, on-step and half-step; energies in kJ/mol; +-: standard error, - with too few independent "
    "samples; L1: distance of the O-O distribution from that of the first row; seeds: that of the first\nrow with "
    "another seed",
};

/* The width in a format such as %10.3f. */
static int width_of(const struct rill_compare_column *column) { return atoi(column->format + 1); }

static void print_number(FILE *out, const struct rill_compare_column *column, double value) {
  if (isnan(value)) fprintf(out, "%*s", width_of(column), "-");
  else fprintf(out, column->format, value * column->factor);
}

static bool any_shown(const struct rill_compare_table *table, size_t column) {
  if (table->columns[column].heading == NULL) return false;
  for (size_t i = 0; i < table->row_count; i++)
    if (table->rows[i].failure[0] == '\0' && !isnan(table->rows[i].value[column])) return true;
  return false;
}

static void print_part(FILE *out, const struct rill_compare_table *table, enum rill_compare_part part) {
  bool shown[RILL_COMPARE_VALUES];
  fprintf(out, "\n%s\n%-28s%9s", part_titles[part], "method", "step/fs");
  for (size_t i = 0; i < table->column_count; i++) {
    shown[i] = table->columns[i].part == part && any_shown(table, i);
    if (shown[i]) fprintf(out, "%*s", width_of(&table->columns[i]), table->columns[i].heading);
  }
  fputc('\n', out);
  for (size_t r = 0; r < table->row_count; r++) {
    const struct rill_compare_row *row = &table->rows[r];
    if (row->failure[0] != '\0') continue;
    fprintf(out, "%-28s%9.4g", row->label, row->step * 1e3);
    for (size_t i = 0; i < table->column_count; i++)
      if (shown[i]) print_number(out, &table->columns[i], row->value[i]);
    fputc('\n', out);
  }
  fprintf(out, "%s\n", part_notes[part]);
}

static void print_water(FILE *out, const struct rill_compare_table *table) {
  for (int part = 0; part < RILL_COMPARE_PARTS; part++) print_part(out, table, (enum rill_compare_part)part);
  for (size_t r = 0; r < table->row_count; r++)
    if (table->rows[r].failure[0] != '\0')
      fprintf(out, "\n%s, step %.4g fs, failed: %s", table->rows[r].label, table->rows[r].step * 1e3,
              table->rows[r].failure);
  fputc('\n', out);
}

static void print_small(FILE *out, const struct rill_compare_table *table) {
  int width = 24;
  for (size_t i = 0; i < table->row_count; i++) {
    const int length = (int)strlen(table->rows[i].label);
    width = length > width ? length : width;
  }
  fprintf(out, "%-*s%12s", width, "method", "step");
  for (size_t i = 0; i < table->column_count; i++)
    fprintf(out, "%*s", width_of(&table->columns[i]), table->columns[i].heading);
  fputc('\n', out);
  for (size_t r = 0; r < table->row_count; r++) {
    const struct rill_compare_row *row = &table->rows[r];
    fprintf(out, "%-*s%12g", width, row->label, row->step);
    if (row->failure[0] != '\0') {
      fprintf(out, "  failed: %s\n", row->failure);
      continue;
    }
    for (size_t i = 0; i < table->column_count; i++) print_number(out, &table->columns[i], row->value[i]);
    fputc('\n', out);
  }
  fputs(
      "position: largest difference of a coordinate from the reference; energy: largest deviation from the start, "
      "over all steps; momentum: largest\nchange of the momentum maps that the reference conserves (- if there are "
      "none); us/step: median of interleaved repeats\n",
      out);
}

static void put(struct rill_json *json, const struct rill_compare_table *table) {
  for (size_t r = 0; r < table->row_count; r++) {
    const struct rill_compare_row *row = &table->rows[r];
    rill_json_object(json, NULL);
    rill_json_string(json, "method", row->label);
    rill_json_number(json, rill_compare_step_name(table), rill_compare_step(table, row));
    rill_json_count(json, "steps", row->steps);
    if (table->water) rill_json_number(json, "stiffness_akma", rill_compare_stiffness(row));
    for (size_t i = 0; i < table->column_count; i++) rill_json_number(json, table->columns[i].name, row->value[i]);
    rill_json_string(json, "status", row->failure[0] == '\0' ? "ok" : "failed");
    rill_json_close(json);
  }
}

void rill_show_comparison(struct rill_page *page, const char *path, const struct rill_compare_table *table) {
  rill_page_list(page);
  if (page->text == NULL) {
    put(&page->json, table);
    return;
  }
  fprintf(page->text, "%s: %s\n", path, table->title);
  (table->water ? print_water : print_small)(page->text, table);
}

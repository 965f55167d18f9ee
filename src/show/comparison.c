#include "show/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* The columns of labels and of steps. */
struct widths {
  int label, step;
};

static struct widths widths_of(const struct rill_compare_table *table) {
  struct widths widths = {table->water ? 28 : 24, table->water ? 9 : 12};
  for (size_t i = 0; i < table->row_count; i++) {
    const int length = (int)strlen(table->rows[i].label);
    if (length >= widths.label) widths.label = length + 1;
  }
  return widths;
}

static void print_part(FILE *out, const struct rill_compare_table *table, int part, struct widths widths) {
  bool shown[RILL_COMPARE_VALUES];
  if (table->parts[part].title[0] != '\0') fprintf(out, "\n%s\n", table->parts[part].title);
  fprintf(out, "%-*s%*s", widths.label, "method", widths.step, table->water ? "step/fs" : "step");
  for (size_t i = 0; i < table->column_count; i++) {
    shown[i] = table->columns[i].part == part && any_shown(table, i);
    if (shown[i]) fprintf(out, "%*s", width_of(&table->columns[i]), table->columns[i].heading);
  }
  fputc('\n', out);
  for (size_t r = 0; r < table->row_count; r++) {
    const struct rill_compare_row *row = &table->rows[r];
    if (row->failure[0] != '\0') continue;
    fprintf(out, "%-*s%*g", widths.label, row->label, widths.step, rill_compare_step(table, row));
    for (size_t i = 0; i < table->column_count; i++)
      if (shown[i]) print_number(out, &table->columns[i], row->value[i]);
    fputc('\n', out);
  }
  fprintf(out, "%s\n", table->parts[part].note);
}

static void print_limits(FILE *out, const struct rill_compare_table *table, struct widths widths) {
  if (table->limit_count == 0) return;
  fprintf(out, "\nlimits for a step of 0: mean = limit + slope h^p\n%-*s%18s%14s%10s%3s%12s%10s%6s%9s%10s  %s\n",
          widths.label, "method", "observable", "limit", "+-", "p", "slope", "+-", "runs", "chi2", "prob.", "fits");
  for (size_t i = 0; i < table->limit_count; i++) {
    const struct rill_compare_limit *limit = &table->limits[i];
    const struct rill_step_limit *fit = &limit->fit;
    fprintf(out, "%-*s%18s", widths.label, limit->label, table->observable[limit->observable]);
    if (isnan(fit->limit)) {
      fputs("  needs two steps or more with enough independent samples\n", out);
      continue;
    }
    fprintf(out, "%14.7g%10.2g%3d%12.3g%10.2g%6zu", fit->limit, fit->limit_error, limit->order, fit->slope,
            fit->slope_error, fit->runs);
    if (fit->freedom > 0)
      fprintf(out, "%9.3g%10.2g  %s\n", fit->chi_squared, fit->probability, rill_step_limit_fits(fit) ? "yes" : "no");
    else fprintf(out, "%9s%10s  %s\n", "-", "-", "-");
  }
  fprintf(out,
          "h in %s; p: the order of the method; chi2: of runs - 2 degrees of freedom, prob.: that it is as large by "
          "chance.  no: the steps are too long for\none power (leave out the longest), or their runs too short for "
          "their errors\n",
          table->water        ? "fs"
          : *table->time_unit ? table->time_unit
                              : "units of time");
}

static void print_failures(FILE *out, const struct rill_compare_table *table) {
  for (size_t r = 0; r < table->row_count; r++) {
    const struct rill_compare_row *row = &table->rows[r];
    if (row->failure[0] == '\0') continue;
    fprintf(out, "\n%s, step %g%s, failed: %s\n", row->label, rill_compare_step(table, row),
            table->water ? " fs" : "", row->failure);
  }
}

static void print(FILE *out, const struct rill_compare_table *table) {
  const struct widths widths = widths_of(table);
  for (size_t part = 0; part < table->part_count; part++) print_part(out, table, (int)part, widths);
  print_limits(out, table, widths);
  print_failures(out, table);
  if (table->without_bias)
    fputs(
        "\nNo bias is given of energies between constrained and penalised rows: springs have degrees of freedom of "
        "their own.\n",
        out);
  if (table->unlike_laws)
    fputs(
        "\nConstrained and penalised rows sample different laws of positions, however stiff the springs: part of a "
        "bias is that difference.  With thermostat.measure=stiff-limit both have that of stiff springs.\n",
        out);
  if (table->penalised)
    fputs(
        "\nThe reference is penalised: errors leave out that of the penalty.  To see it, compare with a rigid form, "
        "as in --methods rattle/constrained,...\n",
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
    rill_json_string(json, "reference", table->reference);
    rill_json_string(json, "status", row->failure[0] == '\0' ? "ok" : "failed");
    rill_json_string(json, "failure", row->failure[0] == '\0' ? NULL : row->failure);
    rill_json_close(json);
  }
}

static void put_limits(struct rill_json *json, const struct rill_compare_table *table) {
  for (size_t i = 0; i < table->limit_count; i++) {
    const struct rill_compare_limit *limit = &table->limits[i];
    const struct rill_step_limit *fit = &limit->fit;
    rill_json_object(json, NULL);
    rill_json_string(json, "method", limit->label);
    rill_json_string(json, "extrapolated", table->observable[limit->observable]);
    rill_json_string(json, "unit", table->unit[limit->observable]);
    rill_json_number(json, "limit", fit->limit);
    rill_json_number(json, "limit_error", fit->limit_error);
    rill_json_count(json, "power", (uint64_t)limit->order);
    rill_json_number(json, "slope", fit->slope);
    rill_json_number(json, "slope_error", fit->slope_error);
    rill_json_count(json, "runs", fit->runs);
    rill_json_number(json, "chi_squared", fit->chi_squared);
    rill_json_count(json, "freedom", fit->freedom);
    rill_json_number(json, "probability", fit->probability);
    rill_json_bool(json, "fits", rill_step_limit_fits(fit));
    rill_json_close(json);
  }
}

void rill_show_comparison(struct rill_page *page, const char *path, const struct rill_compare_table *table) {
  rill_page_list(page);
  if (page->text == NULL) {
    put(&page->json, table);
    put_limits(&page->json, table);
    return;
  }
  fprintf(page->text, "%s: %s\n", path, table->title);
  print(page->text, table);
}

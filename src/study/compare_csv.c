#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "simulation/written.h"
#include "study/compare.h"

/* In the CSV of a comparison on water, steps are in fs and numbers have ten digits. */
const char *rill_compare_step_name(const struct rill_compare_table *table) {
  return table->water ? "step_fs" : table->time_unit[0] == 's' ? "step_s" : "step";
}

double rill_compare_step(const struct rill_compare_table *table, const struct rill_compare_row *row) {
  return table->water ? row->step * 1e3 : row->step;
}

double rill_compare_stiffness(const struct rill_compare_row *row) {
  return row->stiffness * RILL_ANGSTROM * RILL_ANGSTROM / sqrt(RILL_KCAL);
}

static const char *format_of(const struct rill_compare_table *table) { return table->water ? "%.10g" : "%.17g"; }

enum rill_status rill_compare_write_csv(const struct rill_compare_table *table, const char *path, bool replace,
                                        struct rill_error *error) {
  FILE *file;
  bool failed;
  RILL_TRY(rill_written_open(path, replace, &file, error));
  fprintf(file, "# %s\nmethod,%s,steps%s", table->title, rill_compare_step_name(table),
          table->water ? ",stiffness_akma" : "");
  for (size_t i = 0; i < table->column_count; i++) fprintf(file, ",%s", table->columns[i].name);
  fputs(",status\n", file);
  for (size_t r = 0; r < table->row_count; r++) {
    const struct rill_compare_row *row = &table->rows[r];
    fprintf(file, "%s,", row->label);
    fprintf(file, format_of(table), rill_compare_step(table, row));
    fprintf(file, ",%" PRIu64, row->steps);
    if (table->water) fprintf(file, ",%.10g", rill_compare_stiffness(row));
    for (size_t i = 0; i < table->column_count; i++) {
      fputc(',', file);
      if (!isnan(row->value[i])) fprintf(file, format_of(table), row->value[i]);
    }
    fprintf(file, ",%s\n", row->failure[0] == '\0' ? "ok" : "failed");
  }
  failed = ferror(file) != 0;
  failed = fclose(file) != 0 || failed;
  if (!failed) return RILL_OK;
  remove(path);
  return rill_error_set(error, RILL_ERROR_WRITE, "%s could not be written", path);
}

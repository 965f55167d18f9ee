/* rill compare --extrapolate: the error of the step removed from the means of a table. */
#include <stdlib.h>
#include <string.h>

#include "study/compare_samples.h"

enum { STEPS = 64 };

enum rill_status rill_compare_check_extrapolation(const struct rill_compare_request *request,
                                                  const struct rill_deck *deck, struct rill_error *error) {
  const bool water = deck->units == RILL_UNITS_MOLECULAR;
  if (!request->extrapolate) return RILL_OK;
  if (deck->thermostat.method == RILL_NO_BATH)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--extrapolate: means are extrapolated under a thermostat; set thermostat.method");
  if (request->steps != NULL ? strchr(request->steps, ',') != NULL : !water) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_USAGE,
      "--extrapolate: several steps are expected, three to see whether they fit, such as --steps %s",
      water ? "2fs,4fs,6fs" : "0.1,0.2,0.3");
}

int rill_compare_order(const struct rill_simulation *sim) {
  const struct rill_method_options options = rill_method_options_of(&sim->deck);
  return sim->composition != NULL ? sim->composition->order : rill_method_with(sim->method, &options).order;
}

static bool is_new(const struct rill_compare_table *table, size_t row) {
  for (size_t i = 0; i < row; i++)
    if (strcmp(table->rows[i].label, table->rows[row].label) == 0) return false;
  return true;
}

static struct rill_step_limit limit_of(const struct rill_compare_table *table, const char *label, int order,
                                       size_t column) {
  double step[STEPS], mean[STEPS], error[STEPS];
  size_t count = 0;
  for (size_t i = 0; i < table->row_count && count < STEPS; i++) {
    const struct rill_compare_row *row = &table->rows[i];
    if (strcmp(row->label, label) != 0 || row->failure[0] != '\0') continue;
    step[count] = rill_compare_step(table, row);
    mean[count] = row->value[column];
    error[count++] = row->value[column + 1];
  }
  return rill_step_limit_of(step, mean, error, count, order);
}

enum rill_status rill_compare_extrapolate(struct rill_compare_table *table, struct rill_error *error) {
  const size_t most = table->row_count * table->observable_count;
  table->limits = calloc(most > 0 ? most : 1, sizeof *table->limits);
  if (table->limits == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (size_t k = 0; k < table->observable_count; k++)
    for (size_t r = 0; r < table->row_count; r++) {
      const struct rill_compare_row *row = &table->rows[r];
      if (!is_new(table, r)) continue;
      table->limits[table->limit_count++] = (struct rill_compare_limit){
          row->label, k, row->order,
          limit_of(table, row->label, row->order, table->first_mean + k * RILL_PRICE_COLUMNS)};
    }
  return RILL_OK;
}

#include "study/compare_samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rill_price_clear(struct rill_price *price) {
  *price = (struct rill_price){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

struct rill_price rill_price_of(const struct rill_mean *mean, double interval, double step, const double *seconds,
                                size_t repeats) {
  const double least = seconds[0], scatter = (seconds[repeats / 4] - least) / least;
  struct rill_price price = {.mean = mean->mean, .mean_error = mean->error, .bias = NAN, .bias_error = NAN};
  double relative;
  price.tau = rill_mean_correlation_time(mean, interval, &price.tau_error);
  price.cost = 2 * price.tau / step * least;
  price.rate = 1 / price.cost;
  relative = hypot(price.tau_error / price.tau, scatter);
  price.cost_error = price.cost * relative;
  price.rate_error = price.rate * relative;
  return price;
}

void rill_price_add_bias(struct rill_price *price, const struct rill_mean *other) {
  price->bias = price->mean - other->mean;
  price->bias_error = hypot(price->mean_error, other->error);
}

static enum rill_status choose(char *list, const char *standard,
                               bool (*find)(const void *, const char *, struct rill_compare_observable *),
                               const void *context, const char *expected, struct rill_compare_observable *chosen,
                               size_t *count, struct rill_error *error) {
  const char *names[RILL_COMPARE_OBSERVABLES] = {standard};
  *count = 1;
  if (list != NULL)
    RILL_TRY(rill_compare_split(list, "--observables", names, RILL_COMPARE_OBSERVABLES, count, error));
  for (size_t i = 0; i < *count; i++) {
    if (!find(context, names[i], &chosen[i]))
      return rill_error_set(error, RILL_ERROR_USAGE,
                            "--observables %s: not an observable of this system; expected %s", names[i], expected);
    for (size_t j = 0; j < i; j++)
      if (chosen[j].sampled == chosen[i].sampled)
        return rill_error_set(error, RILL_ERROR_USAGE, "--observables: %s is given twice", names[i]);
  }
  return RILL_OK;
}

enum rill_status rill_compare_choose_observables(
    const char *list, const char *standard,
    bool (*find)(const void *context, const char *name, struct rill_compare_observable *found), const void *context,
    const char *expected, struct rill_compare_observable *chosen, size_t *count, struct rill_error *error) {
  char *copy = list != NULL ? strdup(list) : NULL;
  enum rill_status status;
  if (list != NULL && copy == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = choose(copy, standard, find, context, expected, chosen, count, error);
  free(copy);
  return status;
}

enum rill_status rill_compare_split_reference(const char *text, const char *example, char label[RILL_METHOD_LABEL],
                                              const char **step, struct rill_error *error) {
  const char *at = strchr(text, '@');
  if (at == NULL || at - text >= RILL_METHOD_LABEL)
    return rill_error_set(error, RILL_ERROR_USAGE, "--reference %.60s: METHOD@STEP is expected, such as %s", text,
                          example);
  snprintf(label, RILL_METHOD_LABEL, "%.*s", (int)(at - text), text);
  *step = at + 1;
  return RILL_OK;
}

enum rill_status rill_compare_refuse_samples(const struct rill_compare_request *request, struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_USAGE,
                        "--%s: independent samples are counted under a thermostat; set thermostat.method",
                        request->observables != NULL ? "observables" : "reference");
}

/* The unit in the name of a column: "kJ/mol" is _kJ_mol. */
static void put_unit(char *name, size_t size, const char *unit) {
  const size_t begin = strlen(name);
  if (unit[0] == '\0') return;
  snprintf(name + begin, size - begin, "_%s", unit);
  for (char *c = name + begin; *c != '\0'; c++)
    if (*c == '/' || *c == ' ') *c = '_';
}

static void add_columns(struct rill_compare_table *table, int part,
                        const struct rill_compare_observable *observable) {
  const char *const unit = observable->unit, *const time = table->time_unit;
  const struct {
    const char *name, *unit, *heading, *format;
    double factor;
  } columns[RILL_PRICE_COLUMNS] = {
      {"mean", unit, "mean", "%14.7g", 1},
      {"mean_error", unit, "+-", "%9.2g", 1},
      {"bias", unit, "bias", "%11.3g", 1},
      {"bias_error", unit, "+-", "%9.2g", 1},
      {"tau", time, "tau", "%10.3g", 1},
      {"tau_error", time, "+-", "%9.2g", 1},
      {"samples_per_s", "", "samples/s", "%12.4g", 1},
      {"samples_per_s_error", "", "+-", "%9.2g", 1},
      {"cost", "s", "cost/us", "%11.4g", 1e6},
      {"cost_error", "s", "+-", "%9.2g", 1e6},
  };
  for (size_t i = 0; i < RILL_PRICE_COLUMNS; i++) {
    struct rill_compare_column *column = &table->columns[table->column_count++];
    *column = (struct rill_compare_column){
        .part = part, .heading = columns[i].heading, .format = columns[i].format, .factor = columns[i].factor};
    snprintf(column->name, sizeof column->name, "%s_%s", observable->column, columns[i].name);
    put_unit(column->name, sizeof column->name, columns[i].unit);
  }
}

enum rill_status rill_compare_add_observables(struct rill_compare_table *table,
                                              const struct rill_compare_observable *observables, size_t count,
                                              const char *reference, struct rill_error *error) {
  if (table->column_count + count * RILL_PRICE_COLUMNS > RILL_COMPARE_VALUES ||
      table->part_count + count > RILL_COMPARE_PARTS)
    return rill_error_set(error, RILL_ERROR_USAGE, "too many observables");
  table->observable_count = count;
  table->first_mean = table->column_count;
  for (size_t k = 0; k < count; k++) {
    struct rill_compare_part *part = &table->parts[table->part_count];
    const char *space = observables[k].unit[0] != '\0' ? " in " : "", *in = table->time_unit[0] != '\0' ? " in " : "";
    snprintf(part->title, sizeof part->title, "independent samples of %s", observables[k].title);
    snprintf(part->note, sizeof part->note,
             "mean and bias%s%s; bias: difference from %s; tau: integrated autocorrelation time%s%s; samples/s: "
             "independent samples per second, step / (2 tau) over\nthe least time of a step, without observation; "
             "cost: microseconds per independent sample; +-: standard error; -: too few independent samples",
             space, observables[k].unit, reference, in, table->time_unit);
    snprintf(table->observable[k], sizeof table->observable[k], "%s", observables[k].name);
    snprintf(table->unit[k], sizeof table->unit[k], "%s", observables[k].unit);
    add_columns(table, (int)table->part_count++, &observables[k]);
  }
  return RILL_OK;
}

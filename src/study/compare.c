#include "study/compare.h"

#include <stdlib.h>
#include <string.h>

#include "simulation/ensemble.h"
#include "study/overrides.h"

enum rill_status rill_compare_split(char *text, const char *what, const char **parts, size_t most, size_t *count,
                                    struct rill_error *error) {
  char *rest = NULL;
  *count = 0;
  for (char *part = strtok_r(text, ",", &rest); part != NULL; part = strtok_r(NULL, ",", &rest)) {
    if (*count == most) return rill_error_set(error, RILL_ERROR_USAGE, "%s: at most %zu can be compared", what, most);
    parts[(*count)++] = part + strspn(part, " ");
  }
  return *count > 0 ? RILL_OK : rill_error_set(error, RILL_ERROR_USAGE, "%s: at least one is expected", what);
}

bool rill_compare_is_stopped(const struct rill_compare_request *request) {
  return request->stop != NULL && *request->stop != 0;
}

/* Means, biases and correlation times are those of a stationary motion. */
static enum rill_status refuse_ramp(const struct rill_deck *deck, struct rill_error *error) {
  const double *const t = deck->thermostat.temperature;
  const char *const unit = deck->units == RILL_UNITS_MOLECULAR ? " K" : deck->units == RILL_UNITS_SI ? " J" : "";
  char place[RILL_DECK_PLACE];
  if (deck->thermostat.method == RILL_NO_BATH || t[0] == t[1]) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [thermostat] temperature is a ramp, %g%s -> %g%s, and a comparison takes its statistics "
                        "at one temperature; give one, such as --set 'thermostat.temperature=%g%s'",
                        rill_deck_place(deck, "thermostat", "temperature", place), t[0], unit, t[1], unit, t[1],
                        unit);
}

/* Candidates are compared in the same box. */
static enum rill_status refuse_barostat(const struct rill_deck *deck, struct rill_error *error) {
  char place[RILL_DECK_PLACE];
  if (deck->barostat.method == RILL_NO_BAROSTAT) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                        "%s: [barostat] method = %s: `rill compare` compares methods at one volume; give "
                        "--set barostat.method=none",
                        rill_deck_place(deck, "barostat", "method", place),
                        rill_choice_word(rill_barostat_choices, deck->barostat.method));
}

enum rill_status rill_compare_read_deck(const struct rill_compare_request *request, struct rill_deck *deck,
                                        struct rill_error *error) {
  const struct rill_given_overrides given = {request->overrides, request->override_count, {false}};
  struct rill_overrides common = {0};
  rill_overrides_put_common(&given, &common);
  RILL_TRY(rill_deck_read_with(&rill_deck_registry, request->path, common.list, common.count, deck, error));
  RILL_TRY(rill_ensemble_refuse(deck, "`rill compare`", error));
  RILL_TRY(refuse_barostat(deck, error));
  return refuse_ramp(deck, error);
}

enum rill_status rill_compare(const struct rill_compare_request *request, struct rill_compare_table *table,
                              struct rill_error *error) {
  struct rill_deck *deck = calloc(1, sizeof *deck);
  enum rill_status status;
  *table = (struct rill_compare_table){0};
  if (deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_compare_read_deck(request, deck, error);
  if (status == RILL_OK) {
    table->water = deck->units == RILL_UNITS_MOLECULAR;
    table->time_unit = rill_deck_time_unit(deck);
    status = rill_compare_check_extrapolation(request, deck, error);
  }
  if (status == RILL_OK) {
    status = (table->water ? rill_compare_water : rill_compare_small)(request, deck, table, error);
  }
  if (status == RILL_OK && request->extrapolate) status = rill_compare_extrapolate(table, error);
  free(deck);
  return status;
}

bool rill_compare_all_failed(const struct rill_compare_table *table) {
  for (size_t i = 0; i < table->row_count; i++)
    if (table->rows[i].failure[0] == '\0') return false;
  return true;
}

void rill_compare_release(struct rill_compare_table *table) {
  free(table->rows);
  free(table->limits);
  *table = (struct rill_compare_table){0};
}

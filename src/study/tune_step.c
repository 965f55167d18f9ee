/* The largest step for a stated bias of an observable: from the extrapolation of rill compare, bias = slope h^p. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "deck/edit.h"
#include "deck/schema.h"
#include "deck/units.h"
#include "simulation/simulation.h"
#include "simulation/water.h"
#include "study/compare.h"
#include "study/compare_samples.h"
#include "study/tune.h"

static const double usual_sample = 20; /* ps */
/* Steps that are run, in the deck's; the shortest one has nearly no bias, and the longest is far below the limit of
 * stability for the 2 fs that are usual for water. */
static const double multiples[] = {0.5, 1, 1.5, 2, 2.5};
enum { RUNS = sizeof multiples / sizeof multiples[0], LEAST_RUNS = 3, LIST = 32 * RUNS };

static const struct observable {
  const char *name, *dimension, *unit;
  double factor; /* of the unit, in internal units */
} observables[] = {
    {"lj-coulomb", "energy", "kJ/mol", 1},     {"potential", "energy", "kJ/mol", 1},
    {"temperature", "temperature", "K", 1},    {"temperature-half", "temperature", "K", 1},
    {"pressure", "pressure", "bar", RILL_BAR}, {"oo", "length", "nm", 1},
};
enum { OBSERVABLES = sizeof observables / sizeof observables[0] };

static enum rill_status read_bias(const char *text, struct rill_tuning *tuning, struct rill_error *error) {
  const char *equals = strchr(text, '=');
  for (size_t i = 0; equals != NULL && i < OBSERVABLES; i++) {
    const struct observable *o = &observables[i];
    if (strlen(o->name) != (size_t)(equals - text) || strncmp(text, o->name, strlen(o->name)) != 0) continue;
    if (rill_quantity_parse(equals + 1, o->dimension, "", &tuning->bias.most, error) != RILL_OK) {
      const struct rill_error fault = *error;
      return rill_error_set(error, RILL_ERROR_USAGE, "--bias %s=%s", o->name, fault.text + strspn(fault.text, " "));
    }
    tuning->bias.most /= o->factor;
    snprintf(tuning->bias.observable, sizeof tuning->bias.observable, "%s", o->name);
    snprintf(tuning->bias.unit, sizeof tuning->bias.unit, "%s", o->unit);
    if (tuning->bias.most > 0 && isfinite(tuning->bias.most)) return RILL_OK;
    return rill_error_set(error, RILL_ERROR_USAGE, "--bias %s: a value above 0 is expected", text);
  }
  return rill_error_set(error, RILL_ERROR_USAGE,
                        "--bias %s: NAME=VALUE is expected, NAME one of lj-coulomb, potential, temperature, "
                        "temperature-half, pressure and oo, as in temperature=0.5K",
                        text);
}

static enum rill_status check_bias(const struct rill_tune_request *request, const struct rill_deck *deck,
                                   const struct rill_tuning *tuning, struct rill_error *error) {
  const bool box = rill_water_is_periodic(deck);
  if (strcmp(tuning->bias.observable, box ? "oo" : "pressure") == 0)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          box ? "--bias %s: the mean O-O distance is known in vacuum only; in a box, take pressure, "
                                "temperature, temperature-half, potential or lj-coulomb"
                              : "--bias %s: a cluster in vacuum has no pressure; take oo, temperature, "
                                "temperature-half, potential or lj-coulomb",
                          request->bias);
  if (deck->thermostat.method == RILL_NO_BATH)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--bias %s: biases are those of means under a thermostat; set thermostat.method",
                          request->bias);
  if (deck->barostat.method != RILL_NO_BAROSTAT)
    return rill_error_set(
        error, RILL_ERROR_UNSUPPORTED,
        "--bias %s: --bias needs constant volume: rill compare compares methods at one volume; find "
        "the step with --set barostat.method=none, or leave out --bias",
        request->bias);
  return RILL_OK;
}

/* ---- which steps the deck allows ---- */

static const double per_ps = 20000; /* steps are multiples of 0.05 fs */

/* The double nearest to the decimals, as when the deck is read. */
static double step_of(double k) { return k / per_ps; }

enum rill_status rill_tune_put(const char *text, const char *section, const char *key, const char *value,
                               const char *reason, char **edited, struct rill_error *error) {
  enum rill_status status;
  char *without;
  RILL_TRY(rill_deck_drop_comment(text, section, key, RILL_TUNE_GIVEN, &without, error));
  status = rill_deck_edit(without, section, key, value, reason, edited, error);
  free(without);
  return status;
}

enum rill_status rill_tune_put_step(const char *path, const char *text, double step, const char *reason,
                                    char **edited, struct rill_error *error) {
  struct rill_deck *deck = calloc(1, sizeof *deck);
  char value[64], *stepped = NULL;
  enum rill_status status;
  *edited = NULL;
  if (deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  snprintf(value, sizeof value, "%g fs", 1e3 * step);
  status = rill_deck_read_text(&rill_deck_registry, path, text, NULL, 0, deck, error);
  if (status == RILL_OK) status = rill_tune_put(text, "integrator", "step", value, reason, &stepped, error);
  if (status == RILL_OK && rill_deck_gives(deck, "integrator", "steps")) {
    snprintf(value, sizeof value, "%.0f", nearbyint((double)deck->integrator.steps * deck->integrator.step / step));
    status = rill_tune_put(stepped, "integrator", "steps", value, NULL, edited, error);
    free(stepped);
  } else {
    *edited = stepped;
  }
  free(deck);
  return status;
}

/* Whether the run, and the intervals that are given as times, are whole numbers of steps. */
static enum rill_status deck_allows(const struct rill_tune_request *request, const char *text, double step,
                                    bool *allowed, struct rill_error *error) {
  struct rill_deck *deck = calloc(1, sizeof *deck);
  char *edited = NULL;
  enum rill_status status;
  if (deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_tune_put_step(request->path, text, step, NULL, &edited, error);
  if (status == RILL_OK) {
    *allowed = rill_deck_read_text(&rill_deck_registry, request->path, edited, NULL, 0, deck, error) == RILL_OK;
    rill_error_clear(error);
  }
  free(edited);
  free(deck);
  return status;
}

/* The longest step that the deck allows, from `most` down. */
static enum rill_status find_allowed(const struct rill_tune_request *request, const char *text, double most,
                                     double *step, struct rill_error *error) {
  *step = NAN;
  for (double k = floor(most * per_ps * (1 + 1e-12)); k >= 1; k--) {
    bool allowed = false;
    RILL_TRY(deck_allows(request, text, step_of(k), &allowed, error));
    if (!allowed) continue;
    *step = step_of(k);
    return RILL_OK;
  }
  return RILL_OK;
}

/* The longest step up to `most` of which the time is a whole number; 0: none. */
static double longest_part(double time, double most) {
  for (double k = floor(most * per_ps * (1 + 1e-12)); k >= 1; k--) {
    const double steps = time / step_of(k);
    if (steps >= 0.5 && fabs(steps - nearbyint(steps)) < 1e-9 * steps) return step_of(k);
  }
  return 0;
}

/* Which one time of the deck allows no step longer than the one found; none if several do together. */
static void name_limit(const char *text, const struct rill_deck *deck, double most, double found, char limited[120]) {
  size_t count;
  const struct rill_key *keys = rill_keys(&count);
  limited[0] = '\0';
  for (size_t i = 0; i < count; i++) {
    char value[64];
    double time;
    if (keys[i].kind != RILL_KIND_INTERVAL && keys[i].kind != RILL_KIND_DURATION) continue;
    if (!rill_deck_value(text, keys[i].section, keys[i].name, value, sizeof value)) continue;
    if (strstr(value, "step") != NULL) continue;
    time = (double)*(const uint64_t *)((const char *)deck + keys[i].offset) * deck->integrator.step;
    if (longest_part(time, most) > found * (1 + 1e-9)) continue;
    snprintf(limited, 120, "%s.%s = %s", keys[i].section, keys[i].name, value);
    return;
  }
}

/* ---- runs ---- */

static bool sets(const char *override, const char *key) {
  return strncmp(override, key, strlen(key)) == 0 && strchr(" \t=", override[strlen(key)]) != NULL;
}

/* The overrides of the runs: those given, and a length of their own.  Other intervals have no effect on means. */
struct overrides {
  const char *list[80];
  size_t count;
  char time[64];
};

static void put_overrides(const struct rill_tune_request *request, const struct rill_deck *deck, double sample,
                          struct overrides *o) {
  static const char *const replaced[] = {"integrator.time", "integrator.steps", "output.means_from", "rdf.from"};
  char number[RILL_NUMBER_TEXT];
  for (size_t i = 0; i < request->override_count && o->count < 64; i++) {
    bool own = false;
    for (size_t k = 0; k < sizeof replaced / sizeof replaced[0]; k++)
      own = own || sets(request->overrides[i], replaced[k]);
    if (!own) o->list[o->count++] = request->overrides[i];
  }
  snprintf(o->time, sizeof o->time, "integrator.time=%s ps", rill_number_format(sample, number));
  o->list[o->count++] = o->time;
  o->list[o->count++] = "output.means_from=0 ps";
  if (deck->rdf.on) o->list[o->count++] = "rdf.from=0 ps";
}

/* Whether a run of the sample's length has a whole number of these steps. */
static bool divides(double step, double sample) {
  const double steps = sample / step;
  return fabs(steps - nearbyint(steps)) < 1e-9 * steps;
}

/* Steps near the multiples of the deck's own of which the runs, and the interval of [rdf], are whole numbers. */
static size_t choose_steps(const struct rill_deck *deck, double sample, double steps[RUNS]) {
  const double own = deck->integrator.step;
  const double rdf = deck->rdf.on ? (double)deck->rdf.interval * own : sample;
  size_t count = 0;
  for (size_t i = 0; i < RUNS; i++)
    for (double k = nearbyint(multiples[i] * own * per_ps); step_of(k) > (multiples[i] - 0.4) * own; k--) {
      const double step = step_of(k);
      if (!divides(step, sample) || !divides(step, rdf)) continue;
      if (count == 0 || step > 1.05 * steps[count - 1]) steps[count++] = step;
      break;
    }
  return count;
}

/* The fit to the runs with steps up to the longest for which they follow the law; *longest: it, in fs. */
static bool fit(const struct rill_compare_table *table, struct rill_step_limit *fitted, int *order, double *longest) {
  double step[RUNS], mean[RUNS], error[RUNS];
  size_t count = 0;
  for (size_t i = 0; i < table->row_count && count < RUNS; i++) { /* in the order of the steps */
    const struct rill_compare_row *row = &table->rows[i];
    if (row->failure[0] != '\0') break;
    step[count] = rill_compare_step(table, row);
    mean[count] = row->value[table->first_mean];
    error[count] = row->value[table->first_mean + 1];
    *order = row->order;
    if (error[count] > 0) count++;
  }
  for (; count >= LEAST_RUNS; count--) {
    *fitted = rill_step_limit_of(step, mean, error, count, *order);
    *longest = step[count - 1];
    if (rill_step_limit_fits(fitted)) return true;
  }
  return false;
}

static enum rill_status run(const struct rill_tune_request *request, const struct rill_deck *deck, double sample,
                            struct rill_compare_table *table, struct rill_error *error) {
  struct overrides *overrides = calloc(1, sizeof *overrides);
  char list[LIST] = "", number[RILL_NUMBER_TEXT];
  double steps[RUNS];
  const size_t count = choose_steps(deck, sample, steps);
  struct rill_compare_request compared = {.path = request->path,
                                          .methods = deck->integrator.method,
                                          .steps = list,
                                          .repeats = 1,
                                          .extrapolate = true,
                                          .threads = request->threads,
                                          .notes = request->notes,
                                          .stop = request->stop};
  char observable[24];
  enum rill_status status;
  if (overrides == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  put_overrides(request, deck, sample, overrides);
  snprintf(observable, sizeof observable, "%.*s", (int)strcspn(request->bias, "="), request->bias);
  for (size_t i = 0; i < count; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%sfs", i > 0 ? "," : "",
             rill_number_format(1e3 * steps[i], number));
  compared.overrides = overrides->list;
  compared.override_count = overrides->count;
  compared.observables = observable;
  status = count >= LEAST_RUNS
               ? rill_compare(&compared, table, error)
               : rill_error_set(error, RILL_ERROR_USAGE,
                                "--sample: fewer than three steps near %g fs divide the runs of %g ps; expected a "
                                "length that more steps divide, such as 60ps",
                                1e3 * deck->integrator.step, sample);
  free(overrides);
  return status;
}

static enum rill_status choose(const struct rill_tune_request *request, const char *text,
                               const struct rill_deck *deck, const struct rill_compare_table *table,
                               struct rill_tuning *tuning, double *step, struct rill_error *error) {
  const double given = 1e3 * deck->integrator.step;
  double longest = 0, most;
  int order = 0;
  if (!fit(table, &tuning->bias.fit, &order, &longest))
    return rill_error_set(error, RILL_ERROR_FAILED,
                          "--bias %s: the means of three steps or more do not follow limit + slope h^%d within their "
                          "errors, or have too few independent samples; expected longer runs: --sample",
                          request->bias, order);
  tuning->bias.order = order;
  most = fmin(longest,
              rill_step_for_bias(tuning->bias.fit.slope, tuning->bias.fit.slope_error, order, tuning->bias.most));
  RILL_TRY(find_allowed(request, text, 1e-3 * most, step, error));
  tuning->bias.would_do = step_of(floor(1e-3 * most * per_ps * (1 + 1e-12)));
  name_limit(text, deck, 1e-3 * most, *step > 0 ? *step : 0, tuning->bias.limited);
  if (!(*step > 0))
    return rill_error_set(
        error, RILL_ERROR_FAILED,
        "--bias %s: the bias is below that for steps of up to %.3g fs, but the deck's times are whole multiples of "
        "none%s%s; longer runs (--sample) have smaller errors",
        request->bias, most, tuning->bias.limited[0] != '\0' ? ": " : "", tuning->bias.limited);
  tuning->bias.at_given = tuning->bias.fit.slope * pow(given, order);
  tuning->bias.at_given_error = tuning->bias.fit.slope_error * pow(given, order);
  tuning->bias.at_tuned = tuning->bias.fit.slope * pow(1e3 * *step, order);
  tuning->bias.at_tuned_error = tuning->bias.fit.slope_error * pow(1e3 * *step, order);
  return RILL_OK;
}

enum rill_status rill_tune_step(const struct rill_tune_request *request, const char *text, struct rill_tuning *tuning,
                                double *step, struct rill_error *error) {
  const double sample = request->sample > 0 ? request->sample : usual_sample;
  struct rill_deck *deck = calloc(1, sizeof *deck);
  struct rill_compare_table table = {0};
  enum rill_status status;
  if (deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = read_bias(request->bias, tuning, error);
  if (status == RILL_OK) status = rill_deck_read_text(&rill_deck_registry, request->path, text, NULL, 0, deck, error);
  if (status == RILL_OK) status = check_bias(request, deck, tuning, error);
  if (status == RILL_OK) status = run(request, deck, sample, &table, error);
  if (status == RILL_OK) status = choose(request, text, deck, &table, tuning, step, error);
  rill_compare_release(&table);
  free(deck);
  return status;
}

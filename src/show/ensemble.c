#include "show/ensemble.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ensemble/rungs.h"
#include "simulation/averages.h"
#include "simulation/ensemble.h"

/* Vibrations of a cluster of rigid molecules: those of a single one have none. */
static double harmonic_freedom(const struct rill_simulation *sim) { return 6 * (double)sim->structure.molecules - 6; }

/* NaN where the harmonic law says nothing. */
static double expected_acceptance(const struct rill_simulation *sim, size_t rung) {
  const double *t = sim->ensemble->temperature;
  if (!(harmonic_freedom(sim) > 0) || sim->structure.has_box) return NAN;
  return rill_harmonic_acceptance(harmonic_freedom(sim), t[rung + 1] / t[rung]);
}

/* " K", of times " ps"; "" for pure numbers. */
struct units {
  char temperature[8], time[8];
};
static struct units units_of(const struct rill_simulation *sim) {
  const char *of_time = rill_deck_time_unit(&sim->deck),
             *of_temperature = sim->type == NULL ? "K" : rill_simulation_energy_unit(sim);
  struct units units;
  snprintf(units.time, sizeof units.time, "%s%s", *of_time ? " " : "", of_time);
  snprintf(units.temperature, sizeof units.temperature, "%s%s", *of_temperature ? " " : "", of_temperature);
  return units;
}

/* ---- the plan ---- */

static void describe_exchange(const struct rill_simulation *sim, FILE *stream) {
  const struct rill_deck *deck = &sim->deck;
  const struct rill_ensemble *ensemble = sim->ensemble;
  const size_t rungs = ensemble->exchange.rungs;
  double least = INFINITY, most = 0;
  fputs("  exchange     ", stream);
  if (deck->ensemble.exchange == RILL_NO_EXCHANGE) {
    fputs("none\n", stream);
    return;
  }
  fprintf(stream, "neighbours, each %g%s", (double)deck->ensemble.exchange_interval * deck->integrator.step,
          units_of(sim).time);
  for (size_t i = 0; i + 1 < rungs; i++) {
    least = fmin(least, expected_acceptance(sim, i));
    most = fmax(most, expected_acceptance(sim, i));
  }
  if (isfinite(least)) fprintf(stream, "; acceptance of a harmonic cluster %.2g to %.2g", least, most);
  fputc('\n', stream);
  if (isfinite(least) && least < RILL_ACCEPTANCE_PROPOSED)
    fprintf(stream, "               (`temperatures = %g K -> %g K, %zu` has %g or more between all of them)\n",
            ensemble->temperature[0], ensemble->temperature[rungs - 1],
            rill_harmonic_rungs(harmonic_freedom(sim), RILL_ACCEPTANCE_PROPOSED, ensemble->temperature[0],
                                ensemble->temperature[rungs - 1]),
            RILL_ACCEPTANCE_PROPOSED);
}

void rill_describe_ensemble(const struct rill_simulation *sim, FILE *stream) {
  const struct rill_ensemble *ensemble = sim->ensemble;
  const size_t rungs = ensemble->exchange.rungs;
  const struct units units = units_of(sim);
  fprintf(stream, "  ensemble     %zu replica%s", ensemble->replicas, ensemble->replicas == 1 ? "" : "s");
  if (rungs > 1)
    fprintf(stream, ": %zu ladder%s of %zu temperatures, %.6g%s to %.6g%s", ensemble->exchange.ladders,
            ensemble->exchange.ladders == 1 ? "" : "s", rungs, ensemble->temperature[0], units.temperature,
            ensemble->temperature[rungs - 1], units.temperature);
  fprintf(stream, "\n               seed%s %" PRIu64 "%s\n", ensemble->replicas == 1 ? "" : "s",
          ensemble->replica[0].seed, ensemble->replicas > 1 ? ", ... (rill check --json lists them)" : "");
  describe_exchange(sim, stream);
}

void rill_put_ensemble(struct rill_json *json, const struct rill_simulation *sim) {
  const struct rill_ensemble *ensemble = sim->ensemble;
  const size_t rungs = ensemble->exchange.rungs;
  rill_json_object(json, "ensemble");
  rill_json_count(json, "ladders", ensemble->exchange.ladders);
  rill_json_numbers(json,
                    sim->type == NULL ? "temperatures_K"
                    : sim->type->si   ? "temperatures_J"
                                      : "temperatures",
                    ensemble->temperature, rungs);
  rill_json_string(json, "exchange", rill_choice_word(rill_exchange_choices, sim->deck.ensemble.exchange));
  if (ensemble->exchanging) rill_json_count(json, "exchange_interval_steps", ensemble->interval);
  rill_json_list(json, "replicas");
  for (size_t r = 0; r < ensemble->replicas; r++) {
    rill_json_object(json, NULL);
    rill_json_count(json, "seed", ensemble->replica[r].seed);
    rill_json_number(json, "temperature", ensemble->temperature[rill_ensemble_rung(ensemble, r)]);
    rill_json_count(json, "ladder", rill_ensemble_ladder(ensemble, r));
    rill_json_count(json, "rung", rill_ensemble_rung(ensemble, r));
    rill_json_close(json);
  }
  rill_json_close(json);
  if (ensemble->exchanging) {
    rill_json_list(json, "harmonic_acceptance");
    for (size_t i = 0; i + 1 < rungs; i++) rill_json_number(json, NULL, expected_acceptance(sim, i));
    rill_json_close(json);
  }
  rill_json_close(json);
}

/* ---- a trial run ---- */

static void print_ladder(FILE *stream, const double *temperature, size_t rungs) {
  fputs("  temperatures = ", stream);
  for (size_t i = 0; i < rungs; i++) fprintf(stream, "%s%.5g K", i > 0 ? ", " : "", temperature[i]);
  fputc('\n', stream);
}

static void print_trial(FILE *stream, const struct rill_simulation *sim, const struct rill_ladder_trial *trial) {
  static const double rough = 0.05;
  const double *temperature = sim->ensemble->temperature;
  double least = 1;
  fprintf(stream, "\ntrial run of %g ps: exchanges that would be accepted, from %zu energies at each temperature\n",
          (double)trial->steps * sim->deck.integrator.step, trial->samples);
  fprintf(stream, "%10s %10s %11s %9s\n", "T / K", "next / K", "acceptance", "error");
  for (size_t i = 0; i + 1 < trial->rungs; i++) {
    fprintf(stream, "%10.5g %10.5g %11.3f %9.2g\n", temperature[i], temperature[i + 1], trial->acceptance[i].mean,
            trial->acceptance[i].error);
    least = fmin(least, trial->acceptance[i].mean);
  }
  if (least < rough)
    fprintf(stream,
            "  fewer than %g %% between some: what follows is rough there; repeat it with these temperatures\n",
            100 * rough);
  fprintf(stream, "%zu temperatures for an even acceptance of %.2f:\n", trial->rungs, trial->even_acceptance);
  print_ladder(stream, trial->even, trial->rungs);
  if (trial->enough_rungs == trial->rungs || trial->enough_rungs == 0) return;
  fprintf(stream, "%zu for %g or more:\n", trial->enough_rungs, RILL_ACCEPTANCE_PROPOSED);
  print_ladder(stream, trial->enough, trial->enough_rungs);
}

static void put_trial(struct rill_json *json, const struct rill_simulation *sim,
                      const struct rill_ladder_trial *trial) {
  rill_json_object(json, "trial_run");
  rill_json_number(json, "time_ps", (double)trial->steps * sim->deck.integrator.step);
  rill_json_count(json, "samples", trial->samples);
  rill_json_list(json, "acceptance");
  for (size_t i = 0; i + 1 < trial->rungs; i++) rill_json_number(json, NULL, trial->acceptance[i].mean);
  rill_json_close(json);
  rill_json_list(json, "acceptance_error");
  for (size_t i = 0; i + 1 < trial->rungs; i++) rill_json_number(json, NULL, trial->acceptance[i].error);
  rill_json_close(json);
  rill_json_number(json, "even_acceptance", trial->even_acceptance);
  rill_json_numbers(json, "even_temperatures_K", trial->even, trial->rungs);
  rill_json_numbers(json, "enough_temperatures_K", trial->enough, trial->enough_rungs);
  rill_json_close(json);
}

void rill_show_ladder_trial(struct rill_page *page, const struct rill_simulation *sim,
                            const struct rill_ladder_trial *trial) {
  if (page->text != NULL) print_trial(page->text, sim, trial);
  else put_trial(&page->json, sim, trial);
}

/* ---- the averages ---- */

static void print_value(FILE *stream, const char *format, double value) {
  char text[32];
  snprintf(text, sizeof text, format, value);
  if (isfinite(value)) fputs(text, stream);
  else fprintf(stream, "%*s", (int)strlen(text) > 4 ? (int)strlen(text) : 4, "-");
}

static void print_left_out(FILE *stream, const struct rill_run *run) {
  const struct rill_ensemble *ensemble = run->sim->ensemble;
  size_t left_out = 0;
  for (size_t r = 0; r < ensemble->replicas; r++) left_out += ensemble->replica[r].left_out != UINT64_MAX;
  if (left_out == 0) return;
  fprintf(stream, "\n%zu of %zu replicas failed and were left out:", left_out, ensemble->replicas);
  for (size_t r = 0; r < ensemble->replicas; r++)
    if (ensemble->replica[r].left_out != UINT64_MAX)
      fprintf(stream, " %zu (after step %" PRIu64 ")", r, ensemble->replica[r].left_out);
  fputc('\n', stream);
}

/* How often minima were found, also those that were dropped. */
static uint64_t count_found(const struct rill_minima *minima) {
  uint64_t found = rill_minima_sum(minima, minima->dropped);
  for (size_t k = 0; k < minima->count; k++) found += rill_minima_sum(minima, minima->of[k].counts);
  return found;
}

static void print_minima(FILE *stream, const struct rill_minima *minima) {
  enum { MOST = 5 };
  const uint64_t dropped = rill_minima_sum(minima, minima->dropped),
                 unfinished = rill_minima_sum(minima, minima->unfinished);
  if (minima->most == 0) return;
  fprintf(stream, "\nminima: %zu distinct ones, found by %" PRIu64 " minimisations%s\n", minima->count,
          count_found(minima), minima->count > MOST ? "; the lowest of them" : "");
  fprintf(stream, "%14s %9s %9s\n", "U / kJ/mol", "found", "contacts");
  for (size_t k = 0; k < minima->count && k < MOST; k++)
    fprintf(stream, "%14.5f %9" PRIu64 " %9zu\n", minima->of[k].energy, rill_minima_sum(minima, minima->of[k].counts),
            rill_minima_shape(minima, k).contacts);
  if (dropped > 0)
    fprintf(stream, "  %" PRIu64 " minimisations ended above the %zu lowest minima, which are kept\n", dropped,
            minima->most);
  if (unfinished > 0) fprintf(stream, "  %" PRIu64 " more minimisations ended at no minimum\n", unfinished);
}

void rill_print_averages(FILE *stream, const struct rill_run *run) {
  const struct rill_exchange *exchange = &run->sim->ensemble->exchange;
  const struct rill_round_trips trips = rill_averages_round_trips(run);
  fprintf(stream, "\naverages over %zu ladder%s (errors: standard errors; C: configurational heat capacity)\n",
          exchange->ladders, exchange->ladders == 1 ? "" : "s");
  const bool water = run->sim->type == NULL;
  fprintf(stream, "%10s %12s %9s %9s %8s %9s %7s %11s\n", water ? "T / K" : "k T", water ? "<U> / kJ/mol" : "<U>",
          "error", water ? "C / R" : "C / k", "error", "samples*", "R-hat", "acceptance");
  for (size_t i = 0; i < exchange->rungs; i++) {
    double row[RILL_AVERAGE_COLUMNS];
    rill_averages_row(run, i, row);
    print_value(stream, "%10.4g ", row[RILL_AVERAGE_temperature]);
    print_value(stream, "%12.3f", row[RILL_AVERAGE_potential]);
    print_value(stream, " %9.2g", row[RILL_AVERAGE_potential_error]);
    print_value(stream, " %9.2f", row[RILL_AVERAGE_heat_capacity_configurational]);
    print_value(stream, " %8.2g", row[RILL_AVERAGE_heat_capacity_error]);
    print_value(stream, " %9.0f", row[RILL_AVERAGE_independent_samples]);
    print_value(stream, " %7.3f", row[RILL_AVERAGE_r_hat]);
    print_value(stream, " %11.3f", row[RILL_AVERAGE_acceptance]);
    fputc('\n', stream);
  }
  fputs("  * independent ones; acceptance: with the next temperature; more columns are in the CSV\n", stream);
  if (exchange->attempts > 0) {
    fprintf(stream,
            "\nexchanges\n  attempts                   %12" PRIu64 "\n  round trips                %12" PRIu64,
            exchange->attempts, trips.count);
    if (trips.count > 0) fprintf(stream, "  one in %.4g%s of a replica", trips.time, units_of(run->sim).time);
    fputc('\n', stream);
  }
  print_minima(stream, &run->minima);
  print_left_out(stream, run);
}

static void put_minima(struct rill_json *json, const struct rill_minima *minima) {
  if (minima->most == 0) return;
  rill_json_object(json, "minima");
  rill_json_count(json, "distinct", minima->count);
  rill_json_count(json, "found", count_found(minima));
  rill_json_count(json, "dropped", rill_minima_sum(minima, minima->dropped));
  rill_json_count(json, "unfinished", rill_minima_sum(minima, minima->unfinished));
  rill_json_list(json, "lowest");
  for (size_t k = 0; k < minima->count && k < 20; k++) {
    rill_json_object(json, NULL);
    rill_json_number(json, "energy_kJ_mol", minima->of[k].energy);
    rill_json_count(json, "found", rill_minima_sum(minima, minima->of[k].counts));
    rill_json_close(json);
  }
  rill_json_close(json);
  rill_json_close(json);
}

void rill_put_averages(struct rill_json *json, const struct rill_run *run) {
  const struct rill_exchange *exchange = &run->sim->ensemble->exchange;
  const struct rill_ensemble *ensemble = run->sim->ensemble;
  const struct rill_round_trips trips = rill_averages_round_trips(run);
  const char *units[RILL_AVERAGE_COLUMNS], *unit = rill_deck_time_unit(&run->sim->deck);
  rill_averages_units(run->sim, units);
  rill_json_count(json, "replicas", ensemble->replicas);
  rill_json_count(json, "ladders", exchange->ladders);
  rill_json_list(json, "rungs");
  for (size_t i = 0; i < exchange->rungs; i++) {
    double row[RILL_AVERAGE_COLUMNS];
    rill_averages_row(run, i, row);
    rill_json_object(json, NULL);
    for (size_t c = 0; c < RILL_AVERAGE_COLUMNS; c++)
      rill_json_quantity(json, rill_average_names[c], units[c], row[c]);
    rill_json_close(json);
  }
  rill_json_close(json);
  rill_json_object(json, "exchanges");
  rill_json_count(json, "attempts", exchange->attempts);
  rill_json_count(json, "round_trips", trips.count);
  rill_json_quantity(json, "round_trip", unit, trips.time);
  rill_json_close(json);
  rill_json_list(json, "left_out");
  for (size_t r = 0; r < ensemble->replicas; r++)
    if (ensemble->replica[r].left_out != UINT64_MAX) rill_json_count(json, NULL, r);
  rill_json_close(json);
  put_minima(json, &run->minima);
}

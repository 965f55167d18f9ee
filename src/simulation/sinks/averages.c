/* Averages of an ensemble at each temperature, and of its exchanges: gathered at series_interval, written as a CSV at
 * the end of the run. */
#include "config.h" /* first: defines _GNU_SOURCE, for asprintf */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/series.h"
#include "simulation/averages.h"
#include "simulation/sinks/sinks.h"

static enum rill_status open_averages(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                      void **self, struct rill_error *error) {
  const struct rill_exchange *exchange = &run->sim->ensemble->exchange;
  *self = run;
  if (opening == RILL_OPEN_RESUME) return RILL_OK;
  RILL_TRY(rill_estimates_create(exchange->ladders, exchange->rungs, &run->estimates, error));
  if (opening == RILL_OPEN_NEW) return RILL_OK;
  rill_estimates_archive(&run->estimates, archive);
  return rill_archive_status(archive, error);
}

static enum rill_status add(void *self, uint64_t step, double time, struct rill_error *error) {
  struct rill_run *run = self;
  struct rill_ensemble *ensemble = run->sim->ensemble;
  if (time < run->sim->deck.output.means_from) return RILL_OK;
  for (size_t r = 0; r < ensemble->replicas; r++) {
    const struct rill_observation *observation;
    if (ensemble->replica[r].left_out != UINT64_MAX) continue;
    observation = rill_ensemble_observe(ensemble, r, step, error);
    if (observation == NULL) return error->status;
    rill_estimates_add(&run->estimates, rill_ensemble_ladder(ensemble, r), rill_ensemble_rung(ensemble, r),
                       rill_uncorrected_potential(observation), observation->kinetic);
  }
  return RILL_OK;
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.output.series_interval, add, self, false, true};
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  (void)self, (void)error;
  rill_estimates_archive(&run->estimates, archive);
  return RILL_OK;
}

static enum rill_status write_rows(const struct rill_run *run, struct rill_series *csv, struct rill_error *error) {
  const size_t rungs = run->sim->ensemble->exchange.rungs;
  for (size_t i = 0; i < rungs; i++) {
    double row[RILL_AVERAGE_COLUMNS];
    rill_averages_row(run, i, row);
    RILL_TRY(rill_series_append(csv, row, error));
  }
  return RILL_OK;
}

static enum rill_status finish(struct rill_run *run, void *self, struct rill_error *error) {
  static const char meaning[] =
      "averages at each temperature, over all ladders; errors are standard errors, nan with too few samples\n"
      "heat capacities in units of R (of a small system, of k), of the whole system: configurational, (<U^2> - "
      "<U>^2) / (R T)^2, and total, "
      "with the kinetic part, half of the degrees of freedom\n"
      "independent_samples: variance of U over the squared error of its mean; r_hat: near 1 where ladders agree\n"
      "acceptance: mean probability of an exchange with the next temperature; tried and accepted count exchanges\n"
      "upward: of the replicas that were at either end before, the share that came from the lowest temperature\n";
  const char *units[RILL_AVERAGE_COLUMNS];
  struct rill_series *csv = NULL;
  char *comment;
  enum rill_status status;
  (void)self;
  rill_averages_units(run->sim, units);
  if (asprintf(&comment, "%s%s", meaning, run->provenance) < 0)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the averages");
  status = rill_series_create(run->outputs.averages, rill_run_may_replace(run), comment, RILL_AVERAGE_COLUMNS,
                              rill_average_names, units, &csv, error);
  free(comment);
  if (status == RILL_OK) status = write_rows(run, csv, error);
  return rill_series_close_whole(csv, status, error);
}

static enum rill_status plan(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error) {
  return rill_outputs_name_after(outputs, deck, "-ensemble.csv", outputs->averages, error);
}

static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  (void)outputs;
  return 20 * RILL_AVERAGE_COLUMNS * (double)sim->deck.ensemble.temperatures.count;
}

const struct rill_sink rill_averages_sink = {.group = "averages",
                                             .plan = plan,
                                             .disk = disk,
                                             .open = open_averages,
                                             .observer = observer,
                                             .keep = keep,
                                             .finish = finish};

/* Samples of all replicas at series_interval: their rungs and potential energies, as tables of the trajectory, for
 * analyses that combine temperatures. */
#include "base/memory.h"
#include "simulation/resources.h"
#include "simulation/sinks/sinks.h"

enum { STORED_TOGETHER = 64 /* rows that are written to the trajectory at once */ };

enum { TIME, RUNG, POTENTIAL, TABLES };

struct samples {
  struct rill_run *run;
  size_t rows;            /* that are not in the trajectory yet */
  double *values[TABLES]; /* [STORED_TOGETHER][columns] */
};

static const char *const time_names[] = {"step", "time"}, *const time_units[] = {"", "ps"};

static size_t columns_of(const struct samples *samples, int table) {
  return table == TIME ? 2 : samples->run->sim->ensemble->replicas;
}

static enum rill_status store(struct samples *samples, struct rill_error *error) {
  static const char *const names[TABLES] = {"sample_time", "sample_rung", "sample_potential"},
                           *const descriptions[TABLES] = {
                               "steps and times of the samples of all replicas",
                               "rung, from 0, of each replica at each sample; -1: left out",
                               "potential energy of each replica at each sample, kJ/mol; nan: left out"};
  for (int t = 0; t < TABLES; t++) {
    const struct rill_table table = {.name = names[t],
                                     .rows = samples->rows,
                                     .columns = columns_of(samples, t),
                                     .column_names = t == TIME ? time_names : NULL,
                                     .column_units = t == TIME ? time_units : NULL,
                                     .values = samples->values[t],
                                     .description = descriptions[t]};
    RILL_TRY(rill_trajectory_append_table(samples->run->trajectory, &table, error));
  }
  samples->rows = 0;
  return RILL_OK;
}

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct samples *samples = self;
  struct rill_ensemble *ensemble = samples->run->sim->ensemble;
  double *times = samples->values[TIME] + 2 * samples->rows,
         *rungs = samples->values[RUNG] + ensemble->replicas * samples->rows,
         *potentials = samples->values[POTENTIAL] + ensemble->replicas * samples->rows;
  times[0] = (double)step;
  times[1] = time;
  RILL_TRY(rill_ensemble_sample(ensemble, step, rungs, potentials, error));
  return ++samples->rows < STORED_TOGETHER ? RILL_OK : store(samples, error);
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.output.series_interval, sample, self, false, true};
}

static void archive_rows(struct samples *samples, struct rill_archive *archive) {
  rill_archive_size(archive, "rows", &samples->rows);
  if (samples->rows >= STORED_TOGETHER) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "samples/rows is not below %d", STORED_TOGETHER);
    samples->rows = 0;
  }
  rill_archive_reals(archive, "time", samples->values[TIME], samples->rows * columns_of(samples, TIME));
  rill_archive_reals(archive, "rung", samples->values[RUNG], samples->rows * columns_of(samples, RUNG));
  rill_archive_reals(archive, "potential", samples->values[POTENTIAL],
                     samples->rows * columns_of(samples, POTENTIAL));
}

static enum rill_status open_samples(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                     void **self, struct rill_error *error) {
  struct samples *samples = *self;
  bool made = true;
  if (run->outputs.trajectory[0] == '\0' || opening == RILL_OPEN_RESUME) return RILL_OK;
  samples = *self = rill_allocate(1, sizeof *samples);
  if (samples != NULL) {
    samples->run = run;
    for (int t = 0; t < TABLES; t++) {
      samples->values[t] = rill_allocate(STORED_TOGETHER * columns_of(samples, t), sizeof(double));
      made = made && samples->values[t] != NULL;
    }
  }
  if (samples == NULL || !made) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the samples");
  if (opening == RILL_OPEN_NEW) return RILL_OK;
  archive_rows(samples, archive);
  return rill_archive_status(archive, error);
}

/* Creates the tables, without rows, and that of the temperatures. */
static enum rill_status begin(struct rill_run *run, void *self, struct rill_error *error) {
  static const char *const names[] = {"temperature"}, *const units[] = {"K"};
  const struct rill_ensemble *ensemble = run->sim->ensemble;
  const struct rill_table ladder = {.name = "ladder",
                                    .rows = ensemble->exchange.rungs,
                                    .columns = 1,
                                    .column_names = names,
                                    .column_units = units,
                                    .values = ensemble->temperature,
                                    .description = "temperatures of the rungs"};
  if (self == NULL) return RILL_OK;
  RILL_TRY(rill_trajectory_append_table(run->trajectory, &ladder, error));
  return store(self, error);
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  (void)run, (void)error;
  if (self != NULL) archive_rows(self, archive);
  return RILL_OK;
}

static enum rill_status finish(struct rill_run *run, void *self, struct rill_error *error) {
  struct samples *samples = self;
  return samples != NULL && run->trajectory != NULL && samples->rows > 0 ? store(samples, error) : RILL_OK;
}

static enum rill_status close_samples(struct rill_run *run, void *self, struct rill_error *error) {
  struct samples *samples = self;
  (void)run, (void)error;
  for (int t = 0; t < TABLES; t++) rill_release(samples->values[t]);
  rill_release(samples);
  return RILL_OK;
}

static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  const struct rill_deck *deck = &sim->deck;
  if (outputs->trajectory[0] == '\0') return 0;
  return 16 * ((double)deck->ensemble.replicas + 1) *
         rill_resources_samples(deck->integrator.steps, deck->output.series_interval);
}

const struct rill_sink rill_replicas_sink = {.group = "samples",
                                             .disk = disk,
                                             .open = open_samples,
                                             .begin = begin,
                                             .observer = observer,
                                             .keep = keep,
                                             .finish = finish,
                                             .close = close_samples};

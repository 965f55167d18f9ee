/* The series of water: energies, temperatures, momenta and deviations, as a CSV and as a table of the trajectory. */
#include "output/series.h"

#include "base/memory.h"
#include "simulation/resources.h"
#include "simulation/sinks/sinks.h"

enum { STORED_TOGETHER = 256 /* rows that are written to the trajectory at once */ };

struct series {
  struct rill_run *run;
  struct rill_series *csv;
  size_t stored; /* rows in the trajectory; later ones are in memory */
};

/* The rows that are not in the trajectory yet. */
static enum rill_status store(struct series *series, struct rill_error *error) {
  const size_t rows = rill_series_rows(series->csv);
  const struct rill_table table = {.name = "series",
                                   .rows = rows - series->stored,
                                   .columns = rill_series_columns_of(&series->run->sim->deck),
                                   .column_names = rill_series_names,
                                   .column_units = rill_series_units,
                                   .values = rill_series_values(series->csv),
                                   .description =
                                       "energies, temperatures, momenta and constraint deviations at their "
                                       "own stride"};
  RILL_TRY(rill_trajectory_append_table(series->run->trajectory, &table, error));
  series->stored = rows;
  rill_series_forget(series->csv, rows);
  return RILL_OK;
}

static enum rill_status append(void *self, uint64_t step, double time, struct rill_error *error) {
  struct series *series = self;
  struct rill_run *run = series->run;
  RILL_TRY(rill_run_observe(run, step, time, error));
  RILL_TRY(rill_series_append(series->csv, run->row, error));
  if (run->trajectory == NULL) rill_series_forget(series->csv, rill_series_rows(series->csv));
  if (run->trajectory == NULL || rill_series_rows(series->csv) - series->stored < STORED_TOGETHER) return RILL_OK;
  return store(series, error);
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.output.series_interval, append, self, true, true};
}

/* Rows of the trajectory are in the files only. */
static enum rill_status open_csv(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                 void **self, struct rill_error *error) {
  const char *path = run->outputs.series;
  const size_t columns = rill_series_columns_of(&run->sim->deck);
  struct series *series = *self;
  if (series == NULL) series = *self = rill_allocate(1, sizeof *series);
  if (series == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the series");
  series->run = run;
  switch (opening) {
  case RILL_OPEN_NEW:
    return rill_series_create(path, run->request.replace, run->provenance, columns, rill_series_names,
                              rill_series_units, &series->csv, error);
  case RILL_OPEN_CHECK:
    rill_archive_size(archive, "stored", &series->stored);
    RILL_TRY(rill_archive_status(archive, error));
    rill_manifest_announce(path, run->sim->notes);
    return rill_series_check(path, run->provenance, columns, rill_series_names, rill_series_units, archive, error);
  case RILL_OPEN_RESUME:
    return rill_series_resume(path, run->provenance, columns, rill_series_names, rill_series_units, NULL,
                              series->stored, archive, &series->csv, error);
  }
  return RILL_OK;
}

/* Creates the table, without rows. */
static enum rill_status begin(struct rill_run *run, void *self, struct rill_error *error) {
  return run->trajectory != NULL ? store(self, error) : RILL_OK;
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  struct series *series = self;
  (void)run;
  rill_archive_size(archive, "stored", &series->stored);
  return rill_series_keep(series->csv, series->stored, archive, error);
}

static enum rill_status finish(struct rill_run *run, void *self, struct rill_error *error) {
  struct series *series = self;
  if (run->trajectory == NULL || rill_series_rows(series->csv) == series->stored) return RILL_OK;
  return store(series, error);
}

static enum rill_status seal(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  struct series *series = self;
  (void)run;
  return rill_series_keep(series->csv, rill_series_rows(series->csv), archive, error);
}

static enum rill_status close_csv(struct rill_run *run, void *self, struct rill_error *error) {
  struct series *series = self;
  const enum rill_status status = rill_series_close(series->csv, error);
  (void)run;
  rill_release(series);
  return status;
}

/* Bytes of a line of the series; half-step quantities are missing at the start. */
static double line_bytes(const struct rill_observation *observation, size_t columns) {
  double row[RILL_SERIES_COLUMNS], length = 0;
  rill_series_row(0, 0, observation, row);
  row[RILL_SERIES_temperature_half] = row[RILL_SERIES_temperature];
  row[RILL_SERIES_temperature_half_translation] = row[RILL_SERIES_temperature_translation];
  row[RILL_SERIES_temperature_half_rotation] = row[RILL_SERIES_temperature_rotation];
  for (size_t c = 0; c < columns; c++) length += snprintf(NULL, 0, "%.17g", row[c]) + 1;
  return length + 10; /* the first two columns get longer */
}

static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  const struct rill_deck *deck = &sim->deck;
  const size_t columns = rill_series_columns_of(deck);
  double row = 0;
  if (outputs->series[0] != '\0') row += line_bytes(&sim->guard.observation, columns);
  if (outputs->trajectory[0] != '\0') row += (double)(columns * sizeof(double));
  return row * rill_resources_samples(deck->integrator.steps, deck->output.series_interval);
}

const struct rill_sink rill_series_sink = {.plan = rill_outputs_name_series,
                                           .disk = disk,
                                           .group = "series",
                                           .open = open_csv,
                                           .begin = begin,
                                           .observer = observer,
                                           .keep = keep,
                                           .finish = finish,
                                           .seal = seal,
                                           .close = close_csv};

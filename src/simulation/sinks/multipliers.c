/* The multipliers of one molecule's bonds as a CSV, with averages over a window of time that ends at the row
 * (Tao & Owhadi 2016, theorem 1.3). */
#include <inttypes.h>

#include "base/memory.h"
#include "output/series.h"
#include "simulation/resources.h"
#include "simulation/sinks/sinks.h"

enum { ESTIMATORS = 2 * RILL_BONDS, COLUMNS = 2 + 2 * ESTIMATORS, NUMBER = 20 /* bytes */ };

static const char *const names[COLUMNS] = {"step",      "time_ps",    "x_OH1",      "x_OH2",      "x_HH",
                                           "q_OH1",     "q_OH2",      "q_HH",       "x_OH1_mean", "x_OH2_mean",
                                           "x_HH_mean", "q_OH1_mean", "q_OH2_mean", "q_HH_mean"};
static const char *const units[COLUMNS] = {"1",          "ps",         "kJ/mol/nm2", "kJ/mol/nm2", "kJ/mol/nm2",
                                           "kJ/mol/nm2", "kJ/mol/nm2", "kJ/mol/nm2", "kJ/mol/nm2", "kJ/mol/nm2",
                                           "kJ/mol/nm2", "kJ/mol/nm2", "kJ/mol/nm2", "kJ/mol/nm2"};

struct multipliers {
  const struct rill_system *system;
  struct rill_series *series;
  uint64_t interval, window, seen; /* in steps */
  size_t molecule;                 /* from 0 */
  double (*ring)[ESTIMATORS];      /* [window], the last steps */
};

static enum rill_status observe(void *self, uint64_t step, double time, struct rill_error *error) {
  struct multipliers *m = self;
  double row[COLUMNS] = {(double)step, time}, *newest = m->ring[m->seen++ % m->window];
  uint64_t count = m->seen < m->window ? m->seen : m->window;
  rill_water_multipliers_of(m->system, m->molecule, newest, newest + RILL_BONDS);
  if (step % m->interval != 0) return RILL_OK;
  for (size_t k = 0; k < ESTIMATORS; k++) {
    row[2 + k] = newest[k];
    for (uint64_t i = 0; i < count; i++) row[2 + ESTIMATORS + k] += m->ring[i][k] / (double)count;
  }
  RILL_TRY(rill_series_append(m->series, row, error));
  rill_series_forget(m->series, rill_series_rows(m->series));
  return RILL_OK;
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  (void)run;
  return (struct rill_observer){1, observe, self, false, true};
}

/* Allocates everything but the series. */
static enum rill_status make(const struct rill_deck *deck, const struct rill_system *system, struct multipliers **out,
                             struct rill_error *error) {
  struct multipliers *m = *out = rill_allocate(1, sizeof *m);
  if (m == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the multipliers");
  *m = (struct multipliers){.system = system,
                            .interval = deck->output.series_interval,
                            .window = deck->penalty.window,
                            .molecule = (size_t)deck->penalty.molecule - 1};
  m->ring = rill_allocate((size_t)m->window, sizeof *m->ring);
  if (m->ring == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for multipliers over %" PRIu64 " steps", m->window);
  return RILL_OK;
}

static void archive_window(struct multipliers *m, struct rill_archive *archive) {
  rill_archive_integers(archive, "seen", &m->seen, 1);
  rill_archive_reals(archive, "window", m->ring[0], (size_t)m->window * ESTIMATORS);
}

/* Called before anything is changed. */
static enum rill_status check_window(const struct rill_deck *deck, const struct rill_archive *archive,
                                     struct rill_error *error) {
  size_t seen, window;
  if (rill_archive_find(archive, "seen", RILL_ARCHIVE_INTEGERS, &seen) == NULL || seen != 1 ||
      rill_archive_find(archive, "window", RILL_ARCHIVE_REALS, &window) == NULL ||
      window != deck->penalty.window * ESTIMATORS)
    return rill_error_set(error, RILL_ERROR_INPUT, "multipliers of another number of steps are in the checkpoint");
  return RILL_OK;
}

static enum rill_status open_csv(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                 void **self, struct rill_error *error) {
  const struct rill_deck *deck = &run->sim->deck;
  const char *path = run->outputs.multipliers;
  struct multipliers *m;
  if (!deck->penalty.record) return RILL_OK;
  if (opening == RILL_OPEN_CHECK) {
    RILL_TRY(check_window(deck, archive, error));
    return rill_series_check(path, run->provenance, COLUMNS, names, units, archive, error);
  }
  RILL_TRY(make(deck, &run->sim->system, (struct multipliers **)self, error));
  m = *self;
  if (opening == RILL_OPEN_NEW)
    return rill_series_create(path, run->request.replace, run->provenance, COLUMNS, names, units, &m->series, error);
  archive_window(m, archive);
  return rill_series_resume(path, run->provenance, COLUMNS, names, units, NULL, 0, archive, &m->series, error);
}

static enum rill_status seal(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  struct multipliers *m = self;
  (void)run;
  return rill_series_keep(m->series, rill_series_rows(m->series), archive, error);
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  if (self == NULL) return RILL_OK;
  archive_window(self, archive);
  return seal(run, self, archive, error);
}

static enum rill_status close_csv(struct rill_run *run, void *self, struct rill_error *error) {
  struct multipliers *m = self;
  enum rill_status status = RILL_OK;
  (void)run;
  if (m->series != NULL) status = rill_series_close(m->series, error);
  rill_release(m->ring);
  rill_release(m);
  return status;
}

static enum rill_status plan(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error) {
  if (!deck->penalty.record) return RILL_OK;
  return rill_outputs_name_after(outputs, deck, "-multipliers.csv", outputs->multipliers, error);
}

static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  const struct rill_deck *deck = &sim->deck;
  if (outputs->multipliers[0] == '\0') return 0;
  return COLUMNS * NUMBER * rill_resources_samples(deck->integrator.steps, deck->output.series_interval);
}

const struct rill_sink rill_multipliers_sink = {.plan = plan,
                                                .disk = disk,
                                                .group = "multipliers",
                                                .open = open_csv,
                                                .observer = observer,
                                                .keep = keep,
                                                .seal = seal,
                                                .close = close_csv};

/* The series of a small system as a CSV: energies, momenta, residuals, and, unless the system is
 * large, coordinates. */
#include "output/series.h"

#include <stdio.h>

#include "base/memory.h"
#include "simulation/resources.h"
#include "simulation/sinks/sinks.h"
#include "simulation/small.h"
#include "simulation/small_columns.h"

enum { NAME = 24 };

static size_t count_fixed(const struct rill_simulation *sim) {
  return rill_small_columns(sim, 0, 0, NULL, NULL, NULL, NULL);
}

struct series {
  struct rill_run *run;
  struct rill_series *csv;
  size_t n, m, columns; /* n, m: coordinates and multipliers in the table */
  char (*name)[NAME];
  const char **names, **units; /* [columns] */
  double *row;
};

static void name_columns(struct series *s) {
  const struct rill_simulation *sim = s->run->sim;
  const struct rill_system_type *type = sim->type;
  const char *of_coordinate = type->coordinate_unit != NULL ? type->coordinate_unit : "",
             *of_momentum = type->momentum_unit != NULL ? type->momentum_unit : "";
  const size_t fixed = rill_small_columns(sim, 0, 0, NULL, s->names, s->units, NULL);
  for (size_t i = fixed; i < s->columns; i++) {
    const size_t k = i - fixed;
    s->names[i] = s->name[i];
    s->units[i] = k < s->n ? of_coordinate : k < 2 * s->n ? of_momentum : "";
    if (k < s->n) snprintf(s->name[i], NAME, "q%zu", k + 1);
    else if (k < 2 * s->n) snprintf(s->name[i], NAME, "p%zu", k - s->n + 1);
    else snprintf(s->name[i], NAME, "multiplier%zu", k - 2 * s->n + 1);
  }
}

static void release(struct series *s) {
  rill_release(s->name);
  rill_release(s->names);
  rill_release(s->units);
  rill_release(s->row);
  rill_release(s);
}

static enum rill_status make(struct rill_run *run, void **self, struct rill_error *error) {
  const struct rill_state *state = run->sim->system.state;
  const size_t n = state->n <= RILL_SMALL_SERIES_COORDINATES ? state->n : 0,
               m = n > 0 ? rill_small_multipliers(state) : 0, columns = count_fixed(run->sim) + 2 * n + m;
  struct series *s = *self = rill_allocate(1, sizeof *s);
  if (s == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the series");
  *s = (struct series){.run = run,
                       .n = n,
                       .m = m,
                       .columns = columns,
                       .name = rill_allocate(columns, NAME),
                       .names = rill_allocate(columns, sizeof *s->names),
                       .units = rill_allocate(columns, sizeof *s->units),
                       .row = rill_allocate(columns, sizeof *s->row)};
  if (s->name == NULL || s->names == NULL || s->units == NULL || s->row == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a series of %zu columns", columns);
  name_columns(s);
  return RILL_OK;
}

static enum rill_status open_csv(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                 void **self, struct rill_error *error) {
  const char *path = run->outputs.series;
  struct series *s;
  if (path[0] == '\0') return RILL_OK;
  if (*self == NULL) RILL_TRY(make(run, self, error));
  s = *self;
  switch (opening) {
  case RILL_OPEN_NEW:
    return rill_series_create(path, run->request.replace, run->provenance, s->columns, s->names, s->units, &s->csv,
                              error);
  case RILL_OPEN_CHECK:
    return rill_series_check(path, run->provenance, s->columns, s->names, s->units, archive, error);
  case RILL_OPEN_RESUME:
    return rill_series_resume(path, run->provenance, s->columns, s->names, s->units, NULL, 0, archive, &s->csv,
                              error);
  }
  return RILL_OK;
}

static void fill_row(struct series *s, uint64_t step, double time) {
  const struct rill_state *state = s->run->sim->system.state;
  double *row = s->row + rill_small_columns(s->run->sim, step, time, &s->run->observation, NULL, NULL, s->row);
  for (size_t i = 0; i < s->n; i++) *row++ = state->q[i];
  for (size_t i = 0; i < s->n; i++) *row++ = state->p[i];
  for (size_t i = 0; i < s->m; i++) *row++ = state->multiplier[i];
}

/* Rows are in the file only. */
static enum rill_status append(void *self, uint64_t step, double time, struct rill_error *error) {
  struct series *s = self;
  RILL_TRY(rill_run_observe(s->run, step, time, error));
  fill_row(s, step, time);
  RILL_TRY(rill_series_append(s->csv, s->row, error));
  rill_series_forget(s->csv, rill_series_rows(s->csv));
  return RILL_OK;
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.output.series_interval, append, self, true, true};
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  struct series *s = self;
  (void)run;
  return s != NULL ? rill_series_keep(s->csv, rill_series_rows(s->csv), archive, error) : RILL_OK;
}

static enum rill_status close_csv(struct rill_run *run, void *self, struct rill_error *error) {
  struct series *s = self;
  const enum rill_status status = s->csv != NULL ? rill_series_close(s->csv, error) : RILL_OK;
  (void)run;
  release(s);
  return status;
}

static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  static const double number = 18; /* bytes */
  const struct rill_deck *deck = &sim->deck;
  const struct rill_state *state = sim->system.state;
  double columns = (double)count_fixed(sim);
  if (state->n <= RILL_SMALL_SERIES_COORDINATES) columns += (double)(2 * state->n + rill_small_multipliers(state));
  if (outputs->series[0] == '\0') return 0;
  return columns * number * rill_resources_samples(deck->integrator.steps, deck->output.series_interval);
}

const struct rill_sink rill_small_series_sink = {.plan = rill_outputs_name_series,
                                                 .disk = disk,
                                                 .group = "series",
                                                 .open = open_csv,
                                                 .observer = observer,
                                                 .keep = keep,
                                                 .seal = keep,
                                                 .close = close_csv};

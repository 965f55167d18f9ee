/* The series of a small system as a CSV: energies, momenta, residuals, and, unless the system is
 * large, coordinates. */
#include "output/series.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "simulation/resources.h"
#include "simulation/sinks/sinks.h"
#include "simulation/small.h"

/* Columns that every series has; those of a heat bath follow. */
enum { FIXED = RILL_SMALL_SERIES_FIXED, OF_BATH = 3, NAME = 24 };

static const char *const fixed[FIXED] = {"step",
                                         "t",
                                         "kinetic",
                                         "potential",
                                         "total",
                                         "momentum_x",
                                         "momentum_y",
                                         "momentum_z",
                                         "angular_momentum_x",
                                         "angular_momentum_y",
                                         "angular_momentum_z",
                                         "position_residual",
                                         "velocity_residual",
                                         "iterations"};

/* Of a heat bath: kinetic temperatures, and the part of the potential that corrects the measure.  Fills what there is
 * of [OF_BATH] names and values, and returns the number; an argument that is NULL is not wanted. */
static size_t columns_of_bath(const struct rill_deck *deck, const struct rill_observation *o, const char **name,
                              double *value) {
  const struct {
    bool there;
    const char *name;
    double value;
  } columns[OF_BATH] = {
      {deck->thermostat.method != RILL_NO_BATH, "temperature", o != NULL ? o->temperature : NAN},
      {deck->thermostat.method == RILL_BAOAB, "temperature_half", o != NULL ? o->temperature_half : NAN},
      {deck->thermostat.measure != RILL_MEASURE_CONSTRAINED, "correction", o != NULL ? o->correction : NAN},
  };
  size_t count = 0;
  for (int i = 0; i < OF_BATH; i++) {
    if (!columns[i].there) continue;
    if (name != NULL) name[count] = columns[i].name;
    if (value != NULL) value[count] = columns[i].value;
    count++;
  }
  return count;
}

static size_t fixed_columns(const struct rill_deck *deck) { return FIXED + columns_of_bath(deck, NULL, NULL, NULL); }

struct series {
  struct rill_run *run;
  struct rill_series *csv;
  size_t fixed, n, m, columns; /* coordinates and multipliers in the table */
  char (*name)[NAME];
  const char **names, **units; /* [columns] */
  double *row;
};

static const char *unit_of(const struct rill_simulation *sim, size_t column, size_t n) {
  const size_t before = fixed_columns(&sim->deck);
  const struct rill_system_type *type = sim->type;
  const char *of_momentum = type->momentum_unit != NULL ? type->momentum_unit : "",
             *of_coordinate = type->coordinate_unit != NULL ? type->coordinate_unit : "";
  if (column == 1) return rill_deck_time_unit(&sim->deck);
  if ((column >= 2 && column <= 4) || (column >= FIXED && column < before)) return rill_simulation_energy_unit(sim);
  if (column >= 5 && column <= 10 && type->si) return column <= 7 ? "kg m/s" : "kg m2/s";
  if (column < before) return "";
  return column < before + n ? of_coordinate : column < before + 2 * n ? of_momentum : "";
}

static void name_columns(struct series *s) {
  const size_t n = s->n, before = s->fixed;
  const char *of_bath[OF_BATH];
  columns_of_bath(&s->run->sim->deck, NULL, of_bath, NULL);
  for (size_t i = 0; i < s->columns; i++) {
    s->units[i] = unit_of(s->run->sim, i, n);
    s->names[i] = s->name[i];
    if (i < before) snprintf(s->name[i], NAME, "%s", i < FIXED ? fixed[i] : of_bath[i - FIXED]);
    else if (i < before + n) snprintf(s->name[i], NAME, "q%zu", i - before + 1);
    else if (i < before + 2 * n) snprintf(s->name[i], NAME, "p%zu", i - before - n + 1);
    else snprintf(s->name[i], NAME, "multiplier%zu", i - before - 2 * n + 1);
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
               m = n > 0 ? rill_small_multipliers(state) : 0, before = fixed_columns(&run->sim->deck),
               columns = before + 2 * n + m;
  struct series *s = *self = rill_allocate(1, sizeof *s);
  if (s == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the series");
  *s = (struct series){.run = run,
                       .fixed = before,
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
  const struct rill_observation *o = &s->run->observation;
  const struct rill_state *state = s->run->sim->system.state;
  double *row = s->row;
  *row++ = (double)step;
  *row++ = time;
  *row++ = o->kinetic;
  *row++ = o->potential;
  *row++ = o->kinetic + o->potential;
  for (int i = 0; i < 3; i++) *row++ = o->momentum[i];
  for (int i = 0; i < 3; i++) *row++ = o->angular_momentum[i];
  *row++ = o->position_deviation_max;
  *row++ = o->velocity_deviation_max;
  *row++ = o->iterations;
  row += columns_of_bath(&s->run->sim->deck, o, NULL, row);
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
  double columns = (double)fixed_columns(deck);
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

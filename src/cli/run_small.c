#include "config.h" /* _GNU_SOURCE, for asprintf */

#include "cli/run_small.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/files.h"
#include "cli/resources.h"
#include "cli/signals.h"
#include "cli/small.h"
#include "cli/small_summary.h"
#include "cli/stop.h"
#include "cli/terminal.h"
#include "mech/driver.h"
#include "output/series.h"
#include "output/series_file.h"

/* Coordinates up to which the CSV has them; larger systems' are in the HDF5 file only. */
enum { CSV_COORDINATES_MOST = 100, CSV_FIXED = 14, NAME = 24 };

struct job {
  struct rill_deck *deck;
  struct rill_small small;
  struct rill_outputs outputs;
  struct rill_outputs_lock lock;
  char *expanded;              /* the deck in full */
  char *provenance;            /* version, degrees of freedom, the deck: what opens a CSV */
  struct rill_series *csv;
  struct rill_series_file *file;
  struct rill_small_summary summary;
  double *row;                 /* of the CSV */
  bool terminal, shown;
  double started, spoken;      /* clock: of the run, and of the last line of progress */
  double observing;            /* seconds spent on samples and files */
  const struct rill_run_request *request;
  struct rill_checkpoint checkpoint; /* that the run goes on from */
  struct rill_archive *continued;    /* its arrays; NULL for a run that begins */
  struct rill_keeping keeping;
  struct rill_guard guard;
};

/* How many there are: of constraints or of penalties. */
static size_t multipliers(const struct rill_state *state) {
  if (state->multiplier == NULL) return 0;
  return state->multipliers > 0 ? state->multipliers : state->m;
}

static const char *energy_unit(const struct rill_small *small) { return small->type->si ? "J" : ""; }

/* Coordinates that methods of the Zhang-Skeel family move are not the positions. */
static bool moves_other_coordinates(const struct rill_small *small) {
  const struct rill_filter *filter = small->method->filter;
  return small->system.state->position != NULL && filter != NULL && filter->kind != RILL_FILTER_IDENTITY;
}

/* ---- samples ---- */

static enum rill_status observe(struct job *job, uint64_t step, struct rill_observation *o,
                                struct rill_error *error) {
  const struct rill_observation *seen = rill_guard_observation(&job->guard, step);
  if (seen == NULL) return job->small.system.ops->observe(job->small.system.self, o, error);
  *o = *seen;
  return RILL_OK;
}

static void fill_row(struct job *job, uint64_t step, double time, const struct rill_observation *o) {
  const struct rill_state *state = job->small.system.state;
  double *row = job->row;
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
  if (state->n > CSV_COORDINATES_MOST) return;
  for (size_t i = 0; i < state->n; i++) *row++ = state->q[i];
  for (size_t i = 0; i < state->n; i++) *row++ = state->p[i];
  for (size_t i = 0; i < multipliers(state); i++) *row++ = state->multiplier[i];
}

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct job *job = self;
  struct rill_observation o;
  RILL_TRY(observe(job, step, &o, error));
  rill_small_summary_add(&job->summary, time, &o);
  if (job->csv == NULL) return RILL_OK;
  fill_row(job, step, time, &o);
  RILL_TRY(rill_series_append(job->csv, job->row, error));
  rill_series_forget(job->csv, rill_series_rows(job->csv));
  return RILL_OK;
}

static enum rill_status write_frame(void *self, uint64_t step, double time, struct rill_error *error) {
  struct job *job = self;
  const struct rill_state *state = job->small.system.state;
  struct rill_observation o;
  struct rill_series_frame frame;
  RILL_TRY(observe(job, step, &o, error));
  frame = (struct rill_series_frame){
      .step = step,
      .time = time,
      .q = state->q,
      .p = state->p,
      .position = state->position,
      .multiplier = state->multiplier,
      .energy = {o.kinetic, o.potential, o.kinetic + o.potential},
      .momentum = {o.momentum[0], o.momentum[1], o.momentum[2], o.angular_momentum[0], o.angular_momentum[1],
                   o.angular_momentum[2]},
      .residual = {o.position_deviation_max, o.velocity_deviation_max},
      .iterations = o.iterations,
  };
  return rill_series_file_append(job->file, &frame, error);
}

static enum rill_status show_progress(void *self, uint64_t step, double time, struct rill_error *error) {
  struct job *job = self;
  double now = rill_clock(), elapsed = now - job->started;
  uint64_t steps = job->deck->integrator.steps, done = step - job->checkpoint.step;
  struct rill_observation o;
  if (job->request->quiet || done == 0 || now - job->spoken < (job->terminal ? 0.2 : 10.0)) return RILL_OK;
  job->spoken = now;
  RILL_TRY(job->small.system.ops->observe(job->small.system.self, &o, error));
  if (job->terminal) rill_terminal_control(RILL_TERMINAL_LINE);
  fprintf(stderr, "step %" PRIu64 " of %" PRIu64 "  time %g  energy %.10g  %.0f s left%s", step, steps, time,
          o.kinetic + o.potential, elapsed / (double)done * (double)(steps - step), job->terminal ? "" : "\n");
  if (job->terminal) rill_terminal_control(RILL_TERMINAL_CLEAR);
  job->shown = true;
  return RILL_OK;
}

/* ---- opening and closing ---- */

/* Of a column of the series with n coordinates. */
static const char *unit_of(const struct job *job, size_t column, size_t n) {
  const struct rill_system_type *type = job->small.type;
  const char *of_momentum = type->momentum_unit != NULL ? type->momentum_unit : "",
             *of_coordinate = type->coordinate_unit != NULL ? type->coordinate_unit : "";
  if (column == 1) return rill_deck_time_unit(job->deck);
  if (column >= 2 && column <= 4) return energy_unit(&job->small);
  if (column >= 5 && column <= 10 && type->si) return column <= 7 ? "kg m/s" : "kg m2/s";
  if (column < CSV_FIXED) return "";
  return column < CSV_FIXED + n ? of_coordinate : column < CSV_FIXED + 2 * n ? of_momentum : "";
}

/* Made, looked at before a continuation changes any file, or resumed. */
enum opening { CREATED, CHECKED, RESUMED };

static enum rill_status open_csv(struct job *job, enum opening opening, struct rill_error *error) {
  static const char *const fixed[CSV_FIXED] = {"step",
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
  const struct rill_state *state = job->small.system.state;
  size_t n = state->n <= CSV_COORDINATES_MOST ? state->n : 0, m = n > 0 ? multipliers(state) : 0,
         columns = CSV_FIXED + 2 * n + m;
  char(*names)[NAME] = rill_allocate(columns, sizeof *names);
  const char **name = rill_allocate(columns, sizeof *name), **unit = rill_allocate(columns, sizeof *unit);
  enum rill_status status = RILL_OK;
  if (job->row == NULL) job->row = rill_allocate(columns, sizeof *job->row);
  if (names == NULL || name == NULL || unit == NULL || job->row == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a series of %zu columns", columns);
  } else {
    for (size_t i = 0; i < columns; i++) {
      unit[i] = unit_of(job, i, n);
      if (i < CSV_FIXED) snprintf(names[i], NAME, "%s", fixed[i]);
      else if (i < CSV_FIXED + n) snprintf(names[i], NAME, "q%zu", i - CSV_FIXED + 1);
      else if (i < CSV_FIXED + 2 * n) snprintf(names[i], NAME, "p%zu", i - CSV_FIXED - n + 1);
      else snprintf(names[i], NAME, "multiplier%zu", i - CSV_FIXED - 2 * n + 1);
      name[i] = names[i];
    }
    if (opening == CREATED)
      status = rill_series_create(job->outputs.series, job->request->replace, job->provenance, columns, name, unit,
                                  &job->csv, error);
    else if (opening == CHECKED)
      status = rill_series_check(job->outputs.series, job->provenance, columns, name, unit, job->continued, error);
    else
      status = rill_series_resume(job->outputs.series, job->provenance, columns, name, unit, NULL, 0, job->continued,
                                  &job->csv, error);
  }
  rill_release(names);
  rill_release(name);
  rill_release(unit);
  return status;
}

static enum rill_status open_file(struct job *job, enum opening opening, struct rill_error *error) {
  const struct rill_state *state = job->small.system.state;
  const struct rill_series_file_header header = {
      .n = state->n,
      .m = multipliers(state),
      .positions = moves_other_coordinates(&job->small),
      .system = job->small.type->name,
      .method = job->small.method->name,
      .version = PACKAGE_VERSION,
      .deck = job->expanded,
      .deck_room = rill_resume_deck_room(job->expanded),
      .units = job->small.type->si ? "SI" : "none",
      .time_unit = rill_deck_time_unit(job->deck),
      .coordinate_unit = job->small.type->coordinate_unit,
      .momentum_unit = job->small.type->momentum_unit,
      .step = job->deck->integrator.step,
      .replace = job->request->replace,
  };
  if (opening == CHECKED) return rill_series_file_check(job->outputs.trajectory, &header, job->continued, error);
  if (opening == RESUMED)
    return rill_series_file_resume(job->outputs.trajectory, &header, job->continued, &job->file, error);
  return rill_series_file_create(job->outputs.trajectory, &header, &job->file, error);
}

static void archive_state(struct job *job, struct rill_archive *archive) {
  rill_archive_enter(archive, "system");
  job->small.system.ops->archive(job->small.system.self, archive);
  rill_archive_leave(archive);
  rill_archive_enter(archive, "observed"); /* with the guard's observation, which is not made anew */
  if (job->small.system.state->multiplier != NULL)
    rill_archive_reals(archive, "multiplier", job->small.system.state->multiplier, multipliers(job->small.system.state));
  rill_archive_leave(archive);
  rill_archive_enter(archive, "summary");
  rill_small_summary_archive(&job->summary, archive);
  rill_archive_leave(archive);
}

/* Rows of the CSV are in the file alone: nobody asks for them. */
static enum rill_status save(void *self, struct rill_archive *archive, struct rill_error *error) {
  struct job *job = self;
  archive_state(job, archive);
  rill_archive_enter(archive, "stop");
  rill_guard_archive(&job->guard, archive);
  rill_archive_leave(archive);
  rill_archive_enter(archive, "trajectory");
  if (job->file != NULL) RILL_TRY(rill_series_file_keep(job->file, archive, error));
  rill_archive_leave(archive);
  rill_archive_enter(archive, "series");
  if (job->csv != NULL) RILL_TRY(rill_series_keep(job->csv, rill_series_rows(job->csv), archive, error));
  rill_archive_leave(archive);
  return RILL_OK;
}

static enum rill_status describe_run(struct job *job, struct rill_error *error) {
  job->expanded = rill_deck_expand(job->deck);
  if (job->expanded == NULL ||
      asprintf(&job->provenance, "%s, %g degrees of freedom\n%s", PACKAGE_STRING,
               job->small.system.ops->degrees_of_freedom(job->small.system.self), job->expanded) < 0)
    job->provenance = NULL;
  if (job->provenance == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  return RILL_OK;
}

static enum rill_status open_both(struct job *job, enum opening opening, struct rill_error *error) {
  struct rill_archive none = {0}, *archive = job->continued != NULL ? job->continued : &none;
  rill_archive_enter(archive, "series");
  if (job->outputs.series[0] != '\0') RILL_TRY(open_csv(job, opening, error));
  rill_archive_leave(archive);
  rill_archive_enter(archive, "trajectory");
  if (job->outputs.trajectory[0] != '\0') RILL_TRY(open_file(job, opening, error));
  rill_archive_leave(archive);
  return RILL_OK;
}

/* Everything is compared with the checkpoint before any file is changed. */
static enum rill_status resume_outputs(struct job *job, struct rill_error *error) {
  struct rill_archive *archive = job->continued;
  FILE *notes = job->request->quiet ? NULL : stderr;
  archive_state(job, archive);
  RILL_TRY(rill_archive_status(archive, error));
  rill_manifest_announce(job->outputs.trajectory, notes);
  RILL_TRY(open_both(job, CHECKED, error));
  RILL_TRY(rill_checkpoint_unseal(job->outputs.checkpoint, &job->checkpoint, error));
  return open_both(job, RESUMED, error);
}

static enum rill_status open_outputs(struct job *job, struct rill_error *error) {
  RILL_TRY(describe_run(job, error));
  if (job->continued != NULL) return resume_outputs(job, error);
  if (job->request->replace) RILL_TRY(rill_outputs_remove_checkpoints(&job->outputs, error));
  return open_both(job, CREATED, error);
}

/* Notes what the files are now that the run is over.  The group is left that of the HDF5 file, which adds to it when it is
 * closed. */
static enum rill_status seal_files(struct job *job, struct rill_archive *seal, struct rill_error *error) {
  enum rill_status status = RILL_OK;
  rill_archive_enter(seal, "series");
  if (job->csv != NULL) status = rill_series_keep(job->csv, rill_series_rows(job->csv), seal, error);
  rill_archive_leave(seal);
  rill_archive_enter(seal, "trajectory");
  if (status == RILL_OK && job->file != NULL) status = rill_series_file_seal(job->file, seal, error);
  return status;
}

static void close_outputs(struct job *job, struct rill_error *error) {
  static struct rill_error fault;
  struct rill_archive *seal = rill_keeping_seal(&job->keeping);
  rill_error_clear(&fault);
  if (seal != NULL && seal_files(job, seal, &fault) != RILL_OK) rill_error_add(error, fault.status, "%s", fault.text);
  rill_error_clear(&fault);
  if (rill_series_file_close(job->file, &fault) != RILL_OK) rill_resume_add_fault(&fault, error);
  if (seal != NULL) rill_archive_leave(seal);
  rill_error_clear(&fault);
  if (rill_series_close(job->csv, &fault) != RILL_OK) rill_resume_add_fault(&fault, error);
  job->file = NULL;
  job->csv = NULL;
}

/* ---- the run ---- */

static enum rill_status drive(struct job *job, struct rill_driver *driver, double *wall, struct rill_error *error) {
  const struct rill_deck *deck = job->deck;
  struct rill_timers timers = {0};
  struct rill_observer observers[3];
  struct rill_keeper keeper;
  size_t count = 0;
  enum rill_status status;
  observers[count++] = (struct rill_observer){deck->output.series_interval, sample, job, true, true};
  if (job->file != NULL) observers[count++] = (struct rill_observer){deck->output.interval, write_frame, job, false, true};
  observers[count++] = (struct rill_observer){job->small.system.state->n < 100 ? 1000 : 10, show_progress, job, false, false};
  *driver = (struct rill_driver){.system = &job->small.system,
                                 .integrator = job->small.integrator,
                                 .observers = observers,
                                 .observer_count = count,
                                 .keeper = rill_keeping_keeper(&job->keeping, &keeper),
                                 .guard = &job->guard,
                                 .first = job->checkpoint.step,
                                 .continued = job->continued != NULL,
                                 .last = deck->integrator.steps,
                                 .stop = rill_signal_stop(),
                                 .save = rill_signal_save(),
                                 .deadline = job->request->deadline};
  job->small.system.timers = &timers;
  job->terminal = isatty(STDERR_FILENO) == 1;
  job->started = job->spoken = rill_clock();
  status = rill_driver_run(driver, error);
  *wall = rill_clock() - job->started;
  job->observing = timers.seconds[RILL_PHASE_OBSERVATION];
  job->small.system.timers = NULL;
  if (job->shown && job->terminal) rill_terminal_control(RILL_TERMINAL_LINE RILL_TERMINAL_CLEAR);
  return status;
}

static void explain_stop(const struct job *job, const struct rill_driver *driver, struct rill_error *error) {
  const char *unit = rill_deck_time_unit(job->deck);
  rill_error_add(error, error->status, "the run stopped after step %" PRIu64 ", at time %.10g%s%s", driver->done,
                 (double)driver->done * job->deck->integrator.step, *unit ? " " : "", unit);
  if (job->outputs.trajectory[0] != '\0')
    rill_error_add(error, error->status, "all frames up to then are in %s", job->outputs.trajectory);
}

static void write_summary(const struct job *job, const struct rill_driver *driver, double wall) {
  const struct rill_state *state = job->small.system.state;
  uint64_t steps = driver->done - driver->first;
  bool iterates = rill_method_reads(job->small.method) & (RILL_READS_SOLVER | RILL_READS_ROTATION) || state->m > 0;
  rill_small_summary_write(stdout, &job->summary, energy_unit(&job->small), rill_deck_time_unit(job->deck),
                           job->small.system.group != NULL, multipliers(state) > 0, iterates);
  printf("\nspeed\n  %-27s", "a step, without output");
  if (steps > 0)
    printf("%20.4g  us\n", (wall - job->observing) / (double)steps * 1e6);
  else
    printf("%20s\n", "n/a");
  printf("  %-27s%20.4g  s\n", "wall time", wall);
  if (job->outputs.trajectory[0] == '\0' && job->outputs.series[0] == '\0') return;
  puts("\nwritten");
  if (job->outputs.trajectory[0] != '\0') printf("  series in HDF5              %s\n", job->outputs.trajectory);
  if (job->outputs.series[0] != '\0') printf("  series                      %s\n", job->outputs.series);
}

static void close_all(struct job *job, const struct rill_driver *driver, struct rill_error *error) {
  static struct rill_error fault;
  close_outputs(job, error);
  rill_error_clear(&fault);
  if (error->status != RILL_ERROR_WRITE &&
      rill_keeping_end(&job->keeping, error->status == RILL_OK && driver->done == driver->last, &fault) != RILL_OK)
    rill_resume_add_fault(&fault, error);
  if (error->status != RILL_OK) rill_keeping_explain(&job->keeping, job->request->again, error);
}

static enum rill_status run_job(struct job *job, struct rill_error *error) {
  struct rill_driver driver = {0};
  double wall = 0;
  enum rill_status status = open_outputs(job, error);
  if (status != RILL_OK) {
    close_outputs(job, error);
    return error->status;
  }
  if (!job->request->quiet) {
    printf("rill %s: %s\n", PACKAGE_VERSION, job->deck->path);
    rill_small_describe(&job->small, job->deck, stdout);
    rill_stop_describe(&job->guard, job->deck, stdout);
    if (job->continued != NULL)
      printf("  resumed      after step %" PRIu64 ", from %s\n", job->checkpoint.step, job->outputs.checkpoint);
    fflush(stdout);
  }
  job->keeping = (struct rill_keeping){.outputs = &job->outputs,
                                       .deck = job->deck,
                                       .expanded = job->expanded,
                                       .kernel = "",
                                       .save = save,
                                       .job = job,
                                       .torn = job->checkpoint.stands_in,
                                       .replace = job->request->replace || job->continued != NULL,
                                       .notes = job->request->quiet ? NULL : stderr,
                                       .written = job->continued != NULL,
                                       .step = job->checkpoint.step};
  status = drive(job, &driver, &wall, error);
  if (status != RILL_OK) explain_stop(job, &driver, error);
  if (status == RILL_OK || status == RILL_INTERRUPTED) write_summary(job, &driver, wall);
  close_all(job, &driver, error);
  return error->status;
}

static enum rill_status prepare(struct rill_deck *deck, struct rill_small *small, struct rill_error *error) {
  if (rill_small_create_system(small, error) != RILL_OK) return rill_error_prefix(error, "%s", deck->path);
  return rill_small_bind(small, deck, error);
}

static enum rill_status run(struct job *job, struct rill_error *error) {
  const struct rill_run_request *request = job->request;
  bool complete;
  RILL_TRY(rill_small_read(job->deck, &job->small, error));
  RILL_TRY(rill_outputs_enter(&job->outputs, request->folder, error));
  RILL_TRY(rill_outputs_plan_small(&job->outputs, job->deck, error));
  RILL_TRY(rill_resume_check_limits(request, &job->outputs, job->deck, error));
  RILL_TRY(rill_outputs_lock(&job->outputs, job->deck, request->replace, request->resume, request->quiet ? NULL : stderr,
                             &job->lock, error));
  if (request->resume) {
    RILL_TRY(rill_resume_load(&job->outputs, job->deck, "", request->quiet ? NULL : stderr, &job->checkpoint, error));
    RILL_TRY(rill_resume_is_complete(&job->checkpoint, &job->outputs, job->deck, request->quiet ? NULL : stderr, &complete,
                                     error));
    if (complete) return RILL_OK;
    job->continued = &job->checkpoint.archive;
  }
  RILL_TRY(prepare(job->deck, &job->small, error));
  RILL_TRY(rill_stop_begin_small(&job->small, job->deck, job->continued, &job->guard, error));
  if (rill_signal_caught()) return rill_resume_stopped_early(error);
  return run_job(job, error);
}

enum rill_status rill_run_small(struct rill_deck *deck, const struct rill_run_request *request,
                                struct rill_error *error) {
  struct job *job = calloc(1, sizeof *job);
  enum rill_status status;
  if (job == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  job->deck = deck;
  job->request = request;
  status = run(job, error);
  rill_keeping_release(&job->keeping);
  rill_guard_release(&job->guard);
  rill_small_destroy(&job->small);
  rill_checkpoint_release(&job->checkpoint);
  rill_outputs_unlock(&job->lock);
  rill_release(job->row);
  free(job->provenance);
  free(job->expanded);
  free(job);
  return status;
}

/* Bytes on the disk: of the HDF5 file, the CSV and two checkpoints. */
static double disk_of(const struct rill_small *small, const struct rill_deck *deck,
                      const struct rill_outputs *outputs) {
  const struct rill_state *state = small->system.state;
  const double n = (double)state->n, m = (double)multipliers(state), number = 18;
  const double frame = 8 * (2 * n + m + (moves_other_coordinates(small) ? n : 0) + RILL_SERIES_ENERGY +
                            RILL_SERIES_MOMENTUM + RILL_SERIES_RESIDUAL + 3);
  const double line = number * (CSV_FIXED + (state->n <= CSV_COORDINATES_MOST ? 2 * n + m : 0));
  double disk = 0;
  if (outputs->trajectory[0] != '\0')
    disk += frame * rill_resources_samples(deck->integrator.steps, deck->output.interval);
  if (outputs->series[0] != '\0')
    disk += line * rill_resources_samples(deck->integrator.steps, deck->output.series_interval);
  return outputs->checkpoint[0] != '\0' ? disk + 2 * (1e4 + 50 * n) : disk;
}

static enum rill_status examine(struct rill_deck *deck, struct rill_small *small, struct rill_outputs *outputs,
                                struct rill_error *error) {
  struct rill_guard guard = {0};
  const struct rill_observation *o = &guard.observation;
  char *expanded;
  RILL_TRY(rill_small_read(deck, small, error));
  RILL_TRY(rill_outputs_plan_small(outputs, deck, error));
  RILL_TRY(prepare(deck, small, error));
  RILL_TRY(rill_stop_begin_small(small, deck, NULL, &guard, error));
  expanded = rill_deck_expand(deck);
  if (expanded == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  printf("%s is fine; it would run\n", deck->path);
  rill_small_describe(small, deck, stdout);
  rill_stop_describe(&guard, deck, stdout);
  rill_resources_describe(disk_of(small, deck, outputs), outputs, stdout);
  printf("  start        kinetic energy %.10g, potential %.10g%s%s\n\nthe deck in full\n\n%s", o->kinetic + 0.0,
         o->potential + 0.0, small->type->si ? " " : "", energy_unit(small), expanded);
  free(expanded);
  return RILL_OK;
}

enum rill_status rill_check_small(struct rill_deck *deck, struct rill_error *error) {
  struct rill_small *small = calloc(1, sizeof *small);
  struct rill_outputs *outputs = calloc(1, sizeof *outputs);
  enum rill_status status = small != NULL && outputs != NULL ? examine(deck, small, outputs, error)
                                                             : rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (small != NULL) rill_small_destroy(small);
  free(outputs);
  free(small);
  return status;
}

/* rill run: the deck's job, observed, with everything it writes. */
#include "config.h" /* first: it asks for asprintf */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rdf.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/multipliers.h"
#include "cli/progress.h"
#include "cli/resume.h"
#include "cli/run_small.h"
#include "cli/series_columns.h"
#include "cli/setup.h"
#include "cli/signals.h"
#include "cli/stop.h"
#include "cli/summary.h"
#include "mech/driver.h"
#include "output/series.h"
#include "output/trajectory.h"

enum {
  TIMED_STEPS = 2000,
  STORED_TOGETHER = 256 /* rows of the series that go into the trajectory at once */
};
struct job {
  struct rill_setup setup;
  struct rill_outputs outputs;
  struct rill_outputs_lock lock;
  char *expanded;                  /* the deck in full */
  char *provenance;                /* of tables: version, seed, degrees of freedom, deck */
  struct rill_trajectory_writer *trajectory;
  struct rill_series *series;
  struct rill_rdf *rdf;
  struct rill_multipliers *multipliers;
  struct rill_summary summary;
  struct rill_progress progress;
  double *positions, *velocities;  /* [molecules][3][3], for writing */
  uint64_t frames, last_frame;     /* committed ones, and the step of the last */
  size_t stored;                   /* rows of the series that the trajectory has; later ones are in memory */
  const struct rill_run_request *request;
  struct rill_checkpoint checkpoint; /* that the run goes on from */
  struct rill_keeping keeping;
  struct rill_guard guard;
};

/* Borrowed archive of the checkpoint; NULL for a run that begins. */
static struct rill_archive *resumed(struct job *job) { return job->setup.continued; }

/* Of what is there, nothing but what this run wrote before, or what --force lets it replace. */
static bool may_replace(const struct job *job) { return job->request->replace || job->setup.continued != NULL; }

static const double *box_of(const struct job *job) {
  return job->setup.structure.has_box ? &job->setup.structure.box[0][0] : NULL;
}

/* ---- observers ---- */

static enum rill_status write_frame(void *self, uint64_t step, double time, struct rill_error *error) {
  struct job *job = self;
  bool velocities = job->setup.deck.output.velocities;
  struct rill_trajectory_frame frame = {step, time, job->positions, velocities ? job->velocities : NULL, box_of(job)};
  rill_water_copy_state(&job->setup.system, job->positions, job->velocities);
  rill_water_copy_positions(&job->setup.system, job->positions);
  for (size_t i = 0; i < 9 * job->setup.structure.molecules; i++)
    if (!isfinite(job->positions[i]))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE,
                            "step %" PRIu64 ": the position of molecule %zu is not finite", step, i / 9 + 1);
  RILL_TRY(rill_trajectory_append(job->trajectory, &frame, error));
  job->last_frame = step;
  job->frames++;
  return RILL_OK;
}

/* The rows of the series that the trajectory does not have yet. */
static enum rill_status store_series(struct job *job, struct rill_error *error) {
  const size_t rows = rill_series_rows(job->series);
  const struct rill_table table = {.name = "series",
                                   .rows = rows - job->stored,
                                   .columns = RILL_SERIES_COLUMNS,
                                   .column_names = rill_series_names,
                                   .column_units = rill_series_units,
                                   .values = rill_series_values(job->series),
                                   .description = "energies, temperatures, momenta and constraint deviations at their "
                                                  "own stride"};
  RILL_TRY(rill_trajectory_append_table(job->trajectory, &table, error));
  job->stored = rows;
  rill_series_forget(job->series, rows);
  return RILL_OK;
}

static enum rill_status sample_series(void *self, uint64_t step, double time, struct rill_error *error) {
  struct job *job = self;
  const struct rill_observation *observation = rill_guard_observation(&job->guard, step);
  struct rill_observation own;
  double row[RILL_SERIES_COLUMNS];
  if (observation == NULL) {
    RILL_TRY(job->setup.system.ops->observe(job->setup.system.self, &own, error));
    observation = &own;
  }
  rill_series_row(step, time, observation, row);
  RILL_TRY(rill_series_append(job->series, row, error));
  rill_summary_add(&job->summary, &job->setup, row);
  if (job->trajectory == NULL) rill_series_forget(job->series, rill_series_rows(job->series));
  if (job->trajectory == NULL || rill_series_rows(job->series) - job->stored < STORED_TOGETHER) return RILL_OK;
  return store_series(job, error);
}

static enum rill_status sample_rdf(void *self, uint64_t step, double time, struct rill_error *error) {
  struct job *job = self;
  (void)step;
  if (time < job->setup.deck.rdf.from) return RILL_OK;
  rill_water_copy_positions(&job->setup.system, job->positions);
  if (rill_rdf_is_periodic(job->rdf))
    return rill_rdf_sample_box(job->rdf, job->positions, (const double(*)[3])job->setup.structure.box, error);
  rill_rdf_sample(job->rdf, job->positions);
  return RILL_OK;
}

/* ---- opening and closing ---- */

static struct rill_trajectory_header trajectory_header(const struct job *job) {
  const struct rill_setup *setup = &job->setup;
  return (struct rill_trajectory_header){
      .molecules = setup->structure.molecules,
      .periodic = setup->structure.has_box,
      .mass = setup->model.mass,
      .charge = setup->model.charge,
      .version = PACKAGE_VERSION,
      .deck = job->expanded,
      .deck_room = rill_resume_deck_room(job->expanded),
      .seed = setup->deck.thermostat.seed,
      .degrees_of_freedom = setup->system.ops->degrees_of_freedom(setup->system.self),
      .step = setup->deck.integrator.step,
      .velocities = setup->deck.output.velocities,
      .double_precision = setup->deck.output.double_precision,
      .replace = job->request->replace,
  };
}

static enum rill_status create_files(struct job *job, struct rill_error *error) {
  const struct rill_setup *setup = &job->setup;
  const bool replace = job->request->replace;
  if (replace) RILL_TRY(rill_outputs_remove_checkpoints(&job->outputs, error));
  RILL_TRY(rill_series_create(job->outputs.series, replace, job->provenance, RILL_SERIES_COLUMNS,
                              rill_series_names, rill_series_units, &job->series, error));
  if (setup->deck.penalty.record)
    RILL_TRY(rill_multipliers_create(job->outputs.multipliers, replace, job->provenance, &setup->deck, &setup->system,
                                     &job->multipliers, error));
  if (job->outputs.trajectory[0] != '\0') {
    const struct rill_trajectory_header header = trajectory_header(job);
    RILL_TRY(rill_trajectory_create(job->outputs.trajectory, &header, &job->trajectory, error));
    RILL_TRY(store_series(job, error));
    if (job->rdf != NULL) RILL_TRY(rill_outputs_begin_rdf(job->rdf, job->trajectory, error));
  }
  /* Only now, when no other run holds the files, is what an earlier one left taken away. */
  if (replace) rill_outputs_remove_old(&job->outputs);
  return rill_outputs_write_state(job->outputs.twin, &setup->system, setup->structure.title, box_of(job), false, replace,
                                  error);
}

/* ---- going on ---- */

static enum rill_status save(void *self, struct rill_archive *archive, struct rill_error *error) {
  struct job *job = self;
  rill_setup_save(&job->setup, archive);
  rill_archive_enter(archive, "stop");
  rill_guard_archive(&job->guard, archive);
  rill_archive_leave(archive);
  rill_archive_enter(archive, "summary");
  rill_summary_archive(&job->summary, archive);
  rill_archive_leave(archive);
  rill_archive_enter(archive, "series");
  rill_archive_size(archive, "stored", &job->stored);
  RILL_TRY(rill_series_keep(job->series, job->stored, archive, error));
  rill_archive_leave(archive);
  rill_archive_enter(archive, "rdf");
  if (job->rdf != NULL) rill_rdf_archive(job->rdf, archive);
  rill_archive_leave(archive);
  rill_archive_enter(archive, "multipliers");
  if (job->multipliers != NULL) RILL_TRY(rill_multipliers_keep(job->multipliers, archive, error));
  rill_archive_leave(archive);
  rill_archive_enter(archive, "trajectory");
  if (job->trajectory != NULL) RILL_TRY(rill_trajectory_keep(job->trajectory, archive, error));
  rill_archive_leave(archive);
  return RILL_OK;
}

/* All that a checkpoint says is compared with what is there before any file is changed, so that a run that cannot be resumed
 * leaves them as they are. */
static enum rill_status check_files(struct job *job, struct rill_error *error) {
  struct rill_archive *archive = resumed(job);
  const struct rill_trajectory_header header = trajectory_header(job);
  struct rill_trajectory_writer *kept = NULL;
  struct rill_error unused = {0};
  FILE *notes = job->request->quiet ? NULL : stderr;
  rill_archive_enter(archive, "trajectory");
  if (job->outputs.trajectory[0] != '\0') {
    rill_manifest_announce(job->outputs.trajectory, notes);
    RILL_TRY(rill_trajectory_open_kept(job->outputs.trajectory, &header, archive, &kept, error));
    (void)rill_trajectory_close(kept, &unused);
  }
  rill_archive_leave(archive);
  rill_archive_enter(archive, "series");
  rill_archive_size(archive, "stored", &job->stored);
  RILL_TRY(rill_archive_status(archive, error));
  rill_manifest_announce(job->outputs.series, notes);
  RILL_TRY(rill_series_check(job->outputs.series, job->provenance, RILL_SERIES_COLUMNS, rill_series_names,
                             rill_series_units, archive, error));
  rill_archive_leave(archive);
  rill_archive_enter(archive, "rdf");
  if (job->rdf != NULL) rill_rdf_archive(job->rdf, archive);
  RILL_TRY(rill_archive_status(archive, error));
  rill_archive_leave(archive);
  rill_archive_enter(archive, "multipliers");
  if (job->setup.deck.penalty.record)
    RILL_TRY(rill_multipliers_check(job->outputs.multipliers, job->provenance, &job->setup.deck, archive, error));
  rill_archive_leave(archive);
  return RILL_OK;
}

/* Takes away from the files what came after the checkpoint.  Rows that the trajectory has are in the files alone: the summary
 * holds what they come to. */
static enum rill_status rewind_files(struct job *job, struct rill_error *error) {
  struct rill_archive *archive = resumed(job);
  const struct rill_trajectory_header header = trajectory_header(job);
  rill_archive_enter(archive, "summary");
  rill_summary_archive(&job->summary, archive);
  RILL_TRY(rill_archive_status(archive, error));
  rill_archive_leave(archive);
  RILL_TRY(rill_checkpoint_unseal(job->outputs.checkpoint, &job->checkpoint, error));
  rill_archive_enter(archive, "trajectory");
  if (job->outputs.trajectory[0] != '\0')
    RILL_TRY(rill_trajectory_resume(job->outputs.trajectory, &header, archive, &job->trajectory, error));
  rill_archive_leave(archive);
  rill_archive_enter(archive, "series");
  RILL_TRY(rill_series_resume(job->outputs.series, job->provenance, RILL_SERIES_COLUMNS, rill_series_names,
                              rill_series_units, NULL, job->stored, archive, &job->series, error));
  rill_archive_leave(archive);
  rill_archive_enter(archive, "multipliers");
  if (job->setup.deck.penalty.record)
    RILL_TRY(rill_multipliers_resume(job->outputs.multipliers, job->provenance, &job->setup.deck, &job->setup.system,
                                     archive, &job->multipliers, error));
  rill_archive_leave(archive);
  rill_outputs_remove_old(&job->outputs);
  return RILL_OK;
}

static enum rill_status resume_files(struct job *job, struct rill_error *error) {
  RILL_TRY(check_files(job, error));
  return rewind_files(job, error);
}

static enum rill_status open_outputs(struct job *job, struct rill_error *error) {
  const struct rill_setup *setup = &job->setup;
  const struct rill_deck *deck = &setup->deck;
  size_t molecules = setup->structure.molecules;
  job->positions = rill_allocate(9 * molecules, sizeof *job->positions);
  job->velocities = rill_allocate(9 * molecules, sizeof *job->velocities);
  job->expanded = rill_deck_expand(deck);
  if (job->expanded == NULL ||
      asprintf(&job->provenance, "%s, seed %" PRIu64 ", %g degrees of freedom\n%s", PACKAGE_STRING,
               deck->thermostat.seed, setup->system.ops->degrees_of_freedom(setup->system.self), job->expanded) < 0)
    job->provenance = NULL;
  if (job->positions == NULL || job->velocities == NULL || job->provenance == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the output of %zu molecules", molecules);
  if (deck->rdf.on && molecules > 1)
    RILL_TRY((setup->structure.has_box ? rill_rdf_create_periodic : rill_rdf_create)(
        molecules, deck->rdf.max, (size_t)deck->rdf.bins, &job->rdf, error));
  return resumed(job) != NULL ? resume_files(job, error) : create_files(job, error);
}

static enum rill_status store_tables(struct job *job, struct rill_error *error) {
  if (job->trajectory != NULL && rill_series_rows(job->series) > job->stored) RILL_TRY(store_series(job, error));
  if (job->rdf != NULL && rill_rdf_samples(job->rdf) > 0)
    RILL_TRY(rill_outputs_write_rdf(job->outputs.rdf, may_replace(job), job->rdf, job->provenance, job->trajectory, error));
  return RILL_OK;
}

/* As GROMACS writes it, "title, t= 1.5 step= 750", with the seed of the noise before that; without the seed and the time
 * that a title brings from an earlier run. */
static void state_title(const struct job *job, const struct rill_driver *driver, char *title, size_t size) {
  const struct rill_deck *deck = &job->setup.deck;
  const char *given = job->setup.structure.title, *earlier = strstr(given, ", t= "), *seed = strstr(given, RILL_TITLE_SEED);
  int length = (int)strlen(given);
  char noise[40] = "";
  if (earlier != NULL) length = (int)(earlier - given);
  if (earlier != NULL && seed != NULL && seed < earlier) length = (int)(seed - given);
  if (deck->thermostat.method != RILL_THERMOSTAT_NONE)
    snprintf(noise, sizeof noise, RILL_TITLE_SEED "%" PRIu64, deck->thermostat.seed);
  snprintf(title, size, "%.*s%s, t= %.10g step= %" PRIu64, length < 160 ? length : 160, given, noise,
           (double)driver->done * deck->integrator.step, driver->done);
}

/* Notes what the files that grew are now that the run is over.  The group is left that of the trajectory, which adds to it when
 * it is closed. */
static enum rill_status seal_files(struct job *job, struct rill_archive *seal, struct rill_error *error) {
  enum rill_status status;
  rill_archive_enter(seal, "series");
  status = rill_series_keep(job->series, rill_series_rows(job->series), seal, error);
  rill_archive_leave(seal);
  rill_archive_enter(seal, "multipliers");
  if (status == RILL_OK && job->multipliers != NULL) status = rill_multipliers_seal(job->multipliers, seal, error);
  rill_archive_leave(seal);
  rill_archive_enter(seal, "trajectory");
  if (status == RILL_OK && job->trajectory != NULL) status = rill_trajectory_seal(job->trajectory, seal, error);
  return status;
}

/* What a run leaves in any case: tables, closed files, the last good state.  Faults on the way out are added. */
static void close_outputs(struct job *job, bool started, const struct rill_driver *driver, struct rill_error *error) {
  static struct rill_error fault;
  struct rill_archive *seal;
  char title[256];
  rill_error_clear(&fault);
  if (started && error->status != RILL_ERROR_WRITE && store_tables(job, &fault) != RILL_OK)
    rill_resume_add_fault(&fault, error);
  rill_error_clear(&fault);
  seal = started ? rill_keeping_seal(&job->keeping) : NULL;
  if (seal != NULL && seal_files(job, seal, &fault) != RILL_OK) rill_error_add(error, fault.status, "%s", fault.text);
  rill_error_clear(&fault);
  if (rill_trajectory_close(job->trajectory, &fault) != RILL_OK)
    rill_resume_add_fault(&fault, error);
  if (seal != NULL) rill_archive_leave(seal);
  rill_error_clear(&fault);
  if (rill_series_close(job->series, &fault) != RILL_OK) rill_resume_add_fault(&fault, error);
  rill_error_clear(&fault);
  if (rill_multipliers_close(job->multipliers, &fault) != RILL_OK)
    rill_resume_add_fault(&fault, error);
  rill_error_clear(&fault);
  state_title(job, driver, title, sizeof title);
  if (started &&
      rill_outputs_write_state(job->outputs.final, &job->setup.system, title, box_of(job), true, may_replace(job), &fault) !=
          RILL_OK)
    rill_resume_add_fault(&fault, error);
  job->trajectory = NULL;
  job->series = NULL;
  job->multipliers = NULL;
}

static void release(struct job *job) {
  rill_rdf_destroy(job->rdf);
  rill_release(job->positions);
  rill_release(job->velocities);
  free(job->expanded);
  free(job->provenance);
  rill_keeping_release(&job->keeping);
  rill_guard_release(&job->guard);
  rill_setup_release(&job->setup);
  rill_checkpoint_release(&job->checkpoint);
  rill_outputs_unlock(&job->lock);
}

/* ---- the run ---- */

static uint64_t timing_interval(uint64_t steps) {
  uint64_t interval = steps / TIMED_STEPS;
  return interval > 0 ? interval : 1;
}

static enum rill_status drive(struct job *job, struct rill_driver *driver, double *wall, struct rill_error *error) {
  const struct rill_deck *deck = &job->setup.deck;
  struct rill_observer observers[5];
  struct rill_keeper keeper;
  size_t count = 0;
  enum rill_status status;
  double started;
  observers[count++] = (struct rill_observer){deck->output.series_interval, sample_series, job, true, true};
  if (job->rdf != NULL) observers[count++] = (struct rill_observer){deck->rdf.interval, sample_rdf, job, false, true};
  if (job->trajectory != NULL) observers[count++] = (struct rill_observer){deck->output.interval, write_frame, job, false, true};
  if (job->multipliers != NULL) observers[count++] = rill_multipliers_observer(job->multipliers);
  observers[count++] = rill_progress_observer(&job->progress);
  *driver = (struct rill_driver){
      .system = &job->setup.system,
      .integrator = job->setup.integrator,
      .observers = observers,
      .observer_count = count,
      .keeper = rill_keeping_keeper(&job->keeping, &keeper),
      .guard = &job->guard,
      .first = job->checkpoint.step,
      .last = deck->integrator.steps,
      .continued = resumed(job) != NULL,
      .timing_interval = timing_interval(deck->integrator.steps - job->checkpoint.step),
      .stop = rill_signal_stop(),
      .save = rill_signal_save(),
      .deadline = job->request->deadline,
  };
  started = rill_clock();
  status = rill_driver_run(driver, error);
  *wall = rill_clock() - started;
  rill_progress_end(&job->progress);
  return status;
}

static void explain_stop(const struct job *job, const struct rill_driver *driver, struct rill_error *error) {
  double time = (double)driver->done * job->setup.deck.integrator.step;
  rill_error_add(error, error->status,
                 "the run stopped after step %" PRIu64 " (%.10g ps, in steps of %g fs); the last good state is in %s",
                 driver->done, time, job->setup.deck.integrator.step * 1e3, job->outputs.final);
  if (job->frames > 0)
    rill_error_add(error, error->status, "all frames up to step %" PRIu64 " are in %s", job->last_frame,
                   job->outputs.trajectory);
}

static enum rill_status run_job(struct job *job, struct rill_error *error) {
  static struct rill_error fault;
  const bool quiet = job->request->quiet;
  struct rill_driver driver = {0};
  double wall = 0;
  enum rill_status status = open_outputs(job, error);
  if (status != RILL_OK) {
    close_outputs(job, false, &driver, error);
    return status;
  }
  if (!quiet) {
    printf("rill %s: %s\n", PACKAGE_VERSION, job->setup.deck.path);
    rill_setup_describe(&job->setup, stdout);
    rill_stop_describe(&job->guard, &job->setup.deck, stdout);
    if (resumed(job) != NULL)
      printf("  resumed      after step %" PRIu64 ", %g ps, from %s\n", job->checkpoint.step,
             (double)job->checkpoint.step * job->setup.deck.integrator.step, job->outputs.checkpoint);
    fflush(stdout);
  }
  job->keeping = (struct rill_keeping){.outputs = &job->outputs,
                                       .deck = &job->setup.deck,
                                       .expanded = job->expanded,
                                       .kernel = rill_isa_name(job->setup.isa),
                                       .save = save,
                                       .job = job,
                                       .torn = job->checkpoint.stands_in,
                                       .replace = may_replace(job),
                                       .notes = job->request->quiet ? NULL : stderr,
                                       .written = resumed(job) != NULL,
                                       .step = job->checkpoint.step};
  status = rill_keeping_note_first_frame(&job->keeping, resumed(job), quiet ? NULL : stderr, error);
  if (status != RILL_OK) {
    close_outputs(job, false, &driver, error);
    return status;
  }
  rill_progress_start(&job->progress, &job->setup, job->checkpoint.step, quiet);
  status = drive(job, &driver, &wall, error);
  if (rill_outputs_widen_final(&job->outputs, &job->setup.system) && !quiet)
    fprintf(stderr,
            "note: molecules are too far away or too fast for the columns of GRO; the last frame goes to %s, without "
            "velocities\n",
            job->outputs.final);
  if (status != RILL_OK) explain_stop(job, &driver, error);
  if (status == RILL_OK || status == RILL_INTERRUPTED)
    rill_summary_write(stdout, &job->setup, &driver, wall, &job->summary, job->rdf, &job->outputs);
  close_outputs(job, true, &driver, error);
  rill_error_clear(&fault);
  if (error->status != RILL_ERROR_WRITE &&
      rill_keeping_end(&job->keeping, error->status == RILL_OK, &fault) != RILL_OK)
    rill_resume_add_fault(&fault, error);
  if (error->status != RILL_OK) rill_keeping_explain(&job->keeping, job->request->again, error);
  if (error->status == RILL_ERROR_OUTPUT) error->status = RILL_ERROR_FAILED; /* the run was made, not refused */
  return error->status;
}

/* Finds the checkpoint that a resumed run goes on from.  *complete: there is nothing left to do. */
static enum rill_status load(struct job *job, FILE *notes, bool *complete, struct rill_error *error) {
  struct rill_setup *setup = &job->setup;
  if (!job->request->resume) return RILL_OK;
  RILL_TRY(rill_resume_load(&job->outputs, &setup->deck, rill_isa_name(setup->isa), notes, &job->checkpoint, error));
  RILL_TRY(rill_resume_is_complete(&job->checkpoint, &job->outputs, &setup->deck, notes, complete, error));
  setup->continued = &job->checkpoint.archive;
  return RILL_OK;
}

static enum rill_status run_water(struct job *job, int threads, struct rill_error *error) {
  const struct rill_run_request *request = job->request;
  FILE *notes = request->quiet ? NULL : stderr;
  bool complete = false;
  RILL_TRY(rill_outputs_enter(&job->outputs, request->folder, error));
  RILL_TRY(rill_outputs_plan(&job->outputs, &job->setup.deck, error));
  RILL_TRY(rill_resume_check_limits(request, &job->outputs, &job->setup.deck, error));
  RILL_TRY(rill_outputs_lock(&job->outputs, &job->setup.deck, request->replace, request->resume, notes, &job->lock, error));
  RILL_TRY(load(job, notes, &complete, error));
  if (complete) return RILL_OK;
  RILL_TRY(rill_setup_create(&job->setup, threads, notes, error));
  RILL_TRY(rill_stop_begin_water(&job->setup, &job->guard, error));
  if (rill_signal_caught()) return rill_resume_stopped_early(error);
  return run_job(job, error);
}

/* --max-time ends with everything saved: the last of it is for that. */
static enum rill_status read_limits(const struct rill_arguments *arguments, double started,
                                    struct rill_run_request *request, struct rill_error *error) {
  static const double share = 0.05, most = 10; /* seconds */
  const char *text = rill_argument(arguments, "stopped-status");
  double limit;
  size_t status = 0;
  RILL_TRY(rill_argument_wall_time(arguments, "max-time", 0, &limit, error));
  if (limit > 0) request->deadline = started + limit - fmin(share * limit, most);
  if (text != NULL && (rill_count_parse(text, "--stopped-status", 125, &status, error) != RILL_OK || status < 3))
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--stopped-status %s: a whole number from 3 to 125 is expected; 0, 1 and 2 have other meanings", text);
  rill_stopped_status_set((int)status);
  return RILL_OK;
}

static enum rill_status run(const struct rill_arguments *arguments, struct rill_error *error) {
  const double started = rill_clock();
  struct job *job = calloc(1, sizeof *job);
  char *again = rill_resume_command(arguments);
  struct rill_run_request request = {.folder = rill_argument(arguments, "output"),
                                           .replace = rill_argument_given(arguments, "force"),
                                           .resume = rill_argument_given(arguments, "resume"),
                                           .quiet = rill_argument_given(arguments, "quiet"),
                                           .again = again};
  enum rill_status status = RILL_OK;
  size_t threads = 0;
  if (job == NULL || again == NULL) {
    free(job);
    free(again);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  }
  rill_signals_outlive_pipes();
  rill_signals_catch();
  job->request = &request;
  if (request.replace && request.resume)
    status = rill_error_set(error, RILL_ERROR_USAGE, "--resume continues existing output, --force replaces it: give one "
                                                     "of them");
  if (status == RILL_OK) status = rill_argument_count(arguments, "threads", 1024, 0, &threads, error);
  if (status == RILL_OK) status = read_limits(arguments, started, &request, error);
  if (status == RILL_OK)
    status =
        rill_setup_read(arguments->positional[0], arguments->repeated, arguments->repeated_count, &job->setup, error);
  if (status == RILL_OK)
    status = job->setup.deck.units != RILL_UNITS_MOLECULAR ? rill_run_small(&job->setup.deck, &request, error)
                                                           : run_water(job, (int)threads, error);
  release(job);
  free(job);
  free(again);
  return status;
}

static const struct rill_option_row options[] = {
    {"set", 's', "section.key=value", "sets a key of the deck; may be given several times"},
    {"output", 'o', "DIR", "the folder that output goes to, made when it is missing (default: the current one)"},
    {"threads", 't', "N", "at most so many threads (default: all cores); results do not depend on it"},
    {"force", 'f', NULL, "replaces existing output"},
    {"resume", 'r', NULL, "resumes a run that was stopped, from its checkpoint: output is cut to it and appended to"},
    {"max-time", 0, "TIME", "stops in time, with everything saved, before TIME by the clock is over: `23h`, `30min`, `90s`"},
    {"stopped-status", 0, "N",
     "exit status, 3 to 125, of a run that was stopped and can be resumed (default: 0 at --max-time, 128 + number of a "
     "signal)"},
    {"quiet", 'q', NULL, "no progress and no notes; only the closing summary and errors"},
};

const struct rill_command rill_command_run = {
    .name = "run",
    .positional = "DECK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "runs the simulation that a deck describes",
    .description = "Reads and checks the deck, runs the simulation, writes what the deck asks for, and prints a "
                   "summary: means with "
                   "standard errors, the energy drift, the speed and where the time went. The last frame is "
                   "always written as "
                   "GRO. SIGINT, SIGTERM, SIGHUP, SIGUSR2 and --max-time stop the run after the step under way, with "
                   "everything saved; SIGUSR1 writes a checkpoint. "
                   "A run with a trajectory also writes a checkpoint, every 15 minutes and at its end; with --resume the "
                   "same command continues from it, to the same bytes in all files as if the run had never stopped.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run,
};

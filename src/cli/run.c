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
#include "cli/run_small.h"
#include "cli/series_columns.h"
#include "cli/setup.h"
#include "cli/signals.h"
#include "cli/summary.h"
#include "mech/driver.h"
#include "output/series.h"
#include "output/trajectory.h"

enum { TIMED_STEPS = 2000 };

struct job {
  struct rill_setup setup;
  struct rill_outputs outputs;
  char *expanded;                  /* the deck in full */
  char *provenance;                /* of tables: version, seed, degrees of freedom, deck */
  struct rill_trajectory_writer *trajectory;
  struct rill_series *series;
  struct rill_rdf *rdf;
  struct rill_multipliers *multipliers;
  struct rill_progress progress;
  double *positions, *velocities;  /* [molecules][3][3], for writing */
  uint64_t last_frame;             /* step of the last committed frame */
  bool replace;
};

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
  return RILL_OK;
}

static enum rill_status sample_series(void *self, uint64_t step, double time, struct rill_error *error) {
  struct job *job = self;
  struct rill_observation observation;
  double row[RILL_SERIES_COLUMNS];
  RILL_TRY(job->setup.system.ops->observe(job->setup.system.self, &observation, error));
  rill_series_row(step, time, &observation, row);
  return rill_series_append(job->series, row, error);
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

static enum rill_status open_outputs(struct job *job, struct rill_error *error) {
  const struct rill_setup *setup = &job->setup;
  const struct rill_deck *deck = &setup->deck;
  size_t molecules = setup->structure.molecules;
  RILL_TRY(rill_outputs_make_folders(&job->outputs, error));
  job->positions = rill_allocate(9 * molecules, sizeof *job->positions);
  job->velocities = rill_allocate(9 * molecules, sizeof *job->velocities);
  job->expanded = rill_deck_expand(deck);
  if (job->expanded == NULL ||
      asprintf(&job->provenance, "%s, seed %" PRIu64 ", %g degrees of freedom\n%s", PACKAGE_STRING,
               deck->thermostat.seed, setup->system.ops->degrees_of_freedom(setup->system.self), job->expanded) < 0)
    job->provenance = NULL;
  if (job->positions == NULL || job->velocities == NULL || job->provenance == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the output of %zu molecules", molecules);
  RILL_TRY(rill_series_create(job->outputs.series, job->replace, job->provenance, RILL_SERIES_COLUMNS,
                              rill_series_names, rill_series_units, &job->series, error));
  if (deck->rdf.on && molecules > 1)
    RILL_TRY((setup->structure.has_box ? rill_rdf_create_periodic : rill_rdf_create)(
        molecules, deck->rdf.max, (size_t)deck->rdf.bins, &job->rdf, error));
  if (deck->penalty.record)
    RILL_TRY(rill_multipliers_create(job->outputs.multipliers, job->replace, job->provenance, deck, &setup->system,
                                     &job->multipliers, error));
  if (job->outputs.trajectory[0] != '\0') {
    struct rill_trajectory_header header = {
        .molecules = molecules,
        .periodic = setup->structure.has_box,
        .mass = setup->model.mass,
        .charge = setup->model.charge,
        .version = PACKAGE_VERSION,
        .deck = job->expanded,
        .seed = deck->thermostat.seed,
        .degrees_of_freedom = setup->system.ops->degrees_of_freedom(setup->system.self),
        .step = deck->integrator.step,
        .velocities = deck->output.velocities,
        .double_precision = deck->output.double_precision,
        .replace = job->replace,
    };
    RILL_TRY(rill_trajectory_create(job->outputs.trajectory, &header, &job->trajectory, error));
  }
  /* Only now, when no other run holds the files, is what an earlier one left taken away. */
  if (job->replace) rill_outputs_remove_old(&job->outputs);
  return rill_outputs_write_state(job->outputs.twin, &setup->system, setup->structure.title, box_of(job), false, error);
}

static enum rill_status store_tables(struct job *job, struct rill_error *error) {
  if (job->trajectory != NULL && rill_series_rows(job->series) > 0) {
    struct rill_table table = {.name = "series",
                               .rows = rill_series_rows(job->series),
                               .columns = RILL_SERIES_COLUMNS,
                               .column_names = rill_series_names,
                               .column_units = rill_series_units,
                               .values = rill_series_values(job->series),
                               .description = "energies, temperatures, momenta and constraint deviations at their "
                                              "own stride"};
    RILL_TRY(rill_trajectory_append_table(job->trajectory, &table, error));
  }
  if (job->rdf != NULL && rill_rdf_samples(job->rdf) > 0)
    RILL_TRY(rill_outputs_write_rdf(job->outputs.rdf, job->replace, job->rdf, job->provenance, job->trajectory,
                                    error));
  return RILL_OK;
}

/* As GROMACS writes it: "title, t= 1.5 step= 750"; without the time that a title brings from an earlier run. */
static void state_title(const struct job *job, const struct rill_driver *driver, char *title, size_t size) {
  const char *given = job->setup.structure.title, *time = strstr(given, ", t= ");
  int length = time != NULL ? (int)(time - given) : (int)strlen(given);
  snprintf(title, size, "%.*s, t= %.10g step= %" PRIu64, length < 160 ? length : 160, given,
           (double)driver->done * job->setup.deck.integrator.step, driver->done);
}

/* What a run leaves in any case: tables, closed files, the last good state.  Faults on the way out are added. */
static void close_outputs(struct job *job, bool started, const struct rill_driver *driver, struct rill_error *error) {
  static struct rill_error fault;
  char title[256];
  rill_error_clear(&fault);
  if (started && error->status != RILL_ERROR_WRITE && store_tables(job, &fault) != RILL_OK)
    rill_error_add(error, fault.status, "%s", fault.text);
  rill_error_clear(&fault);
  if (rill_trajectory_close(job->trajectory, &fault) != RILL_OK)
    rill_error_add(error, fault.status, "%s", fault.text);
  rill_error_clear(&fault);
  if (rill_series_close(job->series, &fault) != RILL_OK) rill_error_add(error, fault.status, "%s", fault.text);
  rill_error_clear(&fault);
  if (rill_multipliers_close(job->multipliers, &fault) != RILL_OK)
    rill_error_add(error, fault.status, "%s", fault.text);
  rill_error_clear(&fault);
  state_title(job, driver, title, sizeof title);
  if (started &&
      rill_outputs_write_state(job->outputs.final, &job->setup.system, title, box_of(job), true, &fault) != RILL_OK)
    rill_error_add(error, fault.status, "%s", fault.text);
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
  rill_setup_release(&job->setup);
}

/* ---- the run ---- */

static uint64_t timing_interval(uint64_t steps) {
  uint64_t interval = steps / TIMED_STEPS;
  return interval > 0 ? interval : 1;
}

static enum rill_status drive(struct job *job, struct rill_driver *driver, double *wall, struct rill_error *error) {
  const struct rill_deck *deck = &job->setup.deck;
  struct rill_observer observers[5];
  size_t count = 0;
  enum rill_status status;
  double started;
  observers[count++] = (struct rill_observer){deck->output.series_interval, sample_series, job};
  if (job->rdf != NULL) observers[count++] = (struct rill_observer){deck->rdf.interval, sample_rdf, job};
  if (job->trajectory != NULL) observers[count++] = (struct rill_observer){deck->output.interval, write_frame, job};
  if (job->multipliers != NULL) observers[count++] = rill_multipliers_observer(job->multipliers);
  observers[count++] = rill_progress_observer(&job->progress);
  *driver = (struct rill_driver){
      .system = &job->setup.system,
      .integrator = job->setup.integrator,
      .observers = observers,
      .observer_count = count,
      .last = deck->integrator.steps,
      .timing_interval = timing_interval(deck->integrator.steps),
      .stop = rill_signal_flag(),
  };
  rill_signals_catch();
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
  if (job->outputs.trajectory[0] != '\0')
    rill_error_add(error, error->status, "all frames up to step %" PRIu64 " are in %s", job->last_frame,
                   job->outputs.trajectory);
}

static enum rill_status run_job(struct job *job, bool quiet, struct rill_error *error) {
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
    fflush(stdout);
  }
  rill_progress_start(&job->progress, &job->setup, quiet);
  status = drive(job, &driver, &wall, error);
  if (rill_outputs_widen_final(&job->outputs, &job->setup.system) && !quiet)
    fprintf(stderr,
            "note: molecules are too far away or too fast for the columns of GRO; the last frame goes to %s, without "
            "velocities\n",
            job->outputs.final);
  if (status != RILL_OK) explain_stop(job, &driver, error);
  if (status == RILL_OK || status == RILL_INTERRUPTED)
    rill_summary_write(stdout, &job->setup, &driver, wall, job->series, job->rdf, &job->outputs);
  close_outputs(job, true, &driver, error);
  return error->status;
}

static enum rill_status run(const struct rill_arguments *arguments, struct rill_error *error) {
  struct job *job = calloc(1, sizeof *job);
  enum rill_status status = RILL_OK;
  size_t threads = 0;
  bool quiet = rill_argument_given(arguments, "quiet");
  if (job == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  job->replace = rill_argument_given(arguments, "force");
  status = rill_argument_count(arguments, "threads", 1024, 0, &threads, error);
  if (status == RILL_OK) status = rill_outputs_enter(&job->outputs, rill_argument(arguments, "output"), error);
  if (status == RILL_OK)
    status =
        rill_setup_read(arguments->positional[0], arguments->repeated, arguments->repeated_count, &job->setup, error);
  if (status == RILL_OK && job->setup.deck.units != RILL_UNITS_MOLECULAR) {
    status = rill_run_small(&job->setup.deck, rill_argument(arguments, "output"), job->replace, quiet, error);
    goto done;
  }
  if (status == RILL_OK) status = rill_outputs_plan(&job->outputs, &job->setup.deck, error);
  if (status == RILL_OK) status = rill_outputs_check(&job->outputs, &job->setup.deck, job->replace, error);
  if (status == RILL_OK) status = rill_setup_create(&job->setup, (int)threads, quiet ? NULL : stderr, error);
  if (status == RILL_OK) status = run_job(job, quiet, error);
done:
  release(job);
  free(job);
  return status;
}

static const struct rill_option_row options[] = {
    {"set", 's', "section.key=value", "sets a key of the deck; may be given several times"},
    {"output", 'o', "DIR", "the folder that output goes to, made when it is missing (default: the current one)"},
    {"threads", 't', "N", "at most so many threads (default: all cores); results do not depend on it"},
    {"force", 'f', NULL, "replaces existing output"},
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
                   "block-average errors, the energy drift, the speed and where the time went. The last frame is "
                   "always written as "
                   "GRO. SIGINT, SIGTERM or SIGHUP stop the run after the step under way, with everything saved.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run,
};

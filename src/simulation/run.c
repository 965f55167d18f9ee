#include "config.h" /* _GNU_SOURCE, for asprintf */

#include "simulation/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "simulation/kind.h"
#include "simulation/simulation.h"

enum { TIMED_STEPS = 2000 };

/* ---- sinks ---- */

/* Executes the body for each sink, in the kind's order. */
#define EACH_SINK(run, i, sink)                                                                                      \
  for (size_t i = 0; (run)->sim->kind->sinks[i] != NULL; i++)                                                        \
    for (const struct rill_sink *sink = (run)->sim->kind->sinks[i]; sink != NULL; sink = NULL)

static void enter(const struct rill_sink *sink, struct rill_archive *archive) {
  if (sink->group != NULL) rill_archive_enter(archive, sink->group);
}

static void leave(const struct rill_sink *sink, struct rill_archive *archive) {
  if (sink->group != NULL) rill_archive_leave(archive);
}

static enum rill_status open_sinks(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                   struct rill_error *error) {
  EACH_SINK(run, i, sink) {
    if (sink->open == NULL) continue;
    enter(sink, archive);
    RILL_TRY(sink->open(run, opening, archive, &run->sinks[i], error));
    leave(sink, archive);
  }
  return RILL_OK;
}

static enum rill_status begin_sinks(struct rill_run *run, struct rill_error *error) {
  EACH_SINK(run, i, sink)
  if (sink->begin != NULL) RILL_TRY(sink->begin(run, run->sinks[i], error));
  return RILL_OK;
}

/* Saves the state of everything that the run consists of. */
static enum rill_status save(void *self, struct rill_archive *archive, struct rill_error *error) {
  struct rill_run *run = self;
  run->sim->kind->save(run->sim, archive);
  EACH_SINK(run, i, sink) {
    enter(sink, archive);
    if (sink->keep != NULL) RILL_TRY(sink->keep(run, run->sinks[i], archive, error));
    leave(sink, archive);
  }
  return RILL_OK;
}

/* ---- before the first step ---- */

/* A deck that leaves the kernel to rill has the one that the run began with, if the processor has it. */
static void keep_kernel(struct rill_simulation *sim, const char *began_with) {
  const struct rill_choice *choice = rill_choice_find(rill_kernel_choices, began_with);
  if (choice != NULL && choice->value >= RILL_KERNEL_PORTABLE && sim->deck.forces.kernel == RILL_KERNEL_AUTO) {
    const enum rill_isa isa = (enum rill_isa)(choice->value - RILL_KERNEL_PORTABLE);
    if (rill_isa_available(isa)) sim->isa = isa;
  }
  if (strcmp(began_with, sim->kind->kernel(sim)) != 0)
    rill_note(
        sim->notes,
        "note: the run began with %s kernels and continues with %s ones, whose rounding differs: the rest of the run "
        "will not be the same to the byte",
        began_with, sim->kind->kernel(sim));
}

/* Loads the checkpoint from which the run is resumed. */
static enum rill_status load(struct rill_run *run, struct rill_error *error) {
  struct rill_simulation *sim = run->sim;
  if (!run->request.resume) return RILL_OK;
  RILL_TRY(rill_resume_load(&run->outputs, &sim->deck, sim->notes, &run->checkpoint, error));
  keep_kernel(sim, run->checkpoint.kernel);
  RILL_TRY(rill_resume_is_complete(&run->checkpoint, &run->outputs, &sim->deck, sim->notes, &run->complete, error));
  sim->continued = &run->checkpoint.archive;
  return RILL_OK;
}

static enum rill_status check_limits(const struct rill_run *run, struct rill_error *error) {
  if (run->request.deadline <= 0 || run->outputs.checkpoint[0] != '\0') return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_INPUT,
      "%s: a run that a time limit stops is resumed from its checkpoint, but [output] checkpoint = none",
      run->sim->deck.path);
}

enum rill_status rill_run_prepare(struct rill_run *run, struct rill_simulation *sim,
                                  const struct rill_run_request *request, struct rill_error *error) {
  rill_simulation_note_dropped(sim);
  *run = (struct rill_run){.sim = sim, .request = *request, .observed = UINT64_MAX};
  RILL_TRY(rill_outputs_enter(&run->outputs, request->folder, error));
  RILL_TRY(rill_simulation_plan(sim, &run->outputs, error));
  RILL_TRY(check_limits(run, error));
  RILL_TRY(
      rill_outputs_lock(&run->outputs, &sim->deck, request->replace, request->resume, sim->notes, &run->lock, error));
  RILL_TRY(load(run, error));
  if (run->complete) return RILL_OK;
  if (sim->continued != NULL) rill_simulation_clear(sim);
  if (sim->system.ops == NULL) RILL_TRY(rill_simulation_create(sim, error));
  if (!sim->divided) RILL_TRY(rill_simulation_watch_limits(sim, error)); /* else by the ranks that have its forces */
  if (request->stop == NULL || *request->stop == 0) return RILL_OK;
  return rill_error_set(error, RILL_INTERRUPTED, "stopped by a signal before the first step; no file was changed");
}

static enum rill_status describe(struct rill_run *run, struct rill_error *error) {
  const struct rill_simulation *sim = run->sim;
  char seed[40] = "";
  run->expanded = rill_deck_expand(&sim->deck);
  if (sim->kind->seeded) snprintf(seed, sizeof seed, ", seed %" PRIu64, sim->deck.thermostat.seed);
  if (run->expanded == NULL || asprintf(&run->provenance, "%s%s, %g degrees of freedom\n%s", PACKAGE_STRING, seed,
                                        rill_simulation_degrees_of_freedom(sim), run->expanded) < 0)
    run->provenance = NULL;
  return run->provenance != NULL ? RILL_OK
                                 : rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the deck's text");
}

static enum rill_status create_files(struct rill_run *run, struct rill_error *error) {
  struct rill_archive none = {0};
  if (run->request.replace) RILL_TRY(rill_outputs_remove_checkpoints(&run->outputs, error));
  RILL_TRY(open_sinks(run, RILL_OPEN_NEW, &none, error));
  RILL_TRY(begin_sinks(run, error));
  /* Old files are removed only now, when no other run can have them open. */
  if (run->request.replace) rill_outputs_remove_old(&run->outputs);
  return RILL_OK;
}

/* Everything in the checkpoint is compared with the files before any of them is changed, so that a run that cannot be
 * resumed leaves them as they are. */
static enum rill_status resume_files(struct rill_run *run, struct rill_error *error) {
  struct rill_simulation *sim = run->sim;
  if (sim->kind->restore != NULL) RILL_TRY(sim->kind->restore(sim, error));
  RILL_TRY(open_sinks(run, RILL_OPEN_CHECK, sim->continued, error));
  RILL_TRY(rill_checkpoint_unseal(run->outputs.checkpoint, &run->checkpoint, error));
  RILL_TRY(open_sinks(run, RILL_OPEN_RESUME, sim->continued, error));
  rill_outputs_remove_old(&run->outputs);
  return RILL_OK;
}

static enum rill_status open_files(struct rill_run *run, struct rill_error *error) {
  RILL_TRY(describe(run, error));
  RILL_TRY(run->sim->continued != NULL ? resume_files(run, error) : create_files(run, error));
  run->keeping = (struct rill_keeping){.outputs = &run->outputs,
                                       .deck = &run->sim->deck,
                                       .expanded = run->expanded,
                                       .kernel = run->sim->kind->kernel(run->sim),
                                       .save = save,
                                       .job = run,
                                       .torn = run->checkpoint.stands_in,
                                       .replace = rill_run_may_replace(run),
                                       .notes = run->sim->notes,
                                       .written = run->sim->continued != NULL,
                                       .step = run->checkpoint.step};
  return rill_keeping_note_first_frame(&run->keeping, run->sim->continued, run->sim->notes, error);
}

/* ---- after the last step ---- */

static void add_fault(struct rill_error *fault, struct rill_error *error) {
  rill_resume_add_fault(fault, error);
  rill_error_clear(fault);
}

/* Writes the tables into files that are still open. */
static void finish_sinks(struct rill_run *run, struct rill_error *fault, struct rill_error *error) {
  bool failed = error->status == RILL_ERROR_WRITE;
  EACH_SINK(run, i, sink) {
    if (sink->finish == NULL || failed) continue;
    failed = sink->finish(run, run->sinks[i], fault) != RILL_OK;
    add_fault(fault, error);
  }
}

/* Records the final checksum of a file that grew during the run, and closes it. */
static void close_sink(struct rill_run *run, size_t i, struct rill_archive *seal, struct rill_error *fault,
                       struct rill_error *error) {
  const struct rill_sink *sink = run->sim->kind->sinks[i];
  if (run->sinks[i] == NULL) return;
  if (seal != NULL) enter(sink, seal);
  if (seal != NULL && sink->seal != NULL && sink->seal(run, run->sinks[i], seal, fault) != RILL_OK)
    rill_error_add(error, fault->status, "%s", fault->text);
  rill_error_clear(fault);
  if (sink->close != NULL) (void)sink->close(run, run->sinks[i], fault);
  add_fault(fault, error);
  if (seal != NULL) leave(sink, seal);
  run->sinks[i] = NULL;
}

static void close_sinks(struct rill_run *run, struct rill_archive *seal, struct rill_error *fault,
                        struct rill_error *error) {
  for (int last = 0; last <= 1; last++) EACH_SINK(run, i, sink)
  if (sink->closes_last == last) close_sink(run, i, seal, fault, error);
}

static void leave_last_state(struct rill_run *run, struct rill_error *fault, struct rill_error *error) {
  EACH_SINK(run, i, sink) {
    if (sink->leave == NULL) continue;
    (void)sink->leave(run, fault);
    add_fault(fault, error);
  }
}

/* Writes what every run leaves, even a failed one: tables, closed files, the last good state.  Adds errors to those
 * before. */
static void close_files(struct rill_run *run, struct rill_error *error) {
  static _Thread_local struct rill_error fault;
  rill_error_clear(&fault);
  if (run->opened) finish_sinks(run, &fault, error);
  close_sinks(run, run->opened ? rill_keeping_seal(&run->keeping) : NULL, &fault, error);
  if (run->opened) leave_last_state(run, &fault, error);
}

enum rill_status rill_run_open(struct rill_run *run, struct rill_error *error) {
  if (open_files(run, error) == RILL_OK) {
    run->opened = true;
    return RILL_OK;
  }
  close_files(run, error);
  return error->status;
}

enum rill_status rill_run_close(struct rill_run *run, struct rill_error *error) {
  static _Thread_local struct rill_error fault;
  rill_guard_forget(&run->sim->guard);
  close_files(run, error);
  rill_error_clear(&fault);
  if (error->status != RILL_ERROR_WRITE &&
      rill_keeping_end(&run->keeping, error->status == RILL_OK, &fault) != RILL_OK)
    rill_resume_add_fault(&fault, error);
  if (error->status == RILL_ERROR_OUTPUT)
    error->status = RILL_ERROR_FAILED; /* the run has begun, so this is no refusal */
  return error->status;
}

void rill_run_release(struct rill_run *run) {
  static _Thread_local struct rill_error unused;
  if (run->sim == NULL) return;
  if (run->sim->kind != NULL) close_sinks(run, NULL, &unused, &unused);
  for (int pair = 0; pair < RILL_RDF_PAIRS; pair++) rill_rdf_destroy(run->rdf[pair]);
  rill_properties_destroy(run->properties);
  rill_property_report_release(&run->property_report);
  rill_estimates_release(&run->estimates);
  rill_minima_release(&run->minima);
  rill_release(run->positions);
  rill_release(run->velocities);
  free(run->expanded);
  free(run->provenance);
  rill_keeping_release(&run->keeping);
  run->sim->continued = NULL;
  rill_checkpoint_release(&run->checkpoint);
  rill_outputs_unlock(&run->lock);
  *run = (struct rill_run){0};
}

/* ---- steps ---- */

static uint64_t common_divisor(uint64_t a, uint64_t b) { return b == 0 ? a : common_divisor(b, a % b); }

/* Prime to the steps of a trial, which is made in the last of them: each is timed as often. */
static uint64_t timing_interval(uint64_t steps, const struct rill_deck *deck) {
  uint64_t interval = steps / TIMED_STEPS;
  if (interval == 0) interval = 1;
  while (deck->thermostat.method == RILL_GHMC && common_divisor(interval, deck->thermostat.trial_steps) > 1)
    interval++;
  return interval;
}

static size_t list_observers(struct rill_run *run, struct rill_observer observers[RILL_RUN_OBSERVERS]) {
  size_t count = 0;
  EACH_SINK(run, i, sink)
  if (sink->observer != NULL && run->sinks[i] != NULL) observers[count++] = sink->observer(run, run->sinks[i]);
  for (size_t i = 0; i < run->request.observer_count && count < RILL_RUN_OBSERVERS; i++)
    observers[count++] = run->request.observers[i];
  return count;
}

/* Of all sinks that take the energy, or the virial. */
static void find_intervals(const struct rill_run *run, struct rill_driver *driver) {
  EACH_SINK(run, i, sink) {
    const void *self = run->sinks[i];
    if (self == NULL) continue;
    if (sink->energy_interval != NULL)
      driver->energy_interval = common_divisor(sink->energy_interval(run, self), driver->energy_interval);
    if (sink->virial_interval != NULL)
      driver->virial_interval = common_divisor(sink->virial_interval(run, self), driver->virial_interval);
  }
}

enum rill_status rill_run_steps(struct rill_run *run, struct rill_error *error) {
  struct rill_simulation *sim = run->sim;
  struct rill_observer observers[RILL_RUN_OBSERVERS];
  struct rill_checkpointer checkpointer;
  const double started = rill_clock();
  run->driver = (struct rill_driver){
      .system = &sim->system,
      .integrator = sim->integrator,
      .step = sim->deck.integrator.step,
      .observers = observers,
      .observer_count = list_observers(run, observers),
      .checkpointer = rill_keeping_checkpointer(&run->keeping, &checkpointer),
      .guard = &sim->guard,
      .first = run->checkpoint.step,
      .last = sim->deck.integrator.steps,
      .continued = sim->continued != NULL,
      .timing_interval =
          sim->kind->timed ? timing_interval(sim->deck.integrator.steps - run->checkpoint.step, &sim->deck) : 0,
      .stop = run->request.stop,
      .save = run->request.save,
      .deadline = run->request.deadline,
  };
  find_intervals(run, &run->driver);
  sim->system.timers = &sim->timers;
  if (sim->kind->drive != NULL) sim->kind->drive(sim, &run->driver);
  (void)rill_driver_run(&run->driver, error);
  run->wall = rill_clock() - started;
  EACH_SINK(run, i, sink)
  if (sink->conclude != NULL) sink->conclude(run, run->sinks[i]);
  if (error->status != RILL_OK) sim->kind->explain_stop(run, error);
  return error->status;
}

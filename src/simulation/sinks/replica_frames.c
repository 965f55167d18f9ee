/* The states of all replicas: a trajectory in H5MD that holds them one after another, with tables of their rungs and
 * potential energies at its frames; the first frame beside it as GRO, with the atoms of all of them; and at the end
 * of the run their last states, a GRO file of one frame for each replica, from which an ensemble can start. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "output/trajectory.h"
#include "simulation/resources.h"
#include "simulation/sinks/sinks.h"
#include "structure/structure.h"

struct frames {
  struct rill_run *run;
  double *positions, *velocities; /* [replicas][molecules][3][3] */
  double *rung, *potential;       /* [replicas] */
};

static size_t molecules_of(const struct rill_run *run) { return run->sim->structure.molecules; }
static size_t replicas_of(const struct rill_run *run) { return run->sim->ensemble->replicas; }

/* ---- the trajectory ---- */

static enum rill_status make_room(struct rill_run *run, struct frames **out, struct rill_error *error) {
  const size_t replicas = replicas_of(run), numbers = 9 * molecules_of(run) * replicas;
  struct frames *frames = *out = rill_allocate(1, sizeof *frames);
  if (frames != NULL) {
    frames->run = run;
    frames->positions = rill_allocate(numbers, sizeof *frames->positions);
    frames->velocities = rill_allocate(numbers, sizeof *frames->velocities);
    frames->rung = rill_allocate(replicas, sizeof *frames->rung);
    frames->potential = rill_allocate(replicas, sizeof *frames->potential);
    if (frames->positions != NULL && frames->velocities != NULL && frames->rung != NULL && frames->potential != NULL)
      return RILL_OK;
  }
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the frames of %zu replicas", replicas);
}

static enum rill_status open_frames(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                    void **self, struct rill_error *error) {
  if (run->outputs.trajectory[0] == '\0') return RILL_OK;
  if (*self == NULL) RILL_TRY(make_room(run, (struct frames **)self, error));
  return rill_run_open_trajectory(run, replicas_of(run), opening, archive, error);
}

/* A table of one number for each replica and frame. */
static enum rill_status append_table(const struct frames *frames, const char *name, const char *description,
                                     const double *values, size_t rows, struct rill_error *error) {
  const struct rill_table table = {
      .name = name, .rows = rows, .columns = replicas_of(frames->run), .values = values, .description = description};
  return rill_trajectory_append_table(frames->run->trajectory, &table, error);
}

static enum rill_status append_tables(const struct frames *frames, size_t rows, struct rill_error *error) {
  RILL_TRY(append_table(frames, "rung", "rung, from 0, of each replica at each frame; -1: left out", frames->rung,
                        rows, error));
  return append_table(frames, "potential", "potential energy of each replica at each frame, kJ/mol; nan: left out",
                      frames->potential, rows, error);
}

static enum rill_status copy_states(struct frames *frames, struct rill_error *error) {
  struct rill_ensemble *ensemble = frames->run->sim->ensemble;
  const size_t numbers = 9 * molecules_of(frames->run);
  RILL_TRY(rill_ensemble_collect(ensemble, error));
  for (size_t r = 0; r < ensemble->replicas; r++) {
    const struct rill_system *system = &ensemble->replica[r].system;
    rill_water_copy_state(system, frames->positions + r * numbers, frames->velocities + r * numbers);
    rill_water_copy_positions(system, frames->positions + r * numbers);
  }
  return RILL_OK;
}

static enum rill_status write_frame(void *self, uint64_t step, double time, struct rill_error *error) {
  struct frames *frames = self;
  struct rill_run *run = frames->run;
  const struct rill_trajectory_frame frame = {
      step, time, frames->positions, run->sim->deck.output.velocities ? frames->velocities : NULL, rill_run_box(run)};
  RILL_TRY(copy_states(frames, error));
  RILL_TRY(rill_ensemble_sample(run->sim->ensemble, step, frames->rung, frames->potential, error));
  RILL_TRY(append_tables(frames, 1, error));
  RILL_TRY(rill_trajectory_append(run->trajectory, &frame, error));
  run->last_frame = step;
  run->frames++;
  return RILL_OK;
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.output.interval, write_frame, self, false, true};
}

/* Creates the tables, and writes the first frame of the atoms of all replicas. */
static enum rill_status begin(struct rill_run *run, void *self, struct rill_error *error) {
  struct frames *frames = self;
  struct rill_structure all = {0};
  enum rill_status status;
  if (frames == NULL) return RILL_OK;
  RILL_TRY(append_tables(frames, 0, error));
  RILL_TRY(copy_states(frames, error));
  RILL_TRY(rill_structure_allocate(&all, molecules_of(run) * replicas_of(run), false, error));
  memcpy(all.positions, frames->positions, 9 * all.molecules * sizeof *all.positions);
  snprintf(all.title, sizeof all.title, "%zu replicas of %zu water molecules", replicas_of(run), molecules_of(run));
  all.has_box = run->sim->structure.has_box;
  memcpy(all.box, run->sim->structure.box, sizeof all.box);
  status = rill_structure_write(run->outputs.first_frame, run->request.replace, &all, 9, error);
  rill_structure_release(&all);
  return status;
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  return self != NULL ? rill_trajectory_keep(run->trajectory, archive, error) : RILL_OK;
}

static enum rill_status seal(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  (void)self;
  return rill_trajectory_seal(run->trajectory, archive, error);
}

static enum rill_status close_frames(struct rill_run *run, void *self, struct rill_error *error) {
  struct frames *frames = self;
  struct rill_trajectory_writer *writer = run->trajectory;
  run->trajectory = NULL;
  rill_release(frames->positions);
  rill_release(frames->velocities);
  rill_release(frames->rung);
  rill_release(frames->potential);
  rill_release(frames);
  return rill_trajectory_close(writer, error);
}

/* ---- the last states ---- */

static void conclude(struct rill_run *run, void *self) {
  struct rill_error unused = {0}; /* the writer of the last states meets it again */
  bool wide = false;
  (void)self;
  if (rill_ensemble_collect(run->sim->ensemble, &unused) != RILL_OK) return;
  for (size_t r = 0; !wide && r < replicas_of(run); r++)
    wide = rill_outputs_widen_final(&run->outputs, &run->sim->ensemble->replica[r].system);
  if (wide)
    rill_note(
        run->sim->notes,
        "note: molecules are too far away or too fast for the columns of GRO; the last states go to %s, without "
        "velocities",
        run->outputs.final_frame);
}

static enum rill_status add_last(const struct rill_run *run, size_t r, struct rill_structure *last,
                                 struct rill_structure_writer *writer, struct rill_error *error) {
  const struct rill_ensemble *ensemble = run->sim->ensemble;
  const struct rill_replica *replica = &ensemble->replica[r];
  (void)error;
  rill_water_copy_state(&replica->system, NULL, last->velocities);
  rill_water_copy_positions(&replica->system, last->positions);
  snprintf(last->title, sizeof last->title, "replica %zu, %.10g K, seed %" PRIu64 ", t= %.10g step= %" PRIu64, r,
           ensemble->temperature[rill_ensemble_rung(ensemble, r)], replica->seed,
           (double)run->driver.done * run->sim->deck.integrator.step, run->driver.done);
  return rill_structure_append(writer, last);
}

static enum rill_status leave(struct rill_run *run, struct rill_error *error) {
  const char *path = run->outputs.final_frame;
  const int decimals = rill_structure_format(path) == RILL_FORMAT_GRO ? 9 : 0;
  struct rill_structure last = {0};
  struct rill_structure_writer *writer;
  enum rill_status status;
  RILL_TRY(rill_ensemble_collect(run->sim->ensemble, error));
  RILL_TRY(rill_structure_allocate(&last, molecules_of(run), true, error));
  last.has_box = run->sim->structure.has_box;
  memcpy(last.box, run->sim->structure.box, sizeof last.box);
  status = rill_structure_create(path, rill_run_may_replace(run), decimals, true, &writer, error);
  if (status == RILL_OK) {
    for (size_t r = 0; status == RILL_OK && r < replicas_of(run); r++)
      status = add_last(run, r, &last, writer, error);
    status = rill_structure_finish(writer, status);
  }
  rill_structure_release(&last);
  return status;
}

/* ---- names and sizes ---- */

static enum rill_status plan(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error) {
  RILL_TRY(rill_trajectory_sink.plan(outputs, deck, error));
  return rill_frames_sink.plan(outputs, deck, error);
}

static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  const double replicas = (double)sim->deck.ensemble.replicas;
  const double tables = 16 * rill_resources_samples(sim->deck.integrator.steps, sim->deck.output.interval);
  if (outputs->trajectory[0] == '\0') return replicas * rill_frames_sink.disk(sim, outputs);
  return replicas * (rill_trajectory_sink.disk(sim, outputs) + 2 * rill_frames_sink.disk(sim, outputs) + tables);
}

const struct rill_sink rill_replica_frames_sink = {.group = "trajectory",
                                                   .closes_last = true,
                                                   .plan = plan,
                                                   .disk = disk,
                                                   .open = open_frames,
                                                   .begin = begin,
                                                   .observer = observer,
                                                   .keep = keep,
                                                   .conclude = conclude,
                                                   .seal = seal,
                                                   .close = close_frames,
                                                   .leave = leave};

/* The trajectory of water, in H5MD. */
#include "config.h"

#include "output/trajectory.h"

#include <inttypes.h>
#include <math.h>

#include "simulation/resources.h"
#include "simulation/simulation.h"
#include "simulation/sinks/sinks.h"

static struct rill_trajectory_header header_of(const struct rill_run *run, size_t replicas) {
  const struct rill_simulation *sim = run->sim;
  return (struct rill_trajectory_header){
      .molecules = replicas * sim->structure.molecules,
      .replicas = replicas,
      .periodic = sim->structure.has_box,
      .mass = sim->model.mass,
      .charge = sim->atom_charge,
      .version = PACKAGE_VERSION,
      .deck = run->expanded,
      .deck_room = rill_resume_deck_room(run->expanded),
      .seed = sim->deck.thermostat.seed,
      .degrees_of_freedom = rill_simulation_degrees_of_freedom(sim),
      .step = sim->deck.integrator.step,
      .velocities = sim->deck.output.velocities,
      .double_precision = sim->deck.output.double_precision,
      .replace = run->request.replace,
  };
}

/* Opened and closed again: it is changed only after everything else was checked. */
static enum rill_status check(struct rill_run *run, const struct rill_trajectory_header *header,
                              struct rill_archive *archive, struct rill_error *error) {
  struct rill_trajectory_writer *kept = NULL;
  struct rill_error unused = {0};
  rill_manifest_announce(run->outputs.trajectory, run->sim->notes);
  RILL_TRY(rill_trajectory_open_kept(run->outputs.trajectory, header, archive, &kept, error));
  (void)rill_trajectory_close(kept, &unused);
  return RILL_OK;
}

enum rill_status rill_run_open_trajectory(struct rill_run *run, size_t replicas, enum rill_opening opening,
                                          struct rill_archive *archive, struct rill_error *error) {
  const struct rill_trajectory_header header = header_of(run, replicas);
  const char *path = run->outputs.trajectory;
  if (opening == RILL_OPEN_CHECK) return check(run, &header, archive, error);
  if (opening == RILL_OPEN_NEW) return rill_trajectory_create(path, &header, &run->trajectory, error);
  return rill_trajectory_resume(path, &header, archive, &run->trajectory, error);
}

static enum rill_status open_trajectory(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                        void **self, struct rill_error *error) {
  enum rill_status status;
  if (run->outputs.trajectory[0] == '\0') return RILL_OK;
  RILL_TRY(rill_run_room(run, error));
  status = rill_run_open_trajectory(run, 1, opening, archive, error);
  *self = run->trajectory != NULL ? run : NULL;
  return status;
}

static enum rill_status write_frame(void *self, uint64_t step, double time, struct rill_error *error) {
  struct rill_run *run = self;
  const struct rill_simulation *sim = run->sim;
  const struct rill_trajectory_frame frame = {
      step, time, run->positions, sim->deck.output.velocities ? run->velocities : NULL, rill_run_box(run)};
  rill_water_copy_state(&sim->system, run->positions, run->velocities);
  rill_water_copy_positions(&sim->system, run->positions);
  for (size_t i = 0; i < 9 * sim->structure.molecules; i++)
    if (!isfinite(run->positions[i]))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE,
                            "step %" PRIu64 ": the position of molecule %zu is not finite", step, i / 9 + 1);
  RILL_TRY(rill_trajectory_append(run->trajectory, &frame, error));
  run->last_frame = step;
  run->frames++;
  return RILL_OK;
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  return (struct rill_observer){run->sim->deck.output.interval, write_frame, self, false, true};
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

static enum rill_status close_trajectory(struct rill_run *run, void *self, struct rill_error *error) {
  struct rill_trajectory_writer *writer = run->trajectory;
  (void)self;
  run->trajectory = NULL;
  return rill_trajectory_close(writer, error);
}

/* The first frame, as GRO beside it, too. */
static enum rill_status plan(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error) {
  char stem[RILL_DECK_STRING];
  RILL_TRY(rill_outputs_name_trajectory(outputs, deck, ".h5md", error));
  if (outputs->trajectory[0] == '\0') return RILL_OK;
  rill_cut_ending(deck->output.trajectory, stem);
  return rill_outputs_name(outputs, stem, ".gro", outputs->first_frame, error);
}

static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  const struct rill_deck *deck = &sim->deck;
  const double numbers = 9 * (double)sim->structure.molecules, box = sim->structure.has_box ? 72 : 0;
  const double frame =
      numbers * (deck->output.double_precision ? 8 : 4) * (deck->output.velocities ? 2 : 1) + 16 + box;
  if (outputs->trajectory[0] == '\0') return 0;
  return frame * rill_resources_samples(deck->integrator.steps, deck->output.interval);
}

const struct rill_sink rill_trajectory_sink = {.plan = plan,
                                               .disk = disk,
                                               .group = "trajectory",
                                               .closes_last = true,
                                               .open = open_trajectory,
                                               .observer = observer,
                                               .keep = keep,
                                               .seal = seal,
                                               .close = close_trajectory};

/* Coordinates, momenta and observables of a small system, in HDF5. */
#include "config.h"

#include "output/series_file.h"

#include "base/memory.h"
#include "simulation/resources.h"
#include "simulation/sinks/sinks.h"
#include "simulation/small.h"

static struct rill_series_file_header header_of(const struct rill_run *run) {
  const struct rill_simulation *sim = run->sim;
  const struct rill_state *state = sim->system.state;
  return (struct rill_series_file_header){
      .n = state->n,
      .m = rill_small_multipliers(state),
      .positions = rill_small_moves_other_coordinates(sim),
      .temperatures = sim->deck.thermostat.method != RILL_NO_BATH,
      .system = sim->type->name,
      .method = sim->method->name,
      .version = PACKAGE_VERSION,
      .deck = run->expanded,
      .deck_room = rill_resume_deck_room(run->expanded),
      .units = sim->type->si ? "SI" : "none",
      .time_unit = rill_deck_time_unit(&sim->deck),
      .coordinate_unit = sim->type->coordinate_unit,
      .momentum_unit = sim->type->momentum_unit,
      .step = sim->deck.integrator.step,
      .replace = run->request.replace,
  };
}

struct file {
  struct rill_run *run;
  struct rill_series_file *file;
};

static enum rill_status open_file(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive,
                                  void **self, struct rill_error *error) {
  const char *path = run->outputs.trajectory;
  struct rill_series_file_header header;
  struct file *file;
  if (path[0] == '\0') return RILL_OK;
  header = header_of(run);
  if (opening == RILL_OPEN_CHECK) {
    rill_manifest_announce(path, run->sim->notes);
    return rill_series_file_check(path, &header, archive, error);
  }
  file = *self = rill_allocate(1, sizeof *file);
  if (file == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %s", path);
  file->run = run;
  if (opening == RILL_OPEN_RESUME) return rill_series_file_resume(path, &header, archive, &file->file, error);
  return rill_series_file_create(path, &header, &file->file, error);
}

static enum rill_status write_frame(void *self, uint64_t step, double time, struct rill_error *error) {
  struct file *file = self;
  const struct rill_state *state = file->run->sim->system.state;
  const struct rill_observation *o = &file->run->observation;
  struct rill_series_frame frame;
  RILL_TRY(rill_run_observe(file->run, step, time, error));
  frame = (struct rill_series_frame){
      .step = step,
      .time = time,
      .q = state->q,
      .p = state->p,
      .position = state->position,
      .multiplier = state->multiplier,
      .energy = {o->kinetic, o->potential, o->kinetic + o->potential},
      .momentum = {o->momentum[0], o->momentum[1], o->momentum[2], o->angular_momentum[0], o->angular_momentum[1],
                   o->angular_momentum[2]},
      .residual = {o->position_deviation_max, o->velocity_deviation_max},
      .temperature = {o->temperature, o->temperature_half},
      .iterations = o->iterations,
  };
  return rill_series_file_append(file->file, &frame, error);
}

static struct rill_observer observer(struct rill_run *run, void *self) {
  const struct rill_deck *deck = &run->sim->deck;
  return (struct rill_observer){deck->output.interval, write_frame, self, deck->thermostat.method != RILL_NO_BATH,
                                true};
}

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  struct file *file = self;
  (void)run;
  return file != NULL ? rill_series_file_keep(file->file, archive, error) : RILL_OK;
}

static enum rill_status seal(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  struct file *file = self;
  (void)run;
  return rill_series_file_seal(file->file, archive, error);
}

static enum rill_status close_file(struct rill_run *run, void *self, struct rill_error *error) {
  struct file *file = self;
  const enum rill_status status = rill_series_file_close(file->file, error);
  (void)run;
  rill_release(file);
  return status;
}

static enum rill_status plan(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error) {
  return rill_outputs_name_trajectory(outputs, deck, ".h5", error);
}

static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  const struct rill_deck *deck = &sim->deck;
  const struct rill_state *state = sim->system.state;
  const double n = (double)state->n, m = (double)rill_small_multipliers(state);
  const double numbers = 2 * n + m + (rill_small_moves_other_coordinates(sim) ? n : 0) + RILL_SERIES_ENERGY +
                         RILL_SERIES_MOMENTUM + RILL_SERIES_RESIDUAL +
                         (deck->thermostat.method != RILL_NO_BATH ? RILL_SERIES_TEMPERATURE : 0) + 3;
  if (outputs->trajectory[0] == '\0') return 0;
  return 8 * numbers * rill_resources_samples(deck->integrator.steps, deck->output.interval);
}

const struct rill_sink rill_small_file_sink = {.plan = plan,
                                               .disk = disk,
                                               .group = "trajectory",
                                               .closes_last = true,
                                               .open = open_file,
                                               .observer = observer,
                                               .keep = keep,
                                               .seal = seal,
                                               .close = close_file};

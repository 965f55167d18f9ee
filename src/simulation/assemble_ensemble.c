/* The kinds of simulation that a deck with [ensemble] describes: of water, and of small systems. */
#include "simulation/ensemble.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "ensemble/rungs.h"
#include "simulation/kind.h"
#include "simulation/sinks/sinks.h"
#include "simulation/small.h"
#include "simulation/water.h"
#include "structure/frames.h"

static bool is_small(const struct rill_deck *deck) { return deck->units != RILL_UNITS_MOLECULAR; }

/* The kind of a replica. */
static const struct rill_simulation_kind *base_of(const struct rill_deck *deck) {
  return is_small(deck) ? &rill_small_kind : &rill_water_kind;
}

/* ---- the decks of replicas ---- */

size_t rill_ensemble_rungs(const struct rill_deck *deck) {
  const size_t rungs = (size_t)deck->ensemble.temperatures.count;
  return rungs > 0 ? rungs : 1;
}

double rill_ensemble_temperature(const struct rill_deck *deck, size_t rung) {
  const struct rill_ladder *ladder = &deck->ensemble.temperatures;
  return ladder->count > 0 ? ladder->temperature[rung] : deck->thermostat.temperature[0];
}

void rill_ensemble_deck(const struct rill_deck *deck, size_t replica, struct rill_deck *single) {
  const bool ladder = deck->ensemble.temperatures.count > 0;
  const double temperature = rill_ensemble_temperature(deck, replica % rill_ensemble_rungs(deck));
  *single = *deck;
  memset(&single->ensemble, 0, sizeof single->ensemble);
  single->thermostat.seed = rill_replica_seed(deck->thermostat.seed, replica);
  if (!rill_deck_gives(deck, "start", "seed")) single->start.seed = single->thermostat.seed;
  if (ladder) single->thermostat.temperature[0] = single->thermostat.temperature[1] = temperature;
  if (ladder && !rill_deck_gives(deck, "start", "temperature")) single->start.temperature = temperature;
}

enum rill_status rill_ensemble_refuse(const struct rill_deck *deck, const char *what, struct rill_error *error) {
  if (!deck->ensemble.on) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [ensemble] is for `rill run` and `rill check`; %s takes one system: remove the section",
                        deck->path, what);
}

/* ---- finding ---- */

static bool is_of_water(const struct rill_deck *deck) { return deck->ensemble.on && !is_small(deck); }
static bool is_of_small(const struct rill_deck *deck) { return deck->ensemble.on && is_small(deck); }

static enum rill_status check_ladders(const struct rill_deck *deck, struct rill_error *error) {
  const uint64_t rungs = rill_ensemble_rungs(deck), replicas = deck->ensemble.replicas;
  char place[RILL_DECK_PLACE];
  if (replicas % rungs == 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [ensemble] replicas = %" PRIu64 " is no multiple of the number of temperatures, %" PRIu64
                        ": each ladder has a replica at each of them; use %" PRIu64 " or %" PRIu64,
                        rill_deck_place(deck, "ensemble", "replicas", place), replicas, rungs,
                        replicas < rungs ? rungs : replicas / rungs * rungs,
                        replicas < rungs ? 2 * rungs : (replicas / rungs + 1) * rungs);
}

static enum rill_status check_exchange(const struct rill_deck *deck, struct rill_error *error) {
  char place[RILL_DECK_PLACE];
  if (deck->ensemble.exchange == RILL_NO_EXCHANGE) return RILL_OK;
  rill_deck_place(deck, "ensemble", "exchange", place);
  if (rill_ensemble_rungs(deck) < 2)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: [ensemble] exchange = neighbours needs two temperatures or more, for example "
                          "`temperatures = %s, 12`",
                          place, is_small(deck) ? "1 -> 4" : "60 K -> 250 K");
  if (!is_small(deck) && deck->thermostat.friction_law == RILL_FRICTION_PER_MASS && !(deck->penalty.stiffness > 0))
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%s: [ensemble] exchange = neighbours is incompatible with thermostat.friction in u/ps and "
                          "constraints, under which velocities do not have Maxwell's distribution exactly, as the "
                          "exchange assumes; give the friction as a rate, for example `friction = 1 /ps`",
                          place);
  if (deck->ensemble.on_failure == RILL_FAILURE_LEAVES_OUT)
    return rill_error_set(
        error, RILL_ERROR_UNSUPPORTED,
        "%s: [ensemble] exchange = neighbours is incompatible with on_failure = leave-out: a ladder "
        "needs all its temperatures",
        place);
  return RILL_OK;
}

/* The states of small systems are in the checkpoint alone. */
static enum rill_status refuse_outputs_of_small(const struct rill_deck *deck, struct rill_error *error) {
  const char *key = deck->output.trajectory[0] != '\0' ? "trajectory" : "series";
  char place[RILL_DECK_PLACE];
  if (deck->output.trajectory[0] == '\0' && deck->output.series[0] == '\0') return RILL_OK;
  return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                        "%s: [output] %s is for one system; the averages at each temperature are in the CSV of the "
                        "ensemble, at series_interval",
                        rill_deck_place(deck, "output", key, place), key);
}

static enum rill_status check_quenches(const struct rill_deck *deck, struct rill_error *error) {
  char place[RILL_DECK_PLACE];
  if (deck->ensemble.quench_interval == 0 ||
      (base_of(deck) == &rill_water_kind && !rill_water_is_periodic(deck) && !(deck->penalty.stiffness > 0) &&
       deck->forces.coulomb == RILL_COULOMB_ALL))
    return RILL_OK;
  return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                        "%s: [ensemble] quench_interval finds the minima of clusters of rigid molecules in vacuum, "
                        "without a cutoff; remove it, and minimise frames of the trajectory with `rill minimize`",
                        rill_deck_place(deck, "ensemble", "quench_interval", place));
}

static enum rill_status refuse_outputs(const struct rill_deck *deck, struct rill_error *error) {
  char place[RILL_DECK_PLACE];
  if (is_small(deck)) return refuse_outputs_of_small(deck, error);
  if (deck->penalty.record)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%s: [penalty] record = multipliers is for one system; remove it, or [ensemble]",
                          rill_deck_place(deck, "penalty", "record", place));
  if (deck->output.series[0] != '\0')
    return rill_error_set(
        error, RILL_ERROR_UNSUPPORTED,
        "%s: [output] series is for one system; the energies of all replicas are in the trajectory, "
        "at series_interval, and their averages in the CSV of the ensemble",
        rill_deck_place(deck, "output", "series", place));
  return RILL_OK;
}

static enum rill_status find(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  RILL_TRY(base_of(deck)->find(sim, error));
  RILL_TRY(check_ladders(deck, error));
  RILL_TRY(check_exchange(deck, error));
  RILL_TRY(check_quenches(deck, error));
  return refuse_outputs(deck, error);
}

/* ---- the structures from which replicas start ---- */

struct starts {
  size_t count;
  struct rill_structure *of; /* [count] */
};

static enum rill_status add_start(void *context, struct rill_structure *structure, size_t frame,
                                  struct rill_error *error) {
  struct starts *starts = context;
  struct rill_structure *grown = rill_allocate(starts->count + 1, sizeof *grown);
  (void)frame;
  if (grown == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the starts of the replicas");
  if (starts->count > 0) memcpy(grown, starts->of, starts->count * sizeof *grown);
  rill_release(starts->of);
  starts->of = grown;
  starts->of[starts->count++] = *structure;
  *structure = (struct rill_structure){0};
  return RILL_OK;
}

static void release_starts(struct starts *starts) {
  for (size_t i = 0; i < starts->count; i++) rill_structure_release(&starts->of[i]);
  rill_release(starts->of);
}

/* All frames of the deck's structure; replica r starts from frame r modulo their number. */
static enum rill_status read_starts(const struct rill_simulation *sim, struct starts *starts,
                                    struct rill_error *error) {
  const struct rill_frame_choice all = rill_all_frames;
  const struct rill_deck *deck = &sim->deck;
  char place[RILL_DECK_PLACE];
  if (deck->system.structure[0] == '\0') return RILL_OK;
  RILL_TRY(rill_frames_visit(deck->system.structure, &all, NULL, sim->notes, add_start, starts, NULL, error));
  for (size_t i = 1; i < starts->count; i++)
    if (starts->of[i].molecules != starts->of[0].molecules)
      return rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu has %zu molecules, and frame 0 has %zu",
                            deck->system.structure, i, starts->of[i].molecules, starts->of[0].molecules);
  if (deck->ensemble.replicas % starts->count == 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [system] structure: %s has %zu frames for %" PRIu64
                        " replicas; expected one frame, or a number that divides that of the replicas",
                        rill_deck_place(deck, "system", "structure", place), deck->system.structure, starts->count,
                        deck->ensemble.replicas);
}

/* ---- making replicas ---- */

/* A simulation of the replica's own deck. */
static void describe_replica(const struct rill_simulation *sim, size_t index, struct rill_simulation *single) {
  memset(single, 0, sizeof *single);
  rill_ensemble_deck(&sim->deck, index, &single->deck);
  single->kind = base_of(&sim->deck);
  single->method = sim->method;
  single->composition = sim->composition;
  single->type = sim->type;
  memcpy(single->values, sim->values, sizeof single->values);
  single->model = sim->model;
  memcpy(single->atom_charge, sim->atom_charge, sizeof single->atom_charge);
  single->isa = sim->isa;
  single->mesh = sim->mesh;
  single->threads = 1;
  single->is_replica = true;
  single->continued = sim->continued;
  single->notes = index == 0 ? sim->notes : NULL;
  single->watch_build = sim->watch_build;
  single->watch_context = sim->watch_context;
}

static enum rill_status take_replica(struct rill_simulation *sim, size_t index, struct rill_simulation *single,
                                     struct rill_error *error) {
  struct rill_replica *replica = &sim->ensemble->replica[index];
  replica->seed = single->deck.thermostat.seed;
  replica->system = single->system;
  single->system = (struct rill_system){0};
  if (index == 0) {
    sim->structure = single->structure;
    sim->mesh = single->mesh;
    sim->accuracy = single->accuracy;
    single->structure = (struct rill_structure){0};
  }
  return rill_simulation_bind(single, &replica->system, NULL, &replica->integrator, error);
}

static enum rill_status make_replicas(struct rill_simulation *sim, const struct starts *starts,
                                      struct rill_simulation *single, struct rill_error *error) {
  const size_t replicas = sim->ensemble->replicas;
  for (size_t r = 0; r < replicas; r++) {
    describe_replica(sim, r, single);
    if (starts->count > 0) single->given = &starts->of[r % starts->count];
    if (rill_simulation_create_system(single, error) != RILL_OK || take_replica(sim, r, single, error) != RILL_OK)
      rill_error_prefix(error, "replica %zu", r);
    rill_simulation_release(single);
    if (error->status != RILL_OK) return error->status;
  }
  return RILL_OK;
}

/* As check_exchange does for water, for which the deck suffices. */
static enum rill_status check_law(const struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_system *system = &sim->ensemble->replica[0].system;
  double least, most;
  char place[RILL_DECK_PLACE];
  if (!is_small(&sim->deck) || !sim->ensemble->exchanging || system->state->m == 0) return RILL_OK;
  system->thermal->rates(system->self, &least, &most);
  if (least == most) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_UNSUPPORTED,
      "%s: [ensemble] exchange = neighbours is incompatible with friction by gamma, constraints and "
      "different masses, under which velocities do not have Maxwell's distribution exactly, as the "
      "exchange assumes; give the friction as a rate",
      rill_deck_place(&sim->deck, "ensemble", "exchange", place));
}

static void set_exchange(struct rill_ensemble *ensemble) {
  const double boltzmann =
      ensemble->replica[0].system.thermal != NULL ? ensemble->replica[0].system.thermal->boltzmann : NAN;
  for (size_t i = 0; i < ensemble->exchange.rungs; i++)
    ensemble->exchange.beta[i] = 1 / (boltzmann * ensemble->temperature[i]);
}

static void archive_ensemble(struct rill_simulation *sim, struct rill_archive *archive);

static enum rill_status create_ensemble(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  double temperature[RILL_RUNGS];
  const struct rill_ensemble_options options = {
      .replicas = (size_t)deck->ensemble.replicas,
      .rungs = rill_ensemble_rungs(deck),
      .temperature = temperature,
      .exchanging = deck->ensemble.exchange != RILL_NO_EXCHANGE,
      .leaves_out = deck->ensemble.on_failure == RILL_FAILURE_LEAVES_OUT,
      .interval = deck->ensemble.exchange_interval,
      .seed = deck->thermostat.seed,
      .threads = sim->threads,
  };
  enum rill_status status;
  for (size_t i = 0; i < options.rungs; i++) temperature[i] = rill_ensemble_temperature(deck, i);
  status = rill_ensemble_create(&options, &sim->ensemble, error);
  sim->system = (struct rill_system){.ops = &rill_ensemble_ops, .self = sim->ensemble};
  return status;
}

static enum rill_status create_all(struct rill_simulation *sim, struct starts *starts, struct rill_simulation *single,
                                   struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  const struct rill_binding_options binding = rill_simulation_binding(sim);
  if (sim->notes != NULL && deck->system.molecules > 0 && sim->continued == NULL)
    rill_note(sim->notes, "note: building %zu different starts, one for each replica",
              (size_t)deck->ensemble.replicas);
  RILL_TRY(read_starts(sim, starts, error));
  RILL_TRY(create_ensemble(sim, error));
  RILL_TRY(make_replicas(sim, starts, single, error));
  RILL_TRY(check_law(sim, error));
  if (deck->ensemble.exchange != RILL_NO_EXCHANGE && deck->integrator.steps <= deck->ensemble.exchange_interval)
    rill_note(sim->notes, "note: no exchange in this run of %" PRIu64 " steps: the first would be after %" PRIu64,
              deck->integrator.steps, deck->ensemble.exchange_interval);
  if (is_small(deck)) rill_small_warn(sim, &sim->ensemble->replica[0].system);
  set_exchange(sim->ensemble);
  if (!sim->without_lanes) RILL_TRY(rill_ensemble_use_lanes(sim->ensemble, sim->method, &binding, error));
  if (sim->continued == NULL) return RILL_OK;
  archive_ensemble(sim, sim->continued);
  RILL_TRY(rill_archive_status(sim->continued, error));
  if (sim->ensemble->exchanging) rill_ensemble_set_temperatures(sim->ensemble); /* otherwise they may be a ramp */
  return RILL_OK;
}

static enum rill_status create(struct rill_simulation *sim, struct rill_error *error) {
  struct rill_simulation *single = rill_allocate(1, sizeof *single);
  struct starts starts = {0};
  enum rill_status status = single != NULL ? create_all(sim, &starts, single, error)
                                           : rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the replicas");
  release_starts(&starts);
  rill_release(single);
  return status;
}

/* ---- limits ---- */

/* The replica's limits hold at all temperatures of its ladder. */
static enum rill_status watch_replica(struct rill_simulation *sim, size_t index, struct rill_simulation *single,
                                      struct rill_error *error) {
  struct rill_replica *replica = &sim->ensemble->replica[index];
  char group[32];
  enum rill_status status;
  describe_replica(sim, index, single);
  single->system = replica->system;
  single->guard = replica->guard;
  snprintf(group, sizeof group, "replica-%zu", index);
  if (sim->continued != NULL) rill_archive_enter(sim->continued, group);
  if (sim->ensemble->exchanging)
    single->deck.thermostat.temperature[1] =
        rill_ensemble_temperature(&sim->deck, rill_ensemble_rungs(&sim->deck) - 1);
  status = rill_simulation_watch_limits(single, error);
  if (sim->continued != NULL) rill_archive_leave(sim->continued);
  replica->guard = single->guard;
  if (status != RILL_OK) return rill_error_prefix(error, "replica %zu", index);
  return rill_guard_keep(&replica->guard, &replica->system, replica->guard.now, error);
}

static enum rill_status watch(struct rill_simulation *sim, struct rill_error *error) {
  struct rill_simulation *single = rill_allocate(1, sizeof *single);
  enum rill_status status = RILL_OK;
  if (single == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the limits of the replicas");
  for (size_t r = 0; status == RILL_OK && r < sim->ensemble->replicas; r++)
    status = watch_replica(sim, r, single, error);
  rill_release(single);
  return status;
}

/* ---- checkpoints ---- */

static void archive_ensemble(struct rill_simulation *sim, struct rill_archive *archive) {
  struct rill_ensemble *ensemble = sim->ensemble;
  struct rill_error error = {0};
  char group[32];
  if (!archive->reading && rill_ensemble_collect(ensemble, &error) != RILL_OK) {
    rill_archive_fail(archive, error.status, "%s", error.text);
    return;
  }
  rill_archive_enter(archive, "ensemble");
  rill_ensemble_archive(ensemble, archive);
  rill_archive_leave(archive);
  for (size_t r = 0; r < ensemble->replicas; r++) {
    const struct rill_system *system = &ensemble->replica[r].system;
    snprintf(group, sizeof group, "replica-%zu", r);
    rill_archive_enter(archive, group);
    rill_archive_enter(archive, "system");
    system->ops->archive(system->self, archive);
    rill_archive_leave(archive);
    if (!archive->reading) {
      rill_archive_enter(archive, "stop");
      rill_guard_archive(&ensemble->replica[r].guard, archive);
      rill_archive_leave(archive);
    }
    rill_archive_leave(archive);
  }
}

static void save(struct rill_simulation *sim, struct rill_archive *archive) {
  if (!is_small(&sim->deck)) rill_water_archive_start(sim, archive);
  archive_ensemble(sim, archive);
}

/* ---- runs ---- */

/* So that a signal, or the end of --max-time, is not waited for long. */
static uint64_t steps_at_a_time(const struct rill_simulation *sim) {
  static const double most = 1e9; /* pairs of molecules; a step of a small system is like a hundred of them */
  const double molecules = (double)sim->structure.molecules, replicas = (double)sim->ensemble->replicas,
               steps = most / (replicas * (molecules * molecules + 100));
  return steps < 1 ? 1 : steps > RILL_GUARD_INTERVAL ? RILL_GUARD_INTERVAL : (uint64_t)steps;
}

static void drive(struct rill_simulation *sim, struct rill_driver *driver) {
  driver->guard = NULL;
  driver->advance = (struct rill_advance){rill_ensemble_advance, sim->ensemble, steps_at_a_time(sim)};
}

static void explain_stop(const struct rill_run *run, struct rill_error *error) {
  const double step = run->sim->deck.integrator.step;
  rill_error_add(error, error->status,
                 "the run stopped after step %" PRIu64
                 " (%.10g ps, in steps of %g fs); the last good states of all "
                 "replicas are in %s",
                 run->driver.done, (double)run->driver.done * step, step * 1e3, run->outputs.final_frame);
}

static void explain_stop_of_small(const struct rill_run *run, struct rill_error *error) {
  rill_error_add(error, error->status, "the run stopped after step %" PRIu64 ", at time %.10g", run->driver.done,
                 (double)run->driver.done * run->sim->deck.integrator.step);
}

static void clear(struct rill_simulation *sim) { base_of(&sim->deck)->clear(sim); }

static const char *kernel(const struct rill_simulation *sim) { return base_of(&sim->deck)->kernel(sim); }

static const double of_replica = 4000; /* bytes of a checkpoint: its guard and averages */

static double checkpoint_bytes_of_small(const struct rill_simulation *sim) {
  static const double of_coordinate = 50;
  const double n = (double)rill_simulation_first_system(sim)->state->n;
  return 1e4 + (double)sim->deck.ensemble.replicas * (of_replica + of_coordinate * n);
}

static double checkpoint_bytes(const struct rill_simulation *sim) {
  /* A molecule's state; an entry of the archive; a molecule's positions. */
  static const double of_molecule = 150, of_entries = 200, of_positions = 72;
  const struct rill_deck *deck = &sim->deck;
  const double molecules = (double)sim->structure.molecules,
               minima = deck->ensemble.quench_interval > 0 ? (double)deck->ensemble.minima : 0;
  return rill_water_kind.checkpoint_bytes(sim) +
         (double)deck->ensemble.replicas * (of_replica + of_molecule * molecules) +
         minima * (of_entries + 8 * (double)rill_ensemble_rungs(deck) + of_positions * molecules);
}

static const struct rill_sink *const sinks[] = {RILL_ENSEMBLE_SINKS(RILL_SINK_ENTRY) NULL},
                                     *const sinks_of_small[] = {RILL_SMALL_ENSEMBLE_SINKS(RILL_SINK_ENTRY) NULL};

const struct rill_simulation_kind rill_ensemble_kind = {
    .name = "ensemble",
    .is_of = is_of_water,
    .find = find,
    .create = create,
    .clear = clear,
    .save = save,
    .watch = watch,
    .drive = drive,
    .sinks = sinks,
    .checkpoint_bytes = checkpoint_bytes,
    .seeded = true,
    .kernel = kernel,
    .explain_stop = explain_stop,
};

const struct rill_simulation_kind rill_small_ensemble_kind = {
    .name = "ensemble of small systems",
    .is_of = is_of_small,
    .find = find,
    .create = create,
    .clear = clear,
    .save = save,
    .watch = watch,
    .drive = drive,
    .sinks = sinks_of_small,
    .checkpoint_bytes = checkpoint_bytes_of_small,
    .seeded = true,
    .kernel = kernel,
    .explain_stop = explain_stop_of_small,
};

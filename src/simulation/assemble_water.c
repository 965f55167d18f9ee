#include "simulation/kind.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/units.h"
#include "simulation/field.h"
#include "simulation/sinks/sinks.h"
#include "simulation/water.h"
#include "simulation/water_start.h"
#include "simulation/water_warnings.h"
#include "structure/frames.h"
#include "water/cell.h"
#include "water/neighbours/contact.h"
#include "water/relax/build_box.h"
#include "water/relax/flexible.h"

/* For penalised molecules, whose bonds stretch by up to 0.2 of their length at 300 K and w = 20 akma. */
static const double flexible_limit = 0.30;
/* A start with oxygens closer than this is refused: their pair energy is above 1e4 kJ/mol. */
static const double overlap = 0.15;
/* The mesh's accuracy for minimisation. */
static const double minimum_accuracy = 1e-6;
/* Building this many molecules takes a second or more. */
static const uint64_t slow_to_build = 300, hopeless_to_build = 50000;

static const double (*box_of(const struct rill_simulation *sim))[3] {
  return sim->structure.has_box ? (const double(*)[3])sim->structure.box : NULL;
}

/* The options for evaluating forces; the mesh is chosen later. */
static struct rill_field_options field_of(const struct rill_simulation *sim, enum rill_precision precision) {
  const struct rill_deck *deck = &sim->deck;
  struct rill_field_options field = {
      .periodic = rill_water_is_periodic(deck),
      .reference = deck->forces.kernel == RILL_KERNEL_REFERENCE,
      .isa = sim->isa,
      .threads = sim->threads,
      .box = {
          .open = !rill_water_is_periodic(deck) && deck->forces.coulomb != RILL_COULOMB_ALL,
          .cutoff = deck->forces.cutoff,
          .coulomb = deck->forces.coulomb,
          .lj = deck->forces.lj,
          .switch_from = deck->forces.switch_from,
          .tail = deck->forces.tail,
          .by_atom = deck->forces.cutoff_by == RILL_CUTOFF_ATOM,
          .buffer = deck->forces.buffer,
          .bond_tolerance = rill_water_bond_tolerance(deck->penalty.stiffness),
          .precision = precision,
      }};
  memcpy(field.box.box, sim->structure.box, sizeof field.box.box);
  return field;
}

static enum rill_status at_accuracy(const struct rill_deck *deck, double accuracy, struct rill_error *error) {
  char place[RILL_DECK_PLACE];
  const char *key = deck->forces.mesh_grid[0] != 0 ? "mesh_grid" : "mesh_order";
  if (deck->forces.mesh_grid[0] == 0 && deck->forces.mesh_order == 0)
    return rill_error_prefix(error, "%s: [forces] accuracy = %g", rill_deck_place(deck, "forces", "accuracy", place),
                             accuracy);
  return rill_error_prefix(error, "%s: [forces] %s, accuracy = %g", rill_deck_place(deck, "forces", key, place), key,
                           accuracy);
}

/* What the deck asks of the mesh. */
static struct rill_pme_wish wish_of(const struct rill_deck *deck) {
  struct rill_pme_wish wish = {.order = (int)deck->forces.mesh_order};
  for (int axis = 0; axis < 3; axis++) wish.grid[axis] = (size_t)deck->forces.mesh_grid[axis];
  return wish;
}

/* Sets the field, with the mesh estimated to be accurate enough, before positions are known. */
static enum rill_status estimate_field(struct rill_simulation *sim, struct rill_field_options *field,
                                       struct rill_error *error) {
  const double accuracy = sim->deck.forces.accuracy;
  *field = field_of(sim, sim->deck.forces.precision);
  if (field->box.coulomb != RILL_COULOMB_EWALD) return RILL_OK;
  field->wish = wish_of(&sim->deck);
  if (rill_water_estimate_mesh(&sim->model, sim->structure.molecules, accuracy, field, error) == RILL_OK)
    return RILL_OK;
  return at_accuracy(&sim->deck, accuracy, error);
}

/* Sets the field, with the mesh measured to be accurate enough at the start of the run; a resumed run keeps its
 * mesh. */
static enum rill_status choose_field(struct rill_simulation *sim, struct rill_field_options *field,
                                     struct rill_error *error) {
  const double accuracy = sim->deck.forces.accuracy;
  *field = field_of(sim, sim->deck.forces.precision);
  if (field->box.coulomb != RILL_COULOMB_EWALD) return RILL_OK;
  field->wish = wish_of(&sim->deck);
  if (sim->continued == NULL) {
    field->elsewhere = sim->elsewhere;
    if (rill_field_choose_mesh(&sim->model, sim->structure.molecules, sim->structure.positions, accuracy, field,
                               &sim->accuracy, error) != RILL_OK) {
      if (sim->elsewhere == NULL || sim->elsewhere->fault.status == RILL_OK)
        return at_accuracy(&sim->deck, accuracy, error);
      *error = sim->elsewhere->fault;
      return error->status;
    }
    sim->mesh = field->mesh;
  }
  field->mesh = sim->mesh;
  field->box.beta = sim->mesh.beta;
  return RILL_OK;
}

/* Chooses a cube at the deck's density, and checks that it is large enough for the cutoff. */
static enum rill_status choose_cube(struct rill_simulation *sim, struct rill_error *error) {
  const double *mass = sim->model.mass, molecules = (double)sim->deck.system.molecules;
  const double edge = cbrt(molecules * (mass[0] + mass[1] + mass[2]) / sim->deck.system.density);
  char place[RILL_DECK_PLACE];
  sim->structure.has_box = true;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sim->structure.box[i][j] = i == j ? edge : 0;
  if (rill_cutoff_check(&sim->model, sim->deck.forces.cutoff, box_of(sim), error) == RILL_OK) return RILL_OK;
  return rill_error_prefix(error, "%s: [system] molecules = %.0f",
                           rill_deck_place(&sim->deck, "system", "molecules", place), molecules);
}

static enum rill_status build(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  const size_t molecules = (size_t)deck->system.molecules;
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report;
  struct rill_field_options field;
  char place[RILL_DECK_PLACE];
  RILL_TRY(rill_structure_allocate(&sim->structure, molecules, false, error));
  snprintf(sim->structure.title, sizeof sim->structure.title, "%zu water molecules", molecules);
  if (sim->continued != NULL) return rill_water_is_periodic(deck) ? choose_cube(sim, error) : RILL_OK;
  options.seed = deck->start.seed;
  options.isa = sim->isa;
  options.threads = sim->threads;
  options.observe = sim->watch_build;
  options.context = sim->watch_context;
  if (!rill_water_is_periodic(deck)) {
    if (sim->notes != NULL && molecules >= slow_to_build)
      rill_note(sim->notes, "note: building a relaxed cluster of %zu molecules%s", molecules,
                molecules < hopeless_to_build ? ""
                                              : "; each of about a hundred force evaluations uses all pairs, which "
                                                "takes minutes or more; a box (boundary = periodic) is built in "
                                                "seconds");
    RILL_TRY(rill_water_build_cluster(&sim->model, molecules, &options, sim->structure.positions, &report, error));
  } else {
    RILL_TRY(choose_cube(sim, error));
    RILL_TRY(estimate_field(sim, &field, error));
    if (sim->notes != NULL)
      rill_note(sim->notes, "note: filling a box of %.6g nm with %zu molecules, and relaxing them",
                sim->structure.box[0][0], molecules);
    if (rill_water_build_box(&sim->model, molecules, &field, &options, sim->structure.positions, &report, error) !=
        RILL_OK)
      return rill_error_prefix(error, "%s: [system] molecules", rill_deck_place(deck, "system", "molecules", place));
    if (report.copies > 1)
      rill_note(sim->notes, "note: the box was filled with %zu copies of a relaxed one of %zu molecules",
                report.copies, (molecules + report.copies - 1) / report.copies);
  }
  return RILL_OK;
}

/* Penalised molecules are used as read, but must be close to the geometry of the model. */
static enum rill_status check_flexible(const struct rill_simulation *sim, struct rill_error *error) {
  size_t worst;
  double deviation = rill_water_deviation(&sim->model, sim->structure.positions, sim->structure.molecules, &worst);
  if (deviation <= flexible_limit) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_INPUT,
      "%s: molecule %zu deviates from the geometry of %s by %.3g of a bond length (limit %.2g): O-H %.5f nm is "
      "expected; are lengths in another unit?",
      sim->deck.system.structure, worst + 1, sim->model.name, deviation, flexible_limit, sim->model.bond[0]);
}

/* The mesh was chosen at the start of the run. */
static void archive_mesh(struct rill_simulation *sim, struct rill_archive *archive) {
  struct rill_pme_parameters *mesh = &sim->mesh;
  struct rill_force_accuracy *accuracy = &sim->accuracy;
  uint64_t integers[5] = {(uint64_t)mesh->order, mesh->grid[0], mesh->grid[1], mesh->grid[2],
                          (uint64_t)mesh->precision};
  double measured[4] = {accuracy->error, accuracy->scale, accuracy->rms_force, accuracy->energy_error};
  rill_archive_reals(archive, "beta", &mesh->beta, 1);
  rill_archive_integers(archive, "mesh", integers, 5);
  rill_archive_reals(archive, "accuracy", measured, 4);
  rill_archive_size(archive, "judged", &accuracy->molecules);
  mesh->order = (int)integers[0];
  for (int axis = 0; axis < 3; axis++) mesh->grid[axis] = (size_t)integers[1 + axis];
  mesh->precision = integers[4] == RILL_MESH_SINGLE ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE;
  accuracy->error = measured[0];
  accuracy->scale = measured[1];
  accuracy->rms_force = measured[2];
  accuracy->energy_error = measured[3];
}

/* In checkpoints: it cannot be read again from a file. */
static bool start_is_kept(const struct rill_deck *deck) { return deck->system.molecules > 0 || deck->start.minimize; }

/* The start as the run's checkpoint describes it. */
void rill_water_archive_start(struct rill_simulation *sim, struct rill_archive *archive) {
  struct rill_structure *structure = &sim->structure;
  size_t molecules = structure->molecules;
  double box[9];
  memcpy(box, structure->box, sizeof box);
  rill_archive_enter(archive, "start");
  rill_archive_size(archive, "molecules", &molecules);
  if (structure->has_box) rill_archive_reals(archive, "box", box, 9);
  if (molecules != structure->molecules || (structure->has_box && memcmp(box, structure->box, sizeof box) != 0))
    rill_archive_fail(archive, RILL_ERROR_INPUT,
                      "%s has different molecules or a different box than when the run began",
                      sim->deck.system.structure);
  if (start_is_kept(&sim->deck))
    rill_archive_reals(archive, "positions", structure->positions, 9 * structure->molecules);
  if (sim->deck.forces.coulomb == RILL_COULOMB_EWALD) archive_mesh(sim, archive);
  rill_archive_leave(archive);
}

static enum rill_status read_file(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  char place[RILL_DECK_PLACE];
  if (sim->given != NULL) return rill_structure_copy(sim->given, &sim->structure, error);
  if (access(deck->system.structure, R_OK) != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: [system] structure: %s cannot be read: %s%s",
                          rill_deck_place(deck, "system", "structure", place), deck->system.structure,
                          strerror(errno),
                          errno == ENOENT ? " (a path in a deck is relative to the deck's folder)" : "");
  return rill_frames_first(deck->system.structure, &sim->structure, sim->notes, error);
}

static enum rill_status read_structure(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  char place[RILL_DECK_PLACE];
  struct rill_contact nearest;
  if (deck->system.structure[0] == '\0' && sim->given == NULL) return build(sim, error);
  RILL_TRY(read_file(sim, error));
  if (deck->penalty.stiffness > 0) RILL_TRY(check_flexible(sim, error));
  else RILL_TRY(rill_start_rigidify(&sim->model, &sim->structure, deck->system.structure, sim->notes, error));
  if (rill_water_is_periodic(deck) && !sim->structure.has_box)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has no box, but %s: [system] boundary = periodic needs one",
                          deck->system.structure, rill_deck_place(deck, "system", "boundary", place));
  if (!rill_water_is_periodic(deck) && sim->structure.has_box) {
    if (sim->notes != NULL)
      rill_note(sim->notes, "note: %s: the file's box is not used, boundary = vacuum", deck->system.structure);
    sim->structure.has_box = false;
  }
  RILL_TRY(rill_closest_contact(sim->structure.positions, sim->structure.molecules, box_of(sim), RILL_CONTACT_OXYGENS,
                                &nearest, error));
  if (nearest.distance < overlap && !deck->start.minimize)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: molecules %zu and %zu overlap: their oxygens are %.4f nm apart (water: 0.25 nm and "
                          "more); set start.minimize = yes, or run rill minimize first",
                          deck->system.structure, nearest.first + 1, nearest.second + 1, nearest.distance);
  if (deck->start.velocities == RILL_VELOCITIES_FILE && sim->structure.velocities == NULL)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s has no velocities, but start.velocities = file; expected a GRO file with velocities, "
                          "or "
                          "start.velocities = maxwell",
                          deck->system.structure);
  return RILL_OK;
}

static enum rill_status minimize_flexible(struct rill_simulation *sim, const struct rill_minimize_options *options,
                                          const char *start, struct rill_error *error) {
  struct rill_flexible_report report;
  RILL_TRY(rill_start_separate(&sim->structure, start, sim->notes, error));
  if (rill_water_minimize_flexible(&sim->model, sim->deck.penalty.stiffness, sim->structure.molecules, options,
                                   sim->structure.positions, &report, error) != RILL_OK) {
    if (error->status == RILL_ERROR_NOT_FINITE) error->status = RILL_ERROR_INPUT;
    return rill_error_prefix(error, "%s", start);
  }
  if (sim->notes != NULL)
    rill_note(sim->notes,
              "note: energy minimised from %.6g to %.6g kJ/mol, of which %.6g in the bonds, in %zu iterations",
              report.before, report.after, report.penalty, report.iterations);
  return RILL_OK;
}

static enum rill_status minimize(struct rill_simulation *sim, struct rill_error *error) {
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  struct rill_field_options field;
  const char *start = sim->deck.system.structure[0] != '\0' ? sim->deck.system.structure : sim->deck.path;
  options.isa = sim->isa;
  options.threads = sim->threads;
  if (sim->deck.penalty.stiffness > 0) return minimize_flexible(sim, &options, start, error);
  if (rill_water_is_periodic(&sim->deck)) { /* finer than the run's mesh may be, so that a minimum can be found */
    const double accuracy = fmin(sim->deck.forces.accuracy, minimum_accuracy);
    double had = accuracy;
    field = field_of(sim, RILL_PRECISION_DOUBLE);
    RILL_TRY(rill_start_separate(&sim->structure, start, sim->notes, error)); /* the mesh is measured later */
    if (field.box.coulomb == RILL_COULOMB_EWALD &&
        rill_field_choose_finest(&sim->model, sim->structure.molecules, sim->structure.positions, accuracy, &field,
                                 &had, error) != RILL_OK)
      return rill_error_prefix(error, "%s: [start] minimize = yes", start);
    if (sim->notes != NULL && had > accuracy)
      rill_note(sim->notes, "note: minimised with forces accurate to %g; %g is not attainable", had, accuracy);
    options.box = &field;
  }
  RILL_TRY(rill_start_minimize(&sim->model, &options, &sim->structure, start, sim->notes, &report, error));
  if (sim->notes != NULL)
    rill_note(sim->notes, "note: energy minimised from %.6g to %.6g kJ/mol in %zu iterations",
              report.before.lj + report.before.coulomb, report.after.lj + report.after.coulomb, report.iterations);
  return RILL_OK;
}

/* The scale of velocity deviations: sqrt(k T / M) of a molecule; 300 K where there is no T. */
static double thermal_velocity(const struct rill_deck *deck, const struct rill_water_model *model) {
  double temperature = deck->thermostat.method != RILL_NO_BATH
                           ? fmax(deck->thermostat.temperature[0], deck->thermostat.temperature[1])
                           : deck->start.temperature;
  if (!(temperature > 0)) temperature = 300;
  return sqrt(RILL_GAS_CONSTANT * temperature / (model->mass[0] + model->mass[1] + model->mass[2]));
}

static struct rill_external external_of(const struct rill_deck *deck) {
  struct rill_external external = {0};
  if (!deck->field.on) return external;
  external.trap = deck->field.trap;
  for (int c = 0; c < 3; c++) {
    external.electric[c] = deck->field.electric[c];
    external.centre[c] = deck->field.centre[c];
  }
  return external;
}

/* field: chosen; the start is that of sim->structure. */
static struct rill_water_options options_of(struct rill_simulation *sim, const struct rill_field_options *field) {
  const struct rill_deck *deck = &sim->deck;
  const bool thermostat = deck->thermostat.method != RILL_NO_BATH;
  return (struct rill_water_options){
      .model = sim->model,
      .molecules = sim->structure.molecules,
      .positions = sim->structure.positions,
      .velocities = deck->start.velocities == RILL_VELOCITIES_FILE ? sim->structure.velocities : NULL,
      .constraints = {.solver = deck->constraints.solver,
                      .tolerance = deck->constraints.tolerance,
                      .velocity_tolerance = deck->constraints.velocity_tolerance,
                      .thermal_velocity = thermal_velocity(deck, &sim->model),
                      .max_iterations = (unsigned)deck->constraints.max_iterations},
      .stiffness = deck->penalty.stiffness,
      .thermostat = thermostat,
      .trials = deck->thermostat.method == RILL_GHMC,
      .temperature = {deck->thermostat.temperature[0], deck->thermostat.temperature[1]},
      .steps = deck->integrator.steps,
      .friction_law = deck->thermostat.friction_law,
      .friction = deck->thermostat.friction,
      .rotation_friction = deck->thermostat.rotation_friction,
      .rescale_time = deck->thermostat.method == RILL_V_RESCALE ? deck->thermostat.tau : 0,
      .seed = deck->thermostat.seed,
      .barostat = {.kind = deck->barostat.method,
                   .shape = deck->barostat.shape,
                   .pressure = deck->barostat.pressure,
                   .compressibility = deck->barostat.compressibility,
                   .tau = deck->barostat.tau},
      .barostat_interval = deck->barostat.interval,
      .accuracy = deck->forces.accuracy,
      .confined = deck->confine.on,
      .confine_radius = deck->confine.radius,
      .confine_stiffness = deck->confine.stiffness,
      .external = external_of(deck),
      .reference_kernel = deck->forces.kernel == RILL_KERNEL_REFERENCE,
      .isa = sim->isa,
      .threads = sim->threads,
      .timers = sim->is_replica ? NULL : &sim->timers,
      .notes = sim->notes,
      .periodic = rill_water_is_periodic(deck),
      .box = field->box,
      .mesh = field->mesh,
  };
}

static enum rill_status create_system(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  struct rill_field_options field;
  struct rill_water_options options;
  RILL_TRY(choose_field(sim, &field, error));
  options = options_of(sim, &field);
  options.bare = sim->divided;
  if (options.bare) options.positions = options.velocities = NULL;
  if (rill_water_create(&options, &sim->system, error) != RILL_OK)
    return rill_error_prefix(error, "%s", deck->system.structure[0] != '\0' ? deck->system.structure : deck->path);
  return RILL_OK;
}

/* Refuses a range of [rdf] that exceeds the box now, not at the first sample. */
static enum rill_status check_distances(const struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  static const double steady = 0.9; /* a cell that moves is hardly shorter than this part of its start */
  const double max = deck->rdf.max;
  char place[RILL_DECK_PLACE];
  struct rill_cell box;
  if (!rill_water_is_periodic(deck) || !deck->rdf.on) return RILL_OK;
  RILL_TRY(rill_cell_create((const double(*)[3])sim->structure.box, &box, error));
  if (deck->barostat.method != RILL_NO_BAROSTAT && max > steady * box.shortest)
    return rill_error_set(
        error, RILL_ERROR_INPUT,
        "%s: [rdf] max = %g nm: at constant pressure the box, %g nm at the start, may become shorter "
        "than that; expected at most %g nm, %g of its shortest lattice vector",
        rill_deck_place(deck, "rdf", "max", place), max, box.shortest, steady * box.shortest, steady);
  if (max > box.shortest)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: [rdf] max = %g nm is more than the box's shortest lattice vector, %g nm, beyond which "
                          "every molecule pairs with its own image",
                          rill_deck_place(deck, "rdf", "max", place), max, box.shortest);
  if (sim->notes != NULL && max > 0.5 * box.shortest * (1 + 1e-6))
    rill_note(sim->notes,
              "note: [rdf] max = %g nm is beyond half of the box's shortest lattice vector, %.4g nm: beyond it "
              "molecules are counted in more than one image",
              max, 0.5 * box.shortest);
  return RILL_OK;
}

static enum rill_status check_cutoff(const struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  char place[RILL_DECK_PLACE];
  if (deck->forces.coulomb == RILL_COULOMB_ALL ||
      rill_cutoff_check(&sim->model, deck->forces.cutoff, box_of(sim), error) == RILL_OK)
    return RILL_OK;
  return rill_error_prefix(error, "%s: [forces] cutoff = %g nm", rill_deck_place(deck, "forces", "cutoff", place),
                           deck->forces.cutoff);
}

static enum rill_status check_recorded_molecule(const struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  char place[RILL_DECK_PLACE];
  if (!deck->penalty.record || deck->penalty.molecule <= sim->structure.molecules) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: [penalty] molecule = %" PRIu64 ": there are %zu",
                        rill_deck_place(deck, "penalty", "molecule", place), deck->penalty.molecule,
                        sim->structure.molecules);
}

static enum rill_status find_start(struct rill_simulation *sim, struct rill_error *error) {
  RILL_TRY(read_structure(sim, error));
  RILL_TRY(check_cutoff(sim, error));
  RILL_TRY(check_recorded_molecule(sim, error));
  if (sim->continued == NULL) return sim->deck.start.minimize ? minimize(sim, error) : RILL_OK;
  rill_water_archive_start(sim, sim->continued);
  return rill_archive_status(sim->continued, error);
}

/* Velocities, or the state of a resumed run, for a system that has positions. */
static enum rill_status set_in_motion(struct rill_simulation *sim, struct rill_error *error) {
  RILL_TRY(rill_start_velocities(sim, error));
  if (sim->continued != NULL && !sim->is_replica) {
    rill_simulation_archive_system(sim, sim->continued);
    RILL_TRY(rill_archive_status(sim->continued, error));
  }
  rill_warn_of_water(sim);
  return RILL_OK;
}

static enum rill_status create(struct rill_simulation *sim, struct rill_error *error) {
  RILL_TRY(find_start(sim, error));
  RILL_TRY(check_distances(sim, error));
  RILL_TRY(create_system(sim, error));
  return sim->divided ? RILL_OK : set_in_motion(sim, error); /* where it is divided, by rill_water_hand_out_start */
}

static void clear(struct rill_simulation *sim) {
  rill_structure_release(&sim->structure);
  sim->structure = (struct rill_structure){0};
}

static bool is_of(const struct rill_deck *deck) { return deck->units == RILL_UNITS_MOLECULAR; }

/* ---- over ranks ---- */

void rill_water_describe_share(const struct rill_simulation *sim, struct rill_water_share *share) {
  *share = (struct rill_water_share){
      .molecules = sim->structure.molecules, .mesh = sim->mesh, .isa = sim->isa, .mesh_ranks = sim->mesh_ranks};
  memcpy(share->box, sim->structure.box, sizeof share->box);
}

enum rill_status rill_water_create_share(struct rill_simulation *sim, const struct rill_water_share *share,
                                         struct rill_ranks *ranks, struct rill_error *error) {
  struct rill_field_options field;
  struct rill_water_options options;
  sim->structure.molecules = share->molecules;
  sim->structure.has_box = true;
  memcpy(sim->structure.box, share->box, sizeof share->box);
  sim->mesh = share->mesh;
  sim->isa = share->isa;
  field = field_of(sim, sim->deck.forces.precision);
  if (field.box.coulomb == RILL_COULOMB_EWALD) {
    field.mesh = sim->mesh;
    field.box.beta = sim->mesh.beta;
  }
  options = options_of(sim, &field);
  options.positions = options.velocities = NULL;
  options.box.ranks = ranks;
  options.box.bricks = share->bricks;
  options.box.mesh_ranks = share->mesh_ranks;
  return rill_water_create(&options, &sim->system, error);
}

enum rill_status rill_water_hand_out_start(struct rill_simulation *sim, struct rill_error *error) {
  struct rill_structure *structure = &sim->structure;
  const bool from_file = sim->deck.start.velocities == RILL_VELOCITIES_FILE;
  if (sim->continued == NULL)
    RILL_TRY(rill_water_place(&sim->system, structure->positions, from_file ? structure->velocities : NULL, error));
  RILL_TRY(set_in_motion(sim, error));
  rill_release(structure->velocities);
  structure->velocities = NULL;
  if (start_is_kept(&sim->deck)) return RILL_OK;
  rill_release(structure->positions);
  structure->positions = NULL;
  return RILL_OK;
}

static void save(struct rill_simulation *sim, struct rill_archive *archive) {
  rill_water_archive_start(sim, archive);
  rill_simulation_archive_system(sim, archive);
}

static const char *kernel(const struct rill_simulation *sim) { return rill_isa_name(sim->isa); }

static void explain_stop(const struct rill_run *run, struct rill_error *error) {
  const double step = run->sim->deck.integrator.step;
  rill_error_add(error, error->status,
                 "the run stopped after step %" PRIu64 " (%.10g ps, in steps of %g fs); the last good state is in %s",
                 run->driver.done, (double)run->driver.done * step, step * 1e3, run->outputs.final_frame);
  if (run->frames > 0)
    rill_error_add(error, error->status, "all frames up to step %" PRIu64 " are in %s", run->last_frame,
                   run->outputs.trajectory);
}

static const struct rill_sink *const sinks[] = {RILL_WATER_SINKS(RILL_SINK_ENTRY) NULL};

const struct rill_simulation_kind rill_water_kind = {
    .name = "water",
    .is_of = is_of,
    .find = rill_water_find,
    .create = create,
    .clear = clear,
    .save = save,
    .limit = rill_water_limit,
    .sinks = sinks,
    .checkpoint_bytes = rill_water_checkpoint_bytes,
    .seeded = true,
    .timed = true,
    .kernel = kernel,
    .explain_stop = explain_stop,
};

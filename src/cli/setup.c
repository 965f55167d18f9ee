#include "cli/setup.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/units.h"
#include "cli/field.h"
#include "cli/frames.h"
#include "cli/small.h"
#include "cli/stable_steps.h"
#include "cli/watch.h"
#include "deck/synonyms.h"
#include "water/neighbours/box.h"
#include "water/neighbours/contact.h"
#include "water/relax/build_box.h"
#include "water/relax/flexible.h"
#include "water/relax/separate.h"

/* Above this a molecule is not what a file of this model would hold (3-decimal GRO: up to 0.01; SPC: 0.08). */
static const double geometry_limit = 0.10;
/* Below this molecules are not worth notice: rounding of a file with 7 decimals. */
static const double geometry_notice = 1e-6;
/* The same of penalised molecules, whose bonds stretch: at 300 K and w = 20 akma up to 0.2. */
static const double flexible_limit = 0.30;
/* Oxygens nearer than this have no place in a start: the pair energy is above 1e4 kJ/mol. */
static const double overlap = 0.15;
/* Least one of nonlinear solves with forces in single precision, relative to 10 nm. */
static const double mixed_tolerance = 1e-11;
/* Of the mesh, where molecules are brought to a minimum. */
static const double minimum_accuracy = 1e-6;
/* A file's velocities that lose a smaller part of their energy are rounded, no more: 4 decimals, 1 K. */
static const double kinetic_notice = 1e-5;
/* Building so many molecules takes a second and more. */
static const uint64_t slow_to_build = 300, hopeless_to_build = 50000;

const char *rill_thermostat_name(enum rill_thermostat thermostat) {
  switch (thermostat) {
    case RILL_THERMOSTAT_NONE: return "none";
    case RILL_THERMOSTAT_GLA: return "gla";
    case RILL_THERMOSTAT_BAOAB: return "baoab";
  }
  return "unknown";
}

enum rill_status rill_setup_rigidify(const struct rill_water_model *model, struct rill_structure *structure,
                                     const char *path, FILE *notes, struct rill_error *error) {
  size_t worst;
  double deviation = rill_water_deviation(model, structure->positions, structure->molecules, &worst);
  if (!(deviation <= geometry_limit))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: molecule %zu is off the geometry of %s by %.3g of a bond length (limit %.2g): O-H "
                          "%.5f nm, H-O-H "
                          "%.2f degrees are expected; is it another model, or are lengths in another unit?",
                          path, worst + 1, model->name, deviation, geometry_limit, model->bond[0],
                          RILL_TIP3P_ANGLE_DEGREES);
  RILL_TRY(rill_water_rigidify(model, structure->positions, structure->molecules, error));
  if (notes != NULL && deviation > geometry_notice)
    fprintf(notes,
            "note: %s: molecules put to the geometry of %s; they were off by up to %.2g of a bond length (molecule "
            "%zu)\n",
            path, model->name, deviation, worst + 1);
  return RILL_OK;
}

static bool is_periodic(const struct rill_deck *deck) {
  return deck->system.boundary == RILL_BOUNDARY_PERIODIC;
}

static enum rill_lj_kind lj_of(enum rill_lj_choice lj) {
  switch (lj) {
  case RILL_CHOICE_LJ_CUT: return RILL_LJ_CUT;
  case RILL_CHOICE_LJ_SHIFT: return RILL_LJ_SHIFT;
  case RILL_CHOICE_LJ_SWITCH: return RILL_LJ_SWITCH;
  }
  return RILL_LJ_CUT;
}

static const double (*box_of(const struct rill_setup *setup))[3] {
  return setup->structure.has_box ? (const double(*)[3])setup->structure.box : NULL;
}

/* How forces are evaluated; a mesh is still to be chosen. */
static struct rill_field_options field_of(const struct rill_setup *setup, bool mixed) {
  const struct rill_deck *deck = &setup->deck;
  struct rill_field_options field = {
      .periodic = is_periodic(deck),
      .reference = deck->forces.kernel == RILL_KERNEL_REFERENCE,
      .isa = setup->isa,
      .threads = setup->threads,
      .box = {
          .open = !is_periodic(deck) && deck->forces.coulomb != RILL_CHOICE_ALL,
          .cutoff = deck->forces.cutoff,
          .coulomb = deck->forces.coulomb == RILL_CHOICE_PME              ? RILL_COULOMB_EWALD
                     : deck->forces.coulomb == RILL_CHOICE_REACTION_FIELD ? RILL_COULOMB_REACTION_FIELD
                                                                          : RILL_COULOMB_CUT,
          .lj = lj_of(deck->forces.lj),
          .switch_from = deck->forces.switch_from,
          .tail = deck->forces.tail,
          .strict = deck->forces.cutoff_by == RILL_CHOICE_ATOM,
          .buffer = deck->forces.buffer,
          .bond_tolerance = rill_water_bond_tolerance(deck->penalty.stiffness),
          .precision = mixed ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE,
      }};
  memcpy(field.box.box, setup->structure.box, sizeof field.box.box);
  return field;
}

static bool is_mixed(const struct rill_deck *deck) { return deck->forces.precision == RILL_CHOICE_MIXED; }

static enum rill_status at_accuracy(const struct rill_deck *deck, double accuracy, struct rill_error *error) {
  char place[RILL_DECK_PLACE];
  return rill_error_prefix(error, "%s: [forces] accuracy = %g",
                           rill_deck_place(deck, "forces", "accuracy", place), accuracy);
}

/* With the mesh that is estimated to be accurate enough, of positions that are still to be found. */
static enum rill_status estimate_field(struct rill_setup *setup, struct rill_field_options *field,
                                       struct rill_error *error) {
  const double accuracy = setup->deck.forces.accuracy;
  *field = field_of(setup, is_mixed(&setup->deck));
  if (field->box.coulomb != RILL_COULOMB_EWALD) return RILL_OK;
  if (rill_water_estimate_mesh(&setup->model, setup->structure.molecules, accuracy, field, error) == RILL_OK)
    return RILL_OK;
  return at_accuracy(&setup->deck, accuracy, error);
}

/* With the mesh that is measured to be accurate enough where the run begins; one that is resumed keeps its own. */
static enum rill_status choose_field(struct rill_setup *setup, struct rill_field_options *field,
                                     struct rill_error *error) {
  const double accuracy = setup->deck.forces.accuracy;
  *field = field_of(setup, is_mixed(&setup->deck));
  if (field->box.coulomb != RILL_COULOMB_EWALD) return RILL_OK;
  if (setup->continued == NULL) {
    if (rill_field_choose_mesh(&setup->model, setup->structure.molecules, setup->structure.positions, accuracy, field,
                               &setup->accuracy, error) != RILL_OK)
      return at_accuracy(&setup->deck, accuracy, error);
    setup->mesh = field->mesh;
  }
  field->mesh = setup->mesh;
  field->box.beta = setup->mesh.beta;
  return RILL_OK;
}

/* A cube at the deck's density, and large enough for the cutoff. */
static enum rill_status choose_cube(struct rill_setup *setup, struct rill_error *error) {
  const double *mass = setup->model.mass, molecules = (double)setup->deck.system.molecules;
  const double edge = cbrt(molecules * (mass[0] + mass[1] + mass[2]) / setup->deck.system.density);
  char place[RILL_DECK_PLACE];
  setup->structure.has_box = true;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) setup->structure.box[i][j] = i == j ? edge : 0;
  if (rill_cutoff_check(&setup->model, setup->deck.forces.cutoff, box_of(setup), error) == RILL_OK) return RILL_OK;
  return rill_error_prefix(error, "%s: [system] molecules = %.0f",
                           rill_deck_place(&setup->deck, "system", "molecules", place), molecules);
}

static enum rill_status build(struct rill_setup *setup, FILE *notes, struct rill_error *error) {
  const struct rill_deck *deck = &setup->deck;
  const size_t molecules = (size_t)deck->system.molecules;
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report;
  struct rill_field_options field;
  struct rill_watch watch;
  char place[RILL_DECK_PLACE];
  RILL_TRY(rill_structure_allocate(&setup->structure, molecules, false, error));
  snprintf(setup->structure.title, sizeof setup->structure.title, "%zu water molecules", molecules);
  if (setup->continued != NULL) return is_periodic(deck) ? choose_cube(setup, error) : RILL_OK;
  rill_watch_start(&watch, notes == NULL);
  options.seed = deck->start.seed;
  options.isa = setup->isa;
  options.threads = setup->threads;
  options.observe = rill_watch_build;
  options.context = &watch;
  if (!is_periodic(deck)) {
    if (notes != NULL && molecules >= slow_to_build)
      fprintf(notes, "note: building a relaxed cluster of %zu molecules%s\n", molecules,
              molecules < hopeless_to_build ? "" : ": each of a hundred evaluations takes all pairs of them, which is "
                                                   "minutes or more; a box (boundary = periodic) is built in seconds");
    RILL_TRY(
        rill_water_build_cluster(&setup->model, molecules, &options, setup->structure.positions, &report, error));
  } else {
    RILL_TRY(choose_cube(setup, error));
    RILL_TRY(estimate_field(setup, &field, error));
    if (notes != NULL)
      fprintf(notes, "note: filling a box of %.6g nm with %zu molecules, and relaxing them\n",
              setup->structure.box[0][0], molecules);
    if (rill_water_build_box(&setup->model, molecules, &field, &options, setup->structure.positions, &report,
                             error) != RILL_OK)
      return rill_error_prefix(error, "%s: [system] molecules",
                               rill_deck_place(deck, "system", "molecules", place));
  }
  rill_watch_end(&watch);
  return RILL_OK;
}

/* A penalised molecule is taken as it comes. */
static enum rill_status check_flexible(const struct rill_setup *setup, struct rill_error *error) {
  size_t worst;
  double deviation =
      rill_water_deviation(&setup->model, setup->structure.positions, setup->structure.molecules, &worst);
  if (deviation <= flexible_limit) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_INPUT,
      "%s: molecule %zu is off the geometry of %s by %.3g of a bond length (limit %.2g): O-H %.5f nm is expected; "
      "are lengths in another unit?",
      setup->deck.system.structure, worst + 1, setup->model.name, deviation, flexible_limit, setup->model.bond[0]);
}

/* The mesh was chosen where the run began. */
static void archive_mesh(struct rill_setup *setup, struct rill_archive *archive) {
  struct rill_pme_parameters *mesh = &setup->mesh;
  struct rill_force_accuracy *accuracy = &setup->accuracy;
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

/* What the checkpoint of a run says of its start; a structure that was built or relaxed is kept. */
static void archive_start(struct rill_setup *setup, struct rill_archive *archive) {
  struct rill_structure *structure = &setup->structure;
  size_t molecules = structure->molecules;
  double box[9];
  memcpy(box, structure->box, sizeof box);
  rill_archive_enter(archive, "start");
  rill_archive_size(archive, "molecules", &molecules);
  if (structure->has_box) rill_archive_reals(archive, "box", box, 9);
  if (molecules != structure->molecules || (structure->has_box && memcmp(box, structure->box, sizeof box) != 0))
    rill_archive_fail(archive, RILL_ERROR_INPUT, "%s has other molecules or another box than when the run began",
                      setup->deck.system.structure);
  if (setup->deck.system.molecules > 0 || setup->deck.start.minimize)
    rill_archive_reals(archive, "positions", structure->positions, 9 * structure->molecules);
  if (setup->deck.forces.coulomb == RILL_CHOICE_PME) archive_mesh(setup, archive);
  rill_archive_leave(archive);
}

static void archive_system(struct rill_setup *setup, struct rill_archive *archive) {
  rill_archive_enter(archive, "system");
  setup->system.ops->archive(setup->system.self, archive);
  rill_archive_leave(archive);
}

void rill_setup_save(struct rill_setup *setup, struct rill_archive *archive) {
  archive_start(setup, archive);
  archive_system(setup, archive);
}

static enum rill_status read_structure(struct rill_setup *setup, FILE *notes, struct rill_error *error) {
  const struct rill_deck *deck = &setup->deck;
  char place[RILL_DECK_PLACE];
  struct rill_contact nearest;
  if (deck->system.structure[0] == '\0') return build(setup, notes, error);
  if (access(deck->system.structure, R_OK) != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: [system] structure: %s cannot be read: %s",
                          rill_deck_place(deck, "system", "structure", place), deck->system.structure,
                          strerror(errno));
  RILL_TRY(rill_frames_first(deck->system.structure, &setup->structure, notes, error));
  if (deck->penalty.stiffness > 0)
    RILL_TRY(check_flexible(setup, error));
  else
    RILL_TRY(rill_setup_rigidify(&setup->model, &setup->structure, deck->system.structure, notes, error));
  if (is_periodic(deck) && !setup->structure.has_box)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has no box, but %s: [system] boundary = periodic needs one",
                          deck->system.structure, rill_deck_place(deck, "system", "boundary", place));
  if (!is_periodic(deck) && setup->structure.has_box) {
    if (notes != NULL)
      fprintf(notes, "note: %s: the file's box is not used, boundary = vacuum\n", deck->system.structure);
    setup->structure.has_box = false;
  }
  RILL_TRY(rill_closest_contact(setup->structure.positions, setup->structure.molecules, box_of(setup),
                                RILL_CONTACT_OXYGENS, &nearest, error));
  if (nearest.distance < overlap && !deck->start.minimize)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: molecules %zu and %zu lie on top of each other: their oxygens are %.4f nm apart "
                          "(water: 0.25 nm and "
                          "more); set start.minimize = yes, or run rill minimize first",
                          deck->system.structure, nearest.first + 1, nearest.second + 1, nearest.distance);
  if (deck->start.velocities == RILL_VELOCITIES_FILE && setup->structure.velocities == NULL)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s has no velocities, but start.velocities = file; expected a GRO file with velocities, "
                          "or "
                          "start.velocities = maxwell",
                          deck->system.structure);
  return RILL_OK;
}

enum rill_status rill_setup_separate(struct rill_structure *structure, const char *path, FILE *notes,
                                     struct rill_error *error) {
  const double(*box)[3] = structure->has_box ? (const double(*)[3])structure->box : NULL;
  struct rill_separation separation;
  if (rill_water_separate(structure->molecules, box, structure->positions, &separation, error) != RILL_OK)
    return rill_error_prefix(error, "%s", path);
  if (notes != NULL && separation.moved > 0)
    fprintf(notes,
            "note: %s: molecules %zu and %zu overlap, with atoms %.3g nm apart; before the minimisation %zu molecules "
            "were pushed apart, by up to %.3g nm\n",
            path, separation.closest.first + 1, separation.closest.second + 1, separation.closest.distance,
            separation.moved, separation.farthest);
  return RILL_OK;
}

enum rill_status rill_setup_minimize(const struct rill_water_model *model,
                                     const struct rill_minimize_options *options, struct rill_structure *structure,
                                     const char *path, FILE *notes, struct rill_minimize_report *report,
                                     struct rill_error *error) {
  RILL_TRY(rill_setup_separate(structure, path, notes, error));
  if (rill_water_minimize(model, structure->molecules, options, structure->positions, report, error) == RILL_OK)
    return RILL_OK;
  if (error->status == RILL_ERROR_NOT_FINITE) error->status = RILL_ERROR_INPUT;
  return rill_error_prefix(error, "%s", path);
}

static enum rill_status minimize_flexible(struct rill_setup *setup, const struct rill_minimize_options *options,
                                          const char *start, FILE *notes, struct rill_error *error) {
  struct rill_flexible_report report;
  RILL_TRY(rill_setup_separate(&setup->structure, start, notes, error));
  if (rill_water_minimize_flexible(&setup->model, setup->deck.penalty.stiffness, setup->structure.molecules, options,
                                   setup->structure.positions, &report, error) != RILL_OK) {
    if (error->status == RILL_ERROR_NOT_FINITE) error->status = RILL_ERROR_INPUT;
    return rill_error_prefix(error, "%s", start);
  }
  if (notes != NULL)
    fprintf(notes, "note: energy minimised from %.6g to %.6g kJ/mol, of which %.6g in the bonds, in %zu iterations\n",
            report.before, report.after, report.penalty, report.iterations);
  return RILL_OK;
}

static enum rill_status minimize(struct rill_setup *setup, FILE *notes, struct rill_error *error) {
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  struct rill_field_options field;
  const char *start = setup->deck.system.structure[0] != '\0' ? setup->deck.system.structure : setup->deck.path;
  options.isa = setup->isa;
  options.threads = setup->threads;
  if (setup->deck.penalty.stiffness > 0) return minimize_flexible(setup, &options, start, notes, error);
  if (is_periodic(&setup->deck)) { /* finer than the run may be, so that there is a minimum to be found */
    const double accuracy = fmin(setup->deck.forces.accuracy, minimum_accuracy);
    double had = accuracy;
    field = field_of(setup, false);
    RILL_TRY(rill_setup_separate(&setup->structure, start, notes, error)); /* the mesh is measured on what will be */
    if (field.box.coulomb == RILL_COULOMB_EWALD &&
        rill_field_choose_finest(&setup->model, setup->structure.molecules, setup->structure.positions, accuracy,
                                 &field, &had, error) != RILL_OK)
      return rill_error_prefix(error, "%s: [start] minimize = yes", start);
    if (notes != NULL && had > accuracy)
      fprintf(notes, "note: minimised with forces accurate to %g; %g cannot be had\n", had, accuracy);
    options.box = &field;
  }
  RILL_TRY(rill_setup_minimize(&setup->model, &options, &setup->structure, start, notes, &report, error));
  if (notes != NULL)
    fprintf(notes, "note: energy minimised from %.6g to %.6g kJ/mol in %zu iterations\n",
            report.before.lj + report.before.coulomb, report.after.lj + report.after.coulomb, report.iterations);
  return RILL_OK;
}

enum rill_status rill_setup_find_method(const struct rill_deck *deck, const struct rill_method **method,
                                        struct rill_error *error) {
  const char *names[64], *nearest, *advice = rill_synonym_advice("integrator", "method", deck->integrator.method);
  size_t count, used = 0;
  const struct rill_method *const *methods = rill_methods(&count);
  char list[1024] = "", place[RILL_DECK_PLACE];
  *method = rill_method_find(deck->integrator.method);
  if (*method != NULL) return RILL_OK;
  if (advice != NULL)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: [integrator] method = %s: %s",
                          rill_deck_place(deck, "integrator", "method", place), deck->integrator.method, advice);
  for (size_t i = 0; i < count; i++) {
    names[used++] = methods[i]->name;
    if (methods[i]->alias != NULL) names[used++] = methods[i]->alias;
  }
  for (size_t i = 0; i < used; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
  nearest = rill_nearest(deck->integrator.method, names, used);
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [integrator] method = %s is not known%s%s%s; expected one of %s",
                        rill_deck_place(deck, "integrator", "method", place), deck->integrator.method,
                        nearest ? ": did you mean " : "", nearest ? nearest : "", nearest ? "?" : "", list);
}

static enum rill_constraint_solver solver_of(enum rill_solver solver) {
  switch (solver) {
    case RILL_SOLVER_SETTLE: return RILL_SETTLE;
    case RILL_SOLVER_MSHAKE: return RILL_MSHAKE;
    case RILL_SOLVER_SHAKE: return RILL_RATTLE_SHAKE;
    case RILL_SOLVER_LGVI: return RILL_BODIES_LGVI;
    case RILL_SOLVER_ROTOR: return RILL_BODIES_ROTOR;
  }
  return RILL_SETTLE;
}

static enum rill_isa isa_of(enum rill_kernel_choice kernel) {
  switch (kernel) {
    case RILL_KERNEL_PORTABLE: return RILL_ISA_PORTABLE;
    case RILL_KERNEL_AVX2: return RILL_ISA_AVX2;
    case RILL_KERNEL_AVX512: return RILL_ISA_AVX512;
    case RILL_KERNEL_AUTO:
    case RILL_KERNEL_REFERENCE: break;
  }
  return rill_isa_best();
}

/* The scale that velocity deviations are measured by: sqrt(k T / M) of a molecule; 300 K where there is no T. */
static double thermal_velocity(const struct rill_deck *deck, const struct rill_water_model *model) {
  double temperature = deck->thermostat.method != RILL_THERMOSTAT_NONE
                           ? fmax(deck->thermostat.temperature[0], deck->thermostat.temperature[1])
                           : deck->start.temperature;
  if (!(temperature > 0)) temperature = 300;
  return sqrt(RILL_GAS_CONSTANT * temperature / (model->mass[0] + model->mass[1] + model->mass[2]));
}

static enum rill_status create_system(struct rill_setup *setup, struct rill_error *error) {
  const struct rill_deck *deck = &setup->deck;
  bool thermostat = deck->thermostat.method != RILL_THERMOSTAT_NONE;
  struct rill_field_options field;
  struct rill_water_options options = {
      .model = setup->model,
      .molecules = setup->structure.molecules,
      .positions = setup->structure.positions,
      .velocities = deck->start.velocities == RILL_VELOCITIES_FILE ? setup->structure.velocities : NULL,
      .constraints = {.solver = solver_of(deck->constraints.solver),
                      .tolerance = deck->constraints.tolerance,
                      .velocity_tolerance = deck->constraints.velocity_tolerance,
                      .thermal_velocity = thermal_velocity(deck, &setup->model),
                      .max_iterations = (unsigned)deck->constraints.max_iterations},
      .stiffness = deck->penalty.stiffness,
      .thermostat = thermostat,
      .temperature = {deck->thermostat.temperature[0], deck->thermostat.temperature[1]},
      .steps = deck->integrator.steps,
      .friction_law =
          deck->thermostat.friction_kind == RILL_FRICTION_RATE ? RILL_FRICTION_UNIFORM : RILL_FRICTION_PER_MASS,
      .friction = deck->thermostat.friction,
      .seed = deck->thermostat.seed,
      .confined = deck->confine.on,
      .confine_radius = deck->confine.radius,
      .confine_stiffness = deck->confine.stiffness,
      .reference_kernel = deck->forces.kernel == RILL_KERNEL_REFERENCE,
      .isa = setup->isa,
      .threads = setup->threads,
      .timers = &setup->timers,
  };
  options.periodic = is_periodic(deck);
  RILL_TRY(choose_field(setup, &field, error));
  options.box = field.box;
  options.mesh = field.mesh;
  if (rill_water_create(&options, &setup->system, error) != RILL_OK)
    return rill_error_prefix(error, "%s", deck->system.structure[0] != '\0' ? deck->system.structure : deck->path);
  return RILL_OK;
}

static enum rill_status draw_and_remove(struct rill_setup *setup, struct rill_error *error) {
  const struct rill_deck *deck = &setup->deck;
  enum rill_momentum_removal removal = RILL_KEEP_MOMENTUM;
  char place[RILL_DECK_PLACE];
  if (deck->start.velocities == RILL_VELOCITIES_MAXWELL)
    RILL_TRY(rill_water_draw_velocities(&setup->system, deck->start.temperature, deck->start.seed, error));
  switch (deck->start.remove) {
  case RILL_REMOVE_AUTO:
    removal = setup->structure.molecules < 2 ? RILL_KEEP_MOMENTUM
              : is_periodic(deck)            ? RILL_REMOVE_LINEAR_MOMENTUM
                                             : RILL_REMOVE_ALL_MOMENTA;
    break;
  case RILL_REMOVE_NONE:
    break;
  case RILL_REMOVE_LINEAR:
    removal = RILL_REMOVE_LINEAR_MOMENTUM;
    break;
  case RILL_REMOVE_LINEAR_ANGULAR:
    removal = RILL_REMOVE_ALL_MOMENTA;
    break;
  }
  if (rill_water_remove_momentum(&setup->system, removal, error) != RILL_OK)
    return rill_error_prefix(error, "%s", rill_deck_place(deck, "start", "remove", place));
  return RILL_OK;
}

static double kinetic_energy(const struct rill_setup *setup, const double *velocities) {
  double sum = 0;
  for (size_t i = 0; i < 9 * setup->structure.molecules; i++)
    sum += 0.5 * setup->model.mass[i / 3 % 3] * velocities[i] * velocities[i];
  return sum;
}

/* What a file's velocities lose on their way into the run, where that is more than the file's rounding.  *energy: before;
 * replaced by what is left. */
static void note_loss(const struct rill_setup *setup, double *velocities, double *energy, const char *what, FILE *notes) {
  const double freedom = setup->system.ops->degrees_of_freedom(setup->system.self);
  double left, lost;
  rill_water_copy_state(&setup->system, NULL, velocities);
  left = kinetic_energy(setup, velocities);
  lost = *energy - left;
  if (lost > kinetic_notice * *energy)
    fprintf(notes,
            "note: %s: %.3g %% of the kinetic energy of its velocities (%.4g of %.4g kJ/mol) is %s; %.4g kJ/mol is left, "
            "%.4g K\n",
            setup->deck.system.structure, 100 * lost / *energy, lost, *energy, what, left,
            2 * left / (freedom * RILL_GAS_CONSTANT));
  *energy = left;
}

static enum rill_status start_velocities(struct rill_setup *setup, FILE *notes, struct rill_error *error) {
  static const char along_bonds[] =
      "motion along bonds, which rigid molecules do not have, and is taken out (velocities of a flexible model, or in "
      "another unit? start.velocities = maxwell draws new ones)";
  const struct rill_deck *deck = &setup->deck;
  double *velocities, energy;
  enum rill_status status;
  if (notes == NULL || setup->continued != NULL || deck->start.velocities != RILL_VELOCITIES_FILE)
    return draw_and_remove(setup, error);
  velocities = rill_allocate(9 * setup->structure.molecules, sizeof *velocities);
  if (velocities == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the velocities");
  energy = kinetic_energy(setup, setup->structure.velocities);
  if (!(deck->penalty.stiffness > 0)) note_loss(setup, velocities, &energy, along_bonds, notes);
  status = draw_and_remove(setup, error);
  if (status == RILL_OK)
    note_loss(setup, velocities, &energy, "motion of the whole, which start.remove takes out", notes);
  rill_release(velocities);
  return status;
}

/* Noise is a function of seed, step and molecule: a run from the last frame of one with the same seed draws the same. */
static void note_same_noise(const struct rill_setup *setup, FILE *notes) {
  const struct rill_deck *deck = &setup->deck;
  const char *mark = strstr(setup->structure.title, RILL_TITLE_SEED);
  uint64_t seed, steps;
  double time;
  if (deck->thermostat.method == RILL_THERMOSTAT_NONE || deck->system.structure[0] == '\0' || mark == NULL ||
      sscanf(mark, RILL_TITLE_SEED "%" SCNu64 ", t= %lf step= %" SCNu64, &seed, &time, &steps) != 3 ||
      seed != deck->thermostat.seed || steps == 0)
    return;
  fprintf(notes,
          "note: %s is the last frame, step %" PRIu64 ", of a run with thermostat.seed = %" PRIu64
          ", and this run has the same seed: it draws the same noise again, number by number; give it another "
          "thermostat.seed\n",
          deck->system.structure, steps, seed);
}

struct boundary_fault {
  bool wanted;
  const char *section, *key, *what;
};

static enum rill_status refuse(const struct rill_deck *deck, const struct boundary_fault *faults, size_t count,
                               const char *boundary, struct rill_error *error) {
  char place[RILL_DECK_PLACE];
  for (size_t i = 0; i < count; i++)
    if (faults[i].wanted)
      return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "%s: [%s] %s does not go with %s: %s",
                            rill_deck_place(deck, faults[i].section, faults[i].key, place), faults[i].section,
                            faults[i].key, boundary, faults[i].what);
  return RILL_OK;
}

/* Single precision is not enough for what a method solves. */
static bool solves_too_tightly(const struct rill_deck *deck) {
  return (deck->integrator.reads & RILL_OPTION_SOLVER) && deck->forces.precision == RILL_CHOICE_MIXED &&
         deck->integrator.tolerance < mixed_tolerance;
}
static const char mixed_solves[] =
    "forces in single precision leave its nonlinear solves 1e-11 nm apart; take forces.precision = double, or an "
    "integrator.tolerance of at least 1e-11";

/* What boxes do not have, or not yet. */
static enum rill_status check_periodic(const struct rill_deck *deck, struct rill_error *error) {
  const struct boundary_fault faults[] = {
      {deck->forces.coulomb == RILL_CHOICE_ALL, "forces", "coulomb",
       "a box has no end of pairs; take pme, reaction-field or cut"},
      {deck->start.remove == RILL_REMOVE_LINEAR_ANGULAR, "start", "remove",
       "a box does not keep angular momentum; take linear"},
      {deck->penalty.stiffness > 0 && deck->start.minimize, "start", "minimize",
       "stiff bonds are relaxed in vacuum only; relax rigid molecules first, with rill minimize"},
      {deck->confine.on, "confine", "radius", "molecules cannot leave a box"},
      {solves_too_tightly(deck), "integrator", "method", mixed_solves},
  };
  return refuse(deck, faults, sizeof faults / sizeof faults[0], "boundary = periodic", error);
}

static enum rill_status check_vacuum(const struct rill_deck *deck, struct rill_error *error) {
  const struct boundary_fault of_vacuum[] = {
      {deck->forces.coulomb == RILL_CHOICE_PME, "forces", "coulomb",
       "a mesh needs a box; take all, reaction-field or cut"},
  };
  const struct boundary_fault of_mixed[] = {
      {deck->forces.precision == RILL_CHOICE_MIXED && deck->forces.kernel == RILL_KERNEL_REFERENCE, "forces", "kernel",
       "the reference is in double precision"},
      {solves_too_tightly(deck), "integrator", "method", mixed_solves},
  };
  RILL_TRY(refuse(deck, of_vacuum, sizeof of_vacuum / sizeof of_vacuum[0], "boundary = vacuum", error));
  return refuse(deck, of_mixed, sizeof of_mixed / sizeof of_mixed[0], "forces.precision = mixed", error);
}

/* Below 1e-6 fs positions do not move in their last digits; in 1 ps a hydrogen turns around several times. */
static enum rill_status check_step(const struct rill_deck *deck, struct rill_error *error) {
  const double step = deck->integrator.step, rounding = 1e-12; /* ps */
  const double shortest = 1e-9 * (1 - rounding), longest = 1 + rounding;
  char place[RILL_DECK_PLACE];
  if (step >= shortest && step <= longest) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [integrator] step = %.6g fs: a step of water is expected to be 1e-6 to 1000 fs long, "
                        "and usually 1 to 4 fs; is the unit right?",
                        rill_deck_place(deck, "integrator", "step", place), step * 1e3);
}

/* What only another room than the deck's can judge. */
static enum rill_status find_names(struct rill_setup *setup, struct rill_error *error) {
  const struct rill_deck *deck = &setup->deck;
  char place[RILL_DECK_PLACE];
  RILL_TRY(check_step(deck, error));
  RILL_TRY(is_periodic(deck) ? check_periodic(deck, error) : check_vacuum(deck, error));
  if (rill_water_model_find(deck->system.model, deck->system.coulomb_constant, &setup->model, error) != RILL_OK)
    return rill_error_prefix(error, "%s: [system] model", rill_deck_place(deck, "system", "model", place));
  setup->isa = isa_of(deck->forces.kernel);
  if (!rill_isa_available(setup->isa))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: [forces] kernel = %s: this processor does not offer it; take auto",
                          rill_deck_place(deck, "forces", "kernel", place), rill_isa_name(setup->isa));
  return rill_setup_find_method(deck, &setup->method, error);
}

enum rill_status rill_setup_read(const char *deck_path, const char *const *overrides, size_t override_count,
                                 struct rill_setup *setup, struct rill_error *error) {
  memset(setup, 0, sizeof *setup);
  RILL_TRY(rill_deck_read_with(&rill_deck_lore, deck_path, overrides, override_count, &setup->deck, error));
  if (setup->deck.units != RILL_UNITS_MOLECULAR) return RILL_OK; /* a small system: cli/small.h goes on */
  return find_names(setup, error);
}

static void warn_of_friction(const struct rill_setup *setup, FILE *notes) {
  const struct rill_deck *deck = &setup->deck;
  double product = deck->thermostat.friction * deck->integrator.step / setup->model.mass[1];
  if (deck->thermostat.method == RILL_THERMOSTAT_NONE || deck->thermostat.friction_kind != RILL_FRICTION_GAMMA)
    return;
  if (product > 0.01 && !rill_constraint_solver_is_of_bodies(solver_of(deck->constraints.solver)))
    fprintf(notes,
            "note: friction gamma h / m_H = %.2g: mass-dependent friction with constraints shifts the kinetic "
            "temperature "
            "by about this fraction; a rate (/ps) does not\n",
            product);
}

/* Statistics that begin after the end of the run. */
static void warn_of_late_statistics(const struct rill_setup *setup, FILE *notes) {
  const struct rill_deck *deck = &setup->deck;
  const double end = (double)deck->integrator.steps * deck->integrator.step, allowed = end * (1 + 1e-12);
  if (deck->output.means_from > allowed)
    fprintf(notes,
            "warning: [output] means_from = %g ps is beyond the end of the run, %g ps: the summary will have no means\n",
            deck->output.means_from, end);
  if (deck->rdf.on && deck->rdf.from > allowed)
    fprintf(notes, "warning: [rdf] from = %g ps is beyond the end of the run, %g ps: there will be no distribution\n",
            deck->rdf.from, end);
}

/* What is known to end badly, or to mislead, on penalised water.  The numbers of the third-derivative form are those
 * of seven waters in akma units. */
static void warn_of_penalty(const struct rill_setup *setup, FILE *notes) {
  const struct rill_deck *deck = &setup->deck;
  const struct rill_filter *filter = setup->method->filter;
  const double h = deck->integrator.step, beta = deck->integrator.beta;
  struct rill_penalty penalty;
  struct rill_error unused;
  double turn, third;
  if (!(deck->penalty.stiffness > 0) ||
      rill_penalty_create(&setup->model, deck->penalty.stiffness, &penalty, &unused) != RILL_OK)
    return;
  turn = rill_penalty_frequency(&penalty) * h;
  third = deck->penalty.stiffness * beta * h * h * RILL_ANGSTROM * RILL_ANGSTROM / sqrt(RILL_KCAL) /
          (RILL_AKMA_TIME * RILL_AKMA_TIME);
  if (filter != NULL && filter->kind == RILL_FILTER_IDENTITY && turn > 2)
    fprintf(notes,
            "note: the bonds' fastest vibration turns by %.3g in a step; an explicit method is unstable above 2: "
            "shorten the "
            "step to %.3g fs, or take zss-simplified\n",
            turn, 2 / turn * h * 1e3);
  if ((deck->integrator.reads & RILL_OPTION_BETA) && beta < 0.25 && turn * turn * (0.25 - beta) > 1)
    fprintf(notes, "note: beta = %g is below 1/4: with this stiffness and step the method is unstable; take 0.4\n",
            beta);
  else if ((deck->integrator.reads & RILL_OPTION_BETA) && beta < 0.25)
    fprintf(notes, "note: beta = %g is below 1/4: the method is stable for short steps only; usual is 0.4\n", beta);
  /* Seven waters, runs of 50 ps: stable to 0.007 (w = 80) and 0.013 (w = 20) at 10 K, to 0.002 and 0.007 at 300 K. */
  if (filter != NULL && filter->kind == RILL_FILTER_THIRD && third > 0.005)
    fprintf(notes,
            "note: w beta h^2 = %.2g in akma: the third-derivative term makes the method unstable above about 0.01 at 10 K "
            "and 0.003 at 300 K, the sooner the stiffer the bonds%s\n",
            third, third > 0.015 ? "; take zss-simplified" : "");
}

/* The length of a bond, of its ends or of what single precision makes of them. */
static double bond_length(const double *oxygen, const double *hydrogen, bool single) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    const double x = single ? (double)(float)hydrogen[k] - (double)(float)oxygen[k] : hydrogen[k] - oxygen[k];
    square += x * x;
  }
  return sqrt(square);
}

/* Far from the origin a trajectory in single precision rounds bonds off visibly. */
static void warn_of_single_precision(const struct rill_setup *setup, FILE *notes) {
  static const double notice = 3e-5; /* of a bond: some 50 nm from the origin */
  const struct rill_deck *deck = &setup->deck;
  double worst = 0, farthest = 0;
  if (deck->output.trajectory[0] == '\0' || deck->output.double_precision) return;
  for (size_t i = 0; i < 3 * setup->structure.molecules; i++) {
    const double *atom = setup->structure.positions + 3 * i, *oxygen = atom - 3 * (i % 3);
    for (int k = 0; k < 3; k++) farthest = fmax(farthest, fabs(atom[k]));
    if (i % 3 > 0)
      worst = fmax(worst, fabs(bond_length(oxygen, atom, true) / bond_length(oxygen, atom, false) - 1));
  }
  if (worst > notice)
    fprintf(notes,
            "note: coordinates up to %.4g nm from the origin: the trajectory, in single precision, has bonds off by up to "
            "%.2g of their length; take output.precision = double, or move the molecules to the origin\n",
            farthest, worst);
}

/* A range of [rdf] that the box does not hold is refused now, not at the first sample. */
static enum rill_status check_distances(const struct rill_setup *setup, FILE *notes, struct rill_error *error) {
  const struct rill_deck *deck = &setup->deck;
  const double max = deck->rdf.max;
  char place[RILL_DECK_PLACE];
  struct rill_box box;
  if (!is_periodic(deck) || !deck->rdf.on) return RILL_OK;
  RILL_TRY(rill_box_create((const double(*)[3])setup->structure.box, &box, error));
  if (max > box.shortest)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: [rdf] max = %g nm is more than the box's shortest lattice vector, %g nm, beyond which "
                          "every molecule meets itself",
                          rill_deck_place(deck, "rdf", "max", place), max, box.shortest);
  if (notes != NULL && max > 0.5 * box.shortest * (1 + 1e-6))
    fprintf(notes,
            "note: [rdf] max = %g nm is beyond half of the box's shortest lattice vector, %.4g nm: from there on "
            "molecules are met in more than one image\n",
            max, 0.5 * box.shortest);
  return RILL_OK;
}

static enum rill_status check_cutoff(const struct rill_setup *setup, struct rill_error *error) {
  const struct rill_deck *deck = &setup->deck;
  char place[RILL_DECK_PLACE];
  if (deck->forces.coulomb == RILL_CHOICE_ALL ||
      rill_cutoff_check(&setup->model, deck->forces.cutoff, box_of(setup), error) == RILL_OK)
    return RILL_OK;
  return rill_error_prefix(error, "%s: [forces] cutoff = %g nm", rill_deck_place(deck, "forces", "cutoff", place),
                           deck->forces.cutoff);
}

enum rill_status rill_setup_create(struct rill_setup *setup, int threads, FILE *notes, struct rill_error *error) {
  const struct rill_deck *deck = &setup->deck;
  struct rill_binding_options binding = {
      .step = deck->integrator.step,
      .insertion = deck->thermostat.method == RILL_THERMOSTAT_GLA     ? RILL_OU_AFTER
                   : deck->thermostat.method == RILL_THERMOSTAT_BAOAB ? RILL_OU_INSIDE
                                                                      : RILL_OU_NONE,
      .geodesic_steps = (unsigned)deck->thermostat.geodesic_steps,
      .method = rill_method_options_of(deck),
  };
  char place[RILL_DECK_PLACE];
  setup->threads = threads > 0 ? threads : omp_get_max_threads();
  RILL_TRY(read_structure(setup, notes, error));
  RILL_TRY(check_cutoff(setup, error));
  if (deck->penalty.record && deck->penalty.molecule > setup->structure.molecules)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: [penalty] molecule = %" PRIu64 ": there are %zu",
                          rill_deck_place(deck, "penalty", "molecule", place), deck->penalty.molecule,
                          setup->structure.molecules);
  if (setup->continued != NULL) {
    archive_start(setup, setup->continued);
    RILL_TRY(rill_archive_status(setup->continued, error));
  } else if (deck->start.minimize) {
    RILL_TRY(minimize(setup, notes, error));
  }
  RILL_TRY(check_distances(setup, notes, error));
  RILL_TRY(create_system(setup, error));
  RILL_TRY(start_velocities(setup, notes, error));
  if (setup->continued != NULL) {
    archive_system(setup, setup->continued);
    RILL_TRY(rill_archive_status(setup->continued, error));
  }
  if (notes != NULL && setup->continued == NULL) note_same_noise(setup, notes);
  if (notes != NULL) warn_of_late_statistics(setup, notes);
  if (notes != NULL) warn_of_friction(setup, notes);
  if (notes != NULL) rill_stable_step_warn(setup, notes);
  if (notes != NULL) warn_of_penalty(setup, notes);
  if (notes != NULL) warn_of_single_precision(setup, notes);
  if (rill_integrator_create(setup->method, &setup->system, &binding, &setup->integrator, error) != RILL_OK)
    return rill_error_prefix(error, "%s", rill_deck_place(deck, "integrator", "method", place));
  return RILL_OK;
}

void rill_setup_release(struct rill_setup *setup) {
  rill_integrator_destroy(setup->integrator);
  if (setup->system.ops != NULL) setup->system.ops->destroy(setup->system.self);
  rill_structure_release(&setup->structure);
  memset(setup, 0, sizeof *setup);
}

static void describe_thermostat(const struct rill_deck *deck, FILE *stream) {
  if (deck->thermostat.method == RILL_THERMOSTAT_NONE) {
    fputs("none (constant energy)\n", stream);
    return;
  }
  fprintf(stream, "%s, %g K", rill_thermostat_name(deck->thermostat.method), deck->thermostat.temperature[0]);
  if (deck->thermostat.temperature[1] != deck->thermostat.temperature[0])
    fprintf(stream, " -> %g K", deck->thermostat.temperature[1]);
  fprintf(stream, ", friction %g %s, seed %" PRIu64 "\n", deck->thermostat.friction,
          deck->thermostat.friction_kind == RILL_FRICTION_RATE ? "/ps" : "u/ps", deck->thermostat.seed);
}

static void describe_penalty(const struct rill_setup *setup, FILE *stream) {
  double w = setup->deck.penalty.stiffness, d2 = setup->model.bond[0] * setup->model.bond[0], k = 4 * d2 * w * w;
  fprintf(
      stream,
      "  bonds        stiff springs, w = %g sqrt(kJ/mol)/nm2 = %g akma: O-H like %.6g kJ/mol/nm2 = %.4g kcal/mol/A2",
      w, w * RILL_ANGSTROM * RILL_ANGSTROM / sqrt(RILL_KCAL), k, k * RILL_ANGSTROM * RILL_ANGSTROM / RILL_KCAL);
}

static void describe_box(const struct rill_setup *setup, FILE *stream) {
  const double(*box)[3] = (const double(*)[3])setup->structure.box, *mass = setup->model.mass;
  fprintf(stream, "  box          (%g, %g, %g), (%g, %g, %g), (%g, %g, %g) nm: %.4g nm3, %.4g g/cm3\n",
          box[0][0], box[0][1], box[0][2], box[1][0], box[1][1], box[1][2], box[2][0], box[2][1], box[2][2],
          box[0][0] * box[1][1] * box[2][2],
          (double)setup->structure.molecules * (mass[0] + mass[1] + mass[2]) /
              (box[0][0] * box[1][1] * box[2][2] * RILL_GRAM_PER_CM3));
}

/* Forces within a cutoff. */
static void describe_cutoff(const struct rill_setup *setup, FILE *stream) {
  static const char *const lj[] = {"cut", "shifted", "switched"}, *const coulomb[] = {"pme", "reaction field", "cut"};
  const struct rill_deck *deck = &setup->deck;
  struct rill_periodic_counts counts;
  fprintf(stream, "  forces       within %g nm by %s, Lennard-Jones %s%s, Coulomb %s, %s precision, %s kernel, %d thread%s\n",
          deck->forces.cutoff, deck->forces.cutoff_by == RILL_CHOICE_ATOM ? "atoms" : "molecules", lj[deck->forces.lj], deck->forces.tail ? " with its tail" : "",
          coulomb[deck->forces.coulomb], deck->forces.precision == RILL_CHOICE_MIXED ? "mixed" : "double",
          deck->forces.kernel == RILL_KERNEL_REFERENCE ? "reference" : rill_isa_name(setup->isa), setup->threads,
          setup->threads == 1 ? "" : "s");
  if (deck->forces.coulomb == RILL_CHOICE_PME)
    fprintf(stream, "  mesh         beta %.4g /nm, splines of order %d, grid %zu x %zu x %zu%s\n", setup->mesh.beta,
            setup->mesh.order, setup->mesh.grid[0], setup->mesh.grid[1], setup->mesh.grid[2],
            is_mixed(deck) && setup->mesh.precision == RILL_MESH_DOUBLE
                ? ", in double precision, as single does not reach the accuracy" : "");
  if (setup->accuracy.molecules > 0) {
    fputs("  accuracy     ", stream);
    rill_force_accuracy_describe(&setup->accuracy, stream);
    fputs(", at the start\n", stream);
  }
  if (deck->forces.kernel == RILL_KERNEL_REFERENCE) return;
  rill_water_list_counts(&setup->system, &counts);
  fprintf(stream,
          "  lists        buffer %.3g nm, pruned to %.3g nm; remade before two molecules together have moved by "
          "more: no pair is missed\n",
          counts.buffer, counts.inner_buffer);
}

void rill_setup_describe(const struct rill_setup *setup, FILE *stream) {
  const struct rill_deck *deck = &setup->deck;
  fprintf(stream, "  system       %zu water molecule%s (%s) in %s, %g degrees of freedom\n",
          setup->structure.molecules, setup->structure.molecules == 1 ? "" : "s", setup->model.name,
          is_periodic(deck) ? "a periodic box" : "vacuum",
          setup->system.ops->degrees_of_freedom(setup->system.self));
  if (deck->confine.on)
    fprintf(stream, "  confined     within %g nm of the centre, %g kJ/mol/nm2\n", deck->confine.radius,
            deck->confine.stiffness);
  fprintf(stream, "  integrator   %s", deck->integrator.method);
  rill_method_options_describe(deck, stream);
  fprintf(stream, ", step %g fs, %" PRIu64 " steps = %g ps\n",
          deck->integrator.step * 1e3, deck->integrator.steps,
          (double)deck->integrator.steps * deck->integrator.step);
  if (deck->penalty.stiffness > 0) {
    describe_penalty(setup, stream);
  } else {
    fprintf(stream, "  constraints  %s", rill_constraint_solver_name(solver_of(deck->constraints.solver)));
    if (rill_constraint_solver_is_of_bodies(solver_of(deck->constraints.solver)))
      fputs(": none, molecules are rigid bodies", stream);
    else if (deck->constraints.solver != RILL_SOLVER_SETTLE)
      fprintf(stream, ", tolerance %g", deck->constraints.tolerance);
  }
  fputs("\n  thermostat   ", stream);
  describe_thermostat(deck, stream);
  if (is_periodic(deck)) describe_box(setup, stream);
  if (deck->forces.coulomb != RILL_CHOICE_ALL) {
    describe_cutoff(setup, stream);
    return;
  }
  fprintf(stream, "  forces       all pairs, exact Coulomb, %s precision, %s kernel, %d thread%s\n",
          deck->forces.precision == RILL_CHOICE_MIXED ? "mixed" : "double",
          deck->forces.kernel == RILL_KERNEL_REFERENCE ? "reference" : rill_isa_name(setup->isa), setup->threads,
          setup->threads == 1 ? "" : "s");
}

#include "simulation/energy.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/units.h"
#include "simulation/field.h"
#include "simulation/water_start.h"
#include "structure/frames.h"
#include "water/flows/flows.h"
#include "water/forces/forces.h"
#include "water/neighbours/contact.h"
#include "water/pme/ewald.h"

static const double default_cutoff = 0.9; /* nm */
static const double default_accuracy = 1e-6;
/* Accuracy of the direct sum, relative to its first terms: rounding over its many terms loses the last
 * digits anyway. */
static const double direct_tolerance = 1e-15;
static const double contact = 0.05; /* nm: between atoms of different molecules; energies are not meaningful below */

static const char direct_word[] = "ewald";

const char *rill_energy_coulomb_name(const struct rill_energy_options *options) {
  return options->direct ? direct_word : rill_choice_word(rill_coulomb_choices, options->coulomb);
}

bool rill_energy_coulomb_read(const char *word, struct rill_energy_options *options) {
  const struct rill_choice *choice = rill_choice_find(rill_coulomb_choices, word);
  options->direct = strcmp(word, direct_word) == 0;
  if (options->direct) return true;
  if (choice == NULL || choice->value == RILL_COULOMB_ALL) return false;
  options->coulomb = (enum rill_coulomb_kind)choice->value;
  return true;
}

bool rill_energy_has_mesh(const struct rill_energy_options *options) {
  return !options->direct && options->coulomb == RILL_COULOMB_EWALD;
}

enum rill_status rill_energy_defaults(struct rill_energy_options *options, struct rill_error *error) {
  *options = (struct rill_energy_options){
      .cutoff = default_cutoff, .switch_from = 0.9 * default_cutoff, .accuracy = default_accuracy};
  return rill_water_model_find(NULL, 0, &options->model, error);
}

/* The data of one evaluation. */
struct job {
  const struct rill_structure *structure;
  const struct rill_energy_options *options;
  struct rill_energy *energy;
  size_t stride;
  double *q, *f, *work; /* [9][stride] */
};

/* ---- vacuum ---- */

/* Returns the bonds' energy, and adds their forces to f. */
static enum rill_status add_penalty(const struct job *job, struct rill_error *error) {
  struct rill_penalty penalty;
  const size_t stride = job->stride;
  RILL_TRY(rill_penalty_create(&job->options->model, job->options->stiffness, &penalty, error));
  job->energy->penalty = rill_penalty_energy(&penalty, job->structure->molecules, stride, job->q);
  rill_water_flow_table(rill_isa_best())
      ->stiff_product(&penalty, (struct rill_range){0, stride}, stride, true, job->q, NULL, job->work,
                      job->structure->molecules);
  for (size_t k = 0; k < 9 * stride; k++) job->f[k] += job->work[k];
  return RILL_OK;
}

static void find_molecular_virial(const struct job *job) {
  const double *mass = job->options->model.mass, total = mass[0] + mass[1] + mass[2];
  for (size_t m = 0; m < job->structure->molecules; m++)
    for (size_t c = 0; c < 3; c++) {
      double centre = 0, force = 0;
      for (size_t a = 0; a < 3; a++) {
        centre += mass[a] / total * job->structure->positions[9 * m + 3 * a + c];
        force += job->f[(3 * a + c) * job->stride + m];
      }
      job->energy->virial_molecular += centre * force;
    }
}

static enum rill_status evaluate_vacuum(const struct job *job, struct rill_error *error) {
  struct rill_energy *energy = job->energy;
  struct rill_water_energies energies;
  struct rill_water_forces *forces;
  RILL_TRY(rill_water_forces_create(&job->options->model, job->structure->molecules, job->stride, 0, rill_isa_best(),
                                    1, &forces, error));
  rill_water_forces_evaluate(forces, job->q, job->f, &energies);
  rill_water_forces_destroy(forces);
  energy->lj = energies.lj;
  energy->coulomb = energies.coulomb;
  energy->virial = energies.virial;
  if (job->options->stiffness > 0) RILL_TRY(add_penalty(job, error));
  find_molecular_virial(job);
  return RILL_OK;
}

/* ---- a box ---- */

static enum rill_status choose_field(const struct job *job, struct rill_field_options *field,
                                     struct rill_error *error) {
  const struct rill_energy_options *options = job->options;
  *field = (struct rill_field_options){.periodic = true,
                                       .isa = rill_isa_best(),
                                       .threads = 1,
                                       .box = {.cutoff = options->cutoff,
                                               .coulomb = options->direct ? RILL_COULOMB_CUT : options->coulomb,
                                               .lj = options->lj,
                                               .switch_from = options->switch_from,
                                               .by_atom = true,
                                               .precision = RILL_PRECISION_DOUBLE}};
  memcpy(field->box.box, job->structure->box, sizeof field->box.box);
  if (!rill_energy_has_mesh(options)) return RILL_OK;
  if (rill_field_choose_mesh(&options->model, job->structure->molecules, job->structure->positions, options->accuracy,
                             field, &job->energy->measured, error) != RILL_OK)
    return rill_error_prefix(error, "accuracy %g", options->accuracy);
  job->energy->mesh = field->mesh;
  field->box.beta = field->mesh.beta;
  return RILL_OK;
}

static void add_virial(double sum[3][3], const double part[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum[i][j] += part[i][j];
}

/* Lennard-Jones without its tail; Coulomb too, unless it is summed directly. */
static enum rill_status evaluate_field(const struct job *job, const struct rill_field_options *options,
                                       struct rill_error *error) {
  struct rill_energy *energy = job->energy;
  struct rill_water_model model = job->options->model;
  struct rill_water_field *field;
  struct rill_field_energies energies;
  enum rill_status status;
  if (job->options->direct) memset(model.charge, 0, sizeof model.charge);
  RILL_TRY(rill_water_field_create(&model, job->structure->molecules, job->stride, options, &field, error));
  status = rill_water_field_evaluate(field, job->q, job->f, &energies, error);
  if (status == RILL_OK) {
    energy->lj = energies.lj;
    energy->real = energies.real;
    energy->excluded = energies.excluded;
    energy->reciprocal = energies.reciprocal;
    energy->self = energies.self;
    memcpy(energy->virial_tensor, energies.virial, sizeof energy->virial_tensor);
    energy->volume = rill_water_field_cell(field) != NULL ? rill_water_field_cell(field)->volume : INFINITY;
  }
  rill_water_field_destroy(field);
  return status;
}

static enum rill_status add_direct_sum(const struct job *job, struct rill_error *error) {
  const double(*cell)[3] = (const double(*)[3])job->structure->box;
  const size_t molecules = job->structure->molecules;
  const struct rill_ewald_parameters parameters = rill_ewald_choose(cell, molecules, direct_tolerance);
  struct rill_energy *energy = job->energy;
  struct rill_ewald_energies energies;
  RILL_TRY(rill_ewald_evaluate(&job->options->model, molecules, job->stride, cell, &parameters, job->q, job->work,
                               &energies, error));
  for (size_t i = 0; i < 9 * job->stride; i++) job->f[i] += job->work[i];
  energy->real = energies.real;
  energy->excluded = energies.excluded;
  energy->reciprocal = energies.reciprocal;
  energy->self = energies.self;
  add_virial(energy->virial_tensor, (const double(*)[3])energies.virial_molecular);
  return RILL_OK;
}

static void find_tail(const struct job *job) {
  const struct rill_energy_options *options = job->options;
  const struct rill_lennard_jones lj =
      rill_lennard_jones_create(&options->model, options->lj, options->cutoff, options->switch_from);
  rill_lennard_jones_tail(&lj, (double)job->structure->molecules, job->energy->volume, &job->energy->lj_tail,
                          &job->energy->tail_virial);
}

static enum rill_status evaluate_box(const struct job *job, struct rill_error *error) {
  struct rill_energy *energy = job->energy;
  struct rill_field_options field;
  if (!job->structure->has_box)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the file has no box; a periodic one needs it (XYZ: Lattice=\"...\" in the second line)");
  if (job->options->stiffness > 0)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "stiff bonds in a periodic box are not supported");
  RILL_TRY(
      rill_cutoff_check(&job->options->model, job->options->cutoff, (const double(*)[3])job->structure->box, error));
  RILL_TRY(choose_field(job, &field, error));
  RILL_TRY(evaluate_field(job, &field, error));
  if (job->options->direct) RILL_TRY(add_direct_sum(job, error));
  find_tail(job);
  energy->coulomb = energy->real + energy->excluded + energy->reciprocal + energy->self;
  energy->virial = energy->virial_molecular =
      energy->virial_tensor[0][0] + energy->virial_tensor[1][1] + energy->virial_tensor[2][2];
  energy->pressure = energy->virial / (3 * energy->volume) / RILL_BAR;
  energy->pressure_tail = energy->tail_virial / (3 * energy->volume) / RILL_BAR;
  return RILL_OK;
}

/* ---- both ---- */

/* Names the overlapping molecules when the energy is not finite. */
static enum rill_status refuse_contact(const struct job *job, struct rill_error *error) {
  const struct rill_structure *structure = job->structure;
  const double(*box)[3] = job->options->periodic ? (const double(*)[3])structure->box : NULL;
  struct rill_contact nearest;
  rill_error_clear(error);
  RILL_TRY(
      rill_closest_contact(structure->positions, structure->molecules, box, RILL_CONTACT_ALL_SITES, &nearest, error));
  if (!(nearest.distance < contact))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the energy is not finite; are the coordinates in nm (XYZ, PDB: A)?");
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "the energy is not finite: molecules %zu and %zu overlap, with atoms %.3g nm apart; move one "
                        "of them away, or separate them with rill minimize",
                        nearest.first + 1, nearest.second + 1, nearest.distance);
}

static enum rill_status evaluate(const struct job *job, struct rill_error *error) {
  struct rill_energy *energy = job->energy;
  enum rill_status status;
  for (size_t m = 0; m < job->structure->molecules; m++)
    for (size_t k = 0; k < 9; k++) job->q[k * job->stride + m] = job->structure->positions[9 * m + k];
  status = (job->options->periodic ? evaluate_box : evaluate_vacuum)(job, error);
  if (status == RILL_ERROR_NOT_FINITE) return refuse_contact(job, error);
  if (status != RILL_OK) return status;
  energy->potential = energy->lj + energy->coulomb + energy->penalty;
  for (size_t m = 0; m < job->structure->molecules; m++)
    for (size_t k = 0; k < 9; k++) {
      const double component = job->f[k * job->stride + m];
      energy->forces[9 * m + k] = component;
      if (!(fabs(component) <= energy->largest_force)) energy->largest_force = fabs(component);
    }
  return isfinite(energy->lj + energy->coulomb + energy->largest_force) ? RILL_OK : refuse_contact(job, error);
}

enum rill_status rill_energy_of_structure(struct rill_structure *structure, const char *path,
                                          const struct rill_energy_options *options, const struct rill_notes *notes,
                                          struct rill_energy *energy, struct rill_error *error) {
  const size_t stride = rill_padded(structure->molecules);
  struct job job = {.structure = structure, .options = options, .energy = energy, .stride = stride};
  enum rill_status status = RILL_OK;
  *energy = (struct rill_energy){.molecules = structure->molecules, .periodic = options->periodic};
  energy->deviation = rill_water_deviation(&options->model, structure->positions, structure->molecules, NULL);
  if (options->rigid) RILL_TRY(rill_start_rigidify(&options->model, structure, path, notes, error));
  energy->forces = rill_allocate(9 * structure->molecules, sizeof *energy->forces);
  job.q = rill_allocate(27 * stride, sizeof *job.q);
  if (job.q == NULL || energy->forces == NULL)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", structure->molecules);
  if (status == RILL_OK) {
    job.f = job.q + 9 * stride;
    job.work = job.f + 9 * stride;
    status = evaluate(&job, error);
  }
  rill_release(job.q);
  if (status == RILL_OK) return RILL_OK;
  rill_energy_release(energy);
  return rill_error_prefix(error, "%s", path);
}

enum rill_status rill_energy_of(const char *path, const struct rill_energy_options *options,
                                const struct rill_notes *notes, struct rill_energy *energy,
                                struct rill_error *error) {
  struct rill_structure structure = {0};
  enum rill_status status;
  *energy = (struct rill_energy){0};
  RILL_TRY(rill_frames_first(path, &structure, notes, error));
  status = rill_energy_of_structure(&structure, path, options, notes, energy, error);
  rill_structure_release(&structure);
  return status;
}

void rill_energy_release(struct rill_energy *energy) {
  rill_release(energy->forces);
  *energy = (struct rill_energy){0};
}

#include "cli/energy_periodic.h"

#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/units.h"
#include "simulation/field.h"
#include "deck/deck.h"
#include "deck/units.h"
#include "water/forces/periodic.h"
#include "water/pme/ewald.h"

static const double default_cutoff = 0.9; /* nm */
static const double default_accuracy = 1e-6;
/* Of the direct sum, to its first terms: the last digits of a double are lost to its many terms anyway. */
static const double direct_tolerance = 1e-15;

static const char *const coulomb_names[] = {"pme", "ewald", "reaction-field", "cut"};
static const char *const lj_names[] = {"cut", "shift", "switch"};

const char *rill_box_coulomb_name(enum rill_box_coulomb coulomb) { return coulomb_names[coulomb]; }
const char *rill_lj_kind_name(enum rill_lj_kind kind) { return lj_names[kind]; }

/* The place of an option's word among names. */
static enum rill_status word_of(const struct rill_arguments *arguments, const char *option, const char *const *names,
                                size_t count, const char *expected, unsigned *word, struct rill_error *error) {
  const char *text = rill_argument(arguments, option);
  *word = 0;
  if (text == NULL) return RILL_OK;
  for (unsigned i = 0; i < count; i++)
    if (strcmp(text, names[i]) == 0) {
      *word = i;
      return RILL_OK;
    }
  return rill_error_set(error, RILL_ERROR_USAGE, "--%s %s: expected %s", option, text, expected);
}

static enum rill_status length_of(const struct rill_arguments *arguments, const char *option, const char *dashed,
                                  double *length, struct rill_error *error) {
  const char *text = rill_argument(arguments, option);
  if (text == NULL) return RILL_OK;
  RILL_TRY(rill_quantity_parse(text, "length", dashed, length, error));
  if (*length > 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE, "%s %s: expected a length above 0", dashed, text);
}

enum rill_status rill_box_energies_choose(const struct rill_arguments *arguments, struct rill_box_energies *box,
                                          struct rill_error *error) {
  const char *accuracy = rill_argument(arguments, "accuracy");
  unsigned coulomb, lj;
  RILL_TRY(word_of(arguments, "coulomb", coulomb_names, 4, "pme, ewald, reaction-field or cut", &coulomb, error));
  RILL_TRY(word_of(arguments, "lj", lj_names, 3, "cut, shift or switch", &lj, error));
  box->coulomb = (enum rill_box_coulomb)coulomb;
  box->lj_kind = (enum rill_lj_kind)lj;
  box->cutoff = default_cutoff;
  box->accuracy = default_accuracy;
  RILL_TRY(length_of(arguments, "cutoff", "--cutoff", &box->cutoff, error));
  box->switch_from = 0.9 * box->cutoff;
  RILL_TRY(length_of(arguments, "switch-from", "--switch-from", &box->switch_from, error));
  if (rill_argument_given(arguments, "switch-from") && box->lj_kind != RILL_LJ_SWITCH)
    return rill_error_set(error, RILL_ERROR_USAGE, "--switch-from is of --lj switch; without it nothing is switched");
  if (accuracy == NULL) return RILL_OK;
  if (box->coulomb != RILL_BOX_PME)
    return rill_error_set(error, RILL_ERROR_USAGE, "--accuracy is of --coulomb pme; %s has none to choose",
                          coulomb_names[coulomb]);
  if (rill_number_read(accuracy, &box->accuracy, error) != RILL_OK)
    return rill_error_prefix(error, "--accuracy %s", accuracy);
  return RILL_OK;
}

static void add_virial(double sum[3][3], const double part[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum[i][j] += part[i][j];
}

static struct rill_field_options field_of(const struct rill_box_energies *box, const double cell[3][3]) {
  struct rill_field_options field = {.periodic = true,
                                     .isa = rill_isa_best(),
                                     .threads = 1,
                                     .box = {.cutoff = box->cutoff,
                                             .coulomb = box->coulomb == RILL_BOX_PME ? RILL_COULOMB_EWALD
                                                        : box->coulomb == RILL_BOX_REACTION_FIELD
                                                            ? RILL_COULOMB_REACTION_FIELD
                                                            : RILL_COULOMB_CUT,
                                             .lj = box->lj_kind,
                                             .switch_from = box->switch_from,
                                             .tail = 1,
                                             .strict = 1,
                                             .precision = RILL_PRECISION_DOUBLE,
                                             .isa = rill_isa_best(),
                                             .threads = 1}};
  memcpy(field.box.box, cell, sizeof field.box.box);
  return field;
}

/* Lennard-Jones, and what of Coulomb is within the cutoff. */
static enum rill_status add_pairs(const struct rill_water_model *model, size_t molecules, size_t stride,
                                  const double cell[3][3], struct rill_box_energies *box, const double *q, double *f,
                                  struct rill_error *error) {
  struct rill_water_model pairs = *model;
  struct rill_periodic_options options = field_of(box, cell).box;
  struct rill_periodic_energies energies;
  struct rill_periodic *periodic = NULL;
  enum rill_status status;
  options.beta = box->mesh.beta;
  options.excluded_elsewhere = box->coulomb == RILL_BOX_PME;
  if (box->coulomb == RILL_BOX_EWALD) memset(pairs.charge, 0, sizeof pairs.charge); /* the direct sum has its own */
  RILL_TRY(rill_periodic_create(&pairs, molecules, stride, &options, &periodic, error));
  status = rill_periodic_evaluate(periodic, q, f, &energies, error);
  if (status == RILL_OK) {
    box->lj = energies.lj;
    box->lj_tail = energies.lj_tail;
    box->tail_virial = energies.tail_virial;
    box->real = energies.coulomb;
    box->excluded = energies.excluded;
    add_virial(box->virial, (const double(*)[3])energies.virial);
    box->volume = rill_periodic_volume(periodic);
  }
  rill_periodic_destroy(periodic);
  return status;
}

static enum rill_status add_mesh(const struct rill_water_model *model, size_t molecules, size_t stride,
                                 const double cell[3][3], struct rill_box_energies *box, const double *q, double *f,
                                 struct rill_error *error) {
  struct rill_pme_energies energies;
  struct rill_pme *pme;
  RILL_TRY(rill_pme_create(model, molecules, stride, cell, &box->mesh, rill_isa_best(), NULL, &pme, error));
  rill_pme_evaluate(pme, q, NULL, f, &energies);
  rill_pme_destroy(pme);
  box->reciprocal = energies.reciprocal;
  box->self = energies.self;
  box->excluded += energies.excluded;
  add_virial(box->virial, (const double(*)[3])energies.virial_molecular);
  return RILL_OK;
}

/* work: [9][stride]. */
static enum rill_status add_direct_sum(const struct rill_water_model *model, size_t molecules, size_t stride,
                                       const double cell[3][3], struct rill_box_energies *box, const double *q,
                                       double *f, double *work, struct rill_error *error) {
  const struct rill_ewald_parameters parameters = rill_ewald_choose(cell, molecules, direct_tolerance);
  struct rill_ewald_energies energies;
  RILL_TRY(rill_ewald_evaluate(model, molecules, stride, cell, &parameters, q, work, &energies, error));
  for (size_t i = 0; i < 9 * stride; i++) f[i] += work[i];
  box->real = energies.real;
  box->excluded = energies.excluded;
  box->reciprocal = energies.reciprocal;
  box->self = energies.self;
  add_virial(box->virial, (const double(*)[3])energies.virial_molecular);
  return RILL_OK;
}

static enum rill_status choose_mesh(const struct rill_water_model *model, const struct rill_structure *structure,
                                    struct rill_box_energies *box, struct rill_error *error) {
  struct rill_field_options field = field_of(box, (const double(*)[3])structure->box);
  if (rill_field_choose_mesh(model, structure->molecules, structure->positions, box->accuracy, &field, &box->measured,
                             error) != RILL_OK)
    return rill_error_prefix(error, "accuracy %g", box->accuracy);
  box->mesh = field.mesh;
  return RILL_OK;
}

enum rill_status rill_box_energies_evaluate(const struct rill_water_model *model,
                                            const struct rill_structure *structure, struct rill_box_energies *box,
                                            double *forces, struct rill_error *error) {
  const size_t n = structure->molecules, stride = rill_padded(n);
  const double(*cell)[3] = (const double(*)[3])structure->box;
  double *q, *f, *work;
  enum rill_status status = RILL_OK;
  if (!structure->has_box)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the file has no box; a periodic one needs it (XYZ: Lattice=\"...\" in the second line)");
  RILL_TRY(rill_cutoff_check(model, box->cutoff, cell, error));
  q = rill_allocate(27 * stride, sizeof *q);
  if (q == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", n);
  f = q + 9 * stride;
  work = f + 9 * stride;
  for (size_t m = 0; m < n; m++)
    for (size_t k = 0; k < 9; k++) q[k * stride + m] = structure->positions[9 * m + k];
  if (box->coulomb == RILL_BOX_PME) status = choose_mesh(model, structure, box, error);
  if (status == RILL_OK) status = add_pairs(model, n, stride, cell, box, q, f, error);
  if (status == RILL_OK && box->coulomb == RILL_BOX_PME)
    status = add_mesh(model, n, stride, cell, box, q, f, error);
  if (status == RILL_OK && box->coulomb == RILL_BOX_EWALD)
    status = add_direct_sum(model, n, stride, cell, box, q, f, work, error);
  box->coulomb_energy = box->real + box->excluded + box->reciprocal + box->self;
  for (size_t m = 0; m < n; m++)
    for (size_t k = 0; k < 9; k++) forces[9 * m + k] = f[k * stride + m];
  rill_release(q);
  return status;
}

double rill_box_pressure(const struct rill_box_energies *box) {
  return (box->virial[0][0] + box->virial[1][1] + box->virial[2][2]) / (3 * box->volume) / RILL_BAR;
}

double rill_box_tail_pressure(const struct rill_box_energies *box) {
  return box->tail_virial / (3 * box->volume) / RILL_BAR;
}

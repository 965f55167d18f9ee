/* Energies of structures. */
#include <math.h>
#include <string.h>

#include "library/handle.h"
#include "simulation/energy.h"

static enum rill_status choose_boundary(const char *word, struct rill_energy_options *options,
                                        struct rill_error *error) {
  options->periodic = word != NULL && strcmp(word, "periodic") == 0;
  if (word == NULL || options->periodic || strcmp(word, "vacuum") == 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE, "boundary %s: expected vacuum or periodic", word);
}

static enum rill_status choose_forces(const struct rill_energy_settings *settings,
                                      struct rill_energy_options *options, struct rill_error *error) {
  const struct rill_choice *lj = settings->lj != NULL ? rill_choice_find(rill_lj_choices, settings->lj) : NULL;
  char list[64];
  if (settings->coulomb != NULL && !rill_energy_coulomb_read(settings->coulomb, options))
    return rill_error_set(error, RILL_ERROR_USAGE, "coulomb %s: expected pme, ewald, reaction-field or cut",
                          settings->coulomb);
  if (settings->lj != NULL && lj == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "lj %s: expected %s", settings->lj,
                          rill_choice_list(rill_lj_choices, " or ", list, sizeof list));
  if (lj != NULL) options->lj = (enum rill_lj_kind)lj->value;
  if (settings->cutoff > 0) options->cutoff = settings->cutoff;
  options->switch_from = settings->switch_from > 0 ? settings->switch_from : 0.9 * options->cutoff;
  if (settings->accuracy > 0) options->accuracy = settings->accuracy;
  return RILL_OK;
}

static enum rill_status read_settings(const struct rill_energy_settings *settings,
                                      struct rill_energy_options *options, struct rill_error *error) {
  const double numbers[] = {settings->coulomb_constant, settings->stiffness, settings->cutoff, settings->switch_from,
                            settings->accuracy};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (!(numbers[i] >= 0 && numbers[i] < INFINITY))
      return rill_error_set(error, RILL_ERROR_USAGE,
                            "a setting is %g: expected a number above 0, or 0 for the default", numbers[i]);
  RILL_TRY(rill_energy_defaults(options, error));
  RILL_TRY(rill_water_model_find(settings->model, settings->coulomb_constant, &options->model, error));
  options->rigid = settings->rigid;
  options->stiffness = settings->stiffness;
  RILL_TRY(choose_boundary(settings->boundary, options, error));
  return choose_forces(settings, options, error);
}

static enum rill_status evaluate(const char *path, const struct rill_energy_settings *settings,
                                 const struct rill_energy_options *options, struct rill_energy *energy,
                                 struct rill_error *error) {
  struct rill_structure structure = {0};
  enum rill_status status = rill_structure_read(path, &structure, error);
  if (status == RILL_OK && structure.has_box && settings->boundary == NULL)
    status = rill_error_set(error, RILL_ERROR_INPUT,
                            "%s has a box: choose the boundary periodic, or vacuum, which does not use it", path);
  if (status == RILL_OK) status = rill_energy_of_structure(&structure, path, options, NULL, energy, error);
  rill_structure_release(&structure);
  return status;
}

enum rill_status rill_structure_energy(const char *path, const struct rill_energy_settings *settings,
                                       struct rill_structure_energies *energies, struct rill_error *error) {
  static const struct rill_energy_settings defaults;
  struct rill_energy_options options;
  struct rill_energy e = {0};
  rill_error_clear(error);
  *energies = (struct rill_structure_energies){0};
  if (settings == NULL) settings = &defaults;
  RILL_TRY(read_settings(settings, &options, error));
  RILL_TRY(evaluate(path, settings, &options, &e, error));
  *energies = (struct rill_structure_energies){.molecules = e.molecules,
                                               .potential = e.potential,
                                               .lj = e.lj,
                                               .coulomb = e.coulomb,
                                               .penalty = e.penalty,
                                               .lj_tail = e.lj_tail,
                                               .virial = e.virial,
                                               .pressure = e.periodic ? e.pressure : NAN,
                                               .pressure_tail = e.periodic ? e.pressure_tail : NAN,
                                               .largest_force = e.largest_force,
                                               .deviation = e.deviation,
                                               .forces = e.forces};
  e.forces = NULL;
  rill_energy_release(&e);
  return RILL_OK;
}

void rill_structure_energies_release(struct rill_structure_energies *energies) {
  struct rill_energy e = {.forces = energies->forces};
  rill_energy_release(&e);
  energies->forces = NULL;
}

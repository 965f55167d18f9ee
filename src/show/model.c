#include "show/model.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* Lennard-Jones as sigma and epsilon, also of models that are defined by c12 and c6. */
static void lennard_jones(const struct rill_water_species *species, double *sigma, double *epsilon) {
  const struct rill_water_model model = rill_water_model_make(species, 0);
  *sigma = species->epsilon > 0 ? species->sigma : pow(model.c12 / model.c6, 1.0 / 6.0);
  *epsilon = species->epsilon > 0 ? species->epsilon : model.c6 * model.c6 / (4 * model.c12);
}

void rill_describe_model(FILE *out, const char *indent, const struct rill_water_species *species) {
  const struct rill_water_model model = rill_water_model_make(species, 0);
  double moment[3], sigma, epsilon;
  rill_water_inertia(&model, moment);
  lennard_jones(species, &sigma, &epsilon);
  fprintf(out, "%sO-H %.8g nm, H-O-H %.8g deg, charge of H %.8g e", indent, species->r_oh, species->angle,
          species->charge_h);
  if (species->r_om > 0) fprintf(out, ", site M %.8g nm from O", species->r_om);
  fprintf(out, "\n%ssigma %.8g nm, epsilon %.8g kJ/mol; masses %g and %g u\n", indent, sigma, epsilon,
          species->mass_o, species->mass_h);
  fprintf(out, "%sdipole moment %.4g D; moments of inertia %.4g, %.4g and %.4g u nm2\n", indent,
          rill_water_dipole(&model) / RILL_DEBYE, moment[0], moment[1], moment[2]);
}

void rill_put_model(struct rill_json *json, const struct rill_water_species *species) {
  const struct rill_water_model model = rill_water_model_make(species, 0);
  double moment[3], sigma, epsilon;
  rill_water_inertia(&model, moment);
  lennard_jones(species, &sigma, &epsilon);
  rill_json_string(json, "name", species->name);
  rill_json_string(json, "title", species->title);
  rill_json_string(json, "source", species->citation[0] != '\0' ? species->citation : NULL);
  rill_json_count(json, "sites", species->r_om > 0 ? 4 : 3);
  rill_json_number(json, "r_oh_nm", species->r_oh);
  rill_json_number(json, "angle_deg", species->angle);
  rill_json_number(json, "charge_h_e", species->charge_h);
  rill_json_number(json, "r_om_nm", species->r_om);
  rill_json_number(json, "site_weight", model.site_weight);
  rill_json_number(json, "sigma_nm", sigma);
  rill_json_number(json, "epsilon_kJ_mol", epsilon);
  rill_json_number(json, "c12_kJ_nm12_mol", model.c12);
  rill_json_number(json, "c6_kJ_nm6_mol", model.c6);
  rill_json_number(json, "mass_o_u", species->mass_o);
  rill_json_number(json, "mass_h_u", species->mass_h);
  rill_json_number(json, "dipole_D", rill_water_dipole(&model) / RILL_DEBYE);
  rill_json_numbers(json, "inertia_u_nm2", moment, 3);
}

static void show(struct rill_page *page, const struct rill_water_species *species) {
  if (page->text != NULL) {
    fprintf(page->text, "%s\n  %s\n  %s\n", species->name, species->title, species->citation);
    rill_describe_model(page->text, "  ", species);
    return;
  }
  rill_json_object(&page->json, NULL);
  rill_put_model(&page->json, species);
  rill_json_close(&page->json);
}

enum rill_status rill_list_models(const char *wanted, struct rill_page *page, struct rill_error *error) {
  const struct rill_water_species *found;
  size_t count = 1;
  if (wanted == NULL) found = rill_water_species(&count);
  else if (rill_water_species_find(wanted, &found, error) != RILL_OK) return error->status = RILL_ERROR_USAGE;
  for (size_t i = 0; i < count; i++) show(page, &found[i]);
  return RILL_OK;
}

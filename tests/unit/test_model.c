/* The water model: parameters, and rebuilding molecules. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "suite.h"
#include "water/forces/forces.h"
#include "water/model/model.h"

enum { MOLECULES_MAX = 24 };

static struct rill_water_model find_model(const char *name, double coulomb_constant) {
  static struct rill_error error;
  struct rill_water_model model;
  ck_assert_msg(rill_water_model_find(name, coulomb_constant, &model, &error) == RILL_OK, "%s", error.text);
  return model;
}

/* Potential in kcal/mol of positions [molecules][3][3]. */
static double potential(const struct rill_water_model *model, const double *positions, size_t molecules) {
  static struct rill_error error;
  double q[RILL_COORDINATES * MOLECULES_MAX] = {0.0}, f[RILL_COORDINATES * MOLECULES_MAX];
  struct rill_water_forces *forces;
  struct rill_water_energies energies;
  for (size_t m = 0; m < molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++) q[k * MOLECULES_MAX + m] = positions[m * RILL_COORDINATES + k];
  rill_water_forces_create(model, molecules, MOLECULES_MAX, 1, RILL_ISA_PORTABLE, 1, &forces, &error);
  ck_assert_msg(forces != NULL, "%s", error.text);
  rill_water_forces_evaluate(forces, q, f, &energies);
  rill_water_forces_destroy(forces);
  return (energies.lj + energies.coulomb) / RILL_KCAL;
}

/* sigma and epsilon back from c12 and c6; the paper's A and C differ from them by 4.6e-6 and 9.2e-5. */
START_TEST(parameters) {
  struct rill_water_model model = find_model("tip3p", 0.0), ac = find_model("tip3p-ac", 139.0);
  ck_assert_str_eq(model.name, "tip3p");
  ck_assert_double_eq(model.coulomb_constant, RILL_COULOMB_CONSTANT);
  ck_assert_double_eq(ac.coulomb_constant, 139.0);
  ck_assert_double_eq_tol(pow(model.c12 / model.c6, 1.0 / 6.0), 0.315061, 1e-15);
  ck_assert_double_eq_tol(model.c6 * model.c6 / (4.0 * model.c12), 0.6363864, 1e-14);
  ck_assert_double_eq_tol(model.c12 / ac.c12 - 1.0, 4.6e-6, 5e-8);
  ck_assert_double_eq_tol(model.c6 / ac.c6 - 1.0, 9.2e-5, 5e-7);
  ck_assert_double_eq_tol(model.charge[0] + model.charge[1] + model.charge[2], 0.0, 1e-16);
  ck_assert_double_eq_tol(model.bond[2], 0.15139006545273223, 1e-15);
}
END_TEST

/* Numbers of the papers, and what follows from them: dipole moments (D), the weight of the fourth site, Lennard-Jones
 * as other programs print it. */
START_TEST(table) {
  static const struct {
    const char *name;
    double bond, angle, charge, sigma, epsilon, dipole, weight;
  } expected[] = {
      {"tip3p", 0.09572, 104.52, 0.417, 0.315061, 0.636386, 2.347, 0},
      {"tip3p-ac", 0.09572, 104.52, 0.417, 0.315066, 0.636272, 2.347, 0},
      {"spc", 0.1, 109.4712, 0.41, 0.316556, 0.650170, 2.274, 0},
      {"spce", 0.1, 109.4712, 0.4238, 0.316556, 0.650170, 2.351, 0},
      {"tip3p-fb", 0.101181082494, 108.14844252, 0.4242243450515, 0.317796, 0.652144, 2.419, 0},
      {"opc3", 0.0978882, 109.4712, 0.447585, 0.317427, 0.683691, 2.430, 0},
      {"tip4p", 0.09572, 104.52, 0.52, 0.315365, 0.648520, 2.177, 0.128012},
      {"tip4p-ew", 0.09572, 104.52, 0.52422, 0.316435, 0.680946, 2.321, 0.106676721},
      {"tip4p-2005", 0.09572, 104.52, 0.5564, 0.315890, 0.774908, 2.305, 0.131937768},
      {"opc", 0.087243313, 103.59893, 0.679142, 0.316655, 0.890359, 2.480, 0.147720609},
      {"tip4p-fb", 0.09572, 104.52, 0.5258681106763, 0.316555, 0.749279, 2.428, 0.08984267127},
  };
  size_t count;
  const struct rill_water_species *rows = rill_water_species(&count);
  ck_assert_uint_eq(count, sizeof expected / sizeof expected[0]);
  for (size_t i = 0; i < count; i++) {
    const struct rill_water_model model = rill_water_model_make(&rows[i], 0);
    double moment[3], masses = model.mass[0] + 2 * model.mass[1];
    ck_assert_str_eq(rows[i].name, expected[i].name);
    ck_assert_str_eq(model.name, expected[i].name);
    ck_assert_uint_gt(strlen(rows[i].citation), 20);
    ck_assert_double_eq(model.bond[0], expected[i].bond);
    ck_assert_double_eq(model.bond[1], expected[i].bond);
    ck_assert_double_eq_tol(rill_water_angle(&model), expected[i].angle, 7e-5);
    ck_assert_double_eq(model.charge[1], expected[i].charge);
    ck_assert_double_eq(model.charge[2], expected[i].charge);
    ck_assert_double_eq(model.charge[0], -2 * expected[i].charge);
    ck_assert_double_eq_tol(pow(model.c12 / model.c6, 1.0 / 6.0), expected[i].sigma, 6e-7);
    ck_assert_double_eq_tol(model.c6 * model.c6 / (4.0 * model.c12), expected[i].epsilon, 6e-7);
    ck_assert_double_eq_tol(rill_water_dipole(&model) / RILL_DEBYE, expected[i].dipole, 5.5e-4);
    ck_assert_double_eq_tol(model.site_weight, expected[i].weight, 5e-7);
    ck_assert_double_eq_tol(masses, 18.0154, 1e-12);
    rill_water_inertia(&model, moment); /* the trace: twice the sum over pairs of m m' d^2 / M */
    ck_assert_double_eq_tol(moment[0] + moment[1] + moment[2],
                            2 * model.mass[1] / masses *
                                (2 * model.mass[0] * pow(model.bond[0], 2) + model.mass[1] * pow(model.bond[2], 2)),
                            1e-15);
    ck_assert(moment[0] > 0.004 && moment[0] < moment[1] && moment[1] < moment[2]);
  }
}
END_TEST

/* Moments of inertia of TIP3P, u nm2: of hydrogens about the bisector, 2 m_H (r sin(a/2))^2, and so on. */
START_TEST(moments_of_inertia) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  double moment[3];
  rill_water_inertia(&model, moment);
  ck_assert_double_eq_tol(moment[0], 0.00614570, 5e-9);
  ck_assert_double_eq_tol(moment[1], 0.01155115, 5e-9);
  ck_assert_double_eq_tol(moment[2], 0.01769685, 5e-9);
}
END_TEST

START_TEST(names) {
  static const struct {
    const char *name, *text;
  } refused[] = {
      {"spce ", "did you mean spce?"},
      {"SPC/E", "did you mean spce?"},
      {"tip3", "did you mean tip3p?"},
      {"watermelon", "the models are tip3p, tip3p-ac, spc,"},
      {"CHARMM-TIP3P", "Lennard-Jones on the hydrogens"},
      {"tips3p", "Lennard-Jones on the hydrogens"},
      {"TIP3P_Ew", "Price and Brooks"},
      {"tip5p", "five sites"},
      {"custom", "keys of [system] in a deck"},
      {"tip4p/2005", "did you mean tip4p-2005?"},
  };
  static struct rill_error error;
  struct rill_water_model model;
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    ck_assert_int_eq(rill_water_model_find(refused[i].name, 0, &model, &error), RILL_ERROR_INPUT);
    ck_assert_msg(strstr(error.text, refused[i].text) != NULL, "%s: %s", refused[i].name, error.text);
  }
  ck_assert_int_eq(rill_water_model_find(NULL, 0, &model, &error), RILL_OK);
  ck_assert_str_eq(model.name, "tip3p");
}
END_TEST

/* M beyond the hydrogens: 0.1 nm cos(54.7 degrees) is 0.0577 nm. */
START_TEST(refuses_a_site_beyond_the_hydrogens) {
  static struct rill_error error;
  struct rill_water_species species;
  struct rill_water_model model;
  const struct rill_water_species *spce;
  ck_assert_int_eq(rill_water_species_find("spce", &spce, &error), RILL_OK);
  species = *spce;
  species.r_om = 0.058;
  ck_assert_int_eq(rill_water_model_of(&species, 0, &model, &error), RILL_ERROR_INPUT);
  ck_assert_msg(strstr(error.text, "beyond the hydrogens, which are 0.057735 nm") != NULL, "%s", error.text);
}
END_TEST

/* Molecules of a model, rounded to 3 decimals as in GRO, are recognised. */
START_TEST(recognises_geometries) {
  static struct rill_error error;
  size_t count;
  const struct rill_water_species *rows = rill_water_species(&count);
  for (size_t i = 0; i < count; i++) {
    const struct rill_water_model model = rill_water_model_make(&rows[i], 0);
    double molecules[2 * RILL_COORDINATES] = {0, 0, 0, 0.08, 0.05, 0.01, -0.03, 0.09, 0.02,
                                              1, 1, 1, 1.02, 1.09, 1,    0.98,  0.95, 1.07};
    const struct rill_water_species *found;
    double deviation;
    size_t worst;
    char text[192];
    ck_assert_int_eq(rill_water_rigidify(&model, molecules, 2, &error), RILL_OK);
    for (int k = 0; k < 2 * RILL_COORDINATES; k++) molecules[k] = 1e-3 * round(1e3 * molecules[k]);
    found = rill_water_nearest_geometry(molecules, 2, &deviation, &worst);
    ck_assert_msg(rill_water_same_geometry(found, &rows[i]), "%s: %s", rows[i].name, found->name);
    ck_assert_double_lt(deviation, 0.01);
    ck_assert_ptr_nonnull(strstr(rill_water_geometry_names(found, text, sizeof text), rows[i].name));
  }
}
END_TEST

/* The expected energies are of molecules rebuilt by another program, bond lengths good to 3e-10 A: 1e-8 kcal/mol. */
START_TEST(rebuilds_rounded_clusters) {
  static struct rill_error error;
  const struct rill_water_model model = find_model("tip3p", 332.06371 * RILL_KCAL * RILL_ANGSTROM);
  FILE *file = fopen(RILL_SOURCE_DIR "/tests/data/energies/rounded.csv", "r");
  char line[256], name[32];
  size_t molecules, clusters = 0;
  double printed, rebuilt;
  ck_assert_ptr_nonnull(file);
  while (fgets(line, sizeof line, file) != NULL) {
    double positions[RILL_COORDINATES * MOLECULES_MAX], before[RILL_COORDINATES * MOLECULES_MAX];
    if (sscanf(line, "%31[^,],%zu,%lf,%lf", name, &molecules, &printed, &rebuilt) != 4) continue;
    ck_assert_uint_le(molecules, MOLECULES_MAX);
    for (size_t atom = 0; atom < 3 * molecules; atom++) {
      double *x = positions + 3 * atom;
      ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
      ck_assert_int_eq(sscanf(line, "%lf,%lf,%lf", &x[0], &x[1], &x[2]), 3);
    }
    memcpy(before, positions, sizeof before);
    ck_assert_double_eq_tol(potential(&model, positions, molecules), printed, 1e-10 * fabs(printed));
    ck_assert_double_gt(rill_water_deviation(&model, positions, molecules, NULL), 1e-3);
    ck_assert_int_eq(rill_water_rigidify(&model, positions, molecules, &error), RILL_OK);
    ck_assert_double_lt(rill_water_deviation(&model, positions, molecules, NULL), 2e-14);
    ck_assert_double_eq_tol(potential(&model, positions, molecules), rebuilt, 1e-8);
    for (size_t m = 0; m < molecules; m++)
      ck_assert_mem_eq(positions + RILL_COORDINATES * m, before + RILL_COORDINATES * m, 3 * sizeof(double));
    clusters++;
  }
  fclose(file);
  ck_assert_uint_eq(clusters, 3);
}
END_TEST

/* Bonds of unequal length: oxygen stays, and so do the bisector of the angle and the plane. */
START_TEST(keeps_oxygen_bisector_and_plane) {
  static struct rill_error error;
  const struct rill_water_model model = find_model("tip3p", 0.0);
  double molecule[RILL_COORDINATES] = {1.0, 2.0, 3.0, 1.066, 2.088, 3.0, 1.054, 1.928, 3.0};
  ck_assert_int_eq(rill_water_rigidify(&model, molecule, 1, &error), RILL_OK);
  ck_assert_double_eq(molecule[0], 1.0);
  ck_assert_double_eq(molecule[1], 2.0);
  for (int atom = 0; atom < 3; atom++) ck_assert_double_eq(molecule[3 * atom + 2], 3.0);
  ck_assert_double_eq_tol(molecule[3] - molecule[6], 0.0, 1e-15);
  ck_assert_double_eq_tol(molecule[4] - 2.0, 2.0 - molecule[7], 1e-15);
  ck_assert_double_gt(molecule[4], 2.0);
}
END_TEST

START_TEST(names_the_worst_and_refuses_a_line) {
  static struct rill_error error;
  const struct rill_water_model model = find_model("tip3p", 0.0);
  double two[2 * RILL_COORDINATES] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 1, 1, 1, 1.1, 1, 1, 1.2, 1, 1};
  size_t worst = 9;
  ck_assert_double_gt(rill_water_deviation(&model, two, 2, &worst), 0.9);
  ck_assert_uint_eq(worst, 1);
  ck_assert_int_eq(rill_water_rigidify(&model, two, 2, &error), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "molecule 2"));
  two[12] = 0.9; /* hydrogens on opposite sides */
  two[15] = 1.1;
  ck_assert_int_eq(rill_water_rigidify(&model, two, 2, &error), RILL_ERROR_INPUT);
  two[12] = 1.0; /* hydrogen on the oxygen */
  ck_assert_int_eq(rill_water_rigidify(&model, two, 2, &error), RILL_ERROR_INPUT);
  two[12] = NAN;
  ck_assert_int_eq(rill_water_rigidify(&model, two, 2, &error), RILL_ERROR_INPUT);
  ck_assert_double_nan(rill_water_deviation(&model, two, 2, &worst));
  ck_assert_uint_eq(worst, 1);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("model");
  TCase *cases = tcase_create("model");
  tcase_add_test(cases, parameters);
  tcase_add_test(cases, table);
  tcase_add_test(cases, moments_of_inertia);
  tcase_add_test(cases, names);
  tcase_add_test(cases, refuses_a_site_beyond_the_hydrogens);
  tcase_add_test(cases, recognises_geometries);
  tcase_add_test(cases, rebuilds_rounded_clusters);
  tcase_add_test(cases, keeps_oxygen_bisector_and_plane);
  tcase_add_test(cases, names_the_worst_and_refuses_a_line);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

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
  static struct rill_error error;
  struct rill_water_model model = find_model("tip3p", 0.0), ac = find_model("tip3p-ac", 139.0), unknown;
  ck_assert_str_eq(model.name, "tip3p");
  ck_assert_double_eq(model.coulomb_constant, RILL_COULOMB_CONSTANT);
  ck_assert_double_eq(ac.coulomb_constant, 139.0);
  ck_assert_double_eq_tol(pow(model.c12 / model.c6, 1.0 / 6.0), 0.315061, 1e-15);
  ck_assert_double_eq_tol(model.c6 * model.c6 / (4.0 * model.c12), 0.6363864, 1e-14);
  ck_assert_double_eq_tol(model.c12 / ac.c12 - 1.0, 4.6e-6, 5e-8);
  ck_assert_double_eq_tol(model.c6 / ac.c6 - 1.0, 9.2e-5, 5e-7);
  ck_assert_double_eq_tol(model.charge[0] + model.charge[1] + model.charge[2], 0.0, 1e-16);
  ck_assert_double_eq_tol(model.bond[2], 0.15139006545273223, 1e-15);
  ck_assert_int_eq(rill_water_model_find("tip4p", 0.0, &unknown, &error), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "tip4p"));
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
  tcase_add_test(cases, rebuilds_rounded_clusters);
  tcase_add_test(cases, keeps_oxygen_bisector_and_plane);
  tcase_add_test(cases, names_the_worst_and_refuses_a_line);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

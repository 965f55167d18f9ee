/* The mesh that is chosen for an accuracy has it where the run begins: in the liquid, in dilute boxes, for molecules
 * alone, cut by atoms and by molecules, in both precisions; judged by the complete direct sum, at positions that the
 * choice has not seen. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "suite.h"
#include "water/pme/accuracy.h"
#include "water/pme/ewald.h"
#include "water/water_accuracy.h"

enum { MOLECULES_MAX = 216, STRIDE = 216 };

struct box {
  size_t molecules;
  double vector[3][3];
  double q[RILL_COORDINATES * STRIDE];
};

static struct rill_error error;
static struct rill_water_model model;

static void set_up(void) { ck_assert_int_eq(rill_water_model_find("tip3p", 0, &model, &error), RILL_OK); }

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* A molecule with its oxygen at x, turned at random. */
static void put(struct box *box, size_t m, const double x[3], uint64_t *state) {
  const double half = 0.5 * model.bond[2], height = sqrt(model.bond[0] * model.bond[0] - half * half);
  double u[3], v[3], length = 0.0, along = 0.0;
  for (int c = 0; c < 3; c++) u[c] = uniform(state) - 0.5;
  for (int c = 0; c < 3; c++) v[c] = uniform(state) - 0.5;
  for (int c = 0; c < 3; c++) length += u[c] * u[c];
  for (int c = 0; c < 3; c++) u[c] /= sqrt(length);
  for (int c = 0; c < 3; c++) along += u[c] * v[c];
  length = 0.0;
  for (int c = 0; c < 3; c++) v[c] -= along * u[c];
  for (int c = 0; c < 3; c++) length += v[c] * v[c];
  for (size_t c = 0; c < 3; c++) {
    const double up = height * u[c], side = half * v[c] / sqrt(length);
    box->q[c * STRIDE + m] = x[c];
    box->q[(3 + c) * STRIDE + m] = x[c] + up + side;
    box->q[(6 + c) * STRIDE + m] = x[c] + up - side;
  }
}

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Oxygens at random in a cube of `width` about the middle, `apart` nm and more from one another. */
static void scatter(struct box *box, size_t molecules, double width, double apart, uint64_t seed) {
  double placed[32][3];
  box->molecules = molecules;
  for (size_t m = 0; m < molecules; m++) {
    int near = 1;
    while (near) {
      near = 0;
      for (int c = 0; c < 3; c++) placed[m][c] = 0.5 * box->vector[c][c] + width * (uniform(&seed) - 0.5);
      for (size_t n = 0; n < m; n++) near |= distance(placed[m], placed[n]) < apart;
    }
    put(box, m, placed[m], &seed);
  }
}

/* The 216 molecules of the liquid. */
static struct box liquid(void) {
  static char line[4096];
  struct box box = {.molecules = 216};
  char path[4096];
  FILE *file;
  double edge;
  snprintf(path, sizeof path, "%s/tests/data/structures/p216.xyz", RILL_SOURCE_DIR);
  file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  edge = 0.1 * strtod(strchr(strstr(line, "Lattice="), '"') + 1, NULL);
  for (int c = 0; c < 3; c++) box.vector[c][c] = edge;
  for (size_t m = 0; m < box.molecules; m++)
    for (size_t a = 0; a < RILL_ATOMS; a++) {
      char *text = line;
      ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
      while (*text != ' ') text++;
      for (size_t c = 0; c < 3; c++) box.q[(3 * a + c) * STRIDE + m] = 0.1 * strtod(text, &text);
    }
  fclose(file);
  return box;
}

static struct box cube(double edge) { return (struct box){.vector = {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}}}; }

/* Dilute boxes: molecules alone on a point of the mesh and off it, pairs, gases, a droplet, a film, a skew box. */
enum { DILUTE = 9 };
static struct box dilute(int which) {
  static const double corner[3] = {0.0, 0.0, 0.0}, left[3] = {1.0, 1.0, 1.0}, right[3] = {1.6, 1.8, 1.0};
  struct box box = cube(which == 3 ? 2.0 : which == 5 || which == 6 ? 4.0 : 3.0);
  uint64_t seed = 7;
  switch (which) {
  case 0:
    box.molecules = 1;
    put(&box, 0, corner, &seed);
    break;
  case 1:
  case 2: scatter(&box, 1, 3.0, 0.0, (uint64_t)which); break;
  case 3: scatter(&box, 4, 1.6, 0.3, 3); break;
  case 4: scatter(&box, 5, 2.6, 0.3, 4); break;
  case 5:
    box.molecules = 2;
    put(&box, 0, left, &seed);
    put(&box, 1, right, &seed);
    break;
  case 6: /* a droplet */ scatter(&box, 16, 1.0, 0.27, 6); break;
  case 7: /* a film, of which only one edge of the box is full */
    box.vector[2][2] = 6.0;
    scatter(&box, 20, 1.2, 0.27, 5);
    break;
  default: /* skew */
    box.vector[1][1] = 2.8;
    box.vector[2][2] = 2.3;
    box.vector[1][0] = -0.9;
    box.vector[2][0] = 1.4;
    box.vector[2][1] = 1.3;
    scatter(&box, 5, 2.0, 0.4, 8);
    break;
  }
  return box;
}

static struct rill_field_options options_for(const struct box *box, enum rill_precision precision, int by_atom) {
  struct rill_field_options field = {
      .periodic = true,
      .isa = rill_isa_best(),
      .threads = 1,
      .box = {.cutoff = 0.9, .coulomb = RILL_COULOMB_EWALD, .by_atom = by_atom, .precision = precision}};
  memcpy(field.box.box, box->vector, sizeof field.box.box);
  return field;
}

static enum rill_status choose(const struct box *box, double accuracy, struct rill_field_options *field,
                               struct rill_force_accuracy *measured) {
  const struct rill_positions q = rill_positions_in_columns(box->q, STRIDE);
  rill_error_clear(&error);
  return rill_water_choose_mesh(&model, box->molecules, &q, accuracy, field, measured, &error);
}

/* Lennard-Jones apart (its kernel has tests of its own): forces of a model without it. */
static struct rill_water_model charges_alone(void) {
  struct rill_water_model charged = model;
  charged.c6 = charged.c12 = 0.0;
  return charged;
}

struct judgement {
  double error, energy, rms;
}; /* kJ/mol/nm; kJ/mol per molecule; kJ/mol/nm */

/* Worst of some places of the whole in the box, against the complete sum.  rms: of all forces. */
static struct judgement judge(const struct box *box, const struct rill_field_options *options, int places) {
  static double q[RILL_COORDINATES * STRIDE], f[RILL_COORDINATES * STRIDE], right[RILL_COORDINATES * STRIDE];
  const double(*cell)[3] = (const double(*)[3])box->vector;
  const struct rill_ewald_parameters direct = rill_ewald_choose(cell, box->molecules, 1e-14);
  const struct rill_water_model charged = charges_alone();
  const double atoms = (double)(RILL_ATOMS * box->molecules);
  struct judgement worst = {0.0, 0.0, 0.0};
  struct rill_ewald_energies energies;
  struct rill_field_energies found;
  struct rill_water_field *field, *all;
  uint64_t seed = 99;
  double square = 0.0;
  ck_assert_int_eq(
      rill_ewald_evaluate(&model, box->molecules, STRIDE, cell, &direct, box->q, right, &energies, &error), RILL_OK);
  ck_assert_int_eq(rill_water_field_create(&model, box->molecules, STRIDE, options, &all, &error), RILL_OK);
  ck_assert_int_eq(rill_water_field_evaluate(all, box->q, f, NULL, &error), RILL_OK);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < box->molecules; m++) square += f[k * STRIDE + m] * f[k * STRIDE + m];
  worst.rms = sqrt(square / atoms);
  rill_water_field_destroy(all);
  ck_assert_int_eq(rill_water_field_create(&charged, box->molecules, STRIDE, options, &field, &error), RILL_OK);
  for (int place = 0; place < places; place++) {
    double shift[3];
    for (int c = 0; c < 3; c++) shift[c] = place == 0 ? 0.0 : 3.0 * uniform(&seed);
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = 0; m < box->molecules; m++) q[k * STRIDE + m] = box->q[k * STRIDE + m] + shift[k % 3];
    ck_assert_int_eq(rill_water_field_evaluate(field, q, f, &found, &error), RILL_OK);
    square = 0.0;
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = 0; m < box->molecules; m++) {
        const double d = f[k * STRIDE + m] - right[k * STRIDE + m];
        square += d * d;
      }
    worst.error = fmax(worst.error, sqrt(square / atoms));
    worst.energy = fmax(worst.energy, fabs(found.coulomb - energies.total) / (double)box->molecules);
  }
  rill_water_field_destroy(field);
  return worst;
}

/* A few places more than the choice took may be a little worse than its worst. */
static const double unseen = 1.15;

/* Forces relative to their root mean square or kT/nm, whichever is larger; the Coulomb energy of a molecule to the
 * same part of kT.  The mutant, the mesh by the estimate for the liquid, fails in most of them. */
START_TEST(dilute_boxes_have_the_accuracy) {
  static const double accuracies[] = {5e-4, 1e-5};
  const struct box box = dilute(_i);
  const double kt = rill_force_floor();
  for (int k = 0; k < (_i < 5 ? 2 : 1); k++) {
    const int by_atom = (_i + k) % 2;
    struct rill_field_options field =
        options_for(&box, k == 0 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE, by_atom);
    struct rill_force_accuracy measured;
    struct judgement found;
    ck_assert_msg(choose(&box, accuracies[k], &field, &measured) == RILL_OK, "%d: %s", _i, error.text);
    ck_assert_double_le(measured.error, accuracies[k]);
    found = judge(&box, &field, 8);
    ck_assert_double_eq_tol(measured.scale, fmax(found.rms, kt), 1e-3 * measured.scale);
    ck_assert_msg(found.error <= unseen * accuracies[k] * measured.scale, "%d, %g: %g of %g", _i, accuracies[k],
                  found.error / measured.scale, measured.scale);
    ck_assert_msg(found.energy <= accuracies[k] * fmax(kt, 0.1 * measured.scale), "%d, %g: %g kJ/mol", _i,
                  accuracies[k], found.energy);
    if (measured.scale > 20.0 || k > 0) continue;
    ck_assert_int_eq(
        rill_pme_choose(&model, box.molecules, (const double(*)[3])box.vector, (struct rill_pme_cut){0.9, !by_atom},
                        accuracies[k], RILL_MESH_DOUBLE, NULL, &field.mesh, &error),
        RILL_OK);
    field.box.beta = field.mesh.beta;
    ck_assert_double_gt(judge(&box, &field, 2).error, 2.0 * accuracies[k] * measured.scale);
  }
}
END_TEST

/* Cut by molecules, the atoms of molecules beyond the cutoff are up to two bonds nearer than it: at small errors that
 * is what counts. */
START_TEST(tight_accuracies_are_met) {
  static const double accuracies[] = {1e-8, 1e-10};
  const struct box box = liquid();
  for (int k = 0; k < 2; k++) {
    struct rill_field_options field = options_for(&box, RILL_PRECISION_DOUBLE, _i);
    struct rill_force_accuracy measured;
    struct rill_pme_expectation expected;
    double error_found;
    ck_assert_msg(choose(&box, accuracies[k], &field, &measured) == RILL_OK, "%s", error.text);
    error_found = judge(&box, &field, 1).error / measured.scale;
    ck_assert_msg(error_found <= accuracies[k], "%g: %g", accuracies[k], error_found);
    ck_assert_double_eq_tol(error_found, measured.error, 0.02 * accuracies[k]);
    /* The first choice, by the estimate alone, has it already. */
    ck_assert_int_eq(rill_water_estimate_mesh(&model, box.molecules, accuracies[k], &field, &error), RILL_OK);
    ck_assert_int_eq(rill_pme_expect(&model, box.molecules, (const double(*)[3])box.vector,
                                     (struct rill_pme_cut){0.9, !_i}, &field.mesh, &expected, &error),
                     RILL_OK);
    error_found = judge(&box, &field, 1).error / rill_liquid_force;
    ck_assert_msg(error_found <= 2.0 * hypot(expected.real, expected.mesh), "%g: %g estimated, %g", accuracies[k],
                  hypot(expected.real, expected.mesh), error_found);
  }
}
END_TEST

/* The mesh of the start keeps its error in kJ/mol/nm when the molecules go elsewhere: a droplet that evaporates, a
 * gas that condenses. */
START_TEST(the_absolute_error_stays) {
  const double accuracy = 5e-4;
  struct box droplet = dilute(6), gas = cube(4.0);
  const struct box *start = _i == 0 ? &droplet : &gas, *end = _i == 0 ? &gas : &droplet;
  struct rill_field_options field;
  struct rill_force_accuracy measured;
  struct judgement found;
  scatter(&gas, droplet.molecules, 4.0, 0.7, 9);
  field = options_for(start, RILL_PRECISION_MIXED, 0);
  ck_assert_int_eq(choose(start, accuracy, &field, &measured), RILL_OK);
  found = judge(end, &field, 4);
  ck_assert_msg(found.error <= (_i == 0 ? unseen * accuracy * measured.scale : accuracy * found.rms),
                "%g, of a scale of %g and then %g", found.error, measured.scale, found.rms);
}
END_TEST

/* In the liquid the first choice stands: the cheapest mesh, that of the estimate. */
START_TEST(the_liquid_takes_the_first_choice) {
  const struct box box = liquid();
  struct rill_field_options field = options_for(&box, RILL_PRECISION_MIXED, _i % 2), first = field;
  struct rill_force_accuracy measured;
  const double accuracy = _i == 0 ? 5e-4 : 1e-5;
  ck_assert_msg(choose(&box, accuracy, &field, &measured) == RILL_OK, "%s", error.text);
  ck_assert_int_eq(rill_water_estimate_mesh(&model, box.molecules, accuracy, &first, &error), RILL_OK);
  ck_assert_mem_eq(&field.mesh, &first.mesh, sizeof field.mesh);
}
END_TEST

/* Of models with other charges, too, for which the estimate was not made. */
START_TEST(other_models_have_the_accuracy) {
  static const char *const names[] = {"spc", "spce", "tip3p-fb", "opc3"};
  static const double accuracies[] = {5e-4, 1e-6};
  struct box box = liquid();
  ck_assert_int_eq(rill_water_model_find(names[_i], 0, &model, &error), RILL_OK);
  for (size_t m = 0; m < box.molecules; m++) {
    double atoms[RILL_COORDINATES];
    for (size_t k = 0; k < RILL_COORDINATES; k++) atoms[k] = box.q[k * STRIDE + m];
    ck_assert_int_eq(rill_water_rigidify(&model, atoms, 1, &error), RILL_OK);
    for (size_t k = 0; k < RILL_COORDINATES; k++) box.q[k * STRIDE + m] = atoms[k];
  }
  for (int k = 0; k < 2; k++) {
    struct rill_field_options field = options_for(&box, k == 0 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE, 0);
    struct rill_force_accuracy measured;
    struct judgement found;
    ck_assert_msg(choose(&box, accuracies[k], &field, &measured) == RILL_OK, "%s", error.text);
    ck_assert_double_le(measured.error, accuracies[k]);
    found = judge(&box, &field, 4);
    ck_assert_msg(found.error <= unseen * accuracies[k] * measured.scale, "%s: %g of %g", names[_i], found.error,
                  measured.scale);
  }
}
END_TEST

/* What rounding does not let have is refused, with the least that can be had, and that can be had. */
START_TEST(what_cannot_be_had_is_refused) {
  const struct box box = _i == 0 ? liquid() : dilute(3);
  const double accuracy = _i == 0 ? 1e-7 : 1e-9;
  struct rill_field_options field = options_for(&box, RILL_PRECISION_MIXED, _i);
  struct rill_force_accuracy measured;
  const char *least, *advice;
  double best, advised;
  ck_assert_int_eq(choose(&box, accuracy, &field, &measured), RILL_ERROR_INPUT);
  least = strstr(error.text, "the least that was measured is ");
  advice = strstr(error.text, "take an accuracy of ");
  ck_assert_msg(least != NULL && advice != NULL, "%s", error.text);
  ck_assert_ptr_nonnull(strstr(error.text, "precision = double"));
  best = strtod(strstr(least, " is ") + 4, NULL);
  advised = strtod(advice + 20, NULL);
  ck_assert_msg(best > accuracy && best < 1e-3 && advised > best && advised < 3.0 * best, "%s", error.text);
  ck_assert_msg(choose(&box, advised, &field, &measured) == RILL_OK, "%g: %s", advised, error.text);
  ck_assert_double_le(measured.error, advised);
}
END_TEST

/* The measured error is that which the complete sum finds, and the same bytes for any number of threads; a mesh of a
 * tenth of the points has one ten times as large. */
START_TEST(the_measured_error_is_right) {
  const struct box box = liquid();
  struct rill_field_options field = options_for(&box, RILL_PRECISION_MIXED, 1), other;
  const struct rill_positions q = rill_positions_in_columns(box.q, STRIDE);
  struct rill_force_accuracy first, again, coarse;
  struct judgement found;
  ck_assert_int_eq(choose(&box, 5e-4, &field, &first), RILL_OK);
  found = judge(&box, &field, 1);
  ck_assert_double_eq_tol(found.error / first.scale, first.error, 0.01 * first.error);
  ck_assert_double_eq_tol(found.energy, fabs(first.energy_error), 0.03 * found.energy);
  other = options_for(&box, RILL_PRECISION_MIXED, 1);
  other.threads = 3;
  ck_assert_int_eq(choose(&box, 5e-4, &other, &again), RILL_OK);
  ck_assert_mem_eq(&field.mesh, &other.mesh, sizeof field.mesh);
  ck_assert_mem_eq(&first, &again, sizeof first);
  for (int c = 0; c < 3; c++) field.mesh.grid[c] = 10;
  ck_assert_int_eq(rill_water_measure_accuracy(&model, box.molecules, &q, &field, 5e-4, &coarse, &error), RILL_OK);
  ck_assert_double_gt(coarse.error, 5.0 * first.error);
}
END_TEST

/* Messages about what the user has set: cutoff and box. */
START_TEST(cutoffs_and_boxes_are_named) {
  struct box box = liquid();
  struct rill_field_options field = options_for(&box, RILL_PRECISION_DOUBLE, 0);
  struct rill_force_accuracy measured;
  const char *advice;
  field.box.cutoff = 0.3;
  ck_assert_int_eq(choose(&box, 1e-6, &field, &measured), RILL_ERROR_INPUT);
  advice = strstr(error.text, "take a cutoff of at least ");
  ck_assert_msg(strstr(error.text, "a cutoff of 0.3 nm is too short") != NULL && advice != NULL, "%s", error.text);
  field.box.cutoff = strtod(advice + 26, NULL);
  ck_assert(field.box.cutoff > 0.3 && field.box.cutoff < 0.9);
  ck_assert_msg(rill_water_estimate_mesh(&model, box.molecules, 1e-6, &field, &error) == RILL_OK, "%s", error.text);
  box = cube(0.7);
  scatter(&box, 1, 0.7, 0.0, 3);
  field = options_for(&box, RILL_PRECISION_DOUBLE, 0);
  field.box.cutoff = 0.35;
  ck_assert_int_eq(rill_water_estimate_mesh(&model, 1, 1e-8, &field, &error), RILL_ERROR_INPUT);
  ck_assert_msg(strstr(error.text, "the box is too small") != NULL, "%s", error.text);
  ck_assert_ptr_nonnull(strstr(error.text, "take a box of at least"));
  box = cube(400.0);
  scatter(&box, 1, 0.7, 0.0, 3);
  field = options_for(&box, RILL_PRECISION_DOUBLE, 0);
  ck_assert_int_eq(rill_water_estimate_mesh(&model, 1, 1e-6, &field, &error), RILL_ERROR_INPUT);
  ck_assert_msg(strstr(error.text, "take a longer cutoff") != NULL, "%s", error.text);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("accuracy");
  TCase *all = tcase_create("all");
  tcase_set_timeout(all, 300);
  tcase_add_checked_fixture(all, set_up, NULL);
  tcase_add_loop_test(all, dilute_boxes_have_the_accuracy, 0, DILUTE);
  tcase_add_loop_test(all, tight_accuracies_are_met, 0, 2);
  tcase_add_loop_test(all, the_absolute_error_stays, 0, 2);
  tcase_add_loop_test(all, the_liquid_takes_the_first_choice, 0, 2);
  tcase_add_loop_test(all, other_models_have_the_accuracy, 0, 4);
  tcase_add_loop_test(all, what_cannot_be_had_is_refused, 0, 2);
  tcase_add_test(all, the_measured_error_is_right);
  tcase_add_test(all, cutoffs_and_boxes_are_named);
  suite_add_tcase(suite, all);
  return rill_run_suite(suite);
}

/* relax: rigid poses, energy minimisation, built clusters. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/units.h"
#include "suite.h"
#include "water/forces/forces.h"
#include "water/neighbours/contact.h"
#include "water/relax/build_box.h"
#include "water/relax/minimize.h"
#include "water/relax/network.h"
#include "water/relax/separate.h"
#include "water/relax/pose.h"

enum { LARGEST = 216 };

/* Putative global minima of TIP3P clusters, kcal/mol, made with the Coulomb constant below; the coordinates in
 * tests/data/minima belong to them. */
static const double reference_coulomb = 332.06371 * RILL_KCAL * RILL_ANGSTROM;
static const struct {
  size_t molecules;
  double energy;
} minima[] = {{2, -6.540055008}, {3, -17.440559389}, {4, -29.293782049}, {5, -38.754642172}, {7, -57.919907201}};
enum { MINIMA = sizeof minima / sizeof minima[0] };

static struct rill_error error;

static struct rill_water_model reference_model(void) {
  struct rill_water_model model;
  ck_assert_int_eq(rill_water_model_find("tip3p", reference_coulomb, &model, &error), RILL_OK);
  return model;
}

static void read_minimum(size_t molecules, double *positions) {
  char path[1024], line[256], element[8];
  FILE *file;
  snprintf(path, sizeof path, "%s/tests/data/minima/min%zu.xyz", RILL_SOURCE_DIR, molecules);
  file = fopen(path, "r");
  ck_assert_msg(file != NULL, "cannot read %s", path);
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  for (size_t i = 0; i < RILL_ATOMS * molecules; i++) {
    double *x = positions + 3 * i;
    ck_assert_int_eq(fscanf(file, "%7s %lf %lf %lf", element, &x[0], &x[1], &x[2]), 4);
    for (int c = 0; c < 3; c++) x[c] *= RILL_ANGSTROM;
  }
  fclose(file);
}

/* Normal displacements of all atoms. */
static void perturb(double *positions, size_t molecules, double size, uint64_t seed) {
  const struct rill_noise noise = rill_noise_create(seed, RILL_STREAM_TEST);
  for (size_t i = 0; i < RILL_ATOMS * molecules; i++) {
    double z[4];
    rill_noise_normal(&noise, 0, (uint32_t)i, 0, z);
    for (size_t c = 0; c < 3; c++) positions[3 * i + c] += size * z[c];
  }
}

static double energy_of(const struct rill_minimize_report *report) {
  return report->after.lj + report->after.coulomb;
}

static void centre_of(const struct rill_water_model *model, const double *atoms, size_t molecules, double centre[3]) {
  double mass = 0;
  centre[0] = centre[1] = centre[2] = 0;
  for (size_t i = 0; i < RILL_ATOMS * molecules; i++) {
    mass += model->mass[i % 3];
    for (size_t c = 0; c < 3; c++) centre[c] += model->mass[i % 3] * atoms[3 * i + c];
  }
  for (int c = 0; c < 3; c++) centre[c] /= mass;
}

/* The largest generalised force and the energy, from the plain loops and the definition in minimize.h.  wall: NULL
 * without. */
static double forces_within(const struct rill_wall *wall, const struct rill_water_model *model,
                            const double *positions, size_t molecules, double *energy) {
  const size_t stride = (molecules + 7) / 8 * 8;
  struct rill_water_forces *forces;
  struct rill_water_energies energies;
  double *q = rill_allocate(9 * stride, sizeof *q), *f = rill_allocate(9 * stride, sizeof *f), largest = 0;
  ck_assert_int_eq(rill_water_forces_create(model, molecules, stride, 1, RILL_ISA_PORTABLE, 1, &forces, &error),
                   RILL_OK);
  for (size_t m = 0; m < molecules; m++)
    for (size_t k = 0; k < 9; k++) q[k * stride + m] = positions[9 * m + k];
  rill_water_forces_evaluate(forces, q, f, &energies);
  *energy = energies.lj + energies.coulomb;
  if (wall != NULL) *energy += rill_wall_evaluate(wall, model, molecules, stride, q, f);
  for (size_t m = 0; m < molecules; m++) {
    double centre[3], force[3] = {0}, torque[3] = {0}, square = 0;
    centre_of(model, positions + 9 * m, 1, centre);
    for (size_t a = 0; a < 3; a++) {
      double arm[3], here[3];
      for (size_t c = 0; c < 3; c++) {
        arm[c] = positions[9 * m + 3 * a + c] - centre[c];
        square += arm[c] * arm[c] / 3;
        force[c] += here[c] = f[(3 * a + c) * stride + m];
      }
      for (size_t c = 0; c < 3; c++)
        torque[c] += arm[(c + 1) % 3] * here[(c + 2) % 3] - arm[(c + 2) % 3] * here[(c + 1) % 3];
    }
    largest = fmax(largest, sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]));
    largest = fmax(largest, sqrt((torque[0] * torque[0] + torque[1] * torque[1] + torque[2] * torque[2]) / square));
  }
  rill_water_forces_destroy(forces);
  rill_release(q);
  rill_release(f);
  return largest;
}

static double forces_at(const struct rill_water_model *model, const double *positions, size_t molecules,
                        double *energy) {
  return forces_within(NULL, model, positions, molecules, energy);
}

/* ---- poses ---- */

/* All orientations of a quarter-turn grid reach each branch of the quaternion's extraction; round-off of coordinates
 * near 1 nm is 2e-16. */
START_TEST(pose_and_atoms_agree) {
  const struct rill_water_model model = reference_model();
  const struct rill_water_shape shape = rill_water_shape_of(&model);
  for (int k = 0; k < 64; k++) {
    const double turn[3][3] = {{acos(0) * (k % 4), 0, 0}, {0, acos(0) * (k / 4 % 4), 0}, {0, 0, acos(0) * (k / 16)}};
    const double none[3] = {0}, displacement[3] = {0.3, -0.9, 0.5};
    struct rill_pose pose = {.orientation = {1, 0, 0, 0}}, back;
    double atoms[9], again[9], centre[3];
    pose = rill_pose_step(&pose, displacement, turn[0]);
    pose = rill_pose_step(&pose, none, turn[1]);
    pose = rill_pose_step(&pose, none, turn[2]);
    rill_pose_to_atoms(&shape, &pose, atoms);
    ck_assert_double_lt(rill_water_deviation(&model, atoms, 1, NULL), 1e-14);
    centre_of(&model, atoms, 1, centre);
    for (int c = 0; c < 3; c++) ck_assert_double_lt(fabs(centre[c] - displacement[c]), 1e-15);
    back = rill_pose_from_atoms(&shape, atoms);
    rill_pose_to_atoms(&shape, &back, again);
    for (int c = 0; c < 9; c++) ck_assert_double_lt(fabs(again[c] - atoms[c]), 2e-15);
  }
}
END_TEST

/* A rotation vector along z by 0.3 rad turns x towards y; tiny and small angles (two branches of the exponential map)
 * add up: 1000 steps of 0.99e-4 and 1000 of 1.01e-4 rad are one of 0.2. */
START_TEST(rotation_vectors_rotate) {
  const struct rill_water_model model = reference_model();
  const struct rill_water_shape shape = rill_water_shape_of(&model);
  const double none[3] = {0}, turn[3] = {0, 0, 0.3}, sum[3] = {0, 0, 0.2};
  const double small[2][3] = {{0, 0, 0.99e-4}, {0, 0, 1.01e-4}};
  const struct rill_pose start = {.orientation = {1, 0, 0, 0}};
  struct rill_pose turned = rill_pose_step(&start, none, turn), once = rill_pose_step(&start, none, sum);
  struct rill_pose slowly = start;
  double atoms[9], expected;
  rill_pose_to_atoms(&shape, &turned, atoms);
  for (int a = 0; a < 3; a++) {
    expected = cos(0.3) * shape.site[a][0] - sin(0.3) * shape.site[a][1];
    ck_assert_double_lt(fabs(atoms[3 * a] - expected), 1e-16);
  }
  for (int k = 0; k < 1000; k++) {
    slowly = rill_pose_step(&slowly, none, small[0]);
    slowly = rill_pose_step(&slowly, none, small[1]);
  }
  for (int k = 0; k < 4; k++) ck_assert_double_lt(fabs(slowly.orientation[k] - once.orientation[k]), 1e-13);
}
END_TEST

/* ---- minimisation ---- */

/* Back to each minimum from displaced atoms: energy as published to its last digit, forces and energy as the plain
 * loops give them at the positions handed back. */
START_TEST(minima_are_found_again) {
  const struct rill_water_model model = reference_model();
  const size_t n = minima[_i].molecules;
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  double positions[63], before[63], energy, largest, start[3], end[3];
  options.force_tolerance = 1e-6;
  read_minimum(n, positions);
  perturb(positions, n, 0.01, 1);
  memcpy(before, positions, sizeof before);
  ck_assert_int_eq(rill_water_rigidify(&model, before, n, &error), RILL_OK);
  ck_assert_int_eq(rill_water_minimize(&model, n, &options, positions, &report, &error), RILL_OK);
  ck_assert_int_eq(report.reason, RILL_MINIMIZE_CONVERGED);
  ck_assert_double_lt(fabs(energy_of(&report) / RILL_KCAL - minima[_i].energy), 1e-8);
  ck_assert_double_lt(report.deviation, 1e-12);
  ck_assert_double_lt(rill_water_deviation(&model, positions, n, NULL), 1e-12);
  ck_assert_uint_gt(report.iterations, 0);
  ck_assert_uint_ge(report.evaluations, report.iterations);
  ck_assert_double_gt(report.before.lj + report.before.coulomb, energy_of(&report));
  largest = forces_at(&model, positions, n, &energy);
  ck_assert_double_lt(fabs(energy - energy_of(&report)), 1e-10);
  ck_assert_double_lt(fabs(largest - report.maximum_force), 1e-9); /* another order of sums: 1e-12 of forces of 1e3 */
  ck_assert_double_lt(largest, options.force_tolerance + 1e-9);
  ck_assert_double_le(report.rms_force, report.maximum_force);
  centre_of(&model, before, n, start);
  centre_of(&model, positions, n, end);
  for (int c = 0; c < 3; c++) ck_assert_double_lt(fabs(end[c] - start[c]), 1e-14);
  /* the mutant: a hundredth of a picometre off, the same check sees it */
  perturb(positions, n, 1e-5, 2);
  ck_assert_double_gt(forces_at(&model, positions, n, &energy), 1e-2);
}
END_TEST

/* A wall that presses on the cluster belongs to the potential: at the minimum forces vanish with it, and not without
 * it. */
START_TEST(a_wall_is_part_of_the_potential) {
  const struct rill_water_model model = reference_model();
  const struct rill_wall wall = {.radius = 0.2, .stiffness = 1000};
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  double positions[63], energy;
  options.force_tolerance = 1e-6;
  options.wall = &wall;
  read_minimum(7, positions);
  ck_assert_int_eq(rill_water_minimize(&model, 7, &options, positions, &report, &error), RILL_OK);
  ck_assert_int_eq(report.reason, RILL_MINIMIZE_CONVERGED);
  ck_assert_double_gt(report.wall, 1);
  ck_assert_double_lt(forces_within(&wall, &model, positions, 7, &energy), options.force_tolerance + 1e-9);
  ck_assert_double_lt(fabs(energy - (energy_of(&report) + report.wall)), 1e-10);
  ck_assert_double_gt(forces_at(&model, positions, 7, &energy), 1);
}
END_TEST

/* Turned as a whole and carried far away: rounding of coordinates near 50 nm, 7e-15, times forces of 1e3. */
START_TEST(energy_is_invariant) {
  const struct rill_water_model model = reference_model();
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  double positions[63];
  options.force_tolerance = 1e-6;
  read_minimum(7, positions);
  perturb(positions, 7, 0.01, 3);
  for (int i = 0; i < 21; i++) {
    double *x = positions + 3 * i;
    const double turned[3] = {0.36 * x[0] + 0.48 * x[1] - 0.8 * x[2], -0.8 * x[0] + 0.6 * x[1],
                              0.48 * x[0] + 0.64 * x[1] + 0.6 * x[2]};
    x[0] = turned[0] + 50;
    x[1] = turned[1] - 30;
    x[2] = turned[2] + 10;
  }
  ck_assert_int_eq(rill_water_minimize(&model, 7, &options, positions, &report, &error), RILL_OK);
  ck_assert_double_lt(fabs(energy_of(&report) / RILL_KCAL + 57.919907201), 1e-8);
  ck_assert_double_lt(report.deviation, 1e-12);
}
END_TEST

struct record {
  size_t length, stop_at;
  double energy[4000];
};

static bool keep(void *context, const struct rill_minimize_progress *progress) {
  struct record *record = context;
  ck_assert_uint_eq(progress->iteration, record->length);
  ck_assert(isfinite(progress->energy) && isfinite(progress->maximum_force));
  ck_assert_uint_lt(record->length, 4000);
  record->energy[record->length++] = progress->energy;
  return progress->iteration != record->stop_at;
}

/* 1e-11 kJ/mol is above what round-off leaves of an energy of 240 whose parts are 400 in size. */
static bool never_rises(const struct record *record) {
  for (size_t k = 1; k < record->length; k++)
    if (record->energy[k] > record->energy[k - 1] + 1e-11) return false;
  return true;
}

START_TEST(energy_never_rises) {
  const struct rill_water_model model = reference_model();
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  static struct record record;
  double positions[63], energy;
  record = (struct record){.stop_at = SIZE_MAX};
  options.force_tolerance = 0;
  options.observe = keep;
  options.context = &record;
  read_minimum(7, positions);
  perturb(positions, 7, 0.15, (uint64_t)_i);
  ck_assert_int_eq(rill_water_minimize(&model, 7, &options, positions, &report, &error), RILL_OK);
  ck_assert_int_eq(report.reason, RILL_MINIMIZE_ROUND_OFF);
  ck_assert_uint_eq(record.length, report.iterations + 1);
  ck_assert(never_rises(&record));
  ck_assert_double_eq(record.energy[0], report.before.lj + report.before.coulomb);
  ck_assert_double_eq(record.energy[record.length - 1], energy_of(&report));
  /* forces of 1e3 kJ/mol/nm cancel; soft modes amplify what is left */
  ck_assert_double_lt(report.maximum_force, 1e-7);
  ck_assert_double_lt(forces_at(&model, positions, 7, &energy), 1e-7);
  /* the mutant */
  record.energy[record.length / 2] = record.energy[record.length / 2 - 1] + 1e-10;
  ck_assert(!never_rises(&record));
}
END_TEST

/* Case A14: a tolerance below round-off ends, says so, and leaves an exact geometry. */
START_TEST(tight_tolerance_ends_at_round_off) {
  const struct rill_water_model model = reference_model();
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  double positions[63];
  options.force_tolerance = 1e-14;
  read_minimum(7, positions);
  perturb(positions, 7, 0.01, 4);
  ck_assert_int_eq(rill_water_minimize(&model, 7, &options, positions, &report, &error), RILL_OK);
  ck_assert_int_eq(report.reason, RILL_MINIMIZE_ROUND_OFF);
  ck_assert_double_lt(report.maximum_force, 1e-8);
  ck_assert_double_lt(report.deviation, 1e-13);
  ck_assert_double_lt(fabs(energy_of(&report) / RILL_KCAL + 57.919907201), 1e-8);
  ck_assert_uint_lt(report.iterations, options.maximum_iterations);
}
END_TEST

/* Case G17: each end says which it was, and what was reached stays. */
START_TEST(limit_and_stop_are_reported) {
  const struct rill_water_model model = reference_model();
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  static struct record record;
  double positions[63], energy;
  record = (struct record){.stop_at = 5};
  read_minimum(7, positions);
  perturb(positions, 7, 0.02, 5);
  options.maximum_iterations = 3;
  ck_assert_int_eq(rill_water_minimize(&model, 7, &options, positions, &report, &error), RILL_OK);
  ck_assert_int_eq(report.reason, RILL_MINIMIZE_ITERATION_LIMIT);
  ck_assert_uint_eq(report.iterations, 3);
  options.maximum_iterations = 1000;
  options.observe = keep;
  options.context = &record;
  ck_assert_int_eq(rill_water_minimize(&model, 7, &options, positions, &report, &error), RILL_OK);
  ck_assert_int_eq(report.reason, RILL_MINIMIZE_STOPPED);
  ck_assert_uint_eq(report.iterations, 5);
  ck_assert_double_lt(energy_of(&report), record.energy[0]);
  forces_at(&model, positions, 7, &energy);
  ck_assert_double_lt(fabs(energy - energy_of(&report)), 1e-10);
  for (int k = RILL_MINIMIZE_CONVERGED; k <= RILL_MINIMIZE_STOPPED; k++)
    ck_assert_str_ne(rill_minimize_reason_meaning((enum rill_minimize_reason)k), "unknown");
}
END_TEST

START_TEST(one_molecule_needs_nothing) {
  const struct rill_water_model model = reference_model();
  const struct rill_water_shape shape = rill_water_shape_of(&model);
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  const struct rill_pose pose = {{1, 2, 3}, {0.5, 0.5, -0.5, 0.5}};
  double positions[9], before[9];
  rill_pose_to_atoms(&shape, &pose, positions);
  memcpy(before, positions, sizeof before);
  options.force_tolerance = 0;
  ck_assert_int_eq(rill_water_minimize(&model, 1, &options, positions, &report, &error), RILL_OK);
  ck_assert_int_eq(report.reason, RILL_MINIMIZE_CONVERGED);
  ck_assert_uint_eq(report.iterations, 0);
  ck_assert_double_eq(energy_of(&report), 0);
  for (int k = 0; k < 9; k++) ck_assert_double_lt(fabs(positions[k] - before[k]), 4e-15);
}
END_TEST

/* Case A13: oxygens from 0.1 nm down to 1e-6 nm apart, energies up to 1e66 kJ/mol: the two separate to a bound pair.
 * The pairs are turned differently, so that no hydrogens coincide. */
START_TEST(overlapping_molecules_separate) {
  const struct rill_water_model model = reference_model();
  const struct rill_water_shape shape = rill_water_shape_of(&model);
  const double gap = pow(10, -1 - _i);
  for (int k = 0; k < 8; k++) {
    struct rill_minimize_options options = rill_minimize_defaults();
    struct rill_minimize_report report;
    const struct rill_pose first = {{0, 0, 0}, {1, 0, 0, 0}};
    struct rill_pose second = first;
    const double none[3] = {0}, turn[3] = {0.4 + 0.3 * k, 0.9 - 0.2 * k, 1.3};
    double positions[18], shift[3], square = 0;
    second = rill_pose_step(&first, none, turn);
    rill_pose_to_atoms(&shape, &first, positions);
    rill_pose_to_atoms(&shape, &second, positions + 9);
    for (int c = 0; c < 3; c++) shift[c] = positions[c] - positions[9 + c] + (c == k % 3 ? gap : 0);
    for (int i = 0; i < 9; i++) positions[9 + i] += shift[i % 3];
    ck_assert_int_eq(rill_water_minimize(&model, 2, &options, positions, &report, &error), RILL_OK);
    ck_assert_int_eq(report.reason, RILL_MINIMIZE_CONVERGED);
    ck_assert_double_gt(report.before.lj, 1e5);
    ck_assert_double_lt(energy_of(&report), -10);
    ck_assert_double_gt(energy_of(&report) / RILL_KCAL, minima[0].energy - 1e-8);
    for (int c = 0; c < 3; c++) square += (positions[c] - positions[9 + c]) * (positions[c] - positions[9 + c]);
    ck_assert_double_gt(sqrt(square), 0.25);
    ck_assert_double_lt(report.deviation, 1e-12);
  }
}
END_TEST

/* Two molecules at the same place, and a hydrogen on (or within 1e-7 nm of) an oxygen: refused, named, left alone. */
START_TEST(coinciding_molecules_are_refused) {
  const struct rill_water_model model = reference_model();
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  double positions[63], before[63];
  enum rill_status status;
  read_minimum(7, positions);
  ck_assert_int_eq(rill_water_rigidify(&model, positions, 7, &error), RILL_OK);
  for (int k = 0; k < 9; k++) {
    const double *target = positions + 18 + (_i == 0 ? 0 : 3); /* molecule 3's oxygen or first hydrogen */
    const double offset = positions[45 + k] - positions[45 + k % 3];
    before[k] = target[k % 3] + offset + (_i == 2 && k % 3 == 0 ? 1e-7 : 0);
  }
  if (_i == 0) memcpy(before, positions + 18, 9 * sizeof *before);
  memcpy(positions + 45, before, 9 * sizeof *before); /* molecule 6 */
  memcpy(before, positions, sizeof before);
  status = rill_water_minimize(&model, 7, &options, positions, &report, &error);
  ck_assert_msg(status == RILL_ERROR_NOT_FINITE || status == RILL_ERROR_FAILED, "%s", error.text);
  ck_assert_ptr_nonnull(strstr(error.text, "molecules 3 and 6"));
  ck_assert_mem_eq(positions, before, sizeof before);
}
END_TEST

/* Molecules thrown into 0.05 nm, two of them at one place: no oxygens are left within 0.25 nm, in vacuum and in a
 * box; they are moved as a whole.  Without an overlap nothing moves, and where there is no room nothing does. */
START_TEST(overlaps_are_pushed_apart) {
  enum { N = 40 };
  static const double box[3][3] = {{1.4, 0, 0}, {0, 1.4, 0}, {0.4, 0, 1.4}};
  static const double small[3][3] = {{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}};
  const double(*cell)[3] = _i == 0 ? NULL : box;
  double positions[N][3][3], before[N][3][3];
  struct rill_separation separation;
  struct rill_contact oxygens;
  for (int m = 0; m < N; m++)
    for (int a = 0; a < 3; a++)
      for (int c = 0; c < 3; c++) {
        static const double shape[3][3] = {{0, 0, 0}, {0.0757, 0.0586, 0}, {-0.0757, 0.0586, 0}};
        positions[m][a][c] = shape[a][c] + 0.05 * fmod((m < 2 ? 1 : m) * (0.618 + 0.17 * c), 1);
      }
  memcpy(before, positions, sizeof before);
  ck_assert_int_eq(rill_water_separate(N, cell, &positions[0][0][0], &separation, &error), RILL_OK);
  ck_assert_uint_eq(separation.moved, N);
  ck_assert_double_eq(separation.closest.distance, 0);
  ck_assert_double_gt(separation.farthest, 0.1);
  ck_assert_int_eq(rill_closest_contact(&positions[0][0][0], N, cell, RILL_CONTACT_OXYGENS, &oxygens, &error),
                   RILL_OK);
  ck_assert_double_gt(oxygens.distance, 0.25 - 1e-12); /* recomputed from other coordinates */
  for (int m = 0; m < N; m++)
    for (int a = 1; a < 3; a++)
      for (int c = 0; c < 3; c++)
        ck_assert_double_eq_tol(positions[m][a][c] - positions[m][0][c], before[m][a][c] - before[m][0][c], 1e-14);
  memcpy(before, positions, sizeof before);
  ck_assert_int_eq(rill_water_separate(N, cell, &positions[0][0][0], &separation, &error), RILL_OK);
  ck_assert_uint_eq(separation.moved, 0);
  ck_assert_mem_eq(before, positions, sizeof before);
  ck_assert_int_eq(rill_water_separate(N, small, &positions[0][0][0], &separation, &error), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "no room"));
  ck_assert_mem_eq(before, positions, sizeof before);
}
END_TEST

START_TEST(unusable_input_is_refused) {
  const struct rill_water_model model = reference_model();
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  struct rill_minimizer *minimizer;
  double positions[63];
  read_minimum(7, positions);
  positions[9 * 4 + 1] = NAN;
  ck_assert_int_eq(rill_water_minimize(&model, 7, &options, positions, &report, &error), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "molecule 5"));
  ck_assert_int_eq(rill_minimizer_create(&model, 0, &options, &minimizer, &error), RILL_ERROR_USAGE);
  ck_assert_ptr_null(minimizer);
  options.force_tolerance = NAN;
  ck_assert_int_eq(rill_minimizer_create(&model, 7, &options, &minimizer, &error), RILL_ERROR_USAGE);
  options = rill_minimize_defaults();
  options.maximum_displacement = 0;
  ck_assert_int_eq(rill_minimizer_create(&model, 7, &options, &minimizer, &error), RILL_ERROR_USAGE);
  rill_minimizer_destroy(NULL);
}
END_TEST

/* ---- built clusters ---- */

/* kJ/mol per molecule: the dimer and heptamer are the minima; 20 molecules, after few trials, lie above the lowest
 * known from longer searches, -42.9; 216 between a loose cluster and ice's -56 or so. */
static const struct {
  size_t molecules, hops;
  double lowest, highest;
} clusters[] = {
    {1, 0, 0, 0}, {2, 0, -13.69, -13.68}, {7, 0, -34.63, -34.61}, {20, 60, -42.9, -40}, {216, 0, -50, -45}};
enum { CLUSTERS = sizeof clusters / sizeof clusters[0] };

START_TEST(clusters_are_sound) {
  const struct rill_water_model model = reference_model();
  const size_t n = clusters[_i].molecules;
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report;
  static double positions[9 * LARGEST], again[9 * LARGEST];
  double centre[3], energy;
  options.hops = clusters[_i].hops;
  ck_assert_int_eq(rill_water_build_cluster(&model, n, &options, positions, &report, &error), RILL_OK);
  energy = energy_of(&report.minimum) / (double)n;
  ck_assert_double_ge(energy, clusters[_i].lowest);
  ck_assert_double_le(energy, clusters[_i].highest);
  ck_assert_double_lt(rill_water_deviation(&model, positions, n, NULL), 1e-12);
  ck_assert_double_le(report.minimum.maximum_force, report.force_tolerance);
  centre_of(&model, positions, n, centre);
  for (int c = 0; c < 3; c++) ck_assert_double_lt(fabs(centre[c]), 1e-14);
  ck_assert(report.hopping == (n <= RILL_BUILD_HOPPING_LIMIT));
  ck_assert_uint_ge(report.minimisations, report.accepted);
  ck_assert_uint_eq(report.trials, 1);
  ck_assert_uint_eq(report.found, 1);
  ck_assert_uint_eq(report.best_trial, 1);
  if (n > 1) {
    double closest = INFINITY;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < i; j++) {
        const double *a = positions + 9 * i, *b = positions + 9 * j;
        closest = fmin(closest, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
      }
    ck_assert_double_gt(closest, 0.24);
    ck_assert_double_lt(fabs(closest - report.closest_oxygens), 1e-14);
  }
  options.threads = 2;
  ck_assert_int_eq(rill_water_build_cluster(&model, n, &options, again, &report, &error), RILL_OK);
  ck_assert_mem_eq(positions, again, 9 * n * sizeof *positions);
  options.seed = 2;
  ck_assert_int_eq(rill_water_build_cluster(&model, n, &options, again, &report, &error), RILL_OK);
  ck_assert_mem_ne(positions, again, 9 * n * sizeof *positions);
}
END_TEST

START_TEST(small_clusters_are_the_global_minima) {
  const struct rill_water_model model = reference_model();
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report;
  double positions[63];
  const size_t n = minima[_i].molecules;
  ck_assert_int_eq(rill_water_build_cluster(&model, n, &options, positions, &report, &error), RILL_OK);
  ck_assert_double_lt(fabs(energy_of(&report.minimum) / RILL_KCAL - minima[_i].energy), 1e-8);
}
END_TEST

static bool stop_at_third(void *context, const struct rill_build_progress *progress) {
  *(struct rill_build_progress *)context = *progress;
  return progress->done + progress->iteration < 3;
}

/* The lowest of all, whichever thread finds it; each trial is the search that it is by itself. */
START_TEST(trials_are_independent) {
  enum { N = 9, TRIALS = 5 };
  const struct rill_water_model model = reference_model();
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report, again;
  static double one[9 * N], other[9 * N];
  double first;
  options.hops = 30;
  do { /* Rounding decides where a search ends: some seed has its lowest energy not in the first trial. */
    options.seed++;
    options.trials = 1;
    ck_assert_int_eq(rill_water_build_cluster(&model, N, &options, one, &report, &error), RILL_OK);
    first = energy_of(&report.minimum);
    options.trials = TRIALS;
    ck_assert_int_eq(rill_water_build_cluster(&model, N, &options, one, &report, &error), RILL_OK);
  } while (report.best_trial == 1 && options.seed < 20);
  ck_assert_uint_eq(report.trials, TRIALS);
  ck_assert_uint_eq(report.minimisations, TRIALS * options.hops);
  ck_assert_uint_gt(report.best_trial, 1);
  ck_assert_double_lt(energy_of(&report.minimum), first - 0.01);
  for (options.threads = 2; options.threads <= 4; options.threads++) {
    ck_assert_int_eq(rill_water_build_cluster(&model, N, &options, other, &again, &error), RILL_OK);
    ck_assert_mem_eq(one, other, sizeof one);
    ck_assert_uint_eq(again.found, report.found);
    ck_assert_uint_eq(again.best_trial, report.best_trial);
  }
  options.trials = report.best_trial - 1; /* without it another is the lowest */
  ck_assert_int_eq(rill_water_build_cluster(&model, N, &options, other, &again, &error), RILL_OK);
  ck_assert_double_gt(energy_of(&again.minimum), energy_of(&report.minimum) + 1e-6);
  options = rill_build_defaults(); /* all trials find the minimum of four molecules */
  options.trials = TRIALS;
  ck_assert_int_eq(rill_water_build_cluster(&model, 4, &options, other, &again, &error), RILL_OK);
  ck_assert_uint_eq(again.found, TRIALS);
  ck_assert_uint_eq(again.best_trial, 1);
  options.trials = 0;
  ck_assert_int_eq(rill_water_build_cluster(&model, 4, &options, other, &again, &error), RILL_ERROR_USAGE);
}
END_TEST

/* A ring of four, each donating to the next: reversed, each donates to the one before, and turned twice it is back.
 */
START_TEST(rings_are_reversed) {
  const struct rill_water_model model = reference_model();
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report;
  const struct rill_noise noise = rill_noise_create(1, RILL_STREAM_TEST);
  double ring[36], turned[36];
  ck_assert_int_eq(rill_water_build_cluster(&model, 4, &options, ring, &report, &error), RILL_OK);
  memcpy(turned, ring, sizeof ring);
  ck_assert(rill_network_reverse_ring(&noise, 7, 0, 4, turned));
  ck_assert_double_lt(rill_water_deviation(&model, turned, 4, NULL), 1e-12);
  for (size_t m = 0; m < 4; m++) {
    size_t before = 4, after = 4; /* the molecules that m's hydrogens are bonded to */
    for (size_t k = 0; k < 4; k++)
      for (size_t h = 1; h < 3 && k != m; h++) {
        double old[3], new[3];
        for (size_t c = 0; c < 3; c++) {
          old[c] = ring[9 * m + 3 * h + c] - ring[9 * k + c];
          new[c] = turned[9 * m + 3 * h + c] - turned[9 * k + c];
        }
        if (hypot(hypot(old[0], old[1]), old[2]) < 0.25) before = k;
        if (hypot(hypot(new[0], new[1]), new[2]) < 0.25) after = k;
      }
    ck_assert_uint_lt(before, 4);
    ck_assert_uint_lt(after, 4);
    ck_assert_uint_ne(before, after);
    ck_assert_mem_eq(ring + 9 * m, turned + 9 * m, 3 * sizeof *ring); /* oxygens stay */
  }
}
END_TEST

START_TEST(building_can_be_stopped_and_refused) {
  const struct rill_water_model model = reference_model();
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_progress last;
  struct rill_build_report report;
  double positions[9 * 40] = {0};
  ck_assert_int_eq(rill_water_build_cluster(&model, 0, &options, positions, &report, &error), RILL_ERROR_USAGE);
  options.observe = stop_at_third;
  options.context = &last;
  ck_assert_int_eq(rill_water_build_cluster(&model, 7, &options, positions, &report, &error), RILL_OK);
  ck_assert_uint_eq(last.done, 3);
  ck_assert_uint_eq(report.minimisations, 3);
  ck_assert_double_lt(energy_of(&report.minimum), last.energy + 1e-9);
  ck_assert_int_eq(rill_water_build_cluster(&model, 40, &options, positions, &report, &error), RILL_OK);
  ck_assert_uint_eq(last.iteration, 2);
  ck_assert_int_eq(report.minimum.reason, RILL_MINIMIZE_STOPPED);
}
END_TEST

/* --- in a box ----------------------------------------------------------------------------------------------------
 */

static const double cube[3][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
static const double skew[3][3] = {{2, 0, 0}, {0.9, 2.2, 0}, {-0.8, 1, 2.1}};

/* Molecules at random, each in some image of the box: far apart on average, or close. */
static void scatter(const double box[3][3], size_t molecules, uint64_t seed, double *positions) {
  const struct rill_water_model model = reference_model();
  const struct rill_water_shape shape = rill_water_shape_of(&model);
  const struct rill_noise noise = rill_noise_create(seed, RILL_STREAM_TEST);
  for (size_t m = 0; m < molecules; m++) {
    double u[4], image[4], turn[4], centre[3] = {0};
    struct rill_pose pose;
    rill_noise_uniform(&noise, 0, (uint32_t)m, 0, u);
    rill_noise_uniform(&noise, 0, (uint32_t)m, 1, image);
    rill_noise_uniform(&noise, 0, (uint32_t)m, 2, turn);
    for (int i = 0; i < 3; i++)
      for (int c = 0; c < 3; c++) centre[c] += (u[i] + floor(5 * image[i]) - 2) * box[i][c];
    pose = rill_pose_random(centre, turn);
    rill_pose_to_atoms(&shape, &pose, positions + RILL_COORDINATES * m);
  }
}

/* Cells against plain loops over molecules, images and sites. */
START_TEST(the_closest_contact_is_found) {
  enum { MOST = 40, IMAGES = 6 };
  static double positions[RILL_COORDINATES * MOST];
  for (int b = 0; b < 3; b++)
    for (size_t molecules = 2; molecules <= MOST; molecules += 19)
      for (int all = 0; all < 2; all++) {
        const double(*box)[3] = b == 0 ? cube : skew;
        const int images = b == 2 ? 0 : IMAGES;
        struct rill_contact contact, expected = {.distance = INFINITY};
        scatter(box, molecules, 3 * molecules + (uint64_t)b, positions);
        for (size_t i = 0; i < molecules; i++)
          for (size_t j = i + 1; j < molecules; j++)
            for (int k = 0; k < (2 * images + 1) * (2 * images + 1) * (2 * images + 1); k++)
              for (size_t site = 0; site < (all ? 9U : 1U); site++) {
                const int step[3] = {k % (2 * images + 1) - images, k / (2 * images + 1) % (2 * images + 1) - images,
                                     k / (2 * images + 1) / (2 * images + 1) - images};
                double squared = 0;
                for (size_t c = 0; c < 3; c++) {
                  double x = positions[9 * i + 3 * (site / 3) + c] - positions[9 * j + 3 * (site % 3) + c];
                  for (int d = 0; d < 3; d++) x += step[d] * box[d][c];
                  squared += x * x;
                }
                if (squared < expected.distance) expected = (struct rill_contact){i, j, squared};
              }
        ck_assert_int_eq(rill_closest_contact(positions, molecules, b == 2 ? NULL : box,
                                              all ? RILL_CONTACT_ALL_SITES : RILL_CONTACT_OXYGENS, &contact, &error),
                         RILL_OK);
        ck_assert_double_eq_tol(contact.distance, sqrt(expected.distance), 1e-12);
        ck_assert_uint_eq(contact.first, expected.first);
        ck_assert_uint_eq(contact.second, expected.second);
      }
  for (size_t molecules = 0; molecules < 2; molecules++) {
    struct rill_contact contact;
    ck_assert_int_eq(rill_closest_contact(positions, molecules, cube, RILL_CONTACT_OXYGENS, &contact, &error),
                     RILL_OK);
    ck_assert(isinf(contact.distance));
  }
}
END_TEST

/* Oxygens that turn their hydrogens away, and others that are farther apart, but whose hydrogens are nearer. */
START_TEST(the_closest_contact_may_be_of_distant_oxygens) {
  const double b = 0.09572;
  const double positions[4][3][3] = {{{0, 0, 0}, {-b, 0, 0}, {0, -b, 0}},
                                     {{0.3, 0, 0}, {0.3 + b, 0, 0}, {0.3, b, 0}},
                                     {{5, 0, 0}, {5 + b, 0, 0}, {5, -b, 0}},
                                     {{5.45, 0, 0}, {5.45 - b, 0, 0}, {5.45, b, 0}}};
  struct rill_contact contact;
  ck_assert_int_eq(rill_closest_contact(&positions[0][0][0], 4, NULL, RILL_CONTACT_ALL_SITES, &contact, &error),
                   RILL_OK);
  ck_assert_uint_eq(contact.first, 2);
  ck_assert_uint_eq(contact.second, 3);
  ck_assert_double_eq_tol(contact.distance, 0.45 - 2 * b, 1e-12);
  ck_assert_int_eq(rill_closest_contact(&positions[0][0][0], 4, NULL, RILL_CONTACT_OXYGENS, &contact, &error),
                   RILL_OK);
  ck_assert_uint_eq(contact.first, 0);
  ck_assert_double_eq_tol(contact.distance, 0.3, 1e-12);
}
END_TEST

/* A lattice of oxygens, 0.31 nm apart along each vector of a box, each with two hydrogens on it, in other images. */
static void fill_lattice(const double box[3][3], size_t edge, bool images, double *positions) {
  for (size_t m = 0; m < edge * edge * edge; m++) {
    const size_t place[3] = {m / edge / edge, m / edge % edge, m % edge};
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      double x = 0;
      for (size_t i = 0; i < 3; i++)
        x += ((double)place[i] / (double)edge + (images ? (double)((m + i) % 3) - 1 : 0)) * box[i][k % 3];
      positions[RILL_COORDINATES * m + k] = x;
    }
  }
}

/* Boxes that are searched in slabs: one molecule is moved towards its neighbour along c, or, from the last
 * layer, towards the next image of the first one. */
START_TEST(the_closest_contact_of_many_is_found) {
  enum { EDGE = 34, MOLECULES = EDGE * EDGE * EDGE };
  static const double edge = 0.31 * EDGE, near = 0.2;
  const double shapes[2][3][3] = {{{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}},
                                  {{edge, 0, 0}, {0.3 * edge, edge, 0}, {-0.2 * edge, 0.4 * edge, edge}}};
  double *positions = rill_allocate(RILL_COORDINATES * MOLECULES, sizeof *positions);
  for (int shape = 0; shape < 3; shape++) { /* the last one: without a box */
    const double(*box)[3] = shapes[shape % 2];
    const double length = sqrt(box[2][0] * box[2][0] + box[2][1] * box[2][1] + box[2][2] * box[2][2]);
    fill_lattice(box, EDGE, shape < 2, positions);
    for (size_t at = 0; at < (shape < 2 ? 8U : 7U); at++) {
      static const size_t layers[] = {0, 1, 9, 15, 16, 17, 32, 33}; /* slabs meet between 16 and 17, 33 and 0 */
      const size_t layer = layers[at];
      const size_t moved = EDGE * (EDGE * (layer % 5) + layer) + layer;
      const size_t other = moved - layer + (layer + 1) % EDGE;
      double *x = positions + RILL_COORDINATES * moved, kept[RILL_COORDINATES];
      struct rill_contact contact;
      memcpy(kept, x, sizeof kept);
      for (size_t k = 0; k < RILL_COORDINATES; k++) x[k] += box[2][k % 3] * (1.0 / EDGE - near / length);
      ck_assert_int_eq(
          rill_closest_contact(positions, MOLECULES, shape < 2 ? box : NULL, RILL_CONTACT_OXYGENS, &contact, &error),
          RILL_OK);
      ck_assert_double_eq_tol(contact.distance, near, 1e-12);
      ck_assert_uint_eq(contact.first, moved < other ? moved : other);
      ck_assert_uint_eq(contact.second, moved < other ? other : moved);
      memcpy(x, kept, sizeof kept);
    }
  }
  positions[RILL_COORDINATES * 1234 + 2] = NAN;
  {
    struct rill_contact contact;
    ck_assert_int_eq(rill_closest_contact(positions, MOLECULES, shapes[0], RILL_CONTACT_OXYGENS, &contact, &error),
                     RILL_ERROR_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "molecule 1235 "));
  }
  rill_release(positions);
}
END_TEST

/* A liquid in a cube, in double: its forces good enough for a minimum. */
static struct rill_field_options field_of(const double box[3][3], enum rill_precision precision) {
  struct rill_field_options field = {.periodic = true};
  memcpy(field.box.box, box, sizeof field.box.box);
  field.box.cutoff = 0.9;
  field.box.coulomb = RILL_COULOMB_EWALD;
  field.box.beta = 3.9;
  field.box.precision = precision;
  field.mesh = (struct rill_pme_parameters){
      .beta = 3.9,
      .order = 6,
      .grid = {24, 24, 24},
      .precision = precision == RILL_PRECISION_MIXED ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE};
  return field;
}

static size_t build_cube(uint64_t seed, int threads, double *positions) {
  const struct rill_water_model model = reference_model();
  const struct rill_field_options field = field_of(cube, RILL_PRECISION_MIXED);
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report;
  const size_t molecules = 264;
  options.seed = seed;
  options.threads = threads;
  ck_assert_int_eq(rill_water_build_box(&model, molecules, &field, &options, positions, &report, &error), RILL_OK);
  ck_assert_int_eq(report.minimum.reason, RILL_MINIMIZE_CONVERGED);
  ck_assert_double_lt(report.minimum.maximum_force, report.force_tolerance);
  ck_assert_double_lt(report.minimum.after.lj + report.minimum.after.coulomb, -36.0 * (double)molecules);
  ck_assert_double_gt(report.closest_oxygens, 0.22); /* the repulsion there is above 30 kJ/mol */
  ck_assert_double_lt(rill_water_deviation(&model, positions, molecules, NULL), 1e-13);
  return molecules;
}

/* The same seed, the same bytes, for any number of threads; another seed, another box. */
START_TEST(boxes_are_built_alike) {
  static double one[RILL_COORDINATES * 264], other[RILL_COORDINATES * 264];
  const size_t molecules = build_cube(1, 1, one);
  for (int threads = 2; threads <= 3; threads++) {
    build_cube(1, threads, other);
    ck_assert_int_eq(memcmp(one, other, sizeof one), 0);
  }
  build_cube(2, 1, other);
  ck_assert_int_ne(memcmp(one, other, sizeof one), 0);
  ck_assert_uint_eq(molecules, 264);
}
END_TEST

/* Down to a force that the cutoff's steps of the energy allow; the same minimum when molecules are written at other
 * images; and with them in place, the energy of the field itself. */
START_TEST(a_box_comes_to_its_minimum) {
  static double positions[RILL_COORDINATES * 264], moved[RILL_COORDINATES * 264];
  const struct rill_water_model model = reference_model();
  const struct rill_field_options field = field_of(cube, RILL_PRECISION_DOUBLE);
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report, again;
  const size_t molecules = build_cube(1, 1, positions);
  for (size_t m = 0; m < molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      moved[RILL_COORDINATES * m + k] = positions[RILL_COORDINATES * m + k] + 2 * ((double)(m % 3) - 1);
  options.box = &field;
  options.force_tolerance = 20;
  ck_assert_int_eq(rill_water_minimize(&model, molecules, &options, positions, &report, &error), RILL_OK);
  ck_assert_int_eq(report.reason, RILL_MINIMIZE_CONVERGED);
  ck_assert_double_lt(report.maximum_force, 20);
  ck_assert_double_lt(report.after.lj + report.after.coulomb, -46.0 * (double)molecules);
  options.maximum_iterations = 3;
  ck_assert_int_eq(rill_water_minimize(&model, molecules, &options, moved, &again, &error), RILL_OK);
  ck_assert_double_eq_tol((again.before.lj + again.before.coulomb) / (report.before.lj + report.before.coulomb), 1,
                          1e-9);
  ck_assert_int_eq(again.reason, RILL_MINIMIZE_ITERATION_LIMIT);
}
END_TEST

/* A large box consists of copies, of which two lack a molecule; nothing overlaps where they meet. */
START_TEST(a_large_box_is_filled_with_copies) {
  enum { MOLECULES = 33334, COPIES = 8 };
  static const double box[3][3] = {{10, 0, 0}, {0, 10.1, 0}, {0, 0, 10.2}};
  const struct rill_water_model model = reference_model();
  const struct rill_field_options field = field_of(box, RILL_PRECISION_MIXED);
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report;
  struct rill_contact contact;
  double *positions = rill_allocate(MOLECULES, RILL_COORDINATES * sizeof *positions);
  size_t inside[COPIES] = {0}, full = 0;
  ck_assert_ptr_nonnull(positions);
  ck_assert_int_eq(rill_water_build_box(&model, MOLECULES, &field, &options, positions, &report, &error), RILL_OK);
  ck_assert_uint_eq(report.copies, COPIES);
  ck_assert_int_eq(rill_closest_contact(positions, MOLECULES, box, RILL_CONTACT_OXYGENS, &contact, &error), RILL_OK);
  ck_assert_double_gt(contact.distance, 0.22);
  ck_assert_double_eq_tol(contact.distance, report.closest_oxygens, 1e-12);
  for (size_t m = 0; m < MOLECULES; m++) {
    size_t octant = 0;
    for (size_t c = 0; c < 3; c++) {
      const double x = positions[RILL_COORDINATES * m + c] / box[c][c];
      octant += (size_t)(x - floor(x) >= 0.5) << (2 - c);
    }
    inside[octant]++;
  }
  for (size_t k = 0; k < COPIES; k++) {
    ck_assert_uint_ge(inside[k], MOLECULES / COPIES - 60); /* those near a face may have crossed it */
    full += inside[k];
  }
  ck_assert_uint_eq(full, MOLECULES);
  rill_release(positions);
}
END_TEST

START_TEST(boxes_that_cannot_be) {
  static double positions[RILL_COORDINATES * 2] = {7};
  const struct rill_water_model model = reference_model();
  struct rill_field_options field = field_of(cube, RILL_PRECISION_MIXED);
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report;
  ck_assert_int_eq(rill_water_build_box(&model, 0, &field, &options, positions, &report, &error), RILL_ERROR_USAGE);
  field.box.cutoff = 1.1;
  ck_assert_int_eq(rill_water_build_box(&model, 2, &field, &options, positions, &report, &error), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "cutoff"));
  ck_assert_double_eq(positions[0], 7);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("relax");
  TCase *cases = tcase_create("relax");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, pose_and_atoms_agree);
  tcase_add_test(cases, rotation_vectors_rotate);
  tcase_add_loop_test(cases, minima_are_found_again, 0, MINIMA);
  tcase_add_test(cases, a_wall_is_part_of_the_potential);
  tcase_add_test(cases, energy_is_invariant);
  tcase_add_loop_test(cases, energy_never_rises, 1, 5);
  tcase_add_test(cases, tight_tolerance_ends_at_round_off);
  tcase_add_test(cases, limit_and_stop_are_reported);
  tcase_add_test(cases, one_molecule_needs_nothing);
  tcase_add_loop_test(cases, overlapping_molecules_separate, 0, 6);
  tcase_add_loop_test(cases, coinciding_molecules_are_refused, 0, 3);
  tcase_add_loop_test(cases, overlaps_are_pushed_apart, 0, 2);
  tcase_add_test(cases, unusable_input_is_refused);
  tcase_add_loop_test(cases, clusters_are_sound, 0, CLUSTERS);
  tcase_add_loop_test(cases, small_clusters_are_the_global_minima, 0, MINIMA);
  tcase_add_test(cases, building_can_be_stopped_and_refused);
  tcase_add_test(cases, trials_are_independent);
  tcase_add_test(cases, rings_are_reversed);
  tcase_add_test(cases, the_closest_contact_is_found);
  tcase_add_test(cases, the_closest_contact_of_many_is_found);
  tcase_add_test(cases, the_closest_contact_may_be_of_distant_oxygens);
  tcase_add_test(cases, boxes_are_built_alike);
  tcase_add_test(cases, a_box_comes_to_its_minimum);
  tcase_add_test(cases, a_large_box_is_filled_with_copies);
  tcase_add_test(cases, boxes_that_cannot_be);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

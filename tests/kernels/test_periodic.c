/* Forces of water in a periodic box, real space: against an independent program, against derivatives, kernels against
 * the plain loops, and what must not change a byte: threads, lists, lattice vectors, how a box is written. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/units.h"
#include "suite.h"
#include "water/forces/excluded.h"
#include "water/forces/lennard_jones.h"
#include "water/forces/periodic.h"
#include "water/pme/pme.h"
#include "water/water_field.h"

enum { LINE = 2048 };

struct liquid {
  size_t molecules, stride;
  double box[3][3];
  double *q, *f, *lj_force; /* the last [3][stride], of the oxygens, kept by the file */
  double *force;            /* [9][stride], all of it */
};

/* A row of boxes.csv, in nm and kJ/mol. */
struct expected {
  double alpha, real_cut, real, excluded, coulomb, lj, lj_shift, lj_tail, virial[9], pressure, tail_pressure;
};

static struct rill_error error;

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (double)(*state >> 11) * 0x1p-53;
}

static struct liquid make_liquid(size_t molecules) {
  struct liquid liquid = {.molecules = molecules, .stride = rill_padded(molecules)};
  liquid.q = rill_allocate(RILL_COORDINATES * liquid.stride, sizeof(double));
  liquid.f = rill_allocate(RILL_COORDINATES * liquid.stride, sizeof(double));
  liquid.force = rill_allocate(RILL_COORDINATES * liquid.stride, sizeof(double));
  liquid.lj_force = rill_allocate(3 * liquid.stride, sizeof(double));
  ck_assert(liquid.q != NULL && liquid.f != NULL && liquid.lj_force != NULL && liquid.force != NULL);
  /* What stands beyond the molecules must not matter. */
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = molecules; m < liquid.stride; m++) liquid.q[k * liquid.stride + m] = NAN;
  return liquid;
}

static void release(struct liquid *liquid) {
  rill_release(liquid->q);
  rill_release(liquid->f);
  rill_release(liquid->lj_force);
  rill_release(liquid->force);
}

static FILE *open_data(const char *name) {
  char path[2 * LINE];
  FILE *file;
  snprintf(path, sizeof path, "%s/tests/data/energies/%s", RILL_SOURCE_DIR, name);
  file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s", path);
  return file;
}

static struct liquid read_liquid(const char *name, struct expected *expected) {
  char line[LINE], *at;
  FILE *file = open_data("boxes.csv");
  double value[50] = {0};
  struct liquid liquid = {0};
  size_t atom = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0 || line[length] != ',') continue;
    at = line + length;
    for (int k = 0; k < 50 && *at == ','; k++) value[k] = strtod(at + 1, &at);
  }
  fclose(file);
  ck_assert_msg(value[0] > 0.0, "%s is not in boxes.csv", name);
  liquid = make_liquid((size_t)value[0]);
  for (int k = 0; k < 9; k++) liquid.box[k / 3][k % 3] = value[1 + k] * RILL_ANGSTROM;
  *expected = (struct expected){.alpha = value[11] / RILL_ANGSTROM,
                                .real_cut = value[12] * RILL_ANGSTROM,
                                .real = value[13] * RILL_KCAL,
                                .excluded = value[16] * RILL_KCAL,
                                .coulomb = value[10] * RILL_KCAL,
                                .lj = value[35] * RILL_KCAL,
                                .lj_shift = value[36] * RILL_KCAL,
                                .lj_tail = value[37] * RILL_KCAL,
                                .pressure = value[48] * RILL_BAR,
                                .tail_pressure = value[49] * RILL_BAR};
  for (int k = 0; k < 9; k++) expected->virial[k] = value[39 + k] * RILL_KCAL;
  snprintf(line, sizeof line, "%s_forces.csv", name);
  file = open_data(line);
  while (fgets(line, sizeof line, file) != NULL) {
    double x[9];
    char element;
    if (sscanf(line, "%*d,%c,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &element, x, x + 1, x + 2, x + 3, x + 4, x + 5,
               x + 6, x + 7, x + 8) != 10)
      continue;
    for (size_t c = 0; c < 3; c++) {
      liquid.q[(3 * (atom % 3) + c) * liquid.stride + atom / 3] = x[c] * RILL_ANGSTROM;
      liquid.force[(3 * (atom % 3) + c) * liquid.stride + atom / 3] =
          (x[3 + c] + x[6 + c]) * RILL_KCAL / RILL_ANGSTROM;
      if (atom % 3 == 0) liquid.lj_force[c * liquid.stride + atom / 3] = x[3 + c] * RILL_KCAL / RILL_ANGSTROM;
    }
    atom++;
  }
  fclose(file);
  ck_assert_uint_eq(atom, RILL_ATOMS * liquid.molecules);
  return liquid;
}

static struct rill_water_model find_model(double coulomb_kcal) {
  struct rill_water_model model;
  ck_assert(rill_water_model_find("tip3p", coulomb_kcal * RILL_KCAL * RILL_ANGSTROM, &model, &error) == RILL_OK);
  return model;
}

/* Molecules near a lattice in any box, all turned differently. */
static struct liquid random_liquid(const struct rill_water_model *model, size_t side, const double box[3][3],
                                   uint64_t seed) {
  struct liquid liquid = make_liquid(side * side * side);
  const double half = 0.5 * model->bond[2], height = sqrt(model->bond[0] * model->bond[0] - half * half);
  memcpy(liquid.box, box, sizeof liquid.box);
  for (size_t m = 0; m < liquid.molecules; m++) {
    const size_t cell[3] = {m % side, m / side % side, m / side / side};
    double along[3], across[3], fraction[3], norm = 0.0, overlap = 0.0;
    for (int c = 0; c < 3; c++) {
      along[c] = uniform(&seed) - 0.5;
      across[c] = uniform(&seed) - 0.5;
      norm += along[c] * along[c];
      fraction[c] = ((double)cell[c] + 0.15 * uniform(&seed)) / (double)side;
    }
    for (int c = 0; c < 3; c++) along[c] /= sqrt(norm);
    for (int c = 0; c < 3; c++) overlap += along[c] * across[c];
    norm = 0.0;
    for (int c = 0; c < 3; c++) {
      across[c] -= overlap * along[c];
      norm += across[c] * across[c];
    }
    for (size_t c = 0; c < 3; c++) {
      double o = 0.0;
      for (int i = 0; i < 3; i++) o += fraction[i] * box[i][c];
      across[c] /= sqrt(norm);
      liquid.q[c * liquid.stride + m] = o;
      liquid.q[(3 + c) * liquid.stride + m] = o + height * along[c] + half * across[c];
      liquid.q[(6 + c) * liquid.stride + m] = o + height * along[c] - half * across[c];
    }
  }
  return liquid;
}

static struct rill_periodic_options options_for(const struct liquid *liquid, double cutoff) {
  struct rill_periodic_options options = {.cutoff = cutoff,
                                          .coulomb = RILL_COULOMB_EWALD,
                                          .beta = 3.1235 / cutoff,
                                          .lj = RILL_LJ_CUT,
                                          .switch_from = 0.8 * cutoff,
                                          .precision = RILL_PRECISION_DOUBLE,
                                          .isa = rill_isa_best(),
                                          .threads = 1};
  memcpy(options.box, liquid->box, sizeof options.box);
  return options;
}

static struct rill_periodic *create(const struct rill_water_model *model, const struct liquid *liquid,
                                    const struct rill_periodic_options *options) {
  struct rill_periodic *periodic;
  ck_assert_msg(rill_periodic_create(model, liquid->molecules, liquid->stride, options, &periodic, &error) == RILL_OK,
                "%s", error.text);
  return periodic;
}

static struct rill_periodic_energies evaluate(const struct rill_water_model *model, struct liquid *liquid,
                                              const struct rill_periodic_options *options) {
  struct rill_periodic_energies energies;
  struct rill_periodic *periodic = create(model, liquid, options);
  ck_assert_msg(rill_periodic_evaluate(periodic, liquid->q, liquid->f, &energies, &error) == RILL_OK, "%s",
                error.text);
  rill_periodic_destroy(periodic);
  return energies;
}

static void assert_near(const char *what, double found, double expected, double tolerance) {
  ck_assert_msg(fabs(found - expected) <= tolerance, "%s: %.12g, expected %.12g within %.2g (off by %.2g)", what,
                found, expected, tolerance, found - expected);
}

/* ---- against the independent program ---- */

static const char *const boxes[] = {"p216", "p895", "p210_dodeca"};

/* The energies printed there have 1e-12 relative; Ewald's real part there is cut by atoms at a distance where it has
 * fallen below 1e-17. */
START_TEST(reference_energies) {
  const struct rill_water_model model = find_model(332.06371);
  struct expected expected;
  struct liquid liquid = read_liquid(boxes[_i], &expected);
  struct rill_periodic_options options = options_for(&liquid, expected.real_cut);
  struct rill_periodic_energies e;
  options.reference = 1;
  options.beta = expected.alpha;
  e = evaluate(&model, &liquid, &options);
  assert_near("real-space energy", e.coulomb, expected.real, 1e-11 * fabs(expected.real));
  assert_near("excluded energy", e.excluded, expected.excluded, 1e-11 * fabs(expected.excluded));
  options.cutoff = 0.9;
  options.tail = 1;
  e = evaluate(&model, &liquid, &options);
  assert_near("Lennard-Jones", e.lj, expected.lj, 1e-10 * fabs(expected.lj));
  assert_near("tail", e.lj_tail, expected.lj_tail, 1e-11 * fabs(expected.lj_tail));
  assert_near("tail pressure", e.tail_virial / (3.0 * options.box[0][0] * options.box[1][1] * options.box[2][2]),
              expected.tail_pressure, 1e-11 * fabs(expected.tail_pressure));
  options.lj = RILL_LJ_SHIFT;
  e = evaluate(&model, &liquid, &options);
  assert_near("shifted Lennard-Jones", e.lj, expected.lj_shift, 1e-10 * fabs(expected.lj_shift));
  release(&liquid);
}
END_TEST

/* What the tail adds is 2 pi N rho times the integral of what was left out, of the energy and of its virial -r d/dr:
 * against Simpson's rule in r, and in 1/r beyond the cutoff. */
START_TEST(tails_are_integrals) {
  static const enum rill_lj_kind kinds[] = {RILL_LJ_CUT, RILL_LJ_SHIFT, RILL_LJ_SWITCH};
  enum { POINTS = 2000 };
  const struct rill_water_model model = find_model(332.06371);
  const double cutoff = 0.9, molecules = 216, volume = 6.46, pi = 3.14159265358979323846;
  const struct rill_lennard_jones whole = rill_lennard_jones_create(&model, RILL_LJ_CUT, cutoff, cutoff);
  const struct rill_lennard_jones used = rill_lennard_jones_create(&model, kinds[_i], cutoff, 0.75);
  double e = 0, w = 0, energy, virial;
  for (int k = 0; k <= POINTS; k++) {
    const double weight = (k == 0 || k == POINTS ? 1 : k % 2 ? 4 : 2) / (3.0 * POINTS), t = (double)k / POINTS;
    const double inside = 0.25 + (cutoff - 0.25) * t, beyond = t > 0 ? cutoff / t : INFINITY;
    double of_whole, of_used, left;
    left = rill_lennard_jones_at(&whole, inside, &of_whole) - rill_lennard_jones_at(&used, inside, &of_used);
    e += weight * (cutoff - 0.25) * left * inside * inside;
    w += weight * (cutoff - 0.25) * (of_whole - of_used) * pow(inside, 4);
    if (k == 0) continue;
    left = rill_lennard_jones_at(&whole, beyond, &of_whole);
    e += weight * left * pow(beyond, 4) / cutoff;
    w += weight * of_whole * pow(beyond, 6) / cutoff;
  }
  e += used.constant * pow(0.25, 3) / 3; /* below, where the pieces differ by the constant alone */
  rill_lennard_jones_tail(&used, molecules, volume, &energy, &virial);
  assert_near("tail energy", energy, 2 * pi * molecules * molecules / volume * e, 1e-6 * fabs(energy));
  assert_near("tail virial", virial, 2 * pi * molecules * molecules / volume * w, 1e-6 * fabs(virial));
}
END_TEST

/* At the cutoff the reaction field leaves of the force 3 / (2 epsilon + 1), and nothing of the energy; 0: a
 * conductor. */
START_TEST(reaction_fields) {
  static const double dielectric[] = {0.0, 1.0, 2.0, 78.5};
  const double cutoff = 0.9;
  for (int k = 0; k < 4; k++) {
    const struct rill_smooth smooth = rill_smooth_create(RILL_COULOMB_REACTION_FIELD, 0.0, cutoff, dielectric[k]);
    const double left = k == 0 ? 0 : 3 / (2 * dielectric[k] + 1);
    const double slope = rill_smooth_derivative(&smooth, cutoff * cutoff, 1); /* in r2 */
    assert_near("force at the cutoff", 1 / (cutoff * cutoff) + 2 * cutoff * slope, left / (cutoff * cutoff), 1e-14);
    assert_near("energy at the cutoff", rill_smooth_derivative(&smooth, cutoff * cutoff, 0), 1 / cutoff, 1e-14);
  }
}
END_TEST

/* What a molecule has left of itself in the smooth part, near its own shape and stretched far from it. */
START_TEST(excluded_pairs) {
  const struct rill_water_model model = find_model(332.06371);
  const double beta = 3.5, stretch[] = {1, 1.01, 1.3, 3};
  const struct rill_smooth smooth = rill_smooth_create(RILL_COULOMB_EWALD, beta, 0.9, 0);
  const struct rill_excluded excluded = rill_excluded_create(&model, &smooth);
  for (int k = 0; k < 4; k++) {
    const double shape[9] = {0, 0, 0, 0.09572, 0, 0, -0.024, 0.0927, 0};
    double q[9], f[9] = {0}, expected[9] = {0}, energy = 0;
    for (int c = 0; c < 9; c++) q[c] = stretch[k] * shape[c];
    for (int a = 0; a < RILL_ATOMS; a++)
      for (int b = a + 1; b < RILL_ATOMS; b++) {
        const double d[3] = {q[3 * a] - q[3 * b], q[3 * a + 1] - q[3 * b + 1], q[3 * a + 2] - q[3 * b + 2]};
        const double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), value = erf(beta * r) / r;
        const double charges = model.coulomb_constant * model.charge[a] * model.charge[b];
        const double slope = (beta * M_2_SQRTPI * exp(-beta * beta * r * r) - value) / r;
        energy -= charges * value;
        for (int c = 0; c < 3; c++) {
          expected[3 * a + c] += charges * slope * d[c] / r;
          expected[3 * b + c] -= charges * slope * d[c] / r;
        }
      }
    struct rill_exact_sum sum = {0};
    rill_excluded_add(&excluded, 1, 0, 1, q, f, &sum);
    assert_near("excluded energy", rill_exact_value(&sum), energy, 1e-12 * fabs(energy));
    for (int c = 0; c < 9; c++) assert_near("excluded force", f[c], expected[c], 1e-11 * fabs(energy));
  }
}
END_TEST

/* S = 3/(2 c) - r^2/(2 c^3) for the cutoff c, in surroundings that conduct. */
START_TEST(excluded_pairs_of_a_reaction_field) {
  const struct rill_water_model model = find_model(332.06371);
  const double cutoff = 0.9, slope = 0.5 / (cutoff * cutoff * cutoff), constant = 1.5 / cutoff;
  const struct rill_smooth smooth = rill_smooth_create(RILL_COULOMB_REACTION_FIELD, 0, cutoff, 0);
  const struct rill_excluded excluded = rill_excluded_create(&model, &smooth);
  ck_assert_int_eq(excluded.terms, 2);
  for (double stretch = 1; stretch < 4; stretch += 0.7) {
    const double shape[9] = {0, 0, 0, 0.09572, 0, 0, -0.024, 0.0927, 0};
    double q[9], f[9] = {0}, unwanted[9] = {0}, expected[9] = {0}, energy = 0;
    struct rill_exact_sum sum = {0};
    for (int c = 0; c < 9; c++) q[c] = stretch * shape[c];
    for (int a = 0; a < RILL_ATOMS; a++) {
      energy -= 0.5 * model.coulomb_constant * model.charge[a] * model.charge[a] * constant;
      for (int b = a + 1; b < RILL_ATOMS; b++) {
        const double charges = model.coulomb_constant * model.charge[a] * model.charge[b];
        double r2 = 0;
        for (int c = 0; c < 3; c++) {
          const double d = q[3 * a + c] - q[3 * b + c];
          r2 += d * d;
          expected[3 * a + c] -= 2 * charges * slope * d;
          expected[3 * b + c] += 2 * charges * slope * d;
        }
        energy += charges * (slope * r2 - constant);
      }
    }
    rill_excluded_add(&excluded, 1, 0, 1, q, f, &sum);
    rill_excluded_add(&excluded, 1, 0, 1, q, unwanted, NULL);
    assert_near("excluded energy", rill_exact_value(&sum), energy, 1e-12 * model.coulomb_constant);
    for (int c = 0; c < 9; c++) assert_near("excluded force", f[c], expected[c], 1e-12 * model.coulomb_constant);
    ck_assert_mem_eq(unwanted, f, sizeof f);
  }
}
END_TEST

/* Without charges only Lennard-Jones is left; the file has 12 digits. */
START_TEST(reference_lj_forces) {
  struct rill_water_model model = find_model(332.06371);
  struct expected expected;
  struct liquid liquid = read_liquid(boxes[_i], &expected);
  for (int kernel = 0; kernel < 2; kernel++) {
    struct rill_periodic_options options = options_for(&liquid, 0.9);
    options.reference = kernel == 0;
    model.charge[0] = model.charge[1] = model.charge[2] = 0.0;
    evaluate(&model, &liquid, &options);
    for (size_t c = 0; c < 3; c++)
      for (size_t m = 0; m < liquid.molecules; m++) {
        assert_near("force on an oxygen", liquid.f[c * liquid.stride + m], liquid.lj_force[c * liquid.stride + m],
                    2e-8);
        ck_assert(liquid.f[(3 + c) * liquid.stride + m] == 0.0);
      }
  }
  release(&liquid);
}
END_TEST

/* With the mesh's part: the whole energy, forces, molecular virial and pressure.  Order 12 on 0.05 nm errs below
 * 1e-8. */
START_TEST(whole_with_mesh) {
  const struct rill_water_model model = find_model(332.06371);
  struct expected expected;
  struct liquid liquid = read_liquid(boxes[_i], &expected);
  struct rill_periodic_options options = options_for(&liquid, 0.9);
  struct rill_pme_parameters mesh = {.beta = 6.0, .order = 12, .precision = RILL_MESH_DOUBLE};
  struct rill_pme_energies r;
  struct rill_periodic_energies e;
  struct rill_pme *pme;
  double trace = 0.0, size2 = 0.0, off2 = 0.0;
  const double volume = options.box[0][0] * options.box[1][1] * options.box[2][2];
  options.beta = mesh.beta;
  options.by_atom = 1;
  options.tail = 1;
  options.excluded_elsewhere = 1;
  for (int i = 0; i < 3; i++) mesh.grid[i] = 2 * (size_t)ceil(options.box[i][i] / 0.08);
  ck_assert_msg(rill_pme_create(&model, liquid.molecules, liquid.stride, options.box, &mesh, rill_isa_best(), NULL,
                                &pme, &error) == RILL_OK,
                "%s", error.text);
  e = evaluate(&model, &liquid, &options);
  ck_assert(e.excluded == 0.0);
  rill_pme_evaluate(pme, liquid.q, NULL, liquid.f, &r);
  rill_pme_destroy(pme);
  assert_near("Coulomb", e.coulomb + r.reciprocal + r.self + r.excluded, expected.coulomb,
              1e-6 * fabs(expected.coulomb));
  for (int k = 0; k < 9; k++) {
    const double found = e.virial[k / 3][k % 3] + r.virial_molecular[k / 3][k % 3];
    assert_near("molecular virial", found, expected.virial[k], 0.05);
    if (k % 4 == 0) trace += found;
  }
  assert_near("pressure", trace / (3.0 * volume), expected.pressure, 0.1 * RILL_BAR);
  assert_near("tail pressure", e.tail_virial / (3.0 * volume), expected.tail_pressure, 1e-6 * RILL_BAR);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < liquid.molecules; m++) {
      const size_t at = k * liquid.stride + m;
      size2 += liquid.force[at] * liquid.force[at];
      off2 += pow(liquid.f[at] - liquid.force[at], 2.0);
    }
  ck_assert_msg(sqrt(off2 / size2) < 1e-6, "forces off by %g", sqrt(off2 / size2));
  release(&liquid);
}
END_TEST

/* ---- against derivatives ---- */

static double total(const struct rill_periodic_energies *e) { return e->lj + e->coulomb + e->excluded; }

static const enum rill_coulomb_kind coulomb_kinds[] = {RILL_COULOMB_EWALD, RILL_COULOMB_REACTION_FIELD,
                                                       RILL_COULOMB_CUT};
static const enum rill_lj_kind lj_kinds[] = {RILL_LJ_CUT, RILL_LJ_SHIFT, RILL_LJ_SWITCH};
enum { COMBINATIONS = 18 };

static struct rill_periodic_options combination(const struct liquid *liquid, double cutoff, int index) {
  struct rill_periodic_options options = options_for(liquid, cutoff);
  options.coulomb = coulomb_kinds[index % 3];
  options.lj = lj_kinds[index / 3 % 3];
  options.by_atom = index / 9;
  return options;
}

static const double skew_box[3][3] = {{2.0, 0.0, 0.0}, {0.9, 1.9, 0.0}, {-0.8, 0.7, 2.1}};

/* Central differences with h = 1e-5: h2 times third derivatives (1e8 kJ/mol/nm3) are 1e-2, and the energy's 1e4 *
 * 1e-16 / h is less. */
START_TEST(forces_are_derivatives) {
  const struct rill_water_model model = find_model(332.06371);
  struct liquid liquid = random_liquid(&model, 4, skew_box, 7);
  struct rill_periodic_options options = combination(&liquid, 0.8, _i);
  const double h = 1e-5;
  double *f = rill_allocate(RILL_COORDINATES * liquid.stride, sizeof *f);
  options.reference = 1;
  evaluate(&model, &liquid, &options);
  memcpy(f, liquid.f, RILL_COORDINATES * liquid.stride * sizeof *f);
  for (size_t k = 0; k < RILL_COORDINATES; k++) {
    double *x = liquid.q + k * liquid.stride + 11 * k % liquid.molecules, old = *x, above, below;
    struct rill_periodic_energies e;
    *x = old + h;
    e = evaluate(&model, &liquid, &options);
    above = total(&e);
    *x = old - h;
    e = evaluate(&model, &liquid, &options);
    below = total(&e);
    *x = old;
    assert_near("force", f[x - liquid.q], -(above - below) / (2.0 * h), 1e-2);
  }
  rill_release(f);
  release(&liquid);
}
END_TEST

/* Box and centres of mass strained, x' = x + strain x, molecules rigid: dE/d strain = -virial.  A smooth cutoff:
 * Ewald's part has fallen to 1e-9, Lennard-Jones is switched. */
START_TEST(virial_is_a_derivative) {
  const struct rill_water_model model = find_model(332.06371);
  const double mass = model.mass[0] + model.mass[1] + model.mass[2], h = 1e-5;
  struct liquid liquid = random_liquid(&model, 4, skew_box, 8), strained = make_liquid(64);
  struct rill_periodic_options options = options_for(&liquid, 0.9);
  struct rill_periodic_energies e;
  double virial[3][3];
  options.reference = 1;
  options.beta = 5.0;
  options.lj = RILL_LJ_SWITCH;
  e = evaluate(&model, &liquid, &options);
  memcpy(virial, e.virial, sizeof virial);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column <= row; column++) { /* x[column] += strain x[row] keeps the triangle */
      double energy[2];
      for (int sign = 0; sign < 2; sign++) {
        const double strain = sign == 0 ? -h : h;
        memcpy(strained.q, liquid.q, RILL_COORDINATES * liquid.stride * sizeof *liquid.q);
        memcpy(options.box, liquid.box, sizeof options.box);
        for (int i = 0; i < 3; i++) options.box[i][column] += strain * liquid.box[i][row];
        for (size_t m = 0; m < liquid.molecules; m++) {
          double centre = 0.0;
          for (size_t a = 0; a < 3; a++)
            centre += model.mass[a] / mass * liquid.q[(3 * a + (size_t)row) * liquid.stride + m];
          for (size_t a = 0; a < 3; a++) strained.q[(3 * a + (size_t)column) * liquid.stride + m] += strain * centre;
        }
        e = evaluate(&model, &strained, &options);
        energy[sign] = total(&e);
      }
      assert_near("virial", virial[row][column], -(energy[1] - energy[0]) / (2.0 * h), 1e-6 * 3e4);
    }
  release(&liquid);
  release(&strained);
}
END_TEST

/* ---- kernels against the plain loops ---- */

struct difference {
  double rms, largest, lj, coulomb, excluded, virial;
  double energy; /* of Lennard-Jones, relative */
};

static int same_bytes(const struct liquid *liquid, const double *f) {
  return memcmp(liquid->f, f, RILL_COORDINATES * liquid->stride * sizeof *f) == 0;
}

static double *forces_of(const struct liquid *liquid) {
  double *f = rill_allocate(RILL_COORDINATES * liquid->stride, sizeof *f);
  memcpy(f, liquid->f, RILL_COORDINATES * liquid->stride * sizeof *f);
  return f;
}

/* Without the energies, forces and virial are the same bytes. */
static void check_virial_alone(const struct rill_water_model *model, struct liquid *liquid,
                               const struct rill_periodic_options *options,
                               const struct rill_periodic_energies *energies) {
  struct rill_periodic_energies alone;
  struct rill_periodic *periodic = create(model, liquid, options);
  double *f = forces_of(liquid);
  ck_assert(rill_periodic_evaluate_beside(periodic, liquid->q, liquid->f, RILL_WANT_VIRIAL, &alone,
                                          (struct rill_beside){0}, &error) == RILL_OK);
  ck_assert(same_bytes(liquid, f));
  ck_assert_mem_eq(alone.virial, energies->virial, sizeof alone.virial);
  ck_assert(options->reference || isnan(alone.lj));
  rill_release(f);
  rill_periodic_destroy(periodic);
}

/* A kernel against the plain loops, which may have other options than it (a mutant's). */
static struct difference compare_with(const struct rill_water_model *model, struct liquid *liquid,
                                      struct rill_periodic_options options, struct rill_periodic_options judge) {
  const size_t count = RILL_COORDINATES * liquid->stride;
  double *expected = rill_allocate(count, sizeof *expected), size2 = 0.0, off2 = 0.0;
  struct difference d = {0};
  struct rill_periodic_energies reference, fast;
  judge.reference = 1;
  reference = evaluate(model, liquid, &judge);
  memcpy(expected, liquid->f, count * sizeof *expected);
  options.reference = 0;
  fast = evaluate(model, liquid, &options);
  check_virial_alone(model, liquid, &options, &fast);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < liquid->stride; m++) {
      const size_t at = k * liquid->stride + m;
      const double off = liquid->f[at] - expected[at];
      size2 += expected[at] * expected[at];
      off2 += off * off;
      if (!(fabs(off) <= d.largest)) d.largest = fabs(off);
    }
  d.rms = sqrt(off2 / size2);
  d.lj = fabs(fast.lj - reference.lj);
  d.energy = d.lj / fabs(reference.lj);
  d.coulomb = fabs(fast.coulomb - reference.coulomb);
  d.excluded = fabs(fast.excluded - reference.excluded);
  for (int k = 0; k < 9; k++)
    d.virial = fmax(d.virial, fabs(fast.virial[k / 3][k % 3] - reference.virial[k / 3][k % 3]));
  rill_release(expected);
  return d;
}

static struct difference compare(const struct rill_water_model *model, struct liquid *liquid,
                                 struct rill_periodic_options options) {
  return compare_with(model, liquid, options, options);
}

/* Double: forces are sums of up to 1e2 integers rounded at 2^-33, energies of 1e4, and the polynomials are good to
 * 1e-9. Mixed: the smooth part's polynomial leaves 2e-3 kJ/mol/nm of a pair of atoms, some 1e-2 of a force: 2e-5 of a
 * liquid's (600), more of the weak ones of the random box; single precision much less.  Energies err by the same
 * polynomial. */
START_TEST(kernels_agree) {
  const struct rill_water_model model = find_model(332.06371);
  struct expected expected;
  struct liquid liquid = read_liquid("p210_dodeca", &expected), random = random_liquid(&model, 5, skew_box, 9);
  struct liquid *const each[2] = {&liquid, &random};
  for (int which = 0; which < 2; which++) {
    struct rill_periodic_options options = combination(each[which], 0.9, _i);
    for (int isa = 0; isa < RILL_ISA_COUNT; isa++) {
      struct difference d;
      if (!rill_isa_available((enum rill_isa)isa)) continue;
      options.isa = (enum rill_isa)isa;
      options.precision = RILL_PRECISION_DOUBLE;
      d = compare(&model, each[which], options);
      ck_assert_msg(d.rms < 3e-11 && d.largest < 1e-7 && d.lj < 1e-5 && d.coulomb < 1e-5 && d.excluded < 1e-7 &&
                        d.virial < 1e-4,
                    "double %s: forces %g (largest %g), lj %g, coulomb %g, excluded %g, virial %g",
                    rill_isa_name(options.isa), d.rms, d.largest, d.lj, d.coulomb, d.excluded, d.virial);
      options.precision = RILL_PRECISION_MIXED;
      d = compare(&model, each[which], options);
      ck_assert_msg(d.rms < (which == 0 ? 3e-5 : 1e-4) && d.largest < 0.1 && d.lj < 2e-2 && d.coulomb < 0.2 &&
                        d.excluded < 1e-7 && d.virial < 2.0,
                    "mixed %s: forces %g (largest %g), lj %g, coulomb %g, excluded %g, virial %g",
                    rill_isa_name(options.isa), d.rms, d.largest, d.lj, d.coulomb, d.excluded, d.virial);
    }
  }
  release(&liquid);
  release(&random);
}
END_TEST

/* Mutants of the above: a screening, a cutoff, a switch that are slightly off show in each precision. */
START_TEST(comparisons_see_mutants) {
  const struct rill_water_model model = find_model(332.06371);
  struct expected expected;
  struct liquid liquid = read_liquid("p210_dodeca", &expected);
  for (int precision = 0; precision < 2; precision++) {
    const bool mixed = precision == 1;
    struct rill_periodic_options options = options_for(&liquid, 0.9), mutant;
    struct difference d;
    options.precision = mixed ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE;
    mutant = options;
    mutant.beta *= mixed ? 1 + 1e-3 : 1 + 1e-9;
    d = compare_with(&model, &liquid, options, mutant);
    ck_assert_msg(d.rms > (mixed ? 3e-5 : 3e-11), "beta: %g", d.rms);
    mutant = options;
    mutant.cutoff -= 2e-3;
    d = compare_with(&model, &liquid, options, mutant);
    ck_assert_msg(d.rms > (mixed ? 3e-5 : 3e-11) && (mixed || d.virial > 1e-4), "cutoff: %g, %g", d.rms, d.virial);
    mutant.cutoff = options.cutoff;
    options.lj = mutant.lj = RILL_LJ_SWITCH;
    options.switch_from = 0.7;
    mutant.switch_from = mixed ? 0.71 : 0.7 + 1e-6;
    d = compare_with(&model, &liquid, options, mutant);
    ck_assert_msg(d.lj > (mixed ? 2e-2 : 1e-5), "switch: %g", d.lj);
  }
  release(&liquid);
}
END_TEST

/* Rectangular boxes, whose molecules wrap by themselves: so small that neighbours are all around, or wide, with few
 * or many columns of cells, and each of the three axes in each part. */
START_TEST(rectangular_boxes_agree) {
  static const double edges[] = {1.6, 1.9, 2.1, 2.6, 3.1, 3.8};
  const struct rill_water_model model = find_model(332.06371);
  for (int k = 0; k < 6; k++) {
    const double box[3][3] = {
        {edges[k], 0.0, 0.0}, {0.0, edges[(k + 2 + _i) % 6], 0.0}, {0.0, 0.0, edges[(5 * k + 3) % 6]}};
    struct liquid liquid = random_liquid(&model, 7, box, 12);
    struct rill_periodic_options options = options_for(&liquid, 0.8);
    struct difference d;
    options.by_atom = _i % 2;
    options.precision = RILL_PRECISION_DOUBLE;
    d = compare(&model, &liquid, options);
    ck_assert_msg(d.rms < 3e-11 && d.lj < 1e-5 && d.coulomb < 1e-5 && d.virial < 1e-4,
                  "double, box %d: forces %g, lj %g, coulomb %g, virial %g", k, d.rms, d.lj, d.coulomb, d.virial);
    options.precision = RILL_PRECISION_MIXED;
    d = compare(&model, &liquid, options);
    ck_assert_msg(d.rms < 1e-4 && d.largest < 0.1 && d.coulomb < 0.2,
                  "mixed, box %d: forces %g (largest %g), coulomb %g", k, d.rms, d.largest, d.coulomb);
    release(&liquid);
  }
}
END_TEST

/* ---- what must not change a byte ---- */

static int same_energies(const struct rill_periodic_energies *a, const struct rill_periodic_energies *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

START_TEST(threads_change_nothing) {
  const struct rill_water_model model = find_model(332.06371);
  struct expected expected;
  struct liquid liquid = read_liquid("p895", &expected);
  struct rill_periodic_options options = options_for(&liquid, 0.9);
  struct rill_periodic_energies one, many;
  double *f;
  options.precision = _i == 0 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE;
  one = evaluate(&model, &liquid, &options);
  f = forces_of(&liquid);
  for (int threads = 2; threads <= 4; threads++) {
    options.threads = threads;
    many = evaluate(&model, &liquid, &options);
    ck_assert_msg(same_bytes(&liquid, f) && same_energies(&one, &many), "%d threads", threads);
  }
  rill_release(f);
  release(&liquid);
}
END_TEST

/* The mesh beside the pairs, or after them, is what both are alone: forces, energies and virial, for one to five
 * threads; and so is the virial without the energies. */
START_TEST(mesh_beside_pairs) {
  const struct rill_water_model model = find_model(332.06371);
  struct expected expected;
  struct liquid liquid = read_liquid("p895", &expected);
  struct rill_field_options options = {.periodic = true, .box = options_for(&liquid, 0.9), .isa = rill_isa_best()};
  struct rill_periodic_energies real;
  struct rill_pme_energies reciprocal;
  struct rill_periodic *periodic;
  struct rill_pme *pme;
  double *f;
  options.box.precision = _i == 0 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE;
  options.box.excluded_elsewhere = 1;
  options.mesh =
      (struct rill_pme_parameters){options.box.beta, 4, {24, 24, 24}, _i == 0 ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE};
  periodic = create(&model, &liquid, &options.box);
  ck_assert(rill_pme_create(&model, liquid.molecules, liquid.stride, options.box.box, &options.mesh, options.isa,
                            NULL, &pme, &error) == RILL_OK);
  ck_assert(rill_periodic_evaluate(periodic, liquid.q, liquid.f, &real, &error) == RILL_OK);
  rill_pme_evaluate(pme, liquid.q, NULL, liquid.f, &reciprocal);
  rill_pme_destroy(pme);
  rill_periodic_destroy(periodic);
  f = forces_of(&liquid);
  for (int threads = 1; threads <= 5; threads++) {
    struct rill_field_energies energies = {0}, virial = {0};
    struct rill_water_field *field;
    options.threads = threads;
    ck_assert(rill_water_field_create(&model, liquid.molecules, liquid.stride, &options, &field, &error) == RILL_OK);
    for (int wanted = 0; wanted <= 1; wanted++) {
      ck_assert(rill_water_field_evaluate(field, liquid.q, liquid.f, wanted ? &energies : NULL, &error) == RILL_OK);
      ck_assert_msg(same_bytes(&liquid, f), "%d threads, energies %d", threads, wanted);
    }
    ck_assert(rill_water_field_evaluate_virial(field, liquid.q, liquid.f, &virial, &error) == RILL_OK);
    ck_assert(same_bytes(&liquid, f) && isnan(virial.lj) && isnan(virial.coulomb));
    ck_assert_mem_eq(virial.virial, energies.virial, sizeof energies.virial);
    ck_assert_double_eq(energies.coulomb,
                        real.coulomb + real.excluded + reciprocal.reciprocal + reciprocal.self + reciprocal.excluded);
    for (int k = 0; k < 9; k++)
      ck_assert_double_eq(energies.virial[k / 3][k % 3],
                          real.virial[k / 3][k % 3] + reciprocal.virial_molecular[k / 3][k % 3]);
    rill_water_field_destroy(field);
  }
  rill_release(f);
  release(&liquid);
}
END_TEST

/* D01: all molecules at one speed, 2 km/s, in directions of their own and back again, so that pairs within the cutoff
 * have come nearer by all that displacements allow; without and with a stream of 3.5 km/s through the faces; thin
 * buffers, the inner one much thinner, or the same.  In every step kept lists give the bytes of lists that are made
 * anew with the widest buffer, and forces are those of the plain loops.  Positions stay unwrapped. */
START_TEST(kept_lists_change_no_byte) {
  enum { STEPS = 40, BACK = 12 };
  static const double wide_box[3][3] = {{2.5, 0.0, 0.0}, {0.0, 2.4, 0.0}, {0.0, 0.0, 1.6}};
  static const double speed = 4e-3, inner_buffers[] = {0.012, 0.036, 0.05}; /* nm a step, nm */
  const struct rill_water_model model = find_model(332.06371);
  const double stream = _i < 8 ? 0.0 : 2e-3;
  struct liquid liquid = random_liquid(&model, 6, _i / 2 % 2 == 0 ? skew_box : wide_box, 10);
  struct rill_periodic_options options = options_for(&liquid, 0.7), fresh = options;
  struct rill_periodic *periodic;
  struct rill_periodic_counts counts;
  double *velocity = rill_allocate(3 * liquid.molecules, sizeof *velocity), last_energy = 0.0;
  uint64_t seed = 11;
  int changes = 0;
  options.precision = fresh.precision = _i % 2 == 0 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE;
  options.buffer = 0.05;
  options.inner_buffer = inner_buffers[_i / 2 % 3];
  fresh.buffer = fresh.inner_buffer = 0.25;
  fresh.by_atom = options.by_atom = _i / 4 % 2;
  for (size_t m = 0; m < liquid.molecules; m++) {
    double *v = velocity + 3 * m, norm2 = 0.0;
    for (int c = 0; c < 3; c++) {
      v[c] = uniform(&seed) - 0.5;
      norm2 += v[c] * v[c];
    }
    for (int c = 0; c < 3; c++) v[c] *= speed / sqrt(norm2);
  }
  periodic = create(&model, &liquid, &options);
  for (int step = 0; step < STEPS; step++) {
    struct rill_periodic_energies e, all;
    double *f;
    ck_assert_msg(rill_periodic_evaluate(periodic, liquid.q, liquid.f, &e, &error) == RILL_OK, "%s", error.text);
    f = forces_of(&liquid);
    all = evaluate(&model, &liquid, &fresh);
    ck_assert_msg(same_bytes(&liquid, f) && same_energies(&e, &all), "step %d", step);
    changes += all.lj != last_energy;
    last_energy = all.lj;
    rill_release(f);
    if (step % 13 == 0) {
      const struct difference d = compare(&model, &liquid, fresh);
      ck_assert_msg(d.rms < (_i % 2 == 0 ? 1e-4 : 3e-11), "step %d: forces off by %g", step, d.rms);
    }
    for (size_t m = 0; m < liquid.molecules; m++)
      for (size_t k = 0; k < RILL_COORDINATES; k++)
        liquid.q[k * liquid.stride + m] += stream + (step / BACK % 2 == 0 ? 1 : -1) * velocity[3 * m + k % 3];
  }
  counts = rill_periodic_counts(periodic);
  ck_assert_int_eq(changes, STEPS);
  ck_assert_msg(counts.builds >= 4 && counts.builds < STEPS / 2 && counts.prunes >= counts.builds,
                "%d builds, %d prunes", (int)counts.builds, (int)counts.prunes);
  rill_periodic_destroy(periodic);
  rill_release(velocity);
  release(&liquid);
}
END_TEST

/* A box that is long along z has so many molecules in a column of cells that columns are numbered in strips: of its
 * copies of a small box each has the forces of that one. */
START_TEST(copies_in_a_long_box) {
  enum { SIDE = 6, ONE = SIDE * SIDE * SIDE };
  static const int copies[3] = {2, 2, 30};
  static const double edge = 1.75;
  const double small_box[3][3] = {{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
  const struct rill_water_model model = find_model(332.06371);
  struct liquid one = random_liquid(&model, SIDE, small_box, 12);
  struct liquid many = make_liquid((size_t)(copies[0] * copies[1] * copies[2]) * ONE);
  struct rill_periodic_options options = options_for(&one, 0.7);
  struct rill_periodic_energies e, all;
  for (size_t m = 0; m < many.molecules; m++) { /* copies apart in memory, so that slots mix them */
    const int copy = (int)(m % (many.molecules / ONE));
    const int step[3] = {copy % 2, copy / 2 % 2, copy / 4};
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      many.q[k * many.stride + m] = one.q[k * one.stride + m / (many.molecules / ONE)] + edge * step[k % 3];
  }
  for (int c = 0; c < 3; c++) many.box[c][c] = copies[c] * edge;
  options.precision = RILL_PRECISION_DOUBLE;
  e = evaluate(&model, &one, &options);
  memcpy(options.box, many.box, sizeof many.box);
  all = evaluate(&model, &many, &options);
  assert_near("energy", total(&all), (double)(many.molecules / ONE) * total(&e), 1e-6 * fabs(total(&all)));
  for (size_t m = 0; m < many.molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      assert_near("force", many.f[k * many.stride + m], one.f[k * one.stride + m / (many.molecules / ONE)], 1e-3);
  release(&one);
  release(&many);
}
END_TEST

/* D03: everything shifted by 2b, 2c - 3a: in a box of dyadic edges the shifted positions are exact, and nothing may
 * change. */
START_TEST(lattice_shifts_change_nothing) {
  static const double dyadic[3][3] = {{1.875, 0.0, 0.0}, {0.5, 2.0, 0.0}, {-0.25, 0.75, 1.9375}};
  static const int steps[2][3] = {{0, 2, 0}, {-3, 0, 2}};
  const struct rill_water_model model = find_model(332.06371);
  struct liquid liquid = random_liquid(&model, 4, dyadic, 12);
  struct rill_periodic_options options = options_for(&liquid, 0.8);
  struct rill_periodic_energies before, after;
  double *f;
  options.precision = _i == 0 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE;
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < liquid.molecules; m++) {
      double *x = liquid.q + k * liquid.stride + m;
      *x = nearbyint(*x * 0x1p44) * 0x1p-44;
    }
  before = evaluate(&model, &liquid, &options);
  f = forces_of(&liquid);
  for (int shift = 0; shift < 2; shift++) {
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = 0; m < liquid.molecules; m++)
        for (int i = 0; i < 3; i++) liquid.q[k * liquid.stride + m] += steps[shift][i] * dyadic[i][k % 3];
    after = evaluate(&model, &liquid, &options);
    ck_assert_msg(same_bytes(&liquid, f) && same_energies(&before, &after), "shift %d", shift);
  }
  /* a mutant: one molecule beside its place, by less than lists would notice */
  for (size_t k = 0; k < RILL_COORDINATES; k++) liquid.q[k * liquid.stride] += 1e-6;
  after = evaluate(&model, &liquid, &options);
  ck_assert(!same_bytes(&liquid, f) && !same_energies(&before, &after));
  rill_release(f);
  release(&liquid);
}
END_TEST

/* D06: atoms wrapped one by one, so that molecules are split at the faces: the same energy and forces, but for the
 * rounding of the positions that moved. */
START_TEST(split_molecules_are_the_same) {
  const struct rill_water_model model = find_model(332.06371);
  struct expected expected;
  struct liquid liquid = read_liquid(boxes[_i], &expected);
  struct rill_periodic_options options = options_for(&liquid, 0.9);
  struct rill_periodic_energies whole, split;
  size_t broken = 0;
  double *f, moved[3] = {0};
  whole = evaluate(&model, &liquid, &options);
  f = forces_of(&liquid);
  for (size_t m = 0; m < liquid.molecules; m++)
    for (size_t a = 0; a < RILL_ATOMS; a++) {
      double *x = liquid.q + 3 * a * liquid.stride + m;
      int cell[3] = {0};
      for (int i = 2; i >= 0; i--) { /* down the triangle */
        cell[i] = (int)floor(x[(size_t)i * liquid.stride] / liquid.box[i][i]);
        for (size_t c = 0; c < 3; c++) x[c * liquid.stride] -= cell[i] * liquid.box[i][c];
      }
      if (a == 0)
        for (int i = 0; i < 3; i++) moved[i] = cell[i];
      else broken += cell[0] != moved[0] || cell[1] != moved[1] || cell[2] != moved[2];
    }
  ck_assert_uint_gt(broken, 20);
  split = evaluate(&model, &liquid, &options);
  assert_near("energy", total(&split), total(&whole), 1e-7);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < liquid.molecules; m++)
      assert_near("force", liquid.f[k * liquid.stride + m], f[k * liquid.stride + m], 1e-7);
  rill_release(f);
  release(&liquid);
}
END_TEST

/* D04: two molecules in a cell of 60 degrees, near across the corner where rounding of fractions finds another image.
 */
START_TEST(skewed_minimum_image) {
  static const double rhombic[3][3] = {{2.0, 0.0, 0.0}, {1.0, 1.7320508, 0.0}, {1.0, 0.57735027, 1.6329932}};
  const struct rill_water_model model = find_model(332.06371);
  struct liquid liquid = random_liquid(&model, 1, rhombic, 13), pair = make_liquid(2);
  struct rill_periodic_options options;
  int met = 0;
  memcpy(pair.box, rhombic, sizeof rhombic);
  options = options_for(&pair, 0.99);
  for (int trial = 0; trial < 200; trial++) {
    struct rill_periodic_energies reference, fast;
    uint64_t seed = (uint64_t)trial;
    double fraction[3];
    for (int i = 0; i < 3; i++) fraction[i] = uniform(&seed);
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      pair.q[k * pair.stride] = pair.q[k * pair.stride + 1] = liquid.q[k * liquid.stride];
      for (int i = 0; i < 3; i++) pair.q[k * pair.stride + 1] += fraction[i] * rhombic[i][k % 3];
    }
    options.reference = 1;
    reference = evaluate(&model, &pair, &options);
    options.reference = 0;
    if (fabs(reference.coulomb) > 1e4) continue; /* on each other */
    fast = evaluate(&model, &pair, &options);
    assert_near("energy of a pair", total(&fast), total(&reference), 1e-7 + 1e-9 * fabs(reference.lj));
    met += reference.lj != 0.0;
  }
  ck_assert_int_gt(met, 100);
  release(&liquid);
  release(&pair);
}
END_TEST

/* ---- refusals ---- */

static enum rill_status try_options(const struct liquid *liquid, const struct rill_periodic_options *options) {
  const struct rill_water_model model = find_model(332.06371);
  struct rill_periodic *periodic;
  enum rill_status status =
      rill_periodic_create(&model, liquid->molecules, liquid->stride, options, &periodic, &error);
  rill_periodic_destroy(periodic);
  return status;
}

static void assert_said(const char *text) {
  ck_assert_msg(strstr(error.text, text) != NULL, "'%s' not in: %s", text, error.text);
}

START_TEST(refusals) {
  const struct rill_water_model model = find_model(332.06371);
  struct expected expected;
  struct liquid liquid = read_liquid("p216", &expected);
  const struct rill_periodic_options good = options_for(&liquid, 0.9);
  struct rill_periodic_options bad = good;
  struct rill_periodic *periodic;
  ck_assert(try_options(&liquid, &good) == RILL_OK);
  bad.cutoff = 0.94;
  ck_assert(try_options(&liquid, &bad) == RILL_ERROR_INPUT);
  assert_said("1.86206");
  bad = good;
  bad.box[1][1] = 0.0;
  ck_assert(try_options(&liquid, &bad) == RILL_ERROR_INPUT);
  bad = good;
  bad.box[0][1] = 0.1;
  ck_assert(try_options(&liquid, &bad) == RILL_ERROR_INPUT);
  assert_said("rotate");
  bad = good;
  bad.box[1][0] = 1.2;
  ck_assert(try_options(&liquid, &bad) == RILL_ERROR_INPUT);
  assert_said("-0.66206");
  bad = good;
  bad.box[2][2] = NAN;
  ck_assert(try_options(&liquid, &bad) == RILL_ERROR_INPUT);
  bad = good;
  bad.precision = RILL_PRECISION_MIXED;
  bad.beta = 15.0;
  ck_assert(try_options(&liquid, &bad) == RILL_ERROR_UNSUPPORTED);
  assert_said("a cutoff of 0.9 nm is too short");
  assert_said("take a coarser accuracy, or precision = double");
  bad = good;
  bad.beta = 0.0;
  ck_assert(try_options(&liquid, &bad) == RILL_ERROR_INPUT);
  bad = good;
  bad.lj = RILL_LJ_SWITCH;
  bad.switch_from = 0.9;
  ck_assert(try_options(&liquid, &bad) == RILL_ERROR_INPUT);
  ck_assert(rill_periodic_create(&model, 30000008, 30000008, &good, &periodic, &error) == RILL_ERROR_UNSUPPORTED);
  assert_said("30000008 molecules in a box; expected at most 30000000");
  ck_assert(rill_periodic_create(&model, 29600000, 29600000, &good, &periodic, &error) == RILL_ERROR_UNSUPPORTED);
  assert_said("neighbour lists of 29600000 molecules");
  for (int precision = 0; precision < 2; precision++)
    for (size_t k = 0; k < RILL_COORDINATES; k += 4) {
      double *x = liquid.q + k * liquid.stride + 100, old = *x;
      bad = good;
      bad.precision = (enum rill_precision)precision;
      periodic = create(&model, &liquid, &bad);
      ck_assert(rill_periodic_evaluate(periodic, liquid.q, liquid.f, NULL, &error) == RILL_OK);
      *x = NAN;
      ck_assert(rill_periodic_evaluate(periodic, liquid.q, liquid.f, NULL, &error) == RILL_ERROR_NOT_FINITE);
      assert_said("molecule 101");
      *x = old + 0.3; /* an atom far from its molecule */
      ck_assert(rill_periodic_evaluate(periodic, liquid.q, liquid.f, NULL, &error) == RILL_ERROR_INPUT);
      assert_said("molecule 101");
      *x = old;
      ck_assert(rill_periodic_evaluate(periodic, liquid.q, liquid.f, NULL, &error) == RILL_OK);
      rill_periodic_destroy(periodic);
    }
  release(&liquid);
}
END_TEST

/* Forces and energies beyond the usual range of their integers are summed in a coarser unit; coincidence is an error.
 */
START_TEST(near_molecules) {
  const struct rill_water_model model = find_model(332.06371);
  struct expected expected;
  struct liquid liquid = read_liquid("p216", &expected);
  struct rill_periodic_options options = options_for(&liquid, 0.9);
  options.precision = _i == 0 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE;
  for (double distance = 0.25; distance > 0.05; distance -= 0.0325) {
    struct difference d;
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      liquid.q[k * liquid.stride] = liquid.q[k * liquid.stride + 50] + (k % 3 == 1 ? distance : 0.0);
    d = compare(&model, &liquid, options);
    ck_assert_msg(d.rms < (_i == 0 ? 1e-5 : 1e-8), "%g nm: %g", distance, d.rms);
    ck_assert_msg(d.energy < (_i == 0 ? 1e-4 : 1e-7), "%g nm: energy %g", distance, d.energy);
  }
  for (size_t k = 0; k < RILL_COORDINATES; k++) liquid.q[k * liquid.stride] = liquid.q[k * liquid.stride + 50];
  {
    struct rill_periodic *periodic = create(&model, &liquid, &options);
    ck_assert(rill_periodic_evaluate(periodic, liquid.q, liquid.f, NULL, &error) == RILL_ERROR_NOT_FINITE);
    rill_periodic_destroy(periodic);
  }
  release(&liquid);
}
END_TEST

/* Energies wanted or not: the same forces; and a second evaluation of the same positions too. */
START_TEST(energies_change_nothing) {
  const struct rill_water_model model = find_model(332.06371);
  struct expected expected;
  struct liquid liquid = read_liquid("p216", &expected);
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
    for (int choice = 0; choice < 2 * COMBINATIONS; choice++) {
      struct rill_periodic_options options = combination(&liquid, 0.9, choice / 2);
      struct rill_periodic *periodic;
      double *f;
      if (!rill_isa_available((enum rill_isa)isa)) continue;
      options.isa = (enum rill_isa)isa;
      options.precision = choice % 2 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE;
      evaluate(&model, &liquid, &options);
      f = forces_of(&liquid);
      periodic = create(&model, &liquid, &options);
      for (int repeat = 0; repeat < 2; repeat++) {
        ck_assert(rill_periodic_evaluate(periodic, liquid.q, liquid.f, NULL, &error) == RILL_OK);
        ck_assert_msg(same_bytes(&liquid, f), "%s, choice %d", rill_isa_name(options.isa), choice);
      }
      rill_periodic_destroy(periodic);
      rill_release(f);
    }
  release(&liquid);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("periodic");
  TCase *longer = rill_long_cases(suite, 300);
  TCase *reference = tcase_create("reference"), *kernels = tcase_create("kernels"),
        *same = tcase_create("same bytes");
  tcase_add_loop_test(reference, reference_energies, 0, 3);
  tcase_add_loop_test(reference, reference_lj_forces, 0, 3);
  tcase_add_loop_test(reference, tails_are_integrals, 0, 3);
  tcase_add_test(reference, reaction_fields);
  tcase_add_test(reference, excluded_pairs);
  tcase_add_test(reference, excluded_pairs_of_a_reaction_field);
  tcase_add_loop_test(reference, whole_with_mesh, 0, 3);
  tcase_add_loop_test(reference, forces_are_derivatives, 0, COMBINATIONS);
  tcase_add_test(reference, virial_is_a_derivative);
  tcase_add_loop_test(kernels, kernels_agree, 0, COMBINATIONS);
  tcase_add_test(kernels, comparisons_see_mutants);
  tcase_add_loop_test(kernels, near_molecules, 0, 2);
  tcase_add_test(kernels, skewed_minimum_image);
  tcase_add_test(kernels, refusals);
  tcase_add_loop_test(same, threads_change_nothing, 0, 2);
  tcase_add_loop_test(same, mesh_beside_pairs, 0, 2);
  tcase_add_loop_test(same, kept_lists_change_no_byte, 0, 10);
  tcase_add_loop_test(same, lattice_shifts_change_nothing, 0, 2);
  tcase_add_loop_test(same, split_molecules_are_the_same, 0, 3);
  tcase_set_timeout(reference, 300);
  tcase_set_timeout(kernels, 300);
  tcase_set_timeout(same, 300);
  tcase_add_test(longer, copies_in_a_long_box);
  tcase_add_test(longer, energies_change_nothing);
  tcase_add_loop_test(longer, rectangular_boxes_agree, 0, 4);
  suite_add_tcase(suite, reference);
  suite_add_tcase(suite, kernels);
  suite_add_tcase(suite, same);
  return rill_run_suite(suite);
}

/* Forces of water in vacuum: against an independent program, against derivatives, kernels against the plain loops. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/units.h"
#include "suite.h"
#include "water/forces/forces.h"

enum { RANDOM_SIZES = 21, LINE = 512 };
/* Around every multiple of the widths and parity; 192 and 500 change the number of parts. */
static const size_t random_sizes[RANDOM_SIZES] = {1,  2,  3,  4,  5,  6,  7,  8,   9,   10,  11,
                                                  12, 13, 14, 15, 16, 17, 33, 100, 200, 1000};

struct cluster {
  size_t molecules, stride;
  double *q, *f;
};

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (double)(*state >> 11) * 0x1p-53;
}

static struct cluster make_cluster(size_t molecules) {
  struct cluster cluster = {.molecules = molecules, .stride = (molecules + RILL_LANES - 1) / RILL_LANES * RILL_LANES};
  cluster.q = rill_allocate(RILL_COORDINATES * cluster.stride, sizeof(double));
  cluster.f = rill_allocate(RILL_COORDINATES * cluster.stride, sizeof(double));
  ck_assert_ptr_nonnull(cluster.q);
  ck_assert_ptr_nonnull(cluster.f);
  /* What stands beyond the molecules must not matter. */
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = molecules; m < cluster.stride; m++) cluster.q[k * cluster.stride + m] = NAN;
  return cluster;
}

static void release(struct cluster *cluster) {
  rill_release(cluster->q);
  rill_release(cluster->f);
}

/* Model geometry, random orientations, oxygens near a lattice of 0.31 nm. */
static struct cluster random_cluster(const struct rill_water_model *model, size_t molecules, uint64_t seed) {
  struct cluster cluster = make_cluster(molecules);
  const double half = 0.5 * model->bond[2], height = sqrt(model->bond[0] * model->bond[0] - half * half);
  const size_t side = (size_t)ceil(cbrt((double)molecules) - 1e-9);
  for (size_t m = 0; m < molecules; m++) {
    const size_t cell[3] = {m % side, m / side % side, m / side / side};
    double along[3], across[3], norm = 0.0, overlap = 0.0;
    for (int c = 0; c < 3; c++) {
      along[c] = uniform(&seed) - 0.5;
      across[c] = uniform(&seed) - 0.5;
      norm += along[c] * along[c];
    }
    for (int c = 0; c < 3; c++) along[c] /= sqrt(norm);
    for (int c = 0; c < 3; c++) overlap += along[c] * across[c];
    norm = 0.0;
    for (int c = 0; c < 3; c++) {
      across[c] -= overlap * along[c];
      norm += across[c] * across[c];
    }
    for (size_t c = 0; c < 3; c++) {
      double o = 0.31 * (double)cell[c] + 0.04 * (uniform(&seed) - 0.5);
      across[c] /= sqrt(norm);
      cluster.q[c * cluster.stride + m] = o;
      cluster.q[(3 + c) * cluster.stride + m] = o + height * along[c] + half * across[c];
      cluster.q[(6 + c) * cluster.stride + m] = o + height * along[c] - half * across[c];
    }
  }
  return cluster;
}

static struct rill_water_model find_model(const char *name, double coulomb_kcal) {
  static struct rill_error error;
  struct rill_water_model model;
  const double to_inner = RILL_KCAL * RILL_ANGSTROM;
  ck_assert_msg(rill_water_model_find(name, coulomb_kcal * to_inner, &model, &error) == RILL_OK, "%s", error.text);
  return model;
}

/* Kernel -1 is the reference; from RILL_ISA_COUNT on they are those of mixed precision. */
enum { REFERENCE = -1, MIXED = RILL_ISA_COUNT, KERNELS = 2 * RILL_ISA_COUNT };

static struct rill_water_forces *create(const struct rill_water_model *model, const struct cluster *cluster,
                                        int kernel, int threads) {
  static struct rill_error error;
  struct rill_water_forces *forces;
  const enum rill_isa isa = kernel < 0 ? RILL_ISA_PORTABLE : (enum rill_isa)(kernel % RILL_ISA_COUNT);
  enum rill_status status =
      kernel < MIXED
          ? rill_water_forces_create(model, cluster->molecules, cluster->stride, kernel == REFERENCE, isa, threads,
                                     &forces, &error)
          : rill_water_forces_create_mixed(model, cluster->molecules, cluster->stride, isa, threads, &forces, &error);
  ck_assert_msg(status == RILL_OK, "%s", error.text);
  return forces;
}

static struct rill_water_energies evaluate(const struct rill_water_model *model, struct cluster *cluster, int kernel,
                                           int threads) {
  struct rill_water_energies energies;
  struct rill_water_forces *forces = create(model, cluster, kernel, threads);
  rill_water_forces_evaluate(forces, cluster->q, cluster->f, &energies);
  rill_water_forces_destroy(forces);
  return energies;
}

static int available(int kernel) {
  return kernel < 0 || rill_isa_available((enum rill_isa)(kernel % RILL_ISA_COUNT));
}

static double largest_difference(const struct cluster *cluster, const double *a, const double *b) {
  double largest = 0.0;
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < cluster->molecules; m++) {
      double difference = fabs(a[k * cluster->stride + m] - b[k * cluster->stride + m]);
      if (!(difference <= largest)) largest = difference;
    }
  return largest;
}

static double largest_force(const struct cluster *cluster) {
  double largest = 0.0;
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < cluster->molecules; m++)
      largest = fmax(largest, fabs(cluster->f[k * cluster->stride + m]));
  return largest;
}

static double *copy_forces(const struct cluster *cluster) {
  double *copy = rill_allocate(RILL_COORDINATES * cluster->stride, sizeof *copy);
  ck_assert_ptr_nonnull(copy);
  memcpy(copy, cluster->f, RILL_COORDINATES * cluster->stride * sizeof *copy);
  return copy;
}

static FILE *open_data(const char *name) {
  char path[LINE];
  FILE *file;
  snprintf(path, sizeof path, "%s/tests/data/energies/%s", RILL_SOURCE_DIR, name);
  file = fopen(path, "r");
  ck_assert_msg(file != NULL, "cannot open %s", path);
  return file;
}

/* NAME_forces.csv: coordinates in A to q (nm), the sum of both forces in kcal/mol/A to *f (kJ/mol/nm). */
static struct cluster read_cluster(const char *name, size_t molecules, double **f) {
  struct cluster cluster = make_cluster(molecules);
  char path[64], line[LINE];
  FILE *file;
  size_t atom = 0;
  snprintf(path, sizeof path, "%s_forces.csv", name);
  file = open_data(path);
  *f = rill_allocate(RILL_COORDINATES * cluster.stride, sizeof **f);
  while (fgets(line, sizeof line, file) != NULL) {
    double x[3], lj[3], coulomb[3];
    if (sscanf(line, "%*d,%*c,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &x[0], &x[1], &x[2], &lj[0], &lj[1], &lj[2],
               &coulomb[0], &coulomb[1], &coulomb[2]) != 9)
      continue;
    ck_assert_uint_lt(atom, 3 * molecules);
    for (size_t c = 0; c < 3; c++) {
      size_t place = (3 * (atom % 3) + c) * cluster.stride + atom / 3;
      cluster.q[place] = x[c] * RILL_ANGSTROM;
      (*f)[place] = (lj[c] + coulomb[c]) * (RILL_KCAL / RILL_ANGSTROM);
    }
    atom++;
  }
  fclose(file);
  ck_assert_uint_eq(atom, 3 * molecules);
  return cluster;
}

static double relative(double value, double expected) {
  return expected == 0.0 ? fabs(value) : fabs(value - expected) / fabs(expected);
}

/* The truth is good to about 1e-12; forces in the files have 12 digits. */
START_TEST(agrees_with_independent_program) {
  const struct rill_water_model model = find_model("tip3p", 332.06371);
  const int kernel = _i - 1;
  FILE *file = open_data("clusters.csv");
  char line[LINE];
  int clusters = 0;
  if (available(kernel))
    while (fgets(line, sizeof line, file) != NULL) {
      char name[32];
      size_t molecules;
      double lj, coulomb, virial, *f;
      struct cluster cluster;
      struct rill_water_energies energies;
      if (sscanf(line, "%31[^,],%zu,%lf,%lf,%lf", name, &molecules, &lj, &coulomb, &virial) != 5) continue;
      cluster = read_cluster(name, molecules, &f);
      energies = evaluate(&model, &cluster, kernel, 1);
      ck_assert_double_lt(relative(energies.lj, lj * RILL_KCAL), 1e-10);
      ck_assert_double_lt(relative(energies.coulomb, coulomb * RILL_KCAL), 1e-10);
      ck_assert_double_lt(relative(energies.virial, virial * RILL_KCAL), 1e-10);
      ck_assert_double_le(largest_difference(&cluster, cluster.f, f), 1e-9 * largest_force(&cluster));
      rill_release(f);
      release(&cluster);
      clusters++;
    }
  fclose(file);
  ck_assert_int_eq(clusters, available(kernel) ? 8 : 0);
}
END_TEST

/* Configurations and values of a study with A and C and 332.0637 (printed to 1e-8, and to 1e-4 for 100 molecules). */
START_TEST(agrees_with_model_ac) {
  static const struct {
    const char *file;
    size_t molecules;
    double potential, tolerance, norm;
  } cases[] = {{"water7_akma.dat", 7, -57.91872259, 1e-8, 109.24991999},
               {"water100_akma.dat", 100, -1115.0107, 1e-4, 0.0}};
  const struct rill_water_model model = find_model("tip3p-ac", 332.0637);
  for (size_t k = 0; k < 2; k++) {
    struct cluster cluster = make_cluster(cases[k].molecules);
    FILE *file = open_data(cases[k].file);
    size_t molecules;
    double norm = 0.0;
    struct rill_water_energies energies;
    ck_assert_int_eq(fscanf(file, "%zu", &molecules), 1);
    ck_assert_uint_eq(molecules, cases[k].molecules);
    for (size_t atom = 0; atom < 3 * molecules; atom++)
      for (size_t c = 0; c < 3; c++) {
        double *x = &cluster.q[(3 * (atom % 3) + c) * cluster.stride + atom / 3];
        ck_assert_int_eq(fscanf(file, "%lf", x), 1);
        *x *= RILL_ANGSTROM;
      }
    fclose(file);
    energies = evaluate(&model, &cluster, (int)rill_isa_best(), 1);
    ck_assert_double_eq_tol((energies.lj + energies.coulomb) / RILL_KCAL, cases[k].potential, cases[k].tolerance);
    for (size_t place = 0; place < RILL_COORDINATES * cluster.stride; place++)
      norm += cluster.f[place] * cluster.f[place];
    if (cases[k].norm > 0.0) ck_assert_double_eq_tol(sqrt(norm) * RILL_ANGSTROM / RILL_KCAL, cases[k].norm, 1e-7);
    release(&cluster);
  }
}
END_TEST

/* Central differences in double lose half of the digits' two thirds: the optimum step eps^(1/3) leaves about 1e-8. */
START_TEST(is_the_gradient) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  const int kernel = _i - 1;
  struct cluster cluster;
  double *f, worst = 0.0, h = 2e-6;
  if (!available(kernel)) return;
  cluster = random_cluster(&model, 5, 11);
  evaluate(&model, &cluster, kernel, 1);
  f = copy_forces(&cluster);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < cluster.molecules; m++) {
      double *x = &cluster.q[k * cluster.stride + m], x0 = *x;
      struct rill_water_energies ahead, behind;
      *x = x0 + h;
      ahead = evaluate(&model, &cluster, kernel, 1);
      *x = x0 - h;
      behind = evaluate(&model, &cluster, kernel, 1);
      *x = x0;
      worst = fmax(worst, fabs((behind.lj + behind.coulomb - ahead.lj - ahead.coulomb) / (2.0 * h) -
                               f[k * cluster.stride + m]));
    }
  ck_assert_double_lt(worst, 1e-7 * largest_force(&cluster));
  rill_release(f);
  release(&cluster);
}
END_TEST

/* A pair's force enters twice with opposite signs, but each of the N sums of 3 N terms is rounded: about N roundings
 * of the largest force. */
START_TEST(conserves_momentum_and_has_virial) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  const int kernel = _i - 1;
  if (!available(kernel)) return;
  for (size_t n = 0; n < RANDOM_SIZES; n++) {
    struct cluster cluster = random_cluster(&model, random_sizes[n], 5 + n);
    struct rill_water_energies energies = evaluate(&model, &cluster, kernel, 1);
    double force[3] = {0.0}, torque[3] = {0.0}, virial = 0.0, size = 1.0;
    const double round_off = 8.0 * (double)cluster.molecules * DBL_EPSILON * largest_force(&cluster);
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t m = 0; m < cluster.molecules; m++) {
        double x[3], f[3];
        for (size_t c = 0; c < 3; c++) {
          x[c] = cluster.q[(3 * a + c) * cluster.stride + m];
          f[c] = cluster.f[(3 * a + c) * cluster.stride + m];
          force[c] += f[c];
          virial += x[c] * f[c];
          size = fmax(size, fabs(x[c]));
        }
        for (size_t c = 0; c < 3; c++) torque[c] += x[(c + 1) % 3] * f[(c + 2) % 3] - x[(c + 2) % 3] * f[(c + 1) % 3];
      }
    for (size_t c = 0; c < 3; c++) {
      ck_assert_double_le(fabs(force[c]), round_off);
      ck_assert_double_le(fabs(torque[c]), size * round_off);
    }
    ck_assert_double_le(fabs(virial - energies.virial), 3.0 * size * round_off);
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = cluster.molecules; m < cluster.stride; m++)
        ck_assert_double_eq(cluster.f[k * cluster.stride + m], 0.0);
    release(&cluster);
  }
}
END_TEST

/* Largest deviation of a kernel from the plain loops, over the sizes: of forces against the largest, of energies
 * against the size of their terms (Coulomb terms cancel: about 10 kJ/mol remain of 1000 a pair). */
static double deviation(const struct rill_water_model *right, const struct rill_water_model *model, int kernel) {
  double worst = 0.0;
  for (size_t n = 0; n < RANDOM_SIZES; n++) {
    struct cluster cluster = random_cluster(right, random_sizes[n], 100 + n);
    const double pairs = (double)(cluster.molecules * (cluster.molecules - 1)) / 2.0;
    struct rill_water_energies expected = evaluate(right, &cluster, -1, 1), energies;
    double *f = copy_forces(&cluster), scale = fmax(largest_force(&cluster), DBL_MIN);
    const double energy_scale = 1e3 * sqrt(pairs) + 1.0;
    energies = evaluate(model, &cluster, kernel, 1);
    worst = fmax(worst, largest_difference(&cluster, cluster.f, f) / scale);
    worst = fmax(worst, fabs(energies.lj - expected.lj) / energy_scale);
    worst = fmax(worst, fabs(energies.coulomb - expected.coulomb) / energy_scale);
    worst = fmax(worst, fabs(energies.virial - expected.virial) / energy_scale);
    rill_release(f);
    release(&cluster);
  }
  return worst;
}

/* Both sum up to 3000 terms in different orders, each term good to a few 1e-16 of its own size: 5e-15 is seen. */
START_TEST(kernels_agree_with_reference) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  if (available(_i)) ck_assert_double_lt(deviation(&model, &model, _i), 3e-14);
}
END_TEST

/* The comparison must see a charge wrong in the sixth digit, and a wrong A. */
START_TEST(mutants_are_seen) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  struct rill_water_model charge = model, repulsion = model;
  charge.charge[0] *= 1.0 + 1e-6;
  repulsion.c12 *= 1.0 + 1e-6;
  ck_assert_double_gt(deviation(&model, &charge, RILL_ISA_PORTABLE), 1e-8);
  ck_assert_double_gt(deviation(&model, &repulsion, RILL_ISA_PORTABLE), 1e-8);
}
END_TEST

START_TEST(same_bytes_for_any_threads) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  if (!available(_i)) return;
  for (size_t n = 0; n < RANDOM_SIZES; n++) {
    struct cluster cluster = random_cluster(&model, random_sizes[n], 200 + n);
    const size_t bytes = RILL_COORDINATES * cluster.stride * sizeof(double);
    struct rill_water_energies one = evaluate(&model, &cluster, _i, 1), many;
    double *f = copy_forces(&cluster);
    for (int threads = 2; threads <= 4; threads++) {
      many = evaluate(&model, &cluster, _i, threads);
      ck_assert_mem_eq(f, cluster.f, bytes);
      ck_assert_mem_eq(&one, &many, sizeof one);
    }
    rill_release(f);
    release(&cluster);
  }
}
END_TEST

/* Also: an object evaluated again gives the same. */
START_TEST(same_bytes_with_and_without_energies) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  const int kernel = _i - 1;
  if (!available(kernel)) return;
  for (size_t n = 0; n < RANDOM_SIZES; n++) {
    struct cluster cluster = random_cluster(&model, random_sizes[n], 300 + n);
    const size_t bytes = RILL_COORDINATES * cluster.stride * sizeof(double);
    struct rill_water_energies energies;
    double *f;
    struct rill_water_forces *forces = create(&model, &cluster, kernel, 2);
    rill_water_forces_evaluate(forces, cluster.q, cluster.f, &energies);
    f = copy_forces(&cluster);
    memset(cluster.f, 0xff, bytes);
    rill_water_forces_evaluate(forces, cluster.q, cluster.f, NULL);
    ck_assert_mem_eq(f, cluster.f, bytes);
    rill_water_forces_destroy(forces);
    rill_release(f);
    release(&cluster);
  }
}
END_TEST

/* Moved by 1024 nm: coordinates on a grid of 2^-30 nm move exactly, so nothing may change at all. */
START_TEST(does_not_feel_a_translation) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  struct cluster cluster;
  struct rill_water_energies here, there;
  double *f;
  if (!available(_i)) return;
  cluster = random_cluster(&model, 33, 17);
  for (size_t place = 0; place < RILL_COORDINATES * cluster.stride; place++)
    cluster.q[place] = rint(cluster.q[place] * 0x1p30) * 0x1p-30;
  here = evaluate(&model, &cluster, _i, 1);
  f = copy_forces(&cluster);
  for (size_t place = 0; place < RILL_COORDINATES * cluster.stride; place++) cluster.q[place] += 1024.0;
  there = evaluate(&model, &cluster, _i, 1);
  ck_assert_mem_eq(f, cluster.f, RILL_COORDINATES * cluster.stride * sizeof(double));
  ck_assert_mem_eq(&here, &there, sizeof here);
  rill_release(f);
  release(&cluster);
}
END_TEST

/* Far and near: the estimate of 1/r is refined to the last digits over all distances (r from 1e-4 to 1e4 nm). */
START_TEST(holds_over_all_distances) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  if (!available(_i)) return;
  for (double distance = 1e-4; distance < 2e4; distance *= 1.37) {
    struct cluster cluster = make_cluster(2);
    double *f;
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      cluster.q[k * cluster.stride] = 0.0;
      cluster.q[k * cluster.stride + 1] = distance * (k % 3 == 0 ? 1.0 : 0.3 * (double)(k / 3));
    }
    evaluate(&model, &cluster, -1, 1);
    f = copy_forces(&cluster);
    evaluate(&model, &cluster, _i, 1);
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      ck_assert_double_le(fabs(cluster.f[k * cluster.stride] - f[k * cluster.stride]),
                          1e-14 * largest_force(&cluster));
    rill_release(f);
    release(&cluster);
  }
}
END_TEST

/* A run that blows up must be seen: what is not finite spreads to the molecule it belongs to. */
START_TEST(shows_what_is_not_finite) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  const int kernel = _i - 1;
  if (!available(kernel)) return;
  for (size_t n = 1; n < RANDOM_SIZES; n++) {
    const size_t molecules = random_sizes[n], last = molecules - 1;
    struct cluster cluster = random_cluster(&model, molecules, 400 + n);
    double *first = cluster.q, kept[RILL_COORDINATES];
    struct rill_water_energies energies;
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      kept[k] = cluster.q[k * cluster.stride + last];
      cluster.q[k * cluster.stride + last] = first[k * cluster.stride];
    }
    energies = evaluate(&model, &cluster, kernel, 1);
    ck_assert(!isfinite(energies.coulomb));
    ck_assert(!isfinite(cluster.f[last]));
    for (size_t k = 0; k < RILL_COORDINATES; k++) cluster.q[k * cluster.stride + last] = kept[k];
    cluster.q[8 * cluster.stride + last] = NAN;
    energies = evaluate(&model, &cluster, kernel, 1);
    ck_assert(!isfinite(energies.coulomb));
    ck_assert(!isfinite(cluster.f[8 * cluster.stride + last]));
    cluster.q[8 * cluster.stride + last] = INFINITY;
    evaluate(&model, &cluster, kernel, 1);
    ck_assert(!isfinite(cluster.f[8 * cluster.stride + last]));
    release(&cluster);
  }
}
END_TEST

/* Of mixed precision, over the sizes that it is used for: rms error of the forces against their rms, and the largest
 * error of energies against the square root of the number of pairs (a pair's terms are of some 1000 kJ/mol). */
static void mixed_error(const struct rill_water_model *right, const struct rill_water_model *model, int kernel,
                        double *forces, double *energy) {
  *forces = *energy = 0.0;
  for (size_t n = 0; n < RANDOM_SIZES; n++) {
    struct cluster cluster = random_cluster(right, random_sizes[n], 500 + n);
    const double pairs = (double)(cluster.molecules * (cluster.molecules - 1)) / 2.0;
    struct rill_water_energies expected = evaluate(right, &cluster, REFERENCE, 1), energies;
    double *f = copy_forces(&cluster), error2 = 0.0, size2 = DBL_MIN;
    energies = evaluate(model, &cluster, kernel, 1);
    for (size_t k = 0; k < RILL_COORDINATES * cluster.stride; k++) {
      error2 += (cluster.f[k] - f[k]) * (cluster.f[k] - f[k]);
      size2 += f[k] * f[k];
    }
    *forces = fmax(*forces, sqrt(error2 / size2));
    if (pairs > 0.0) *energy = fmax(*energy, fabs(energies.coulomb - expected.coulomb) / (1e3 * sqrt(pairs)));
    if (pairs > 0.0) *energy = fmax(*energy, fabs(energies.lj - expected.lj) / (1e3 * sqrt(pairs)));
    rill_release(f);
    release(&cluster);
  }
}

/* A distance is rounded by 6e-8 of itself and 1/r3 by about four times that; from 1000 molecules with charges these
 * are 5e-7 (AVX) and 1.1e-6 (portable, whose 1/r is not refined) of the whole force, which is smaller than its terms.
 */
START_TEST(mixed_precision_is_good_to_a_millionth) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  struct rill_water_model charge = model;
  double forces, energy;
  if (!available(_i)) return;
  mixed_error(&model, &model, _i, &forces, &energy);
  ck_assert_double_lt(forces, 2e-6);
  ck_assert_double_lt(energy, 2e-7);
  charge.charge[0] *= 1.0 + 4e-6;
  mixed_error(&model, &charge, _i, &forces, &energy);
  ck_assert_double_gt(forces, 2e-6);
}
END_TEST

/* Molecules ever further from each other, up to 2000 nm: each force is good to a millionth of its largest terms, the
 * forces between charges (molecules are neutral: at a distance their sum is much smaller). */
START_TEST(mixed_precision_holds_at_all_distances) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  struct cluster cluster;
  double *f;
  if (!available(_i)) return;
  cluster = random_cluster(&model, 17, 3);
  for (size_t m = 0; m < cluster.molecules; m++)
    for (size_t a = 0; a < RILL_ATOMS; a++) cluster.q[3 * a * cluster.stride + m] += pow(1.7, (double)m);
  evaluate(&model, &cluster, REFERENCE, 1);
  f = copy_forces(&cluster);
  evaluate(&model, &cluster, _i, 1);
  for (size_t m = 0; m < cluster.molecules; m++) {
    const double charges = model.coulomb_constant * model.charge[0] * model.charge[0];
    double nearest = INFINITY;
    for (size_t other = 0; other < cluster.molecules; other++)
      if (other != m) nearest = fmin(nearest, fabs(cluster.q[other] - cluster.q[m]));
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      const size_t place = k * cluster.stride + m;
      ck_assert_double_lt(fabs(cluster.f[place] - f[place]), 1e-6 * charges / (nearest * nearest));
    }
  }
  rill_release(f);
  release(&cluster);
}
END_TEST

/* What is added up on the way begins at zero each time, also after an evaluation that was not finite. */
START_TEST(an_evaluation_leaves_nothing_behind) {
  const struct rill_water_model model = find_model("tip3p", 0.0);
  if (!available(_i)) return;
  for (size_t n = 0; n < RANDOM_SIZES; n++) {
    struct cluster cluster = random_cluster(&model, random_sizes[n], 600 + n);
    const double kept = cluster.q[0];
    struct rill_water_forces *forces = create(&model, &cluster, _i, 1);
    double *f;
    rill_water_forces_evaluate(forces, cluster.q, cluster.f, NULL);
    f = copy_forces(&cluster);
    cluster.q[0] = NAN;
    rill_water_forces_evaluate(forces, cluster.q, cluster.f, NULL);
    cluster.q[0] = kept;
    rill_water_forces_evaluate(forces, cluster.q, cluster.f, NULL);
    ck_assert_mem_eq(f, cluster.f, RILL_COORDINATES * cluster.stride * sizeof *f);
    rill_water_forces_destroy(forces);
    rill_release(f);
    release(&cluster);
  }
}
END_TEST

static enum rill_status try(const struct rill_water_model *model, size_t molecules, size_t stride, enum rill_isa isa,
                            int threads) {
  static struct rill_error error;
  struct rill_water_forces *forces;
  enum rill_status status = rill_water_forces_create(model, molecules, stride, 0, isa, threads, &forces, &error);
  ck_assert_ptr_null(forces);
  ck_assert_uint_gt(error.length, 0);
  return status;
}

START_TEST(refuses_what_it_cannot_do) {
  struct rill_water_model model = find_model("tip3p", 0.0);
  ck_assert_int_eq(try(&model, 0, 8, RILL_ISA_PORTABLE, 1), RILL_ERROR_INPUT);
  ck_assert_int_eq(try(&model, 9, 8, RILL_ISA_PORTABLE, 1), RILL_ERROR_INPUT);
  ck_assert_int_eq(try(&model, 7, 7, RILL_ISA_PORTABLE, 1), RILL_ERROR_INPUT);
  ck_assert_int_eq(try(&model, 7, 8, RILL_ISA_PORTABLE, 0), RILL_ERROR_INPUT);
  ck_assert_int_eq(try(&model, 7, 8, RILL_ISA_COUNT, 1), RILL_ERROR_UNSUPPORTED);
  model.charge[2] = 0.5;
  ck_assert_int_eq(try(&model, 7, 8, RILL_ISA_PORTABLE, 1), RILL_ERROR_UNSUPPORTED);
  rill_water_forces_destroy(NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("forces");
  TCase *cases = tcase_create("forces");
  tcase_set_timeout(cases, 120);
  /* Tests that take the reference too count from 0 = reference. */
  tcase_add_loop_test(cases, agrees_with_independent_program, 0, RILL_ISA_COUNT + 1);
  tcase_add_test(cases, agrees_with_model_ac);
  tcase_add_loop_test(cases, is_the_gradient, 0, RILL_ISA_COUNT + 1);
  tcase_add_loop_test(cases, conserves_momentum_and_has_virial, 0, RILL_ISA_COUNT + 1);
  tcase_add_loop_test(cases, kernels_agree_with_reference, 0, RILL_ISA_COUNT);
  tcase_add_test(cases, mutants_are_seen);
  tcase_add_loop_test(cases, same_bytes_for_any_threads, 0, KERNELS);
  tcase_add_loop_test(cases, same_bytes_with_and_without_energies, 0, KERNELS + 1);
  tcase_add_loop_test(cases, does_not_feel_a_translation, 0, KERNELS);
  tcase_add_loop_test(cases, holds_over_all_distances, 0, RILL_ISA_COUNT);
  tcase_add_loop_test(cases, shows_what_is_not_finite, 0, KERNELS + 1);
  tcase_add_loop_test(cases, mixed_precision_is_good_to_a_millionth, MIXED, KERNELS);
  tcase_add_loop_test(cases, mixed_precision_holds_at_all_distances, MIXED, KERNELS);
  tcase_add_loop_test(cases, an_evaluation_leaves_nothing_behind, 0, KERNELS);
  tcase_add_test(cases, refuses_what_it_cannot_do);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

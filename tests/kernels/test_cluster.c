/* Open clusters with a cutoff: lists and kernels against the plain loops over all pairs, molecules far outside among
 * them. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "suite.h"
#include "water/forces/forces.h"
#include "water/forces/periodic.h"

enum { COULOMBS = 2, LJS = 3, PRECISIONS = 2, COMBINATIONS = COULOMBS * LJS * PRECISIONS * 2 };
static const double spacing = 0.31; /* nm */

struct cluster {
  size_t molecules, stride;
  double *q, *f;
};

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (double)(*state >> 11) * 0x1p-53;
}

static struct rill_water_model tip3p(void) {
  struct rill_water_model model;
  static struct rill_error error;
  ck_assert_int_eq(rill_water_model_find("tip3p", 0.0, &model, &error), RILL_OK);
  return model;
}

/* Molecule m at o, turned. */
static void put(struct cluster *cluster, size_t m, const double o[3], uint64_t *seed) {
  const struct rill_water_model model = tip3p();
  const double half = 0.5 * model.bond[2], height = sqrt(model.bond[0] * model.bond[0] - half * half);
  const double angle = 6.2831853 * uniform(seed), cosine = cos(angle), sine = sin(angle);
  double *q = cluster->q + m;
  const size_t stride = cluster->stride;
  for (size_t k = 0; k < RILL_COORDINATES; k++) q[k * stride] = o[k % 3];
  q[3 * stride] += height * cosine - half * sine;
  q[5 * stride] += height * sine + half * cosine;
  q[6 * stride] += height * cosine + half * sine;
  q[8 * stride] += height * sine - half * cosine;
}

/* A lattice about the origin; the last `strays` molecules are far away: about a place outside of the lists' grid,
 * about one on its rim, and alone. */
static struct cluster make_cluster(size_t molecules, size_t strays, uint64_t seed) {
  struct cluster cluster = {.molecules = molecules, .stride = rill_padded(molecules)};
  const size_t side = (size_t)ceil(cbrt((double)molecules));
  cluster.q = rill_allocate(RILL_COORDINATES * cluster.stride, sizeof(double));
  cluster.f = rill_allocate(RILL_COORDINATES * cluster.stride, sizeof(double));
  ck_assert(cluster.q != NULL && cluster.f != NULL);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = molecules; m < cluster.stride; m++) cluster.q[k * cluster.stride + m] = NAN;
  for (size_t m = 0; m < molecules; m++) {
    const size_t cell[3] = {m % side, m / side % side, m / side / side};
    double o[3];
    for (size_t c = 0; c < 3; c++)
      o[c] = spacing * ((double)cell[c] - 0.5 * (double)side) + 0.04 * (uniform(&seed) - 0.5);
    if (m + strays >= molecules) {
      const size_t stray = m + strays - molecules;
      o[0] = (stray % 3 == 0   ? -30.0
              : stray % 3 == 1 ? 14.01 - spacing
                               : 1e3 * (double)stray) +
             spacing * (double)(stray / 3);
      o[1] = o[2] = 0.0;
    }
    put(&cluster, m, o, &seed);
  }
  return cluster;
}

static void release(struct cluster *cluster) {
  rill_release(cluster->q);
  rill_release(cluster->f);
}

static struct rill_periodic *create(const struct cluster *cluster, const struct rill_periodic_options *options) {
  const struct rill_water_model model = tip3p();
  static struct rill_error error;
  struct rill_periodic *made;
  ck_assert_msg(rill_periodic_create(&model, cluster->molecules, cluster->stride, options, &made, &error) == RILL_OK,
                "%s", error.text);
  return made;
}

static void evaluate(struct rill_periodic *forces, struct cluster *cluster, struct rill_periodic_energies *energies) {
  static struct rill_error error;
  ck_assert_msg(rill_periodic_evaluate(forces, cluster->q, cluster->f, energies, &error) == RILL_OK, "%s",
                error.text);
}

static struct rill_periodic_energies once(struct cluster *cluster, const struct rill_periodic_options *options) {
  struct rill_periodic *forces = create(cluster, options);
  struct rill_periodic_energies energies;
  evaluate(forces, cluster, &energies);
  rill_periodic_destroy(forces);
  return energies;
}

static struct rill_periodic_options choose(int combination, double cutoff) {
  return (struct rill_periodic_options){
      .open = 1,
      .cutoff = cutoff,
      .coulomb = combination % COULOMBS ? RILL_COULOMB_CUT : RILL_COULOMB_REACTION_FIELD,
      .lj = (enum rill_lj_kind)(combination / COULOMBS % LJS),
      .switch_from = 0.8 * cutoff,
      .precision = combination / (COULOMBS * LJS) % PRECISIONS ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE,
      .by_atom = combination / (COULOMBS * LJS * PRECISIONS),
      .isa = rill_isa_best(),
      .threads = 2};
}

/* Root mean square of b less a, and of a. */
static double error_of(const struct cluster *cluster, const double *a, const double *b) {
  double error2 = 0.0, size2 = 0.0;
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < cluster->molecules; m++) {
      const size_t place = k * cluster->stride + m;
      error2 += pow(b[place] - a[place], 2.0);
      size2 += a[place] * a[place];
    }
  return sqrt(error2 / size2);
}

static double *copy_forces(const struct cluster *cluster) {
  const size_t count = RILL_COORDINATES * cluster->stride;
  double *copy = rill_allocate(count, sizeof *copy);
  ck_assert_ptr_nonnull(copy);
  memcpy(copy, cluster->f, count * sizeof *copy);
  return copy;
}

/* In double precision integers of 2^-32 kJ/mol/nm and 2^-42 nm are what is left; in mixed precision distances in
 * quanta of 2^-26 nm and single precision.  A pair on the wrong side of the cutoff would be seen at 1e-3. */
START_TEST(agrees_with_the_plain_loops) {
  struct rill_periodic_options options = choose(_i, 0.8), plain = options;
  const double tolerance = options.precision == RILL_PRECISION_MIXED ? 2e-6 : 1e-9;
  plain.reference = 1;
  for (size_t strays = 0; strays <= 7; strays += 7) {
    struct cluster cluster = make_cluster(150, strays, 7 + strays);
    const struct rill_periodic_energies right = once(&cluster, &plain);
    double *f = copy_forces(&cluster);
    const struct rill_periodic_energies ours = once(&cluster, &options);
    const double size = fabs(right.lj) + fabs(right.coulomb) + 1e4;
    ck_assert_double_lt(error_of(&cluster, f, cluster.f), tolerance);
    ck_assert_double_le(fabs(ours.lj - right.lj), tolerance * size);
    ck_assert_double_le(fabs(ours.coulomb - right.coulomb), tolerance * size);
    for (int k = 0; k < 9; k++)
      ck_assert_double_le(fabs(ours.virial[k / 3][k % 3] - right.virial[k / 3][k % 3]), 10.0 * tolerance * size);
    rill_release(f);
    release(&cluster);
  }
}
END_TEST

/* All outside, or one molecule, or two: no lists at all. */
START_TEST(holds_without_lists) {
  struct rill_periodic_options options = choose(_i, 0.8), plain = options;
  plain.reference = 1;
  for (size_t molecules = 1; molecules <= 4; molecules++) {
    struct cluster cluster = make_cluster(molecules, molecules, 3);
    double *f;
    once(&cluster, &plain);
    f = copy_forces(&cluster);
    once(&cluster, &options);
    for (size_t k = 0; k < RILL_COORDINATES * cluster.stride; k++)
      ck_assert_double_le(fabs(f[k] - cluster.f[k]), 1e-3);
    rill_release(f);
    release(&cluster);
  }
}
END_TEST

/* With a cutoff beyond the cluster, and nothing shifted, these are the forces of all pairs. */
START_TEST(a_wide_cutoff_is_none) {
  const struct rill_water_model model = tip3p();
  struct cluster cluster = make_cluster(200, 0, 5);
  struct rill_periodic_options options = choose(0, 4.0);
  struct rill_periodic_energies energies;
  struct rill_water_energies all;
  struct rill_water_forces *forces;
  static struct rill_error error;
  double *f;
  options.coulomb = RILL_COULOMB_CUT;
  options.lj = RILL_LJ_CUT;
  ck_assert_int_eq(
      rill_water_forces_create(&model, cluster.molecules, cluster.stride, 0, rill_isa_best(), 1, &forces, &error),
      RILL_OK);
  rill_water_forces_evaluate(forces, cluster.q, cluster.f, &all);
  rill_water_forces_destroy(forces);
  f = copy_forces(&cluster);
  energies = once(&cluster, &options);
  ck_assert_double_lt(error_of(&cluster, f, cluster.f), 1e-9);
  ck_assert_double_le(fabs(energies.lj - all.lj), 1e-8 * fabs(all.lj));
  ck_assert_double_le(fabs(energies.coulomb - all.coulomb), 1e-8 * fabs(all.coulomb));
  rill_release(f);
  release(&cluster);
}
END_TEST

/* All molecules at one speed in directions of their own and back again, some through the rim of the grid: the lists
 * that were kept give the bytes of lists that are made anew, whatever the number of threads, and the plain loops'
 * forces.  (Molecules come as near as 0.2 nm, where repulsion makes much of an error of the distance.) */
START_TEST(kept_lists_change_no_byte) {
  enum { STEPS = 40, BACK = 12, STRAYS = 9 };
  static const double speed = 4e-3; /* nm a step */
  struct rill_periodic_options options = choose(_i % 2 ? 6 : 0, 0.6), plain;
  struct cluster cluster = make_cluster(250, STRAYS, 11);
  struct rill_periodic *kept;
  struct rill_periodic_counts counts;
  double *velocity = rill_allocate(3 * cluster.molecules, sizeof *velocity);
  uint64_t seed = 13;
  options.buffer = _i < 2 ? 0.05 : 0.04;
  options.inner_buffer = _i < 2 ? 0.012 : 0.03;
  kept = create(&cluster, &options);
  options.buffer = options.inner_buffer = 0.25;
  plain = options;
  plain.reference = 1;
  for (size_t m = 0; m < cluster.molecules; m++) {
    double *v = velocity + 3 * m, norm2 = 0.0;
    for (int c = 0; c < 3; c++) {
      v[c] = m + STRAYS >= cluster.molecules && c > 0 ? 0.0 : uniform(&seed) - 0.5;
      norm2 += v[c] * v[c];
    }
    for (int c = 0; c < 3; c++) v[c] *= speed / sqrt(norm2);
  }
  for (int step = 0; step < STEPS; step++) {
    double *f;
    evaluate(kept, &cluster, NULL);
    f = copy_forces(&cluster);
    options.threads = 1 + step % 4;
    once(&cluster, &options);
    ck_assert_mem_eq(f, cluster.f, RILL_COORDINATES * cluster.stride * sizeof *f);
    if (step % 13 == 0) {
      once(&cluster, &plain);
      ck_assert_double_lt(error_of(&cluster, cluster.f, f), _i % 2 ? 1e-5 : 1e-9);
    }
    rill_release(f);
    for (size_t m = 0; m < cluster.molecules; m++)
      for (size_t k = 0; k < RILL_COORDINATES; k++)
        cluster.q[k * cluster.stride + m] += (step / BACK % 2 == 0 ? 1 : -1) * velocity[3 * m + k % 3];
  }
  counts = rill_periodic_counts(kept);
  ck_assert_uint_ge(counts.builds, 4);
  ck_assert_uint_lt(counts.builds, STEPS / 2); /* or nothing was kept, and nothing tested */
  rill_periodic_destroy(kept);
  rill_release(velocity);
  release(&cluster);
}
END_TEST

START_TEST(refusals) {
  const struct rill_water_model model = tip3p();
  struct rill_periodic_options options = choose(0, 0.8);
  struct rill_periodic *made;
  static struct rill_error error;
  struct cluster cluster = make_cluster(20, 0, 3);
  struct rill_periodic *forces = create(&cluster, &options);
  cluster.q[3 * cluster.stride + 4] += 1.0;
  ck_assert_int_eq(rill_periodic_evaluate(forces, cluster.q, cluster.f, NULL, &error), RILL_ERROR_INPUT);
  cluster.q[4] = NAN;
  ck_assert_int_ne(rill_periodic_evaluate(forces, cluster.q, cluster.f, NULL, &error), RILL_OK);
  rill_periodic_destroy(forces);
  release(&cluster);
  options.cutoff = 20.0;
  ck_assert_int_eq(rill_periodic_create(&model, 8, 8, &options, &made, &error), RILL_ERROR_INPUT);
  options.cutoff = 0.8;
  options.coulomb = RILL_COULOMB_EWALD;
  options.beta = 3.0;
  rill_error_clear(&error);
  ck_assert_int_eq(rill_periodic_create(&model, 8, 8, &options, &made, &error), RILL_ERROR_UNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(error.text, "needs a box"));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("open clusters");
  TCase *cases = tcase_create("cutoff");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, agrees_with_the_plain_loops, 0, COMBINATIONS);
  tcase_add_loop_test(cases, holds_without_lists, 0, COMBINATIONS);
  tcase_add_test(cases, a_wide_cutoff_is_none);
  tcase_add_loop_test(cases, kept_lists_change_no_byte, 0, 2 * PRECISIONS);
  tcase_add_test(cases, refusals);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

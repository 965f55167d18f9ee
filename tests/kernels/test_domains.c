/* Forces of a box that ranks share: the bytes of one process, for any number of ranks.  Ranks are threads here. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "suite.h"
#include "support/thread_ranks.h"
#include "water/forces/periodic.h"
#include "water/model/model.h"

/* A jittered lattice of rigid molecules, with random attitudes, so close that forces are those of a hot liquid. */
enum { ALONG_A = 10, ALONG_B = 10, ALONG_C = 12, MOLECULES = ALONG_A * ALONG_B * ALONG_C };
static const double spacing = 0.305;

/* Positions: at the start; those of one half of the box near it, further than the inner lists' buffer; all near it;
 * and further away than half a buffer. */
enum { ROUNDS = 4 };

struct shared {
  struct rill_water_model model;
  struct rill_periodic_options options;
  double (*q[ROUNDS])[9]; /* [MOLECULES] */
  double (*found[ROUNDS])[9];
  struct rill_periodic_energies energies[ROUNDS];
};

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (double)(*state >> 11) * 0x1p-53;
}

static void rotate(const double axis[3], double angle, const double x[3], double y[3]) {
  const double c = cos(angle), s = sin(angle), d = axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    y[i] = c * x[i] + s * (axis[j] * x[k] - axis[k] * x[j]) + (1 - c) * d * axis[i];
  }
}

/* Some molecules are whole boxes away. */
static void fill(const struct rill_water_model *model, double box[3][3], double (*q)[9]) {
  static const int count[3] = {ALONG_A, ALONG_B, ALONG_C};
  uint64_t state = 3;
  const double half = 0.5 * model->bond[2], height = sqrt(model->bond[0] * model->bond[0] - half * half);
  const double h[2][3] = {{half, height, 0}, {-half, height, 0}};
  for (int c = 0; c < 3; c++) box[c][c] = count[c] * spacing;
  for (size_t m = 0; m < MOLECULES; m++) {
    const size_t at[3] = {m / (ALONG_B * ALONG_C), m / ALONG_C % ALONG_B, m % ALONG_C};
    double axis[3], length = 0, angle;
    for (int c = 0; c < 3; c++) {
      axis[c] = uniform(&state) - 0.5;
      length += axis[c] * axis[c];
    }
    for (int c = 0; c < 3; c++) axis[c] /= sqrt(length);
    angle = 6.2831853 * uniform(&state);
    for (int c = 0; c < 3; c++)
      q[m][c] = ((double)at[c] + 0.15 * uniform(&state)) * spacing + box[c][c] * floor(3 * uniform(&state) - 1);
    for (int a = 0; a < 2; a++) {
      rotate(axis, angle, h[a], q[m] + 3 + 3 * a);
      for (int c = 0; c < 3; c++) q[m][3 + 3 * a + c] += q[m][c];
    }
  }
}

/* Displacements of at most so much along each axis, beside a common one along a, of the first molecules. */
static void displace(const double (*from)[9], double most, double along_a, size_t moved, double (*to)[9]) {
  uint64_t state = 17;
  for (size_t m = 0; m < MOLECULES; m++)
    for (int c = 0; c < 3; c++) {
      const double d = m < moved ? 2 * most * (uniform(&state) - 0.5) + (c == 0 ? along_a : 0) : 0;
      for (int a = 0; a < 3; a++) to[m][3 * a + c] = from[m][3 * a + c] + d;
    }
}

static bool divide(const struct rill_periodic_options *options, int ranks, struct rill_bricks *bricks) {
  const double edge[3] = {options->box[0][0], options->box[1][1], options->box[2][2]};
  int most;
  return rill_bricks_divide(edge, options->cutoff + (options->by_atom ? 0.34 : 0.14), ranks, bricks, &most);
}

static size_t stride_of(void) { return rill_padded(MOLECULES); }

static void scatter(const double (*q)[9], const size_t *id, size_t count, double *columns) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < 9; k++) columns[k * stride_of() + i] = q[id != NULL ? id[i] : i][k];
}

/* Every rank finds its own molecules among all. */
static size_t choose(struct rill_periodic *periodic, int rank, const double (*q)[9], double *columns, size_t *id) {
  struct rill_error error = {0};
  size_t own = 0;
  scatter(q, NULL, MOLECULES, columns);
  ck_assert_int_eq(rill_periodic_set_molecules(periodic, MOLECULES, columns, &error), RILL_OK);
  for (size_t m = 0; m < MOLECULES; m++)
    if (rill_periodic_owner(periodic, m) == rank) id[own++] = m;
  scatter(q, id, own, columns);
  ck_assert_int_eq(rill_periodic_set_molecules(periodic, own, columns, &error), RILL_OK);
  return own;
}

static void evaluate_share(struct rill_ranks *ranks, void *context) {
  struct shared *shared = context;
  struct rill_periodic_options options = shared->options;
  struct rill_periodic *periodic;
  struct rill_periodic_energies energies;
  struct rill_error error = {0};
  double *q = rill_allocate(9 * stride_of(), sizeof *q), *f = rill_allocate(9 * stride_of(), sizeof *f);
  size_t *id = rill_allocate(MOLECULES, sizeof *id), own = 0;
  uint64_t builds = 0;
  options.ranks = ranks;
  options.all = MOLECULES;
  ck_assert(divide(&options, ranks->count, &options.bricks));
  ck_assert_msg(rill_periodic_create(&shared->model, MOLECULES, stride_of(), &options, &periodic, &error) == RILL_OK,
                "%s", error.text);
  for (int round = 0; round < ROUNDS; round++) {
    const double(*positions)[9] = (const double(*)[9])shared->q[round];
    bool stale = true;
    if (round > 0) {
      scatter(positions, id, own, q);
      ck_assert_int_eq(rill_periodic_place(periodic, q, &stale, &error), RILL_OK);
      ck_assert_int_eq(stale, round == ROUNDS - 1);
    }
    if (stale) own = choose(periodic, ranks->rank, positions, q, id);
    ck_assert_msg(rill_periodic_evaluate(periodic, q, f, &energies, &error) == RILL_OK, "%s", error.text);
    builds += stale;
    ck_assert_uint_eq(rill_periodic_counts(periodic).builds, builds);
    for (size_t i = 0; i < own; i++)
      for (size_t k = 0; k < 9; k++) shared->found[round][id[i]][k] = f[k * stride_of() + i];
    if (ranks->rank == ranks->count - 1) shared->energies[round] = energies;
  }
  rill_periodic_destroy(periodic);
  rill_release(q);
  rill_release(f);
  rill_release(id);
}

static struct shared begin(const struct rill_periodic_options *options) {
  struct shared shared = {.options = *options};
  struct rill_error error = {0};
  ck_assert_int_eq(rill_water_model_find("tip3p", 0, &shared.model, &error), RILL_OK);
  for (int round = 0; round < ROUNDS; round++) {
    shared.q[round] = rill_allocate(MOLECULES, sizeof *shared.q[round]);
    shared.found[round] = rill_allocate(MOLECULES, sizeof *shared.found[round]);
  }
  fill(&shared.model, shared.options.box, shared.q[0]);
  displace((const double(*)[9])shared.q[0], 0.01, -0.045, MOLECULES / 2, shared.q[1]);
  displace((const double(*)[9])shared.q[0], 0.02, 0, MOLECULES, shared.q[2]);
  displace((const double(*)[9])shared.q[0], 0.1, 0, MOLECULES, shared.q[3]);
  return shared;
}

static void end(struct shared *shared) {
  for (int round = 0; round < ROUNDS; round++) {
    rill_release(shared->q[round]);
    rill_release(shared->found[round]);
  }
}

static void expect_same(const struct shared *shared, struct rill_periodic *alone, int round, int ranks) {
  double *q = rill_allocate(9 * stride_of(), sizeof *q), *f = rill_allocate(9 * stride_of(), sizeof *f);
  struct rill_periodic_energies energies;
  struct rill_error error = {0};
  size_t differ = 0;
  scatter((const double(*)[9])shared->q[round], NULL, MOLECULES, q);
  ck_assert_msg(rill_periodic_evaluate(alone, q, f, &energies, &error) == RILL_OK, "%s", error.text);
  for (size_t m = 0; m < MOLECULES; m++)
    for (size_t k = 0; k < 9; k++)
      differ += memcmp(&shared->found[round][m][k], &f[k * stride_of() + m], sizeof *f) != 0;
  ck_assert_msg(differ == 0, "%d ranks, round %d: %zu of %d forces differ", ranks, round, differ, 9 * MOLECULES);
  ck_assert_mem_eq(&energies, &shared->energies[round], sizeof energies);
  rill_release(q);
  rill_release(f);
}

/* A molecule that is not whole, and two whose force exceeds the usual range: each on one rank alone. */
static void spoil(struct shared *shared) {
  enum { BROKEN = 17, NEAR = MOLECULES - 3 };
  for (int round = 0; round < ROUNDS; round++) {
    double(*q)[9] = shared->q[round];
    const double to[3] = {q[NEAR][0] + 0.06, q[NEAR][1] + 0.06, q[NEAR][2] + 0.06};
    q[BROKEN][3] += shared->options.box[0][0];
    for (int c = 0; c < 3; c++) {
      const double d = to[c] - q[NEAR + 1][c];
      for (int a = 0; a < 3; a++) q[NEAR + 1][3 * a + c] += d;
    }
  }
}

static void compare_with(const struct rill_periodic_options *options, bool spoilt) {
  static const int counts[] = {1, 2, 3, 4, 5, 6, 8};
  struct shared shared = begin(options);
  struct rill_periodic *alone;
  struct rill_error error = {0};
  int compared = 0;
  if (spoilt) spoil(&shared);
  ck_assert_msg(
      rill_periodic_create(&shared.model, MOLECULES, stride_of(), &shared.options, &alone, &error) == RILL_OK, "%s",
      error.text);
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    struct rill_bricks bricks;
    if (!divide(&shared.options, counts[i], &bricks)) continue;
    compared++;
    ck_assert(rill_thread_ranks_run(counts[i], evaluate_share, &shared));
    for (int round = 0; round < ROUNDS; round++) expect_same(&shared, alone, round, counts[i]);
  }
  ck_assert_int_ge(compared, 5);
  rill_periodic_destroy(alone);
  end(&shared);
}

static void compare(const struct rill_periodic_options *options) { compare_with(options, false); }

static const struct rill_periodic_options cut = {
    .cutoff = 0.6, .coulomb = RILL_COULOMB_CUT, .lj = RILL_LJ_SHIFT, .tail = 1, .threads = 1};

START_TEST(mixed_precision) {
  struct rill_periodic_options options = cut;
  options.precision = RILL_PRECISION_MIXED;
  options.isa = rill_isa_best();
  compare(&options);
  options.isa = RILL_ISA_PORTABLE;
  compare(&options);
}
END_TEST

START_TEST(double_precision) {
  struct rill_periodic_options options = cut;
  options.precision = RILL_PRECISION_DOUBLE;
  options.isa = rill_isa_best();
  compare(&options);
}
END_TEST

START_TEST(reaction_field_by_atoms_with_threads) {
  struct rill_periodic_options options = cut;
  options.precision = RILL_PRECISION_MIXED;
  options.isa = rill_isa_best();
  options.coulomb = RILL_COULOMB_REACTION_FIELD;
  options.dielectric = 78;
  options.by_atom = 1;
  options.cutoff = 0.5;
  options.threads = 2;
  compare(&options);
}
END_TEST

START_TEST(a_broken_molecule_and_a_near_pair) {
  struct rill_periodic_options options = cut;
  options.precision = _i == 0 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE;
  options.isa = rill_isa_best();
  compare_with(&options, true);
}
END_TEST

/* The cell and the molecules shrink by a tenth of their size, which takes half of the lists' buffer: displacements of
 * less than half of the whole buffer are then too large. */
static void shrink_share(struct rill_ranks *ranks, void *context) {
  struct shared *shared = context;
  struct rill_periodic_options options = shared->options;
  struct rill_periodic *periodic;
  struct rill_error error = {0};
  double *q = rill_allocate(9 * stride_of(), sizeof *q), *f = rill_allocate(9 * stride_of(), sizeof *f);
  size_t *id = rill_allocate(MOLECULES, sizeof *id), own;
  bool stale;
  options.ranks = ranks;
  options.all = MOLECULES;
  ck_assert(divide(&options, ranks->count, &options.bricks));
  ck_assert_int_eq(rill_periodic_create(&shared->model, MOLECULES, stride_of(), &options, &periodic, &error),
                   RILL_OK);
  own = choose(periodic, ranks->rank, (const double(*)[9])shared->q[0], q, id);
  ck_assert_int_eq(rill_periodic_evaluate(periodic, q, f, NULL, &error), RILL_OK);
  scatter((const double(*)[9])shared->q[1], id, own, q);
  ck_assert_int_eq(rill_periodic_place(periodic, q, &stale, &error), RILL_OK);
  ck_assert(!stale);
  for (int c = 0; c < 3; c++) options.box[c][c] *= 0.9;
  ck_assert_int_eq(rill_periodic_set_cell(periodic, (const double(*)[3])options.box, &error), RILL_OK);
  for (size_t i = 0; i < 9 * stride_of(); i++) q[i] *= 0.9;
  ck_assert_int_eq(rill_periodic_place(periodic, q, &stale, &error), RILL_OK);
  ck_assert(stale);
  rill_periodic_destroy(periodic);
  rill_release(q);
  rill_release(f);
  rill_release(id);
}

START_TEST(lists_of_a_cell_that_shrinks) {
  struct rill_periodic_options options = cut;
  struct shared shared;
  options.precision = RILL_PRECISION_MIXED;
  options.isa = rill_isa_best();
  options.cutoff = 0.5;
  shared = begin(&options);
  ck_assert(rill_thread_ranks_run(2, shrink_share, &shared));
  end(&shared);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("domains");
  TCase *bytes = tcase_create("the bytes of one process");
  tcase_set_timeout(bytes, 300);
  tcase_add_test(bytes, mixed_precision);
  tcase_add_test(bytes, double_precision);
  tcase_add_test(bytes, reaction_field_by_atoms_with_threads);
  tcase_add_loop_test(bytes, a_broken_molecule_and_a_near_pair, 0, 2);
  tcase_add_test(bytes, lists_of_a_cell_that_shrinks);
  suite_add_tcase(suite, bytes);
  return rill_run_suite(suite);
}

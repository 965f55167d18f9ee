/* The mesh over ranks (water/pme/slabs.h): forces and energies are the bytes of the mesh that is not divided. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/simd/lanes.h"
#include "suite.h"
#include "support/thread_ranks.h"
#include "water/pme/pme.h"
#include "water/pme/slabs.h"

enum { SIDE = 8, MOLECULES = SIDE * SIDE * SIDE, STRIDE = MOLECULES, MOST_RANKS = 8, ROUNDS = 2 };

/* How far molecules are beyond their bricks when they are dealt out, and their hydrogens beyond their oxygens, nm. */
static const double drift = 0.13, bond = 0.0957;

static struct rill_error error;

/* Of 512 molecules in random orientations, near the points of a lattice, at any image. */
struct liquid {
  double box[3][3];
  double q[RILL_COORDINATES * STRIDE], f[RILL_COORDINATES * STRIDE]; /* f: what forces are added to */
};

static void draw(uint64_t step, uint32_t molecule, uint32_t use, double u[4]) {
  const struct rill_noise noise = rill_noise_create(5, RILL_STREAM_TEST);
  rill_noise_uniform(&noise, step, molecule, use, u);
}

static struct liquid *make_liquid(void) {
  struct liquid *liquid = rill_allocate(1, sizeof *liquid);
  ck_assert_ptr_nonnull(liquid);
  liquid->box[0][0] = 2.4;
  liquid->box[1][1] = 2.6;
  liquid->box[2][2] = 2.9;
  for (uint32_t m = 0; m < MOLECULES; m++) {
    const uint32_t at[3] = {m / SIDE / SIDE, m / SIDE % SIDE, m % SIDE};
    double u[4], v[4], w[4], length, first[3], second[3], product = 0.0;
    draw(0, m, 0, u);
    draw(0, m, 1, v);
    draw(0, m, 2, w);
    for (int c = 0; c < 3; c++) {
      first[c] = v[c] - 0.5;
      second[c] = w[c] - 0.5;
    }
    length = sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
    for (int c = 0; c < 3; c++) first[c] /= length;
    for (int c = 0; c < 3; c++) product += first[c] * second[c];
    for (int c = 0; c < 3; c++) second[c] -= product * first[c];
    length = sqrt(second[0] * second[0] + second[1] * second[1] + second[2] * second[2]);
    for (size_t c = 0; c < 3; c++) {
      const double image = floor(3.0 * (c == 0 ? u[3] : c == 1 ? v[3] : w[3])) - 1.0;
      const double x = ((at[c] + 0.6 * u[c]) / SIDE + image) * liquid->box[c][c];
      liquid->q[c * STRIDE + m] = x;
      liquid->q[(3 + c) * STRIDE + m] = x + bond * first[c];
      liquid->q[(6 + c) * STRIDE + m] = x + bond * (-0.25 * first[c] + 0.97 * second[c] / length);
    }
    for (size_t k = 0; k < RILL_COORDINATES; k++) liquid->f[k * STRIDE + m] = 10.0 * sin((double)(k + 9 * m));
  }
  return liquid;
}

struct trial {
  const struct liquid *liquid;
  const char *model;
  struct rill_pme_parameters parameters;
  struct rill_bricks bricks;
  double drift, margin;
  int threads, mesh_ranks;
  bool apart, alone, wanted, half; /* half: molecules in one half of the box only */
  bool beside;                     /* all threads help, as beside other work */
  enum rill_isa isa[2];            /* of the last rank, and of the others */
  /* results */
  double f[ROUNDS][RILL_COORDINATES * STRIDE];
  struct rill_pme_energies energies[ROUNDS][MOST_RANKS];
  enum rill_status status[MOST_RANKS];
  char text[MOST_RANKS][200];
  bool outside[MOST_RANKS];
  struct rill_pme_traffic traffic[MOST_RANKS][RILL_PME_TRAFFICS];
};

static struct trial *make_trial(const struct liquid *liquid, struct rill_pme_parameters parameters) {
  struct trial *trial = rill_allocate(1, sizeof *trial);
  ck_assert_ptr_nonnull(trial);
  trial->liquid = liquid;
  trial->model = "tip3p";
  trial->parameters = parameters;
  trial->bricks = (struct rill_bricks){{1, 1, 1}};
  trial->drift = drift;
  trial->margin = drift + bond;
  trial->threads = 1;
  trial->wanted = true;
  trial->isa[0] = trial->isa[1] = rill_isa_best();
  return trial;
}

static int ranks_of(const struct trial *trial) {
  return trial->bricks.count[0] * trial->bricks.count[1] * trial->bricks.count[2];
}

/* The box of a round. */
static void find_box(const struct trial *trial, int round, double box[3][3]) {
  memcpy(box, trial->liquid->box, 9 * sizeof(double));
  for (int c = 0; c < 3 && round > 0; c++) box[c][c] *= 1.0 + 0.004 * c;
}

static bool is_there(const struct trial *trial, size_t m) { return !trial->half || m < MOLECULES / 2; }

/* The rank of a molecule: that of a brick to which it may have drifted to where it is. */
static int owner(const struct trial *trial, int round, size_t m) {
  double box[3][3], u[4];
  int place[3];
  find_box(trial, round, box);
  draw(1 + (uint64_t)round, (uint32_t)m, 0, u);
  for (size_t c = 0; c < 3; c++) {
    /* most molecules at the margin itself */
    const double away = u[3] < 0.7 ? (u[c] < 0.5 ? -1.0 : 1.0) : 2.0 * u[c] - 1.0;
    const double s = (trial->liquid->q[c * STRIDE + m] + trial->drift * away) / box[c][c];
    place[c] = rill_bricks_holder(trial->bricks.count[c], (uint32_t)(int64_t)floor((s - floor(s)) * 0x1p32));
  }
  return rill_bricks_rank(&trial->bricks, place);
}

/* The molecules of a rank, in an order of its own. */
static size_t deal(const struct trial *trial, int round, int rank, size_t *own) {
  size_t count = 0;
  for (size_t k = 0; k < MOLECULES; k++) {
    const size_t m = (k * 77 + (size_t)round) % MOLECULES;
    if (is_there(trial, m) && owner(trial, round, m) == rank) own[count++] = m;
  }
  return count;
}

static struct rill_water_model find_model(const struct trial *trial) {
  struct rill_water_model model;
  ck_assert_int_eq(rill_water_model_find(trial->model, 0.0, &model, &error), RILL_OK);
  return model;
}

struct columns {
  size_t count, stride;
  double *q, *f;
};

static struct columns take_columns(const struct trial *trial, const size_t *own, size_t count) {
  struct columns columns = {count, rill_padded(count), NULL, NULL};
  columns.q = rill_allocate(RILL_COORDINATES * columns.stride, sizeof *columns.q);
  columns.f = rill_allocate(RILL_COORDINATES * columns.stride, sizeof *columns.f);
  ck_assert(columns.q != NULL && columns.f != NULL);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < columns.stride; m++) {
      columns.q[k * columns.stride + m] = m < count ? trial->liquid->q[k * STRIDE + own[m]] : NAN;
      columns.f[k * columns.stride + m] = m < count ? trial->liquid->f[k * STRIDE + own[m]] : 1.0;
    }
  return columns;
}

static void release_columns(struct columns *columns) {
  rill_release(columns->q);
  rill_release(columns->f);
}

static void help(void *pme, size_t thread) {
  for (enum rill_help last = RILL_HELP_NONE; last != RILL_HELP_OVER;) {
    last = rill_pme_help(pme, thread == 0);
    if (last == RILL_HELP_NONE) rill_team_pause();
  }
}

static void evaluate(const struct trial *trial, struct rill_pme *pme, struct rill_team *team, struct columns *c,
                     struct rill_pme_energies *energies) {
  uint32_t *places = rill_allocate(c->count, sizeof *places);
  ck_assert_ptr_nonnull(places);
  for (size_t m = 0; m < c->count; m++) places[m] = (uint32_t)(c->count - 1 - m);
  if (trial->beside) {
    rill_pme_prepare(pme, c->q, places, trial->wanted);
    rill_team_run(team, (size_t)trial->threads, true, help, pme);
    rill_pme_finish(pme, c->q, places, trial->wanted, 0, 0, c->count, c->f);
    if (trial->wanted) rill_pme_energies(pme, energies);
  } else if (!trial->alone) {
    rill_pme_evaluate(pme, c->q, places, c->f, trial->wanted ? energies : NULL);
  } else {
    rill_pme_begin(pme, c->q, NULL, trial->wanted, true);
    rill_pme_finish(pme, c->q, NULL, trial->wanted, 0, 0, c->count, c->f);
    if (trial->wanted) rill_pme_energies(pme, energies);
  }
  rill_release(places);
}

static void run_rounds(struct rill_ranks *ranks, struct trial *trial, struct rill_pme *pme, struct rill_team *team,
                       const size_t *own, struct columns *columns) {
  struct rill_error failure = {0};
  size_t again[MOLECULES];
  for (int round = 0; round < ROUNDS; round++) {
    double box[3][3];
    find_box(trial, round, box);
    if (round > 0) {
      release_columns(columns);
      *columns = take_columns(trial, again, deal(trial, round, ranks->rank, again));
      own = again;
      ck_assert_int_eq(rill_pme_set_box(pme, (const double(*)[3])box, &failure), RILL_OK);
      ck_assert_int_eq(rill_pme_set_molecules(pme, columns->count, columns->stride, &failure), RILL_OK);
    }
    evaluate(trial, pme, team, columns, &trial->energies[round][ranks->rank]);
    trial->outside[ranks->rank] |= rill_pme_is_outside(pme);
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = 0; m < columns->stride; m++) {
        const double f = columns->f[k * columns->stride + m];
        if (m < columns->count) trial->f[round][k * STRIDE + own[m]] = f;
        else ck_assert_double_eq(f, 1.0);
      }
  }
  for (int kind = 0; kind < RILL_PME_TRAFFICS; kind++)
    trial->traffic[ranks->rank][kind] = rill_pme_traffic(pme, (enum rill_pme_traffic_kind)kind);
  trial->status[ranks->rank] = rill_pme_failure(pme, &failure);
  snprintf(trial->text[ranks->rank], sizeof trial->text[0], "%.150s", failure.text);
}

static void run_rank(struct rill_ranks *ranks, void *context) {
  struct trial *trial = context;
  const struct rill_water_model model = find_model(trial);
  const struct rill_pme_division division = {.ranks = ranks,
                                             .bricks = &trial->bricks,
                                             .margin = trial->margin,
                                             .molecules = trial->half ? MOLECULES / 2 : MOLECULES,
                                             .mesh_ranks = trial->mesh_ranks,
                                             .apart = trial->apart};
  struct rill_error failure = {0};
  struct rill_team *team = NULL;
  struct rill_pme *pme = NULL;
  size_t own[MOLECULES];
  struct columns columns = take_columns(trial, own, deal(trial, 0, ranks->rank, own));
  ck_assert_int_eq(rill_team_create(trial->threads, &team, &failure), RILL_OK);
  trial->status[ranks->rank] = rill_pme_create_divided(
      &model, columns.count, columns.stride, (const double(*)[3])trial->liquid->box, &trial->parameters,
      trial->isa[ranks->rank != ranks->count - 1], team, &division, &pme, &failure);
  snprintf(trial->text[ranks->rank], sizeof trial->text[0], "%.150s", failure.text);
  if (pme != NULL) run_rounds(ranks, trial, pme, team, own, &columns);
  release_columns(&columns);
  rill_pme_destroy(pme);
  rill_team_destroy(team);
}

/* Without ranks, into f and energies of the trial `to`. */
static void run_whole(const struct trial *trial, struct trial *to) {
  const struct rill_water_model model = find_model(trial);
  struct rill_pme *pme;
  size_t own[MOLECULES], count = 0;
  for (size_t m = 0; m < MOLECULES; m++)
    if (is_there(trial, m)) own[count++] = m;
  for (int round = 0; round < ROUNDS; round++) {
    struct columns columns = take_columns(trial, own, count);
    double box[3][3];
    find_box(trial, round, box);
    ck_assert_msg(rill_pme_create(&model, count, columns.stride, (const double(*)[3])box, &trial->parameters,
                                  trial->isa[1], NULL, &pme, &error) == RILL_OK,
                  "%s", error.text);
    rill_pme_evaluate(pme, columns.q, NULL, columns.f, trial->wanted ? &to->energies[round][0] : NULL);
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = 0; m < count; m++) to->f[round][k * STRIDE + own[m]] = columns.f[k * columns.stride + m];
    rill_pme_destroy(pme);
    release_columns(&columns);
  }
}

/* Whether all ranks have the bytes of the whole mesh. */
static bool is_equal(const struct trial *trial, const struct trial *whole) {
  if (memcmp(trial->f, whole->f, sizeof trial->f) != 0) return false;
  for (int round = 0; round < ROUNDS && trial->wanted; round++)
    for (int r = 0; r < ranks_of(trial); r++)
      if (memcmp(&trial->energies[round][r], &whole->energies[round][0], sizeof whole->energies[0][0]) != 0)
        return false;
  return true;
}

static void run(struct trial *trial) { ck_assert(rill_thread_ranks_run(ranks_of(trial), run_rank, trial)); }

static void expect_equal(struct trial *trial, const struct trial *whole) {
  const struct rill_pme_parameters *p = &trial->parameters;
  const int *bricks = trial->bricks.count;
  run(trial);
  for (int r = 0; r < ranks_of(trial); r++) {
    ck_assert_msg(trial->status[r] == RILL_OK, "rank %d: %s", r, trial->text[r]);
    ck_assert(!trial->outside[r]);
  }
  ck_assert_msg(is_equal(trial, whole), "order %d, %zu x %zu x %zu points, %s; %d x %d x %d bricks", p->order,
                p->grid[0], p->grid[1], p->grid[2], p->precision == RILL_MESH_SINGLE ? "single" : "double", bricks[0],
                bricks[1], bricks[2]);
}

/* All divisions into these numbers of ranks, which end with 0. */
static void expect_equal_for(struct trial *trial, const int *counts) {
  struct trial *whole = make_trial(trial->liquid, trial->parameters);
  run_whole(trial, whole);
  for (; *counts != 0; counts++)
    for (int a = 1; a <= *counts; a++)
      for (int b = 1; *counts % a == 0 && b <= *counts / a; b++) {
        if (*counts / a % b != 0) continue;
        trial->bricks = (struct rill_bricks){{a, b, *counts / a / b}};
        expect_equal(trial, whole);
      }
  rill_release(whole);
}

static const int all_counts[] = {1, 2, 3, 4, 5, 6, 8, 0}, some_counts[] = {3, 4, 0};

static const struct rill_pme_parameters meshes[] = {
    {3.1, 4, {40, 45, 48}, RILL_MESH_SINGLE},  {3.1, 5, {36, 21, 128}, RILL_MESH_SINGLE},
    {3.1, 6, {27, 40, 256}, RILL_MESH_SINGLE}, {3.1, 7, {45, 36, 20}, RILL_MESH_SINGLE},
    {3.1, 8, {50, 15, 30}, RILL_MESH_SINGLE},  {3.1, 4, {21, 40, 128}, RILL_MESH_DOUBLE},
    {3.1, 5, {20, 27, 26}, RILL_MESH_DOUBLE},  {3.1, 6, {16, 18, 22}, RILL_MESH_DOUBLE},
    {3.1, 7, {18, 25, 256}, RILL_MESH_DOUBLE}, {3.1, 8, {48, 50, 60}, RILL_MESH_DOUBLE}};
enum { MESHES = sizeof meshes / sizeof meshes[0] };

START_TEST(ranks_have_the_bytes_of_the_whole) {
  struct liquid *liquid = make_liquid();
  struct trial *trial = make_trial(liquid, meshes[_i]);
  expect_equal_for(trial, all_counts);
  rill_release(trial);
  rill_release(liquid);
}
END_TEST

/* Threads; a caller that works alone; no energies; charges beside atoms; rows a plane apart; each kernel; threads
 * that help beside other work. */
enum { WAYS = 10 };
START_TEST(so_they_have_in_all_ways_of_evaluation) {
  struct liquid *liquid = make_liquid();
  struct trial *trial = make_trial(liquid, meshes[_i / WAYS == 0 ? 1 : 6]);
  switch (_i % WAYS) {
  case 0: trial->threads = 3; break;
  case 1: trial->alone = true; break;
  case 2: trial->wanted = false; break;
  case 3: trial->model = "tip4p-2005"; break;
  case 4: trial->apart = true; break;
  case 5: trial->half = true; break;
  case 6: trial->isa[0] = trial->isa[1] = RILL_ISA_PORTABLE; break;
  case 7: trial->beside = true; break;
  case 8:
    trial->beside = true;
    trial->threads = 3;
    break;
  default:
    trial->threads = 2;
    trial->apart = true;
    trial->model = "tip4p-2005";
    break;
  }
  expect_equal_for(trial, some_counts);
  rill_release(trial);
  rill_release(liquid);
}
END_TEST

/* Some of the ranks transform; some layers of bricks may have none of them. */
START_TEST(fewer_ranks_may_transform) {
  static const int counts[] = {4, 6, 8, 0};
  struct liquid *liquid = make_liquid();
  struct trial *trial = make_trial(liquid, meshes[_i / 5 == 0 ? 1 : 9]);
  trial->mesh_ranks = _i % 5 + 1;
  trial->threads = _i % 2 + 1;
  trial->beside = _i % 2 == 1;
  expect_equal_for(trial, counts);
  for (int r = 0; r < 8; r++) /* those that do not transform have no rows to send */
    ck_assert_int_eq(trial->traffic[r][RILL_PME_TRANSPOSE].bytes > 0,
                     trial->mesh_ranks > 1 && (r + 1) * trial->mesh_ranks / 8 > r * trial->mesh_ranks / 8);
  rill_release(trial);
  rill_release(liquid);
}
END_TEST

/* Ranks without planes, and without rows. */
START_TEST(there_may_be_more_ranks_than_planes) {
  const struct rill_pme_parameters parameters = {3.1, 4, {5, 4, 6}, _i == 0 ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE};
  struct liquid *liquid = make_liquid();
  struct trial *trial = make_trial(liquid, parameters);
  expect_equal_for(trial, all_counts);
  rill_release(trial);
  rill_release(liquid);
}
END_TEST

/* With a margin that molecules exceed, forces are others, and the ranks where they do so know it. */
START_TEST(molecules_outside_are_noticed) {
  struct liquid *liquid = make_liquid();
  struct trial *trial = make_trial(liquid, meshes[9 - 9 * (_i % 2)]);
  struct trial *whole = make_trial(liquid, trial->parameters);
  int outside = 0;
  trial->bricks = (struct rill_bricks){{_i == 0 ? 4 : 1, _i == 1 ? 4 : 1, _i == 2 ? 4 : 1}};
  trial->drift = 0.5;
  run_whole(trial, whole);
  run(trial);
  for (int r = 0; r < 4; r++) {
    ck_assert_int_eq(trial->status[r], RILL_OK);
    outside += trial->outside[r];
  }
  ck_assert_int_eq(outside, 4);
  ck_assert(!is_equal(trial, whole));
  trial->drift = drift;
  memset(trial->outside, 0, sizeof trial->outside);
  expect_equal(trial, whole);
  rill_release(whole);
  rill_release(trial);
  rill_release(liquid);
}
END_TEST

START_TEST(traffic_is_counted) {
  struct liquid *liquid = make_liquid();
  struct trial *trial = make_trial(liquid, meshes[_i == 0 ? 4 : 7]);
  const size_t *grid = trial->parameters.grid, size = _i == 0 ? sizeof(float) : sizeof(double);
  uint64_t transposed = 0, remapped = 0, expected = 0;
  trial->bricks = (struct rill_bricks){{2, 2, 1}};
  run(trial);
  for (int r = 0; r < 4; r++) {
    const struct rill_pme_traffic *traffic = trial->traffic[r];
    const size_t planes = (size_t)(r + 1) * grid[0] / 4 - (size_t)r * grid[0] / 4, pairs = grid[1] / 2 + 1;
    const size_t first = (size_t)r * pairs / 4, end = (size_t)(r + 1) * pairs / 4;
    size_t rows = 0; /* that this rank has */
    for (size_t y = first; y < end; y++) rows += y == 0 || 2 * y == grid[1] ? 1 : 2;
    expected += 2 * planes * (grid[1] - rows) * grid[2] * size;
    transposed += traffic[RILL_PME_TRANSPOSE].bytes;
    remapped += traffic[RILL_PME_REMAP].bytes;
    ck_assert_uint_eq(traffic[RILL_PME_TRANSPOSE].messages, ROUNDS * 2 * 3);
    ck_assert_uint_eq(traffic[RILL_PME_SUMS].messages, ROUNDS);
    ck_assert_uint_le(traffic[RILL_PME_REMAP].messages, ROUNDS * 2 * 3);
  }
  ck_assert_uint_eq(transposed, ROUNDS * expected);
  /* two transpositions, of which a rank keeps its own rows of its own planes: a quarter, about */
  ck_assert_double_eq_tol((double)expected, 0.75 * 2.0 * (double)(grid[0] * grid[1] * grid[2] * size),
                          0.05 * (double)expected);
  /* each way, at least what is not in the own slab: half of the bricks */
  ck_assert_double_ge((double)remapped, ROUNDS * 2 * 0.5 * (double)(grid[0] * grid[1] * grid[2] * size));
  rill_release(trial);
  rill_release(liquid);
}
END_TEST

/* Planes between two layers of bricks go to all ranks of a layer. */
START_TEST(no_rank_sends_much_more_than_others) {
  static const struct rill_bricks bricks[] = {{{2, 2, 2}}, {{2, 4, 1}}, {{2, 1, 3}}};
  struct liquid *liquid = make_liquid();
  struct trial *trial = make_trial(liquid, meshes[0]);
  double most = 0.0, all = 0.0;
  trial->bricks = bricks[_i];
  run(trial);
  for (int r = 0; r < ranks_of(trial); r++) {
    const double bytes = (double)trial->traffic[r][RILL_PME_REMAP].bytes;
    most = fmax(most, bytes);
    all += bytes;
  }
  ck_assert_msg(most < 1.06 * all / ranks_of(trial), "%g of the mean", most * ranks_of(trial) / all);
  rill_release(trial);
  rill_release(liquid);
}
END_TEST

/* A message that fails: forces are no numbers, and all ranks know why. */
static enum rill_status fail_later(struct rill_ranks *ranks, const void *out, const size_t *out_length, void *in,
                                   const size_t *in_length, struct rill_error *text) {
  (void)out, (void)out_length, (void)in, (void)in_length;
  ranks->broken = true;
  return rill_error_set(text, RILL_ERROR_FAILED, "no wire");
}

static void run_failing(struct rill_ranks *ranks, void *context) {
  struct rill_ranks_ops ops = *ranks->ops;
  struct rill_ranks changed = *ranks;
  ops.transpose = ops.begin = fail_later;
  changed.ops = &ops;
  run_rank(&changed, context);
}

START_TEST(a_failure_is_kept) {
  struct liquid *liquid = make_liquid();
  struct trial *trial = make_trial(liquid, meshes[0]);
  trial->bricks.count[_i % 3] = 2;
  trial->beside = _i >= 3;
  ck_assert(rill_thread_ranks_run(2, run_failing, trial));
  for (int r = 0; r < 2; r++) {
    ck_assert_int_eq(trial->status[r], RILL_ERROR_FAILED);
    ck_assert_str_eq(trial->text[r], "no wire");
  }
  for (int round = 0; round < ROUNDS; round++)
    for (size_t n = 0; n < RILL_COORDINATES * STRIDE; n++) ck_assert(isnan(trial->f[round][n]));
  rill_release(trial);
  rill_release(liquid);
}
END_TEST

static void expect_refusal(struct trial *trial, enum rill_status status, const char *text) {
  run(trial);
  for (int r = 0; r < ranks_of(trial); r++) {
    ck_assert_int_eq(trial->status[r], status);
    ck_assert_msg(strstr(trial->text[r], text) != NULL, "\"%s\" lacks \"%s\"", trial->text[r], text);
  }
}

/* One rank alone is at fault; all refuse. */
static void run_with_another_mesh(struct rill_ranks *ranks, void *context) {
  struct trial *all = context, *trial = make_trial(all->liquid, all->parameters);
  trial->bricks = all->bricks;
  if (ranks->rank == 1) trial->parameters.grid[1] += 2;
  run_rank(ranks, trial);
  all->status[ranks->rank] = trial->status[ranks->rank];
  memcpy(all->text[ranks->rank], trial->text[ranks->rank], sizeof all->text[0]);
  rill_release(trial);
}

/* As if the last rank had another kernel (isa[0]), or FFTW other plans there. */
static void only_agree(struct rill_ranks *ranks, void *context) {
  struct trial *trial = context;
  const struct rill_pme_division division = {.ranks = ranks, .bricks = &trial->bricks};
  const bool last = ranks->rank == 2;
  struct rill_error failure = {0};
  trial->status[ranks->rank] = rill_slabs_agree(&division, &trial->parameters, (const double(*)[3])trial->liquid->box,
                                                trial->isa[!last], last ? 7 : 6, RILL_OK, &failure);
  snprintf(trial->text[ranks->rank], sizeof trial->text[0], "%.150s", failure.text);
}

/* As if the last rank divided the mesh among other ranks (one rank fewer), or had a molecule less. */
static void agree_on_division(struct rill_ranks *ranks, struct trial *trial, int mesh_ranks, size_t molecules) {
  const struct rill_pme_division division = {
      .ranks = ranks, .bricks = &trial->bricks, .mesh_ranks = mesh_ranks, .molecules = molecules};
  struct rill_error failure = {0};
  trial->status[ranks->rank] = rill_slabs_agree(&division, &trial->parameters, (const double(*)[3])trial->liquid->box,
                                                trial->isa[1], 6, RILL_OK, &failure);
  snprintf(trial->text[ranks->rank], sizeof trial->text[0], "%.150s", failure.text);
}

static void other_mesh_ranks(struct rill_ranks *ranks, void *context) {
  agree_on_division(ranks, context, ranks->rank == 2 ? 2 : 3, 216);
}

static void other_molecules(struct rill_ranks *ranks, void *context) {
  agree_on_division(ranks, context, 3, ranks->rank == 2 ? 215 : 216);
}

static void expect_another_mesh(struct trial *trial, void (*task)(struct rill_ranks *, void *)) {
  ck_assert(rill_thread_ranks_run(3, task, trial));
  for (int r = 0; r < 3; r++) {
    ck_assert_int_eq(trial->status[r], RILL_ERROR_INPUT);
    ck_assert_msg(strstr(trial->text[r], "another mesh") != NULL, "%s", trial->text[r]);
  }
}

static void expect_disagreement(struct trial *trial, const char *text) {
  ck_assert(rill_thread_ranks_run(3, only_agree, trial));
  for (int r = 0; r < 3; r++) ck_assert_int_eq(trial->status[r], RILL_ERROR_UNSUPPORTED);
  ck_assert_msg(strstr(trial->text[0], text) != NULL, "%s", trial->text[0]);
}

START_TEST(what_ranks_cannot_do_is_refused) {
  struct liquid *liquid = make_liquid();
  struct trial *trial = make_trial(liquid, meshes[0]);
  trial->bricks = (struct rill_bricks){{3, 1, 1}};
  expect_another_mesh(trial, run_with_another_mesh);
  expect_another_mesh(trial, other_mesh_ranks);
  expect_another_mesh(trial, other_molecules);
  expect_disagreement(trial, "FFTW has other algorithms on rank 2 (t) than on rank 0 (t)");
  trial->isa[0] = trial->isa[1] == RILL_ISA_PORTABLE ? RILL_ISA_AVX2 : RILL_ISA_PORTABLE;
  expect_disagreement(trial, "kernel, whose forces differ");
  trial->isa[0] = trial->isa[1];
  trial->parameters.order = 13;
  expect_refusal(trial, RILL_ERROR_INPUT, "PME of order 13");
  trial->parameters.order = 5;
  liquid->box[1][0] = 0.1;
  expect_refusal(trial, RILL_ERROR_UNSUPPORTED, "skew box over ranks");
  liquid->box[1][0] = 0.0;
  trial->bricks = (struct rill_bricks){{2, 1, 2}};
  ck_assert(rill_thread_ranks_run(3, run_rank, trial));
  for (int r = 0; r < 3; r++) ck_assert_int_eq(trial->status[r], RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(trial->text[0], "2 x 1 x 2 bricks for 3 ranks"));
  rill_release(trial);
  rill_release(liquid);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("slabs");
  TCase *cases = tcase_create("slabs");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, ranks_have_the_bytes_of_the_whole, 0, MESHES);
  tcase_add_loop_test(cases, so_they_have_in_all_ways_of_evaluation, 0, 2 * WAYS);
  tcase_add_loop_test(cases, fewer_ranks_may_transform, 0, 10);
  tcase_add_loop_test(cases, there_may_be_more_ranks_than_planes, 0, 2);
  tcase_add_loop_test(cases, molecules_outside_are_noticed, 0, 3);
  tcase_add_loop_test(cases, traffic_is_counted, 0, 2);
  tcase_add_loop_test(cases, no_rank_sends_much_more_than_others, 0, 3);
  tcase_add_loop_test(cases, a_failure_is_kept, 0, 6);
  tcase_add_test(cases, what_ranks_cannot_do_is_refused);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

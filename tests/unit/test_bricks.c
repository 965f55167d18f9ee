/* The division of a box among ranks: faces, and that every pair is met by exactly one rank. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "parallel/bricks.h"
#include "suite.h"

enum { MOST_FACES = 17, POINTS = 160, MOST = 4 };

static const double reach = 1.0, whole = 0x1p32;

START_TEST(faces_cover_an_axis) {
  const uint64_t end = UINT64_C(1) << 32;
  const struct rill_noise noise = rill_noise_create(1, RILL_STREAM_TEST);
  ck_assert_uint_eq(rill_bricks_face(_i, 0), 0);
  ck_assert_uint_eq(rill_bricks_face(_i, _i), end);
  for (int k = 0; k < _i; k++) {
    const uint64_t lower = rill_bricks_face(_i, k), upper = rill_bricks_face(_i, k + 1);
    ck_assert_uint_lt(lower, upper);
    ck_assert_int_eq(rill_bricks_holder(_i, (uint32_t)lower), k);
    ck_assert_int_eq(rill_bricks_holder(_i, (uint32_t)(upper - 1)), k);
    for (uint32_t n = 0; n < 50; n++) {
      uint32_t bits[4];
      rill_noise_bits(&noise, (uint64_t)_i, (uint32_t)k, n, bits);
      ck_assert_int_eq(rill_bricks_holder(_i, (uint32_t)(lower + bits[0] % (upper - lower))), k);
    }
  }
}
END_TEST

START_TEST(places_and_ranks_correspond) {
  const struct rill_bricks bricks = {{3, 4, 5}};
  for (int rank = 0; rank < 60; rank++) {
    int place[3];
    rill_bricks_place(&bricks, rank, place);
    for (int c = 0; c < 3; c++) ck_assert(place[c] >= 0 && place[c] < bricks.count[c]);
    ck_assert_int_eq(rill_bricks_rank(&bricks, place), rank);
    for (int c = 0; c < 3; c++) { /* around the box, both ways */
      int other[3];
      memcpy(other, place, sizeof other);
      for (int step = 0; step < bricks.count[c]; step++) {
        other[c]++;
        rill_bricks_place(&bricks, rill_bricks_rank(&bricks, other), other);
      }
      ck_assert_mem_eq(other, place, sizeof other);
      other[c]--;
      rill_bricks_place(&bricks, rill_bricks_rank(&bricks, other), other);
      ck_assert_int_eq(other[c], (place[c] + bricks.count[c] - 1) % bricks.count[c]);
    }
  }
}
END_TEST

struct box {
  double edge[3];
  uint32_t x[POINTS][3]; /* quanta */
};

static void draw(struct box *box) {
  const struct rill_noise noise = rill_noise_create(2, RILL_STREAM_TEST);
  for (uint32_t n = 0; n < POINTS; n++) {
    uint32_t bits[4];
    rill_noise_bits(&noise, 0, n, 0, bits);
    memcpy(box->x[n], bits, sizeof box->x[n]);
  }
}

static bool is_within_reach(const struct box *box, int i, int j) {
  double square = 0.0;
  for (int c = 0; c < 3; c++) {
    const double d = (double)(int32_t)(box->x[i][c] - box->x[j][c]) / whole * box->edge[c];
    square += d * d;
  }
  return square < reach * reach;
}

/* Whether a rank has the point as its own, or within reach beyond upper faces: then also its zone. */
static bool has(const struct box *box, const struct rill_bricks *bricks, int rank, int n, int *zone) {
  int place[3];
  rill_bricks_place(bricks, rank, place);
  *zone = 0;
  for (int c = 0; c < 3; c++) {
    const uint64_t upper = rill_bricks_face(bricks->count[c], place[c] + 1);
    if (rill_bricks_holder(bricks->count[c], box->x[n][c]) == place[c]) continue;
    if (!((double)(uint32_t)(box->x[n][c] - (uint32_t)upper) < reach / box->edge[c] * whole)) return false;
    *zone |= 1 << c;
  }
  return true;
}

/* How many pairs within reach are not met exactly once. */
static int count_faults(const struct box *box, const struct rill_bricks *bricks, bool by_zones) {
  static int met[POINTS][POINTS];
  const int ranks = bricks->count[0] * bricks->count[1] * bricks->count[2];
  int faults = 0;
  memset(met, 0, sizeof met);
  for (int rank = 0; rank < ranks; rank++) {
    int list[POINTS], zone[POINTS], slots = 0;
    for (int n = 0; n < POINTS; n++)
      if (has(box, bricks, rank, n, &zone[slots])) list[slots++] = n;
    for (int i = 0; i < slots; i++)
      for (int j = 0; j < i; j++)
        if (!by_zones || (zone[i] & zone[j]) == 0) met[list[i]][list[j]]++;
  }
  for (int i = 0; i < POINTS; i++)
    for (int j = 0; j < i; j++) faults += is_within_reach(box, i, j) && met[i][j] != 1;
  return faults;
}

/* Bricks that are just long enough. */
static struct box box_for(const struct rill_bricks *bricks) {
  struct box box;
  for (int c = 0; c < 3; c++) box.edge[c] = reach * 1.001 * bricks->count[c] * (bricks->count[c] > 2 ? 1.0 : 2.0);
  draw(&box);
  return box;
}

START_TEST(every_pair_is_met_once) {
  for (int b = 1; b <= MOST; b++)
    for (int c = 1; c <= MOST; c++) {
      const struct rill_bricks bricks = {{_i, b, c}};
      const struct box box = box_for(&bricks);
      ck_assert_msg(count_faults(&box, &bricks, true) == 0, "%d x %d x %d bricks", _i, b, c);
    }
}
END_TEST

/* Without zones, pairs are met by every rank that has both: by two, as soon as two axes are divided. */
START_TEST(zones_are_needed) {
  for (int a = 1; a <= MOST; a++)
    for (int b = 1; b <= MOST; b++)
      for (int c = 1; c <= MOST; c++) {
        const struct rill_bricks bricks = {{a, b, c}};
        const struct box box = box_for(&bricks);
        if ((a > 1) + (b > 1) + (c > 1) >= 2) ck_assert_int_gt(count_faults(&box, &bricks, false), 0);
      }
}
END_TEST

START_TEST(two_bricks_need_twice_the_reach) {
  for (int axis = 0; axis < 3; axis++) {
    struct rill_bricks bricks = {{1, 1, 1}};
    struct box box = box_for(&bricks);
    int most;
    bricks.count[axis] = 2;
    box.edge[axis] = 2 * 1.5 * reach;
    ck_assert_int_gt(count_faults(&box, &bricks, true), 0);
    ck_assert(!rill_bricks_divide(box.edge, reach, 2, &bricks, &most));
    ck_assert_int_eq(most, 1);
  }
}
END_TEST

/* Whether so many bricks are long enough along an axis. */
static bool may_have(double edge, int count) {
  return count == 1 || (count == 2 ? edge > 4.0 * reach : edge > count * reach);
}

/* The volume that a rank of such a division imports, or infinity. */
static double imported_by(const double edge[3], const int count[3]) {
  double outer = 1.0, own = 1.0;
  for (int c = 0; c < 3; c++) {
    if (!may_have(edge[c], count[c])) return INFINITY;
    own *= edge[c] / count[c];
    outer *= edge[c] / count[c] + (count[c] > 1 ? reach : 0.0);
  }
  return outer - own;
}

static double least_import(const double edge[3], int ranks) {
  double least = INFINITY;
  for (int a = 1; a <= ranks; a++)
    for (int b = 1; a * b <= ranks; b++)
      if (ranks % (a * b) == 0) least = fmin(least, imported_by(edge, (const int[3]){a, b, ranks / (a * b)}));
  return least;
}

START_TEST(divisions_are_possible_and_least) {
  static const double edges[][3] = {{3.1, 3.1, 3.1}, {4.1, 4.1, 4.1},  {1.5, 2.5, 3.5}, {9.2, 5.3, 2.4},
                                    {0.5, 0.5, 0.5}, {30.1, 2.1, 3.9}, {6.1, 6.1, 7.3}};
  for (size_t k = 0; k < sizeof edges / sizeof edges[0]; k++) {
    int last = 0;
    for (int ranks = 1; ranks <= 64; ranks++) {
      struct rill_bricks bricks;
      int most;
      const double least = least_import(edges[k], ranks);
      const bool divided = rill_bricks_divide(edges[k], reach, ranks, &bricks, &most);
      ck_assert_msg(divided == (least < INFINITY), "box %zu, %d ranks", k, ranks);
      if (divided) {
        last = ranks;
        ck_assert_int_eq(bricks.count[0] * bricks.count[1] * bricks.count[2], ranks);
        ck_assert_double_le(imported_by(edges[k], bricks.count), least * (1.0 + 1e-8));
      } else ck_assert_msg(most == last, "box %zu, %d ranks: at most %d, not %d", k, ranks, last, most);
    }
    ck_assert_int_ge(last, 1);
    if (edges[k][0] != edges[k][1] || edges[k][1] != edges[k][2]) continue;
    for (int ranks = 1; ranks <= last; ranks++) { /* in a cube, most along a */
      struct rill_bricks bricks;
      int most;
      if (rill_bricks_divide(edges[k], reach, ranks, &bricks, &most))
        ck_assert(bricks.count[0] >= bricks.count[1] && bricks.count[1] >= bricks.count[2]);
    }
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("bricks");
  TCase *cases = tcase_create("bricks");
  tcase_add_loop_test(cases, faces_cover_an_axis, 1, MOST_FACES + 1);
  tcase_add_test(cases, places_and_ranks_correspond);
  tcase_add_loop_test(cases, every_pair_is_met_once, 1, MOST + 1);
  tcase_add_test(cases, zones_are_needed);
  tcase_add_test(cases, two_bricks_need_twice_the_reach);
  tcase_add_test(cases, divisions_are_possible_and_least);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

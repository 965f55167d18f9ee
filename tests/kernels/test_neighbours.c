/* Neighbour lists in motion: after every update all pairs within the radius are on the inner lists, each once.  They
 * are counted against all pairs of molecules and images. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "suite.h"
#include "water/neighbours/neighbours.h"

static struct rill_error error;

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (double)(*state >> 11) * 0x1p-53;
}

/* ---- motions ---- */

/* Oxygens in straight lines; rows as in the engine, the hydrogens' are not read. */
struct motion {
  size_t molecules, stride;
  double *q, *velocity; /* nm, nm a step */
};

static struct motion make_motion(size_t molecules) {
  struct motion motion = {.molecules = molecules, .stride = rill_padded(molecules)};
  motion.q = rill_allocate(9 * motion.stride, sizeof *motion.q);
  motion.velocity = rill_allocate(3 * motion.stride, sizeof *motion.velocity);
  ck_assert(motion.q != NULL && motion.velocity != NULL);
  return motion;
}

static void release(struct motion *motion) {
  rill_release(motion->q);
  rill_release(motion->velocity);
}

static void advance(struct motion *motion) {
  for (size_t c = 0; c < 3; c++)
    for (size_t m = 0; m < motion->molecules; m++)
      motion->q[c * motion->stride + m] += motion->velocity[c * motion->stride + m];
}

static void random_direction(uint64_t *seed, double direction[3]) {
  double norm2;
  do {
    norm2 = 0.0;
    for (int c = 0; c < 3; c++) {
      direction[c] = 2.0 * uniform(seed) - 1.0;
      norm2 += direction[c] * direction[c];
    }
  } while (norm2 > 1.0 || norm2 < 0.01);
  for (int c = 0; c < 3; c++) direction[c] /= sqrt(norm2);
}

/* Molecules at random places, all at one speed in random directions. */
static struct motion make_gas(size_t molecules, const double box[3][3], double speed, uint64_t seed) {
  struct motion gas = make_motion(molecules);
  for (size_t m = 0; m < molecules; m++) {
    double direction[3];
    random_direction(&seed, direction);
    for (size_t i = 0; i < 3; i++) {
      const double fraction = uniform(&seed);
      for (size_t c = 0; c < 3; c++) gas.q[c * gas.stride + m] += fraction * box[i][c];
      gas.velocity[i * gas.stride + m] = speed * direction[i];
    }
  }
  return gas;
}

/* Pairs that fly at each other, along directions of their own, all at one speed: each pair comes within the radius
 * after another part of the lists' life, and as fast as the largest displacement allows. */
static struct motion make_head_on(size_t pairs, const double box[3][3], double radius, double speed, uint64_t seed) {
  struct motion motion = make_gas(2 * pairs, box, speed, seed);
  for (size_t p = 0; p < pairs; p++) {
    const double apart = radius + 0.4 * ((double)p + 0.5) / (double)pairs;
    for (size_t c = 0; c < 3; c++) {
      const size_t a = c * motion.stride + 2 * p, b = a + 1;
      motion.q[b] = motion.q[a] + apart * motion.velocity[a] / speed;
      motion.velocity[b] = -motion.velocity[a];
    }
  }
  return motion;
}

/* ---- counting ---- */

static double length(const double d[3]) { return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]); }

/* All pairs within the radius, images of the second included; of an open cluster, those of molecules inside. */
static size_t count_all(const struct rill_neighbours *n, const struct motion *motion) {
  const int shells = n->open || n->closed ? 0 : 1; /* about the nearest by fractions, which need not be the nearest */
  size_t count = 0;
  for (size_t a = 0; a < motion->molecules; a++)
    for (size_t b = a; b < motion->molecules; b++) {
      double f[3], d[3];
      if (n->open && (n->outside[a] || n->outside[b])) continue;
      for (size_t c = 0; c < 3; c++) d[c] = motion->q[c * motion->stride + b] - motion->q[c * motion->stride + a];
      if (!n->open) rill_cell_fractions(n->cell, d, f);
      for (size_t i = 0; i < 3 && !n->open; i++)
        for (size_t c = 0; c < 3; c++) d[c] -= nearbyint(f[i]) * n->cell->vector[i][c];
      for (int i = -shells; i <= shells; i++)
        for (int j = -shells; j <= shells; j++)
          for (int k = -shells; k <= shells; k++) {
            const int step[3] = {i, j, k};
            double image[3] = {d[0], d[1], d[2]};
            if (a == b && (k < 0 || (k == 0 && (j < 0 || (j == 0 && i <= 0))))) continue;
            for (int r = 0; r < 3 && !n->open; r++)
              for (int c = 0; c < 3; c++) image[c] += step[r] * n->cell->vector[r][c];
            count += length(image) < n->radius;
          }
    }
  return count;
}

/* Where the molecule or image at each slot is now: [slots][3], nm. */
static double *place_slots(const struct rill_neighbours *n, const struct motion *motion) {
  double *x = rill_allocate(3 * rill_slots(n), sizeof *x);
  ck_assert_ptr_nonnull(x);
  for (size_t m = 0; m < n->molecules; m++) {
    double *own = x + 3 * n->slot_of[m];
    for (size_t c = 0; c < 3; c++) {
      own[c] = motion->q[c * motion->stride + m];
      for (size_t i = 0; i < 3; i++) own[c] -= n->whole[3 * m + i] * n->cell->vector[i][c];
    }
    for (size_t k = n->image_start[m]; k < n->image_start[m + 1]; k++)
      for (size_t c = 0; c < 3; c++) {
        x[3 * n->image_slot[k] + c] = own[c];
        for (size_t i = 0; i < 3; i++)
          x[3 * n->image_slot[k] + c] += n->image_step[4 * k + i] * n->cell->vector[i][c];
      }
  }
  return x;
}

/* Those of them that are on the inner lists; around a closed box differences are those of the nearest images. */
static size_t count_listed(const struct rill_neighbours *n, const struct motion *motion) {
  double *x = place_slots(n, motion);
  size_t count = 0;
  for (size_t slot = 0; slot < n->molecules; slot++)
    for (size_t k = 0; k < RILL_GROUP * (size_t)n->inner_groups[slot]; k++) {
      const size_t other = n->inner[n->first[slot] + k];
      double d[3];
      if (other == rill_slots(n) - 1) continue; /* padding */
      for (size_t c = 0; c < 3; c++) {
        d[c] = x[3 * other + c] - x[3 * slot + c];
        if (n->closed) d[c] -= n->cell->vector[c][c] * nearbyint(d[c] / n->cell->vector[c][c]);
      }
      count += length(d) < n->radius;
    }
  rill_release(x);
  return count;
}

struct scene {
  const char *name;
  double box[3][3]; /* all zero: an open cluster, of molecules within 3 nm of x = 13.5 nm */
  double radius, buffer, inner_buffer, speed;
  size_t head_on, molecules; /* pairs, or a gas */
};

#define CUBE(a)                                                                                                      \
  {                                                                                                                  \
    {a, 0.0, 0.0}, {0.0, a, 0.0}, { 0.0, 0.0, a }                                                                    \
  }
#define SKEW                                                                                                         \
  {                                                                                                                  \
    {2.0, 0.0, 0.0}, {0.9, 1.9, 0.0}, { -0.8, 0.7, 2.1 }                                                             \
  }

static const struct scene scenes[] = {
    {"head-on", CUBE(4.0), 0.9, 0.0, 0.0, 0.004, 120, 0},
    {"head-on, slow", CUBE(4.0), 0.9, 0.0, 0.0, 0.0012, 120, 0},
    {"head-on, thin buffer", CUBE(4.0), 0.9, 0.05, 0.0, 0.004, 120, 0},
    {"head-on, thin buffers", CUBE(4.0), 0.9, 0.02, 0.008, 0.0013, 120, 0},
    {"head-on, one buffer", CUBE(4.0), 0.9, 0.08, 0.08, 0.003, 120, 0},
    {"head-on, skew", SKEW, 0.8, 0.0, 0.0, 0.004, 60, 0},
    {"head-on, skew and thin", SKEW, 0.8, 0.03, 0.02, 0.0017, 60, 0},
    {"head-on, second images", CUBE(1.5), 0.95, 0.1, 0.03, 0.003, 40, 0},
    {"head-on, vacuum", {{0.0}}, 0.9, 0.0, 0.0, 0.004, 120, 0},
    {"head-on, vacuum and thin", {{0.0}}, 0.9, 0.04, 0.015, 0.0021, 120, 0},
    {"head-on, dilute", CUBE(30.0), 1.2, 0.0, 0.0, 0.004, 40, 0},
    {"head-on, nearly empty", CUBE(400.0), 1.2, 0.0, 0.0, 0.004, 40, 0},
    {"liquid", CUBE(2.2), 0.9, 0.0, 0.0, 0.002, 0, 350},
    {"liquid, hot", CUBE(2.2), 0.9, 0.0, 0.0, 0.02, 0, 350},
    {"liquid, a step beyond the buffer", CUBE(2.2), 0.9, 0.05, 0.02, 0.2, 0, 350},
    {"liquid, thin", CUBE(2.2), 0.9, 0.001, 0.0, 0.0002, 0, 350},
    {"liquid, dense", CUBE(1.9), 0.9, 0.13, 0.01, 0.003, 0, 500},
    {"liquid, skew", SKEW, 0.8, 0.0, 0.0, 0.004, 0, 150},
    {"one molecule and its images", CUBE(1.0), 1.05, 0.0, 0.0, 0.01, 0, 1},
    {"vacuum, through the rim", {{0.0}}, 0.9, 0.1, 0.03, 0.01, 0, 350},
};
enum { SCENES = sizeof scenes / sizeof *scenes, STEPS = 60 };

START_TEST(no_pair_is_missed) {
  static const double around[3][3] = CUBE(3.0);
  const struct scene *scene = &scenes[_i];
  const enum rill_isa isa = _i % 2 == 0 ? RILL_ISA_PORTABLE : rill_isa_best();
  const int open = scene->box[0][0] == 0.0;
  const double(*region)[3] = open ? around : scene->box;
  struct motion motion = scene->head_on > 0
                             ? make_head_on(scene->head_on, region, scene->radius, scene->speed, (uint64_t)_i)
                             : make_gas(scene->molecules, region, scene->speed, (uint64_t)_i);
  struct rill_neighbours n;
  struct rill_cell box;
  size_t met = 0;
  for (size_t m = 0; open && m < motion.molecules; m++) motion.q[m] += 12.0;
  if (!open) ck_assert(rill_cell_create(scene->box, &box, &error) == RILL_OK);
  ck_assert_msg(rill_neighbours_create(&n, open ? NULL : &box, motion.molecules, motion.stride, scene->radius,
                                       scene->buffer, scene->inner_buffer, isa, NULL, &error) == RILL_OK,
                "%s: %s", scene->name, error.text);
  for (int step = 0; step < STEPS; step++) {
    size_t listed, all;
    ck_assert_msg(rill_neighbours_update(&n, motion.q, &error) == RILL_OK, "%s: %s", scene->name, error.text);
    listed = count_listed(&n, &motion);
    all = count_all(&n, &motion);
    ck_assert_msg(listed == all, "%s, step %d: %zu pairs within %g nm are listed, of %zu", scene->name, step, listed,
                  scene->radius, all);
    met += all;
    advance(&motion);
  }
  ck_assert_uint_gt(met, STEPS);
  ck_assert_uint_lt(rill_neighbours_bytes(&n), 16 << 20); /* by the molecules, not by the box */
  rill_neighbours_destroy(&n);
  release(&motion);
}
END_TEST

/* Molecules at rest in a cell that shrinks, grows, or changes its shape come nearer by its scaling alone. */
START_TEST(no_pair_is_missed_in_a_cell_that_is_scaled) {
  static const double cube[3][3] = CUBE(2.8), skew[3][3] = SKEW;
  static const double scales[][3] = {
      {0.9985, 0.9985, 0.9985}, {1.002, 1.002, 1.002}, {0.998, 1.001, 1.0}, {0.9985, 0.9985, 0.9985}};
  const double(*vectors)[3] = _i == 3 ? skew : cube, *scale = scales[_i], radius = _i == 3 ? 0.8 : 0.9;
  struct motion motion = make_gas(400, vectors, _i == 1 ? 0.002 : 0.0, 11);
  struct rill_neighbours n;
  struct rill_cell cell;
  ck_assert(rill_cell_create(vectors, &cell, &error) == RILL_OK);
  ck_assert(rill_neighbours_create(&n, &cell, motion.molecules, motion.stride, radius, 0.0, 0.0, rill_isa_best(),
                                   NULL, &error) == RILL_OK);
  for (int step = 0; step < STEPS; step++) {
    double scaled[3][3], built, pruned;
    ck_assert(rill_neighbours_update(&n, motion.q, &error) == RILL_OK);
    ck_assert_uint_eq(count_listed(&n, &motion), count_all(&n, &motion));
    for (size_t c = 0; c < 3; c++) {
      for (size_t i = 0; i < 3; i++) scaled[i][c] = cell.vector[i][c] * scale[c];
      for (size_t m = 0; m < motion.molecules; m++) motion.q[c * motion.stride + m] *= scale[c];
    }
    ck_assert(rill_cell_create((const double(*)[3])scaled, &cell, &error) == RILL_OK);
    built = n.built[5], pruned = n.pruned[5];
    rill_neighbours_rescale(&n, scale);
    if (_i != 3) {
      ck_assert_double_eq(n.built[5], scale[0] * built);
      ck_assert_double_eq(n.pruned[5], scale[0] * pruned);
    }
    advance(&motion);
  }
  if (_i != 3) ck_assert_uint_lt(n.builds, STEPS / 4); /* lists survive */
  rill_neighbours_destroy(&n);
  release(&motion);
}
END_TEST

/* Two molecules, one at rest: the lists last until the other has moved by a whole buffer.  Were it twice the largest
 * displacement that counts, they would last half as long. */
START_TEST(lists_last_as_long_as_they_may) {
  static const double cube[3][3] = CUBE(4.0);
  struct motion motion = make_gas(2, cube, 0.0, 3);
  struct rill_neighbours n;
  struct rill_cell box;
  ck_assert(rill_cell_create(cube, &box, &error) == RILL_OK);
  ck_assert(rill_neighbours_create(&n, &box, 2, motion.stride, 0.9, 0.1, 0.1, rill_isa_best(), NULL, &error) ==
            RILL_OK);
  motion.velocity[0] = 0.0099;
  for (int step = 0; step <= 20; step++) {
    ck_assert(rill_neighbours_update(&n, motion.q, &error) == RILL_OK);
    ck_assert_uint_eq(n.builds, step <= 10 ? 1 : 2);
    advance(&motion);
  }
  rill_neighbours_destroy(&n);
  release(&motion);
}
END_TEST

/* Molecules that differ by ten thousand lattice vectors, as those of unwrapped files may: each vector, in quanta, is
 * off by up to half of one, and reaches allow for it. */
START_TEST(many_lattice_vectors_apart) {
  static const double skew[3][3] = SKEW;
  struct motion motion = make_head_on(60, skew, 0.8, 0.004, 5);
  struct rill_neighbours n;
  struct rill_cell box;
  ck_assert(rill_cell_create(skew, &box, &error) == RILL_OK);
  ck_assert(rill_neighbours_create(&n, &box, motion.molecules, motion.stride, 0.8, 0.0, 0.0, rill_isa_best(), NULL,
                                   &error) == RILL_OK);
  ck_assert(rill_neighbours_update(&n, motion.q, &error) == RILL_OK);
  ck_assert_double_lt(n.slack, 2e-5);
  for (size_t m = 1; m < motion.molecules; m += 2)
    for (size_t c = 0; c < 3; c++) motion.q[c * motion.stride + m] += 1e4 * skew[2][c] - 7e3 * skew[1][c];
  for (int step = 0; step < 40; step++) {
    ck_assert(rill_neighbours_update(&n, motion.q, &error) == RILL_OK);
    ck_assert_uint_eq(count_listed(&n, &motion), count_all(&n, &motion));
    advance(&motion);
  }
  ck_assert_double_gt(n.slack, 2e-5);
  motion.q[0] = 3.5e4 * skew[0][0];
  ck_assert(rill_neighbours_update(&n, motion.q, &error) == RILL_ERROR_NOT_FINITE);
  ck_assert_ptr_nonnull(strstr(error.text, "molecule 1 "));
  rill_neighbours_destroy(&n);
  release(&motion);
}
END_TEST

/* Quanta, and with them forces, do not depend on the buffer; where they would, it is refused. */
START_TEST(quanta_are_those_of_any_buffer) {
  static const double skew[3][3] = SKEW;
  struct rill_neighbours n;
  struct rill_cell box;
  double quanta[3];
  ck_assert(rill_cell_create(skew, &box, &error) == RILL_OK);
  for (int k = 0; k <= 25; k++) {
    ck_assert(rill_neighbours_create(&n, &box, 10, 16, 0.9, k == 0 ? 1e-3 : 0.01 * k, 0.0, rill_isa_best(), NULL,
                                     &error) == RILL_OK);
    if (k == 0) memcpy(quanta, n.quanta, sizeof quanta);
    ck_assert_mem_eq(n.quanta, quanta, sizeof quanta);
    rill_neighbours_destroy(&n);
  }
  ck_assert(rill_neighbours_create(&n, &box, 10, 16, 0.9, 0.26, 0.0, rill_isa_best(), NULL, &error) ==
            RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "0.26 nm"));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("neighbours");
  TCase *cases = tcase_create("lists");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, no_pair_is_missed, 0, SCENES);
  tcase_add_loop_test(cases, no_pair_is_missed_in_a_cell_that_is_scaled, 0, 4);
  tcase_add_test(cases, lists_last_as_long_as_they_may);
  tcase_add_test(cases, many_lattice_vectors_apart);
  tcase_add_test(cases, quanta_are_those_of_any_buffer);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

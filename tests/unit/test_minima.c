/* The catalogue of minima: which are the same, what is kept, and reading it back. */
#include <math.h>
#include <string.h>

#include "analysis/minima.h"
#include "base/random.h"
#include "suite.h"

enum { MOLECULES = 5, NUMBERS = 9 * MOLECULES, RUNGS = 3 };

static struct rill_error error;

static void ok(enum rill_status status) { ck_assert_msg(status == RILL_OK, "%s", error.text); }

/* Molecules at random places, as good as a cluster here. */
static void make_cluster(uint64_t seed, double positions[NUMBERS]) {
  const struct rill_noise noise = rill_noise_create(seed, RILL_STREAM_TEST);
  for (size_t k = 0; k < NUMBERS; k++) {
    double u[4];
    rill_noise_uniform(&noise, 0, (uint32_t)k, 0, u);
    positions[k] = 0.3 * u[0];
  }
}

static void add(struct rill_minima *minima, double energy, const double *positions, size_t rung) {
  ok(rill_minima_add(minima, energy, positions, rung, 7, 1.5, &error));
}

/* Turned, shifted, reflected, or with its molecules in another order a cluster is the same. */
START_TEST(symmetries) {
  struct rill_minima minima;
  double first[NUMBERS], other[NUMBERS];
  ok(rill_minima_create(MOLECULES, RUNGS, 10, &minima, &error));
  make_cluster(1, first);
  add(&minima, -100, first, 0);
  for (size_t i = 0; i < NUMBERS / 3; i++) {
    const double *a = first + 3 * i;
    double *b = other + 3 * ((i + 3) % (NUMBERS / 3)); /* the next molecule */
    b[0] = 0.6 * a[0] - 0.8 * a[1] + 5;
    b[1] = 0.8 * a[0] + 0.6 * a[1] - 2;
    b[2] = -a[2];
  }
  add(&minima, -100 + 0.9 * RILL_MINIMA_ENERGY, other, 2);
  ck_assert_uint_eq(minima.count, 1);
  ck_assert_uint_eq(minima.of[0].counts[0], 1);
  ck_assert_uint_eq(minima.of[0].counts[1], 0);
  ck_assert_uint_eq(minima.of[0].counts[2], 1);
  ck_assert_double_eq(minima.of[0].energy, -100); /* that was found first */
  add(&minima, -100 - 0.9 * RILL_MINIMA_ENERGY, other, 1);
  ck_assert_uint_eq(minima.count, 1);
  ck_assert_uint_eq(minima.of[0].counts[1], 1);
  rill_minima_release(&minima);
}
END_TEST

/* Another energy, or other distances, are another minimum. */
START_TEST(differences) {
  struct rill_minima minima;
  double first[NUMBERS], moved[NUMBERS];
  const double all = MOLECULES * (MOLECULES - 1) / 2.0;
  ok(rill_minima_create(MOLECULES, RUNGS, 10, &minima, &error));
  make_cluster(1, first);
  add(&minima, -100, first, 0);
  add(&minima, -100 - 1.1 * RILL_MINIMA_ENERGY, first, 0);
  add(&minima, -100 + 1.1 * RILL_MINIMA_ENERGY, first, 0);
  ck_assert_uint_eq(minima.count, 3);
  for (int i = 0; i < 2; i++) { /* scaled, all distances change by the same factor */
    const double rms_change = i == 0 ? 0.9 : 1.1;
    double square = 0;
    for (size_t k = 0; k < minima.pairs; k++) square += minima.of[0].distances[k] * minima.of[0].distances[k];
    for (size_t k = 0; k < NUMBERS; k++)
      moved[k] = first[k] * (1 + rms_change * RILL_MINIMA_DISTANCE / sqrt(square / all));
    add(&minima, -100, moved, 0);
    ck_assert_uint_eq(minima.count, i == 0 ? 3 : 4);
  }
  for (size_t k = 1; k < minima.count; k++) ck_assert_double_le(minima.of[k - 1].energy, minima.of[k].energy);
  rill_minima_release(&minima);
}
END_TEST

/* Of many minima that are found at random, the lowest are left, with all their counts. */
START_TEST(the_lowest_are_kept) {
  enum { ALL = 40, MOST = 6, FOUND = 4000 };
  const struct rill_noise noise = rill_noise_create(3, RILL_STREAM_TEST);
  struct rill_minima minima;
  double positions[NUMBERS];
  uint64_t counts[ALL][RUNGS] = {{0}}, kept = 0;
  ok(rill_minima_create(MOLECULES, RUNGS, MOST, &minima, &error));
  for (uint64_t i = 0; i < FOUND; i++) {
    double u[4];
    size_t which, rung;
    rill_noise_uniform(&noise, i, 0, 0, u);
    which = (size_t)(ALL * u[0]) % ALL;
    rung = (size_t)(RUNGS * u[1]) % RUNGS;
    make_cluster(which, positions);
    add(&minima, (double)which, positions, rung);
    counts[which][rung]++;
  }
  ck_assert_uint_eq(minima.count, MOST);
  for (size_t k = 0; k < MOST; k++) {
    ck_assert_double_eq(minima.of[k].energy, (double)k);
    ck_assert_mem_eq(minima.of[k].counts, counts[k], sizeof counts[k]);
    kept += rill_minima_sum(&minima, minima.of[k].counts);
  }
  ck_assert_uint_eq(rill_minima_sum(&minima, minima.dropped), FOUND - kept);
  ck_assert_uint_eq(rill_minima_sum(&minima, minima.unfinished), 0);
  rill_minima_release(&minima);
}
END_TEST

START_TEST(shapes) {
  struct rill_minima minima;
  double row[NUMBERS] = {0};
  struct rill_minimum_shape shape;
  ok(rill_minima_create(MOLECULES, RUNGS, 1, &minima, &error));
  for (size_t m = 0; m < MOLECULES; m++) row[9 * m] = 0.3 * (double)m;
  add(&minima, -1, row, 0);
  shape = rill_minima_shape(&minima, 0);
  ck_assert_uint_eq(shape.contacts, 4);
  ck_assert_double_eq_tol(shape.mean, 0.6, 1e-12); /* four of 0.3, three of 0.6, two of 0.9, one of 1.2 */
  ck_assert_double_eq_tol(shape.largest, 1.2, 1e-12);
  rill_minima_release(&minima);
}
END_TEST

static void fill(struct rill_minima *minima) {
  double positions[NUMBERS];
  ok(rill_minima_create(MOLECULES, RUNGS, 4, minima, &error));
  for (uint64_t i = 0; i < 9; i++) {
    make_cluster(i % 6, positions);
    add(minima, (double)(i % 6), positions, i % RUNGS);
  }
  minima->unfinished[1] = 2;
}

/* A catalogue that was read goes on as the one that was written, to the byte. */
START_TEST(reading_back) {
  struct rill_minima written, read;
  struct rill_archive out = {0}, in, again = {0};
  double positions[NUMBERS];
  fill(&written);
  rill_minima_archive(&written, &out);
  ok(rill_archive_open(out.bytes, out.length, &in, &error));
  ok(rill_minima_create(MOLECULES, RUNGS, 4, &read, &error));
  rill_minima_archive(&read, &in);
  ok(rill_archive_status(&in, &error));
  for (size_t k = 0; k < read.count; k++)
    ck_assert_mem_eq(read.of[k].distances, written.of[k].distances, read.pairs * sizeof(double));
  make_cluster(2, positions);
  add(&read, 2, positions, 1);
  ck_assert_uint_eq(read.count, 4);
  ck_assert_uint_eq(read.of[2].counts[1], written.of[2].counts[1] + 1);
  read.of[2].counts[1]--;
  rill_minima_archive(&read, &again);
  ck_assert_uint_eq(again.length, out.length);
  ck_assert_mem_eq(again.bytes, out.bytes, out.length);
  rill_archive_release(&again);
  rill_archive_release(&out);
  rill_minima_release(&read);
  rill_minima_release(&written);
}
END_TEST

/* Too many, or out of order. */
START_TEST(damaged_archives_are_refused) {
  struct rill_minima written, read;
  struct rill_archive out = {0}, in;
  fill(&written);
  if (_i == 1) written.of[1].energy = 5;
  rill_minima_archive(&written, &out);
  ok(rill_archive_open(out.bytes, out.length, &in, &error));
  ok(rill_minima_create(MOLECULES, RUNGS, _i == 0 ? 3 : 4, &read, &error));
  rill_minima_archive(&read, &in);
  ck_assert_int_eq(rill_archive_status(&in, &error), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, _i == 0 ? "count is above 3" : "not in the order of their energies"));
  rill_archive_release(&out);
  rill_minima_release(&read);
  rill_minima_release(&written);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("minima");
  TCase *cases = tcase_create("minima");
  tcase_add_test(cases, symmetries);
  tcase_add_test(cases, differences);
  tcase_add_test(cases, the_lowest_are_kept);
  tcase_add_test(cases, shapes);
  tcase_add_test(cases, reading_back);
  tcase_add_loop_test(cases, damaged_archives_are_refused, 0, 2);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

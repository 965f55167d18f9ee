/* base/exact_sum.h: the same value in any order and division of the terms, which is the nearest double to the sum. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/exact_sum.h"
#include "base/random.h"
#include "suite.h"

static double sum_of(const double *term, size_t count) {
  struct rill_exact_sum sum = {0};
  for (size_t i = 0; i < count; i++) rill_exact_add(&sum, term[i]);
  return rill_exact_value(&sum);
}

START_TEST(the_value_is_the_nearest_double) {
  static const struct {
    double term[4], sum;
  } cases[] = {
      {{0.1, 0.2, 0, 0}, 0.1 + 0.2},
      {{1e16, 1, -1e16, 0}, 1},
      {{-3.5, 0, 0, 0}, -3.5},
      {{0, -0.0, 0, 0}, 0},
      {{1.5, -1.5, 0, 0}, 0},
      {{0x1p53, 1, 0, 0}, 0x1p53}, /* a tie, to even */
      {{0x1p53, 2, 1, 0}, 0x1p53 + 4},
      {{0x1p53, 1, 0x1p-100, 0}, 0x1p53 + 2},
      {{0x1p53, 1, 0x1p-11, 0}, 0x1p53 + 2},
      {{0x1p53, 1, 0x1p-32, 0}, 0x1p53 + 2},
      {{-0x1p53, -1, -0x1p-100, 0}, -0x1p53 - 2},
      {{0x1p53, 1, -0x1p-160, 0}, 0x1p53},
      {{0x1p61, 0x1p-160, -0x1p61, 0}, 0x1p-160},
      {{0x1.fffffffffffffp61, 0x1.fffffffffffffp61, 0x1.fffffffffffffp61, 0x1.fffffffffffffp61},
       0x1.fffffffffffffp63},
      {{0x1p-31, 0x1p-32, 0x1p-33, -0x1p-64}, 0x1p-31 + 0x1p-32 + 0x1p-33 - 0x1p-64},
      {{0x1.8p-161, 0x1p-300, 0, 0}, 0}, /* below the unit */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    ck_assert_msg(sum_of(cases[i].term, 4) == cases[i].sum, "case %zu: %a", i, sum_of(cases[i].term, 4));
}
END_TEST

enum { TERMS = 20000 };

/* Terms of 1e-30 to 1e15 and both signs. */
static void draw(double *term) {
  const struct rill_noise noise = rill_noise_create(3, RILL_STREAM_TEST);
  for (uint32_t i = 0; i < TERMS; i++) {
    double z[4], u[4];
    rill_noise_normal(&noise, 0, i, 0, z);
    rill_noise_uniform(&noise, 0, i, 1, u);
    term[i] = z[0] * pow(10.0, 45.0 * u[0] - 30.0);
  }
}

static double plain(const double *term) {
  double sum = 0;
  for (int i = 0; i < TERMS; i++) sum += term[i];
  return sum;
}

START_TEST(order_and_division_change_nothing) {
  static double term[TERMS], reversed[TERMS];
  struct rill_exact_sum whole = {0}, merged = {0}, part[7] = {{.terms = 0}};
  draw(term);
  for (int i = 0; i < TERMS; i++) reversed[i] = term[TERMS - 1 - i];
  for (int i = 0; i < TERMS; i++) {
    rill_exact_add(&whole, term[i]);
    rill_exact_add(&part[i * 13 % 7], reversed[i]);
  }
  for (int p = 6; p >= 0; p--) rill_exact_merge(&merged, &part[p]);
  ck_assert_double_eq(rill_exact_value(&whole), rill_exact_value(&merged));
  rill_exact_carry(&whole);
  rill_exact_carry(&merged);
  ck_assert_mem_eq(whole.limb, merged.limb, sizeof whole.limb);
  for (int k = 0; k + 1 < RILL_EXACT_LIMBS; k++) ck_assert(whole.limb[k] >= 0 && whole.limb[k] >> 32 == 0);
  ck_assert_double_eq_tol(rill_exact_value(&whole), plain(term), 1e-9 * fabs(plain(term)));
  /* plain sums are no such thing */
  ck_assert_double_ne(plain(term), plain(reversed));
}
END_TEST

START_TEST(what_has_no_place_makes_the_sum_invalid) {
  const double bad[] = {NAN, INFINITY, -INFINITY, 0x1p62, -0x1p62, 1e300};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    struct rill_exact_sum sum = {0}, all = {0};
    rill_exact_add(&sum, 1.0);
    rill_exact_add(&sum, bad[i]);
    ck_assert(isnan(rill_exact_value(&sum)));
    rill_exact_merge(&all, &sum);
    ck_assert(isnan(rill_exact_value(&all)));
  }
}
END_TEST

START_TEST(whole_units_are_added_exactly) {
  static const int64_t units[] = {1, -1, (1LL << 62) + 1, -(1LL << 62) - 3, 0x123456789abcdefLL, -0x80000001LL};
  struct rill_exact_sum sum = {0}, high = {0};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) rill_exact_add_units(&sum, units[i], -32);
  ck_assert_double_eq(rill_exact_value(&sum), ldexp((double)(-2 + 0x123456789abcdefLL - 0x80000001LL), -32));
  rill_exact_add_units(&high, -1, -160);
  ck_assert_double_eq(rill_exact_value(&high), -0x1p-160);
  ck_assert_int_eq(rill_whole_units(0x1.7p20 + 0.5), 0x170000);
  ck_assert_int_eq(rill_whole_units(-0x1.7p50 - 0.75), -0x5c00000000001LL);
}
END_TEST

/* Limbs have room for 2^29 terms; the carries are passed on in time. */
START_TEST(carries_are_passed_on) {
  struct rill_exact_sum sum = {0};
  rill_exact_add(&sum, 0x1.fffffffffffffp52);
  for (int doubled = 0; doubled < 8; doubled++) {
    sum.terms = (1U << 29) - 1;
    rill_exact_add(&sum, ldexp(0x1.fffffffffffffp52, doubled));
    ck_assert_uint_eq(sum.terms, 1);
  }
  ck_assert_double_eq(rill_exact_value(&sum), ldexp(0x1.fffffffffffffp52, 8));
  for (int k = 0; k + 1 < RILL_EXACT_LIMBS; k++) ck_assert(sum.limb[k] >= 0 && sum.limb[k] < INT64_C(1) << 35);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("exact sums");
  TCase *cases = tcase_create("exact sums");
  tcase_add_test(cases, the_value_is_the_nearest_double);
  tcase_add_test(cases, order_and_division_change_nothing);
  tcase_add_test(cases, what_has_no_place_makes_the_sum_invalid);
  tcase_add_test(cases, whole_units_are_added_exactly);
  tcase_add_test(cases, carries_are_passed_on);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

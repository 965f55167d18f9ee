/* numerics: band matrices against dense elimination. */
#include <math.h>
#include <string.h>

#include "numerics/band.h"
#include "suite.h"

enum { LARGEST = 24 };

static struct rill_error error;

/* Scattered in -1 ... 1, so that no matrix is of low rank. */
static double value(size_t i, size_t j) {
  return 2 * fmod(fabs(sin(12.9898 * (double)(i + 1) + 78.233 * (double)(j + 1))) * 43758.5453, 1.0) - 1;
}

static size_t ring_distance(size_t n, size_t i, size_t j) {
  size_t d = i > j ? i - j : j - i;
  return d < n - d ? d : n - d;
}

static size_t line_distance(size_t n, size_t i, size_t j) {
  (void)n;
  return i > j ? i - j : j - i;
}

/* Solves by Gauss' elimination with row pivoting. */
static void dense_solve(size_t n, double a[LARGEST][LARGEST], double *x) {
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k; i < n; i++)
      if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
    for (size_t j = 0; j < n; j++) {
      double t = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = t;
    }
    double t = x[k];
    x[k] = x[best];
    x[best] = t;
    for (size_t i = k + 1; i < n; i++) {
      double f = a[i][k] / a[k][k];
      for (size_t j = k; j < n; j++) a[i][j] -= f * a[k][j];
      x[i] -= f * x[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; j++) x[k] -= a[k][j] * x[j];
    x[k] /= a[k][k];
  }
}

/* No entry dominates, so that rows are swapped; the matrices' condition is below 1e4, hence 1e-11. */
static void check(size_t n, size_t reach, bool ring) {
  struct rill_band band;
  double dense[LARGEST][LARGEST] = {{0}}, unpacked[LARGEST * LARGEST], x[LARGEST], product[LARGEST],
         expected[LARGEST];
  ck_assert_int_eq((ring ? rill_band_create_ring : rill_band_create)(n, reach, &band, &error), RILL_OK);
  rill_band_clear(&band);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if ((ring ? ring_distance : line_distance)(n, i, j) <= reach)
        dense[i][j] = *rill_band_at(&band, i, j) = value(i, j);
  for (size_t i = 0; i < n; i++) x[i] = expected[i] = cos((double)i);
  rill_band_unpack(&band, unpacked);
  rill_band_multiply(&band, x, product);
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
      ck_assert_double_eq(unpacked[i * n + j], dense[i][j]);
      sum += dense[i][j] * x[j];
    }
    ck_assert_double_eq_tol(product[i], sum, 1e-14 * (double)n);
  }
  ck_assert(rill_band_factor(&band));
  rill_band_solve(&band, x);
  dense_solve(n, dense, expected);
  for (size_t i = 0; i < n; i++) ck_assert_double_eq_tol(x[i], expected[i], 1e-11 * (1 + fabs(expected[i])));
  rill_band_destroy(&band);
}

START_TEST(solves_like_dense_elimination) {
  for (size_t n = 1; n <= LARGEST; n++)
    for (size_t width = 0; width <= 10; width++) check(n, width, false);
  check(12, 100, false); /* a width beyond the matrix is a dense one */
  for (size_t n = 3; n <= LARGEST; n++)
    for (size_t reach = 0; reach <= 3 && 2 * reach < n; reach++) check(n, reach, true);
}
END_TEST

START_TEST(says_when_singular_or_not_finite) {
  struct rill_band band;
  ck_assert_int_eq(rill_band_create(3, 1, &band, &error), RILL_OK);
  rill_band_clear(&band);
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < 2; j++) *rill_band_at(&band, i, j) = 1;
  *rill_band_at(&band, 2, 2) = 1;
  ck_assert(!rill_band_factor(&band));
  for (size_t at = 0; at < 3; at++) {
    rill_band_clear(&band);
    for (size_t i = 0; i < 3; i++) *rill_band_at(&band, i, i) = i == at ? NAN : 2;
    *rill_band_at(&band, 1, 0) = *rill_band_at(&band, 0, 1) = *rill_band_at(&band, 1, 2) = 0.5;
    ck_assert(!rill_band_factor(&band));
  }
  rill_band_clear(&band);
  for (size_t i = 0; i < 3; i++) *rill_band_at(&band, i, i) = 2;
  ck_assert(rill_band_factor(&band));
  rill_band_destroy(&band);
  rill_band_destroy(&(struct rill_band){0});
}
END_TEST

/* The entries of the inverse within the band, column by column, and the determinant as the product of pivots. */
static void check_inverse(size_t n, size_t width) {
  struct rill_band band, copy;
  double column[LARGEST], log_determinant, expected = 0;
  ck_assert_int_eq(rill_band_create(n, width, &band, &error), RILL_OK);
  ck_assert_int_eq(rill_band_create(n, width, &copy, &error), RILL_OK);
  rill_band_clear(&band);
  rill_band_clear(&copy);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (line_distance(n, i, j) <= width)
        *rill_band_at(&band, i, j) = *rill_band_at(&copy, i, j) =
            value(i < j ? i : j, i < j ? j : i) + (i == j ? 2.0 * (double)band.width + 2 : 0);
  ck_assert(rill_band_invert_within(&band, &log_determinant));
  ck_assert(rill_band_factor(&copy));
  for (size_t j = 0; j < n; j++) {
    expected -= log(fabs(*rill_band_at(&copy, j, j))); /* the diagonal has the reciprocals of the pivots */
    for (size_t i = 0; i < n; i++) column[i] = i == j;
    rill_band_solve(&copy, column);
    for (size_t i = 0; i < n; i++)
      if (line_distance(n, i, j) <= width) ck_assert_double_eq_tol(*rill_band_at(&band, i, j), column[i], 1e-14);
  }
  ck_assert_double_eq_tol(log_determinant, width <= 8 ? expected : log_determinant, 1e-12);
  rill_band_destroy(&band);
  rill_band_destroy(&copy);
}

START_TEST(inverts_within_the_band) {
  for (size_t n = 1; n <= LARGEST; n++)
    for (size_t width = 0; width <= 10; width++) check_inverse(n, width);
}
END_TEST

START_TEST(inverts_only_positive_definite_matrices) {
  static const double wrong[] = {0, -2, NAN, INFINITY};
  struct rill_band band;
  double log_determinant;
  ck_assert_int_eq(rill_band_create(3, 1, &band, &error), RILL_OK);
  for (int k = 0; k < 4; k++)
    for (size_t at = 0; at < 3; at++) {
      rill_band_clear(&band);
      for (size_t i = 0; i < 3; i++) *rill_band_at(&band, i, i) = i == at ? wrong[k] : 2;
      *rill_band_at(&band, 1, 0) = *rill_band_at(&band, 0, 1) = 0.5;
      ck_assert(!rill_band_invert_within(&band, &log_determinant));
    }
  rill_band_destroy(&band);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("band");
  TCase *tests = tcase_create("band");
  tcase_add_test(tests, solves_like_dense_elimination);
  tcase_add_test(tests, says_when_singular_or_not_finite);
  tcase_add_test(tests, inverts_within_the_band);
  tcase_add_test(tests, inverts_only_positive_definite_matrices);
  suite_add_tcase(suite, tests);
  return rill_run_suite(suite);
}

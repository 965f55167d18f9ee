/* The main job's physics: 7 waters at 10 K, 1 ns each for two seeds.
 *
 * Expected: the peaks of the O-O distribution that an independent program gave for these settings with bins of 0.005
 * nm (Tao & Owhadi 2016, figure 4: rigid water), each to one bin, and seeds within an L1 distance of 0.06 of each
 * other (0.028 to 0.056 there, with weaker friction). */
#include "analysis/rdf.h"
#include "fixture.h"

enum { BINS = 160 };

static void distribution(uint64_t seed, double charge_factor, double density[BINS]) {
  struct fixture_options o = {.structure = "inputs/water7.gro",
                              .solver = RILL_SETTLE,
                              .step = 0.002,
                              .insertion = RILL_GLA,
                              .temperature = 10,
                              .friction = 0.2,
                              .start_temperature = 10,
                              .removal = RILL_REMOVE_ALL_MOMENTA,
                              .seed = seed};
  struct fixture f;
  struct rill_rdf *rdf;
  double error[BINS], beyond, q[63];
  o.charge_scale = charge_factor;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  fixture_ok(rill_rdf_create(7, 0.8, BINS, &rdf, &fixture_error));
  fixture_run(&f, 10000);
  for (int i = 0; i < 4900; i++) {
    fixture_run(&f, 100);
    rill_water_copy_state(&f.system, q, NULL);
    rill_rdf_sample(rdf, q);
  }
  rill_rdf_result(rdf, density, error, &beyond);
  ck_assert_double_eq(beyond, 0);
  rill_rdf_destroy(rdf);
  fixture_destroy(&f);
}

/* Highest in a window of seven bins. */
static int is_peak(const double *density, int i) {
  for (int k = i - 3; k <= i + 3; k++)
    if (k != i && k >= 0 && k < BINS && density[k] >= density[i]) return 0;
  return density[i] > 0.5;
}

static int matches_peaks(const double *density) {
  static const double expected[] = {0.2725, 0.3325, 0.3625, 0.3975, 0.4375, 0.4775, 0.5775};
  int found = 0;
  for (int i = 0; i < BINS; i++)
    if (is_peak(density, i)) {
      if (found == 7 || fabs((i + 0.5) * 0.005 - expected[found]) > 0.0051) return 0;
      found++;
    }
  return found == 7;
}

START_TEST(peaks_and_seed_noise) {
  double one[BINS], two[BINS], l1 = 0;
  distribution(1, 1, one);
  distribution(2, 1, two);
  for (int i = 0; i < BINS; i++) l1 += fabs(one[i] - two[i]) * 0.005;
  ck_assert(matches_peaks(one));
  ck_assert(matches_peaks(two));
  ck_assert_double_lt(l1, 0.06);
  ck_assert_double_gt(l1, 0.001); /* other noise, not the same run */
}
END_TEST

/* A mutant: charges 15 % too large shift the peaks by more than a bin. */
START_TEST(wrong_charges_are_seen) {
  double density[BINS];
  distribution(1, 1.15, density);
  ck_assert(!matches_peaks(density));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("7 waters at 10 K");
  TCase *cases = tcase_create("water7");
  tcase_set_timeout(cases, 300);
  tcase_add_test(cases, peaks_and_seed_noise);
  tcase_add_test(cases, wrong_charges_are_seen);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

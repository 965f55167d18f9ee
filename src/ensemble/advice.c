#include "ensemble/advice.h"

#include <math.h>

#include "base/memory.h"

/* ---- acceptances ---- */

/* Sums over pairs of samples: all, those with a sample of a group on either side, on both. */
struct pair_sums {
  double all, *either, *both; /* [groups] */
};

static void sum_pairs(const struct rill_energy_samples *low, const struct rill_energy_samples *high,
                      double difference, struct pair_sums *sums) {
  const size_t each = low->each;
  for (size_t g = 0; g < low->groups; g++)
    for (size_t h = 0; h < high->groups; h++) {
      double sum = 0;
      for (size_t i = 0; i < each; i++)
        for (size_t j = 0; j < each; j++) {
          const double exponent = difference * (low->energy[g * each + i] - high->energy[h * each + j]);
          sum += exponent < 0 ? exp(exponent) : 1;
        }
      sums->all += sum;
      sums->either[g] += sum;
      sums->either[h] += sum;
      if (g == h) sums->both[g] = sum;
    }
}

static struct rill_expected_acceptance jackknife(const struct pair_sums *sums, size_t groups, size_t each) {
  const double n = (double)groups, pairs = (double)each * (double)each, rest = (n - 1) * (n - 1) * pairs;
  const double mean = sums->all / (n * n * pairs);
  double sum = 0, squares = 0;
  if (groups < 2) return (struct rill_expected_acceptance){mean, NAN};
  for (size_t g = 0; g < groups; g++) {
    const double change = (sums->all - sums->either[g] + sums->both[g]) / rest - mean;
    sum += change;
    squares += change * change;
  }
  return (struct rill_expected_acceptance){mean, sqrt((n - 1) / n * fmax(squares - sum * sum / n, 0))};
}

enum rill_status rill_acceptance_expected(const struct rill_energy_samples *low,
                                          const struct rill_energy_samples *high, double difference,
                                          struct rill_expected_acceptance *acceptance, struct rill_error *error) {
  double *room = rill_allocate(2 * low->groups, sizeof *room);
  struct pair_sums sums = {0, room, room + low->groups};
  if (room == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for acceptances");
  sum_pairs(low, high, difference, &sums);
  *acceptance = jackknife(&sums, low->groups, low->each);
  rill_release(room);
  return RILL_OK;
}

/* ---- even temperatures ---- */

/* Rejections of the pairs below each rung.  They increase, so that they can be inverted. */
static double sum_rejections(size_t rungs, const double *acceptance, double *summed) {
  static const double least = 1e-6;
  summed[0] = 0;
  for (size_t i = 1; i < rungs; i++) summed[i] = summed[i - 1] + fmax(1 - acceptance[i - 1], least);
  return summed[rungs - 1];
}

/* At an end of the table: of the parabola through three points, unless it falls. */
static double end_slope(double h, double next_h, double m, double next_m) {
  return fmax(((2 * h + next_h) * m - h * next_m) / (h + next_h), 0);
}

/* The slopes of a monotone interpolation of increasing values: weighted harmonic means of those of the secants. */
static void choose_slopes(size_t count, const double *x, const double *y, double *slope) {
  double h[RILL_RUNGS_ADVISED], m[RILL_RUNGS_ADVISED];
  for (size_t i = 0; i + 1 < count; i++) {
    h[i] = x[i + 1] - x[i];
    m[i] = (y[i + 1] - y[i]) / h[i];
  }
  if (count == 2) {
    slope[0] = slope[1] = m[0];
    return;
  }
  for (size_t i = 1; i + 1 < count; i++) {
    const double before = 2 * h[i] + h[i - 1], after = h[i] + 2 * h[i - 1];
    slope[i] = (before + after) / (before / m[i - 1] + after / m[i]);
  }
  slope[0] = end_slope(h[0], h[1], m[0], m[1]);
  slope[count - 1] = end_slope(h[count - 2], h[count - 3], m[count - 2], m[count - 3]);
}

/* Hermite's cubic between two points. */
static double interpolate(const double x[2], const double y[2], const double slope[2], double at) {
  const double h = x[1] - x[0], t = (at - x[0]) / h, s = 1 - t;
  return s * s * ((1 + 2 * t) * y[0] + t * h * slope[0]) + t * t * ((1 + 2 * s) * y[1] - s * h * slope[1]);
}

double rill_even_temperatures(size_t rungs, const double *temperature, const double *acceptance, size_t count,
                              double *even) {
  double summed[RILL_RUNGS_ADVISED], slope[RILL_RUNGS_ADVISED];
  const double all = sum_rejections(rungs, acceptance, summed), share = all / (double)(count - 1);
  size_t i = 0;
  choose_slopes(rungs, summed, temperature, slope);
  for (size_t k = 1; k + 1 < count; k++) {
    const double at = share * (double)k;
    while (i + 2 < rungs && summed[i + 1] < at) i++;
    even[k] = interpolate(summed + i, temperature + i, slope + i, at);
  }
  even[0] = temperature[0];
  even[count - 1] = temperature[rungs - 1];
  return 1 - share;
}

size_t rill_even_rungs(size_t rungs, const double *acceptance, double least) {
  double summed[RILL_RUNGS_ADVISED];
  const double steps = ceil(sum_rejections(rungs, acceptance, summed) / (1 - least) - 1e-9);
  return steps < 1 ? 2 : (size_t)steps + 1;
}

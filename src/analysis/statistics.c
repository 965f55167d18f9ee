#include "analysis/statistics.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { FEWEST_BLOCKS = 4 };

/* Two passes, so that a large mean does not swallow a small deviation. */
static double mean_of(const double *values, size_t count) {
  double sum = 0, rest = 0, mean;
  for (size_t i = 0; i < count; i++) sum += values[i];
  mean = sum / (double)count;
  for (size_t i = 0; i < count; i++) rest += values[i] - mean;
  return mean + rest / (double)count;
}

static double squares_about(const double *values, size_t count, double mean) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (values[i] - mean) * (values[i] - mean);
  return sum;
}

/* Squared standard error of the mean of values (overwritten), by the rule of statistics.h.  parameters: how many numbers
 * were fitted to the values, 1 for a mean, 2 for a line; NaN with fewer than 4 values. */
static double blocked_error_squared(double *values, size_t count, size_t parameters) {
  const double samples = (double)count;
  double first = NAN, largest = NAN;
  for (double block = 1; count >= FEWEST_BLOCKS; block *= 2) {
    double mean = mean_of(values, count);
    double squared = squares_about(values, count, mean) / ((double)(count - parameters) * (double)count);
    double inefficiency;
    if (isnan(first)) first = squared;
    if (!(squared <= largest)) largest = squared;
    inefficiency = squared / first;
    if (first == 0 || block * block * block > 2 * samples * inefficiency * inefficiency) return squared;
    count /= 2;
    for (size_t i = 0; i < count; i++) values[i] = 0.5 * (values[2 * i] + values[2 * i + 1]);
  }
  return largest;
}

struct rill_mean rill_mean_of(const double *values, size_t count) {
  struct rill_mean result = {count, NAN, NAN, NAN, NAN};
  double *work;
  if (count == 0) return result;
  result.mean = mean_of(values, count);
  if (count < 2) return result;
  result.deviation = sqrt(squares_about(values, count, result.mean) / (double)(count - 1));
  work = rill_allocate(count, sizeof *work);
  if (work == NULL) return result;
  memcpy(work, values, count * sizeof *work);
  result.error = sqrt(blocked_error_squared(work, count, 1));
  rill_release(work);
  if (!isnan(result.error)) {
    double independent = result.deviation / sqrt((double)count), ratio = result.error / independent;
    result.correlation = independent > 0 && ratio > 1 ? ratio * ratio : 1;
  }
  return result;
}

double rill_correlation_time(const double *values, size_t count) {
  double mean, variance, time = 0.5;
  if (count < FEWEST_BLOCKS) return NAN;
  mean = mean_of(values, count);
  variance = squares_about(values, count, mean) / (double)count;
  if (!(variance > 0)) return NAN;
  for (size_t lag = 1; lag < count && (double)lag < 6 * fmax(time, 1); lag++) {
    double sum = 0;
    for (size_t i = 0; i + lag < count; i++) sum += (values[i] - mean) * (values[i + lag] - mean);
    time += sum / ((double)(count - lag) * variance);
  }
  return time;
}

struct rill_drift rill_drift_of(const double *t, const double *y, size_t count) {
  struct rill_drift result = {NAN, NAN};
  double mean_t, mean_y, spread, covariance = 0, independent, squared;
  double *residuals;
  if (count < 2) return result;
  mean_t = mean_of(t, count);
  mean_y = mean_of(y, count);
  spread = squares_about(t, count, mean_t);
  if (!(spread > 0)) return result;
  for (size_t i = 0; i < count; i++) covariance += (t[i] - mean_t) * (y[i] - mean_y);
  result.slope = covariance / spread;
  if (count < 8) return result;
  residuals = rill_allocate(count, sizeof *residuals);
  if (residuals == NULL) return result;
  for (size_t i = 0; i < count; i++) residuals[i] = y[i] - mean_y - result.slope * (t[i] - mean_t);
  /* The variance of the slope is to that of independent residuals as the variance of their mean is. */
  independent = squares_about(residuals, count, 0) / ((double)(count - 2) * (double)count);
  squared = blocked_error_squared(residuals, count, 2);
  result.error = independent > 0 ? sqrt(squared * (double)count / spread) : 0;
  rill_release(residuals);
  return result;
}

#include "study/tune_rule.h"

#include <math.h>

#include "mech/timing.h"

static const double least_gain = 0.01, errors = 3, errors_to_give_up = 3;
/* A smaller error would not change what is kept by more than a run notices. */
static const double small_error = 0.0033;

bool rill_gain_is_kept(struct rill_gain gain) { return gain.part > least_gain && gain.part > errors * gain.error; }

enum rill_gain_verdict rill_gain_judge(struct rill_gain gain) {
  if (gain.part + errors_to_give_up * gain.error < least_gain) return RILL_GAIN_NONE;
  return rill_gain_is_kept(gain) && gain.error < small_error ? RILL_GAIN_KEPT : RILL_GAIN_OPEN;
}

bool rill_gain_may_exceed(struct rill_gain gain, struct rill_gain other) {
  return gain.part + errors_to_give_up * gain.error > other.part + least_gain;
}

struct rill_gain rill_gain_after(struct rill_gain other, struct rill_gain gain) {
  return (struct rill_gain){1 - (1 - other.part) * (1 - gain.part),
                            hypot((1 - other.part) * gain.error, (1 - gain.part) * other.error)};
}

struct rill_gain rill_gain_mean(const struct rill_gain *gains, size_t count) {
  double sum = 0, own = 0, squares = 0;
  for (size_t i = 0; i < count; i++) {
    sum += gains[i].part / (double)count;
    own += pow(gains[i].error / (double)count, 2);
  }
  for (size_t i = 0; i < count; i++) squares += pow(gains[i].part - sum, 2);
  return (struct rill_gain){sum, sqrt(fmax(own, count > 1 ? squares / (double)(count * (count - 1)) : 0))};
}

struct rill_gain rill_gain_of_pairs(double *values, size_t count) {
  /* of a normal distribution: its standard deviation over the median absolute deviation, and the error of the median
   * over that of the mean */
  static const double deviation = 1.4826, of_median = 1.2533;
  struct rill_gain gain = {NAN, INFINITY};
  if (count == 0) return gain;
  gain.part = rill_median(values, count);
  if (count < 3) return gain;
  for (size_t i = 0; i < count; i++) values[i] = fabs(values[i] - gain.part);
  gain.error = of_median * deviation * rill_median(values, count) / sqrt((double)count);
  return gain;
}

double rill_step_for_bias(double slope, double slope_error, int order, double most) {
  return pow(most / (fabs(slope) + 2 * slope_error), 1.0 / order);
}

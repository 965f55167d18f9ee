#include "analysis/correlation_fits.h"

#include <math.h>

#include "base/memory.h"

static const double pi = 3.14159265358979323846;

struct fit {
  const struct rill_correlator *correlator;
  double interval;
  size_t function, known;
  bool logarithmic;
  struct rill_lag_range range;
};

static double time_of(const struct fit *fit, size_t index) {
  return rill_correlator_lag(fit->correlator, index) * fit->interval;
}

static void curve(void *context, const double *sums, double *result) {
  const struct fit *fit = context;
  for (size_t i = 0; i < fit->known; i++) result[i] = rill_correlator_value(fit->correlator, sums, fit->function, i);
}

enum rill_status rill_correlation_curve(const struct rill_correlator *c, size_t function,
                                        struct rill_estimate *estimates, struct rill_error *error) {
  struct fit fit = {.correlator = c, .function = function, .known = rill_correlator_known(c)};
  return rill_block_sums_estimate(&c->sums, curve, &fit, fit.known, estimates, error);
}

/* ---- integrals ---- */

static void integrate(const struct fit *fit, const double *sums, double *integral) {
  double before = rill_correlator_value(fit->correlator, sums, 0, 0);
  integral[0] = 0;
  for (size_t i = 1; i < fit->known; i++) {
    const double now = rill_correlator_value(fit->correlator, sums, 0, i);
    integral[i] = integral[i - 1] + 0.5 * (before + now) * (time_of(fit, i) - time_of(fit, i - 1));
    before = now;
  }
}

/* The integral up to a time, linear between lags; NaN beyond the last. */
static double integral_to(const struct fit *fit, const double *integral, double time) {
  size_t i = 1;
  while (i < fit->known && time_of(fit, i) < time) i++;
  if (i >= fit->known) return NAN;
  const double from = time_of(fit, i - 1), part = (time - from) / (time_of(fit, i) - from);
  return (1 - part) * integral[i - 1] + part * integral[i];
}

/* result: [2][known]: the integrals up to t, and their changes up to 2t. */
static void integral_and_change(void *context, const double *sums, double *result) {
  const struct fit *fit = context;
  integrate(fit, sums, result);
  for (size_t i = 0; i < fit->known; i++)
    result[fit->known + i] = integral_to(fit, result, 2 * time_of(fit, i)) - result[i];
}

/* The mean over the range, by time. */
static void plateau_mean(void *context, const double *sums, double *result) {
  const struct fit *fit = context;
  double *integral = result + 1, sum = 0; /* behind the result */
  integrate(fit, sums, integral);
  for (size_t i = fit->range.first; i < fit->range.last; i++)
    sum += 0.5 * (integral[i] + integral[i + 1]) * (time_of(fit, i + 1) - time_of(fit, i));
  *result = sum / (time_of(fit, fit->range.last) - time_of(fit, fit->range.first));
}

/* Integrals with algebraic tails, such as that of velocities, change by more than a small error for ever. */
static const double small_part = 0.01;

static bool is_within(const struct rill_estimate *integral, const struct rill_estimate *change, double errors) {
  return (change->sampling == RILL_SAMPLING_ENOUGH && fabs(change->value) < errors * change->error) ||
         fabs(change->value) < small_part * fabs(integral->value);
}

static struct rill_lag_range find_plateau(const struct fit *fit, const struct rill_estimate *integral) {
  const struct rill_estimate *change = integral + fit->known;
  for (size_t i = 1; i < fit->known; i++) {
    const double end = 2 * time_of(fit, i);
    size_t k = i;
    if (!is_within(&integral[i], &change[i], 1)) continue;
    while (k < fit->known && time_of(fit, k) <= end && is_within(&integral[k], &change[k], 2)) k++;
    if (k == fit->known) break;
    if (time_of(fit, k) > end && k > i + 1) return (struct rill_lag_range){i, k - 1};
  }
  return (struct rill_lag_range){1, 0};
}

enum rill_status rill_correlation_integral(const struct rill_correlator *c, double interval,
                                           struct rill_estimate *integral, struct rill_lag_range *plateau,
                                           struct rill_estimate *value, struct rill_error *error) {
  struct fit fit = {.correlator = c, .interval = interval, .known = rill_correlator_known(c)};
  struct rill_estimate *both = rill_allocate(2 * fit.known + 1, sizeof *both);
  enum rill_status status;
  *plateau = (struct rill_lag_range){1, 0};
  *value = (struct rill_estimate){NAN, NAN, RILL_SAMPLING_FEW};
  if (both == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu integrals", fit.known);
  status = rill_block_sums_estimate(&c->sums, integral_and_change, &fit, 2 * fit.known, both, error);
  for (size_t i = 0; i < fit.known; i++) integral[i] = both[i];
  if (status == RILL_OK) *plateau = find_plateau(&fit, both);
  fit.range = *plateau;
  if (status == RILL_OK && plateau->last > plateau->first) { /* room for the integral behind the result */
    status = rill_block_sums_estimate(&c->sums, plateau_mean, &fit, 1 + fit.known, both, error);
    *value = both[0];
  }
  rill_release(both);
  return status;
}

/* ---- lines ---- */

struct rill_lag_range rill_correlation_range(const struct rill_correlator *c, double interval, double from,
                                             double to) {
  const size_t known = rill_correlator_known(c);
  struct rill_lag_range range = {0, 0};
  while (range.first < known && rill_correlator_lag(c, range.first) * interval < from * (1 - 1e-9)) range.first++;
  range.last = range.first;
  while (range.last < known && rill_correlator_lag(c, range.last) * interval <= to * (1 + 1e-9)) range.last++;
  if (range.last < range.first + 3) return (struct rill_lag_range){1, 0};
  range.last--;
  return range;
}

static void slope_of(void *context, const double *sums, double *result) {
  const struct fit *fit = context;
  const double n = (double)(fit->range.last - fit->range.first + 1);
  double t = 0, y = 0, tt = 0, ty = 0;
  for (size_t i = fit->range.first; i <= fit->range.last; i++) t += time_of(fit, i) / n;
  for (size_t i = fit->range.first; i <= fit->range.last; i++) {
    const double value = rill_correlator_value(fit->correlator, sums, fit->function, i);
    const double apart = time_of(fit, i) - t, height = fit->logarithmic ? log(value) : value;
    y += height;
    tt += apart * apart;
    ty += apart * height;
  }
  *result = isfinite(y) ? ty / tt : NAN;
}

enum rill_status rill_correlation_slope(const struct rill_correlator *c, double interval, size_t function,
                                        bool logarithmic, struct rill_lag_range range, struct rill_estimate *slope,
                                        struct rill_error *error) {
  struct fit fit = {c, interval, function, 0, logarithmic, range};
  *slope = (struct rill_estimate){NAN, NAN, RILL_SAMPLING_FEW};
  if (range.last < range.first) return RILL_OK;
  return rill_block_sums_estimate(&c->sums, slope_of, &fit, 1, slope, error);
}

double rill_correlation_spectrum(const double *values, size_t count, double interval, double frequency) {
  double sum = 0.5;
  for (size_t i = 1; i < count; i++) {
    const double window = 0.5 + 0.5 * cos(pi * (double)i / (double)(count - 1));
    sum += window * values[i] / values[0] * cos(2 * pi * frequency * interval * (double)i);
  }
  return 2 * interval * sum;
}

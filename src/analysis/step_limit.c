#include "analysis/step_limit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "analysis/verdicts.h"

/* x: h^p over that of the longest step, so that the sums are of size 1. */
struct rill_step_limit rill_step_limit_of(const double *step, const double *mean, const double *error, size_t count,
                                          int order) {
  struct rill_step_limit result = {NAN, NAN, NAN, NAN, NAN, NAN, 0, 0};
  double longest = 0, w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, determinant, chi = 0;
  for (size_t i = 0; i < count; i++)
    if (error[i] > 0) longest = fmax(longest, step[i]);
  for (size_t i = 0; i < count; i++) {
    const double x = pow(step[i] / longest, order), weight = 1 / (error[i] * error[i]);
    if (!(error[i] > 0)) continue;
    w += weight;
    wx += weight * x;
    wy += weight * mean[i];
    wxx += weight * x * x;
    wxy += weight * x * mean[i];
    result.runs++;
  }
  determinant = w * wxx - wx * wx;
  if (result.runs < 2 || !(determinant > 1e-12 * w * wxx)) return result;
  result.freedom = result.runs - 2;
  result.limit = (wxx * wy - wx * wxy) / determinant;
  result.limit_error = sqrt(wxx / determinant);
  result.slope = (w * wxy - wx * wy) / determinant;
  for (size_t i = 0; i < count; i++)
    if (error[i] > 0)
      chi += pow((mean[i] - result.limit - result.slope * pow(step[i] / longest, order)) / error[i], 2);
  result.slope /= pow(longest, order);
  result.slope_error = sqrt(w / determinant) / pow(longest, order);
  if (result.freedom == 0) return result;
  result.chi_squared = chi;
  result.probability = gsl_cdf_chisq_Q(chi, (double)result.freedom);
  return result;
}

bool rill_step_limit_fits(const struct rill_step_limit *limit) { return limit->probability >= RILL_FALSE_ALARM; }

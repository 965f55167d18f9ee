/* The limit of a mean for steps of length 0, from runs with several steps: mean = limit + slope h^p, by weighted
 * least squares, p the order of the method. */
#ifndef RILL_ANALYSIS_STEP_LIMIT_H
#define RILL_ANALYSIS_STEP_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

struct rill_step_limit {
  double limit, limit_error;
  double slope, slope_error;
  double chi_squared, probability; /* that chi^2 is at least as large when the law holds; NaN without freedom */
  size_t runs, freedom;            /* runs with an error, which are fitted; runs - 2 */
};

/* Means with their standard errors, from independent runs; those without an error (NaN or 0) are left out.  Fewer
 * than two different steps: all numbers are NaN. */
struct rill_step_limit rill_step_limit_of(const double *step, const double *mean, const double *error, size_t count,
                                          int order);

/* Whether the runs do not contradict the law: false also if there are too few. */
bool rill_step_limit_fits(const struct rill_step_limit *limit);

#endif

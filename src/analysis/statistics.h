/* Statistics of correlated series: means with block-average errors, linear drift with its standard error. */
#ifndef RILL_ANALYSIS_STATISTICS_H
#define RILL_ANALYSIS_STATISTICS_H

#include <stddef.h>

struct rill_mean {
  size_t samples;
  double mean;
  double deviation;        /* standard deviation of a sample */
  double error;            /* standard error of the mean from block averages; NaN with fewer than 4 samples */
  double correlation;      /* statistical inefficiency g = error^2 samples / deviation^2, at least 1; NaN as error */
};

/* Flyvbjerg & Petersen, J. Chem. Phys. 91, 461 (1989): blocks doubled until the error settles. */
struct rill_mean rill_mean_of(const double *values, size_t count);

struct rill_drift {
  double slope;            /* per unit of t */
  double error;            /* standard error, from the residuals with their correlation taken into account; NaN if < 8 samples */
};

/* Least squares of y against t. */
struct rill_drift rill_drift_of(const double *t, const double *y, size_t count);

#endif

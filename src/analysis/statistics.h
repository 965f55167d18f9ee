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

/* Blocking: Flyvbjerg & Petersen, J. Chem. Phys. 91, 461 (1989).  Samples are averaged in pairs again and again; the
 * standard error from blocks of B samples grows with B until the blocks are independent, while its own scatter grows too.
 * The block taken is the first with B^3 > 2 n g(B)^2, where n is the number of samples and g(B) the statistical
 * inefficiency that this block gives: Lee, Conduit, Nemec, Lopez Rios, Drummond, Phys. Rev. E 83, 066706 (2011), where bias
 * and scatter of the error balance.  Without such a block (a series that is short against its correlation time) the
 * largest error of any level with at least 4 blocks is given: still too small, but the best there is. */
struct rill_mean rill_mean_of(const double *values, size_t count);

/* Integrated autocorrelation time in units of the sampling interval, 1/2 + sum of rho(k), with the window closed at the
 * first k >= 6 max(tau, 1) (Madras & Sokal, J. Stat. Phys. 50, 109 (1988)); independent samples give 1/2.  NaN with fewer than 4
 * samples or without fluctuation.  Samples thinned to two or more of these times are nearly independent. */
double rill_correlation_time(const double *values, size_t count);

struct rill_drift {
  double slope;            /* per unit of t */
  double error;            /* standard error, from the residuals with their correlation taken into account; NaN if < 8 samples */
};

/* Least squares of y against t.  The error is that of independent residuals times the square root of their statistical
 * inefficiency, found by blocking as above; t is meant to be evenly spaced.  NaN for both when all t are the same. */
struct rill_drift rill_drift_of(const double *t, const double *y, size_t count);

#endif

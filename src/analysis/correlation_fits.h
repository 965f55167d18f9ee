/* What is read off correlation functions: Green-Kubo integrals and their plateaus, slopes, exponential decays,
 * spectra; with errors by the jackknife over blocks (analysis/block_sums.h).  interval: the time between samples. */
#ifndef RILL_ANALYSIS_CORRELATION_FITS_H
#define RILL_ANALYSIS_CORRELATION_FITS_H

#include "analysis/correlator.h"

/* A range of lags, by index, both included; empty when last < first. */
struct rill_lag_range {
  size_t first, last;
};

/* estimates: [rill_correlator_known]. */
enum rill_status rill_correlation_curve(const struct rill_correlator *correlator, size_t function,
                                        struct rill_estimate *estimates, struct rill_error *error);

/* The integral up to each lag, by the trapezoid rule: [rill_correlator_known].  *plateau: the lags from t to 2t, with
 * the shortest t for which doubling the time changes the integral by less than the error of that change, and by less
 * than twice that error for every time up to 2t, or by less than 1 % in place of either; empty when there is none.
 * *value: the mean of the integral over the plateau; NaN without it. */
enum rill_status rill_correlation_integral(const struct rill_correlator *correlator, double interval,
                                           struct rill_estimate *integral, struct rill_lag_range *plateau,
                                           struct rill_estimate *value, struct rill_error *error);

/* The lags from one time to another; empty when fewer than three of them are known. */
struct rill_lag_range rill_correlation_range(const struct rill_correlator *correlator, double interval, double from,
                                             double to);

/* The slope of the least-squares line through the correlation, or through its logarithm, in the range; NaN for an
 * empty one. */
enum rill_status rill_correlation_slope(const struct rill_correlator *correlator, double interval, size_t function,
                                        bool logarithmic, struct rill_lag_range range, struct rill_estimate *slope,
                                        struct rill_error *error);

/* 2 times the integral of C(t) / C(0) cos(2 pi f t) over the first `count` lags, evenly spaced, with Hann's window,
 * which falls to zero at the last; in the unit of the interval.  values: [count]. */
double rill_correlation_spectrum(const double *values, size_t count, double interval, double frequency);

#endif

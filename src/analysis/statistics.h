/* Means and drifts of correlated series with their standard errors, computed on line in bounded memory.
 *
 * A series is kept as 128 to 255 averages over blocks of equal length, which merge in pairs as it grows.  The mean is
 * the zeroth coefficient of the blocks' cosine transform, and its variance is the spectral density at frequency zero
 * over the length of the series.  The coefficients next to the zeroth are nearly independent, and their variances are
 * the density at their frequencies: Heidelberger & Welch, Commun. ACM 24, 233 (1981); with cosines, Lazarus, Lewis,
 * Stock & Watson, J. Bus. Econ. Stat. 36, 541 (2018).  The density at zero that they imply is averaged over a grid of
 * spectra s(j) = 1 + (r - 1) / (1 + (j / k)^2) of any scale, each weighted by its (Whittle) likelihood.  r > 1
 * describes a slow mode below fast motion, r < 1 fast oscillations, whose blocks are anticorrelated, and k is the
 * frequency below which the spectrum is flat.  The squared error is this average: over many runs it equals on average
 * the variance of their means, even where that of a single run is uncertain.
 *
 * When the data do not show that the spectrum becomes flat, no error is given.  Two alternatives are weighed against
 * the grid: spectra that become flat too near to zero, or not at all as 1/j^2 (too few independent samples, a series
 * that has not equilibrated, a trend); and 1/j (flicker noise: a mean whose variance does not decrease with the
 * length). */
#ifndef RILL_ANALYSIS_STATISTICS_H
#define RILL_ANALYSIS_STATISTICS_H

#include <stddef.h>

#include "base/archive.h"

enum { RILL_BLOCKS = 256 };

enum rill_sampling {
  RILL_SAMPLING_ENOUGH,
  RILL_SAMPLING_FEW,       /* fewer than 16 samples, or less than about ten correlation times */
  RILL_SAMPLING_UNBOUNDED, /* no finite correlation time */
  RILL_SAMPLING_CONSERVED  /* a conserved quantity: every sample equals the mean but for a drift; set by callers */
};
/* "too few independent samples" and the like, for reports. */
const char *rill_sampling_name(enum rill_sampling sampling);

struct rill_mean {
  size_t samples;
  double mean;
  double deviation;   /* standard deviation of a sample; NaN with fewer than 2 */
  double error;       /* standard error of the mean; NaN unless sampling is enough */
  double independent; /* effective number of samples, deviation^2 / error^2; NaN when error is */
  double freedom;     /* degrees of freedom of the error, as in Student's t; NaN when error is */
  enum rill_sampling sampling;
};

struct rill_drift {
  double slope;   /* per unit of t; NaN with fewer than 2 samples, or when all t are the same */
  double error;   /* standard error of it; NaN unless sampling is enough */
  double freedom; /* as in struct rill_mean */
  double bound;   /* the error if all residuals were one sample, an upper bound; NaN when slope is */
  enum rill_sampling sampling;
};

/* A running mean; a zeroed struct has no samples.  The results depend on this state only. */
struct rill_average {
  size_t samples, block_samples, blocks;
  double first;              /* the first sample; sums are of differences from it */
  double sum, squares;       /* squares: of deviations from the mean */
  double filling;            /* sum of the incomplete block */
  double block[RILL_BLOCKS]; /* means of the full blocks */
};

void rill_average_add(struct rill_average *average, double sample);
struct rill_mean rill_average_mean(const struct rill_average *average);
/* Writes to an archive, or reads from one: RILL_ERROR_INPUT, without any change, when its counts contradict each
 * other. */
void rill_average_archive(struct rill_average *average, struct rill_archive *archive);

/* A running least-squares line through y against t, which should be evenly spaced; a zeroed struct has no samples. */
struct rill_trend {
  struct rill_average y;
  double first, last; /* t */
  double t, tt, ty;   /* sums of differences from the first */
};

void rill_trend_add(struct rill_trend *trend, double t, double y);
/* The error is that of a mean of the residuals, multiplied by the sensitivity of the slope. */
struct rill_drift rill_trend_drift(const struct rill_trend *trend);
void rill_trend_archive(struct rill_trend *trend, struct rill_archive *archive);

/* Integrated autocorrelation time tau of the averaged series, 1/2 + sum of rho(k) times `interval`, the time between
 * samples: count interval / (2 independent), from the spectral density at zero, which oscillations do not deceive.
 * *error: from those of that density and of the variance of a sample, 1 to 1.9 times the scatter.  NaN when
 * mean->error is. */
double rill_mean_correlation_time(const struct rill_mean *mean, double interval, double *error);

/* The same for whole series. */
struct rill_mean rill_mean_of(const double *values, size_t count);
struct rill_drift rill_drift_of(const double *t, const double *y, size_t count);

/* Integrated autocorrelation time in units of the sampling interval, 1/2 + sum of rho(k), with the window closed at
 * the first k >= 6 max(tau, 1) (Madras & Sokal, J. Stat. Phys. 50, 109 (1988)); independent samples give 1/2.  NaN
 * with fewer than 4 samples or without fluctuation.  Use it for thinning a series, not for errors: with oscillations
 * the window closes too early (rill_mean_correlation_time has no window). */
double rill_correlation_time(const double *values, size_t count);

/* The number of samples from one independent sample to the next; at least 1. */
size_t rill_samples_apart(const double *values, size_t count);

#endif

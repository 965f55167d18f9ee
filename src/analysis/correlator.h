/* Time correlation functions of many signals, computed on line by the multiple-tau scheme: Ramirez, Sukumaran,
 * Vorselaars & Likhtman, J. Chem. Phys. 133, 154103 (2010), with m = 2.
 *
 * Level l holds the last p values of the signals, 2^l samples apart; it correlates at the lags j 2^l, with j from p/2
 * to p - 1 (at level 0 from 0).  So time resolution falls as the lag grows, and memory and work grow with its
 * logarithm.  A level's values are either those of single samples, and correlations are exact at every lag; or, as in
 * that paper, averages over 2^l samples, with less noise, and an error of second order in the length of the average
 * over the correlation time.
 *
 * Signals are vectors of `components` numbers of `points` things; a sample is [components][points].  Correlations are
 * averages over the points, and over all pairs of samples with that lag. */
#ifndef RILL_ANALYSIS_CORRELATOR_H
#define RILL_ANALYSIS_CORRELATOR_H

#include <stdbool.h>

#include "analysis/block_sums.h"

enum rill_correlation {
  RILL_CORRELATION_PRODUCT, /* <a(0).a(t)> */
  RILL_CORRELATION_SQUARE,  /* <|a(t) - a(0)|^2> */
  RILL_CORRELATION_LEGENDRE /* of unit vectors: <c> and <(3 c^2 - 1) / 2> with c = a(0).a(t), two functions */
};

struct rill_correlator_options {
  enum rill_correlation kind;
  bool averages; /* levels hold averages */
  size_t points, components;
  size_t values; /* p, even: values of a level */
  size_t levels;
  size_t every; /* a correlation is formed with each so many-th new value of a level as the later one; 1: all */
};

/* A zeroed struct may be released. */
struct rill_correlator {
  struct rill_correlator_options options;
  size_t lags, functions;      /* functions: 1, or 2 */
  struct rill_block_sums sums; /* of [functions][lags], then the number of pairs [lags] */
  double *held;                /* [levels][values][components][points]: rings */
  double *pending;             /* [levels][components][points]: the first of two values that a level averages */
  uint64_t *count;             /* [levels]: values that the level has received */
};

enum rill_status rill_correlator_create(const struct rill_correlator_options *options,
                                        struct rill_correlator *correlator, struct rill_error *error);
void rill_correlator_release(struct rill_correlator *correlator);
/* sample: [components][points]. */
void rill_correlator_add(struct rill_correlator *correlator, const double *sample);
/* In units of the time between samples; they increase. */
double rill_correlator_lag(const struct rill_correlator *correlator, size_t index);
/* The number of lags up to that one that have pairs. */
size_t rill_correlator_known(const struct rill_correlator *correlator);
/* Correlation at a lag, from sums of the correlator's blocks. */
double rill_correlator_value(const struct rill_correlator *correlator, const double *sums, size_t function,
                             size_t index);
/* The number of levels of p values that reach a lag of this many samples. */
size_t rill_correlator_levels(size_t values, double samples);
void rill_correlator_archive(struct rill_correlator *correlator, struct rill_archive *archive);

#endif

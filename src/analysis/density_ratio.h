/* The slope of the logarithm of the ratio of two densities, ln(q(u) / p(u)) = a + slope u, from samples of each: by
 * maximum likelihood (logistic regression), without histograms; Shirts, J. Chem. Theory Comput. 9, 909 (2013).  For
 * energies in the canonical ensembles of two temperatures it is 1 / k T_p - 1 / k T_q. */
#ifndef RILL_ANALYSIS_DENSITY_RATIO_H
#define RILL_ANALYSIS_DENSITY_RATIO_H

#include <stddef.h>

struct rill_slope {
  double slope, error; /* standard error; both NaN when the samples do not overlap, or are too few */
};

/* Samples should be independent. */
struct rill_slope rill_density_ratio_slope(const double *p, size_t p_count, const double *q, size_t q_count);

#endif

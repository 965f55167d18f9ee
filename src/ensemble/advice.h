/* Temperatures for a ladder, from how often its neighbours would be exchanged. */
#ifndef RILL_ENSEMBLE_ADVICE_H
#define RILL_ENSEMBLE_ADVICE_H

#include <stddef.h>

#include "base/status.h"

/* Samples of the potential energy at one temperature, in groups of the same size that are as good as independent. */
struct rill_energy_samples {
  size_t groups, each;
  const double *energy; /* [groups][each], kJ/mol */
};

/* The mean probability of an exchange, and its standard error (NaN for one group). */
struct rill_expected_acceptance {
  double mean, error;
};

/* The mean of min(1, exp(difference (u - u'))) over all pairs of a sample u of `low` and u' of `high`, which have the
 * same groups; difference: 1 / k T - 1 / k T', above 0.  Errors by the jackknife, leaving out a group of both.
 * RILL_ERROR_MEMORY. */
enum rill_status rill_acceptance_expected(const struct rill_energy_samples *low,
                                          const struct rill_energy_samples *high, double difference,
                                          struct rill_expected_acceptance *acceptance, struct rill_error *error);

/* `count` temperatures, at least 2, over the same range, for the same acceptance of all pairs; returns that
 * acceptance.  acceptance: [rungs - 1], of the pairs of temperature[rungs].
 *
 * The rejections, summed from the lowest temperature up, are a function of temperature that hardly depends on the
 * ladder (Syed et al., J. R. Stat. Soc. B 84, 321 (2022)).  Its inverse is interpolated monotonically (Fritsch &
 * Butland, SIAM J. Sci. Stat. Comput. 5, 300 (1984)), and divided evenly.  rungs: 2 or more, RILL_RUNGS_ADVISED at
 * most. */
enum { RILL_RUNGS_ADVISED = 256 };
double rill_even_temperatures(size_t rungs, const double *temperature, const double *acceptance, size_t count,
                              double *even);

/* The least number of temperatures, 2 or more, for which rill_even_temperatures gives at least this acceptance. */
size_t rill_even_rungs(size_t rungs, const double *acceptance, double least);

#endif

#include "water/thermostat/rescale.h"

#include <math.h>

/* The sum of the squares of freedom - 1 normal numbers is twice a number of the law Gamma((freedom - 1)/2). */
double rill_rescaled_kinetic(const struct rill_noise *noise, uint64_t step, double kinetic, double mean,
                             double freedom, double decay) {
  const double share = mean / freedom * (1.0 - decay);
  double normal[4], others;
  rill_noise_normal(noise, step, 0, 0, normal);
  others = 2.0 * rill_noise_gamma(noise, step, 1, 0.5 * (freedom - 1.0));
  return decay * kinetic + share * (normal[0] * normal[0] + others) + 2.0 * normal[0] * sqrt(decay * kinetic * share);
}

#include "ensemble/rungs.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#include "base/random.h"

uint64_t rill_replica_seed(uint64_t seed, uint64_t replica) {
  const struct rill_noise noise = rill_noise_create(seed, RILL_STREAM_REPLICAS);
  uint32_t bits[4];
  rill_noise_bits(&noise, replica, 0, 0, bits);
  return ((uint64_t)bits[0] << 32 | bits[1]) >> 11;
}

double rill_harmonic_acceptance(double freedom, double ratio) {
  return 2 * gsl_sf_beta_inc(freedom / 2, freedom / 2, 1 / (1 + ratio));
}

size_t rill_harmonic_rungs(double freedom, double acceptance, double first, double last) {
  size_t rungs = 2;
  while (rill_harmonic_acceptance(freedom, pow(last / first, 1 / (double)(rungs - 1))) < acceptance) rungs++;
  return rungs;
}

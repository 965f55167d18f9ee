/* Noise: counter-based random numbers (Philox4x32-10, Salmon et al. 2011, through Random123).
 *
 * A number is a pure function of (seed, stream; step, molecule, use): there is no state to save, and the numbers are
 * the same for any number of threads and after a restart.  The key is one Philox evaluation of (seed, stream); the
 * counter holds the 64-bit step, the 32-bit molecule index and the use, so that numbers do not repeat after 2^32
 * steps. */
#ifndef RILL_BASE_RANDOM_H
#define RILL_BASE_RANDOM_H

#include <stdint.h>

/* Streams are independent for each purpose under the same seed. */
enum rill_stream {
  RILL_STREAM_VELOCITIES = 1,
  RILL_STREAM_THERMOSTAT = 2,
  RILL_STREAM_BUILD = 3,
  RILL_STREAM_TRIALS = 4,
  RILL_STREAM_REPLICAS = 5,
  RILL_STREAM_EXCHANGE = 6,
  RILL_STREAM_BAROSTAT = 7,
  RILL_STREAM_RESCALE = 8,
  RILL_STREAM_TEST = 9
};

struct rill_noise {
  uint32_t key[2];
};

struct rill_noise rill_noise_create(uint64_t seed, uint64_t stream);

/* Four independent 32-bit words for (step, molecule, use). */
void rill_noise_bits(const struct rill_noise *noise, uint64_t step, uint32_t molecule, uint32_t use,
                     uint32_t bits[4]);

/* Uniform numbers strictly inside (0, 1): (bits + 1/2) 2^-32. */
void rill_noise_uniform(const struct rill_noise *noise, uint64_t step, uint32_t molecule, uint32_t use, double u[4]);

/* Four independent standard normal numbers: Box-Muller on the pairs (0, 1) and (2, 3) of the uniform ones. */
void rill_noise_normal(const struct rill_noise *noise, uint64_t step, uint32_t molecule, uint32_t use, double z[4]);

/* A number of the law Gamma(shape), shape >= 1, whose mean is shape, for (step, use); it also takes the numbers of
 * (step, use + 1).  Marsaglia & Tsang, ACM Trans. Math. Softw. 26, 363 (2000). */
double rill_noise_gamma(const struct rill_noise *noise, uint64_t step, uint32_t use, double shape);

#endif

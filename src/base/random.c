#include "base/random.h"

#include <Random123/philox.h>
#include <math.h>

static const double two_pi = 6.283185307179586476925286766559;

struct rill_noise rill_noise_create(uint64_t seed, uint64_t stream) {
  philox4x32_ctr_t counter = {{(uint32_t)seed, (uint32_t)(seed >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)}};
  philox4x32_key_t key = {{0x72696c6cU, 0x6e6f6973U}}; /* an arbitrary fixed pair: "rill", "nois" */
  philox4x32_ctr_t mixed = philox4x32(counter, key);
  struct rill_noise noise = {{mixed.v[0], mixed.v[1]}};
  return noise;
}

void rill_noise_bits(const struct rill_noise *noise, uint64_t step, uint32_t molecule, uint32_t use,
                     uint32_t bits[4]) {
  philox4x32_ctr_t counter = {{(uint32_t)step, (uint32_t)(step >> 32), molecule, use}};
  philox4x32_key_t key = {{noise->key[0], noise->key[1]}};
  philox4x32_ctr_t out = philox4x32(counter, key);
  for (int i = 0; i < 4; i++) bits[i] = out.v[i];
}

void rill_noise_uniform(const struct rill_noise *noise, uint64_t step, uint32_t molecule, uint32_t use, double u[4]) {
  uint32_t bits[4];
  rill_noise_bits(noise, step, molecule, use, bits);
  for (int i = 0; i < 4; i++) u[i] = ((double)bits[i] + 0.5) * 0x1p-32;
}

void rill_noise_normal(const struct rill_noise *noise, uint64_t step, uint32_t molecule, uint32_t use, double z[4]) {
  double u[4];
  rill_noise_uniform(noise, step, molecule, use, u);
  for (int pair = 0; pair < 4; pair += 2) {
    double radius = sqrt(-2.0 * log(u[pair])), angle = two_pi * u[pair + 1];
    z[pair] = radius * cos(angle);
    z[pair + 1] = radius * sin(angle);
  }
}

double rill_noise_gamma(const struct rill_noise *noise, uint64_t step, uint32_t use, double shape) {
  const double d = shape - 1.0 / 3.0, c = 1.0 / sqrt(9.0 * d);
  for (uint32_t attempt = 0;; attempt++) { /* some 98 in 100 are accepted */
    double z[4], u[4], root, cube;
    rill_noise_normal(noise, step, attempt, use, z);
    rill_noise_uniform(noise, step, attempt, use + 1, u);
    root = 1.0 + c * z[0];
    cube = root * root * root;
    if (root > 0.0 && log(u[0]) < 0.5 * z[0] * z[0] + d * (1.0 - cube + log(cube))) return d * cube;
  }
}

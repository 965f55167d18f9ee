/* Vector noise: the normal numbers of base/random.h for RILL_WIDTH lanes at once (Philox4x32-10,
 * Box-Muller), each with its own key and molecule. */
#ifndef RILL_WATER_THERMOSTAT_NOISE_BODY_H
#define RILL_WATER_THERMOSTAT_NOISE_BODY_H

#include "base/random.h"
#include "base/simd/math.h"

struct noise_key {
  vint word[2];
};

static inline struct noise_key noise_key(const struct rill_noise *noise) {
  return (struct noise_key){{v_int(noise->key[0]), v_int(noise->key[1])}};
}

/* Philox4x32-10 (Salmon et al. 2011): lanes hold 32-bit words in 64-bit containers; the high halves may be garbage,
 * which v_mul32 and v_real_of_u32 ignore. */
static inline void noise_philox(struct noise_key key, uint64_t step, vint molecule, uint32_t use, vint c[4]) {
  const vint m0 = v_int(0xD2511F53U), m1 = v_int(0xCD9E8D57U);
  c[0] = v_int((uint32_t)step);
  c[1] = v_int(step >> 32);
  c[2] = molecule;
  c[3] = v_int(use);
  for (uint32_t round = 0; round < 10; round++) {
    vint p0 = v_mul32(m0, c[0]), p1 = v_mul32(m1, c[2]);
    vint c1 = c[1], c3 = c[3];
    c[0] = (p1 >> 32) ^ c1 ^ (key.word[0] + v_int(round * 0x9E3779B9U));
    c[1] = p1;
    c[2] = (p0 >> 32) ^ c3 ^ (key.word[1] + v_int(round * 0xBB67AE85U));
    c[3] = p0;
  }
}

static inline vreal noise_uniform(vint word) { return (v_real_of_u32(word) + v_set(0.5)) * v_set(0x1p-32); }

static inline void noise_box_muller(vint a, vint b, vreal *z0, vreal *z1) {
  vreal radius = v_sqrt(v_set(-2.0) * v_log(noise_uniform(a))), sine, cosine;
  v_sincos_turn(noise_uniform(b), &sine, &cosine);
  *z0 = radius * cosine;
  *z1 = radius * sine;
}

/* Normal numbers for each lane's key and molecule: six, from words 4 use and 4 use + 1; nine, also from 4 use + 2. */
static inline void noise_six(struct noise_key key, uint64_t step, vint molecule, uint32_t use, vreal z[6]) {
  vint c[2][4];
  for (uint32_t block = 0; block < 2; block++) noise_philox(key, step, molecule, 4 * use + block, c[block]);
  noise_box_muller(c[0][0], c[0][1], &z[0], &z[1]);
  noise_box_muller(c[0][2], c[0][3], &z[2], &z[3]);
  noise_box_muller(c[1][0], c[1][1], &z[4], &z[5]);
}

static inline void noise_nine(struct noise_key key, uint64_t step, vint molecule, uint32_t use, vreal z[9]) {
  vint c[3][4];
  vreal unused;
  for (uint32_t block = 0; block < 3; block++) noise_philox(key, step, molecule, 4 * use + block, c[block]);
  noise_box_muller(c[0][0], c[0][1], &z[0], &z[1]);
  noise_box_muller(c[0][2], c[0][3], &z[2], &z[3]);
  noise_box_muller(c[1][0], c[1][1], &z[4], &z[5]);
  noise_box_muller(c[1][2], c[1][3], &z[6], &z[7]);
  noise_box_muller(c[2][0], c[2][1], &z[8], &unused);
}

#endif

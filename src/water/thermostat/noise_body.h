/* Vector noise: the normal numbers of base/random.h for RILL_WIDTH lanes at once (Philox4x32-10,
 * Box-Muller), each with its own key and molecule. */
#ifndef RILL_WATER_THERMOSTAT_NOISE_BODY_H
#define RILL_WATER_THERMOSTAT_NOISE_BODY_H

#include <stdbool.h>

#include "base/random.h"
#include "base/simd/math.h"

struct noise_key {
  vint word[2];
};

static inline struct noise_key noise_key(const struct rill_noise *noise) {
  return (struct noise_key){{v_int(noise->key[0]), v_int(noise->key[1])}};
}

/* The numbers of the molecules in the columns from m on; NULL: those of the columns. */
static inline vint noise_molecules(const uint64_t *number, size_t m) {
  return number != NULL ? v_load_int(number + m) : v_iota(m);
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

/* In single precision: two pairs of words at once.  A uniform number is the upper 31 bits of its word, made odd,
 * times 2^-31, then rounded to 24 bits; it is never 0, so the normal numbers reach 6.5, and as often as they should.
 */
static inline void noise_box_muller_single(const vint a[2], const vint b[2], vreal z0[2], vreal z1[2]) {
  const vfloat u = vf_of_int((vi_narrow(a) >> 1) | vi_set(1)) * vf_set(0x1p-31f);
  const vfloat radius = vf_sqrt(vf_set(-2.0f) * vf_log(u));
  vfloat sine, cosine;
  vf_sincos_turn(vf_of_int(vi_narrow(b)) * vf_set(0x1p-32f), &sine, &cosine);
  vf_widen(radius * cosine, z0);
  vf_widen(radius * sine, z1);
}

/* Normal numbers z[4 k] ... z[4 k + 3] from the four words of a block. */
static inline void noise_block(const vint c[4], bool single, vreal z[4]) {
  if (single) {
    vreal z0[2], z1[2];
    noise_box_muller_single((const vint[2]){c[0], c[2]}, (const vint[2]){c[1], c[3]}, z0, z1);
    z[0] = z0[0], z[1] = z1[0], z[2] = z0[1], z[3] = z1[1];
  } else {
    noise_box_muller(c[0], c[1], &z[0], &z[1]);
    noise_box_muller(c[2], c[3], &z[2], &z[3]);
  }
}

/* Normal numbers for each lane's key and molecule: six, from words 4 use and 4 use + 1; nine, also from 4 use + 2. */
static inline void noise_six(struct noise_key key, uint64_t step, vint molecule, uint32_t use, bool single,
                             vreal z[6]) {
  vint c[2][4];
  vreal more[4];
  for (uint32_t block = 0; block < 2; block++) noise_philox(key, step, molecule, 4 * use + block, c[block]);
  noise_block(c[0], single, z);
  noise_block(c[1], single, more);
  z[4] = more[0], z[5] = more[1];
}

static inline void noise_nine(struct noise_key key, uint64_t step, vint molecule, uint32_t use, bool single,
                              vreal z[9]) {
  vint c[3][4];
  vreal more[4];
  for (uint32_t block = 0; block < 3; block++) noise_philox(key, step, molecule, 4 * use + block, c[block]);
  noise_block(c[0], single, z);
  noise_block(c[1], single, z + 4);
  noise_block(c[2], single, more);
  z[8] = more[0];
}

#endif

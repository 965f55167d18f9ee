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

enum { NOISE_BLOCKS = 3 }; /* of four words, for nine normal numbers */

/* Philox4x32-10 (Salmon et al. 2011) for `blocks` blocks from 4 use on: lanes hold 32-bit words in 64-bit containers;
 * the high halves may be garbage, which v_mul32 and v_real_of_u32 ignore. */
SPECIALISED void noise_philox(struct noise_key key, uint64_t step, vint molecule, uint32_t use, const int blocks,
                              vint c[NOISE_BLOCKS][4]) {
  const vint m0 = v_int(0xD2511F53U), m1 = v_int(0xCD9E8D57U);
  for (int b = 0; b < blocks; b++) {
    c[b][0] = v_int((uint32_t)step);
    c[b][1] = v_int(step >> 32);
    c[b][2] = molecule;
    c[b][3] = v_int(4 * use + (uint32_t)b);
  }
  for (uint32_t round = 0; round < 10; round++) {
    const vint first = key.word[0] + v_int(round * 0x9E3779B9U), second = key.word[1] + v_int(round * 0xBB67AE85U);
    for (int b = 0; b < blocks; b++) {
      const vint p0 = v_mul32(m0, c[b][0]), p1 = v_mul32(m1, c[b][2]);
      c[b][0] = (p1 >> 32) ^ c[b][1] ^ first;
      c[b][1] = p1;
      c[b][2] = (p0 >> 32) ^ c[b][3] ^ second;
      c[b][3] = p0;
    }
  }
}

/* 2^32 times a uniform number: the word plus 1/2, both exact. */
static inline vreal noise_uniform(vint word) {
  return v_real_of_bits((word & v_int(0xffffffffU)) | v_int(0x4330000000000000U)) - v_set(0x1p52 - 0.5);
}

/* Box-Muller: z[2 k] and z[2 k + 1] from the words 2 k and 2 k + 1 of the blocks, for `pairs` of them. */
SPECIALISED void noise_box_muller(const int pairs, const vint c[NOISE_BLOCKS][4], vreal z[]) {
  vreal radius[RILL_MATH_MOST], quarters[RILL_MATH_MOST], sine[RILL_MATH_MOST], cosine[RILL_MATH_MOST];
  for (int k = 0; k < pairs; k++) {
    radius[k] = noise_uniform(c[k / 2][k % 2 * 2]);
    quarters[k] = noise_uniform(c[k / 2][k % 2 * 2 + 1]) * v_set(0x1p-30);
  }
  v_minus_two_log(pairs, 32, radius);
  for (int k = 0; k < pairs; k++) radius[k] = v_sqrt(radius[k]);
  v_sincos_quarters(pairs, quarters, sine, cosine);
  for (int k = 0; k < pairs; k++) {
    z[2 * k] = radius[k] * cosine[k];
    z[2 * k + 1] = radius[k] * sine[k];
  }
}

/* The same in single precision, for whole blocks, of which a vector has both pairs.  A uniform number is the upper 31
 * bits of its word, made odd, times 2^-31, then rounded to 24 bits; it is never 0, so the normal numbers reach 6.5,
 * and as often as they should. */
SPECIALISED void noise_box_muller_single(const int blocks, const vint c[NOISE_BLOCKS][4], vreal z[]) {
  vfloat radius[RILL_MATH_MOST], quarters[RILL_MATH_MOST], sine[RILL_MATH_MOST], cosine[RILL_MATH_MOST];
  for (int b = 0; b < blocks; b++) {
    const vint words[2][2] = {{c[b][0], c[b][2]}, {c[b][1], c[b][3]}};
    radius[b] = vf_of_int((vi_narrow(words[0]) >> 1) | vi_set(1));
    quarters[b] = vf_of_int(vi_narrow(words[1])) * vf_set(0x1p-30f);
  }
  vf_minus_two_log(blocks, 31, radius);
  for (int b = 0; b < blocks; b++) radius[b] = vf_sqrt(radius[b]);
  vf_sincos_quarters(blocks, quarters, sine, cosine);
  for (int b = 0; b < blocks; b++) {
    vreal first[2], second[2];
    vf_widen(radius[b] * cosine[b], first);
    vf_widen(radius[b] * sine[b], second);
    for (int k = 0; k < 2; k++) {
      z[4 * b + 2 * k] = first[k];
      z[4 * b + 2 * k + 1] = second[k];
    }
  }
}

/* Normal numbers for each lane's key and molecule: six, from words 4 use and 4 use + 1; nine, also from 4 use + 2.
 * What is computed beyond them is any number. */
enum { NOISE_ROOM = 4 * NOISE_BLOCKS };
static inline void noise_six(struct noise_key key, uint64_t step, vint molecule, uint32_t use, bool single,
                             vreal z[NOISE_ROOM]) {
  vint c[NOISE_BLOCKS][4];
  noise_philox(key, step, molecule, use, 2, c);
  if (single) noise_box_muller_single(2, c, z);
  else noise_box_muller(3, c, z);
}

static inline void noise_nine(struct noise_key key, uint64_t step, vint molecule, uint32_t use, bool single,
                              vreal z[NOISE_ROOM]) {
  vint c[NOISE_BLOCKS][4];
  noise_philox(key, step, molecule, use, 3, c);
  if (single) noise_box_muller_single(3, c, z);
  else noise_box_muller(5, c, z);
}

#endif

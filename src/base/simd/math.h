/* Elementary functions in the vector vocabulary, for the noise: accurate to about 1e-15 for the arguments that occur
 * there, in single precision (vf_) to about 1e-7.
 *
 * Each takes `count` vectors, a constant where it is called, and makes every operation for all of them before the
 * next: operations of one vector wait for each other, and a processor looks only so far ahead. */
#ifndef RILL_BASE_SIMD_MATH_H
#define RILL_BASE_SIMD_MATH_H

#include "base/simd/simd.h"
#include "base/simd/specialised.h"

enum { RILL_MATH_MOST = 5 }; /* vectors */

/* p = p x + c */
SPECIALISED void v_horner(const int count, const vreal x[], double c, vreal p[]) {
  for (int k = 0; k < count; k++) p[k] = v_fma(p[k], x[k], v_set(c));
}
SPECIALISED void vf_horner(const int count, const vfloat x[], float c, vfloat p[]) {
  for (int k = 0; k < count; k++) p[k] = vf_fma(p[k], x[k], vf_set(c));
}

/* x becomes -2 log(2^-scale x), of normal positive numbers.  x = 2^e m with m in [sqrt(1/2), sqrt(2)); log m =
 * 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172: ten terms of the series.  The exponent is found without a
 * comparison: `from` is sqrt(1/2), to the nearest above. */
SPECIALISED void v_minus_two_log(const int count, const int scale, vreal x[]) {
  const vreal one = v_set(1.0);
  const vint from = v_int(0x3fe6a09e667f3bceU);
  vreal e[RILL_MATH_MOST], s[RILL_MATH_MOST], s2[RILL_MATH_MOST], p[RILL_MATH_MOST];
  for (int k = 0; k < count; k++) {
    const vint bits = v_bits(x[k]) - from,
               raised = v_bits(x[k]) + v_int(((uint64_t)1024 << 52) - 0x3fe6a09e667f3bceU);
    const vreal m = v_real_of_bits((bits & v_int(0x000fffffffffffffU)) + from);
    e[k] = v_real_of_bits(raised >> 52 | v_int(0x4330000000000000U)) - v_set(0x1p52 + 1024.0 + scale);
    s[k] = (m - one) / (m + one);
  }
  for (int k = 0; k < count; k++) {
    s2[k] = s[k] * s[k];
    p[k] = v_set(-4.0 / 19);
  }
#pragma GCC unroll 10
  for (int n = 17; n >= 1; n -= 2) v_horner(count, s2, -4.0 / n, p);
  for (int k = 0; k < count; k++) x[k] = v_fma(e[k], v_set(-2.0 * 0.693147180559945309417), s[k] * p[k]);
}

/* Sine and cosine of t quarter turns, |t| < 2^32: whole ones are removed exactly, and series give the rest (at most
 * pi/4). */
SPECIALISED void v_sincos_quarters(const int count, const vreal t[], vreal sine[], vreal cosine[]) {
  const vreal magic = v_set(0x1.8p52);
  vint quarter[RILL_MATH_MOST];
  vreal r[RILL_MATH_MOST], r2[RILL_MATH_MOST], s[RILL_MATH_MOST], c[RILL_MATH_MOST];
  for (int k = 0; k < count; k++) {
    const vreal shifted = t[k] + magic;
    quarter[k] = v_bits(shifted);
    r[k] = (t[k] - (shifted - magic)) * v_set(1.57079632679489661923);
    r2[k] = r[k] * r[k];
    s[k] = v_set(-1.0 / 1307674368000.0);
    c[k] = v_set(1.0 / 20922789888000.0);
  }
  v_horner(count, r2, 1.0 / 6227020800.0, s);
  v_horner(count, r2, -1.0 / 87178291200.0, c);
  v_horner(count, r2, -1.0 / 39916800.0, s);
  v_horner(count, r2, 1.0 / 479001600.0, c);
  v_horner(count, r2, 1.0 / 362880.0, s);
  v_horner(count, r2, -1.0 / 3628800.0, c);
  v_horner(count, r2, -1.0 / 5040.0, s);
  v_horner(count, r2, 1.0 / 40320.0, c);
  v_horner(count, r2, 1.0 / 120.0, s);
  v_horner(count, r2, -1.0 / 720.0, c);
  v_horner(count, r2, -1.0 / 6.0, s);
  v_horner(count, r2, 1.0 / 24.0, c);
  v_horner(count, r2, -0.5, c);
  v_horner(count, r2, 1.0, c);
  for (int k = 0; k < count; k++) {
    const vint swap = v_int(0) - (quarter[k] & v_int(1));
    vint a, b;
    s[k] = v_fma(s[k] * r2[k], r[k], r[k]);
    a = (v_bits(c[k]) & swap) | (v_bits(s[k]) & ~swap);
    b = (v_bits(s[k]) & swap) | (v_bits(c[k]) & ~swap);
    sine[k] = v_real_of_bits(a ^ ((quarter[k] & v_int(2)) << 62));
    cosine[k] = v_real_of_bits(b ^ (((quarter[k] + v_int(1)) & v_int(2)) << 62));
  }
}

/* As v_minus_two_log: five terms. */
SPECIALISED void vf_minus_two_log(const int count, const int scale, vfloat x[]) {
  const vfloat one = vf_set(1.0f);
  const vint32 from = vi_set(0x3f3504f3); /* sqrt(1/2) */
  vfloat e[RILL_MATH_MOST], s[RILL_MATH_MOST], s2[RILL_MATH_MOST], p[RILL_MATH_MOST];
  for (int k = 0; k < count; k++) {
    const vint32 bits = vf_bits(x[k]) - from;
    const vfloat m = vf_of_bits((bits & vi_set(0x7fffff)) + from);
    e[k] = vf_of_int((bits + vi_set(0x3f800000)) >> 23) - vf_set(127.0f + (float)scale);
    s[k] = (m - one) / (m + one);
    s2[k] = s[k] * s[k];
    p[k] = vf_set(-4.0f / 9);
  }
  vf_horner(count, s2, -4.0f / 7, p);
  vf_horner(count, s2, -4.0f / 5, p);
  vf_horner(count, s2, -4.0f / 3, p);
  vf_horner(count, s2, -4.0f, p);
  for (int k = 0; k < count; k++) x[k] = vf_fma(e[k], vf_set(-2.0f * 0.69314718056f), s[k] * p[k]);
}

/* As v_sincos_quarters: |t| < 2^23. */
SPECIALISED void vf_sincos_quarters(const int count, const vfloat t[], vfloat sine[], vfloat cosine[]) {
  const vint32 one = vi_set(1), two = vi_set(2);
  vint32 quarter[RILL_MATH_MOST];
  vfloat r[RILL_MATH_MOST], r2[RILL_MATH_MOST], s[RILL_MATH_MOST], c[RILL_MATH_MOST];
  for (int k = 0; k < count; k++) {
    quarter[k] = vf_to_int(t[k]);
    r[k] = (t[k] - vf_of_int(quarter[k])) * vf_set(1.57079632679f);
    r2[k] = r[k] * r[k];
    s[k] = vf_set(1.0f / 362880.0f);
    c[k] = vf_set(1.0f / 40320.0f);
  }
  vf_horner(count, r2, -1.0f / 5040.0f, s);
  vf_horner(count, r2, -1.0f / 720.0f, c);
  vf_horner(count, r2, 1.0f / 120.0f, s);
  vf_horner(count, r2, 1.0f / 24.0f, c);
  vf_horner(count, r2, -1.0f / 6.0f, s);
  vf_horner(count, r2, -0.5f, c);
  vf_horner(count, r2, 1.0f, c);
  for (int k = 0; k < count; k++) {
    const vint32 swap = vi_set(0) - (quarter[k] & one);
    vint32 a, b;
    s[k] = vf_fma(s[k] * r2[k], r[k], r[k]);
    a = (vf_bits(c[k]) & swap) | (vf_bits(s[k]) & ~swap);
    b = (vf_bits(s[k]) & swap) | (vf_bits(c[k]) & ~swap);
    sine[k] = vf_of_bits(a ^ ((quarter[k] & two) << 30));
    cosine[k] = vf_of_bits(b ^ (((quarter[k] + one) & two) << 30));
  }
}

#endif

/* Elementary functions in the vector vocabulary, for the noise: accurate to about 1e-15 for the arguments that occur
 * there, in single precision (vf_) to about 1e-7. */
#ifndef RILL_BASE_SIMD_MATH_H
#define RILL_BASE_SIMD_MATH_H

#include "base/simd/simd.h"

/* Natural logarithm of normal positive numbers.  x = 2^e m with m in [sqrt(1/2), sqrt(2)); log m = 2 artanh(s),
 * s = (m - 1) / (m + 1), |s| < 0.172: ten terms of the series. */
static inline vreal v_log(vreal x) {
  const vreal one = v_set(1.0);
  vint bits = v_bits(x);
  vreal e = v_real_of_u32(bits >> 52) - v_set(1023.0);
  vreal m = v_real_of_bits((bits & v_int(0x000fffffffffffffU)) | v_int(0x3ff0000000000000U));
  vmask large = v_less(v_set(1.4142135623730951), m);
  vreal s, s2, p;
  m = v_select(large, m * v_set(0.5), m);
  e = v_select(large, e + one, e);
  s = (m - one) / (m + one);
  s2 = s * s;
  p = v_set(1.0 / 19);
  for (int k = 17; k >= 1; k -= 2) p = v_fma(p, s2, v_set(1.0 / k));
  return v_fma(e, v_set(0.693147180559945309417), v_set(2.0) * s * p);
}

/* Sine and cosine of 2 pi u, |u| < 2^30: quarter turns are removed exactly, and series give the rest (at most
 * pi/4). */
static inline void v_sincos_turn(vreal u, vreal *sine, vreal *cosine) {
  const vreal magic = v_set(0x1.8p52);
  vreal t = v_set(4.0) * u, shifted = t + magic;
  vint quarter = v_bits(shifted);
  vreal r = (t - (shifted - magic)) * v_set(1.57079632679489661923), r2 = r * r;
  vreal s = v_set(-1.0 / 1307674368000.0), c = v_set(1.0 / 20922789888000.0);
  vint swap, a, b;
  s = v_fma(s, r2, v_set(1.0 / 6227020800.0));
  s = v_fma(s, r2, v_set(-1.0 / 39916800.0));
  s = v_fma(s, r2, v_set(1.0 / 362880.0));
  s = v_fma(s, r2, v_set(-1.0 / 5040.0));
  s = v_fma(s, r2, v_set(1.0 / 120.0));
  s = v_fma(s, r2, v_set(-1.0 / 6.0));
  s = v_fma(s * r2, r, r);
  c = v_fma(c, r2, v_set(-1.0 / 87178291200.0));
  c = v_fma(c, r2, v_set(1.0 / 479001600.0));
  c = v_fma(c, r2, v_set(-1.0 / 3628800.0));
  c = v_fma(c, r2, v_set(1.0 / 40320.0));
  c = v_fma(c, r2, v_set(-1.0 / 720.0));
  c = v_fma(c, r2, v_set(1.0 / 24.0));
  c = v_fma(c, r2, v_set(-0.5));
  c = v_fma(c, r2, v_set(1.0));
  swap = v_int(0) - (quarter & v_int(1));
  a = (v_bits(c) & swap) | (v_bits(s) & ~swap);
  b = (v_bits(s) & swap) | (v_bits(c) & ~swap);
  *sine = v_real_of_bits(a ^ ((quarter & v_int(2)) << 62));
  *cosine = v_real_of_bits(b ^ (((quarter + v_int(1)) & v_int(2)) << 62));
}

/* As v_log: five terms.  The exponent of m is found without a comparison: 0x3f3504f3 is sqrt(1/2). */
static inline vfloat vf_log(vfloat x) {
  const vfloat one = vf_set(1.0f);
  const vint32 from = vi_set(0x3f3504f3), bits = vf_bits(x) - from + vi_set(0x3f800000);
  const vfloat e = vf_of_int(bits >> 23) - vf_set(127.0f);
  const vfloat m = vf_of_bits((bits & vi_set(0x7fffff)) + from);
  const vfloat s = (m - one) / (m + one), s2 = s * s;
  vfloat p = vf_set(1.0f / 9);
  p = vf_fma(p, s2, vf_set(1.0f / 7));
  p = vf_fma(p, s2, vf_set(1.0f / 5));
  p = vf_fma(p, s2, vf_set(1.0f / 3));
  p = vf_fma(p, s2, one);
  return vf_fma(e, vf_set(0.69314718056f), vf_set(2.0f) * s * p);
}

/* As v_sincos_turn: of 2 pi u, |u| < 2^21. */
static inline void vf_sincos_turn(vfloat u, vfloat *sine, vfloat *cosine) {
  const vfloat t = vf_set(4.0f) * u;
  const vint32 quarter = vf_to_int(t), one = vi_set(1), two = vi_set(2);
  const vint32 swap = vi_set(0) - (quarter & one);
  const vfloat r = (t - vf_of_int(quarter)) * vf_set(1.57079632679f), r2 = r * r;
  vfloat s = vf_set(1.0f / 362880.0f), c = vf_set(1.0f / 40320.0f);
  s = vf_fma(s, r2, vf_set(-1.0f / 5040.0f));
  s = vf_fma(s, r2, vf_set(1.0f / 120.0f));
  s = vf_fma(s, r2, vf_set(-1.0f / 6.0f));
  s = vf_fma(s * r2, r, r);
  c = vf_fma(c, r2, vf_set(-1.0f / 720.0f));
  c = vf_fma(c, r2, vf_set(1.0f / 24.0f));
  c = vf_fma(c, r2, vf_set(-0.5f));
  c = vf_fma(c, r2, vf_set(1.0f));
  *sine = vf_of_bits(((vf_bits(c) & swap) | (vf_bits(s) & ~swap)) ^ ((quarter & two) << 30));
  *cosine = vf_of_bits(((vf_bits(s) & swap) | (vf_bits(c) & ~swap)) ^ (((quarter + one) & two) << 30));
}

#endif

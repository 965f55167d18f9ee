/* The vocabulary in the generic vectors of the compiler, for any processor. */
#include <math.h>

#include "base/simd/vectors128.h"

/* 1/sqrt is computed, not estimated. */
#define RILL_ESTIMATE_ERROR 0.0
enum { RILL_ESTIMATE_TERMS = 0 };
#define RILL_FLOAT_ESTIMATE_ERROR 0.0
enum { RILL_FLOAT_ESTIMATE_TERMS = 0 };

static inline vreal v_keep(vreal a) { return a; }
static inline vreal v_fma(vreal a, vreal b, vreal c) { return a * b + c; }
static inline vreal v_fnma(vreal a, vreal b, vreal c) { return c - a * b; }
static inline vreal v_sqrt(vreal a) { return (vreal){sqrt(a[0]), sqrt(a[1])}; }
static inline vreal v_rsqrt(vreal a) { return v_set(1.0) / v_sqrt(a); }
static inline vreal v_root(vreal a) { return v_sqrt(a); }
static inline vreal v_reciprocal(vreal a) { return v_set(1.0) / a; }
static inline vreal v_rsqrt_estimate(vreal a) { return v_rsqrt(a); }
static inline vint v_mul32(vint a, vint b) {
  const vint low = v_int(0xffffffffU);
  return (a & low) * (b & low);
}

static inline vfloat vf_keep(vfloat a) { return a; }
static inline vfloat vf_fma(vfloat a, vfloat b, vfloat c) { return a * b + c; }
static inline vfloat vf_fnma(vfloat a, vfloat b, vfloat c) { return c - a * b; }
static inline vfloat vf_min(vfloat a, vfloat b) {
  const vint32 m = (vint32)(a < b);
  return vf_of_bits((m & vf_bits(a)) | (~m & vf_bits(b)));
}
static inline vfloat vf_max(vfloat a, vfloat b) {
  const vint32 m = (vint32)(b < a);
  return vf_of_bits((m & vf_bits(a)) | (~m & vf_bits(b)));
}
static inline vfloat vf_sqrt(vfloat a) { return (vfloat){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])}; }
static inline vfloat vf_rsqrt_estimate(vfloat a) { return vf_set(1.0f) / vf_sqrt(a); }
static inline unsigned vf_mask_bits(vfmask m) {
#ifdef __SSE__
  return (unsigned)__builtin_ia32_movmskps((vfloat)m);
#else
  unsigned bits = 0;
  for (unsigned k = 0; k < 4; k++) bits |= (unsigned)(m[k] & 1) << k;
  return bits;
#endif
}
/* Rounds to nearest, halves away from zero; undefined beyond the range of integers. */
static inline vint32 vf_to_int(vfloat a) {
  const vint32 sign = vf_bits(a) & vi_set(INT32_MIN);
  const vfloat half = vf_of_bits(sign | vf_bits(vf_set(0.5f)));
  return (vint32) __builtin_convertvector(a + half, vfmask);
}

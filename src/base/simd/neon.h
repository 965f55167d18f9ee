/* The vocabulary for Advanced SIMD of AArch64 (NEON), which all its processors have. */
#include <arm_neon.h>

#include "base/simd/vectors128.h"
#if !defined __aarch64__
#error "compile this file for AArch64"
#endif

/* The instruction's estimate has a relative error below 2^-8, of which a step of Newton's method leaves 3/2 of the
 * square. */
#define RILL_ESTIMATE_ERROR 0x1p-15
enum { RILL_ESTIMATE_TERMS = 3 };
#define RILL_FLOAT_ESTIMATE_ERROR 0x1p-15
enum { RILL_FLOAT_ESTIMATE_TERMS = 1 };

static inline vreal v_keep(vreal a) {
  __asm__("" : "+w"(a));
  return a;
}
static inline vreal v_fma(vreal a, vreal b, vreal c) { return vfmaq_f64(c, a, b); }
static inline vreal v_fnma(vreal a, vreal b, vreal c) { return vfmsq_f64(c, a, b); }
static inline vreal v_sqrt(vreal a) { return vsqrtq_f64(a); }
static inline vreal v_root(vreal a) { return v_sqrt(a); }
static inline vreal v_reciprocal(vreal a) { return v_set(1.0) / a; }
/* vrsqrtsq(a, b) is (3 - a b) / 2. */
static inline vreal v_rsqrt_estimate(vreal a) {
  const vreal y = vrsqrteq_f64(a);
  return y * vrsqrtsq_f64(a * y, y);
}
/* The estimate and one correction in e = 1 - a y2: (1 - e)^(-1/2) = 1 + e/2 + 3/8 e2 + 5/16 e3. */
static inline vreal v_rsqrt(vreal a) {
  const vreal y = v_rsqrt_estimate(a), e = v_fnma(a * y, y, v_set(1.0));
  return v_fma(y * e, v_fma(v_fma(v_set(0.3125), e, v_set(0.375)), e, v_set(0.5)), y);
}
static inline vint v_mul32(vint a, vint b) { return vmull_u32(vmovn_u64(a), vmovn_u64(b)); }

static inline vfloat vf_keep(vfloat a) {
  __asm__("" : "+w"(a));
  return a;
}
static inline vfloat vf_fma(vfloat a, vfloat b, vfloat c) { return vfmaq_f32(c, a, b); }
static inline vfloat vf_fnma(vfloat a, vfloat b, vfloat c) { return vfmsq_f32(c, a, b); }
static inline vfloat vf_sqrt(vfloat a) { return vsqrtq_f32(a); }
static inline vfloat vf_rsqrt_estimate(vfloat a) {
  const vfloat y = vrsqrteq_f32(a);
  return y * vrsqrtsq_f32(a * y, y);
}
/* These return the second operand where either is not a number, as other sets do. */
static inline vfloat vf_min(vfloat a, vfloat b) { return vbslq_f32((uint32x4_t)(a < b), a, b); }
static inline vfloat vf_max(vfloat a, vfloat b) { return vbslq_f32((uint32x4_t)(b < a), a, b); }
static inline unsigned vf_mask_bits(vfmask m) {
  const uint32x4_t bit = {1, 2, 4, 8};
  return vaddvq_u32((uint32x4_t)m & bit);
}
static inline vint32 vf_to_int(vfloat a) { return (vint32)vcvtnq_s32_f32(a); }

/* The vocabulary for AVX2 with FMA. */
#include <immintrin.h>
#if !defined __AVX2__ || !defined __FMA__
#error "compile this file with -mavx2 -mfma"
#endif

enum { RILL_WIDTH = 4 };
typedef __m256d vreal;
typedef uint64_t vint __attribute__((vector_size(32)));
typedef __m256d vmask;
/* 1.5 x 2^-12 for single precision arguments, and half of 2^-23 for cutting the argument. */
#define RILL_ESTIMATE_ERROR (1.5 * 0x1p-12 + 0x1p-24)
enum { RILL_ESTIMATE_TERMS = 4 };

static inline vreal v_load(const double *p) { return _mm256_load_pd(p); }
static inline vreal v_loadu(const double *p) { return _mm256_loadu_pd(p); }
static inline void v_store(double *p, vreal a) { _mm256_store_pd(p, a); }
static inline void v_storeu(double *p, vreal a) { _mm256_storeu_pd(p, a); }
static inline vint v_load_int(const uint64_t *p) { return (vint)_mm256_load_si256((const __m256i *)p); }
/* By halves: 2 lane and 2 lane + 1. */
static inline vreal v_permute(vreal a, vint lane) {
  const vint one = {1, 1, 1, 1}, halves = (lane << 1) + (lane << 33) + (one << 32);
  return (vreal)_mm256_permutevar8x32_epi32((__m256i)a, (__m256i)halves);
}
static inline vreal v_keep(vreal a) {
  __asm__("" : "+x"(a));
  return a;
}
static inline vreal v_set(double s) { return _mm256_set1_pd(s); }
static inline vreal v_fma(vreal a, vreal b, vreal c) { return _mm256_fmadd_pd(a, b, c); }
static inline vreal v_fnma(vreal a, vreal b, vreal c) { return _mm256_fnmadd_pd(a, b, c); }
static inline vreal v_sqrt(vreal a) { return _mm256_sqrt_pd(a); }
static inline vreal v_rsqrt(vreal a) { return _mm256_div_pd(v_set(1.0), _mm256_sqrt_pd(a)); }
static inline vreal v_real_of_bits(vint a) { return (__m256d)a; }
static inline vint v_bits(vreal a) { return (vint)a; }
/* By the single precision estimate, without conversions: shifted by 29 bits and its exponent moved by 1023 - 127, a
 * double is a float in the low half of its lane.  The high halves hold 0, their estimate is infinity, 0x7f800000, and
 * the shift back drops it. */
static inline vreal v_rsqrt_estimate(vreal a) {
  const vint exponent = {896, 896, 896, 896};
  vint single = (v_bits(a) - (exponent << 52)) >> 29;
  vint estimate = (vint)_mm256_rsqrt_ps((__m256)single);
  return v_real_of_bits((estimate << 29) + (exponent << 52));
}
static inline vmask v_less(vreal a, vreal b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
static inline vmask v_mask_or(vmask a, vmask b) { return _mm256_or_pd(a, b); }
static inline vreal v_select(vmask m, vreal a, vreal b) { return _mm256_blendv_pd(b, a, m); }
static inline vreal v_and_mask(vreal a, vmask m) { return _mm256_and_pd(a, m); }
static inline int v_any(vmask m) { return _mm256_movemask_pd(m) != 0; }
static inline vmask v_mask_first(size_t n) {
  return _mm256_cmp_pd(_mm256_setr_pd(0, 1, 2, 3), _mm256_set1_pd((double)n), _CMP_LT_OQ);
}
static inline vreal v_max(vreal a, vreal b) { return v_select(v_less(a, b), b, a); }
static inline vreal v_min(vreal a, vreal b) { return v_select(v_less(b, a), b, a); }
static inline vint v_int(uint64_t s) { return (vint){s, s, s, s}; }
static inline vint v_iota(uint64_t first) { return (vint){first, first + 1, first + 2, first + 3}; }
static inline vreal v_abs(vreal a) { return v_real_of_bits(v_bits(a) & v_int(0x7fffffffffffffffU)); }
static inline vint v_mul32(vint a, vint b) { return (vint)_mm256_mul_epu32((__m256i)a, (__m256i)b); }
static inline vreal v_real_of_u32(vint a) {
  return v_real_of_bits((a & v_int(0xffffffffU)) | v_int(0x4330000000000000U)) - v_set(0x1p52);
}

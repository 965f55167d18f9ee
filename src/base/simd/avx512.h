/* The vocabulary for AVX-512 (F, DQ, VL). */
#include <immintrin.h>
#if !defined __AVX512F__ || !defined __AVX512DQ__ || !defined __AVX512VL__
#error "compile this file with -mavx512f -mavx512dq -mavx512vl"
#endif

enum { RILL_WIDTH = 8 };
typedef __m512d vreal;
typedef uint64_t vint __attribute__((vector_size(64)));
typedef __mmask8 vmask;
#define RILL_ESTIMATE_ERROR 0x1p-14
enum { RILL_ESTIMATE_TERMS = 3 };

static inline vreal v_load(const double *p) { return _mm512_load_pd(p); }
static inline vreal v_loadu(const double *p) { return _mm512_loadu_pd(p); }
static inline void v_store(double *p, vreal a) { _mm512_store_pd(p, a); }
static inline void v_storeu(double *p, vreal a) { _mm512_storeu_pd(p, a); }
static inline vint v_load_int(const uint64_t *p) { return (vint)_mm512_load_si512(p); }
static inline vreal v_permute(vreal a, vint lane) { return _mm512_permutexvar_pd((__m512i)lane, a); }
static inline vreal v_keep(vreal a) {
  __asm__("" : "+v"(a));
  return a;
}
static inline vreal v_set(double s) { return _mm512_set1_pd(s); }
static inline vreal v_fma(vreal a, vreal b, vreal c) { return _mm512_fmadd_pd(a, b, c); }
static inline vreal v_fnma(vreal a, vreal b, vreal c) { return _mm512_fnmadd_pd(a, b, c); }
static inline vreal v_sqrt(vreal a) { return _mm512_sqrt_pd(a); }
/* 14-bit estimate and one correction in e = 1 - a y2: (1 - e)^(-1/2) = 1 + e/2 + 3/8 e2 + 5/16 e3 + 35/128 e4. */
static inline vreal v_rsqrt(vreal a) {
  vreal y = _mm512_rsqrt14_pd(a);
  vreal e = v_fnma(a * y, y, v_set(1.0));
  vreal series = v_fma(v_fma(v_fma(v_set(35.0 / 128.0), e, v_set(0.3125)), e, v_set(0.375)), e, v_set(0.5));
  return v_fma(y * e, series, y);
}
static inline vreal v_rsqrt_estimate(vreal a) { return _mm512_rsqrt14_pd(a); }
static inline vreal v_real_of_bits(vint a) { return (__m512d)a; }
static inline vint v_bits(vreal a) { return (vint)a; }
static inline vmask v_less(vreal a, vreal b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
static inline vmask v_mask_or(vmask a, vmask b) { return (vmask)((unsigned)a | (unsigned)b); }
static inline vreal v_select(vmask m, vreal a, vreal b) { return _mm512_mask_blend_pd(m, b, a); }
static inline vreal v_and_mask(vreal a, vmask m) { return _mm512_maskz_mov_pd(m, a); }
static inline int v_any(vmask m) { return m != 0; }
static inline vmask v_mask_first(size_t n) { return (vmask)(0xffU >> (n < 8 ? 8 - n : 0)); }
static inline vreal v_max(vreal a, vreal b) { return v_select(v_less(a, b), b, a); }
static inline vreal v_min(vreal a, vreal b) { return v_select(v_less(b, a), b, a); }
static inline vint v_int(uint64_t s) { return (vint){s, s, s, s, s, s, s, s}; }
static inline vint v_iota(uint64_t f) { return (vint){f, f + 1, f + 2, f + 3, f + 4, f + 5, f + 6, f + 7}; }
static inline vreal v_abs(vreal a) { return v_real_of_bits(v_bits(a) & v_int(0x7fffffffffffffffU)); }
static inline vint v_mul32(vint a, vint b) { return (vint)_mm512_mul_epu32((__m512i)a, (__m512i)b); }
static inline vreal v_real_of_u32(vint a) {
  return v_real_of_bits((a & v_int(0xffffffffU)) | v_int(0x4330000000000000U)) - v_set(0x1p52);
}

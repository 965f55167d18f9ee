/* The vocabulary for AVX2 with FMA; in single precision also for AVX-512 with vectors of 256 bits. */
#include <immintrin.h>
#if !defined __AVX2__ || !defined __FMA__
#error "compile this file with -mavx2 -mfma"
#endif
#if defined RILL_SIMD_AVX512VL && !defined __AVX512VL__
#error "compile this file with -mavx512f -mavx512dq -mavx512vl"
#endif

enum { RILL_WIDTH = 4 };
typedef __m256d vreal;
typedef uint64_t vint __attribute__((vector_size(32)));
typedef __m256d vmask;
/* 1.5 x 2^-12 for single precision arguments, and half of 2^-23 for truncating the argument. */
#define RILL_ESTIMATE_ERROR (1.5 * 0x1p-12 + 0x1p-24)
enum { RILL_ESTIMATE_TERMS = 4 };

static inline vreal v_load(const double *p) { return _mm256_load_pd(p); }
static inline vreal v_loadu(const double *p) { return _mm256_loadu_pd(p); }
static inline void v_store(double *p, vreal a) { _mm256_store_pd(p, a); }
static inline void v_storeu(double *p, vreal a) { _mm256_storeu_pd(p, a); }
static inline void v_stream(double *p, vreal a) { _mm256_stream_pd(p, a); }
static inline void v_stream_end(void) { _mm_sfence(); }
static inline vint v_load_int(const uint64_t *p) { return (vint)_mm256_load_si256((const __m256i *)p); }
/* Each 64-bit lane is permuted as its two 32-bit halves, 2 lane and 2 lane + 1. */
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
static inline vreal v_root(vreal a) { return v_sqrt(a); }
static inline vreal v_reciprocal(vreal a) { return v_set(1.0) / a; }
static inline vreal v_real_of_bits(vint a) { return (__m256d)a; }
static inline vint v_bits(vreal a) { return (vint)a; }
/* Uses the single-precision estimate without conversions: shifted by 29 bits and with its exponent changed by 1023 -
 * 127, a double becomes a float in the low half of its lane.  The high halves are 0; their estimate is infinity,
 * 0x7f800000, and the shift back drops it. */
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

static inline void v_load_rows4(const double *base, const size_t *offset, vreal out[4]) {
  __m256d r[4], low[2], high[2];
  for (int k = 0; k < 4; k++) r[k] = _mm256_load_pd(base + offset[k]);
  for (int k = 0; k < 2; k++) {
    low[k] = _mm256_unpacklo_pd(r[2 * k], r[2 * k + 1]);
    high[k] = _mm256_unpackhi_pd(r[2 * k], r[2 * k + 1]);
  }
  out[0] = _mm256_permute2f128_pd(low[0], low[1], 0x20);
  out[1] = _mm256_permute2f128_pd(high[0], high[1], 0x20);
  out[2] = _mm256_permute2f128_pd(low[0], low[1], 0x31);
  out[3] = _mm256_permute2f128_pd(high[0], high[1], 0x31);
}
static inline void simd_add_row(int64_t *p, __m256i a) {
  _mm256_store_si256((__m256i *)p, _mm256_add_epi64(_mm256_load_si256((const __m256i *)p), a));
}
static inline void v_add_rows(int64_t *base, const size_t *offset, const vint in[3]) {
  const __m256i x = (__m256i)in[0], y = (__m256i)in[1], z = (__m256i)in[2];
  const __m256i xy[2] = {_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y)};
  const __m256i zz[2] = {z, _mm256_unpackhi_epi64(z, z)};
  for (int odd = 0; odd < 2; odd++) {
    simd_add_row(base + offset[odd], _mm256_permute2x128_si256(xy[odd], zz[odd], 0x20));
    simd_add_row(base + offset[odd + 2], _mm256_permute2x128_si256(xy[odd], zz[odd], 0x31));
  }
}

typedef __m256 vfloat;
typedef uint32_t vint32 __attribute__((vector_size(32)));
#if defined RILL_SIMD_AVX512VL
typedef __mmask8 vfmask;
#define RILL_FLOAT_ESTIMATE_ERROR 0x1p-14
enum { RILL_FLOAT_WIDTH = 8, RILL_FLOAT_ESTIMATE_TERMS = 1 };
#else
typedef __m256 vfmask;
#define RILL_FLOAT_ESTIMATE_ERROR (1.5 * 0x1p-12)
enum { RILL_FLOAT_WIDTH = 8, RILL_FLOAT_ESTIMATE_TERMS = 2 };
#endif

static inline vfloat vf_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void vf_store(float *p, vfloat a) { _mm256_storeu_ps(p, a); }
static inline vfloat vf_set(float s) { return _mm256_set1_ps(s); }
static inline vfloat vf_keep(vfloat a) {
  __asm__("" : "+v"(a));
  return a;
}
static inline vfloat vf_fma(vfloat a, vfloat b, vfloat c) { return _mm256_fmadd_ps(a, b, c); }
static inline vfloat vf_fnma(vfloat a, vfloat b, vfloat c) { return _mm256_fnmadd_ps(a, b, c); }
static inline vfloat vf_sqrt(vfloat a) { return _mm256_sqrt_ps(a); }
static inline vfloat vf_min(vfloat a, vfloat b) { return _mm256_min_ps(a, b); }
static inline vfloat vf_max(vfloat a, vfloat b) { return _mm256_max_ps(a, b); }
#if defined RILL_SIMD_AVX512VL
static inline vfloat vf_rsqrt_estimate(vfloat a) { return _mm256_rsqrt14_ps(a); }
static inline vfmask vf_less(vfloat a, vfloat b) { return _mm256_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline vfloat vf_and_mask(vfloat a, vfmask m) { return _mm256_maskz_mov_ps(m, a); }
static inline vfmask vf_mask_first(size_t n) { return (vfmask)(0xffU >> (n < 8 ? 8 - n : 0)); }
static inline vfmask vf_mask_halves(size_t n) { return (vfmask)((0xfU >> (n < 4 ? 4 - n : 0)) * 0x11U); }
static inline unsigned vf_mask_bits(vfmask m) { return m; }
#else
static inline vfloat vf_rsqrt_estimate(vfloat a) { return _mm256_rsqrt_ps(a); }
static inline vfmask vf_less(vfloat a, vfloat b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static inline vfloat vf_and_mask(vfloat a, vfmask m) { return _mm256_and_ps(a, m); }
static inline vfmask vf_mask_first(size_t n) {
  return _mm256_cmp_ps(_mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_ps((float)n), _CMP_LT_OQ);
}
static inline vfmask vf_mask_halves(size_t n) {
  return _mm256_cmp_ps(_mm256_setr_ps(0, 1, 2, 3, 0, 1, 2, 3), _mm256_set1_ps((float)n), _CMP_LT_OQ);
}
static inline unsigned vf_mask_bits(vfmask m) { return (unsigned)_mm256_movemask_ps(m); }
#endif
static inline vfloat vf_of_int(vint32 a) { return _mm256_cvtepi32_ps((__m256i)a); }
static inline vint32 vf_to_int(vfloat a) { return (vint32)_mm256_cvtps_epi32(a); }
static inline vint32 vf_bits(vfloat a) { return (vint32)_mm256_castps_si256(a); }
static inline vfloat vf_of_bits(vint32 a) { return (__m256)a; }
static inline vint32 vi_load(const int32_t *p) { return (vint32)_mm256_loadu_si256((const __m256i *)p); }
static inline vint32 vi_set(int32_t s) { return (vint32)_mm256_set1_epi32(s); }
static inline void vi_store(int32_t *p, vint32 a) { _mm256_storeu_si256((__m256i *)p, (__m256i)a); }
static inline void vi_store_four(int32_t *p, vint32 a, int four, const int32_t order[4]) {
  const __m128 of = four ? _mm256_extractf128_ps((__m256)a, 1) : _mm256_castps256_ps128((__m256)a);
  _mm_storeu_ps((float *)p, _mm_permutevar_ps(of, _mm_loadu_si128((const __m128i *)order)));
}
static inline vint32 vi_gather(const int32_t *p, const uint32_t *index) {
  return (vint32)_mm256_i32gather_epi32(p, _mm256_loadu_si256((const __m256i *)index), 4);
}
static inline void vf_widen(vfloat a, vreal out[2]) {
  out[0] = _mm256_cvtps_pd(_mm256_castps256_ps128(a));
  out[1] = _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1));
}
static inline vfloat vf_narrow(const vreal a[2]) {
  return _mm256_set_m128(_mm256_cvtpd_ps(a[1]), _mm256_cvtpd_ps(a[0]));
}
static inline vint32 vi_narrow(const vint a[2]) {
  const __m256 even = _mm256_shuffle_ps((__m256)a[0], (__m256)a[1], 0x88); /* halves of a[0] and a[1] in turn */
  return (vint32)_mm256_permute4x64_epi64((__m256i)even, 0xd8);
}
static inline vfloat vf_swap(vfloat a) { return _mm256_permute2f128_ps(a, a, 1); }
static inline vfloat vf_both(vreal a) {
  const __m128 half = _mm256_cvtpd_ps(a);
  return _mm256_set_m128(half, half);
}
static inline vfloat vf_permute(vfloat a, vint32 lane) { return _mm256_permutevar8x32_ps(a, (__m256i)lane); }
static inline void vf_load_rows4(const float *base, const size_t *offset, vfloat out[4]) {
  __m256 r[4], low, high, z0, z1;
  for (int k = 0; k < 4; k++) {
    r[k] = _mm256_castps128_ps256(_mm_load_ps(base + offset[k]));
    r[k] = _mm256_insertf128_ps(r[k], _mm_load_ps(base + offset[k + 4]), 1);
  }
  low = _mm256_unpacklo_ps(r[0], r[1]);
  high = _mm256_unpacklo_ps(r[2], r[3]);
  z0 = _mm256_unpackhi_ps(r[0], r[1]);
  z1 = _mm256_unpackhi_ps(r[2], r[3]);
  out[0] = _mm256_shuffle_ps(low, high, 0x44);
  out[1] = _mm256_shuffle_ps(low, high, 0xee);
  out[2] = _mm256_shuffle_ps(z0, z1, 0x44);
  out[3] = _mm256_shuffle_ps(z0, z1, 0xee);
}
static inline void vf_load_rows(const float *base, const size_t *offset, vfloat out[3]) {
  vfloat row[4];
  vf_load_rows4(base, offset, row);
  for (int c = 0; c < 3; c++) out[c] = row[c];
}
/* The fourth of a row is any number. */
static inline void simd_rows(const vint32 in[3], __m256i row[4]) {
  const __m256 z = (__m256)in[2];
  const __m256 low = (__m256)_mm256_unpacklo_epi32((__m256i)in[0], (__m256i)in[1]);
  const __m256 high = (__m256)_mm256_unpackhi_epi32((__m256i)in[0], (__m256i)in[1]);
  row[0] = (__m256i)_mm256_shuffle_ps(low, z, 0x04);
  row[1] = (__m256i)_mm256_shuffle_ps(low, z, 0x5e);
  row[2] = (__m256i)_mm256_shuffle_ps(high, z, 0xa4);
  row[3] = (__m256i)_mm256_shuffle_ps(high, z, 0xfe);
}
static inline void simd_add(int32_t *p, __m128i a) {
  _mm_store_si128((__m128i *)p, _mm_add_epi32(_mm_load_si128((const __m128i *)p), a));
}
static inline void vi_add_rows(int32_t *base, const size_t *offset, const vint32 in[3]) {
  __m256i row[4];
  simd_rows(in, row);
  for (int k = 0; k < 4; k++) simd_add(base + offset[k], _mm256_castsi256_si128(row[k]));
  for (int k = 0; k < 4; k++) simd_add(base + offset[k + 4], _mm256_extracti128_si256(row[k], 1));
}
static inline void vi_sum_rows(int32_t *const *to, const vint32 in[3]) {
  __m256i row[4];
  simd_rows(in, row);
  row[0] = _mm256_add_epi32(_mm256_add_epi32(row[0], row[1]), _mm256_add_epi32(row[2], row[3]));
  simd_add(to[0], _mm_add_epi32(_mm256_castsi256_si128(row[0]), _mm256_extracti128_si256(row[0], 1)));
}

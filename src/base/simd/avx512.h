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
static inline void v_stream(double *p, vreal a) { _mm512_stream_pd(p, a); }
static inline void v_stream_end(void) { _mm_sfence(); }
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
/* The 14-bit estimate and one correction in e = 1 - a y2: (1 - e)^(-1/2) = 1 + e/2 + 3/8 e2 + 5/16 e3 + 35/128 e4. */
static inline vreal v_rsqrt(vreal a) {
  vreal y = _mm512_rsqrt14_pd(a);
  vreal e = v_fnma(a * y, y, v_set(1.0));
  vreal series = v_fma(v_fma(v_fma(v_set(35.0 / 128.0), e, v_set(0.3125)), e, v_set(0.375)), e, v_set(0.5));
  return v_fma(y * e, series, y);
}
static inline vreal v_root(vreal a) { return a * v_rsqrt(a); }
static inline vreal v_reciprocal(vreal a) {
  vreal y = _mm512_rcp14_pd(a);
  vreal e = v_fnma(a, y, v_set(1.0));
  return v_fma(y, v_fma(e, v_fma(e, e, e), e), y);
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

static inline void v_load_rows4(const double *base, const size_t *offset, vreal out[4]) {
  __m512d r[4], low[2], high[2];
  for (int k = 0; k < 4; k++) { /* lanes 0 2, 1 3, 4 6, 5 7 */
    const size_t *const two = offset + k + k / 2 * 2;
    r[k] =
        _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(base + two[0])), _mm256_load_pd(base + two[2]), 1);
  }
  for (int k = 0; k < 2; k++) {
    low[k] = _mm512_unpacklo_pd(r[2 * k], r[2 * k + 1]);
    high[k] = _mm512_unpackhi_pd(r[2 * k], r[2 * k + 1]);
  }
  out[0] = _mm512_shuffle_f64x2(low[0], low[1], 0x88);
  out[1] = _mm512_shuffle_f64x2(high[0], high[1], 0x88);
  out[2] = _mm512_shuffle_f64x2(low[0], low[1], 0xdd);
  out[3] = _mm512_shuffle_f64x2(high[0], high[1], 0xdd);
}
static inline void simd_add_row(int64_t *p, __m256i a) {
  _mm256_store_si256((__m256i *)p, _mm256_add_epi64(_mm256_load_si256((const __m256i *)p), a));
}
static inline void v_add_rows(int64_t *base, const size_t *offset, const vint in[3]) {
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                rest = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  const __m512i x = (__m512i)in[0], y = (__m512i)in[1], z = (__m512i)in[2];
  const __m512i xy[2] = {_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y)};
  const __m512i zz[2] = {z, _mm512_unpackhi_epi64(z, z)};
  for (int odd = 0; odd < 2; odd++) {
    const __m512i low = _mm512_permutex2var_epi64(xy[odd], first, zz[odd]);
    const __m512i high = _mm512_permutex2var_epi64(xy[odd], rest, zz[odd]);
    simd_add_row(base + offset[odd], _mm512_castsi512_si256(low));
    simd_add_row(base + offset[odd + 2], _mm512_extracti64x4_epi64(low, 1));
    simd_add_row(base + offset[odd + 4], _mm512_castsi512_si256(high));
    simd_add_row(base + offset[odd + 6], _mm512_extracti64x4_epi64(high, 1));
  }
}

typedef __m512 vfloat;
typedef uint32_t vint32 __attribute__((vector_size(64)));
typedef __mmask16 vfmask;
#define RILL_FLOAT_ESTIMATE_ERROR 0x1p-14
enum { RILL_FLOAT_WIDTH = 16, RILL_FLOAT_ESTIMATE_TERMS = 1 };

static inline vfloat vf_load(const float *p) { return _mm512_loadu_ps(p); }
static inline void vf_store(float *p, vfloat a) { _mm512_storeu_ps(p, a); }
static inline vfloat vf_set(float s) { return _mm512_set1_ps(s); }
static inline vfloat vf_keep(vfloat a) {
  __asm__("" : "+v"(a));
  return a;
}
static inline vfloat vf_fma(vfloat a, vfloat b, vfloat c) { return _mm512_fmadd_ps(a, b, c); }
static inline vfloat vf_fnma(vfloat a, vfloat b, vfloat c) { return _mm512_fnmadd_ps(a, b, c); }
static inline vfloat vf_sqrt(vfloat a) { return _mm512_sqrt_ps(a); }
static inline vfloat vf_min(vfloat a, vfloat b) { return _mm512_min_ps(a, b); }
static inline vfloat vf_max(vfloat a, vfloat b) { return _mm512_max_ps(a, b); }
static inline vfloat vf_rsqrt_estimate(vfloat a) { return _mm512_rsqrt14_ps(a); }
static inline vfmask vf_less(vfloat a, vfloat b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline vfloat vf_and_mask(vfloat a, vfmask m) { return _mm512_maskz_mov_ps(m, a); }
static inline vfmask vf_mask_first(size_t n) { return (vfmask)(0xffffU >> (n < 16 ? 16 - n : 0)); }
static inline unsigned vf_mask_bits(vfmask m) { return m; }
static inline vfloat vf_of_int(vint32 a) { return _mm512_cvtepi32_ps((__m512i)a); }
static inline vint32 vf_to_int(vfloat a) { return (vint32)_mm512_cvtps_epi32(a); }
static inline vint32 vf_bits(vfloat a) { return (vint32)_mm512_castps_si512(a); }
static inline vfloat vf_of_bits(vint32 a) { return (__m512)a; }
static inline vint32 vi_load(const int32_t *p) { return (vint32)_mm512_loadu_si512(p); }
static inline void vi_store(int32_t *p, vint32 a) { _mm512_storeu_si512(p, (__m512i)a); }
static inline vint32 vi_set(int32_t s) { return (vint32)_mm512_set1_epi32(s); }
static inline vfloat vf_set_halves(float a, float b) {
  return _mm512_mask_mov_ps(_mm512_set1_ps(a), 0xff00, _mm512_set1_ps(b));
}
static inline vint32 vi_gather(const int32_t *p, const uint32_t *index) {
  return (vint32)_mm512_i32gather_epi32(_mm512_loadu_si512(index), p, 4);
}
static inline void vf_widen(vfloat a, vreal out[2]) {
  out[0] = _mm512_cvtps_pd(_mm512_castps512_ps256(a));
  out[1] = _mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(a), 1)));
}
static inline vfloat vf_narrow(const vreal a[2]) {
  const __m256d low = _mm256_castps_pd(_mm512_cvtpd_ps(a[0])), high = _mm256_castps_pd(_mm512_cvtpd_ps(a[1]));
  return _mm512_castpd_ps(_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1));
}
static inline vint32 vi_narrow(const vint a[2]) {
  const __m256i low = _mm512_cvtepi64_epi32((__m512i)a[0]), high = _mm512_cvtepi64_epi32((__m512i)a[1]);
  return (vint32)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
static inline vfloat vf_swap(vfloat a) { return _mm512_shuffle_f32x4(a, a, 0x4e); }
static inline vfloat vf_both(vreal a) { return _mm512_broadcast_f32x8(_mm512_cvtpd_ps(a)); }
static inline vfloat vf_permute(vfloat a, vint32 lane) { return _mm512_permutexvar_ps((__m512i)lane, a); }
static inline vfmask vf_mask_halves(size_t n) { return (vfmask)((0xffU >> (n < 8 ? 8 - n : 0)) * 0x101U); }
static inline void vf_load_rows4(const float *base, const size_t *offset, vfloat out[4]) {
  __m512 r[4], low, high, z0, z1;
  for (int k = 0; k < 4; k++) {
    r[k] = _mm512_castps128_ps512(_mm_load_ps(base + offset[k]));
    r[k] = _mm512_insertf32x4(r[k], _mm_load_ps(base + offset[k + 4]), 1);
    r[k] = _mm512_insertf32x4(r[k], _mm_load_ps(base + offset[k + 8]), 2);
    r[k] = _mm512_insertf32x4(r[k], _mm_load_ps(base + offset[k + 12]), 3);
  }
  low = _mm512_unpacklo_ps(r[0], r[1]);
  high = _mm512_unpacklo_ps(r[2], r[3]);
  z0 = _mm512_unpackhi_ps(r[0], r[1]);
  z1 = _mm512_unpackhi_ps(r[2], r[3]);
  out[0] = _mm512_shuffle_ps(low, high, 0x44);
  out[1] = _mm512_shuffle_ps(low, high, 0xee);
  out[2] = _mm512_shuffle_ps(z0, z1, 0x44);
  out[3] = _mm512_shuffle_ps(z0, z1, 0xee);
}
static inline void vf_load_rows(const float *base, const size_t *offset, vfloat out[3]) {
  vfloat row[4];
  vf_load_rows4(base, offset, row);
  for (int c = 0; c < 3; c++) out[c] = row[c];
}
/* Lane 4 p + k is in part p of row k.  The fourth of a row is any number. */
static inline void simd_rows(const vint32 in[3], __m512i row[4]) {
  const __m512 z = (__m512)in[2];
  const __m512 low = (__m512)_mm512_unpacklo_epi32((__m512i)in[0], (__m512i)in[1]);
  const __m512 high = (__m512)_mm512_unpackhi_epi32((__m512i)in[0], (__m512i)in[1]);
  row[0] = (__m512i)_mm512_shuffle_ps(low, z, 0x04);
  row[1] = (__m512i)_mm512_shuffle_ps(low, z, 0x5e);
  row[2] = (__m512i)_mm512_shuffle_ps(high, z, 0xa4);
  row[3] = (__m512i)_mm512_shuffle_ps(high, z, 0xfe);
}
static inline void simd_add(int32_t *p, __m128i a) {
  _mm_store_si128((__m128i *)p, _mm_add_epi32(_mm_load_si128((const __m128i *)p), a));
}
/* One record after another, because an offset may occur twice. */
static inline void vi_add_records(int32_t *base, const size_t *offset, const vint32 in[9]) {
  __m512i row[3][4];
  for (int b = 0; b < 3; b++) simd_rows(in + 3 * b, row[b]);
  for (int k = 0; k < 4; k++) {
    const __m512i low = _mm512_shuffle_i32x4(row[0][k], row[1][k], 0x44);
    const __m512i high = _mm512_shuffle_i32x4(row[0][k], row[1][k], 0xee), z = row[2][k];
    __m512i *to;
    to = (__m512i *)(base + offset[k]);
    *to = _mm512_add_epi32(*to, _mm512_shuffle_i32x4(low, z, 0x08));
    to = (__m512i *)(base + offset[k + 4]);
    *to = _mm512_add_epi32(*to, _mm512_shuffle_i32x4(low, z, 0x5d));
    to = (__m512i *)(base + offset[k + 8]);
    *to = _mm512_add_epi32(*to, _mm512_shuffle_i32x4(high, z, 0xa8));
    to = (__m512i *)(base + offset[k + 12]);
    *to = _mm512_add_epi32(*to, _mm512_shuffle_i32x4(high, z, 0xfd));
  }
}
static inline void vi_sum_rows(int32_t *const *to, const vint32 in[3]) {
  __m512i row[4];
  simd_rows(in, row);
  row[0] = _mm512_add_epi32(_mm512_add_epi32(row[0], row[1]), _mm512_add_epi32(row[2], row[3]));
  simd_add(to[0], _mm_add_epi32(_mm512_castsi512_si128(row[0]), _mm512_extracti32x4_epi32(row[0], 1)));
  simd_add(to[1], _mm_add_epi32(_mm512_extracti32x4_epi32(row[0], 2), _mm512_extracti32x4_epi32(row[0], 3)));
}

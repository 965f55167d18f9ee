/* What the vocabulary for vectors of 128 bits shares, in the generic vectors of the compiler.  The file that includes
 * this one adds what instruction sets do differently: fma, roots, 1/sqrt, rounding, products of 32 bits.
 *
 * Wider generic vectors, which compilers accept for any processor, are kept in memory by gcc, and compared lane by
 * lane. */
#include <string.h>

enum { RILL_WIDTH = 2, RILL_FLOAT_WIDTH = 4 };
typedef double vreal __attribute__((vector_size(16)));
typedef uint64_t vint __attribute__((vector_size(16)));
typedef int64_t vmask __attribute__((vector_size(16)));

/* clang-format off */
static inline vreal v_load(const double *p) {
  vreal a;
  memcpy(&a, __builtin_assume_aligned(p, 16), sizeof a);
  return a;
}
static inline vreal v_loadu(const double *p) { vreal a; memcpy(&a, p, sizeof a); return a; }
static inline void v_store(double *p, vreal a) { memcpy(__builtin_assume_aligned(p, 16), &a, sizeof a); }
static inline void v_storeu(double *p, vreal a) { memcpy(p, &a, sizeof a); }
static inline void v_stream(double *p, vreal a) { v_store(p, a); }
static inline void v_stream_end(void) {}
static inline vint v_load_int(const uint64_t *p) { vint a; memcpy(&a, p, sizeof a); return a; }
static inline vreal v_permute(vreal a, vint lane) { return (vreal){a[lane[0] & 1], a[lane[1] & 1]}; }
static inline vreal v_set(double s) { return (vreal){s, s}; }
static inline vreal v_real_of_bits(vint a) { return (vreal)a; }
static inline vint v_bits(vreal a) { return (vint)a; }
static inline vmask v_less(vreal a, vreal b) { return a < b; }
static inline vmask v_mask_or(vmask a, vmask b) { return a | b; }
static inline vreal v_select(vmask m, vreal a, vreal b) {
  return (vreal)(((vint)m & (vint)a) | (~(vint)m & (vint)b));
}
static inline vreal v_and_mask(vreal a, vmask m) { return (vreal)((vint)a & (vint)m); }
static inline int v_any(vmask m) { return (m[0] | m[1]) != 0; }
static inline vmask v_mask_first(size_t n) { return (vreal){0, 1} < v_set((double)n); }
static inline vreal v_max(vreal a, vreal b) { return v_select(v_less(a, b), b, a); }
static inline vreal v_min(vreal a, vreal b) { return v_select(v_less(b, a), b, a); }
static inline vint v_int(uint64_t s) { return (vint){s, s}; }
static inline vint v_iota(uint64_t first) { return (vint){first, first + 1}; }
static inline vreal v_abs(vreal a) { return v_real_of_bits(v_bits(a) & v_int(0x7fffffffffffffffU)); }
static inline vreal v_real_of_u32(vint a) {
  return v_real_of_bits((a & v_int(0xffffffffU)) | v_int(0x4330000000000000U)) - v_set(0x1p52);
}
/* clang-format on */

static inline void v_load_rows4(const double *base, const size_t *offset, vreal out[4]) {
  for (int half = 0; half < 2; half++) {
    const vreal a = v_load(base + offset[0] + 2 * half), b = v_load(base + offset[1] + 2 * half);
    out[2 * half] = __builtin_shufflevector(a, b, 0, 2);
    out[2 * half + 1] = __builtin_shufflevector(a, b, 1, 3);
  }
}
static inline void simd_add_row(int64_t *p, vint xy, uint64_t z) {
  vint sum;
  memcpy(&sum, __builtin_assume_aligned(p, 16), sizeof sum);
  sum += xy;
  memcpy(__builtin_assume_aligned(p, 16), &sum, sizeof sum);
  p[2] = (int64_t)((uint64_t)p[2] + z);
}
static inline void v_add_rows(int64_t *base, const size_t *offset, const vint in[3]) {
  simd_add_row(base + offset[0], __builtin_shufflevector(in[0], in[1], 0, 2), in[2][0]);
  simd_add_row(base + offset[1], __builtin_shufflevector(in[0], in[1], 1, 3), in[2][1]);
}

typedef float vfloat __attribute__((vector_size(16)));
typedef uint32_t vint32 __attribute__((vector_size(16)));
typedef int32_t vfmask __attribute__((vector_size(16)));
typedef float simd_half __attribute__((vector_size(8)));

/* clang-format off */
static inline vfloat vf_load(const float *p) { vfloat a; memcpy(&a, p, sizeof a); return a; }
static inline void vf_store(float *p, vfloat a) { memcpy(p, &a, sizeof a); }
static inline vfloat vf_set(float s) { return (vfloat){s, s, s, s}; }
static inline vint32 vf_bits(vfloat a) { return (vint32)a; }
static inline vfloat vf_of_bits(vint32 a) { return (vfloat)a; }
static inline vfmask vf_less(vfloat a, vfloat b) { return a < b; }
static inline vfloat vf_and_mask(vfloat a, vfmask m) { return (vfloat)((vint32)a & (vint32)m); }
static inline vfmask vf_mask_first(size_t n) { return (vfloat){0, 1, 2, 3} < vf_set((float)n); }
static inline vfmask vf_mask_halves(size_t n) { return (vfloat){0, 1, 0, 1} < vf_set((float)n); }
static inline vfloat vf_of_int(vint32 a) { return __builtin_convertvector((vfmask)a, vfloat); }
static inline vint32 vi_load(const int32_t *p) { vint32 a; memcpy(&a, p, sizeof a); return a; }
static inline void vi_store(int32_t *p, vint32 a) { memcpy(p, &a, sizeof a); }
static inline vint32 vi_set(int32_t s) { return (vint32)(vfmask){s, s, s, s}; }
static inline vfloat vf_swap(vfloat a) { return __builtin_shufflevector(a, a, 2, 3, 0, 1); }
/* clang-format on */
static inline vfloat vf_permute(vfloat a, vint32 lane) {
  return (vfloat){a[lane[0] & 3], a[lane[1] & 3], a[lane[2] & 3], a[lane[3] & 3]};
}
static inline void vi_store_four(int32_t *p, vint32 a, int four, const int32_t order[4]) {
  int32_t lane[4];
  (void)four;
  vi_store(lane, a);
  for (int k = 0; k < 4; k++) p[k] = lane[order[k]];
}
static inline vint32 vi_gather(const int32_t *p, const uint32_t *index) {
  return (vint32)(vfmask){p[index[0]], p[index[1]], p[index[2]], p[index[3]]};
}
static inline void vf_widen(vfloat a, vreal out[2]) {
  out[0] = __builtin_convertvector(__builtin_shufflevector(a, a, 0, 1), vreal);
  out[1] = __builtin_convertvector(__builtin_shufflevector(a, a, 2, 3), vreal);
}
static inline vfloat vf_narrow(const vreal a[2]) {
  const simd_half low = __builtin_convertvector(a[0], simd_half), high = __builtin_convertvector(a[1], simd_half);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
}
static inline vfloat vf_both(vreal a) { return vf_narrow((const vreal[2]){a, a}); }
static inline vint32 vi_narrow(const vint a[2]) {
  return __builtin_shufflevector((vint32)a[0], (vint32)a[1], 0, 2, 4, 6);
}

/* Four rows become four columns. */
static inline void simd_transpose(vint32 a[4]) {
  const vint32 p = __builtin_shufflevector(a[0], a[1], 0, 4, 1, 5);
  const vint32 q = __builtin_shufflevector(a[0], a[1], 2, 6, 3, 7);
  const vint32 r = __builtin_shufflevector(a[2], a[3], 0, 4, 1, 5);
  const vint32 s = __builtin_shufflevector(a[2], a[3], 2, 6, 3, 7);
  a[0] = __builtin_shufflevector(p, r, 0, 1, 4, 5);
  a[1] = __builtin_shufflevector(p, r, 2, 3, 6, 7);
  a[2] = __builtin_shufflevector(q, s, 0, 1, 4, 5);
  a[3] = __builtin_shufflevector(q, s, 2, 3, 6, 7);
}
static inline void vf_load_rows4(const float *base, const size_t *offset, vfloat out[4]) {
  vint32 row[4];
  for (int k = 0; k < 4; k++) memcpy(&row[k], __builtin_assume_aligned(base + offset[k], 16), sizeof row[k]);
  simd_transpose(row);
  for (int c = 0; c < 4; c++) out[c] = (vfloat)row[c];
}
static inline void vf_load_rows(const float *base, const size_t *offset, vfloat out[3]) {
  vfloat row[4];
  vf_load_rows4(base, offset, row);
  for (int c = 0; c < 3; c++) out[c] = row[c];
}
static inline void simd_add(int32_t *p, vint32 a) {
  vint32 sum;
  memcpy(&sum, __builtin_assume_aligned(p, 16), sizeof sum);
  sum += a;
  memcpy(__builtin_assume_aligned(p, 16), &sum, sizeof sum);
}
static inline void vi_add_rows(int32_t *base, const size_t *offset, const vint32 in[3]) {
  vint32 row[4] = {in[0], in[1], in[2], in[2]};
  simd_transpose(row);
  for (int k = 0; k < 4; k++) simd_add(base + offset[k], row[k]);
}
static inline void vi_sum_rows(int32_t *const *to, const vint32 in[3]) {
  vint32 row[4] = {in[0], in[1], in[2], in[2]};
  simd_transpose(row);
  simd_add(to[0], (row[0] + row[1]) + (row[2] + row[3]));
}

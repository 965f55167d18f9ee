/* The vocabulary in the generic vectors of the compiler, for any processor. */
#include <math.h>
#include <string.h>

/* Everything here is inlined, so the calling convention for such vectors does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { RILL_WIDTH = 4 };
typedef double vreal __attribute__((vector_size(32)));
typedef uint64_t vint __attribute__((vector_size(32)));
typedef int64_t vmask __attribute__((vector_size(32)));
#define RILL_ESTIMATE_ERROR 0.0
enum { RILL_ESTIMATE_TERMS = 0 };

/* clang-format off */
static inline vreal v_load(const double *p) { vreal a; memcpy(&a, p, sizeof a); return a; }
static inline vreal v_loadu(const double *p) { vreal a; memcpy(&a, p, sizeof a); return a; }
static inline void v_store(double *p, vreal a) { memcpy(p, &a, sizeof a); }
static inline void v_storeu(double *p, vreal a) { memcpy(p, &a, sizeof a); }
static inline void v_stream(double *p, vreal a) { memcpy(p, &a, sizeof a); }
static inline void v_stream_end(void) {}
static inline vint v_load_int(const uint64_t *p) { vint a; memcpy(&a, p, sizeof a); return a; }
static inline vreal v_permute(vreal a, vint lane) { return (vreal){a[lane[0]], a[lane[1]], a[lane[2]], a[lane[3]]}; }
static inline vreal v_keep(vreal a) { return a; }
static inline vreal v_set(double s) { return (vreal){s, s, s, s}; }
static inline vreal v_fma(vreal a, vreal b, vreal c) { return a * b + c; }
static inline vreal v_fnma(vreal a, vreal b, vreal c) { return c - a * b; }
static inline vreal v_sqrt(vreal a) { return (vreal){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])}; }
static inline vreal v_rsqrt(vreal a) { return v_set(1.0) / v_sqrt(a); }
static inline vreal v_root(vreal a) { return v_sqrt(a); }
static inline vreal v_reciprocal(vreal a) { return v_set(1.0) / a; }
static inline vreal v_rsqrt_estimate(vreal a) { return v_rsqrt(a); }
static inline vreal v_real_of_bits(vint a) { vreal r; memcpy(&r, &a, sizeof r); return r; }
static inline vint v_bits(vreal a) { vint r; memcpy(&r, &a, sizeof r); return r; }
static inline vmask v_less(vreal a, vreal b) { return a < b; }
static inline vmask v_mask_or(vmask a, vmask b) { return a | b; }
static inline vreal v_select(vmask m, vreal a, vreal b) {
  vint bits = ((vint)m & v_bits(a)) | (~(vint)m & v_bits(b));
  return v_real_of_bits(bits);
}
static inline vreal v_and_mask(vreal a, vmask m) { return v_real_of_bits(v_bits(a) & (vint)m); }
static inline int v_any(vmask m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }
static inline vmask v_mask_first(size_t n) {
  vmask lane = {0, 1, 2, 3};
  int64_t k = (int64_t)n;
  return lane < (vmask){k, k, k, k};
}
static inline vreal v_max(vreal a, vreal b) { return v_select(v_less(a, b), b, a); }
static inline vreal v_min(vreal a, vreal b) { return v_select(v_less(b, a), b, a); }
static inline vint v_int(uint64_t s) { return (vint){s, s, s, s}; }
static inline vint v_iota(uint64_t first) { return (vint){first, first + 1, first + 2, first + 3}; }
static inline vreal v_abs(vreal a) { return v_real_of_bits(v_bits(a) & v_int(0x7fffffffffffffffU)); }
static inline vint v_mul32(vint a, vint b) {
  vint low = v_int(0xffffffffU);
  return (a & low) * (b & low);
}
static inline vreal v_real_of_u32(vint a) {
  return v_real_of_bits((a & v_int(0xffffffffU)) | v_int(0x4330000000000000U)) - v_set(0x1p52);
}

static inline void v_load_rows4(const double *base, const size_t *offset, vreal out[4]) {
  for (int k = 0; k < 4; k++)
    for (int c = 0; c < 4; c++) out[c][k] = base[offset[k] + (size_t)c];
}
static inline void v_add_rows(int64_t *base, const size_t *offset, const vint in[3]) {
  for (int k = 0; k < 4; k++)
    for (int c = 0; c < 3; c++) {
      int64_t *p = base + offset[k] + c;
      *p = (int64_t)((uint64_t)*p + in[c][k]);
    }
}

typedef float vfloat __attribute__((vector_size(32)));
typedef uint32_t vint32 __attribute__((vector_size(32)));
typedef int32_t vfmask __attribute__((vector_size(32)));
#define RILL_FLOAT_ESTIMATE_ERROR 0.0
enum { RILL_FLOAT_WIDTH = 8, RILL_FLOAT_ESTIMATE_TERMS = 0 };

static inline vfloat vf_load(const float *p) { vfloat a; memcpy(&a, p, sizeof a); return a; }
static inline void vf_store(float *p, vfloat a) { memcpy(p, &a, sizeof a); }
static inline vfloat vf_set(float s) { return (vfloat){s, s, s, s, s, s, s, s}; }
static inline vfloat vf_keep(vfloat a) { return a; }
static inline vfloat vf_fma(vfloat a, vfloat b, vfloat c) { return a * b + c; }
static inline vfloat vf_fnma(vfloat a, vfloat b, vfloat c) { return c - a * b; }
static inline vint32 vf_bits(vfloat a) { vint32 r; memcpy(&r, &a, sizeof r); return r; }
static inline vfloat vf_of_bits(vint32 a) { vfloat r; memcpy(&r, &a, sizeof r); return r; }
static inline vfloat vf_min(vfloat a, vfloat b) {
  vint32 m = (vint32)(a < b);
  return vf_of_bits((m & vf_bits(a)) | (~m & vf_bits(b)));
}
static inline vfloat vf_max(vfloat a, vfloat b) {
  vint32 m = (vint32)(b < a);
  return vf_of_bits((m & vf_bits(a)) | (~m & vf_bits(b)));
}
static inline vfloat vf_rsqrt_estimate(vfloat a) {
  float lane[8];
  memcpy(lane, &a, sizeof lane);
  for (int k = 0; k < 8; k++) lane[k] = 1.0f / sqrtf(lane[k]);
  return vf_load(lane);
}
static inline vfloat vf_sqrt(vfloat a) {
  float lane[8];
  memcpy(lane, &a, sizeof lane);
  for (int k = 0; k < 8; k++) lane[k] = sqrtf(lane[k]);
  return vf_load(lane);
}
static inline vfmask vf_less(vfloat a, vfloat b) { return a < b; }
static inline vfloat vf_and_mask(vfloat a, vfmask m) { return vf_of_bits(vf_bits(a) & (vint32)m); }
static inline vfmask vf_mask_first(size_t n) {
  const vfmask lane = {0, 1, 2, 3, 4, 5, 6, 7};
  const int32_t k = n < 8 ? (int32_t)n : 8;
  return lane < (vfmask){k, k, k, k, k, k, k, k};
}
static inline vfmask vf_mask_halves(size_t n) {
  const vfmask lane = {0, 1, 2, 3, 0, 1, 2, 3};
  const int32_t k = n < 4 ? (int32_t)n : 4;
  return lane < (vfmask){k, k, k, k, k, k, k, k};
}
static inline unsigned vf_mask_bits(vfmask m) {
  unsigned bits = 0;
  for (unsigned k = 0; k < 8; k++) bits |= (unsigned)(m[k] & 1) << k;
  return bits;
}
static inline vfloat vf_of_int(vint32 a) { return __builtin_convertvector((vfmask)a, vfloat); }
static inline vint32 vi_set(int32_t s) {
  const uint32_t u = (uint32_t)s;
  return (vint32){u, u, u, u, u, u, u, u};
}
/* Rounds to nearest, halves away from zero; undefined beyond the range of integers. */
static inline vint32 vf_to_int(vfloat a) {
  const vint32 sign = vf_bits(a) & vi_set(INT32_MIN);
  const vfloat half = vf_of_bits(sign | vf_bits(vf_set(0.5f)));
  return (vint32)__builtin_convertvector(a + half, vfmask);
}
static inline vint32 vi_load(const int32_t *p) { vint32 a; memcpy(&a, p, sizeof a); return a; }
/* clang-format on */
static inline void vi_store(int32_t *p, vint32 a) { memcpy(p, &a, sizeof a); }
static inline void vi_store_half(int32_t *p, vint32 a, int half, const int32_t order[4]) {
  for (int k = 0; k < 4; k++) p[k] = (int32_t)a[4 * half + order[k]];
}
static inline vint32 vi_gather(const int32_t *p, const uint32_t *index) {
  vint32 a;
  for (int k = 0; k < 8; k++) a[k] = (uint32_t)p[index[k]];
  return a;
}
static inline void vf_widen(vfloat a, vreal out[2]) {
  out[0] = (vreal){a[0], a[1], a[2], a[3]};
  out[1] = (vreal){a[4], a[5], a[6], a[7]};
}
static inline vfloat vf_narrow(const vreal a[2]) {
  return (vfloat){(float)a[0][0], (float)a[0][1], (float)a[0][2], (float)a[0][3],
                  (float)a[1][0], (float)a[1][1], (float)a[1][2], (float)a[1][3]};
}
static inline vfloat vf_swap(vfloat a) { return (vfloat){a[4], a[5], a[6], a[7], a[0], a[1], a[2], a[3]}; }
static inline vfloat vf_both(vreal a) { return vf_narrow((const vreal[2]){a, a}); }
static inline vfloat vf_permute(vfloat a, vint32 lane) {
  vfloat out;
  for (int k = 0; k < 8; k++) out[k] = a[lane[k]];
  return out;
}
static inline vint32 vi_narrow(const vint a[2]) {
  vint32 out;
  for (int k = 0; k < 8; k++) out[k] = (uint32_t)a[k / 4][k % 4];
  return out;
}
static inline void vf_load_rows4(const float *base, const size_t *offset, vfloat out[4]) {
  for (int k = 0; k < 8; k++)
    for (int c = 0; c < 4; c++) out[c][k] = base[offset[k] + (size_t)c];
}
static inline void vf_load_rows(const float *base, const size_t *offset, vfloat out[3]) {
  for (int k = 0; k < 8; k++)
    for (int c = 0; c < 3; c++) out[c][k] = base[offset[k] + (size_t)c];
}
static inline void vi_add_rows(int32_t *base, const size_t *offset, const vint32 in[3]) {
  for (int k = 0; k < 8; k++)
    for (int c = 0; c < 3; c++) {
      int32_t *p = base + offset[k] + c;
      *p = (int32_t)((uint32_t)*p + in[c][k]);
    }
}
static inline void vi_sum_rows(int32_t *const *to, const vint32 in[3]) {
  for (int c = 0; c < 3; c++) {
    uint32_t sum = (uint32_t)to[0][c];
    for (int k = 0; k < 8; k++) sum += in[c][k];
    to[0][c] = (int32_t)sum;
  }
}

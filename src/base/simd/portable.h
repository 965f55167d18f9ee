/* The vocabulary in the compiler's generic vectors: any processor. */
#include <math.h>
#include <string.h>

/* Everything here is inlined, so it does not matter how such vectors would be passed. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { RILL_WIDTH = 4 };
typedef double vreal __attribute__((vector_size(32)));
typedef uint64_t vint __attribute__((vector_size(32)));
typedef int64_t vmask __attribute__((vector_size(32)));
#define RILL_ESTIMATE_ERROR 0.0
enum { RILL_ESTIMATE_TERMS = 0 };

static inline vreal v_load(const double *p) { vreal a; memcpy(&a, p, sizeof a); return a; }
static inline vreal v_loadu(const double *p) { vreal a; memcpy(&a, p, sizeof a); return a; }
static inline void v_store(double *p, vreal a) { memcpy(p, &a, sizeof a); }
static inline void v_storeu(double *p, vreal a) { memcpy(p, &a, sizeof a); }
static inline vint v_load_int(const uint64_t *p) { vint a; memcpy(&a, p, sizeof a); return a; }
static inline vreal v_permute(vreal a, vint lane) { return (vreal){a[lane[0]], a[lane[1]], a[lane[2]], a[lane[3]]}; }
static inline vreal v_keep(vreal a) { return a; }
static inline vreal v_set(double s) { return (vreal){s, s, s, s}; }
static inline vreal v_fma(vreal a, vreal b, vreal c) { return a * b + c; }
static inline vreal v_fnma(vreal a, vreal b, vreal c) { return c - a * b; }
static inline vreal v_sqrt(vreal a) { return (vreal){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])}; }
static inline vreal v_rsqrt(vreal a) { return v_set(1.0) / v_sqrt(a); }
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

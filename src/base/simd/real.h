/* The vocabulary over `real`: double, or float where RILL_REAL_SINGLE is defined before including it.  It is for
 * bodies that are compiled for both precisions and each instruction set, and is used together with base/simd/simd.h.
 *
 *   RILL_REAL_LANES   reals in a whole vector
 *   lanes             a whole vector;  + - * work on it;  l_load l_store (aligned) l_loadu l_set l_fma (a*b+c),
 *                     l_reverse, l_twice (loads half as many reals, aligned, each into two lanes)
 *   quad              four reals;  + - * work on it;  q_load q_store (any address) q_set q_fma q_transpose
 *   octet             eight reals, defined with RILL_OCTETS where the machine has such vectors;  + - * o_load
 *                     o_set o_fma as for quads;  q_fold o_fold: the sum of the halves, as a quad
 *   integer           as many bits as real;  q_count, o_count round reals to nearest and add them to four or eight
 *                     integers (any address; doubles below 2^51), q_add_integers adds four integers;
 *                     l_store_as_real converts integers to reals in place, times a unit (aligned)
 *   v_load_real v_store_real    RILL_WIDTH reals at any address, as vreal (double);  v_store_int32
 *   v_load_pairs      2 RILL_WIDTH reals at any address, split into those with even and odd index;  v_reverse */
#ifndef RILL_BASE_SIMD_REAL_H
#define RILL_BASE_SIMD_REAL_H

#include <string.h>

#include "base/simd/simd.h"

/* Everything here is inlined, so the calling convention of vectors that the machine lacks does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

#ifdef RILL_REAL_SINGLE
typedef float real;
typedef int32_t integer;
typedef uint32_t natural;
enum { RILL_REAL_LANES = 2 * RILL_WIDTH };
#else
typedef double real;
typedef int64_t integer;
typedef uint64_t natural;
enum { RILL_REAL_LANES = RILL_WIDTH };
#endif
typedef real lanes __attribute__((vector_size(RILL_WIDTH * sizeof(double))));
typedef real quad __attribute__((vector_size(4 * sizeof(real))));
#if defined RILL_SIMD_AVX512 || (defined RILL_SIMD_AVX2 && defined RILL_REAL_SINGLE)
#define RILL_OCTETS
typedef real octet __attribute__((vector_size(8 * sizeof(real))));
#endif
typedef real real_of_vreal __attribute__((vector_size(RILL_WIDTH * sizeof(real))));

static inline lanes l_load(const real *p) {
  lanes a;
  memcpy(&a, __builtin_assume_aligned(p, sizeof a), sizeof a);
  return a;
}
static inline lanes l_loadu(const real *p) {
  lanes a;
  memcpy(&a, p, sizeof a);
  return a;
}
static inline void l_store(real *p, lanes a) { memcpy(__builtin_assume_aligned(p, sizeof a), &a, sizeof a); }
static inline lanes l_set(real s) { return s - (lanes){0}; }
static inline quad q_load(const real *p) {
  quad a;
  memcpy(&a, p, sizeof a);
  return a;
}
static inline void q_store(real *p, quad a) { memcpy(p, &a, sizeof a); }
static inline quad q_set(real s) { return (quad){s, s, s, s}; }
static inline quad q_fold(quad a) { return a; }
#ifdef RILL_OCTETS
static inline octet o_load(const real *p) {
  octet a;
  memcpy(&a, p, sizeof a);
  return a;
}
static inline octet o_set(real s) { return s - (octet){0}; }
static inline quad o_fold(octet a) {
  return __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
}
#endif
static inline void q_transpose(quad a[4]) {
  const quad p = __builtin_shufflevector(a[0], a[1], 0, 4, 1, 5), q = __builtin_shufflevector(a[0], a[1], 2, 6, 3, 7);
  const quad r = __builtin_shufflevector(a[2], a[3], 0, 4, 1, 5), s = __builtin_shufflevector(a[2], a[3], 2, 6, 3, 7);
  a[0] = __builtin_shufflevector(p, r, 0, 1, 4, 5);
  a[1] = __builtin_shufflevector(p, r, 2, 3, 6, 7);
  a[2] = __builtin_shufflevector(q, s, 0, 1, 4, 5);
  a[3] = __builtin_shufflevector(q, s, 2, 3, 6, 7);
}
static inline vreal v_load_real(const real *p) {
  real_of_vreal a;
  memcpy(&a, p, sizeof a);
  return __builtin_convertvector(a, vreal);
}
static inline void v_store_real(real *p, vreal a) {
  const real_of_vreal b = __builtin_convertvector(a, real_of_vreal);
  memcpy(p, &b, sizeof b);
}

#if defined RILL_SIMD_AVX512 && defined RILL_REAL_SINGLE
#define RILL_REVERSED 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#define RILL_TWICE 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7
#elif defined RILL_SIMD_AVX512 || (defined RILL_SIMD_AVX2 && defined RILL_REAL_SINGLE)
#define RILL_REVERSED 7, 6, 5, 4, 3, 2, 1, 0
#define RILL_TWICE 0, 0, 1, 1, 2, 2, 3, 3
#elif defined RILL_SIMD_AVX2 || defined RILL_REAL_SINGLE
#define RILL_REVERSED 3, 2, 1, 0
#define RILL_TWICE 0, 0, 1, 1
#else
#define RILL_REVERSED 1, 0
#endif
static inline lanes l_reverse(lanes a) { return __builtin_shufflevector(a, a, RILL_REVERSED); }
static inline lanes l_twice(const real *p) {
#if !defined RILL_TWICE
  return l_set(*p);
#else
  typedef real half_lanes __attribute__((vector_size(sizeof(lanes) / 2)));
  half_lanes a;
  memcpy(&a, __builtin_assume_aligned(p, sizeof a), sizeof a);
  return __builtin_shufflevector(a, a, RILL_TWICE);
#endif
}

#if defined RILL_SIMD_AVX512
#define RILL_EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define RILL_ODD 1, 3, 5, 7, 9, 11, 13, 15
#define RILL_BACK 7, 6, 5, 4, 3, 2, 1, 0
#elif defined RILL_SIMD_AVX2
#define RILL_EVEN 0, 2, 4, 6
#define RILL_ODD 1, 3, 5, 7
#define RILL_BACK 3, 2, 1, 0
#else
#define RILL_EVEN 0, 2
#define RILL_ODD 1, 3
#define RILL_BACK 1, 0
#endif
static inline void v_load_pairs(const real *p, vreal *even, vreal *odd) {
  const vreal a = v_load_real(p), b = v_load_real(p + RILL_WIDTH);
  *even = __builtin_shufflevector(a, b, RILL_EVEN);
  *odd = __builtin_shufflevector(a, b, RILL_ODD);
}
static inline vreal v_reverse(vreal a) { return __builtin_shufflevector(a, a, RILL_BACK); }

/* Unsigned, so that sums wrap. */
typedef natural quad_natural __attribute__((vector_size(sizeof(quad))));
#if !defined RILL_REAL_SINGLE
static inline quad_natural q_to_integer(quad a) {
  const quad magic = q_set(0x1.8p52);
  return (quad_natural)(a + magic) - (quad_natural)magic;
}
#elif defined RILL_SIMD_PORTABLE
/* Rounds halves away from zero. */
static inline quad_natural q_to_integer(quad a) {
  typedef integer quad_integer __attribute__((vector_size(sizeof(quad))));
  const quad half = (quad)(((quad_natural)a & 0x80000000U) | (quad_natural)q_set(0.5f));
  return (quad_natural) __builtin_convertvector(a + half, quad_integer);
}
#elif defined RILL_SIMD_NEON
static inline quad_natural q_to_integer(quad a) { return (quad_natural)vf_to_int(a); }
#else
static inline quad_natural q_to_integer(quad a) { return (quad_natural)_mm_cvtps_epi32(a); }
#endif
static inline void q_count(integer *p, quad a) {
  quad_natural sum;
  memcpy(&sum, p, sizeof sum);
  sum += q_to_integer(a);
  memcpy(p, &sum, sizeof sum);
}
#ifdef RILL_OCTETS
static inline void o_count(integer *p, octet a) {
  typedef natural octet_natural __attribute__((vector_size(sizeof(octet))));
#ifdef RILL_REAL_SINGLE
  const octet_natural count = (octet_natural)_mm256_cvtps_epi32(a);
#else
  const octet magic = o_set(0x1.8p52);
  const octet_natural count = (octet_natural)(a + magic) - (octet_natural)magic;
#endif
  octet_natural sum;
  memcpy(&sum, p, sizeof sum);
  sum += count;
  memcpy(p, &sum, sizeof sum);
}
#endif
static inline void q_add_integers(integer *p, const integer *other) {
  quad_natural a, b;
  memcpy(&a, p, sizeof a);
  memcpy(&b, other, sizeof b);
  a += b;
  memcpy(p, &a, sizeof a);
}
static inline void l_store_as_real(integer *p, lanes unit) {
  typedef integer lanes_integer __attribute__((vector_size(sizeof(lanes))));
  lanes_integer a;
  lanes b;
  memcpy(&a, __builtin_assume_aligned(p, sizeof a), sizeof a);
  b = __builtin_convertvector(a, lanes) * unit;
  memcpy(__builtin_assume_aligned(p, sizeof b), &b, sizeof b);
}

/* The values must fit into int32_t. */
static inline void v_store_int32(int32_t *p, vreal a) {
  typedef int32_t int32_of_vreal __attribute__((vector_size(RILL_WIDTH * sizeof(int32_t))));
  const int32_of_vreal b = __builtin_convertvector(a, int32_of_vreal);
  memcpy(p, &b, sizeof b);
}

#if defined RILL_SIMD_PORTABLE
static inline lanes l_fma(lanes a, lanes b, lanes c) { return a * b + c; }
static inline quad q_fma(quad a, quad b, quad c) { return a * b + c; }
#elif defined RILL_SIMD_NEON && defined RILL_REAL_SINGLE
static inline lanes l_fma(lanes a, lanes b, lanes c) { return vf_fma(a, b, c); }
static inline quad q_fma(quad a, quad b, quad c) { return vf_fma(a, b, c); }
#elif defined RILL_SIMD_NEON
static inline lanes l_fma(lanes a, lanes b, lanes c) { return v_fma(a, b, c); }
static inline quad q_fma(quad a, quad b, quad c) {
  const vreal low = v_fma(__builtin_shufflevector(a, a, 0, 1), __builtin_shufflevector(b, b, 0, 1),
                          __builtin_shufflevector(c, c, 0, 1));
  const vreal high = v_fma(__builtin_shufflevector(a, a, 2, 3), __builtin_shufflevector(b, b, 2, 3),
                           __builtin_shufflevector(c, c, 2, 3));
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
}
#elif defined RILL_REAL_SINGLE
static inline quad q_fma(quad a, quad b, quad c) { return _mm_fmadd_ps(a, b, c); }
static inline octet o_fma(octet a, octet b, octet c) { return _mm256_fmadd_ps(a, b, c); }
#else
static inline quad q_fma(quad a, quad b, quad c) { return _mm256_fmadd_pd(a, b, c); }
#endif
#if defined RILL_SIMD_AVX512 && !defined RILL_REAL_SINGLE
static inline octet o_fma(octet a, octet b, octet c) { return _mm512_fmadd_pd(a, b, c); }
#endif
#if defined RILL_SIMD_AVX512 && defined RILL_REAL_SINGLE
static inline lanes l_fma(lanes a, lanes b, lanes c) { return _mm512_fmadd_ps(a, b, c); }
#elif defined RILL_SIMD_AVX512
static inline lanes l_fma(lanes a, lanes b, lanes c) { return _mm512_fmadd_pd(a, b, c); }
#elif defined RILL_SIMD_AVX2 && defined RILL_REAL_SINGLE
static inline lanes l_fma(lanes a, lanes b, lanes c) { return _mm256_fmadd_ps(a, b, c); }
#elif defined RILL_SIMD_AVX2
static inline lanes l_fma(lanes a, lanes b, lanes c) { return _mm256_fmadd_pd(a, b, c); }
#endif

#endif

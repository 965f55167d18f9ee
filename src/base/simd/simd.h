/* A small vector vocabulary, in which the body of a kernel is written once and compiled for each instruction set.
 *
 * A source file that uses it defines one of RILL_SIMD_PORTABLE, RILL_SIMD_NEON, RILL_SIMD_AVX2, RILL_SIMD_AVX512,
 * RILL_SIMD_AVX512VL (that of AVX2, with masks and 32 registers, for bodies in single precision) before including it,
 * and is compiled with the flags of that set.  Everything is static inline, so that no code is shared between
 * instruction sets.
 *
 *   RILL_WIDTH        lanes: 2 (portable, NEON), 4 (AVX2) or 8 (AVX-512); arrays are padded to RILL_LANES = 8
 *   vreal             RILL_WIDTH doubles;  + - * / work on it
 *   vmask             the result of a comparison
 *   vint              RILL_WIDTH unsigned 64-bit lanes;  + - ^ & | << >> work on it
 *   v_load v_store    aligned;  v_loadu v_storeu: any address;  v_stream: aligned non-temporal store, followed
 *                     by v_stream_end before other threads read the data
 *   v_load_int        aligned;  v_permute (lane i becomes lane[i] of a)
 *   v_keep            the same value, kept in a register from here on; otherwise compilers may reload it at every use
 *   v_set v_fma (a*b+c) v_fnma (c-a*b) v_sqrt v_max v_min v_abs
 *   v_root v_rsqrt v_reciprocal   sqrt, 1/sqrt, 1/a to a few ulp, of positive numbers that are not denormal
 *   v_rsqrt_estimate  1/sqrt with a relative error of at most RILL_ESTIMATE_ERROR, for bodies that refine it by a
 *                     series up to the power RILL_ESTIMATE_TERMS of e = 1 - a y2; arguments 1e-30 to 1e30 (undefined
 *                     for 0)
 *   v_less v_and_mask (zero where false) v_select v_any v_mask_or v_mask_first (lanes < n)
 *   v_mul32 (low halves multiplied to 64 bits) v_real_of_u32 (exact) v_bits v_real_of_bits
 *   v_sum             in a fixed order
 *   v_load_rows4      lane k of out[c] is base[offset[k] + c]: rows of four doubles, aligned to 32 bytes
 *   v_add_rows        base[offset[k] + c] += lane k of in[c], one k after another; the fourth of a row is undefined
 *
 * Single precision, for pair arithmetic:
 *   RILL_FLOAT_WIDTH  lanes: 4 (portable, NEON), 8 (AVX2) or 16 (AVX-512)
 *   vfloat vint32 vfmask   floats; 32-bit lanes that wrap; the result of a comparison
 *   vf_* as v_* above (loads and stores: any address); vf_rsqrt_estimate is accurate to RILL_FLOAT_ESTIMATE_ERROR and
 *                     needs a series to the power RILL_FLOAT_ESTIMATE_TERMS of e
 *   vf_of_int vf_to_int (signed, to nearest, halves either way) vf_mask_bits (one bit for each lane)
 *   vf_widen vf_narrow  to two vectors of doubles and back;  vf_both: one vector of doubles, in both halves
 *   vf_swap (the halves)  vf_permute (as v_permute)  vf_mask_halves (the first n lanes of each half)
 *   vf_load_rows      lane k of out[c] is base[offset[k] + c]: rows of four floats, aligned to 16 bytes; only
 *                     vf_load_rows4 returns the fourth
 *   vi_add_rows       (4 and 8 lanes) base[offset[k] + c] += lane k of in[c], one k after another; the fourth of a
 *                     row is undefined
 *   vi_add_records    (16 lanes) the same for three rows of a record of sixteen, aligned to 64 bytes
 *   vi_sum_rows       the sum over lanes, added to to[0][c]; with 16 lanes the upper eight are added to to[1][c]
 *   vi_load vi_store vi_set vi_gather; vf_set_halves (16 lanes: eight of each)
 *   vi_store_four     (4 and 8 lanes) the first or second four lanes, in an order */
#ifndef RILL_BASE_SIMD_SIMD_H
#define RILL_BASE_SIMD_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "base/simd/lanes.h"

#if defined RILL_SIMD_AVX512
#include "base/simd/avx512.h"
#elif defined RILL_SIMD_AVX2 || defined RILL_SIMD_AVX512VL
#include "base/simd/avx2.h"
#elif defined RILL_SIMD_NEON
#include "base/simd/neon.h"
#elif defined RILL_SIMD_PORTABLE
#include "base/simd/portable.h"
#else
#error "define one of the RILL_SIMD_... above before including base/simd/simd.h"
#endif

/* Sum of the lanes, pairwise, always in the same order for a given width. */
static inline double v_sum(vreal a) {
  double lane[RILL_WIDTH];
  v_storeu(lane, a);
  for (int half = RILL_WIDTH / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++) lane[i] += lane[i + half];
  return lane[0];
}

#endif

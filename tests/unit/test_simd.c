/* The vocabulary for vectors of 128 bits, word by word, against plain loops: on AArch64 that of NEON, elsewhere the
 * portable one.  The kernels' tests see only what their bodies use, and see it through tolerances. */
#include <math.h>
#include <string.h>

#include "config.h"
#ifdef RILL_HAVE_NEON
#define RILL_SIMD_NEON
#else
#define RILL_SIMD_PORTABLE
#endif
#include "base/simd/math.h"
#include "base/simd/simd.h"
#include "suite.h"

enum { W = RILL_WIDTH, F = RILL_FLOAT_WIDTH };

#define EACH(k, count) for (size_t k = 0; k < (size_t)(count); k++)

/* Doubles and floats with all bits in use, of both signs. */
static double number(size_t k) {
  return (k % 2 ? -1.0 : 1.0) * (1.0 + sin((double)(k + 1))) * pow(3.0, (double)(k % 7) - 3.0);
}

static vreal reals(size_t seed) {
  _Alignas(64) double lane[W];
  EACH(k, W) lane[k] = number(seed + k);
  return v_load(lane);
}
static vfloat floats(size_t seed) {
  float lane[F];
  EACH(k, F) lane[k] = (float)number(seed + k);
  return vf_load(lane);
}

/* One rounding, where there is an instruction for it. */
static double product_sum(double a, double b, double c) { return RILL_ESTIMATE_TERMS > 0 ? fma(a, b, c) : a * b + c; }
static float product_sum_of_floats(float a, float b, float c) {
  return RILL_ESTIMATE_TERMS > 0 ? fmaf(a, b, c) : a * b + c;
}

START_TEST(arithmetic_of_doubles) {
  EACH(seed, 100) {
    const vreal a = reals(seed), b = reals(seed + 11), c = reals(seed + 31);
    const vreal sum = v_fma(a, b, c), difference = v_fnma(a, b, c), most = v_max(a, b), least = v_min(a, b);
    const vreal root = v_sqrt(v_abs(a)), inverse = v_rsqrt(v_abs(a)), taken = v_select(v_less(a, b), a, c);
    const vreal kept = v_and_mask(a, v_less(a, b)), fast_root = v_root(v_abs(a)), over = v_reciprocal(v_abs(a));
    EACH(k, W) {
      ck_assert_double_eq(sum[k], product_sum(a[k], b[k], c[k]));
      ck_assert_double_eq(difference[k], product_sum(-a[k], b[k], c[k]));
      ck_assert_double_eq(most[k], fmax(a[k], b[k]));
      ck_assert_double_eq(least[k], fmin(a[k], b[k]));
      ck_assert_double_eq(root[k], sqrt(fabs(a[k])));
      ck_assert_double_le(fabs(inverse[k] * sqrt(fabs(a[k])) - 1.0), 1e-15);
      ck_assert_double_le(fabs(fast_root[k] / sqrt(fabs(a[k])) - 1.0), 1e-15);
      ck_assert_double_le(fabs(over[k] * fabs(a[k]) - 1.0), 1e-15);
      ck_assert_double_eq(taken[k], a[k] < b[k] ? a[k] : c[k]);
      ck_assert_double_eq(kept[k], a[k] < b[k] ? a[k] : 0.0);
    }
  }
}
END_TEST

START_TEST(arithmetic_of_floats) {
  EACH(seed, 100) {
    const vfloat a = floats(seed), b = floats(seed + 11), c = floats(seed + 31);
    const vfloat sum = vf_fma(a, b, c), difference = vf_fnma(a, b, c), most = vf_max(a, b), least = vf_min(a, b);
    const vfloat root = vf_sqrt(vf_of_bits(vf_bits(a) & vi_set(INT32_MAX))), kept = vf_and_mask(a, vf_less(a, b));
    EACH(k, F) {
      ck_assert_float_eq(sum[k], product_sum_of_floats(a[k], b[k], c[k]));
      ck_assert_float_eq(difference[k], product_sum_of_floats(-a[k], b[k], c[k]));
      ck_assert_float_eq(most[k], fmaxf(a[k], b[k]));
      ck_assert_float_eq(least[k], fminf(a[k], b[k]));
      ck_assert_float_eq(root[k], sqrtf(fabsf(a[k])));
      ck_assert_float_eq(kept[k], a[k] < b[k] ? a[k] : 0.0f);
    }
  }
}
END_TEST

/* Over two octaves, on which the instructions' tables repeat: the bounds that the series of bodies assume. */
START_TEST(estimates_are_within_their_bounds) {
  double worst = 0.0, worst_of_floats = 0.0;
  for (uint32_t bits = 0x3f000000; bits < 0x40000000; bits += 251) {
    float a;
    double exact;
    memcpy(&a, &bits, sizeof a);
    exact = 1.0 / sqrt((double)a);
    worst = fmax(worst, fabs(v_rsqrt_estimate(v_set((double)a))[0] / exact - 1.0));
    worst_of_floats = fmax(worst_of_floats, fabs((double)vf_rsqrt_estimate(vf_set(a))[0] / exact - 1.0));
  }
  ck_assert_double_le(worst, RILL_ESTIMATE_ERROR + 3e-16);
  ck_assert_double_le(worst_of_floats, RILL_FLOAT_ESTIMATE_ERROR + 1.2e-7);
}
END_TEST

START_TEST(masks) {
  EACH(n, 2 * F) {
    const vmask first = v_mask_first(n);
    const vfmask of_floats = vf_mask_first(n), halves = vf_mask_halves(n);
    const vreal kept = v_and_mask(v_set(1.0), first);
    unsigned whole = 0, twice = 0;
    EACH(k, W) ck_assert_double_eq(kept[k], k < n ? 1.0 : 0.0);
    ck_assert_int_eq(v_any(first), n > 0);
    EACH(k, F) {
      whole |= (unsigned)(k < n) << k;
      twice |= (unsigned)(k % (F / 2) < n) << k;
    }
    ck_assert_uint_eq(vf_mask_bits(of_floats), whole);
    ck_assert_uint_eq(vf_mask_bits(halves), twice);
  }
  EACH(one, W) {
    double lane[W] = {0};
    lane[one] = -1.0;
    ck_assert(v_any(v_less(v_loadu(lane), v_set(0.0))));
    ck_assert(v_any(v_mask_or(v_less(v_loadu(lane), v_set(0.0)), v_mask_first(0))));
  }
}
END_TEST

START_TEST(integers_and_conversions) {
  EACH(seed, 100) {
    const vreal a = reals(seed), pair[2] = {a, reals(seed + 5)};
    const uint64_t scramble = 0x9e3779b97f4a7c15U * (seed + 1);
    const vint x = v_iota(scramble), y = v_bits(a), product = v_mul32(x, y), words[2] = {x, y};
    const vreal real = v_real_of_u32(x);
    const vfloat narrow = vf_narrow(pair), both = vf_both(a), f = floats(seed) * vf_set(1000.0f);
    const vint32 low = vi_narrow(words), rounded = vf_to_int(f);
    const vfloat back = vf_of_int(rounded);
    vreal wide[2];
    vf_widen(narrow, wide);
    EACH(k, W) {
      ck_assert_uint_eq(product[k], (x[k] & 0xffffffffU) * (y[k] & 0xffffffffU));
      ck_assert_double_eq(real[k], (double)(x[k] & 0xffffffffU));
    }
    EACH(k, F) {
      ck_assert_float_eq(narrow[k], (float)pair[k / W][k % W]);
      ck_assert_float_eq(both[k], (float)a[k % W]);
      ck_assert_double_eq(wide[k / W][k % W], (double)narrow[k]);
      ck_assert_uint_eq(low[k], (uint32_t)words[k / W][k % W]);
      ck_assert_int_eq((int32_t)rounded[k], (int32_t)lrintf(f[k]));
      ck_assert_float_eq(back[k], (float)(int32_t)rounded[k]);
    }
  }
}
END_TEST

START_TEST(lanes_in_another_order) {
  const vfloat a = floats(3);
  const vreal r = reals(3);
  const int32_t order[4] = {2, 0, 3, 1};
  for (uint32_t turn = 0; turn < F; turn++) {
    uint32_t lane[F];
    uint64_t of_reals[W];
    vint32 lanes;
    vint lanes_of_reals;
    EACH(k, F) lane[k] = (uint32_t)((k + turn) % F);
    EACH(k, W) of_reals[k] = (k + turn) % W;
    memcpy(&lanes, lane, sizeof lanes);
    memcpy(&lanes_of_reals, of_reals, sizeof lanes_of_reals);
    EACH(k, F) ck_assert_float_eq(vf_permute(a, lanes)[k], a[lane[k]]);
    EACH(k, W) ck_assert_double_eq(v_permute(r, lanes_of_reals)[k], r[of_reals[k]]);
  }
  EACH(k, F) ck_assert_float_eq(vf_swap(a)[k], a[(k + F / 2) % F]);
  EACH(four, F / 4) {
    int32_t stored[4];
    vi_store_four(stored, vf_bits(a), (int)four, order);
    EACH(k, 4) ck_assert_uint_eq((uint32_t)stored[k], vf_bits(a)[4 * four + (size_t)order[k]]);
  }
}
END_TEST

/* Rows at scattered places; one is met twice, as dummies are, and what is added wraps. */
START_TEST(rows) {
  enum { ROWS = 16 };
  _Alignas(64) double doubles[4 * ROWS];
  _Alignas(64) float singles[4 * ROWS];
  _Alignas(64) int64_t sums[4 * ROWS] = {0};
  _Alignas(64) int32_t sums_of_singles[4 * ROWS] = {0}, last[4] = {0};
  size_t offset[F];
  uint32_t index[F];
  vreal out[4];
  vfloat out_of_singles[4], three[3];
  vint in[3];
  vint32 in_of_singles[3], gathered;
  int32_t *to[1] = {last};
  EACH(k, 4 * ROWS) {
    doubles[k] = number(k);
    singles[k] = (float)number(k + 1);
  }
  EACH(k, F) {
    offset[k] = 4 * (k + 1 == F ? 5 : (5 + 7 * k) % ROWS);
    index[k] = (uint32_t)offset[k] + 1;
  }
  v_load_rows4(doubles, offset, out);
  vf_load_rows4(singles, offset, out_of_singles);
  vf_load_rows(singles, offset, three);
  EACH(c, 4) {
    EACH(k, W) ck_assert_double_eq(out[c][k], doubles[offset[k] + c]);
    EACH(k, F) ck_assert_float_eq(out_of_singles[c][k], singles[offset[k] + c]);
    EACH(k, F) ck_assert(c == 3 || three[c][k] == singles[offset[k] + c]);
  }
  EACH(c, 3) {
    in[c] = v_bits(reals(c));
    in_of_singles[c] = vf_bits(floats(c));
  }
  offset[W - 1] = offset[0];
  v_add_rows(sums, offset, in);
  EACH(c, 3) {
    uint64_t sum = 0;
    EACH(k, W) sum += in[c][k];
    ck_assert_uint_eq((uint64_t)sums[offset[0] + c], sum);
  }
  offset[W - 1] = 4 * 12;
  vi_add_rows(sums_of_singles, offset, in_of_singles);
  vi_sum_rows(to, in_of_singles);
  EACH(c, 3) {
    uint32_t all = 0;
    EACH(k, F) {
      const uint32_t twice =
          k == 0 || k + 1 == F ? in_of_singles[c][0] + in_of_singles[c][F - 1] : in_of_singles[c][k];
      ck_assert_uint_eq((uint32_t)sums_of_singles[offset[k] + c], twice);
      all += in_of_singles[c][k];
    }
    ck_assert_uint_eq((uint32_t)last[c], all);
  }
  gathered = vi_gather(sums_of_singles, index);
  EACH(k, F) ck_assert_uint_eq(gathered[k], (uint32_t)sums_of_singles[index[k]]);
}
END_TEST

START_TEST(functions) {
  EACH(seed, 100) {
    vreal x[1] = {v_abs(reals(seed))}, sine[1], cosine[1];
    const vreal start = x[0], t = reals(seed) * v_set(5.0);
    v_minus_two_log(1, 0, x);
    v_sincos_quarters(1, &t, sine, cosine);
    EACH(k, W) {
      ck_assert_double_le(fabs(x[0][k] + 2.0 * log(start[k])), 4e-15);
      ck_assert_double_le(fabs(sine[0][k] - sin(1.57079632679489661923 * t[k])), 1e-13);
      ck_assert_double_le(fabs(cosine[0][k] - cos(1.57079632679489661923 * t[k])), 1e-13);
    }
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("simd");
  TCase *cases = tcase_create("simd");
  tcase_add_test(cases, arithmetic_of_doubles);
  tcase_add_test(cases, arithmetic_of_floats);
  tcase_add_test(cases, estimates_are_within_their_bounds);
  tcase_add_test(cases, masks);
  tcase_add_test(cases, integers_and_conversions);
  tcase_add_test(cases, lanes_in_another_order);
  tcase_add_test(cases, rows);
  tcase_add_test(cases, functions);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

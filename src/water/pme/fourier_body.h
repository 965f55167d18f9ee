/* The vector body of the transforms; see water/pme/fourier.h and base/simd/real.h. */
#ifndef RILL_WATER_PME_FOURIER_BODY_H
#define RILL_WATER_PME_FOURIER_BODY_H

#include "base/simd/real.h"
#include "water/pme/fourier.h"

/* A line of complex vectors: number j stands at re + j * step, im + j * step (aligned). */
struct line {
  real *re, *im;
  size_t step;
};

struct number { lanes re, im; };

#define INLINE static inline __attribute__((always_inline))

INLINE struct number n_load(const struct line *line, size_t j) {
  return (struct number){l_load(line->re + j * line->step), l_load(line->im + j * line->step)};
}
INLINE void n_store(const struct line *line, size_t j, struct number a) {
  l_store(line->re + j * line->step, a.re);
  l_store(line->im + j * line->step, a.im);
}
INLINE struct number n_add(struct number a, struct number b) { return (struct number){a.re + b.re, a.im + b.im}; }
INLINE struct number n_sub(struct number a, struct number b) { return (struct number){a.re - b.re, a.im - b.im}; }
/* a + f b; f b; a - i b; a + i b */
INLINE struct number n_axpy(struct number a, lanes f, struct number b) {
  return (struct number){l_fma(f, b.re, a.re), l_fma(f, b.im, a.im)};
}
INLINE struct number n_scale(lanes f, struct number b) { return (struct number){f * b.re, f * b.im}; }
INLINE struct number n_sub_i(struct number a, struct number b) { return (struct number){a.re + b.im, a.im - b.re}; }
INLINE struct number n_add_i(struct number a, struct number b) { return (struct number){a.re - b.im, a.im + b.re}; }
/* a times the complex number at turn. */
INLINE struct number n_turn(struct number a, const real *turn) {
  const lanes c = l_set(turn[0]), s = l_set(turn[1]);
  return (struct number){l_fma(a.re, c, -(a.im * s)), l_fma(a.re, s, a.im * c)};
}

INLINE struct number n_turn_back(struct number a, const real *turn) {
  const lanes c = l_set(turn[0]), s = l_set(turn[1]);
  return (struct number){l_fma(a.re, c, a.im * s), l_fma(a.im, c, -(a.re * s))};
}
INLINE struct number n_conjugate(struct number a) { return (struct number){a.re, -a.im}; }
INLINE struct line n_exchanged(struct line line) { return (struct line){line.im, line.re, line.step}; }

/* The transform of `radix` numbers, in place. */
INLINE void butterfly(const size_t radix, struct number a[]) {
  if (radix == 2) {
    const struct number b = n_sub(a[0], a[1]);
    a[0] = n_add(a[0], a[1]);
    a[1] = b;
  } else if (radix == 3) {
    const struct number sum = n_add(a[1], a[2]), half = n_axpy(a[0], l_set((real)-0.5), sum);
    const struct number across = n_scale(l_set((real)0.86602540378443864676), n_sub(a[1], a[2]));
    a[0] = n_add(a[0], sum);
    a[1] = n_sub_i(half, across);
    a[2] = n_add_i(half, across);
  } else if (radix == 4) {
    const struct number p = n_add(a[0], a[2]), q = n_sub(a[0], a[2]), r = n_add(a[1], a[3]), s = n_sub(a[1], a[3]);
    a[0] = n_add(p, r);
    a[1] = n_sub_i(q, s);
    a[2] = n_sub(p, r);
    a[3] = n_add_i(q, s);
  } else {
    const lanes c1 = l_set((real)0.30901699437494742410), c2 = l_set((real)-0.80901699437494742410);
    const lanes s1 = l_set((real)0.95105651629515357212), s2 = l_set((real)0.58778525229247312917);
    const struct number p = n_add(a[1], a[4]), q = n_add(a[2], a[3]), r = n_sub(a[1], a[4]), s = n_sub(a[2], a[3]);
    const struct number u = n_axpy(n_axpy(a[0], c1, p), c2, q), v = n_axpy(n_axpy(a[0], c2, p), c1, q);
    const struct number x = n_axpy(n_scale(s1, r), s2, s), y = n_axpy(n_scale(s2, r), -s1, s);
    a[0] = n_add(a[0], n_add(p, q));
    a[1] = n_sub_i(u, x);
    a[2] = n_sub_i(v, y);
    a[3] = n_add_i(v, y);
    a[4] = n_add_i(u, x);
  }
}

/* One pass: of transforms of length m radix, `count` are interleaved. */
INLINE void fourier_pass(const size_t radix, size_t m, size_t count, const real *turns, const struct line *from,
                         const struct line *to) {
  for (size_t k = 0; k < m; k++)
    for (size_t t = 0; t < count; t++) {
      struct number a[5];
#pragma GCC unroll 5
      for (size_t j = 0; j < radix; j++) a[j] = n_load(from, t + count * (k + m * j));
      butterfly(radix, a);
      n_store(to, t + count * radix * k, a[0]);
#pragma GCC unroll 5
      for (size_t j = 1; j < radix; j++)
        n_store(to, t + count * (radix * k + j), k == 0 ? a[j] : n_turn(a[j], turns + 2 * (k * radix + j)));
    }
}

/* Any other factor: the sums as they stand. */
static void fourier_pass_any(size_t radix, size_t m, size_t count, const real *turns, const real *roots,
                             const struct line *from, const struct line *to) {
  for (size_t k = 0; k < m; k++)
    for (size_t t = 0; t < count; t++)
      for (size_t j = 0; j < radix; j++) {
        struct number sum = n_load(from, t + count * k);
        for (size_t i = 1; i < radix; i++)
          sum = n_add(sum, n_turn(n_load(from, t + count * (k + m * i)), roots + 2 * (i * j % radix)));
        n_store(to, t + count * (radix * k + j), n_turn(sum, turns + 2 * (k * radix + j)));
      }
}

/* Lines of one transform's length; work: 4 length vectors.  `to` may be `from`, unless the length is a single factor
 * above 5: then a copy goes between.  The inverse is the same with real and imaginary parts exchanged in both
 * lines. */
static void fourier_transform(const struct rill_fourier *fourier, struct line from, struct line to, real *work) {
  size_t n = fourier->length, count = 1;
  const size_t half = n * RILL_REAL_LANES;
  if (fourier->passes == 0) n_store(&to, 0, n_load(&from, 0));
  if (fourier->passes == 1 && fourier->radix[0] > 5) {
    const struct line copy = {work, work + half, RILL_REAL_LANES};
    for (size_t j = 0; j < n; j++) n_store(&copy, j, n_load(&from, j));
    from = copy;
  }
  for (int pass = 0; pass < fourier->passes; pass++) {
    const size_t radix = fourier->radix[pass], m = n / radix;
    const real *turns = fourier->turns[pass], *roots = fourier->roots[pass];
    real *memory = work + (pass % 2 == 0 ? 0 : 2 * half);
    const struct line next = pass == fourier->passes - 1 ? to : (struct line){memory, memory + half, RILL_REAL_LANES};
    switch (radix) {
      case 2: fourier_pass(2, m, count, turns, &from, &next); break;
      case 3: fourier_pass(3, m, count, turns, &from, &next); break;
      case 4: fourier_pass(4, m, count, turns, &from, &next); break;
      case 5: fourier_pass(5, m, count, turns, &from, &next); break;
      default: fourier_pass_any(radix, m, count, turns, roots, &from, &next);
    }
    from = next;
    n = m;
    count *= radix;
  }
}

#endif

#include "base/exact_sum.h"

#include <math.h>

static const int64_t radix = INT64_C(1) << 32;

void rill_exact_carry(struct rill_exact_sum *sum) {
  for (int k = 0; k + 1 < RILL_EXACT_LIMBS; k++) {
    const int64_t digit = sum->limb[k] & (radix - 1);
    sum->limb[k + 1] += (sum->limb[k] - digit) / radix;
    sum->limb[k] = digit;
  }
  sum->terms = 1;
}

void rill_exact_merge(struct rill_exact_sum *sum, const struct rill_exact_sum *other) {
  struct rill_exact_sum carried = *other;
  rill_exact_carry(&carried);
  for (int k = 0; k < RILL_EXACT_LIMBS; k++) sum->limb[k] += carried.limb[k];
  sum->invalid |= carried.invalid;
  if (++sum->terms >= 1U << 29) rill_exact_carry(sum);
}

/* The digits of the magnitude, the last limb as two; returns the sign. */
static int digits_of(const struct rill_exact_sum *sum, uint64_t digit[RILL_EXACT_LIMBS + 1]) {
  struct rill_exact_sum s = *sum;
  int sign = 1;
  rill_exact_carry(&s);
  if (s.limb[RILL_EXACT_LIMBS - 1] < 0) {
    sign = -1;
    for (int k = 0; k < RILL_EXACT_LIMBS; k++) s.limb[k] = -s.limb[k];
    rill_exact_carry(&s);
  }
  for (int k = 0; k < RILL_EXACT_LIMBS; k++) digit[k] = (uint64_t)s.limb[k] & 0xffffffffU;
  digit[RILL_EXACT_LIMBS] = (uint64_t)s.limb[RILL_EXACT_LIMBS - 1] >> 32;
  return sign;
}

/* The 64 leading bits, of which the last also stands for all that follow it, are rounded to nearest by the
 * conversion. */
double rill_exact_value(const struct rill_exact_sum *sum) {
  uint64_t digit[RILL_EXACT_LIMBS + 1], leading, next;
  int sign, top = RILL_EXACT_LIMBS, shift = 0;
  if (sum->invalid) return NAN;
  sign = digits_of(sum, digit);
  while (top > 0 && digit[top] == 0) top--;
  leading = digit[top] << 32 | (top >= 1 ? digit[top - 1] : 0);
  next = top >= 2 ? digit[top - 2] : 0;
  if (leading == 0) return 0.0;
  while (!(leading >> 63)) {
    leading <<= 1;
    shift++;
  }
  leading |= next >> (32 - shift);
  if (next << shift & 0xffffffffU) leading |= 1;
  for (int k = top - 3; k >= 0; k--)
    if (digit[k] != 0) leading |= 1;
  return sign * ldexp((double)leading, 32 * (top - 1) - shift + RILL_EXACT_UNIT);
}

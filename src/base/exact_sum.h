/* Sums that do not depend on the order of their terms.
 *
 * A sum is an integer in units of 2^-160, in digits of 32 bits that stand in limbs of 64: a term is added to three
 * limbs without carries, and sums of sums are sums of limbs, whoever adds them.  A term's bits below 2^-160 are lost;
 * the rest is exact, and the value is the nearest double.  The width allows for squares of rounding errors as well as
 * for the energies of 2^31 molecules.  After Hallberg & Adcroft, Parallel Comput. 40, 140 (2014), whose limbs hold
 * fewer bits. */
#ifndef RILL_BASE_EXACT_SUM_H
#define RILL_BASE_EXACT_SUM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { RILL_EXACT_LIMBS = 8, RILL_EXACT_UNIT = -160 /* power of 2 */ };

/* Zeroed: no terms. */
struct rill_exact_sum {
  int64_t limb[RILL_EXACT_LIMBS];
  uint32_t terms; /* since the carries were last passed on, at most: limbs hold 2^29 of them */
  bool invalid;   /* a term was not finite, or 2^62 or more */
};

/* Passes on the carries: all limbs but the last are then digits, 0 ... 2^32 - 1, and equal sums have equal bytes. */
void rill_exact_carry(struct rill_exact_sum *sum);

static inline void rill_exact_add(struct rill_exact_sum *sum, double term) {
  uint64_t bits, mantissa, low, high;
  int exponent, place;
  memcpy(&bits, &term, sizeof bits);
  exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  mantissa = (bits & 0xfffffffffffffU) | 0x10000000000000U;
  place = exponent - 52 - RILL_EXACT_UNIT;
  if (exponent >= 62) {
    sum->invalid = true;
    return;
  }
  if (place < 0) {
    if (place < -52) return;
    mantissa >>= -place;
    place = 0;
  }
  low = (mantissa & 0xffffffffU) << (place & 31);
  high = (mantissa >> 32) << (place & 31);
  if (++sum->terms >= 1U << 29) rill_exact_carry(sum);
  int64_t *limb = sum->limb + (place >> 5);
  const int64_t digit[3] = {(int64_t)(low & 0xffffffffU), (int64_t)((low >> 32) + (high & 0xffffffffU)),
                            (int64_t)(high >> 32)};
  if (bits >> 63) limb[0] -= digit[0], limb[1] -= digit[1], limb[2] -= digit[2];
  else limb[0] += digit[0], limb[1] += digit[1], limb[2] += digit[2];
}

/* x rounded to a whole number, for |x| below 2^51: the last bit of 1.5 * 2^52 is worth 1. */
static inline int64_t rill_whole_units(double x) {
  union {
    double real;
    uint64_t bits;
  } const magic = {.real = 0x1.8p52}, shifted = {.real = x + magic.real};
  return (int64_t)(shifted.bits - magic.bits);
}

/* sum += units 2^exponent, exactly; exponent from RILL_EXACT_UNIT to -2. */
static inline void rill_exact_add_units(struct rill_exact_sum *sum, int64_t units, int exponent) {
  rill_exact_add(sum, ldexp((double)(units >> 32), exponent + 32));
  rill_exact_add(sum, ldexp((double)(units & 0xffffffff), exponent));
}

/* sum += other */
void rill_exact_merge(struct rill_exact_sum *sum, const struct rill_exact_sum *other);

/* The nearest double; NaN for an invalid sum. */
double rill_exact_value(const struct rill_exact_sum *sum);

#endif

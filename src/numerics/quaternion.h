/* Quaternions (s, x, y, z), inline.  A unit quaternion rotates body vectors into spatial ones: v -> q v conj(q). */
#ifndef RILL_NUMERICS_QUATERNION_H
#define RILL_NUMERICS_QUATERNION_H

#include <math.h>

/* product = a b; product must not alias a or b. */
static inline void rill_quaternion_multiply(const double a[4], const double b[4], double product[4]) {
  product[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  product[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  product[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
  product[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

static inline void rill_quaternion_conjugate(const double a[4], double conjugate[4]) {
  conjugate[0] = a[0];
  for (int i = 1; i < 4; i++) conjugate[i] = -a[i];
}

static inline void rill_quaternion_normalise(double a[4]) {
  double norm = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
  for (int i = 0; i < 4; i++) a[i] /= norm;
}

#endif

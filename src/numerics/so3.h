/* The rotation group, inline: rotation matrices R (row major, [9]) and rotation vectors x in R^3; x^ y = x cross y.
 *
 * There are two retractions tau: R^3 -> SO(3), the Cayley map cay(x) = (1 - x^/2)^-1 (1 + x^/2) and the exponential
 * map. For either, dtau_x is the right-trivialised tangent, dtau(x) y = (dtau_x y)^ tau(x).  Methods need the dual of
 * its inverse, which takes the impulse conjugate to x to the body momentum at the start of the step (and with -x, to
 * that at its end).  Bou-Rabee & Marsden, Found. Comput. Math. 9, 197 (2009), section 4. */
#ifndef RILL_NUMERICS_SO3_H
#define RILL_NUMERICS_SO3_H

#include <math.h>

static inline double rill_dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void rill_cross3(const double a[3], const double b[3], double out[3]) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x, out[1] = y, out[2] = z;
}

/* out = A B, out = A^T x, out = A x; out must not alias an argument. */
static inline void rill_mat3_product(const double a[9], const double b[9], double out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

static inline void rill_mat3_transposed_apply(const double a[9], const double x[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = a[i] * x[0] + a[3 + i] * x[1] + a[6 + i] * x[2];
}

static inline void rill_mat3_apply(const double a[9], const double x[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = rill_dot3(a + 3 * i, x);
}

static inline void rill_so3_hat(const double x[3], double matrix[9]) {
  matrix[0] = 0, matrix[1] = -x[2], matrix[2] = x[1];
  matrix[3] = x[2], matrix[4] = 0, matrix[5] = -x[0];
  matrix[6] = -x[1], matrix[7] = x[0], matrix[8] = 0;
}

/* The vector of the skew part of a matrix. */
static inline void rill_so3_vee(const double matrix[9], double x[3]) {
  x[0] = 0.5 * (matrix[7] - matrix[5]);
  x[1] = 0.5 * (matrix[2] - matrix[6]);
  x[2] = 0.5 * (matrix[3] - matrix[1]);
}

/* increment = a x^ + b x^ x^: the rotation minus 1, without cancellation. */
static inline void rill_so3_increment(const double x[3], double a, double b, double increment[9]) {
  rill_so3_hat(x, increment);
  for (int i = 0; i < 9; i++) increment[i] *= a;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double others = x[(i + 1) % 3] * x[(i + 1) % 3] + x[(i + 2) % 3] * x[(i + 2) % 3];
      increment[3 * i + j] += b * (i == j ? -others : x[i] * x[j]);
    }
}

/* rotation = 1 + a x^ + b x^ x^ */
static inline void rill_so3_quadratic(const double x[3], double a, double b, double rotation[9]) {
  double square = rill_dot3(x, x);
  rill_so3_hat(x, rotation);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      rotation[3 * i + j] = a * rotation[3 * i + j] + b * x[i] * x[j] + (i == j ? 1 - b * square : 0);
}

/* --- the Cayley map --- */

static inline void rill_so3_cayley(const double x[3], double rotation[9]) {
  double a = 1 / (1 + 0.25 * rill_dot3(x, x));
  rill_so3_quadratic(x, a, 0.5 * a, rotation);
}

/* The inverse for a rotation by less than half a turn: x = 4 vee(R) / (1 + tr R). */
static inline void rill_so3_cayley_inverse(const double rotation[9], double x[3]) {
  double scale = 4 / (1 + rotation[0] + rotation[4] + rotation[8]);
  rill_so3_vee(rotation, x);
  for (int i = 0; i < 3; i++) x[i] *= scale;
}

/* out = mu + x cross mu / 2 + (x.mu) x / 4 */
static inline void rill_so3_cayley_tangent_inverse_dual(const double x[3], const double mu[3], double out[3]) {
  double along = 0.25 * rill_dot3(x, mu), cross[3];
  rill_cross3(x, mu, cross);
  for (int i = 0; i < 3; i++) out[i] = mu[i] + 0.5 * cross[i] + along * x[i];
}

/* The derivative of that with respect to x, along d. */
static inline void rill_so3_cayley_tangent_inverse_dual_derivative(const double x[3], const double mu[3],
                                                                   const double d[3], double out[3]) {
  double along = 0.25 * rill_dot3(x, mu), change = 0.25 * rill_dot3(d, mu), cross[3];
  rill_cross3(d, mu, cross);
  for (int i = 0; i < 3; i++) out[i] = 0.5 * cross[i] + change * x[i] + along * d[i];
}

/* --- the exponential map --- */

/* Below this squared angle series replace the closed forms; the first omitted terms are below 1e-17. */
#define RILL_SO3_SMALL 1e-3

/* a = sin t / t and b = (1 - cos t) / t^2 of exp(x^) = 1 + a x^ + b x^ x^, s = t^2 = |x|^2. */
static inline void rill_so3_exp_coefficients(double s, double *a, double *b) {
  double angle = sqrt(s), half = sin(0.5 * angle);
  *a = s < RILL_SO3_SMALL ? 1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72))) : sin(angle) / angle;
  *b = s < RILL_SO3_SMALL ? 0.5 - s / 24 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90))) : 2 * half * half / s;
}

static inline void rill_so3_exp(const double x[3], double rotation[9]) {
  double a, b;
  rill_so3_exp_coefficients(rill_dot3(x, x), &a, &b);
  rill_so3_quadratic(x, a, b, rotation);
}

/* The rotation vector, of length at most pi, through the quaternion, computed from its largest component. */
static inline void rill_so3_log(const double rotation[9], double x[3]) {
  const double *r = rotation;
  double trace = r[0] + r[4] + r[8], q[4], length, scale; /* q: scalar part last */
  int k = r[4] > r[0] ? 1 : 0;
  if (r[8] > r[4 * k]) k = 2;
  if (trace >= r[4 * k]) {
    q[3] = 1 + trace;
    rill_so3_vee(r, q);
    for (int i = 0; i < 3; i++) q[i] *= 2;
  } else {
    int l = (k + 1) % 3, m = (k + 2) % 3;
    q[k] = 1 - trace + 2 * r[4 * k];
    q[l] = r[3 * k + l] + r[3 * l + k];
    q[m] = r[3 * k + m] + r[3 * m + k];
    q[3] = r[3 * m + l] - r[3 * l + m];
  }
  if (q[3] < 0)
    for (int i = 0; i < 4; i++) q[i] = -q[i];
  length = sqrt(rill_dot3(q, q));
  scale = length > 0 ? 2 * atan2(length, q[3]) / length : 0;
  for (int i = 0; i < 3; i++) x[i] = scale * q[i];
}

/* c(s) = (1 - (t/2) cot(t/2)) / t^2 of dexp^-1, with s = t^2, and its derivative in s. */
static inline double rill_so3_exp_coefficient(double s, double *derivative) {
  double t, half, cot;
  if (s < RILL_SO3_SMALL) {
    *derivative = 1.0 / 720 + s / 15120 + s * s / 403200 + s * s * s / 11975040;
    return 1.0 / 12 + s / 720 + s * s / 30240 + s * s * s / 1209600;
  }
  t = sqrt(s), half = 0.5 * t, cot = cos(half) / sin(half);
  *derivative = (half * cot + half * half * (1 + cot * cot) - 2) / (2 * s * s);
  return (1 - half * cot) / s;
}

/* out = mu + x cross mu / 2 + c x cross (x cross mu) */
static inline void rill_so3_exp_tangent_inverse_dual(const double x[3], const double mu[3], double out[3]) {
  double derivative, c = rill_so3_exp_coefficient(rill_dot3(x, x), &derivative), once[3], twice[3];
  rill_cross3(x, mu, once);
  rill_cross3(x, once, twice);
  for (int i = 0; i < 3; i++) out[i] = mu[i] + 0.5 * once[i] + c * twice[i];
}

static inline void rill_so3_exp_tangent_inverse_dual_derivative(const double x[3], const double mu[3],
                                                                const double d[3], double out[3]) {
  double derivative, c = rill_so3_exp_coefficient(rill_dot3(x, x), &derivative), change;
  double once[3], twice[3], along[3], first[3], second[3];
  rill_cross3(x, mu, once);
  rill_cross3(x, once, twice);
  change = 2 * rill_dot3(x, d) * derivative;
  rill_cross3(d, mu, along);
  rill_cross3(d, once, first);
  rill_cross3(x, along, second);
  for (int i = 0; i < 3; i++) out[i] = 0.5 * along[i] + change * twice[i] + c * (first[i] + second[i]);
}

/* --- the tangent of the exponential map, left-trivialised: R exp(x(t)^) has the body velocity dexp_x x' --- */

/* a(s) = (1 - cos t) / t^2 and b(s) = (t - sin t) / t^3 of dexp_x v = v - a x cross v + b x cross (x cross v), s =
 * t^2, with their first and second derivatives in s. */
static inline void rill_so3_dexp_coefficients(double s, double a[3], double b[3]) {
  /* (-1)^k / (2 k + 2)! and (-1)^k / (2 k + 3)!; omitted terms are below 1e-18 for s < 1. */
  static const double even[] = {1 / 2.0,
                                -1 / 24.0,
                                1 / 720.0,
                                -1 / 40320.0,
                                1 / 3628800.0,
                                -1 / 479001600.0,
                                1 / 87178291200.0,
                                -1 / 20922789888000.0,
                                1 / 6402373705728000.0,
                                -1 / 2432902008176640000.0};
  static const double odd[] = {1 / 6.0,
                               -1 / 120.0,
                               1 / 5040.0,
                               -1 / 362880.0,
                               1 / 39916800.0,
                               -1 / 6227020800.0,
                               1 / 1307674368000.0,
                               -1 / 355687428096000.0,
                               1 / 121645100408832000.0,
                               -1 / 51090942171709440000.0};
  if (s < 1) {
    for (int i = 0; i < 3; i++) a[i] = b[i] = 0;
    for (int k = 9; k >= 0; k--) {
      a[2] = a[2] * s + 2 * a[1], a[1] = a[1] * s + a[0], a[0] = a[0] * s + even[k];
      b[2] = b[2] * s + 2 * b[1], b[1] = b[1] * s + b[0], b[0] = b[0] * s + odd[k];
    }
    return;
  }
  double angle = sqrt(s), half = sin(0.5 * angle);
  a[0] = 2 * half * half / s;
  b[0] = (1 - sin(angle) / angle) / s;
  a[1] = (0.5 - 0.5 * s * b[0] - a[0]) / s;
  b[1] = (a[0] - 3 * b[0]) / (2 * s);
  a[2] = (0.25 * (b[0] - a[0]) - 2 * a[1]) / s;
  b[2] = (a[1] - 5 * b[1]) / (2 * s);
}

static inline void rill_so3_dexp(const double x[3], const double v[3], double out[3]) {
  double a[3], b[3], once[3], twice[3];
  rill_so3_dexp_coefficients(rill_dot3(x, x), a, b);
  rill_cross3(x, v, once);
  rill_cross3(x, once, twice);
  for (int i = 0; i < 3; i++) out[i] = v[i] - a[0] * once[i] + b[0] * twice[i];
}

/* out += scale d cross v; out += scale d cross (e cross v) */
static inline void rill_so3_add_cross(double scale, const double d[3], const double v[3], double out[3]) {
  double cross[3];
  rill_cross3(d, v, cross);
  for (int i = 0; i < 3; i++) out[i] += scale * cross[i];
}

static inline void rill_so3_add_cross_twice(double scale, const double d[3], const double e[3], const double v[3],
                                            double out[3]) {
  double cross[3];
  rill_cross3(e, v, cross);
  rill_so3_add_cross(scale, d, cross, out);
}

/* The derivative of dexp_x v with respect to x along d. */
static inline void rill_so3_dexp_derivative(const double x[3], const double d[3], const double v[3], double out[3]) {
  double a[3], b[3], change = 2 * rill_dot3(x, d);
  rill_so3_dexp_coefficients(rill_dot3(x, x), a, b);
  for (int i = 0; i < 3; i++) out[i] = 0;
  rill_so3_add_cross(-a[1] * change, x, v, out);
  rill_so3_add_cross(-a[0], d, v, out);
  rill_so3_add_cross_twice(b[1] * change, x, x, v, out);
  rill_so3_add_cross_twice(b[0], d, x, v, out);
  rill_so3_add_cross_twice(b[0], x, d, v, out);
}

/* The second derivative of dexp_x v with respect to x along d and e. */
static inline void rill_so3_dexp_second(const double x[3], const double d[3], const double e[3], const double v[3],
                                        double out[3]) {
  double a[3], b[3], by_d = 2 * rill_dot3(x, d), by_e = 2 * rill_dot3(x, e), by_both = 2 * rill_dot3(d, e);
  rill_so3_dexp_coefficients(rill_dot3(x, x), a, b);
  for (int i = 0; i < 3; i++) out[i] = 0;
  rill_so3_add_cross(-a[2] * by_d * by_e - a[1] * by_both, x, v, out);
  rill_so3_add_cross(-a[1] * by_d, e, v, out);
  rill_so3_add_cross(-a[1] * by_e, d, v, out);
  rill_so3_add_cross_twice(b[2] * by_d * by_e + b[1] * by_both, x, x, v, out);
  rill_so3_add_cross_twice(b[1] * by_d, e, x, v, out);
  rill_so3_add_cross_twice(b[1] * by_d, x, e, v, out);
  rill_so3_add_cross_twice(b[1] * by_e, d, x, v, out);
  rill_so3_add_cross_twice(b[1] * by_e, x, d, v, out);
  rill_so3_add_cross_twice(b[0], d, e, v, out);
  rill_so3_add_cross_twice(b[0], e, d, v, out);
}

#endif

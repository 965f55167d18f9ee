/* The free rotor in vector code, one molecule per lane: attitude and body angular momentum over a time h. */
#ifndef RILL_WATER_BODIES_ROTOR_BODY_H
#define RILL_WATER_BODIES_ROTOR_BODY_H

#include "base/simd/math.h"
#include "water/bodies/bodies.h"
#include "water/constraints/constraints_body.h"

/* A quaternion w + u. */
struct attitude {
  vreal w;
  struct vec u;
};

static inline struct attitude attitude_load(const double *column, size_t stride) {
  return (struct attitude){v_load(column), vec_load(column + stride, stride)};
}

static inline void attitude_store(double *column, size_t stride, struct attitude a) {
  v_store(column, a.w);
  vec_store(column + stride, stride, a.u);
}

/* a (w + u) */
static inline struct attitude attitude_turn(struct attitude a, vreal w, struct vec u) {
  struct vec cross = vec_cross(a.u, u);
  return (struct attitude){v_fma(a.w, w, v_set(0.0) - vec_dot(a.u, u)), vec_axpy(vec_axpy(cross, a.w, u), w, a.u)};
}

static inline struct attitude attitude_normalise(struct attitude a) {
  vreal scale = v_rsqrt(v_fma(a.w, a.w, vec_dot(a.u, a.u)));
  return (struct attitude){scale * a.w, vec_scale(scale, a.u)};
}

/* The body's axes in space: the columns of R. */
static inline void axes_of(struct attitude a, struct vec axis[3]) {
  const vreal one = v_set(1.0), two = v_set(2.0);
  vreal x2 = two * a.u.x, y2 = two * a.u.y, z2 = two * a.u.z;
  vreal wx = a.w * x2, wy = a.w * y2, wz = a.w * z2, xy = a.u.x * y2, xz = a.u.x * z2, yz = a.u.y * z2;
  axis[0] = (struct vec){v_fnma(a.u.y, y2, v_fnma(a.u.z, z2, one)), xy + wz, xz - wy};
  axis[1] = (struct vec){xy - wz, v_fnma(a.u.x, x2, v_fnma(a.u.z, z2, one)), yz + wx};
  axis[2] = (struct vec){xz + wy, yz - wx, v_fnma(a.u.x, x2, v_fnma(a.u.y, y2, one))};
}

enum { ROTOR_ITERATIONS = 20 };

/* Newton's method for g + g x f + (g.f) f - 2 J f = 0, g = h Pi.  A lane is finished by the iteration that finds its
 * residual below 1e-8: convergence is quadratic, so that this iteration makes it exact.  It is not changed
 * afterwards, so that a molecule's result does not depend on its neighbours in the vector.  Returns the iterations of
 * the slowest lane. */
static inline unsigned lgvi_solve(const struct rill_body *body, struct vec g, struct vec *solution) {
  const vreal half = v_set(0.5);
  const vreal i0 = v_set(body->inverse_inertia[0]), i1 = v_set(body->inverse_inertia[1]),
              i2 = v_set(body->inverse_inertia[2]);
  const vreal j0 = v_set(2 * body->inertia[0]), j1 = v_set(2 * body->inertia[1]), j2 = v_set(2 * body->inertia[2]);
  const vreal limit = v_set(1e-8) * (v_abs(g.x) + v_abs(g.y) + v_abs(g.z));
  struct vec f = {half * i0 * g.x, half * i1 * g.y, half * i2 * g.z};
  vmask open = v_mask_first(RILL_WIDTH);
  unsigned iteration = 0;
  { /* one fixed-point iteration first, which needs no linear solve */
    struct vec right = vec_axpy(vec_add(g, vec_cross(g, f)), vec_dot(g, f), f);
    f = (struct vec){half * i0 * right.x, half * i1 * right.y, half * i2 * right.z};
  }
  while (v_any(open) && iteration < ROTOR_ITERATIONS) {
    vreal along = vec_dot(g, f), inverse;
    struct vec r = vec_axpy(vec_add(g, vec_cross(g, f)), along, f);
    vreal a00, a01, a02, a10, a11, a12, a20, a21, a22, c00, c01, c02, size;
    r = (struct vec){v_fnma(j0, f.x, r.x), v_fnma(j1, f.y, r.y), v_fnma(j2, f.z, r.z)};
    size = v_max(v_max(v_abs(r.x), v_abs(r.y)), v_abs(r.z));
    a00 = v_fma(f.x, g.x, along - j0), a01 = v_fma(f.x, g.y, v_set(0.0) - g.z), a02 = v_fma(f.x, g.z, g.y);
    a10 = v_fma(f.y, g.x, g.z), a11 = v_fma(f.y, g.y, along - j1), a12 = v_fma(f.y, g.z, v_set(0.0) - g.x);
    a20 = v_fma(f.z, g.x, v_set(0.0) - g.y), a21 = v_fma(f.z, g.y, g.x), a22 = v_fma(f.z, g.z, along - j2);
    c00 = v_fnma(a12, a21, a11 * a22), c01 = v_fnma(a10, a22, a12 * a20), c02 = v_fnma(a11, a20, a10 * a21);
    inverse = v_and_mask(v_set(1.0) / v_fma(a00, c00, v_fma(a01, c01, a02 * c02)), open);
    f.x = v_fnma(inverse, v_fma(c00, r.x, v_fma(v_fnma(a01, a22, a02 * a21), r.y, v_fnma(a02, a11, a01 * a12) * r.z)),
                 f.x);
    f.y = v_fnma(inverse, v_fma(c01, r.x, v_fma(v_fnma(a02, a20, a00 * a22), r.y, v_fnma(a00, a12, a02 * a10) * r.z)),
                 f.y);
    f.z = v_fnma(inverse, v_fma(c02, r.x, v_fma(v_fnma(a00, a21, a01 * a20), r.y, v_fnma(a01, a10, a00 * a11) * r.z)),
                 f.z);
    open = v_less(limit, size);
    iteration++;
  }
  *solution = f;
  return v_any(open) ? 2 * ROTOR_ITERATIONS : iteration;
}

/* R F and F^T Pi with F the Cayley map of f: 1 + 2/(1 + f^2) (f^ + f^ f^). */
static inline unsigned rotor_lgvi(const struct rill_body *body, vreal h, struct attitude *a, struct vec *spin) {
  struct vec f, once;
  unsigned iterations = lgvi_solve(body, vec_scale(h, *spin), &f);
  vreal scale = v_set(2.0) / (v_set(1.0) + vec_dot(f, f));
  once = vec_cross(*spin, f);
  *spin = vec_axpy(*spin, scale, vec_add(once, vec_cross(once, f)));
  *a = attitude_normalise(attitude_turn(*a, v_set(1.0), f));
  return iterations;
}

/* The exact rotation about axis k by the angle t = h Pi_k / J_k; the other two components of Pi rotate the opposite
 * way.  The attitude is multiplied by 1 + cos t + k sin t, whose length is 2 cos t/2, so that the normalisation that
 * follows rounds anew in every step.  With a factor of length 1, normalisation would see only errors too small for it
 * to correct: attitudes would stay too long or too short, always by the same sign, and the torques of the kicks would
 * change the angular momentum in proportion to the number of steps. */
static inline void turn_about(const struct rill_body *body, int k, vreal h, vreal u[3], vreal *w, vreal spin[3]) {
  const int l = (k + 1) % 3, n = (k + 2) % 3;
  const vreal two = v_set(2.0), quarters = v_set(4 * 0.07957747154594767 * body->inverse_inertia[k]); /* 1 / (pi J) */
  vreal half, s, c, sine, cosine, longer, old;
  half = quarters * h * spin[k];
  v_sincos_quarters(1, &half, &s, &c);
  sine = two * s * c;
  cosine = v_fnma(two * s, s, v_set(1.0));
  old = spin[l];
  spin[l] = v_fma(sine, spin[n], cosine * old);
  spin[n] = v_fnma(sine, old, cosine * spin[n]);
  longer = v_set(1.0) + cosine;
  old = *w;
  *w = v_fnma(sine, u[k], longer * old);
  u[k] = v_fma(sine, old, longer * u[k]);
  old = u[l];
  u[l] = v_fma(sine, u[n], longer * old);
  u[n] = v_fnma(sine, old, longer * u[n]);
}

static inline void rotor_axes(const struct rill_body *body, vreal h, struct attitude *a, struct vec *momentum) {
  const vreal half = v_set(0.5) * h;
  vreal u[3] = {a->u.x, a->u.y, a->u.z}, w = a->w, spin[3] = {momentum->x, momentum->y, momentum->z};
  turn_about(body, 0, half, u, &w, spin);
  turn_about(body, 1, half, u, &w, spin);
  turn_about(body, 2, h, u, &w, spin);
  turn_about(body, 1, half, u, &w, spin);
  turn_about(body, 0, half, u, &w, spin);
  *momentum = (struct vec){spin[0], spin[1], spin[2]};
  *a = attitude_normalise((struct attitude){w, {u[0], u[1], u[2]}});
}

#endif

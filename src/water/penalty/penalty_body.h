/* Penalised water in vector code, one molecule per lane: stiff forces, and linear solves with M + scale H. */
#ifndef RILL_WATER_PENALTY_PENALTY_BODY_H
#define RILL_WATER_PENALTY_PENALTY_BODY_H

#include "water/constraints/constraints_body.h"
#include "water/penalty/penalty.h"

struct sym3 {
  vreal xx, yy, zz, xy, xz, yz;
};

/* The inverse of the symmetric matrix: its cofactors over its determinant. */
static inline struct sym3 sym3_inverse(struct sym3 a) {
  struct sym3 c = {v_fnma(a.yz, a.yz, a.yy * a.zz), v_fnma(a.xz, a.xz, a.xx * a.zz), v_fnma(a.xy, a.xy, a.xx * a.yy),
                   v_fnma(a.xy, a.zz, a.xz * a.yz), v_fnma(a.xz, a.yy, a.xy * a.yz), v_fnma(a.xx, a.yz, a.xy * a.xz)};
  vreal inverse = v_set(1.0) / v_fma(a.xx, c.xx, v_fma(a.xy, c.xy, a.xz * c.xz));
  return (struct sym3){c.xx * inverse, c.yy * inverse, c.zz * inverse,
                       c.xy * inverse, c.xz * inverse, c.yz * inverse};
}

static inline struct vec sym3_times(struct sym3 a, struct vec b) {
  return (struct vec){v_fma(a.xx, b.x, v_fma(a.xy, b.y, a.xz * b.z)), v_fma(a.xy, b.x, v_fma(a.yy, b.y, a.yz * b.z)),
                      v_fma(a.xz, b.x, v_fma(a.yz, b.y, a.zz * b.z))};
}

/* A molecule's two O-H bonds, and the products r_c.r_e of all three (r_2 = r_1 - r_0). */
struct shape {
  struct vec r0, r1;
  struct sym3 product;
  vreal g0, g1, g2;
};

static inline struct shape shape_of(const struct rill_penalty *penalty, const struct vec x[RILL_ATOMS]) {
  struct shape s = {.r0 = vec_sub(x[1], x[0]), .r1 = vec_sub(x[2], x[0])};
  struct sym3 *p = &s.product;
  p->xx = vec_dot(s.r0, s.r0);
  p->yy = vec_dot(s.r1, s.r1);
  p->xy = vec_dot(s.r0, s.r1);
  p->xz = p->xy - p->xx;
  p->yz = p->yy - p->xy;
  p->zz = p->yz - p->xz;
  s.g0 = p->xx - v_set(penalty->d2[0]);
  s.g1 = p->yy - v_set(penalty->d2[1]);
  s.g2 = p->zz - v_set(penalty->d2[2]);
  return s;
}

/* x_i -= sum_c s_ic y_c r_c */
static inline void subtract_bonds(const struct shape *s, vreal y0, vreal y1, vreal y2, struct vec x[RILL_ATOMS]) {
  struct vec p0 = vec_scale(y0, s->r0), p1 = vec_scale(y1, s->r1), p2 = vec_scale(y2, vec_sub(s->r1, s->r0));
  x[0] = vec_add(x[0], vec_add(p0, p1));
  x[1] = vec_sub(x[1], vec_sub(p0, p2));
  x[2] = vec_sub(x[2], vec_add(p1, p2));
}

/* r_c . u_c for the three bonds u_c of atoms' vectors. */
static inline struct vec along_bonds(const struct shape *s, const struct vec u[RILL_ATOMS]) {
  struct vec u0 = vec_sub(u[1], u[0]), u1 = vec_sub(u[2], u[0]);
  return (struct vec){vec_dot(s->r0, u0), vec_dot(s->r1, u1), vec_dot(vec_sub(s->r1, s->r0), vec_sub(u1, u0))};
}

static inline void stiff_force(const struct rill_penalty *penalty, const struct shape *s, struct vec f[RILL_ATOMS]) {
  vreal w2 = v_set(2 * penalty->stiffness2);
  subtract_bonds(s, w2 * s->g0, w2 * s->g1, w2 * s->g2, f);
}

static inline void divide_by_masses(const struct rill_penalty *penalty, struct vec f[RILL_ATOMS]) {
  for (int i = 0; i < RILL_ATOMS; i++) f[i] = vec_scale(v_set(penalty->inverse_mass[i]), f[i]);
}

/* A_ce r_c.r_e + delta_ce diagonal, A_ce = sum_i s_ic s_ie / m_i. */
static inline struct sym3 bond_matrix(const struct rill_penalty *penalty, const struct shape *s, double diagonal) {
  const double *b = penalty->inverse_mass;
  vreal d = v_set(diagonal);
  return (struct sym3){v_fma(v_set(b[0] + b[1]), s->product.xx, d),
                       v_fma(v_set(b[0] + b[2]), s->product.yy, d),
                       v_fma(v_set(b[1] + b[2]), s->product.zz, d),
                       v_set(b[0]) * s->product.xy,
                       v_set(-b[1]) * s->product.xz,
                       v_set(b[2]) * s->product.yz};
}

/* (M + scale H) a = f + stiff force, H Gauss-Newton's, f the soft force; f becomes a.
 * With y_c the multipliers of Woodbury's identity and z_c = y_c + 2 w^2 g_c the stiff force need not be formed:
 *   sum_e (A_ce r_c.r_e + delta_ce / (4 w^2 scale)) z_e = r_c . sum_i s_ic f_i / m_i + g_c / (2 scale),
 *   a_i = (f_i - sum_c s_ic r_c z_c) / m_i,
 * which for w to infinity is one Newton step of M-SHAKE. */
static inline void gauss_newton(const struct rill_penalty *penalty, const struct shape *s, double scale,
                                struct vec f[RILL_ATOMS]) {
  const vreal half = v_set(0.5 / scale);
  struct vec u[RILL_ATOMS] = {f[0], f[1], f[2]}, z;
  divide_by_masses(penalty, u);
  z = along_bonds(s, u);
  z = (struct vec){v_fma(half, s->g0, z.x), v_fma(half, s->g1, z.y), v_fma(half, s->g2, z.z)};
  z = sym3_times(sym3_inverse(bond_matrix(penalty, s, 0.25 / (penalty->stiffness2 * scale))), z);
  subtract_bonds(s, z.x, z.y, z.z, f);
  divide_by_masses(penalty, f);
}

/* (M + scale H) a = b for any b; b becomes a.  The full Hessian's part 2 w^2 g_c s_c s_c^T (x) I joins the masses:
 * S = M + 2 w^2 scale sum_c g_c s_c s_c^T acts alike on x, y and z, and takes the place of M in Woodbury's identity.
 */
static inline void solve_stiff(const struct rill_penalty *penalty, const struct shape *s, double scale, bool full,
                               struct vec b[RILL_ATOMS]) {
  vreal k = v_set(full ? 2 * penalty->stiffness2 * scale : 0.0), g0 = k * s->g0, g1 = k * s->g1, g2 = k * s->g2;
  vreal zero = v_set(0.0), diagonal = v_set(0.25 / (penalty->stiffness2 * scale));
  struct sym3 t = sym3_inverse((struct sym3){v_set(penalty->mass[0]) + (g0 + g1), v_set(penalty->mass[1]) + (g0 + g2),
                                             v_set(penalty->mass[2]) + (g1 + g2), zero - g0, zero - g1, zero - g2});
  /* s_c^T T s_e */
  vreal a00 = (t.xx + t.yy) - v_set(2.0) * t.xy, a11 = (t.xx + t.zz) - v_set(2.0) * t.xz,
        a22 = (t.yy + t.zz) - v_set(2.0) * t.yz, a01 = (t.xx + t.yz) - (t.xy + t.xz),
        a02 = (t.xy + t.yz) - (t.xz + t.yy), a12 = (t.xy + t.zz) - (t.xz + t.yz);
  struct sym3 matrix = {v_fma(a00, s->product.xx, diagonal),
                        v_fma(a11, s->product.yy, diagonal),
                        v_fma(a22, s->product.zz, diagonal),
                        a01 * s->product.xy,
                        a02 * s->product.xz,
                        a12 * s->product.yz};
  struct vec u[RILL_ATOMS], y;
  for (int pass = 0; pass < 2; pass++) { /* T b, then T (b - sum_c s_c r_c y_c) */
    u[0] = vec_axpy(vec_axpy(vec_scale(t.xx, b[0]), t.xy, b[1]), t.xz, b[2]);
    u[1] = vec_axpy(vec_axpy(vec_scale(t.xy, b[0]), t.yy, b[1]), t.yz, b[2]);
    u[2] = vec_axpy(vec_axpy(vec_scale(t.xz, b[0]), t.yz, b[1]), t.zz, b[2]);
    if (pass == 1) break;
    y = sym3_times(sym3_inverse(matrix), along_bonds(s, u));
    subtract_bonds(s, y.x, y.y, y.z, b);
  }
  for (int i = 0; i < RILL_ATOMS; i++) b[i] = u[i];
}

/* out = H u */
static inline void multiply_stiff(const struct rill_penalty *penalty, const struct shape *s, bool full,
                                  const struct vec u[RILL_ATOMS], struct vec out[RILL_ATOMS]) {
  vreal w4 = v_set(-4 * penalty->stiffness2), w2 = v_set(full ? 2 * penalty->stiffness2 : 0.0), zero = v_set(0.0);
  struct vec rate = along_bonds(s, u), u0 = vec_sub(u[1], u[0]), u1 = vec_sub(u[2], u[0]), p0, p1, p2;
  for (int i = 0; i < RILL_ATOMS; i++) out[i] = (struct vec){zero, zero, zero};
  subtract_bonds(s, w4 * rate.x, w4 * rate.y, w4 * rate.z, out);
  p0 = vec_scale(w2 * s->g0, u0);
  p1 = vec_scale(w2 * s->g1, u1);
  p2 = vec_scale(w2 * s->g2, vec_sub(u1, u0));
  out[0] = vec_sub(out[0], vec_add(p0, p1));
  out[1] = vec_add(out[1], vec_sub(p0, p2));
  out[2] = vec_add(out[2], vec_add(p1, p2));
}

/* a -= (scale^2/2) M^-1 (a.V3.a) */
static inline void third_derivative(const struct rill_penalty *penalty, const struct shape *s, double scale,
                                    struct vec a[RILL_ATOMS]) {
  const vreal factor = v_set(0.5 * scale * scale * penalty->stiffness2), four = v_set(4.0), eight = v_set(8.0);
  struct vec d[RILL_BONDS] = {vec_sub(a[1], a[0]), vec_sub(a[2], a[0]), vec_sub(a[2], a[1])};
  struct vec r[RILL_BONDS] = {s->r0, s->r1, vec_sub(s->r1, s->r0)}, p[RILL_BONDS];
  for (int c = 0; c < RILL_BONDS; c++)
    p[c] = vec_axpy(vec_scale(eight * vec_dot(r[c], d[c]), d[c]), four * vec_dot(d[c], d[c]), r[c]);
  a[0] = vec_axpy(a[0], factor * v_set(penalty->inverse_mass[0]), vec_add(p[0], p[1]));
  a[1] = vec_axpy(a[1], factor * v_set(-penalty->inverse_mass[1]), vec_sub(p[0], p[2]));
  a[2] = vec_axpy(a[2], factor * v_set(-penalty->inverse_mass[2]), vec_add(p[1], p[2]));
}

#endif

/* Constraint solvers in vector code, one molecule per lane.  See rigid.h for bonds, signs and impulses. */
#ifndef RILL_WATER_CONSTRAINTS_CONSTRAINTS_BODY_H
#define RILL_WATER_CONSTRAINTS_CONSTRAINTS_BODY_H

#include "base/simd/simd.h"
#include "base/simd/specialised.h"
#include "water/constraints/rigid.h"

struct vec {
  vreal x, y, z;
};

static inline struct vec vec_add(struct vec a, struct vec b) { return (struct vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline struct vec vec_sub(struct vec a, struct vec b) { return (struct vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline struct vec vec_scale(vreal s, struct vec a) { return (struct vec){s * a.x, s * a.y, s * a.z}; }
/* a + s b */
static inline struct vec vec_axpy(struct vec a, vreal s, struct vec b) {
  return (struct vec){v_fma(s, b.x, a.x), v_fma(s, b.y, a.y), v_fma(s, b.z, a.z)};
}
static inline vreal vec_dot(struct vec a, struct vec b) { return v_fma(a.x, b.x, v_fma(a.y, b.y, a.z * b.z)); }
static inline struct vec vec_cross(struct vec a, struct vec b) {
  return (struct vec){v_fnma(a.z, b.y, a.y * b.z), v_fnma(a.x, b.z, a.z * b.x), v_fnma(a.y, b.x, a.x * b.y)};
}
static inline struct vec vec_load(const double *column, size_t stride) {
  return (struct vec){v_load(column), v_load(column + stride), v_load(column + 2 * stride)};
}
static inline void vec_store(double *column, size_t stride, struct vec a) {
  v_store(column, a.x);
  v_store(column + stride, a.y);
  v_store(column + 2 * stride, a.z);
}

static inline void bonds_of(const struct vec x[RILL_ATOMS], struct vec r[RILL_BONDS]) {
  r[0] = vec_sub(x[1], x[0]);
  r[1] = vec_sub(x[2], x[0]);
  r[2] = vec_sub(x[2], x[1]);
}

/* x_i += scale / m_i sum_c s_ic g_c r_c */
static inline void apply_impulses(const struct rill_rigid *rigid, const struct vec r[RILL_BONDS],
                                  const vreal g[RILL_BONDS], vreal scale, struct vec x[RILL_ATOMS]) {
  vreal g0 = scale * g[0], g1 = scale * g[1], g2 = scale * g[2], zero = v_set(0.0);
  struct vec p0 = vec_scale(g0, r[0]), p1 = vec_scale(g1, r[1]), p2 = vec_scale(g2, r[2]);
  x[0] = vec_axpy(x[0], zero - v_set(rigid->inverse_mass[0]), vec_add(p0, p1));
  x[1] = vec_axpy(x[1], v_set(rigid->inverse_mass[1]), vec_sub(p0, p2));
  x[2] = vec_axpy(x[2], v_set(rigid->inverse_mass[2]), vec_add(p1, p2));
}

/* The bonds after impulses: s + sum_e A_ce g_e r_e */
static inline void moved_bonds(const struct rill_rigid *rigid, const struct vec r[RILL_BONDS],
                               const struct vec s[RILL_BONDS], const vreal g[RILL_BONDS],
                               struct vec moved[RILL_BONDS]) {
  struct vec p[RILL_BONDS];
  for (int e = 0; e < RILL_BONDS; e++) p[e] = vec_scale(g[e], r[e]);
  for (int c = 0; c < RILL_BONDS; c++) {
    moved[c] = s[c];
    for (int e = 0; e < RILL_BONDS; e++) moved[c] = vec_axpy(moved[c], v_set(rigid->a[c][e]), p[e]);
  }
}

/* SETTLE (Miyamoto & Kollman, J. Comput. Chem. 13, 952 (1992)), with its equations in the frame of the old triangle's
 * plane, from bond vectors alone: without absolute coordinates, round-off does not grow with the distance from the
 * origin.  r: bonds before the move; s: unconstrained bonds; g: impulses.  A lane without a solution gives NaN.
 *
 * `count` vectors of molecules, a constant where it is called, take each part of the way together: the operations of
 * one wait for each other. */
enum { SETTLE_MOST = 2 };
struct settling {
  struct vec a1, b1, c1, ex, ey, ez;
  vreal xb0, yb0, xc0, yc0;           /* old bonds, in the frame */
  vreal xb1, yb1, xc1, yc1;           /* unconstrained hydrogens */
  vreal ya2, xb2, yb2, yc2;           /* the new triangle, turned out of the plane */
  vreal xa3, ya3, xb3, yb3, xc3, yc3; /* and in the plane */
};

/* Axes: Z normal to the old plane, X perpendicular to Z and to the new oxygen. */
static inline void settle_frame(const struct rill_rigid *rigid, const struct vec r[RILL_BONDS],
                                const struct vec s[RILL_BONDS], struct settling *t) {
  const vreal zero = v_set(0.0);
  /* unconstrained atoms relative to their centre of mass */
  const struct vec com = vec_scale(v_set(rigid->hydrogen_fraction), vec_add(s[0], s[1]));
  t->a1 = vec_sub((struct vec){zero, zero, zero}, com);
  t->b1 = vec_sub(s[0], com);
  t->c1 = vec_sub(s[1], com);
  t->ez = vec_cross(r[0], r[1]);
  t->ex = vec_cross(t->a1, t->ez);
  t->ez = vec_scale(v_rsqrt(vec_dot(t->ez, t->ez)), t->ez);
  t->ex = vec_scale(v_rsqrt(vec_dot(t->ex, t->ex)), t->ex);
  t->ey = vec_cross(t->ez, t->ex);
}

/* Out-of-plane angles of the new triangle. */
static inline void settle_out_of_plane(const struct rill_rigid *rigid, const struct vec r[RILL_BONDS],
                                       struct settling *t) {
  const vreal one = v_set(1.0), zero = v_set(0.0), ra = v_set(rigid->ra), rb = v_set(rigid->rb),
              rc = v_set(rigid->rc);
  const vreal za1 = vec_dot(t->ez, t->a1), zb1 = vec_dot(t->ez, t->b1), zc1 = vec_dot(t->ez, t->c1);
  const vreal sin_phi = za1 * v_set(rigid->inverse_ra), cos2_phi = v_fnma(sin_phi, sin_phi, one);
  const vreal inverse = v_rsqrt(cos2_phi), cos_phi = cos2_phi * inverse;
  const vreal sin_psi = v_set(rigid->half_inverse_rc) * (zb1 - zc1) * inverse,
              cos_psi = v_root(v_fnma(sin_psi, sin_psi, one));
  t->xb0 = vec_dot(t->ex, r[0]), t->yb0 = vec_dot(t->ey, r[0]);
  t->xc0 = vec_dot(t->ex, r[1]), t->yc0 = vec_dot(t->ey, r[1]);
  t->xb1 = vec_dot(t->ex, t->b1), t->yb1 = vec_dot(t->ey, t->b1);
  t->xc1 = vec_dot(t->ex, t->c1), t->yc1 = vec_dot(t->ey, t->c1);
  t->ya2 = ra * cos_phi;
  t->xb2 = zero - rc * cos_psi;
  t->yb2 = zero - v_fma(rb, cos_phi, rc * sin_psi * sin_phi);
  t->yc2 = v_fnma(rb, cos_phi, rc * sin_psi * sin_phi);
}

/* In-plane angle from the conserved direction of the impulses; arbitrary if the normal part of a kick turned X. */
static inline void settle_in_plane(struct settling *t) {
  const vreal zero = v_set(0.0);
  const vreal alpha = v_fma(t->xb2, t->xb0 - t->xc0, v_fma(t->yb0, t->yb2, t->yc0 * t->yc2));
  const vreal beta = v_fma(t->xb2, t->yc0 - t->yb0, v_fma(t->xb0, t->yb2, t->xc0 * t->yc2));
  const vreal gamma = v_fnma(t->xb1, t->yb0, t->xb0 * t->yb1) + v_fnma(t->xc1, t->yc0, t->xc0 * t->yc1);
  const vreal norm = v_fma(alpha, alpha, beta * beta), inverse = v_reciprocal(norm);
  const vreal root = v_root(v_fnma(gamma, gamma, norm));
  const vreal sine = v_fnma(beta, root, alpha * gamma) * inverse;
  const vreal cosine = v_fma(alpha, root, beta * gamma) * inverse;
  t->xa3 = zero - t->ya2 * sine;
  t->ya3 = t->ya2 * cosine;
  t->xb3 = v_fnma(t->yb2, sine, t->xb2 * cosine);
  t->yb3 = v_fma(t->xb2, sine, t->yb2 * cosine);
  t->xc3 = zero - v_fma(t->xb2, cosine, t->yc2 * sine);
  t->yc3 = v_fnma(t->xb2, sine, t->yc2 * cosine);
}

/* The impulses, from the change of the bonds O-H1 and O-H2: in the old plane, hence in the basis of the old bonds. */
static inline void settle_impulses(const struct rill_rigid *rigid, const struct settling *t, vreal g[RILL_BONDS]) {
  const vreal xb0 = t->xb0, yb0 = t->yb0, xc0 = t->xc0, yc0 = t->yc0;
  const vreal xa1 = vec_dot(t->ex, t->a1), ya1 = vec_dot(t->ey, t->a1);
  const vreal dx0 = (t->xb3 - t->xa3) - (t->xb1 - xa1), dy0 = (t->yb3 - t->ya3) - (t->yb1 - ya1);
  const vreal dx1 = (t->xc3 - t->xa3) - (t->xc1 - xa1), dy1 = (t->yc3 - t->ya3) - (t->yc1 - ya1);
  const vreal u0 = v_fma(dx0, xb0, dy0 * yb0), w0 = v_fma(dx0, xc0, dy0 * yc0);
  const vreal u1 = v_fma(dx1, xb0, dy1 * yb0), w1 = v_fma(dx1, xc0, dy1 * yc0);
  /* from the actual bonds: with the model's numbers a deviation would grow where kicks are as long as bonds */
  const vreal d0 = v_fma(xb0, xb0, yb0 * yb0), d1 = v_fma(xc0, xc0, yc0 * yc0), dot = v_fma(xb0, xc0, yb0 * yc0);
  const vreal gram = v_reciprocal(v_fnma(dot, dot, d0 * d1));
  const vreal p1 = v_fnma(dot, w0, d1 * u0) * gram, p2 = v_fnma(dot, u0, d0 * w0) * gram;
  const vreal p3 = v_fnma(dot, w1, d1 * u1) * gram, p4 = v_fnma(dot, u1, d0 * w1) * gram;
  /* r_0 changes by ((a+b) g0 + b g2) r_0 + (a g1 - b g2) r_1, r_1 likewise; a = 1/m_O, b = 1/m_H */
  const vreal ab = v_set(rigid->impulse_sum);
  const vreal b = v_set(rigid->inverse_mass[1]), b4 = v_set(rigid->impulse_third);
  g[0] = (p1 + p3) * ab;
  g[1] = (p2 + p4) * ab;
  g[2] = v_fnma(b, g[0] + g[1], (p1 - p3) + (p4 - p2)) * b4;
}

SPECIALISED void settle(const struct rill_rigid *rigid, const int count, const struct vec r[][RILL_BONDS],
                        const struct vec s[][RILL_BONDS], vreal g[][RILL_BONDS]) {
  struct settling t[SETTLE_MOST];
  for (int k = 0; k < count; k++) settle_frame(rigid, r[k], s[k], &t[k]);
  for (int k = 0; k < count; k++) settle_out_of_plane(rigid, r[k], &t[k]);
  for (int k = 0; k < count; k++) settle_in_plane(&t[k]);
  for (int k = 0; k < count; k++) settle_impulses(rigid, &t[k], g[k]);
}

/* The residual of one bond, 0 when it is solved: (|s|2 / d2 - 1) / 2, which is (d - d0) / d0 to first order. */
static inline vreal stretch(const struct rill_rigid *rigid, int c, struct vec s) {
  return v_fma(vec_dot(s, s), v_set(0.5 / rigid->d2[c]), v_set(-0.5));
}

static inline vmask above(vreal a, vreal limit) { return v_less(limit, v_abs(a)); }

/* Newton's method for the three impulses of each molecule together (M-SHAKE: Kraeutler, van Gunsteren & Huenenberger,
 * J. Comput. Chem. 22, 501 (2001)).  Returns the iterations of the slowest lane.  A lane that does not converge keeps
 * its last iterate, which the caller detects when it checks the result. */
static inline unsigned mshake(const struct rill_rigid *rigid, const struct vec r[RILL_BONDS],
                              const struct vec s[RILL_BONDS], vreal g[RILL_BONDS]) {
  const vreal tolerance = v_set(rigid->tolerance);
  struct vec t[RILL_BONDS];
  unsigned iteration = 0;
  for (int c = 0; c < RILL_BONDS; c++) {
    g[c] = v_set(0.0);
    t[c] = s[c];
  }
  for (;;) {
    vreal f[RILL_BONDS], j[RILL_BONDS][RILL_BONDS], det, inverse;
    vmask open;
    for (int c = 0; c < RILL_BONDS; c++) f[c] = stretch(rigid, c, t[c]);
    open = v_mask_or(v_mask_or(above(f[0], tolerance), above(f[1], tolerance)), above(f[2], tolerance));
    if (!v_any(open) || iteration == rigid->max_iterations) return iteration;
    iteration++;
    for (int c = 0; c < RILL_BONDS; c++)
      for (int e = 0; e < RILL_BONDS; e++) j[c][e] = v_set(rigid->a[c][e] / rigid->d2[c]) * vec_dot(t[c], r[e]);
    {
      vreal c00 = v_fnma(j[1][2], j[2][1], j[1][1] * j[2][2]), c01 = v_fnma(j[1][0], j[2][2], j[1][2] * j[2][0]),
            c02 = v_fnma(j[1][1], j[2][0], j[1][0] * j[2][1]);
      vreal c10 = v_fnma(j[0][1], j[2][2], j[0][2] * j[2][1]), c11 = v_fnma(j[0][2], j[2][0], j[0][0] * j[2][2]),
            c12 = v_fnma(j[0][0], j[2][1], j[0][1] * j[2][0]);
      vreal c20 = v_fnma(j[0][2], j[1][1], j[0][1] * j[1][2]), c21 = v_fnma(j[0][0], j[1][2], j[0][2] * j[1][0]),
            c22 = v_fnma(j[0][1], j[1][0], j[0][0] * j[1][1]);
      det = v_fma(j[0][0], c00, v_fma(j[0][1], c01, j[0][2] * c02));
      inverse = v_set(1.0) / det;
      /* a converged lane is not changed, so that a molecule's result does not depend on its neighbours in the
       * vector */
      inverse = v_and_mask(inverse, open);
      g[0] = v_fnma(inverse, v_fma(c00, f[0], v_fma(c10, f[1], c20 * f[2])), g[0]);
      g[1] = v_fnma(inverse, v_fma(c01, f[0], v_fma(c11, f[1], c21 * f[2])), g[1]);
      g[2] = v_fnma(inverse, v_fma(c02, f[0], v_fma(c12, f[1], c22 * f[2])), g[2]);
    }
    moved_bonds(rigid, r, s, g, t);
  }
}

/* Gauss-Seidel over the bonds (SHAKE: Ryckaert, Ciccotti & Berendsen 1977).  Returns the sweeps of the slowest
 * lane. */
static inline unsigned shake(const struct rill_rigid *rigid, const struct vec r[RILL_BONDS],
                             const struct vec s[RILL_BONDS], vreal g[RILL_BONDS]) {
  const vreal tolerance = v_set(rigid->tolerance);
  struct vec t[RILL_BONDS];
  unsigned sweep = 0;
  for (int c = 0; c < RILL_BONDS; c++) {
    g[c] = v_set(0.0);
    t[c] = s[c];
  }
  for (;;) {
    vmask open = above(stretch(rigid, 0, t[0]), tolerance);
    for (int c = 1; c < RILL_BONDS; c++) open = v_mask_or(open, above(stretch(rigid, c, t[c]), tolerance));
    if (!v_any(open) || sweep == rigid->max_iterations) return sweep;
    sweep++;
    for (int c = 0; c < RILL_BONDS; c++) {
      vreal change = stretch(rigid, c, t[c]) * v_set(rigid->d2[c] / rigid->a[c][c]) / vec_dot(t[c], r[c]);
      change = v_and_mask(change, open);
      g[c] = g[c] - change;
      for (int e = 0; e < RILL_BONDS; e++) t[e] = vec_axpy(t[e], v_set(-rigid->a[e][c]) * change, r[c]);
    }
  }
}

/* RATTLE's velocity condition, solved directly: g = -K (r_c . v_c), with K the inverse at the model's geometry. */
static inline void project_direct(const struct rill_rigid *rigid, const struct vec r[RILL_BONDS],
                                  struct vec v[RILL_ATOMS]) {
  for (unsigned pass = 0; pass < rigid->velocity_passes; pass++) {
    struct vec w[RILL_BONDS];
    vreal a[RILL_BONDS], g[RILL_BONDS];
    bonds_of(v, w);
    for (int c = 0; c < RILL_BONDS; c++) a[c] = vec_dot(r[c], w[c]);
    for (int c = 0; c < RILL_BONDS; c++)
      g[c] = v_fma(v_set(-rigid->k[c][0]), a[0], v_fma(v_set(-rigid->k[c][1]), a[1], v_set(-rigid->k[c][2]) * a[2]));
    apply_impulses(rigid, r, g, v_set(1.0), v);
  }
}

/* The same by Gauss-Seidel sweeps (RATTLE: Andersen 1983).  Returns 0 if a lane did not converge. */
static inline int project_sweeps(const struct rill_rigid *rigid, const struct vec r[RILL_BONDS],
                                 struct vec v[RILL_ATOMS]) {
  vreal limit[RILL_BONDS];
  struct vec w[RILL_BONDS];
  bonds_of(v, w);
  for (int c = 0; c < RILL_BONDS; c++) limit[c] = v_sqrt(vec_dot(r[c], r[c])) * v_set(rigid->velocity_limit);
  for (unsigned sweep = 0;; sweep++) {
    vmask open = above(vec_dot(r[0], w[0]), limit[0]);
    for (int c = 1; c < RILL_BONDS; c++) open = v_mask_or(open, above(vec_dot(r[c], w[c]), limit[c]));
    if (!v_any(open)) return 1;
    if (sweep == rigid->max_iterations) return 0;
    for (int c = 0; c < RILL_BONDS; c++) {
      vreal g[RILL_BONDS] = {v_set(0.0), v_set(0.0), v_set(0.0)};
      vreal change = vec_dot(r[c], w[c]) / (v_set(-rigid->a[c][c]) * vec_dot(r[c], r[c]));
      g[c] = v_and_mask(change, open);
      apply_impulses(rigid, r, g, v_set(1.0), v);
      bonds_of(v, w);
    }
  }
}

#endif

#include "water/forces/derivative.h"

#include <math.h>
#include <string.h>

#include "water/model/site.h"

/* A pair of sites with energy phi(r): f = -phi'/r d on the first, so df = -(phi'/r) e - (1/r)(phi'/r)' (d.e) d, where
 * e is the difference of the directions.  Site a of molecule i with site b of the molecules after it. */
static void add_row(const struct rill_water_model *model, size_t molecules, size_t stride, size_t i, size_t a,
                    size_t b, const double *q, const double *u, double *out) {
  const double charges = model->coulomb_constant * model->charge[a] * model->charge[b];
  const double c12 = a == 0 && b == 0 ? model->c12 : 0, c6 = a == 0 && b == 0 ? model->c6 : 0;
  const double *x = q + 3 * a * stride + i, *w = u + 3 * a * stride + i;
  const double *xj = q + 3 * b * stride, *yj = xj + stride, *zj = yj + stride;
  const double *uj = u + 3 * b * stride, *vj = uj + stride, *wj = vj + stride;
  double *oj = out + 3 * b * stride, *pj = oj + stride, *rj = pj + stride, *own = out + 3 * a * stride + i;
  const double x0 = x[0], y0 = x[stride], z0 = x[2 * stride], u0 = w[0], v0 = w[stride], w0 = w[2 * stride];
  double sx = 0, sy = 0, sz = 0;
#pragma omp simd reduction(+ : sx, sy, sz)
  for (size_t j = i + 1; j < molecules; j++) {
    const double dx = x0 - xj[j], dy = y0 - yj[j], dz = z0 - zj[j];
    const double ex = u0 - uj[j], ey = v0 - vj[j], ez = w0 - wj[j];
    const double i2 = 1 / (dx * dx + dy * dy + dz * dz), i6 = i2 * i2 * i2, coulomb = charges * sqrt(i2) * i2;
    const double first = coulomb + (12 * c12 * i6 - 6 * c6) * i6 * i2;               /* -phi'/r */
    const double second = i2 * (3 * coulomb + (168 * c12 * i6 - 48 * c6) * i6 * i2); /* (1/r) (phi'/r)' */
    const double along = second * (dx * ex + dy * ey + dz * ez);
    const double fx = first * ex - along * dx, fy = first * ey - along * dy, fz = first * ez - along * dz;
    sx += fx;
    sy += fy;
    sz += fz;
    oj[j] -= fx;
    pj[j] -= fy;
    rj[j] -= fz;
  }
  own[0] += sx;
  own[stride] += sy;
  own[2 * stride] += sz;
}

static void add_charges(const struct rill_water_model *model, size_t molecules, size_t stride, const double *q,
                        const double *u, double *out) {
  for (size_t i = 0; i + 1 < molecules; i++)
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t b = 0; b < RILL_ATOMS; b++) add_row(model, molecules, stride, i, a, b, q, u, out);
}

/* With C the map from atoms to charges, the Hessian is C^T Hc C and that of the oxygens. */
static void add_with_site(const struct rill_water_model *model, size_t molecules, size_t stride, const double *q,
                          const double *u, double *work, double *out) {
  const struct rill_water_model charges = rill_water_charges(model);
  const double a = model->site_weight;
  struct rill_water_model oxygens = *model;
  double *x = work, *w = work + RILL_COORDINATES * stride;
  oxygens.charge[0] = 0.0;
  rill_site_place(a, stride, 0, molecules, q, x);
  rill_site_place(a, stride, 0, molecules, u, w);
  add_charges(&charges, molecules, stride, x, w, out);
  rill_site_spread(a, stride, 0, molecules, out);
  for (size_t i = 0; i + 1 < molecules; i++) add_row(&oxygens, molecules, stride, i, 0, 0, q, u, out);
}

void rill_water_forces_derivative(const struct rill_water_model *model, size_t molecules, size_t stride,
                                  const double *q, const double *u, double *work, double *out) {
  memset(out, 0, RILL_COORDINATES * stride * sizeof *out);
  if (model->site_weight != 0.0) add_with_site(model, molecules, stride, q, u, work, out);
  else add_charges(model, molecules, stride, q, u, out);
}

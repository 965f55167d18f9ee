#include "systems/bend.h"

/* u at q, and its gradient with respect to the particles i, j and k. */
static double cosine(const struct rill_bend *bend, size_t d, const double *q, double gradient[3][3]) {
  double u = 0;
  for (size_t a = 0; a < d; a++) {
    const double middle = q[bend->j * d + a], r = q[bend->i * d + a] - middle, s = q[bend->k * d + a] - middle;
    u += r * s / bend->lengths;
    gradient[0][a] = s / bend->lengths;
    gradient[2][a] = r / bend->lengths;
    gradient[1][a] = -gradient[0][a] - gradient[2][a];
  }
  return u;
}

/* out += scale x, for vectors x of the particles. */
static void add(const struct rill_bend *bend, size_t d, double scale, double x[3][3], double *out) {
  const size_t particle[3] = {bend->i, bend->j, bend->k};
  for (int e = 0; e < 3; e++)
    for (size_t a = 0; a < d; a++) out[particle[e] * d + a] += scale * x[e][a];
}

double rill_bend_potential(const struct rill_bend *bend, size_t dimension, const double *q) {
  double unused[3][3];
  const double excess = cosine(bend, dimension, q, unused) - bend->cosine;
  return 0.5 * bend->stiffness * excess * excess;
}

void rill_bend_add_gradient(const struct rill_bend *bend, size_t dimension, const double *q, double *out) {
  double du[3][3];
  const double excess = cosine(bend, dimension, q, du) - bend->cosine;
  add(bend, dimension, bend->stiffness * excess, du, out);
}

/* D2V = stiffness (Du Du^T + (u - cosine) D2u), where D2u is constant. */
void rill_bend_add_hessian(const struct rill_bend *bend, size_t dimension, double scale, const double *q,
                           struct rill_band *hessian) {
  static const double d2u[3][3] = {{0, -1, 1}, {-1, 2, -1}, {1, -1, 0}}; /* times I / lengths */
  const size_t d = dimension, at[3] = {bend->i * d, bend->j * d, bend->k * d};
  double du[3][3];
  const double excess = cosine(bend, d, q, du) - bend->cosine;
  for (int e = 0; e < 3; e++)
    for (int f = 0; f < 3; f++)
      for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < d; b++) {
          const double second = a == b ? d2u[e][f] / bend->lengths : 0;
          *rill_band_at(hessian, at[e] + a, at[f] + b) +=
              scale * bend->stiffness * (du[e][a] * du[f][b] + excess * second);
        }
}

/* D3V(a, a, .) = stiffness (2 (Du . a) D2u a + (a . D2u a) Du).  As u is quadratic, D2u a is the gradient of u at a,
 * and a . D2u a = 2 u(a). */
void rill_bend_add_third(const struct rill_bend *bend, size_t dimension, const double *q, const double *a,
                         double *out) {
  const size_t d = dimension, particle[3] = {bend->i, bend->j, bend->k};
  double du[3][3], d2u_a[3][3], rate = 0, curvature;
  cosine(bend, d, q, du);
  curvature = 2 * cosine(bend, d, a, d2u_a);
  for (int e = 0; e < 3; e++)
    for (size_t b = 0; b < d; b++) rate += du[e][b] * a[particle[e] * d + b];
  add(bend, d, 2 * bend->stiffness * rate, d2u_a, out);
  add(bend, d, bend->stiffness * curvature, du, out);
}

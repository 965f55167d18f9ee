#include "analysis/density_ratio.h"

#include <math.h>
#include <stdbool.h>

enum { ITERATIONS = 100, LEAST = 10 };

/* Gradient and Hessian (to be negated) of the log likelihood of (a, b) in sigma(a + b x). */
struct likelihood {
  double gradient[2], hessian[3]; /* aa, ab, bb */
};

static void add(struct likelihood *l, const double *u, size_t count, double label, double centre, double scale,
                const double ab[2]) {
  for (size_t i = 0; i < count; i++) {
    const double x = (u[i] - centre) / scale, s = 1 / (1 + exp(-(ab[0] + ab[1] * x))), w = s * (1 - s);
    l->gradient[0] += label - s;
    l->gradient[1] += (label - s) * x;
    l->hessian[0] += w;
    l->hessian[1] += w * x;
    l->hessian[2] += w * x * x;
  }
}

static void moments(const double *u, size_t count, double *sum, double *squares) {
  for (size_t i = 0; i < count; i++) {
    *sum += u[i];
    *squares += u[i] * u[i];
  }
}

struct rill_slope rill_density_ratio_slope(const double *p, size_t p_count, const double *q, size_t q_count) {
  const struct rill_slope none = {NAN, NAN};
  const double n = (double)(p_count + q_count);
  double sum = 0, squares = 0, centre, scale, ab[2] = {0, 0};
  if (p_count < LEAST || q_count < LEAST) return none;
  moments(p, p_count, &sum, &squares);
  moments(q, q_count, &sum, &squares);
  centre = sum / n;
  scale = sqrt(squares / n - centre * centre);
  if (!(scale > 0)) return none;
  for (int i = 0; i < ITERATIONS; i++) {
    struct likelihood l = {{0}, {0}};
    double determinant, step[2];
    add(&l, p, p_count, 0, centre, scale, ab);
    add(&l, q, q_count, 1, centre, scale, ab);
    determinant = l.hessian[0] * l.hessian[2] - l.hessian[1] * l.hessian[1];
    if (!(determinant > 1e-12 * l.hessian[0] * l.hessian[2])) return none;
    step[0] = (l.hessian[2] * l.gradient[0] - l.hessian[1] * l.gradient[1]) / determinant;
    step[1] = (l.hessian[0] * l.gradient[1] - l.hessian[1] * l.gradient[0]) / determinant;
    ab[0] += step[0];
    ab[1] += step[1];
    if (!isfinite(ab[0]) || !isfinite(ab[1]) || fabs(ab[1]) > 1e3) return none; /* the samples are separated */
    if (fabs(step[0]) + fabs(step[1]) < 1e-10)
      return (struct rill_slope){ab[1] / scale, sqrt(l.hessian[0] / determinant) / scale};
  }
  return none;
}

#include "numerics/quadrature.h"

#include <math.h>
#include <stdbool.h>

/* P_n and P_(n-1) at x, by the three-term recurrence. */
static long double legendre(unsigned n, long double x, long double *before) {
  long double p = 1, last = 0;
  for (unsigned k = 1; k <= n; k++) {
    long double next = ((2 * k - 1) * x * p - (k - 1) * last) / k;
    last = p, p = next;
  }
  *before = last;
  return p;
}

/* Finds the roots of P_n by Newton's method from Chebyshev's guess. */
static void set_gauss(struct rill_quadrature *rule) {
  const unsigned n = rule->count;
  for (unsigned i = 0; i < n; i++) {
    long double x = -cosl(acosl(-1) * (i + 0.75L) / (n + 0.5L)), before = 0, slope = 1;
    for (int iteration = 0; iteration < 10; iteration++) {
      long double p = legendre(n, x, &before);
      slope = n * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    legendre(n, x, &before);
    slope = -(long double)n * before / (x * x - 1);
    rule->node[i] = (double)(0.5L + 0.5L * x);
    rule->weight[i] = (double)(1 / ((1 - x * x) * slope * slope));
  }
}

/* The nodes are the ends and the roots of P_m', m = n - 1: q = P_(m-1) - x P_m vanishes there, with derivative -(m +
 * 1) P_m. */
static void set_lobatto(struct rill_quadrature *rule) {
  const unsigned n = rule->count, m = n - 1;
  for (unsigned i = 0; i < n; i++) {
    long double x = -cosl(acosl(-1) * i / m), before, p;
    for (int iteration = 0; iteration < 10 && i > 0 && i < m; iteration++) {
      p = legendre(m, x, &before);
      x += (before - x * p) / (n * p);
    }
    if (i == 0 || i == m) x = i == 0 ? -1 : 1;
    p = legendre(m, x, &before);
    rule->node[i] = (double)(0.5L + 0.5L * x);
    rule->weight[i] = (double)(1 / (m * n * p * p));
  }
}

enum rill_status rill_quadrature_set(enum rill_quadrature_kind kind, unsigned count, struct rill_quadrature *rule,
                                     struct rill_error *error) {
  const bool gauss = kind == RILL_QUADRATURE_GAUSS;
  const unsigned least = gauss ? 1 : 2;
  if (count < least || count > RILL_QUADRATURE_NODES)
    return rill_error_set(error, RILL_ERROR_USAGE, "a %s rule has %u to %d nodes, not %u",
                          gauss ? "Gauss" : "Lobatto", least, RILL_QUADRATURE_NODES, count);
  *rule = (struct rill_quadrature){.kind = kind, .count = count, .order = (int)(gauss ? 2 * count : 2 * count - 2)};
  if (gauss) set_gauss(rule);
  else set_lobatto(rule);
  return RILL_OK;
}

void rill_lagrange(unsigned count, const double *point, double x, double *value, double *derivative) {
  for (unsigned k = 0; k < count; k++) {
    value[k] = 1, derivative[k] = 0;
    for (unsigned j = 0; j < count; j++) {
      if (j == k) continue;
      derivative[k] = (derivative[k] * (x - point[j]) + value[k]) / (point[k] - point[j]);
      value[k] *= (x - point[j]) / (point[k] - point[j]);
    }
  }
}

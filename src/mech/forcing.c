#include "mech/forcing.h"

#include <math.h>
#include <string.h>

/* Adds the table at t, between the two rows around it. */
static void add_table(const struct rill_forcing *forcing, double t, double *force) {
  const size_t n = forcing->n;
  const double *times = forcing->times, *row;
  size_t k = 0;
  double part;
  while (k + 2 < forcing->rows && times[k + 1] <= t) k++;
  part = fmin(fmax((t - times[k]) / (times[k + 1] - times[k]), 0), 1);
  row = forcing->table + k * n;
  for (size_t i = 0; i < n; i++) force[i] += row[i] + part * (row[n + i] - row[i]);
}

void rill_forcing_given(const struct rill_forcing *forcing, double t, double *force) {
  const double wave = forcing->amplitude != NULL ? sin(forcing->omega * t + forcing->phase) : 0;
  for (size_t i = 0; i < forcing->n; i++) {
    force[i] = forcing->constant != NULL ? forcing->constant[i] : 0;
    if (forcing->amplitude != NULL) force[i] += forcing->amplitude[i] * wave;
  }
  if (forcing->rows > 0) add_table(forcing, t, force);
}

void rill_forcing_add(const struct rill_forcing *forcing, double t, const double *v,
                      struct rill_lagrangian_values *values, double *by_v) {
  const size_t n = forcing->n;
  const double c = forcing->friction;
  const bool is_rate = forcing->law == RILL_FRICTION_UNIFORM;
  rill_forcing_given(forcing, t, forcing->now);
  for (size_t i = 0; i < n; i++) values->dq[i] += forcing->now[i] - c * (is_rate ? values->dv[i] : v[i]);
  if (by_v != NULL)
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) by_v[i * n + j] = -c * (is_rate ? values->dvv[i * n + j] : i == j);
  if (values->dqq == NULL || !is_rate) return;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) values->dqq[i * n + j] -= c * values->dqv[j * n + i];
}

void rill_forcing_push(const struct rill_forcing *forcing, enum rill_push push, const double *mass, double h,
                       double t, double *p) {
  rill_forcing_given(forcing, t, forcing->now);
  for (size_t i = 0; i < forcing->n; i++) {
    const double rate = forcing->law == RILL_FRICTION_UNIFORM ? forcing->friction : forcing->friction / mass[i],
                 force = forcing->now[i];
    switch (push) {
    case RILL_PUSH_EXACT: p[i] = exp(-rate * h) * p[i] + force * (rate != 0 ? -expm1(-rate * h) / rate : h); break;
    case RILL_PUSH_IMPLICIT: p[i] = (p[i] + h * force) / (1 + rate * h); break;
    case RILL_PUSH_EXPLICIT: p[i] = (1 - rate * h) * p[i] + h * force; break;
    }
  }
}

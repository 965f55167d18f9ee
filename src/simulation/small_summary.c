#include "simulation/small_summary.h"

#include <math.h>

static double larger(double a, double b) { return b > a || isnan(b) ? b : a; } /* keeps NaN */

/* Half-step quantities are missing at step 0, and without a half step. */
static void add_means(struct rill_small_summary *s, const struct rill_observation *o) {
  const double values[RILL_SMALL_MEANS] = {
#define X(name, label, value) value,
      RILL_SMALL_MEANS_LIST(X)
#undef X
  };
  s->counted++;
  for (int i = 0; i < RILL_SMALL_MEANS; i++)
    if (s->mean[i].samples > 0 || !isnan(values[i])) rill_average_add(&s->mean[i], values[i]);
}

void rill_small_summary_add(struct rill_small_summary *s, double time, const struct rill_observation *o) {
  double energy = o->kinetic + o->potential, deviation, elapsed;
  const double momentum[RILL_SMALL_MOMENTA] = {o->momentum[0],         o->momentum[1],
                                               o->momentum[2],         o->angular_momentum[0],
                                               o->angular_momentum[1], o->angular_momentum[2]};
  if (s->samples++ == 0) {
    s->first = energy;
    s->start = time;
    for (int i = 0; i < RILL_SMALL_MOMENTA; i++) s->momentum[i] = momentum[i];
  }
  if (s->sampled && time >= s->from) add_means(s, o);
  deviation = energy - s->first;
  elapsed = time - s->start;
  s->sum += deviation;
  s->most = larger(s->most, fabs(deviation));
  s->time_sum += elapsed;
  s->time_square += elapsed * elapsed;
  s->product += elapsed * deviation;
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++)
    s->momentum_change[i] = larger(s->momentum_change[i], fabs(momentum[i] - s->momentum[i]));
  s->position_residual = larger(s->position_residual, fabs(o->position_deviation_max));
  s->velocity_residual = larger(s->velocity_residual, fabs(o->velocity_deviation_max));
  s->iterations += o->iterations;
  s->iterations_most = larger(s->iterations_most, o->iterations);
}

static void archive_means(struct rill_small_summary *s, struct rill_archive *archive) {
  static const char *const names[RILL_SMALL_MEANS] = {
#define X(name, label, value) #name,
      RILL_SMALL_MEANS_LIST(X)
#undef X
  };
  rill_archive_integers(archive, "counted", &s->counted, 1);
  for (int i = 0; i < RILL_SMALL_MEANS; i++) {
    rill_archive_enter(archive, names[i]);
    rill_average_archive(&s->mean[i], archive);
    rill_archive_leave(archive);
  }
}

void rill_small_summary_archive(struct rill_small_summary *s, struct rill_archive *archive) {
  double *const numbers[] = {&s->first,
                             &s->sum,
                             &s->most,
                             &s->time_sum,
                             &s->time_square,
                             &s->product,
                             &s->start,
                             &s->position_residual,
                             &s->velocity_residual,
                             &s->iterations,
                             &s->iterations_most};
  enum { NUMBERS = sizeof numbers / sizeof numbers[0] };
  double values[NUMBERS];
  for (int i = 0; i < NUMBERS; i++) values[i] = *numbers[i];
  rill_archive_integers(archive, "samples", &s->samples, 1);
  rill_archive_reals(archive, "numbers", values, NUMBERS);
  rill_archive_reals(archive, "momentum", s->momentum, RILL_SMALL_MOMENTA);
  rill_archive_reals(archive, "momentum_change", s->momentum_change, RILL_SMALL_MOMENTA);
  for (int i = 0; i < NUMBERS; i++) *numbers[i] = values[i];
  if (s->sampled) archive_means(s, archive);
}

double rill_small_summary_drift(const struct rill_small_summary *s) {
  double n = (double)s->samples, spread = n * s->time_square - s->time_sum * s->time_sum;
  return spread > 0 ? (n * s->product - s->time_sum * s->sum) / spread : NAN;
}

/* A coarse model of DNA: a ring of n base pairs, each an angle in a Morse potential, coupled to its neighbours by
 * springs.
 *
 *
 *   theta_k'' = theta_{k+1} - 2 theta_k + theta_{k-1} - epsilon U'(theta_k),   U = (exp(-a (1 - cos theta - x0)) -
 *   1)^2, Tao & Owhadi 2016, section 4.4 and (4.9), after du Toit, Mezic & Marsden, Physica D 238, 490 (2009).  The
 *   printed text lacks the epsilon and the prime; in any other place there are no transitions between the wells, as
 *   the paper shows them.  Periodic: theta_{n+1} = theta_1. */
#include <math.h>
#include <stdint.h>

#include "base/memory.h"
#include "systems/mechanical_system.h"
#include "systems/types.h"

struct dna {
  size_t n;
  double a, x0, epsilon, spring;
};

static size_t next(const struct dna *dna, size_t k) { return k + 1 < dna->n ? k + 1 : 0; }

static double bond(const struct dna *dna, double theta) { return exp(-dna->a * (1 - cos(theta) - dna->x0)); }

static double potential(const void *self, const double *q) {
  const struct dna *dna = self;
  double springs = 0, wells = 0;
  for (size_t k = 0; k < dna->n; k++) {
    double stretch = q[next(dna, k)] - q[k], e = bond(dna, q[k]) - 1;
    springs += stretch * stretch;
    wells += e * e;
  }
  return 0.5 * dna->spring * springs + dna->epsilon * wells;
}

/* U' = -2 a s E (E - 1), with s = sin, E the bond. */
static void gradient(const void *self, const double *q, double *out) {
  const struct dna *dna = self;
  for (size_t k = 0; k < dna->n; k++) {
    double e = bond(dna, q[k]);
    out[k] = -2 * dna->epsilon * dna->a * sin(q[k]) * e * (e - 1);
  }
  for (size_t k = 0; k < dna->n; k++) {
    double force = dna->spring * (q[next(dna, k)] - q[k]);
    out[k] -= force;
    out[next(dna, k)] += force;
  }
}

/* U'' = 2 a^2 s^2 E (2E - 1) - 2 a c E (E - 1).  There is no stiff part. */
static void add_hessian(const void *self, enum rill_hessian_part part, double scale, const double *q,
                        struct rill_band *hessian) {
  const struct dna *dna = self;
  if (part != RILL_HESSIAN_FULL) return;
  for (size_t k = 0; k < dna->n; k++) {
    double e = bond(dna, q[k]), s = sin(q[k]), c = cos(q[k]), a = dna->a, spring = scale * dna->spring;
    *rill_band_at(hessian, k, k) +=
        scale * dna->epsilon * (2 * a * a * s * s * e * (2 * e - 1) - 2 * a * c * e * (e - 1));
    *rill_band_at(hessian, k, k) += spring;
    *rill_band_at(hessian, next(dna, k), next(dna, k)) += spring;
    *rill_band_at(hessian, k, next(dna, k)) -= spring;
    *rill_band_at(hessian, next(dna, k), k) -= spring;
  }
}

/* U''' = 6 a^2 s c E (2E - 1) - 2 a^3 s^3 E (4E - 1) + 2 a s E (E - 1). */
static void third(const void *self, const double *q, const double *acceleration, double *out) {
  const struct dna *dna = self;
  for (size_t k = 0; k < dna->n; k++) {
    double e = bond(dna, q[k]), s = sin(q[k]), c = cos(q[k]), a = dna->a;
    double derivative =
        6 * a * a * s * c * e * (2 * e - 1) - 2 * a * a * a * s * s * s * e * (4 * e - 1) + 2 * a * s * e * (e - 1);
    out[k] = dna->epsilon * derivative * acceleration[k] * acceleration[k];
  }
}

static const struct rill_mechanical_ops ops = {
    .potential = potential, .gradient = gradient, .add_hessian = add_hessian, .third = third};

/* The published start is random, by a generator that is not named.  This one, splitmix64 with Box & Muller's cosine
 * branch, is that of our reference values. */
static double uniform(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state) {
  double radius = sqrt(-2 * log(uniform(state)));
  return radius * cos(2 * M_PI * uniform(state));
}

static const char *const starts[] = {"random", "deterministic", NULL};

enum { SIZE, STEEPNESS, OFFSET, EPSILON, SPRING, MASS, ANGLE, SPREAD, WAVE, AMPLITUDE, START, SEED, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [SIZE] = {.name = "count",
              .kind = RILL_PARAMETER_COUNT,
              .fallback = "200",
              .least = 3,
              .most = 1e7,
              .help = "number of base pairs"},
    [STEEPNESS] = {.name = "steepness", .fallback = "7", .least = 1, .most = 0, .help = "a of the Morse potential"},
    [OFFSET] = {.name = "offset", .fallback = "0.3", .least = 1, .most = 0, .help = "x0 of the Morse potential"},
    [EPSILON] = {.name = "epsilon",
                 .fallback = "7.1428571428571429e-4",
                 .least = 1,
                 .most = 0,
                 .help = "strength of the Morse potential against the springs"},
    [SPRING] =
        {.name = "spring", .fallback = "1", .least = 1, .most = 0, .help = "spring constant between neighbours"},
    [MASS] = {.name = "mass", .fallback = "1", .least = 1e-300, .most = 1e300, .help = "moment of inertia of a base"},
    [ANGLE] = {.name = "angle", .fallback = "0.8", .least = 1, .most = 0, .help = "mean initial angle"},
    [SPREAD] = {.name = "spread", .fallback = "0.1", .least = 1, .most = 0, .help = "scale of its random part"},
    [WAVE] = {.name = "wave",
              .fallback = "2",
              .least = 1,
              .most = 0,
              .help = "waves around the ring of the initial rates"},
    [AMPLITUDE] = {.name = "amplitude",
                   .fallback = "1",
                   .least = 1,
                   .most = 0,
                   .help = "initial rates are amplitude cos(2 pi wave k / n) / sqrt n"},
    [START] = {.name = "start",
               .kind = RILL_PARAMETER_WORD,
               .fallback = "random",
               .words = starts,
               .help = "random part of the angles: normal numbers, or sqrt2 sin(k^2) for k = 1 ... n"},
    [SEED] = {.name = "seed",
              .with = "start",
              .with_word = "random",
              .kind = RILL_PARAMETER_COUNT,
              .fallback = "1",
              .least = 0,
              .most = 1e9,
              .help = "of the random start"},
};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  size_t n = (size_t)values[SIZE].number[0];
  struct dna *dna = rill_allocate(1, sizeof *dna);
  double *mass = rill_allocate(n, sizeof *mass), *q = rill_allocate(n, sizeof *q), *v = rill_allocate(n, sizeof *v);
  uint64_t generator = (uint64_t)values[SEED].number[0];
  enum rill_status status;
  if (dna == NULL || mass == NULL || q == NULL || v == NULL) {
    rill_release(dna);
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu base pairs", n);
    goto done;
  }
  *dna = (struct dna){n, values[STEEPNESS].number[0], values[OFFSET].number[0], values[EPSILON].number[0],
                      values[SPRING].number[0]};
  for (size_t k = 0; k < n; k++) {
    double index = (double)(k + 1);
    double noise = values[START].word == 0 ? normal(&generator) : sqrt(2) * sin(index * index);
    mass[k] = values[MASS].number[0];
    q[k] = values[ANGLE].number[0] + values[SPREAD].number[0] * noise;
    v[k] = values[AMPLITUDE].number[0] * cos(2 * M_PI * values[WAVE].number[0] * index / (double)n) / sqrt((double)n);
  }
  status = rill_mechanical_system_create(&(struct rill_mechanical_model){.name = rill_system_dna.name,
                                                                         .summary = rill_system_dna.summary,
                                                                         .ops = &ops,
                                                                         .n = n,
                                                                         .bandwidth = n - 1,
                                                                         .ring_bandwidth = 1,
                                                                         .mass = mass,
                                                                         .q = q,
                                                                         .v = v,
                                                                         .self = dna,
                                                                         .destroy = rill_release},
                                         system, error);
done:
  rill_release(mass);
  rill_release(q);
  rill_release(v);
  return status;
}

const struct rill_system_type rill_system_dna = {
    .name = "dna",
    .summary = "a ring of base pairs: angles in Morse potentials, coupled by springs; two wells",
    .source = "Tao & Owhadi 2016, (4.9), with epsilon and the prime restored",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

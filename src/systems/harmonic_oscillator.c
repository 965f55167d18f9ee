/* The harmonic oscillator in one dimension, for which every method can be worked out by hand. */
#include "base/memory.h"
#include "systems/mechanical_system.h"
#include "systems/types.h"

enum { MASS, STIFFNESS, POSITION, VELOCITY, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASS] = {.name = "mass", .fallback = "1", .least = 1e-300, .most = 1e300, .help = "mass"},
    [STIFFNESS] = {.name = "stiffness", .fallback = "1", .least = 0, .most = 1e300, .help = "k of V = k q^2 / 2"},
    [POSITION] = {.name = "position", .fallback = "1", .least = 1, .most = 0, .help = "initial position"},
    [VELOCITY] = {.name = "velocity", .fallback = "0", .least = 1, .most = 0, .help = "initial velocity"},
};

struct oscillator {
  double spring;
};

static double potential(const void *self, const double *q) {
  return 0.5 * ((const struct oscillator *)self)->spring * q[0] * q[0];
}

static void gradient(const void *self, const double *q, double *out) {
  out[0] = ((const struct oscillator *)self)->spring * q[0];
}

static void add_hessian(const void *self, enum rill_hessian_part part, double scale, const double *q,
                        struct rill_band *hessian) {
  (void)q;
  if (part == RILL_HESSIAN_FULL) *rill_band_at(hessian, 0, 0) += scale * ((const struct oscillator *)self)->spring;
}

static void third(const void *self, const double *q, const double *a, double *out) {
  (void)self, (void)q, (void)a;
  out[0] = 0;
}

static const struct rill_mechanical_ops ops = {
    .potential = potential, .gradient = gradient, .add_hessian = add_hessian, .third = third};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  struct oscillator *oscillator = rill_allocate(1, sizeof *oscillator);
  if (oscillator == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a harmonic oscillator");
  oscillator->spring = values[STIFFNESS].number[0];
  const struct rill_mechanical_model model = {
      .name = rill_system_harmonic_oscillator.name,
      .summary = rill_system_harmonic_oscillator.summary,
      .ops = &ops,
      .n = 1,
      .mass = values[MASS].number,
      .q = values[POSITION].number,
      .v = values[VELOCITY].number,
      .self = oscillator,
      .destroy = rill_release,
  };
  return rill_mechanical_system_create(&model, system, error);
}

const struct rill_system_type rill_system_harmonic_oscillator = {
    .name = "harmonic-oscillator",
    .summary = "a point mass on a linear spring in one dimension",
    .source = "textbook",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

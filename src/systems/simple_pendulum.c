/* The planar pendulum in its angle, whose kinetic energy is constant: the example of Marsden & Wendlandt's section 4,
 * H = p^2 / (2 m l^2) - m g l cos(q).  One coordinate, a separable energy, no constraint. */
#include <math.h>

#include "base/memory.h"
#include "systems/mechanical_system.h"
#include "systems/types.h"

enum { MASS, LENGTH, GRAVITY, ANGLE, RATE, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASS] = {.name = "mass", .fallback = "1", .least = 1e-300, .most = 1e300, .help = "mass"},
    [LENGTH] = {.name = "length", .fallback = "1", .least = 1e-150, .most = 1e150, .help = "length of the rod"},
    [GRAVITY] = {.name = "gravity", .fallback = "1", .least = 1, .most = 0, .help = "gravity, downward"},
    [ANGLE] =
        {.name = "angle", .fallback = "1", .least = 1, .most = 0, .help = "initial angle from the downward vertical"},
    [RATE] = {.name = "rate", .fallback = "0", .least = 1, .most = 0, .help = "initial angular velocity"},
};

struct pendulum {
  double torque; /* m g l */
};

static double potential(const void *self, const double *q) {
  return -((const struct pendulum *)self)->torque * cos(q[0]);
}

static void gradient(const void *self, const double *q, double *out) {
  out[0] = ((const struct pendulum *)self)->torque * sin(q[0]);
}

static void add_hessian(const void *self, enum rill_hessian_part part, double scale, const double *q,
                        struct rill_band *hessian) {
  if (part == RILL_HESSIAN_FULL)
    *rill_band_at(hessian, 0, 0) += scale * ((const struct pendulum *)self)->torque * cos(q[0]);
}

static void third(const void *self, const double *q, const double *a, double *out) {
  out[0] = -((const struct pendulum *)self)->torque * sin(q[0]) * a[0] * a[0];
}

static void momenta(const void *self, const double *q, const double *p, double linear[3], double angular[3]) {
  (void)self, (void)q;
  linear[0] = linear[1] = linear[2] = NAN;
  angular[0] = angular[1] = 0;
  angular[2] = p[0];
}

static const struct rill_mechanical_ops ops = {
    .potential = potential, .gradient = gradient, .add_hessian = add_hessian, .third = third};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  double m = values[MASS].number[0], l = values[LENGTH].number[0], moment = m * l * l;
  struct pendulum *pendulum = rill_allocate(1, sizeof *pendulum);
  if (pendulum == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a pendulum");
  pendulum->torque = m * values[GRAVITY].number[0] * l;
  const struct rill_mechanical_model model = {
      .name = rill_system_simple_pendulum.name,
      .summary = rill_system_simple_pendulum.summary,
      .ops = &ops,
      .n = 1,
      .mass = &moment,
      .q = values[ANGLE].number,
      .v = values[RATE].number,
      .self = pendulum,
      .destroy = rill_release,
      .momenta = momenta,
  };
  return rill_mechanical_system_create(&model, system, error);
}

const struct rill_system_type rill_system_simple_pendulum = {
    .name = "simple-pendulum",
    .summary = "the planar pendulum in its angle",
    .source = "Marsden & Wendlandt 1997, section 4, Example 5",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

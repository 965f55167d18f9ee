/* Kepler's problem in the plane: a particle of mass m attracted by the origin, V = -m mu / r.  Steps should be as
 * long as r^(3/2), which is the local time of free fall: (r/a)^(3/2), with the semi-axis a. */
#include "systems/kepler.h"

#include <math.h>

#include "base/memory.h"
#include "systems/mechanical_system.h"
#include "systems/types.h"

enum { MASS, MU, SEMI_AXIS, ECCENTRICITY, ANOMALY, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASS] = {.name = "mass", .fallback = "1", .least = 1e-300, .most = 1e300, .help = "mass of the particle"},
    [MU] = {.name = "mu", .fallback = "1", .least = 1e-300, .most = 1e300, .help = "mu of the potential -m mu / r"},
    [SEMI_AXIS] = {.name = "semi_axis",
                   .fallback = "1",
                   .least = 1e-100,
                   .most = 1e100,
                   .help = "semi-major axis of the ellipse"},
    [ECCENTRICITY] =
        {.name = "eccentricity", .fallback = "0.9", .least = 0, .most = 0.999999, .help = "eccentricity"},
    [ANOMALY] = {.name = "anomaly",
                 .fallback = "0",
                 .least = 1,
                 .most = 0,
                 .help = "mean anomaly at the start, in radians; 0: the pericentre"},
};

struct kepler {
  double strength;  /* m mu */
  double semi_axis; /* of the start */
};

/* Kepler's equation E - e sin E = M by Newton's method from M + e sign(sin M), which converges for all e < 1. */
void rill_kepler_at(double a, double e, double mu, double mean_anomaly, double *q, double *v) {
  const double rate = sqrt(mu / (a * a * a)), b = a * sqrt((1 - e) * (1 + e));
  const double mean = remainder(mean_anomaly, 8 * atan(1));
  double eccentric = mean + (mean < 0 ? -e : e), change = 1, speed;
  for (int i = 0; i < 60 && fabs(change) > 1e-16; i++) {
    change = (eccentric - e * sin(eccentric) - mean) / (1 - e * cos(eccentric));
    eccentric -= change;
  }
  speed = rate / (1 - e * cos(eccentric));
  q[0] = a * (cos(eccentric) - e);
  q[1] = b * sin(eccentric);
  v[0] = -a * sin(eccentric) * speed;
  v[1] = b * cos(eccentric) * speed;
}

static double potential(const void *self, const double *q) {
  return -((const struct kepler *)self)->strength / hypot(q[0], q[1]);
}

static void gradient(const void *self, const double *q, double *out) {
  const double r = hypot(q[0], q[1]), scale = ((const struct kepler *)self)->strength / (r * r * r);
  for (int i = 0; i < 2; i++) out[i] = scale * q[i];
}

static void add_hessian(const void *self, enum rill_hessian_part part, double scale, const double *q,
                        struct rill_band *hessian) {
  const double r = hypot(q[0], q[1]), cubed = scale * ((const struct kepler *)self)->strength / (r * r * r);
  if (part != RILL_HESSIAN_FULL) return;
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < 2; j++)
      *rill_band_at(hessian, i, j) += cubed * ((i == j ? 1 : 0) - 3 * q[i] * q[j] / (r * r));
}

static void third(const void *self, const double *q, const double *a, double *out) {
  const double r = hypot(q[0], q[1]), fifth = ((const struct kepler *)self)->strength / pow(r, 5),
               along = q[0] * a[0] + q[1] * a[1], square = a[0] * a[0] + a[1] * a[1];
  for (int i = 0; i < 2; i++)
    out[i] = fifth * (15 * along * along / (r * r) * q[i] - 6 * along * a[i] - 3 * square * q[i]);
}

static double step_size(const void *self, const double *q, double *out) {
  const double r = hypot(q[0], q[1]), size = pow(r / ((const struct kepler *)self)->semi_axis, 1.5);
  for (int i = 0; i < 2; i++) out[i] = 1.5 * size * q[i] / (r * r);
  return size;
}

static void momenta(const void *self, const double *q, const double *p, double linear[3], double angular[3]) {
  (void)self;
  for (int i = 0; i < 3; i++) linear[i] = NAN;
  angular[0] = angular[1] = 0;
  angular[2] = q[0] * p[1] - q[1] * p[0];
}

static const struct rill_mechanical_ops ops = {
    .potential = potential, .gradient = gradient, .add_hessian = add_hessian, .third = third, .step_size = step_size};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  const double m = values[MASS].number[0], mu = values[MU].number[0], mass[2] = {m, m};
  struct kepler *kepler = rill_allocate(1, sizeof *kepler);
  double q[2], v[2];
  if (kepler == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for Kepler's problem");
  kepler->strength = m * mu;
  kepler->semi_axis = values[SEMI_AXIS].number[0];
  rill_kepler_at(kepler->semi_axis, values[ECCENTRICITY].number[0], mu, values[ANOMALY].number[0], q, v);
  const struct rill_mechanical_model model = {
      .name = rill_system_kepler.name,
      .summary = rill_system_kepler.summary,
      .ops = &ops,
      .n = 2,
      .bandwidth = 1,
      .mass = mass,
      .q = q,
      .v = v,
      .self = kepler,
      .destroy = rill_release,
      .momenta = momenta,
  };
  return rill_mechanical_system_create(&model, system, error);
}

const struct rill_system_type rill_system_kepler = {
    .name = "kepler",
    .summary = "Kepler's problem in the plane, whose motion is an ellipse",
    .source = "Hairer, Lubich & Wanner, Geometric Numerical Integration, I.2; Kane, Marsden & Ortiz (1999)",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

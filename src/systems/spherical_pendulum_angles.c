/* The spherical pendulum in angles: theta from the downward vertical, phi about it.  Generalised coordinates of the
 * spherical pendulum, singular at theta = 0 and pi.
 *
 * L = m l^2 (theta'^2 + sin^2(theta) phi'^2) / 2 + m g l cos(theta). */
#include <math.h>
#include <string.h>

#include "systems/falling_particles.h"
#include "systems/lagrangian_system.h"
#include "systems/types.h"

struct angles {
  struct rill_lagrangian_system base;
  struct rill_falling_particles particles;
  struct rill_chart chart;
  double mass, length, gravity;
};

enum { MASS, LENGTH, GRAVITY, ANGLES, RATES, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASS] = {.name = "mass", .fallback = "1.3 kg", .unit = "kg", .least = 1e-300, .most = 1e300, .help = "mass"},
    [LENGTH] = {.name = "length",
                .fallback = "0.8 m",
                .unit = "m",
                .least = 1e-150,
                .most = 1e150,
                .help = "length of the rod"},
    [GRAVITY] = {.name = "gravity",
                 .fallback = "9.81 m/s2",
                 .unit = "m/s2",
                 .least = 1,
                 .most = 0,
                 .help = "gravity, downward (along -z)"},
    [ANGLES] = {.name = "angles",
                .kind = RILL_PARAMETER_VECTOR,
                .length = 2,
                .fallback = "0.5414605896273018 0.24497866312686414 rad",
                .unit = "rad",
                .least = 1,
                .most = 0,
                .help = "initial theta, from the downward vertical, and phi"},
    [RATES] = {.name = "rates",
               .kind = RILL_PARAMETER_VECTOR,
               .length = 2,
               .fallback = "0.8490589652126699 2.6470588235294112 rad/s",
               .unit = "rad/s",
               .least = 1,
               .most = 0,
               .help = "initial angular velocities"},
};

static void evaluate(const void *self, const double *q, const double *v, struct rill_lagrangian_values *values) {
  const struct angles *angles = self;
  double s = sin(q[0]), c = cos(q[0]);
  double moment = angles->mass * angles->length * angles->length,
         torque = angles->mass * angles->gravity * angles->length;
  values->value = 0.5 * moment * (v[0] * v[0] + s * s * v[1] * v[1]) + torque * c;
  if (values->dq != NULL) {
    values->dq[0] = moment * s * c * v[1] * v[1] - torque * s;
    values->dq[1] = 0;
  }
  if (values->dv != NULL) {
    values->dv[0] = moment * v[0];
    values->dv[1] = moment * s * s * v[1];
  }
  if (values->dqq != NULL)
    memcpy(values->dqq, (double[4]){moment * (c * c - s * s) * v[1] * v[1] - torque * c, 0, 0, 0},
           4 * sizeof(double));
  if (values->dqv != NULL) memcpy(values->dqv, (double[4]){0, 2 * moment * s * c * v[1], 0, 0}, 4 * sizeof(double));
  if (values->dvv != NULL) memcpy(values->dvv, (double[4]){moment, 0, 0, moment * s * s}, 4 * sizeof(double));
}

static const struct rill_lagrangian_ops lagrangian_ops = {.evaluate = evaluate};

static void embed(const void *self, const double *q, double *v) {
  double l = ((const struct angles *)self)->length;
  v[0] = l * sin(q[0]) * cos(q[1]);
  v[1] = l * sin(q[0]) * sin(q[1]);
  v[2] = -l * cos(q[0]);
}

static void tangent(const void *self, const double *q, double *matrix) {
  double l = ((const struct angles *)self)->length, s = l * sin(q[0]), c = l * cos(q[0]);
  matrix[0] = c * cos(q[1]);
  matrix[1] = -s * sin(q[1]);
  matrix[2] = c * sin(q[1]);
  matrix[3] = s * cos(q[1]);
  matrix[4] = s;
  matrix[5] = 0;
}

static const struct rill_chart_ops chart_ops = {embed, tangent};

/* About the support: position cross mass times Cartesian velocity; the z component is p_phi. */
static void momenta(const void *self, const double *q, const double *p, double linear[3], double angular[3]) {
  double theta_part = p[0], phi_part = p[1] / sin(q[0]);
  (void)self; /* e_r x (p_theta e_theta + p_phi / sin(theta) e_phi); the lengths cancel */
  angular[0] = theta_part * sin(q[1]) + phi_part * cos(q[0]) * cos(q[1]);
  angular[1] = -theta_part * cos(q[1]) + phi_part * cos(q[0]) * sin(q[1]);
  angular[2] = p[1];
  linear[0] = linear[1] = linear[2] = NAN;
}

static const struct rill_system_ops ops = {
    .name = "spherical-pendulum-angles",
    .summary = "the spherical pendulum in generalised coordinates",
    RILL_LAGRANGIAN_SYSTEM_OPS,
};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  struct rill_lagrangian_system *base;
  struct angles *angles;
  if (fabs(sin(values[ANGLES].number[0])) < 1e-12)
    return rill_error_set(
        error, RILL_ERROR_INPUT,
        "system %s: on the vertical phi has no meaning; take another theta, or system spherical-pendulum",
        rill_system_spherical_pendulum_angles.name);
  RILL_TRY(rill_lagrangian_system_allocate(sizeof *angles, 2, 0, &lagrangian_ops, &base, error));
  angles = (struct angles *)base;
  angles->mass = values[MASS].number[0];
  angles->length = values[LENGTH].number[0];
  angles->gravity = values[GRAVITY].number[0];
  rill_falling_particles_set(&angles->particles, 1, 3, &angles->mass, angles->gravity);
  angles->chart = (struct rill_chart){&chart_ops, &angles->particles.lagrangian, angles};
  base->lagrangian.chart = &angles->chart;
  base->momenta = momenta;
  memcpy(base->state.q, values[ANGLES].number, 2 * sizeof(double));
  rill_lagrangian_system_start(base, values[RATES].number, &ops, system);
  return RILL_OK;
}

const struct rill_system_type rill_system_spherical_pendulum_angles = {
    .name = "spherical-pendulum-angles",
    .summary = "the spherical pendulum in generalised coordinates theta, phi",
    .source = "Wendlandt & Marsden 1997, sections 4.2 and 4.3",
    .si = true,
    .coordinate_unit = "rad",
    .momentum_unit = "kg m2/s",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

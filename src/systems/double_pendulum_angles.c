/* The planar double pendulum in generalised coordinates, Tao & Owhadi 2016, section 4.1: the angles theta, phi of
 * both rods from the downward vertical, x1 = L1 sin(theta), y1 = -L1 cos(theta), x2 = x1 + L2 sin(phi), y2 = y1 - L2
 * cos(phi).
 *
 * Gravity acts along -y, as these coordinates imply; the printed potential, -g y1 - g y2, has the other sign. */
#include <math.h>
#include <string.h>

#include "systems/falling_particles.h"
#include "systems/lagrangian_system.h"
#include "systems/types.h"

struct angles {
  struct rill_lagrangian_system base;
  struct rill_falling_particles particles;
  struct rill_chart chart;
  double length[2];
  double moment[2], coupling; /* (m1 + m2) L1^2, m2 L2^2; m2 L1 L2 */
  double torque[2];           /* (m1 + m2) g L1, m2 g L2 */
};

enum { MASSES, LENGTHS, GRAVITY, ANGLES, RATES, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASSES] = {.name = "masses",
                .kind = RILL_PARAMETER_VECTOR,
                .length = 2,
                .fallback = "1 1",
                .least = 1e-300,
                .most = 1e300,
                .help = "masses"},
    [LENGTHS] = {.name = "lengths",
                 .kind = RILL_PARAMETER_VECTOR,
                 .length = 2,
                 .fallback = "1 1.41421356237309505",
                 .least = 1e-150,
                 .most = 1e150,
                 .help = "lengths of the rods"},
    [GRAVITY] = {.name = "gravity", .fallback = "1", .least = 1, .most = 0, .help = "gravity, downward (along -y)"},
    [ANGLES] = {.name = "angles",
                .kind = RILL_PARAMETER_VECTOR,
                .length = 2,
                .fallback = "0 0.78539816339744831",
                .least = 1,
                .most = 0,
                .help = "initial angles of the rods, each from the downward vertical"},
    [RATES] = {.name = "rates",
               .kind = RILL_PARAMETER_VECTOR,
               .length = 2,
               .fallback = "0 0",
               .least = 1,
               .most = 0,
               .help = "initial angular velocities"},
};

/* L = moment.(theta'^2, phi'^2)/2 + coupling theta' phi' cos(theta - phi) + torque.(cos theta, cos phi). */
static void evaluate(const void *self, const double *q, const double *v, struct rill_lagrangian_values *values) {
  const struct angles *angles = self;
  double s = angles->coupling * sin(q[0] - q[1]), c = angles->coupling * cos(q[0] - q[1]);
  values->value = c * v[0] * v[1];
  for (int i = 0; i < 2; i++) {
    double sign = i == 0 ? 1 : -1;
    values->value += 0.5 * angles->moment[i] * v[i] * v[i] + angles->torque[i] * cos(q[i]);
    if (values->dq != NULL) values->dq[i] = -sign * s * v[0] * v[1] - angles->torque[i] * sin(q[i]);
    if (values->dv != NULL) values->dv[i] = angles->moment[i] * v[i] + c * v[1 - i];
    for (int j = 0; j < 2; j++) {
      if (values->dqq != NULL)
        values->dqq[2 * i + j] = (i == j ? -1 : 1) * c * v[0] * v[1] - (i == j ? angles->torque[i] * cos(q[i]) : 0);
      if (values->dqv != NULL) values->dqv[2 * i + j] = -sign * s * v[1 - j];
      if (values->dvv != NULL) values->dvv[2 * i + j] = i == j ? angles->moment[i] : c;
    }
  }
}

static const struct rill_lagrangian_ops lagrangian_ops = {.evaluate = evaluate};

static void embed(const void *self, const double *q, double *v) {
  const double *length = ((const struct angles *)self)->length;
  v[0] = length[0] * sin(q[0]);
  v[1] = -length[0] * cos(q[0]);
  v[2] = v[0] + length[1] * sin(q[1]);
  v[3] = v[1] - length[1] * cos(q[1]);
}

static void tangent(const void *self, const double *q, double *matrix) {
  const double *length = ((const struct angles *)self)->length;
  memset(matrix, 0, 8 * sizeof *matrix);
  for (int particle = 0; particle < 2; particle++)
    for (int rod = 0; rod <= particle; rod++) {
      matrix[4 * particle + rod] = length[rod] * cos(q[rod]);
      matrix[4 * particle + 2 + rod] = length[rod] * sin(q[rod]);
    }
}

static const struct rill_chart_ops chart_ops = {embed, tangent};

/* Linear momentum is not defined.  Angular momentum is about the support; gravity changes it. */
static void momenta(const void *self, const double *q, const double *p, double linear[3], double angular[3]) {
  (void)self, (void)q;
  linear[0] = linear[1] = linear[2] = NAN;
  angular[0] = angular[1] = 0;
  angular[2] = p[0] + p[1];
}

static const struct rill_system_ops ops = {
    .name = "double-pendulum-angles",
    .summary = "the planar double pendulum in generalised coordinates",
    RILL_LAGRANGIAN_SYSTEM_OPS,
};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  struct rill_lagrangian_system *base;
  struct angles *angles;
  const double *m = values[MASSES].number, *l = values[LENGTHS].number;
  double g = values[GRAVITY].number[0];
  RILL_TRY(rill_lagrangian_system_allocate(sizeof *angles, 2, 0, &lagrangian_ops, &base, error));
  angles = (struct angles *)base;
  memcpy(angles->length, l, sizeof angles->length);
  angles->moment[0] = (m[0] + m[1]) * l[0] * l[0];
  angles->moment[1] = m[1] * l[1] * l[1];
  angles->coupling = m[1] * l[0] * l[1];
  angles->torque[0] = (m[0] + m[1]) * g * l[0];
  angles->torque[1] = m[1] * g * l[1];
  rill_falling_particles_set(&angles->particles, 2, 2, m, g);
  angles->chart = (struct rill_chart){&chart_ops, &angles->particles.lagrangian, angles};
  base->lagrangian.chart = &angles->chart;
  base->momenta = momenta;
  memcpy(base->state.q, values[ANGLES].number, 2 * sizeof(double));
  rill_lagrangian_system_start(base, values[RATES].number, &ops, system);
  return RILL_OK;
}

const struct rill_system_type rill_system_double_pendulum_angles = {
    .name = "double-pendulum-angles",
    .summary = "two point masses on rods in the plane, in generalised coordinates theta, phi",
    .source = "Tao & Owhadi 2016, section 4.1, with the sign of gravity corrected",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

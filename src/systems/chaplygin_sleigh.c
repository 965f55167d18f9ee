/* Chaplygin's sleigh: a rigid body on a plane, on a blade that cannot slide sideways.  Coordinates are the centre of
 * mass (x, y) and the heading theta, L = m (x'^2 + y'^2)/2 + I theta'^2/2; the blade is at a distance a behind the
 * centre of mass, and
 *
 *   -sin(theta) x' + cos(theta) y' - a theta' = 0.
 *
 * With the blade's forward speed u and the rate omega: u' = a omega^2, (I + m a^2) omega' = -m a u omega.  The energy
 * is constant, and the sleigh ends in straight motion, blade behind. */
#include <math.h>

#include "base/memory.h"
#include "systems/nonholonomic_model.h"
#include "systems/types.h"

enum { MASS, INERTIA, OFFSET, POSITION, HEADING, SPEED, TURN, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASS] = {.name = "mass", .fallback = "1", .least = 1e-300, .most = 1e300, .help = "mass"},
    [INERTIA] = {.name = "inertia",
                 .fallback = "0.5",
                 .least = 1e-300,
                 .most = 1e300,
                 .help = "moment of inertia about the centre of mass"},
    [OFFSET] = {.name = "offset",
                .fallback = "0.4",
                .least = 1,
                .most = 0,
                .help = "distance of the centre of mass in front of the blade"},
    [POSITION] = {.name = "position",
                  .kind = RILL_PARAMETER_VECTOR,
                  .length = 2,
                  .fallback = "0 0",
                  .least = 1,
                  .most = 0,
                  .help = "initial position of the centre of mass"},
    [HEADING] = {.name = "heading", .fallback = "0.3", .least = 1, .most = 0, .help = "initial heading"},
    [SPEED] = {.name = "speed", .fallback = "-0.5", .least = 1, .most = 0, .help = "initial forward speed"},
    [TURN] = {.name = "turn", .fallback = "1", .least = 1, .most = 0, .help = "initial rate of the heading"},
};

struct sleigh {
  double offset;
};

static void gradient(const void *self, const double *q, double *out) {
  (void)self, (void)q;
  memset(out, 0, 3 * sizeof *out);
}

static void third(const void *self, const double *q, const double *a, double *out) {
  (void)a;
  gradient(self, q, out);
}

static void rows(const void *self, const double *q, double *a) {
  a[0] = -sin(q[2]);
  a[1] = cos(q[2]);
  a[2] = -((const struct sleigh *)self)->offset;
}

static void rates(const void *self, const double *q, const double *v, double *out) {
  (void)self;
  out[0] = out[1] = 0;
  out[2] = -cos(q[2]) * v[0] - sin(q[2]) * v[1];
}

static const struct rill_nonholonomic_ops blade = {rows, rates};
static const struct rill_mechanical_ops ops = {
    .potential = rill_no_potential, .gradient = gradient, .add_hessian = rill_no_hessian, .third = third};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  const double m = values[MASS].number[0], *at = values[POSITION].number, theta = values[HEADING].number[0],
               speed = values[SPEED].number[0], turn = values[TURN].number[0];
  const double mass[3] = {m, m, values[INERTIA].number[0]};
  struct sleigh *sleigh = rill_allocate(1, sizeof *sleigh);
  double aside;
  if (sleigh == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a sleigh");
  sleigh->offset = values[OFFSET].number[0];
  aside = sleigh->offset * turn;
  const double q[3] = {at[0], at[1], theta},
               v[3] = {cos(theta) * speed - sin(theta) * aside, sin(theta) * speed + cos(theta) * aside, turn};
  const struct rill_mechanical_model model = {
      .name = rill_system_chaplygin_sleigh.name,
      .summary = rill_system_chaplygin_sleigh.summary,
      .ops = &ops,
      .n = 3,
      .nonholonomic = &blade,
      .velocity_constraints = 1,
      .mass = mass,
      .q = q,
      .v = v,
      .self = sleigh,
      .destroy = rill_release,
  };
  return rill_mechanical_system_create(&model, system, error);
}

const struct rill_system_type rill_system_chaplygin_sleigh = {
    .name = "chaplygin-sleigh",
    .summary = "Chaplygin's sleigh: a body on a plane, on a blade that cannot slide sideways",
    .source =
        "Bloch, Nonholonomic Mechanics and Control (2015), section 1.7; Fedorov & Zenkov, Nonlinearity 18, 2211 "
        "(2005)",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

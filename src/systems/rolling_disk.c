/* A disk that stays vertical and rolls without slipping on a plane: the point of contact (x, y), the heading phi and
 * the rolling angle theta, L = m (x'^2 + y'^2)/2 + I phi'^2/2 + J theta'^2/2, and
 *
 *   x' = R cos(phi) theta',   y' = R sin(phi) theta'.
 *
 * phi' and theta' are constant, and the point of contact runs round a circle of radius R theta'/phi'. */
#include <math.h>

#include "base/memory.h"
#include "systems/nonholonomic_model.h"
#include "systems/types.h"

enum { MASS, RADIUS, INERTIA, SPIN_INERTIA, POSITION, HEADING, ANGLE, SPIN, TURN, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASS] = {.name = "mass", .fallback = "1", .least = 1e-300, .most = 1e300, .help = "mass"},
    [RADIUS] = {.name = "radius", .fallback = "1", .least = 1e-150, .most = 1e150, .help = "radius of the disk"},
    [INERTIA] = {.name = "inertia",
                 .fallback = "0.25",
                 .least = 1e-300,
                 .most = 1e300,
                 .help = "moment of inertia about a diameter, of the heading"},
    [SPIN_INERTIA] = {.name = "spin_inertia",
                      .fallback = "0.5",
                      .least = 1e-300,
                      .most = 1e300,
                      .help = "moment of inertia about the axis, of the rolling angle"},
    [POSITION] = {.name = "position",
                  .kind = RILL_PARAMETER_VECTOR,
                  .length = 2,
                  .fallback = "0 0",
                  .least = 1,
                  .most = 0,
                  .help = "initial point of contact"},
    [HEADING] = {.name = "heading", .fallback = "0.4", .least = 1, .most = 0, .help = "initial heading"},
    [ANGLE] = {.name = "angle", .fallback = "0", .least = 1, .most = 0, .help = "initial rolling angle"},
    [SPIN] = {.name = "spin", .fallback = "1.3", .least = 1, .most = 0, .help = "initial rate of the rolling angle"},
    [TURN] = {.name = "turn", .fallback = "0.7", .least = 1, .most = 0, .help = "initial rate of the heading"},
};

struct disk {
  double radius;
};

static void gradient(const void *self, const double *q, double *out) {
  (void)self, (void)q;
  memset(out, 0, 4 * sizeof *out);
}

static void third(const void *self, const double *q, const double *a, double *out) {
  (void)a;
  gradient(self, q, out);
}

static void rows(const void *self, const double *q, double *a) {
  const double radius = ((const struct disk *)self)->radius;
  const double values[2][4] = {{1, 0, 0, -radius * cos(q[2])}, {0, 1, 0, -radius * sin(q[2])}};
  memcpy(a, values, sizeof values);
}

static void rates(const void *self, const double *q, const double *v, double *out) {
  const double speed = ((const struct disk *)self)->radius * v[3];
  const double values[2][4] = {{0, 0, speed * sin(q[2]), 0}, {0, 0, -speed * cos(q[2]), 0}};
  memcpy(out, values, sizeof values);
}

static const struct rill_nonholonomic_ops rolling = {rows, rates};
static const struct rill_mechanical_ops ops = {
    .potential = rill_no_potential, .gradient = gradient, .add_hessian = rill_no_hessian, .third = third};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  const double m = values[MASS].number[0], *at = values[POSITION].number, phi = values[HEADING].number[0],
               spin = values[SPIN].number[0];
  const double mass[4] = {m, m, values[INERTIA].number[0], values[SPIN_INERTIA].number[0]};
  struct disk *disk = rill_allocate(1, sizeof *disk);
  if (disk == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a rolling disk");
  disk->radius = values[RADIUS].number[0];
  const double q[4] = {at[0], at[1], phi, values[ANGLE].number[0]},
               v[4] = {disk->radius * cos(phi) * spin, disk->radius * sin(phi) * spin, values[TURN].number[0], spin};
  const struct rill_mechanical_model model = {
      .name = rill_system_rolling_disk.name,
      .summary = rill_system_rolling_disk.summary,
      .ops = &ops,
      .n = 4,
      .nonholonomic = &rolling,
      .velocity_constraints = 2,
      .mass = mass,
      .q = q,
      .v = v,
      .self = disk,
      .destroy = rill_release,
  };
  return rill_mechanical_system_create(&model, system, error);
}

const struct rill_system_type rill_system_rolling_disk = {
    .name = "rolling-disk",
    .summary = "a vertical disk that rolls on a plane without slipping",
    .source = "Bloch, Nonholonomic Mechanics and Control (2015), section 1.4; Cortes & Martinez (2001)",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

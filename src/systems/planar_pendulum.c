/* A point mass on a massless rod in the plane. */
#include <math.h>

#include "systems/linkage.h"
#include "systems/types.h"

static const char *const formulations[] = {"constrained", "penalised", NULL};

enum { MASS, LENGTH, GRAVITY, ANGLE, RATE, FORMULATION, STIFFNESS, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASS] = {.name = "mass", .fallback = "1", .least = 1e-300, .most = 1e300, .help = "mass"},
    [LENGTH] = {.name = "length", .fallback = "1", .least = 1e-150, .most = 1e150, .help = "length of the rod"},
    [GRAVITY] = {.name = "gravity", .fallback = "1", .least = 1, .most = 0, .help = "gravity, downward (along -y)"},
    [ANGLE] =
        {.name = "angle", .fallback = "1", .least = 1, .most = 0, .help = "initial angle from the downward vertical"},
    [RATE] = {.name = "rate", .fallback = "0", .least = 1, .most = 0, .help = "initial angular velocity"},
    [FORMULATION] = {.name = "formulation",
                     .kind = RILL_PARAMETER_WORD,
                     .fallback = "constrained",
                     .words = formulations,
                     .help = "rod as a constraint, or as the penalty (w^2/2) (|r|^2 - L^2)^2"},
    [STIFFNESS] = {.name = "stiffness",
                   .with = "formulation",
                   .with_word = "penalised",
                   .fallback = "20",
                   .least = 0,
                   .most = 1e150,
                   .help = "w of the penalty"},
};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  double length = values[LENGTH].number[0], angle = values[ANGLE].number[0], rate = values[RATE].number[0];
  const double q[2] = {length * sin(angle), -length * cos(angle)};
  const double v[2] = {length * rate * cos(angle), length * rate * sin(angle)};
  const struct rill_bar rod = {0, RILL_LINKAGE_ORIGIN, length};
  const struct rill_linkage linkage = {
      .name = rill_system_planar_pendulum.name,
      .summary = rill_system_planar_pendulum.summary,
      .dimension = 2,
      .particles = 1,
      .mass = values[MASS].number,
      .gravity = values[GRAVITY].number[0],
      .bar_count = 1,
      .bars = &rod,
      .penalised = values[FORMULATION].word == 1,
      .stiffness = values[STIFFNESS].number[0],
      .q = q,
      .v = v,
  };
  return rill_linkage_create(&linkage, system, error);
}

const struct rill_system_type rill_system_planar_pendulum = {
    .name = "planar-pendulum",
    .summary = "a point mass on a rod in the plane, in Cartesian coordinates",
    .source = "textbook; the constraint of Wendlandt & Marsden 1997, section 4.3, in the plane",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

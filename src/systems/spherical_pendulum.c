/* The spherical pendulum in Cartesian coordinates; the data are those of the check of Wendlandt & Marsden's theorem
 * 1. */
#include "systems/linkage.h"
#include "systems/spatial_start.h"
#include "systems/types.h"

static const char *const formulations[] = {"constrained", "penalised", NULL};

enum { MASS, LENGTH, GRAVITY, POSITION, VELOCITY, FORMULATION, STIFFNESS, COUNT };

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
    [POSITION] = {.name = "position",
                  .kind = RILL_PARAMETER_VECTOR,
                  .fallback = "0.4 0.1 m",
                  .unit = "m",
                  .least = 1,
                  .most = 0,
                  .help = "initial x y (z follows, below the support) or x y z"},
    [VELOCITY] = {.name = "velocity",
                  .kind = RILL_PARAMETER_VECTOR,
                  .fallback = "0.3 1.2 m/s",
                  .unit = "m/s",
                  .least = 1,
                  .most = 0,
                  .help = "initial x y (z follows) or x y z components"},
    [FORMULATION] = {.name = "formulation",
                     .kind = RILL_PARAMETER_WORD,
                     .fallback = "constrained",
                     .words = formulations,
                     .help = "rod as a constraint, or as the penalty (w^2/2) (|r|^2 - L^2)^2"},
    [STIFFNESS] = {.name = "stiffness",
                   .with = "formulation",
                   .with_word = "penalised",
                   .fallback = "100 sqrt(J)/m2",
                   .unit = "sqrt(J)/m2",
                   .unit_optional = true,
                   .least = 0,
                   .most = 1e150,
                   .help = "w of the penalty"},
};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  const struct rill_bar rod = {0, RILL_LINKAGE_ORIGIN, values[LENGTH].number[0]};
  double q[3], v[3];
  RILL_TRY(rill_spatial_start(rill_system_spherical_pendulum.name, 1, values[LENGTH].number,
                              values[FORMULATION].word == 0, &values[POSITION], &values[VELOCITY], q, v, error));
  const struct rill_linkage linkage = {
      .name = rill_system_spherical_pendulum.name,
      .summary = rill_system_spherical_pendulum.summary,
      .dimension = 3,
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

const struct rill_system_type rill_system_spherical_pendulum = {
    .name = "spherical-pendulum",
    .summary = "a point mass on a rod in space, in Cartesian coordinates",
    .source = "Wendlandt & Marsden 1997, section 4.3",
    .si = true,
    .coordinate_unit = "m",
    .momentum_unit = "kg m/s",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

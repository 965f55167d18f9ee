/* The double spherical pendulum of Wendlandt & Marsden 1997, section 5.2: constraints (5.11), printed data.
 *
 * The z components are not printed: each mass is below the point that it hangs from, and the rods have their lengths.
 * The printed data are rounded too far to give the paper's own energies (24.9396 J against 24.9445 J). */
#include "systems/linkage.h"
#include "systems/spatial_start.h"
#include "systems/types.h"

static const char *const formulations[] = {"constrained", "penalised", NULL};

enum { MASSES, LENGTHS, GRAVITY, POSITION, VELOCITY, FORMULATION, STIFFNESS, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASSES] = {.name = "masses",
                .kind = RILL_PARAMETER_VECTOR,
                .length = 2,
                .fallback = "2.0 3.5 kg",
                .unit = "kg",
                .least = 1e-300,
                .most = 1e300,
                .help = "masses"},
    [LENGTHS] = {.name = "lengths",
                 .kind = RILL_PARAMETER_VECTOR,
                 .length = 2,
                 .fallback = "4.0 3.0 m",
                 .unit = "m",
                 .least = 1e-150,
                 .most = 1e150,
                 .help = "lengths of the rods"},
    [GRAVITY] = {.name = "gravity",
                 .fallback = "9.81 m/s2",
                 .unit = "m/s2",
                 .least = 1,
                 .most = 0,
                 .help = "gravity, downward (along -z)"},
    [POSITION] = {.name = "position",
                  .kind = RILL_PARAMETER_VECTOR,
                  .fallback = "2.820 0.025 5.085 0.105 m",
                  .unit = "m",
                  .least = 1,
                  .most = 0,
                  .help = "initial x1 y1 x2 y2 (z follow, each below) or x1 y1 z1 x2 y2 z2"},
    [VELOCITY] = {.name = "velocity",
                  .kind = RILL_PARAMETER_VECTOR,
                  .fallback = "3.381 2.506 2.497 10.495 m/s",
                  .unit = "m/s",
                  .least = 1,
                  .most = 0,
                  .help = "initial x1 y1 x2 y2 (z follow) or x1 y1 z1 x2 y2 z2 components"},
    [FORMULATION] = {.name = "formulation",
                     .kind = RILL_PARAMETER_WORD,
                     .fallback = "constrained",
                     .words = formulations,
                     .help = "rods as constraints, or as the penalty (w^2/2) sum (|r|^2 - L^2)^2"},
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
  const double *length = values[LENGTHS].number;
  const struct rill_bar rods[2] = {{0, RILL_LINKAGE_ORIGIN, length[0]}, {1, 0, length[1]}};
  double q[6], v[6];
  RILL_TRY(rill_spatial_start(rill_system_double_spherical_pendulum.name, 2, length, values[FORMULATION].word == 0,
                              &values[POSITION], &values[VELOCITY], q, v, error));
  const struct rill_linkage linkage = {
      .name = rill_system_double_spherical_pendulum.name,
      .summary = rill_system_double_spherical_pendulum.summary,
      .dimension = 3,
      .particles = 2,
      .mass = values[MASSES].number,
      .gravity = values[GRAVITY].number[0],
      .bar_count = 2,
      .bars = rods,
      .penalised = values[FORMULATION].word == 1,
      .stiffness = values[STIFFNESS].number[0],
      .q = q,
      .v = v,
  };
  return rill_linkage_create(&linkage, system, error);
}

const struct rill_system_type rill_system_double_spherical_pendulum = {
    .name = "double-spherical-pendulum",
    .summary = "two point masses on rods in space, in Cartesian coordinates",
    .source = "Wendlandt & Marsden 1997, section 5.2 and (5.11)",
    .si = true,
    .coordinate_unit = "m",
    .momentum_unit = "kg m/s",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

/* The planar double pendulum of Tao & Owhadi 2016, section 4.1, in Cartesian coordinates.
 *
 * Gravity pulls along -y.  The printed potential, -g y1 - g y2, has the other sign: with it the motion is chaotic and
 * the figures cannot be reproduced; the paper's own angles, y1 = -L1 cos theta, imply this sign. */
#include <math.h>

#include "systems/linkage.h"
#include "systems/types.h"

static const char *const formulations[] = {"constrained", "penalised", NULL};

enum { MASSES, LENGTHS, GRAVITY, ANGLES, RATES, FORMULATION, STIFFNESS, COUNT };

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
    [FORMULATION] = {.name = "formulation",
                     .kind = RILL_PARAMETER_WORD,
                     .fallback = "constrained",
                     .words = formulations,
                     .help = "rods as constraints, or as the penalty (w^2/2) sum (|r|^2 - L^2)^2"},
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
  const double *length = values[LENGTHS].number, *angle = values[ANGLES].number, *rate = values[RATES].number;
  const struct rill_bar bars[2] = {{0, RILL_LINKAGE_ORIGIN, length[0]}, {1, 0, length[1]}};
  double q[4] = {0}, v[4] = {0};
  for (int a = 0; a < 2; a++)
    for (int rod = 0; rod <= a; rod++) {
      q[2 * a] += length[rod] * sin(angle[rod]);
      q[2 * a + 1] -= length[rod] * cos(angle[rod]);
      v[2 * a] += length[rod] * rate[rod] * cos(angle[rod]);
      v[2 * a + 1] += length[rod] * rate[rod] * sin(angle[rod]);
    }
  const struct rill_linkage linkage = {
      .name = rill_system_double_pendulum.name,
      .summary = rill_system_double_pendulum.summary,
      .dimension = 2,
      .particles = 2,
      .mass = values[MASSES].number,
      .gravity = values[GRAVITY].number[0],
      .bar_count = 2,
      .bars = bars,
      .penalised = values[FORMULATION].word == 1,
      .stiffness = values[STIFFNESS].number[0],
      .q = q,
      .v = v,
  };
  return rill_linkage_create(&linkage, system, error);
}

const struct rill_system_type rill_system_double_pendulum = {
    .name = "double-pendulum",
    .summary = "two point masses on rods in the plane, in Cartesian coordinates, constrained or penalised",
    .source = "Tao & Owhadi 2016, section 4.1, with the sign of gravity corrected",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

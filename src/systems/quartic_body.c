/* A rigid body about a fixed point in a potential that is not linear in R, of our choice: V = k (z^4 - z), z = e_3.R
 * rho.  With a linear potential the implicit midpoint rule conserves the energy exactly, which would favour it in
 * comparisons. */
#include "systems/attitude_system.h"
#include "systems/types.h"

enum { INERTIA, STRENGTH, POINT, ATTITUDE, RATES, RETRACTION, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [INERTIA] = RILL_ATTITUDE_INERTIA("1 2.8 2"),
    [STRENGTH] =
        {.name = "strength", .fallback = "2", .least = 1, .most = 0, .help = "k of V = k (z^4 - z), z = e_3.R point"},
    [POINT] = {.name = "point",
               .kind = RILL_PARAMETER_VECTOR,
               .length = 3,
               .fallback = "0 0 1",
               .least = 1,
               .most = 0,
               .help = "the point rho of the body whose height is z, body components"},
    [ATTITUDE] = RILL_ATTITUDE_START,
    [RATES] = RILL_ATTITUDE_RATES("0.5 -0.5 0.4"),
    [RETRACTION] = RILL_ATTITUDE_RETRACTION,
};

static void quartic(double strength, double z, double u[3]) {
  u[0] = strength * z * (z * z * z - 1);
  u[1] = strength * (4 * z * z * z - 1);
  u[2] = 12 * strength * z * z;
}

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  const struct rill_attitude_model model = {
      .name = rill_system_quartic_body.name,
      .summary = rill_system_quartic_body.summary,
      .inertia = values[INERTIA].number,
      .attitude = values[ATTITUDE].number,
      .rates = values[RATES].number,
      .exponential = values[RETRACTION].word == 1,
      .point = values[POINT].number,
      .strength = values[STRENGTH].number[0],
      .potential = quartic,
  };
  return rill_attitude_system_create(&model, system, error);
}

const struct rill_system_type rill_system_quartic_body = {
    .name = "quartic-body",
    .summary = "a rigid body about a fixed point in a quartic potential, in rotation matrices",
    .source = "a case for the comparison of Leok & Shingel, section 2.4; the potential is of our choice",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

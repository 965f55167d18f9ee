/* The 3D pendulum: a rigid body that rotates about a fixed point in uniform gravity: V = -m g e_3.R rho, gravity
 * along +z, with the centre of mass at rho from the point.  The data are our choice, Leok & Shingel print none. */
#include "systems/attitude_system.h"
#include "systems/types.h"

enum { INERTIA, MASS, GRAVITY, CENTRE, ATTITUDE, RATES, RETRACTION, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [INERTIA] = RILL_ATTITUDE_INERTIA("1 2.8 2"),
    [MASS] = {.name = "mass", .fallback = "1", .least = 0, .most = 1e150, .help = "mass"},
    [GRAVITY] = {.name = "gravity",
                 .fallback = "9.81",
                 .least = 1,
                 .most = 0,
                 .help = "gravity, along the spatial +z axis: V = -mass gravity e_3.R centre"},
    [CENTRE] = {.name = "centre",
                .kind = RILL_PARAMETER_VECTOR,
                .length = 3,
                .fallback = "0 0 1",
                .least = 1,
                .most = 0,
                .help = "centre of mass from the fixed point, body components"},
    [ATTITUDE] = RILL_ATTITUDE_START,
    [RATES] = RILL_ATTITUDE_RATES("0.5 -0.5 0.4"),
    [RETRACTION] = RILL_ATTITUDE_RETRACTION,
};

static void weight(double strength, double z, double u[3]) {
  u[0] = -strength * z;
  u[1] = -strength;
  u[2] = 0;
}

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  const struct rill_attitude_model model = {
      .name = rill_system_pendulum_3d.name,
      .summary = rill_system_pendulum_3d.summary,
      .inertia = values[INERTIA].number,
      .attitude = values[ATTITUDE].number,
      .rates = values[RATES].number,
      .exponential = values[RETRACTION].word == 1,
      .point = values[CENTRE].number,
      .strength = values[MASS].number[0] * values[GRAVITY].number[0],
      .potential = weight,
  };
  return rill_attitude_system_create(&model, system, error);
}

const struct rill_system_type rill_system_pendulum_3d = {
    .name = "pendulum-3d",
    .summary = "the 3D pendulum: a heavy rigid body about a fixed point, in rotation matrices",
    .source = "a case for the comparison of Leok & Shingel, section 2.4, whose data are not printed",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

/* The free rigid body on SO(3); the data are our choice, Leok & Shingel print none. */
#include "systems/attitude_system.h"
#include "systems/types.h"

enum { INERTIA, ATTITUDE, RATES, RETRACTION, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [INERTIA] = RILL_ATTITUDE_INERTIA("1 2.8 2"),
    [ATTITUDE] = RILL_ATTITUDE_START,
    [RATES] = RILL_ATTITUDE_RATES("0.5 -0.5 0.4"),
    [RETRACTION] = RILL_ATTITUDE_RETRACTION,
};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  const struct rill_attitude_model model = {
      .name = rill_system_free_body.name,
      .summary = rill_system_free_body.summary,
      .inertia = values[INERTIA].number,
      .attitude = values[ATTITUDE].number,
      .rates = values[RATES].number,
      .exponential = values[RETRACTION].word == 1,
  };
  return rill_attitude_system_create(&model, system, error);
}

const struct rill_system_type rill_system_free_body = {
    .name = "free-body",
    .summary = "the free rigid body in rotation matrices",
    .source = "Leok & Shingel, section 2.3, eq. (5) without a potential; Leimkuhler & Patrick, section 5.2",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

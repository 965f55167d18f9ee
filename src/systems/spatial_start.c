#include "systems/spatial_start.h"

#include <math.h>

enum rill_status rill_spatial_start(const char *system, size_t count, const double *length, bool rigid,
                                    const struct rill_parameter_value *position,
                                    const struct rill_parameter_value *velocity, double *q, double *v,
                                    struct rill_error *error) {
  size_t given_q = position->count / count, given_v = velocity->count / count;
  double upper_q[3] = {0}, upper_v[3] = {0};
  if (position->count != given_q * count || velocity->count != given_v * count || given_q < 2 || given_q > 3 ||
      given_v < 2 || given_v > 3)
    return rill_error_set(
        error, RILL_ERROR_INPUT,
        "system %s: position and velocity hold x y, or x y z, of %zu mass%s; found %zu and %zu numbers", system,
        count, count == 1 ? "" : "es", position->count, velocity->count);
  for (size_t a = 0; a < count; a++) {
    double *x = q + 3 * a, *u = v + 3 * a, r[3], along = 0, fastest = 0;
    for (size_t k = 0; k < given_q; k++) x[k] = position->number[given_q * a + k];
    for (size_t k = 0; k < given_v; k++) u[k] = velocity->number[given_v * a + k];
    if (given_q == 2) {
      double drop = length[a] * length[a] - (x[0] - upper_q[0]) * (x[0] - upper_q[0]) -
                    (x[1] - upper_q[1]) * (x[1] - upper_q[1]);
      if (!(drop > 0))
        return rill_error_set(
            error, RILL_ERROR_INPUT,
            "system %s: rod %zu of length %.15g cannot reach x = %.15g, y = %.15g; take a longer rod or a "
            "nearer position",
            system, a + 1, length[a], x[0], x[1]);
      x[2] = upper_q[2] - sqrt(drop);
    }
    for (int k = 0; k < 3; k++) r[k] = x[k] - upper_q[k];
    if (given_v == 2) {
      if (r[2] == 0)
        return rill_error_set(error, RILL_ERROR_INPUT,
                              "system %s: rod %zu is horizontal, so that its z velocity does not follow; give x y z",
                              system, a + 1);
      u[2] = upper_v[2] - (r[0] * (u[0] - upper_v[0]) + r[1] * (u[1] - upper_v[1])) / r[2];
    }
    /* Allows for rounded decimals in decks, up to 1e-6; the system projects the remaining error away. */
    for (int k = 0; k < 3; k++) {
      along += r[k] * (u[k] - upper_v[k]);
      fastest = fmax(fastest, fabs(u[k] - upper_v[k]));
    }
    if (rigid && fabs(along) > 1e-6 * length[a] * fastest)
      return rill_error_set(
          error, RILL_ERROR_INPUT,
          "system %s: the initial velocities stretch rod %zu at a rate of %.3g; give velocities that keep its "
          "length, or x y alone",
          system, a + 1, along / length[a]);
    for (int k = 0; k < 3; k++) {
      upper_q[k] = x[k];
      upper_v[k] = u[k];
    }
  }
  return RILL_OK;
}

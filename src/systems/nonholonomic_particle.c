/* Rosenberg's particle in space, L = m |v|^2/2 - k (x^2 + y^2)/2, with z' = y x'.  For k = 0, y' = b and the
 * nonholonomic momentum (1 + y^2) x' = C sqrt(1 + y^2), so that x' = C / sqrt(1 + y^2). */
#include <math.h>

#include "base/memory.h"
#include "systems/nonholonomic_model.h"
#include "systems/types.h"

enum { MASS, STIFFNESS, POSITION, VELOCITY, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASS] = {.name = "mass", .fallback = "1", .least = 1e-300, .most = 1e300, .help = "mass"},
    [STIFFNESS] = {.name = "stiffness",
                   .fallback = "0",
                   .least = 1,
                   .most = 0,
                   .help = "k of the potential k (x^2 + y^2)/2; 0: free"},
    [POSITION] = {.name = "position",
                  .kind = RILL_PARAMETER_VECTOR,
                  .length = 3,
                  .fallback = "0 -1 0",
                  .least = 1,
                  .most = 0,
                  .help = "initial position"},
    [VELOCITY] = {.name = "velocity",
                  .kind = RILL_PARAMETER_VECTOR,
                  .length = 2,
                  .fallback = "0.8 0.6",
                  .least = 1,
                  .most = 0,
                  .help = "initial velocity along x and y"},
};

struct particle {
  double stiffness;
};

static double potential(const void *self, const double *q) {
  return 0.5 * ((const struct particle *)self)->stiffness * (q[0] * q[0] + q[1] * q[1]);
}

static void gradient(const void *self, const double *q, double *out) {
  out[0] = ((const struct particle *)self)->stiffness * q[0];
  out[1] = ((const struct particle *)self)->stiffness * q[1];
  out[2] = 0;
}

static void add_hessian(const void *self, enum rill_hessian_part part, double scale, const double *q,
                        struct rill_band *hessian) {
  (void)q;
  if (part != RILL_HESSIAN_FULL) return;
  *rill_band_at(hessian, 0, 0) += scale * ((const struct particle *)self)->stiffness;
  *rill_band_at(hessian, 1, 1) += scale * ((const struct particle *)self)->stiffness;
}

static void third(const void *self, const double *q, const double *a, double *out) {
  (void)self, (void)q, (void)a;
  memset(out, 0, 3 * sizeof *out);
}

static void rows(const void *self, const double *q, double *a) {
  (void)self;
  a[0] = -q[1];
  a[1] = 0;
  a[2] = 1;
}

static void rates(const void *self, const double *q, const double *v, double *out) {
  (void)self, (void)q;
  out[0] = out[2] = 0;
  out[1] = -v[0];
}

static const struct rill_nonholonomic_ops slope = {rows, rates};
static const struct rill_mechanical_ops ops = {
    .potential = potential, .gradient = gradient, .add_hessian = add_hessian, .third = third};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  const double m = values[MASS].number[0], *q = values[POSITION].number, *xy = values[VELOCITY].number;
  const double mass[3] = {m, m, m}, v[3] = {xy[0], xy[1], q[1] * xy[0]};
  struct particle *particle = rill_allocate(1, sizeof *particle);
  if (particle == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a particle");
  particle->stiffness = values[STIFFNESS].number[0];
  const struct rill_mechanical_model model = {
      .name = rill_system_nonholonomic_particle.name,
      .summary = rill_system_nonholonomic_particle.summary,
      .ops = &ops,
      .n = 3,
      .nonholonomic = &slope,
      .velocity_constraints = 1,
      .mass = mass,
      .q = q,
      .v = v,
      .self = particle,
      .destroy = rill_release,
  };
  return rill_mechanical_system_create(&model, system, error);
}

const struct rill_system_type rill_system_nonholonomic_particle = {
    .name = "nonholonomic-particle",
    .summary = "a particle in space with z' = y x'",
    .source = "Bloch, Krishnaprasad, Marsden & Murray, Arch. Rational Mech. Anal. 136, 21 (1996), section 6",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

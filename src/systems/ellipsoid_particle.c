/* A heavy particle on an ellipsoid sum_i y_i^2 / a_i^2 = 1, V = mu y_3, in the coordinates x_i = y_i / a_i of the
 * unit sphere: kinetic energy sum_i m a_i^2 x_i'^2 / 2, V = mu a_3 x_3, constraint |x|^2 = 1.  Momenta are m a_i^2
 * x_i'. The data are our choice; Leimkuhler & Patrick print none.  With a_1 = a_2 the angular momentum about the
 * third axis is conserved. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "systems/mechanical_system.h"
#include "systems/types.h"

enum { MASS, AXES, WEIGHT, POSITION, VELOCITY, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASS] = {.name = "mass", .fallback = "1", .least = 1e-150, .most = 1e150, .help = "m"},
    [AXES] = {.name = "axes",
              .kind = RILL_PARAMETER_VECTOR,
              .length = 3,
              .fallback = "1 1.3 0.7",
              .least = 1e-75,
              .most = 1e75,
              .help = "semi-axes a of the ellipsoid"},
    [WEIGHT] = {.name = "weight", .fallback = "1", .least = 1, .most = 0, .help = "mu of V = mu y_3"},
    [POSITION] = {.name = "position",
                  .kind = RILL_PARAMETER_VECTOR,
                  .length = 3,
                  .fallback = "0.6 0.48 0.64",
                  .least = -1,
                  .most = 1,
                  .help = "initial x on the unit sphere, x_i = y_i / a_i"},
    [VELOCITY] = {.name = "velocity",
                  .kind = RILL_PARAMETER_VECTOR,
                  .length = 3,
                  .fallback = "0.3776 -0.29792 -0.13056",
                  .least = 1,
                  .most = 0,
                  .help = "initial x', tangent to the sphere (a component along x is removed)"},
};

struct particle {
  double force; /* mu a_3 */
};

static double potential(const void *self, const double *q) { return ((const struct particle *)self)->force * q[2]; }

static void gradient(const void *self, const double *q, double *out) {
  (void)q;
  out[0] = out[1] = 0;
  out[2] = ((const struct particle *)self)->force;
}

static void no_hessian(const void *self, enum rill_hessian_part part, double scale, const double *q,
                       struct rill_band *hessian) {
  (void)self, (void)part, (void)scale, (void)q, (void)hessian;
}

static void no_third(const void *self, const double *q, const double *a, double *out) {
  (void)self, (void)q, (void)a;
  out[0] = out[1] = out[2] = 0;
}

static void constraint(const void *self, const double *q, double *g) {
  (void)self;
  *g = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1;
}

static void add_constraint_force(const void *self, const double *q, const double *multiplier, double *out) {
  (void)self;
  for (int i = 0; i < 3; i++) out[i] += 2 * *multiplier * q[i];
}

static void constraint_rate(const void *self, const double *q, const double *u, double *out) {
  (void)self;
  *out = 2 * (q[0] * u[0] + q[1] * u[1] + q[2] * u[2]);
}

static void add_constraint_product(const void *self, const double *q, const double *weight, const double *q0,
                                   struct rill_band *product) {
  (void)self;
  for (int i = 0; i < 3; i++) *rill_band_at(product, 0, 0) += 4 * q[i] * weight[i] * q0[i];
}

static void add_product_gradient(const void *self, const double *q, const double *weight, const struct rill_band *s,
                                 double scale, double *out) {
  (void)self;
  for (int i = 0; i < 3; i++) out[i] += 8 * scale * *rill_band_at(s, 0, 0) * weight[i] * q[i];
}

static void add_constraint_hessian(const void *self, const double *multiplier, const double *q,
                                   struct rill_band *hessian) {
  (void)self, (void)q;
  for (size_t i = 0; i < 3; i++) *rill_band_at(hessian, i, i) += 2 * *multiplier;
}

static void jacobian(const void *self, const double *q, double *jacobian) {
  (void)self;
  for (int i = 0; i < 3; i++) jacobian[i] = 2 * q[i];
}

static const struct rill_mechanical_ops ops = {
    .potential = potential,
    .gradient = gradient,
    .add_hessian = no_hessian,
    .third = no_third,
    .constraint = constraint,
    .add_constraint_force = add_constraint_force,
    .constraint_rate = constraint_rate,
    .add_constraint_product = add_constraint_product,
    .add_product_gradient = add_product_gradient,
    .add_constraint_hessian = add_constraint_hessian,
    .jacobian = jacobian,
};

static void momenta(const void *self, const double *q, const double *p, double linear[3], double angular[3]) {
  (void)self;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    linear[i] = p[i];
    angular[i] = q[j] * p[k] - q[k] * p[j];
  }
}

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  const double *axes = values[AXES].number;
  struct particle *particle = rill_allocate(1, sizeof *particle);
  double mass[3];
  if (particle == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a particle");
  particle->force = values[WEIGHT].number[0] * axes[2];
  for (int i = 0; i < 3; i++) mass[i] = values[MASS].number[0] * axes[i] * axes[i];
  const struct rill_mechanical_model model = {
      .name = rill_system_ellipsoid_particle.name,
      .summary = rill_system_ellipsoid_particle.summary,
      .ops = &ops,
      .n = 3,
      .m = 1,
      .spheres = 1,
      .radius = {1},
      .mass = mass,
      .q = values[POSITION].number,
      .v = values[VELOCITY].number,
      .self = particle,
      .destroy = rill_release,
      .momenta = momenta,
  };
  return rill_mechanical_system_create(&model, system, error);
}

const struct rill_system_type rill_system_ellipsoid_particle = {
    .name = "ellipsoid-particle",
    .summary = "a heavy particle on an ellipsoid, in coordinates of the unit sphere",
    .source = "Leimkuhler & Patrick, J. Nonlinear Sci. 6, 367 (1996), section 5.1",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

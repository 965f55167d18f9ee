#include "systems/attitude_system.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numerics/so3.h"
#include "systems/heat_bath.h"

const char *const rill_attitude_retractions[] = {"cayley", "exponential", NULL};

struct attitude_system {
  struct rill_heat_bath bath; /* first: see heat_bath.h */
  struct rill_system_ops ops; /* the shared verbs under the model's name */
  double inertia[3], point[3], strength;
  void (*potential)(double strength, double z, double u[3]);
  struct rill_group group;
  struct rill_state state;
  double q[9], p[9], compensation[9]; /* p[0..2] is the body momentum, the rest is zero */
  struct {
    double q[9], p[9], compensation[9], residual;
    unsigned iterations;
  } saved;
};

/* --- SO(3) --- */

static void cayley_advance(const void *self, const double *element, const double *xi, double *product) {
  double rotation[9];
  (void)self;
  rill_so3_cayley(xi, rotation);
  rill_mat3_product(element, rotation, product);
}

static void cayley_dual(const void *self, const double *xi, const double *covector, double *momentum) {
  (void)self;
  rill_so3_cayley_tangent_inverse_dual(xi, covector, momentum);
}

static void cayley_derivative(const void *self, const double *xi, const double *covector, const double *along,
                              double *out) {
  (void)self;
  rill_so3_cayley_tangent_inverse_dual_derivative(xi, covector, along, out);
}

static void exponential_advance(const void *self, const double *element, const double *xi, double *product) {
  double rotation[9];
  (void)self;
  rill_so3_exp(xi, rotation);
  rill_mat3_product(element, rotation, product);
}

static void exponential_dual(const void *self, const double *xi, const double *covector, double *momentum) {
  (void)self;
  rill_so3_exp_tangent_inverse_dual(xi, covector, momentum);
}

static void exponential_derivative(const void *self, const double *xi, const double *covector, const double *along,
                                   double *out) {
  (void)self;
  rill_so3_exp_tangent_inverse_dual_derivative(xi, covector, along, out);
}

static void tangent(const void *self, const double *element, const double *xi, double *change) {
  double hat[9];
  (void)self;
  rill_so3_hat(xi, hat);
  rill_mat3_product(element, hat, change);
}

static void bracket(const void *self, const double *xi, const double *momentum, double *out) {
  (void)self;
  rill_cross3(momentum, xi, out);
}

static void coadjoint(const void *self, const double *xi, const double *momentum, double *out) {
  double rotation[9];
  (void)self;
  rill_so3_exp(xi, rotation);
  rill_mat3_apply(rotation, momentum, out);
}

static void dexp(const void *self, const double *xi, const double *v, double *out) {
  (void)self;
  rill_so3_dexp(xi, v, out);
}

static void dexp_derivative(const void *self, const double *xi, const double *a, const double *v, double *out) {
  (void)self;
  rill_so3_dexp_derivative(xi, a, v, out);
}

static void dexp_second(const void *self, const double *xi, const double *a, const double *b, const double *v,
                        double *out) {
  (void)self;
  rill_so3_dexp_second(xi, a, b, v, out);
}

/* --- the body --- */

static void inertia(const void *self, const double *xi, double *momentum) {
  const struct attitude_system *s = self;
  for (int i = 0; i < 3; i++) momentum[i] = s->inertia[i] * xi[i];
}

static void inertia_inverse(const void *self, const double *momentum, double *xi) {
  const struct attitude_system *s = self;
  for (int i = 0; i < 3; i++) xi[i] = momentum[i] / s->inertia[i];
}

/* U, U' and U'' at the height of the point; gamma is the last row of R. */
static void evaluate(const struct attitude_system *s, const double *element, double u[3]) {
  if (s->potential != NULL) s->potential(s->strength, rill_dot3(s->point, element + 6), u);
  else u[0] = u[1] = u[2] = 0;
}

static double potential(const void *self, const double *element) {
  double u[3];
  evaluate(self, element, u);
  return u[0];
}

static void torque(const void *self, const double *element, double *force) {
  const struct attitude_system *s = self;
  double u[3];
  evaluate(s, element, u);
  rill_cross3(element + 6, s->point, force);
  for (int i = 0; i < 3; i++) force[i] *= u[1];
}

static void torque_derivative(const void *self, const double *element, const double *change, double *out) {
  const struct attitude_system *s = self;
  double u[3], cross[3], rise = rill_dot3(s->point, change + 6);
  evaluate(s, element, u);
  rill_cross3(element + 6, s->point, cross);
  rill_cross3(change + 6, s->point, out);
  for (int i = 0; i < 3; i++) out[i] = u[2] * rise * cross[i] + u[1] * out[i];
}

#define OF_THE_BODY                                                                                                  \
  .inertia = inertia, .inertia_inverse = inertia_inverse, .force = torque, .potential = potential,                   \
  .force_derivative = torque_derivative, .exponential = exponential_advance, .cayley = cayley_advance,               \
  .tangent = tangent, .bracket = bracket, .coadjoint = coadjoint, .dexp = dexp, .dexp_derivative = dexp_derivative,  \
  .dexp_second = dexp_second

static const struct rill_group_ops with_cayley = {
    .advance = cayley_advance,
    .tangent_inverse_dual = cayley_dual,
    .tangent_inverse_dual_derivative = cayley_derivative,
    OF_THE_BODY,
};

static const struct rill_group_ops with_exponential = {
    .advance = exponential_advance,
    .tangent_inverse_dual = exponential_dual,
    .tangent_inverse_dual_derivative = exponential_derivative,
    OF_THE_BODY,
};

/* --- the system --- */

static double degrees_of_freedom(const void *self) {
  (void)self;
  return 3;
}

static enum rill_status begin_step(void *self, uint64_t step, double h, struct rill_error *error) {
  (void)h, (void)error;
  rill_heat_bath_begin_step(&((struct attitude_system *)self)->bath, step);
  return RILL_OK;
}

static enum rill_status ou(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  (void)error;
  rill_heat_bath_flow(&((struct attitude_system *)self)->bath, h, step, use);
  return RILL_OK;
}

static const struct rill_flow_ops flow = {.ou = ou};

void rill_attitude_orthogonality(const double r[9], double *largest, double *rms) {
  double squares = 0;
  *largest = 0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double s = r[a] * r[b] + r[3 + a] * r[3 + b] + r[6 + a] * r[6 + b] - (a == b);
      if (!(fabs(s) <= *largest)) *largest = fabs(s); /* NaN propagates */
      squares += s * s;
    }
  *rms = sqrt(squares / 9);
}

static enum rill_status observe(void *self, struct rill_observation *observation, struct rill_error *error) {
  struct attitude_system *s = self;
  (void)error;
  *observation = (struct rill_observation){0};
  for (int i = 0; i < RILL_ENERGY_PARTS; i++) observation->part[i] = NAN;
  observation->temperature_half = NAN;
  observation->temperature_translation = observation->temperature_rotation = NAN;
  observation->temperature_half_translation = observation->temperature_half_rotation = NAN;
  observation->bond_deviation = NAN;
  for (int i = 0; i < 3; i++) {
    observation->kinetic += 0.5 * s->p[i] * s->p[i] / s->inertia[i];
    observation->momentum[i] = s->p[i];
  }
  observation->temperature =
      rill_heat_bath_kinetic_temperature(&s->bath, observation->kinetic, degrees_of_freedom(s));
  observation->potential = potential(s, s->q);
  rill_mat3_apply(s->q, s->p, observation->angular_momentum);
  rill_attitude_orthogonality(s->q, &observation->position_deviation_max, &observation->position_deviation_rms);
  observation->iterations = s->state.iterations;
  return RILL_OK;
}

static void save(void *self) {
  struct attitude_system *s = self;
  memcpy(s->saved.q, s->q, sizeof s->q);
  memcpy(s->saved.p, s->p, sizeof s->p);
  memcpy(s->saved.compensation, s->compensation, sizeof s->compensation);
  s->saved.residual = s->state.residual;
  s->saved.iterations = s->state.iterations;
}

static void restore(void *self) {
  struct attitude_system *s = self;
  memcpy(s->q, s->saved.q, sizeof s->q);
  memcpy(s->p, s->saved.p, sizeof s->p);
  memcpy(s->compensation, s->saved.compensation, sizeof s->compensation);
  s->state.residual = s->saved.residual;
  s->state.iterations = s->saved.iterations;
}

static void archive_state(void *self, struct rill_archive *archive) {
  struct attitude_system *s = self;
  rill_archive_reals(archive, "q", s->q, 9);
  rill_archive_reals(archive, "p", s->p, 9);
  rill_archive_reals(archive, "compensation", s->compensation, 9);
  rill_archive_reals(archive, "residual", &s->state.residual, 1);
  rill_archive_count(archive, "iterations", &s->state.iterations);
}

enum rill_status rill_attitude_check(const char *name, const double r[9], struct rill_error *error) {
  double largest, rms, column[3];
  rill_attitude_orthogonality(r, &largest, &rms);
  rill_cross3(r, r + 3, column);
  if (!(largest <= 1e-9))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "system %s: the attitude is not a rotation: an entry of R^T R - 1 is %.3g; give rows to 10 "
                          "digits or more",
                          name, largest);
  if (rill_dot3(column, r + 6) < 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "system %s: the attitude is a reflection; its determinant must be 1", name);
  return RILL_OK;
}

enum rill_status rill_attitude_system_create(const struct rill_attitude_model *model, struct rill_system *system,
                                             struct rill_error *error) {
  struct attitude_system *s;
  double momentum[3], back[3];
  RILL_TRY(rill_attitude_check(model->name, model->attitude, error));
  s = rill_allocate(1, sizeof *s);
  if (s == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for system %s", model->name);
  s->ops = (struct rill_system_ops){.name = model->name,
                                    .summary = model->summary,
                                    .degrees_of_freedom = degrees_of_freedom,
                                    .begin_step = begin_step,
                                    .observe = observe,
                                    .save = save,
                                    .restore = restore,
                                    .archive = archive_state,
                                    .destroy = rill_release};
  memcpy(s->inertia, model->inertia, sizeof s->inertia);
  if (model->point != NULL) memcpy(s->point, model->point, sizeof s->point);
  s->strength = model->strength;
  s->potential = model->potential;
  s->group = (struct rill_group){.ops = model->exponential ? &with_exponential : &with_cayley,
                                 .dimension = 3,
                                 .element_size = 9,
                                 .rotations = true,
                                 .self = s};
  memcpy(s->q, model->attitude, sizeof s->q);
  inertia(s, model->rates, momentum);
  for (int i = 0; i < 3; i++) back[i] = -model->momentum_step * model->rates[i];
  s->group.ops->tangent_inverse_dual(s, back, momentum, s->p);
  s->state = (struct rill_state){.n = 9, .q = s->q, .p = s->p, .position = s->q, .compensation = s->compensation};
  s->bath = (struct rill_heat_bath){.system = model->name, .n = 3, .p = s->p, .mass = s->inertia};
  *system = (struct rill_system){.ops = &s->ops,
                                 .flow = &flow,
                                 .group = &s->group,
                                 .thermal = &rill_heat_bath_thermal,
                                 .state = &s->state,
                                 .self = s};
  return RILL_OK;
}

/* The magnetised rigid body of Tao & Owhadi 2016, section 4.5: attitude R in SO(3), body angular velocity Omega,
 * L = Omega.I Omega / 2 - bmu R_33.  The paper's inertia is the identity.
 *
 *  group        R moves by a retraction; canonical momentum: the body momentum I Omega.
 *  constrained  in R^9 with R^T R = 1 as constraints.  Omega.I Omega / 2 = tr(R' E R'^T) / 2 with E = (tr I) / 2 - I,
 *               so that the mass of entry R_ij is E_j: 1/2 for the identity.
 *  penalised    in R^9 with the stiff potential (w^2/2) tr((R^T R - 1)^2).  It enters the action with a minus sign,
 *               as in the paper's (4.14); the printed penalised action has a plus.
 *
 * Conserved: the spatial momentum about the field, e_3.(R J), and, when I_1 = I_2, the body momentum J_3. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numerics/so3.h"
#include "systems/mechanical_system.h"
#include "systems/types.h"

static const char *const formulations[] = {"group", "constrained", "penalised", NULL};
static const char *const retractions[] = {"cayley", "exponential", NULL};
enum { FORM_GROUP, FORM_CONSTRAINED, FORM_PENALISED };

enum { BMU, INERTIA, ATTITUDE, RATES, MOMENTUM_STEP, FORMULATION, RETRACTION, STIFFNESS, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [BMU] = {.name = "bmu", .fallback = "1", .least = 1, .most = 0,
             .help = "field strength times magnetic moment; the paper prints no value"},
    [INERTIA] = {.name = "inertia", .kind = RILL_PARAMETER_VECTOR, .length = 3, .fallback = "1 1 1", .least = 1e-150,
                 .most = 1e150, .help = "principal moments of inertia"},
    [ATTITUDE] = {.name = "attitude", .kind = RILL_PARAMETER_VECTOR, .length = 9, .fallback = "1 0 0 0 1 0 0 0 1",
                  .least = -2, .most = 2, .help = "initial rotation matrix R, row by row"},
    [RATES] = {.name = "rates", .kind = RILL_PARAMETER_VECTOR, .length = 3, .fallback = "1 0.2 0.1", .least = 1,
               .most = 0, .help = "initial angular velocity Omega about the body's axes"},
    [MOMENTUM_STEP] = {.name = "momentum_step", .with = "formulation", .with_word = "group", .fallback = "0", .least = 0, .most = 1e150,
                       .help = "initial momentum that of a step of this length that ends at time 0 with velocity "
                               "Omega, as (4.12) starts; 0: inertia times Omega"},
    [FORMULATION] = {.name = "formulation", .kind = RILL_PARAMETER_WORD, .fallback = "group", .words = formulations,
                     .help = "on the group; or in R^9 with R^T R = 1 as constraints, or as the penalty (w^2/2) "
                             "tr((R^T R - 1)^2)"},
    [RETRACTION] = {.name = "retraction", .with = "formulation", .with_word = "group", .kind = RILL_PARAMETER_WORD, .fallback = "cayley", .words = retractions,
                    .help = "map from rotation vectors to rotations"},
    [STIFFNESS] = {.name = "stiffness", .with = "formulation", .with_word = "penalised", .fallback = "10", .least = 0, .most = 1e150, .help = "w of the penalty"},
};

/* What both forms share. */
struct body {
  double bmu, inertia[3], w;
};

/* --- on the group --- */

struct group_body {
  struct body body;
  struct rill_group group;
  struct rill_state state;
  struct { double q[9], p[3], residual; unsigned iterations; } saved;
  double q[9], p[9];    /* the body momentum in p[0..2], zeros behind */
};

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

static void inertia(const void *self, const double *xi, double *momentum) {
  const struct group_body *b = self;
  for (int i = 0; i < 3; i++) momentum[i] = b->body.inertia[i] * xi[i];
}

static void inertia_inverse(const void *self, const double *momentum, double *xi) {
  const struct group_body *b = self;
  for (int i = 0; i < 3; i++) xi[i] = momentum[i] / b->body.inertia[i];
}

/* The torque bmu (R^T e_3) x e_3, (4.13). */
static void torque(const void *self, const double *element, double *force) {
  const struct group_body *b = self;
  force[0] = b->body.bmu * element[7];
  force[1] = -b->body.bmu * element[6];
  force[2] = 0;
}

static double field_energy(const void *self, const double *element) {
  const struct group_body *b = self;
  return b->body.bmu * element[8];
}

static const struct rill_group_ops cayley_ops = {
    .advance = cayley_advance,
    .tangent_inverse_dual = cayley_dual,
    .tangent_inverse_dual_derivative = cayley_derivative,
    .inertia = inertia,
    .inertia_inverse = inertia_inverse,
    .force = torque,
    .potential = field_energy,
};

static const struct rill_group_ops exponential_ops = {
    .advance = exponential_advance,
    .tangent_inverse_dual = exponential_dual,
    .tangent_inverse_dual_derivative = exponential_derivative,
    .inertia = inertia,
    .inertia_inverse = inertia_inverse,
    .force = torque,
    .potential = field_energy,
};

static double degrees_of_freedom(const void *self) {
  (void)self;
  return 3;
}

static enum rill_status begin_step(void *self, uint64_t step, double h, struct rill_error *error) {
  (void)self, (void)step, (void)h, (void)error;
  return RILL_OK;
}

/* Largest and root mean square entry of R^T R - 1. */
static void orthogonality(const double r[9], double *largest, double *rms) {
  double squares = 0;
  *largest = 0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double s = r[a] * r[b] + r[3 + a] * r[3 + b] + r[6 + a] * r[6 + b] - (a == b);
      if (!(fabs(s) <= *largest)) *largest = fabs(s); /* NaN goes through */
      squares += s * s;
    }
  *rms = sqrt(squares / 9);
}

static enum rill_status observe(void *self, struct rill_observation *observation, struct rill_error *error) {
  struct group_body *b = self;
  (void)error;
  *observation = (struct rill_observation){0};
  for (int i = 0; i < RILL_ENERGY_PARTS; i++) observation->part[i] = NAN;
  observation->temperature = observation->temperature_half = NAN;
  observation->temperature_translation = observation->temperature_rotation = NAN;
  observation->temperature_half_translation = observation->temperature_half_rotation = NAN;
  for (int i = 0; i < 3; i++) {
    observation->kinetic += 0.5 * b->p[i] * b->p[i] / b->body.inertia[i];
    observation->momentum[i] = b->p[i];
  }
  observation->potential = field_energy(b, b->q);
  rill_mat3_apply(b->q, b->p, observation->angular_momentum);
  orthogonality(b->q, &observation->position_deviation_max, &observation->position_deviation_rms);
  observation->iterations = b->state.iterations;
  return RILL_OK;
}

static void save(void *self) {
  struct group_body *b = self;
  memcpy(b->saved.q, b->q, sizeof b->saved.q);
  memcpy(b->saved.p, b->p, sizeof b->saved.p);
  b->saved.residual = b->state.residual;
  b->saved.iterations = b->state.iterations;
}

static void restore(void *self) {
  struct group_body *b = self;
  memcpy(b->q, b->saved.q, sizeof b->saved.q);
  memcpy(b->p, b->saved.p, sizeof b->saved.p);
  b->state.residual = b->saved.residual;
  b->state.iterations = b->saved.iterations;
}

static void archive_state(void *self, struct rill_archive *archive) {
  struct group_body *b = self;
  rill_archive_reals(archive, "q", b->q, 9);
  rill_archive_reals(archive, "p", b->p, 9);
  rill_archive_reals(archive, "residual", &b->state.residual, 1);
  rill_archive_count(archive, "iterations", &b->state.iterations);
}

static const struct rill_system_ops group_ops = {
    .name = "magnetic-rigid-body",
    .summary = "magnetised rigid body on SO(3)",
    .degrees_of_freedom = degrees_of_freedom,
    .begin_step = begin_step,
    .observe = observe,
    .save = save,
    .restore = restore,
    .archive = archive_state,
    .destroy = rill_release,
};

static enum rill_status create_on_group(const struct body *body, const double r[9], const double omega[3],
                                        double momentum_step, bool exponential, struct rill_system *system,
                                        struct rill_error *error) {
  struct group_body *b = rill_allocate(1, sizeof *b);
  double momentum[3], back[3];
  if (b == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for system %s", group_ops.name);
  b->body = *body;
  b->group = (struct rill_group){
      .ops = exponential ? &exponential_ops : &cayley_ops, .dimension = 3, .element_size = 9, .self = b};
  memcpy(b->q, r, sizeof b->q);
  inertia(b, omega, momentum);
  for (int i = 0; i < 3; i++) back[i] = -momentum_step * omega[i];
  b->group.ops->tangent_inverse_dual(b, back, momentum, b->p);
  b->state = (struct rill_state){.n = 9, .q = b->q, .p = b->p, .position = b->q};
  *system = (struct rill_system){.ops = &group_ops, .group = &b->group, .state = &b->state, .self = b};
  return RILL_OK;
}

/* --- in R^9 --- */

static double soft_energy(const struct body *b, const double *q) { return b->bmu * q[8]; }

/* s = R^T R - 1 */
static void strain(const double r[9], double s[9]) {
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) s[3 * a + b] = r[a] * r[b] + r[3 + a] * r[3 + b] + r[6 + a] * r[6 + b] - (a == b);
}

static double potential(const void *self, const double *q) {
  const struct body *b = self;
  double s[9], squares = 0;
  strain(q, s);
  for (int i = 0; i < 9; i++) squares += s[i] * s[i];
  return soft_energy(b, q) + 0.5 * b->w * b->w * squares;
}

/* 2 w^2 R (R^T R - 1) + bmu e_3 e_3^T */
static void gradient(const void *self, const double *q, double *gradient) {
  const struct body *b = self;
  const double stiff = 2 * b->w * b->w;
  double s[9];
  strain(q, s);
  rill_mat3_product(q, s, gradient);
  for (int i = 0; i < 9; i++) gradient[i] *= stiff;
  gradient[8] += b->bmu;
}

/* H a = 2 w^2 (a (R^T R - 1) + R (a^T R + R^T a)); Gauss-Newton leaves out the first term. */
static void add_hessian(const void *self, enum rill_hessian_part part, double scale, const double *q,
                        struct rill_band *hessian) {
  const struct body *b = self;
  const double stiff = 2 * scale * b->w * b->w;
  double s[9], t[9]; /* t = R R^T */
  strain(q, s);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) t[3 * i + k] = rill_dot3(q + 3 * i, q + 3 * k);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
          double entry = q[3 * i + l] * q[3 * k + j];
          if (i == k && part != RILL_HESSIAN_GAUSS_NEWTON) entry += s[3 * l + j];
          if (j == l) entry += t[3 * i + k];
          *rill_band_at(hessian, (size_t)(3 * i + j), (size_t)(3 * k + l)) += stiff * entry;
        }
}

/* a.D3V.a = 4 w^2 (a a^T R + a R^T a + R a^T a) */
static void third(const void *self, const double *q, const double *a, double *out) {
  const struct body *b = self;
  const double stiff = 4 * b->w * b->w;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          sum += a[3 * i + l] * a[3 * k + l] * q[3 * k + j] + a[3 * i + l] * q[3 * k + l] * a[3 * k + j] +
                 q[3 * i + l] * a[3 * k + l] * a[3 * k + j];
      out[3 * i + j] = stiff * sum;
    }
}

static double constrained_potential(const void *self, const double *q) { return soft_energy(self, q); }

static void constrained_gradient(const void *self, const double *q, double *gradient) {
  const struct body *b = self;
  (void)q;
  memset(gradient, 0, 9 * sizeof *gradient);
  gradient[8] = b->bmu;
}

static void no_hessian(const void *self, enum rill_hessian_part part, double scale, const double *q,
                       struct rill_band *hessian) {
  (void)self, (void)part, (void)scale, (void)q, (void)hessian;
}

static void no_third(const void *self, const double *q, const double *a, double *out) {
  (void)self, (void)q, (void)a;
  memset(out, 0, 9 * sizeof *out);
}

/* The six constraints g_c = (R^T R - 1)_ab, a <= b. */
enum { CONSTRAINTS = 6 };
static const int pair[CONSTRAINTS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static void constraint(const void *self, const double *q, double *g) {
  double s[9];
  (void)self;
  strain(q, s);
  for (int c = 0; c < CONSTRAINTS; c++) g[c] = s[3 * pair[c][0] + pair[c][1]];
}

static void jacobian(const void *self, const double *q, double *jacobian) {
  (void)self;
  memset(jacobian, 0, CONSTRAINTS * 9 * sizeof *jacobian);
  for (int c = 0; c < CONSTRAINTS; c++)
    for (int i = 0; i < 3; i++) {
      jacobian[9 * c + 3 * i + pair[c][0]] += q[3 * i + pair[c][1]];
      jacobian[9 * c + 3 * i + pair[c][1]] += q[3 * i + pair[c][0]];
    }
}

static void add_constraint_force(const void *self, const double *q, const double *multiplier, double *out) {
  (void)self;
  for (int c = 0; c < CONSTRAINTS; c++)
    for (int i = 0; i < 3; i++) {
      out[3 * i + pair[c][0]] += multiplier[c] * q[3 * i + pair[c][1]];
      out[3 * i + pair[c][1]] += multiplier[c] * q[3 * i + pair[c][0]];
    }
}

static void constraint_rate(const void *self, const double *q, const double *u, double *out) {
  (void)self;
  for (int c = 0; c < CONSTRAINTS; c++) {
    out[c] = 0;
    for (int i = 0; i < 3; i++)
      out[c] += u[3 * i + pair[c][0]] * q[3 * i + pair[c][1]] + u[3 * i + pair[c][1]] * q[3 * i + pair[c][0]];
  }
}

static void add_constraint_product(const void *self, const double *q, const double *weight, const double *q0,
                                   struct rill_band *product) {
  double left[CONSTRAINTS * 9], right[CONSTRAINTS * 9];
  jacobian(self, q, left);
  jacobian(self, q0, right);
  for (size_t c = 0; c < CONSTRAINTS; c++)
    for (size_t d = 0; d < CONSTRAINTS; d++)
      for (size_t i = 0; i < 9; i++)
        *rill_band_at(product, c, d) += left[9 * c + i] * weight[i] * right[9 * d + i];
}

static void add_constraint_hessian(const void *self, const double *multiplier, const double *q,
                                   struct rill_band *hessian) {
  (void)self, (void)q;
  for (int c = 0; c < CONSTRAINTS; c++)
    for (int i = 0; i < 3; i++) {
      size_t a = (size_t)(3 * i + pair[c][0]), b = (size_t)(3 * i + pair[c][1]);
      *rill_band_at(hessian, a, b) += multiplier[c];
      *rill_band_at(hessian, b, a) += multiplier[c];
    }
}

static const struct rill_mechanical_ops penalised_ops = {
    .potential = potential,
    .gradient = gradient,
    .add_hessian = add_hessian,
    .third = third,
};

static const struct rill_mechanical_ops constrained_ops = {
    .potential = constrained_potential,
    .gradient = constrained_gradient,
    .add_hessian = no_hessian,
    .third = no_third,
    .constraint = constraint,
    .add_constraint_force = add_constraint_force,
    .constraint_rate = constraint_rate,
    .add_constraint_product = add_constraint_product,
    .add_constraint_hessian = add_constraint_hessian,
    .jacobian = jacobian,
};

/* The body momentum, vee(R^T P - P^T R), stands for the linear one; angular: the spatial one, vee(P R^T - R P^T). */
static void momenta(const void *self, const double *q, const double *p, double linear[3], double angular[3]) {
  double inner[9], outer[9];
  (void)self;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      inner[3 * i + j] = 2 * (q[i] * p[j] + q[3 + i] * p[3 + j] + q[6 + i] * p[6 + j]);
      outer[3 * i + j] = 2 * rill_dot3(p + 3 * i, q + 3 * j);
    }
  rill_so3_vee(inner, linear);
  rill_so3_vee(outer, angular);
}

static void deviations(const void *self, const double *q, const double *v, struct rill_observation *observation) {
  double squares = 0;
  (void)self;
  orthogonality(q, &observation->position_deviation_max, &observation->position_deviation_rms);
  observation->velocity_deviation_max = 0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double rate = 0;
      for (int i = 0; i < 3; i++) rate += v[3 * i + a] * q[3 * i + b] + q[3 * i + a] * v[3 * i + b];
      observation->velocity_deviation_max = fmax(observation->velocity_deviation_max, fabs(rate));
      squares += rate * rate;
    }
  observation->velocity_deviation_rms = sqrt(squares / 9);
}

/* Of the six constraints: each entry off the diagonal stands twice in tr (R^T R - 1)^2. */
static void multipliers(const void *self, const double *q, const double *u, double *multiplier) {
  const struct body *b = self;
  double g[CONSTRAINTS], rate[CONSTRAINTS];
  constraint(self, q, g);
  constraint_rate(self, q, u, rate);
  for (int c = 0; c < CONSTRAINTS; c++)
    multiplier[c] = -(pair[c][0] == pair[c][1] ? 1 : 2) * b->w * b->w * (g[c] + rate[c]);
}

static enum rill_status create_in_space(const struct body *body, bool penalised, const double r[9],
                                        const double omega[3], struct rill_system *system, struct rill_error *error) {
  double half_trace = 0.5 * (body->inertia[0] + body->inertia[1] + body->inertia[2]), mass[9], hat[9], v[9];
  struct body *b;
  for (int i = 0; i < 9; i++) {
    mass[i] = half_trace - body->inertia[i % 3];
    if (!(mass[i] > 0))
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "system %s: each moment of inertia must be less than the sum of the others; a flat or "
                            "unphysical body needs formulation = group",
                            group_ops.name);
  }
  rill_so3_hat(omega, hat);
  rill_mat3_product(r, hat, v);
  b = rill_allocate(1, sizeof *b);
  if (b == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for system %s", group_ops.name);
  *b = *body;
  const struct rill_mechanical_model model = {
      .name = group_ops.name,
      .summary = group_ops.summary,
      .ops = penalised ? &penalised_ops : &constrained_ops,
      .n = 9,
      .m = penalised ? 0 : CONSTRAINTS,
      .bandwidth = 8,
      .reach = CONSTRAINTS - 1,
      .stiff = penalised,
      .penalties = penalised ? CONSTRAINTS : 0,
      .mass = mass,
      .q = r,
      .v = v,
      .self = b,
      .destroy = rill_release,
      .momenta = momenta,
      .deviations = deviations,
      .multipliers = multipliers,
  };
  return rill_mechanical_system_create(&model, system, error);
}

/* --- creation --- */

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  const double *r = values[ATTITUDE].number, *omega = values[RATES].number, step = values[MOMENTUM_STEP].number[0];
  const int formulation = values[FORMULATION].word;
  struct body body = {.bmu = values[BMU].number[0]};
  double largest, rms, column[3];
  memcpy(body.inertia, values[INERTIA].number, sizeof body.inertia);
  orthogonality(r, &largest, &rms);
  rill_cross3(r, r + 3, column);
  if (!(largest <= 1e-9))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "system %s: the attitude is not a rotation: an entry of R^T R - 1 is %.3g; give rows to 10 "
                          "digits or more",
                          group_ops.name, largest);
  if (rill_dot3(column, r + 6) < 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "system %s: the attitude is a reflection; its determinant must be 1", group_ops.name);
  if (formulation == FORM_GROUP)
    return create_on_group(&body, r, omega, step, values[RETRACTION].word == 1, system, error);
  if (step != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "system %s: momentum_step belongs to formulation = group",
                          group_ops.name);
  if (formulation == FORM_PENALISED) body.w = values[STIFFNESS].number[0];
  return create_in_space(&body, formulation == FORM_PENALISED, r, omega, system, error);
}

const struct rill_system_type rill_system_magnetic_rigid_body = {
    .name = "magnetic-rigid-body",
    .summary = "magnetised rigid body: on SO(3), or in R^9 constrained or penalised",
    .source = "Tao & Owhadi 2016, section 4.5",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

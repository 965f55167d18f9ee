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
#include "systems/attitude_system.h"
#include "systems/mechanical_system.h"
#include "systems/types.h"

static const char *const formulations[] = {"group", "constrained", "penalised", NULL};
enum { FORM_GROUP, FORM_CONSTRAINED, FORM_PENALISED };

enum { BMU, INERTIA, ATTITUDE, RATES, MOMENTUM_STEP, FORMULATION, RETRACTION, STIFFNESS, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [BMU] = {.name = "bmu",
             .fallback = "1",
             .least = 1,
             .most = 0,
             .help = "field strength times magnetic moment; the paper prints no value"},
    [INERTIA] = {.name = "inertia",
                 .kind = RILL_PARAMETER_VECTOR,
                 .length = 3,
                 .fallback = "1 1 1",
                 .least = 1e-150,
                 .most = 1e150,
                 .help = "principal moments of inertia"},
    [ATTITUDE] = {.name = "attitude",
                  .kind = RILL_PARAMETER_VECTOR,
                  .length = 9,
                  .fallback = "1 0 0 0 1 0 0 0 1",
                  .least = -2,
                  .most = 2,
                  .help = "initial rotation matrix R, row by row"},
    [RATES] = {.name = "rates",
               .kind = RILL_PARAMETER_VECTOR,
               .length = 3,
               .fallback = "1 0.2 0.1",
               .least = 1,
               .most = 0,
               .help = "initial angular velocity Omega about the body's axes"},
    [MOMENTUM_STEP] = {.name = "momentum_step",
                       .with = "formulation",
                       .with_word = "group",
                       .fallback = "0",
                       .least = 0,
                       .most = 1e150,
                       .help = "initial momentum that of a step of this length that ends at time 0 with velocity "
                               "Omega, as (4.12) starts; 0: inertia times Omega"},
    [FORMULATION] = {.name = "formulation",
                     .kind = RILL_PARAMETER_WORD,
                     .fallback = "group",
                     .words = formulations,
                     .help = "on the group; or in R^9 with R^T R = 1 as constraints, or as the penalty (w^2/2) "
                             "tr((R^T R - 1)^2)"},
    [RETRACTION] = {.name = "retraction",
                    .with = "formulation",
                    .with_word = "group",
                    .kind = RILL_PARAMETER_WORD,
                    .fallback = "cayley",
                    .words = rill_attitude_retractions,
                    .help = "map from rotation vectors to rotations"},
    [STIFFNESS] = {.name = "stiffness",
                   .with = "formulation",
                   .with_word = "penalised",
                   .fallback = "10",
                   .least = 0,
                   .most = 1e150,
                   .help = "w of the penalty"},
};

struct body {
  double bmu, inertia[3], w;
};

/* --- on the group --- */

/* The torque bmu (R^T e_3) x e_3, (4.13). */
static void field(double bmu, double z, double u[3]) {
  u[0] = bmu * z;
  u[1] = bmu;
  u[2] = 0;
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

/* H a = 2 w^2 (a (R^T R - 1) + R (a^T R + R^T a)); Gauss-Newton omits the first term. */
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
      for (size_t i = 0; i < 9; i++) *rill_band_at(product, c, d) += left[9 * c + i] * weight[i] * right[9 * d + i];
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

/* The body momentum, vee(R^T P - P^T R), is reported as the linear one; the angular momentum is the spatial one,
 * vee(P R^T - R P^T). */
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
  rill_attitude_orthogonality(q, &observation->position_deviation_max, &observation->position_deviation_rms);
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

/* For the six constraints: each entry off the diagonal appears twice in tr (R^T R - 1)^2. */
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
                            rill_system_magnetic_rigid_body.name);
  }
  rill_so3_hat(omega, hat);
  rill_mat3_product(r, hat, v);
  b = rill_allocate(1, sizeof *b);
  if (b == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for system %s", rill_system_magnetic_rigid_body.name);
  *b = *body;
  const struct rill_mechanical_model model = {
      .name = rill_system_magnetic_rigid_body.name,
      .summary = "magnetised rigid body on SO(3)",
      .ops = penalised ? &penalised_ops : &constrained_ops,
      .n = 9,
      .m = penalised ? 0 : CONSTRAINTS,
      .bandwidth = 8,
      .reach = CONSTRAINTS - 1,
      .stiff = penalised,
      .constant_measure = true, /* the kinetic energy and the constraints are left invariant */
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
  const double axis[3] = {0, 0, 1};
  const int formulation = values[FORMULATION].word;
  struct body body = {.bmu = values[BMU].number[0]};
  memcpy(body.inertia, values[INERTIA].number, sizeof body.inertia);
  RILL_TRY(rill_attitude_check(rill_system_magnetic_rigid_body.name, r, error));
  if (formulation == FORM_GROUP) {
    const struct rill_attitude_model model = {
        .name = rill_system_magnetic_rigid_body.name,
        .summary = "magnetised rigid body on SO(3)",
        .inertia = body.inertia,
        .attitude = r,
        .rates = omega,
        .momentum_step = step,
        .exponential = values[RETRACTION].word == 1,
        .point = axis,
        .strength = body.bmu,
        .potential = field,
    };
    return rill_attitude_system_create(&model, system, error);
  }
  if (step != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "system %s: momentum_step belongs to formulation = group",
                          rill_system_magnetic_rigid_body.name);
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

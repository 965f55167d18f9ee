/* One rigid water molecule in an external field, in each lane of a vector, as a system of the waist over water's own
 * bodies.
 *
 * U = sum_i -q_i E z + (k/2) (m_i/m) r^2 + q_i s (x^2 - y^2)/2 + q_i s z^3/0.3; kJ/mol, nm, ps, e. */
#ifndef RILL_TESTS_BODIES_FIELD_MOLECULE_H
#define RILL_TESTS_BODIES_FIELD_MOLECULE_H

#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "base/cpu.h"
#include "base/units.h"
#include "integrators/registry.h"
#include "mech/integrator.h"
#include "numerics/so3.h"
#include "suite.h"
#include "water/bodies/bodies.h"

enum { LANES = 8 };

struct field {
  alignas(64) double block[RILL_BODY_ROWS * LANES];
  alignas(64) double saved[RILL_BODY_ROWS * LANES];
  alignas(64) double q[RILL_COORDINATES * LANES], v[RILL_COORDINATES * LANES], f[RILL_COORDINATES * LANES];
  struct rill_bodies x;
  struct rill_body body;
  const struct rill_body_table *flows;
  struct rill_drift_result (*drift)(const struct rill_body *body, struct rill_range range, struct rill_bodies x,
                                    double h, double *q); /* flows->drift, or a mutant */
  struct rill_water_model model;
  struct rill_body_ou ou;
  double field, trap, gradient; /* E, k, s */
  double temperature, friction; /* of the OU flow; 1/ps */
  unsigned iterations;
  struct rill_system system;
};

static struct rill_error field_error;
static const struct rill_range whole_vector = {0, LANES};

static inline double field_force(struct field *m) {
  double energy = 0;
  for (size_t a = 0; a < RILL_ATOMS; a++)
    for (size_t lane = 0; lane < LANES; lane++) {
      const double charge = m->model.charge[a], k = m->trap * m->model.mass[a] / m->body.mass,
                   s = charge * m->gradient;
      const double *r = m->q + 3 * a * LANES + lane, x = r[0], y = r[LANES], z = r[2 * LANES];
      double *f = m->f + 3 * a * LANES + lane;
      f[0] = -k * x - s * x;
      f[LANES] = -k * y + s * y;
      f[2 * LANES] = charge * m->field - k * z - s * z * z / 0.1;
      if (lane == 0)
        energy += -charge * m->field * z + 0.5 * k * (x * x + y * y + z * z) + 0.5 * s * (x * x - y * y) +
                  s * z * z * z / 0.3;
    }
  return energy;
}

static inline enum rill_status field_drift(void *self, double h, unsigned flags, struct rill_error *error) {
  struct field *m = self;
  struct rill_drift_result result = m->drift(&m->body, whole_vector, m->x, h, m->q);
  (void)flags;
  m->iterations = result.iterations;
  return result.failed ? rill_error_set(error, RILL_ERROR_CONVERGENCE, "no rotation") : RILL_OK;
}

static inline enum rill_status field_kick(void *self, double h, double h_base, const struct rill_filter *filter,
                                          unsigned flags, struct rill_error *error) {
  struct field *m = self;
  (void)h_base;
  (void)filter;
  (void)flags;
  (void)error;
  field_force(m);
  m->flows->kick(&m->body, whole_vector, m->x, m->f, h);
  return RILL_OK;
}

static inline enum rill_status field_ou(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  struct field *m = self;
  (void)error;
  rill_body_prepare_ou(&m->body, true, m->friction, 0, m->temperature, h, &m->ou);
  m->flows->ou(&m->body, whole_vector, m->x, &m->ou, step, use, LANES);
  return RILL_OK;
}

static inline bool field_accepts(const void *self, const struct rill_filter *filter) {
  (void)self;
  return filter == &rill_filter_identity;
}

static inline enum rill_status field_begin(void *self, uint64_t step, double h, struct rill_error *error) {
  (void)self;
  (void)step;
  (void)h;
  (void)error;
  return RILL_OK;
}

static inline void field_save(void *self) {
  struct field *m = self;
  memcpy(m->saved, m->block, sizeof m->saved);
}

static inline void field_restore(void *self) {
  struct field *m = self;
  memcpy(m->block, m->saved, sizeof m->saved);
}

static const struct rill_flow_ops field_flow = {
    .rigid_bodies = true, .drift = field_drift, .kick = field_kick, .ou = field_ou, .accepts = field_accepts};
static const struct rill_system_ops field_ops = {
    .name = "molecule in a field", .begin_step = field_begin, .save = field_save, .restore = field_restore};

static inline void field_place(struct field *m) { m->flows->place(&m->body, whole_vector, m->x, m->q, m->v); }

/* A lane's state; rotation is a vector whose exponential is R. */
static inline void field_set(struct field *m, size_t lane, const double x[3], const double p[3],
                             const double rotation[3], const double spin[3]) {
  double angle = sqrt(rill_dot3(rotation, rotation)), scale = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
  m->x.attitude[lane] = cos(0.5 * angle);
  for (size_t c = 0; c < 3; c++) {
    m->x.centre[c * LANES + lane] = x[c];
    m->x.momentum[c * LANES + lane] = p[c];
    m->x.spin[c * LANES + lane] = spin[c];
    m->x.attitude[(c + 1) * LANES + lane] = scale * rotation[c];
  }
}

/* The start of the comparison, in every lane. */
static inline void field_start(struct field *m) {
  static const double x[3] = {0.02, -0.01, 0.03}, p[3] = {3, -2, 4}, rotation[3] = {0.7, 0.4, -0.3},
                      spin[3] = {1.1, -0.8, 0.9};
  double scaled[3];
  for (int k = 0; k < 3; k++) scaled[k] = sqrt(2.494 * m->body.inertia[k]) * spin[k];
  for (size_t lane = 0; lane < LANES; lane++) field_set(m, lane, x, p, rotation, scaled);
  field_place(m);
}

static inline void field_create(struct field *m, enum rill_rotor rotor, enum rill_isa isa) {
  memset(m, 0, sizeof *m);
  ck_assert_int_eq(rill_water_model_find("tip3p", 0, &m->model, &field_error), RILL_OK);
  ck_assert_int_eq(rill_body_create(&m->model, rotor, &m->body, &field_error), RILL_OK);
  m->flows = rill_body_table(isa);
  m->drift = m->flows->drift;
  m->x = rill_bodies_of(m->block, LANES);
  m->field = 150;
  m->trap = 2000;
  m->gradient = 800;
  m->system = (struct rill_system){.ops = &field_ops, .flow = &field_flow, .self = m};
  field_start(m);
}

static inline double field_kinetic(const struct field *m, size_t lane, double *rotation) {
  double translation = 0;
  *rotation = 0;
  for (size_t c = 0; c < 3; c++) {
    translation += 0.5 * pow(m->x.momentum[c * LANES + lane], 2) * m->body.inverse_mass;
    *rotation += 0.5 * pow(m->x.spin[c * LANES + lane], 2) * m->body.inverse_inertia[c];
  }
  return translation;
}

static inline double field_energy(struct field *m) {
  double rotation, translation = field_kinetic(m, 0, &rotation);
  return translation + rotation + field_force(m);
}

static inline void field_rotation(const struct field *m, size_t lane, double rotation[9]) {
  const double w = m->x.attitude[lane],
               u[3] = {m->x.attitude[LANES + lane], m->x.attitude[2 * LANES + lane], m->x.attitude[3 * LANES + lane]};
  rill_so3_quadratic(u, 2 * w, 2, rotation);
}

/* Steps of a method bound to the molecule. */
static inline struct rill_integrator *field_bind(struct field *m, const char *method, double h,
                                                 enum rill_thermostat insertion) {
  struct rill_binding_options options = {.step = h, .insertion = insertion, .geodesic_steps = 1};
  struct rill_integrator *integrator = NULL;
  enum rill_status status =
      rill_integrator_create(rill_method_find(method), &m->system, &options, &integrator, &field_error);
  ck_assert_msg(status == RILL_OK, "%s", field_error.text);
  return integrator;
}

static inline void field_run(struct field *m, const char *method, double h, size_t steps) {
  struct rill_integrator *integrator = field_bind(m, method, h, RILL_NO_BATH);
  for (size_t i = 0; i < steps; i++)
    ck_assert_msg(rill_integrator_step(integrator, i, false, &field_error) == RILL_OK, "%s", field_error.text);
  rill_integrator_destroy(integrator);
}

#endif

/* Clusters of penalised or rigid water in the reference's units: A, kcal/mol, u, akma time; model tip3p-ac. */
#ifndef RILL_TESTS_PENALTY_FIXTURE_H
#define RILL_TESTS_PENALTY_FIXTURE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "base/simd/lanes.h"
#include "base/units.h"
#include "integrators/registry.h"
#include "mech/integrator.h"
#include "suite.h"
#include "water/forces/forces.h"
#include "water/penalty/penalty.h"
#include "water/water_system.h"

enum { FIXTURE_MOLECULES = 100 };
static const double akma_velocity = RILL_ANGSTROM / RILL_AKMA_TIME; /* nm/ps */

struct cluster {
  struct rill_water_model model;
  size_t molecules;
  double q[9 * FIXTURE_MOLECULES]; /* nm */
};

struct job {
  double w, beta, h; /* akma; w 0: rigid */
  const char *method;
  enum rill_hessian_part hessian;
  enum rill_newton_start newton_start;
  enum rill_nonlinear_kind nonlinear;
  enum rill_constraint_solver solver;
  enum rill_thermostat insertion;
  double kt, gamma; /* kcal/mol, u/akma */
  uint64_t seed;
  unsigned max_iterations; /* 0: 50 */
  enum rill_isa isa;
  bool any_isa;
  int threads;
};

struct run {
  struct rill_system system;
  struct rill_integrator *integrator;
  struct rill_timers timers;
  uint64_t done;
};

static struct rill_error fixture_error;
static inline void fixture_ok(enum rill_status status) { ck_assert_msg(status == RILL_OK, "%s", fixture_error.text); }

static inline double akma_stiffness(double w) { return w * sqrt(RILL_KCAL) / (RILL_ANGSTROM * RILL_ANGSTROM); }

/* The file's O, H, H lines in A; a number is the molecules' count first. */
static inline struct cluster cluster_read(const char *name) {
  struct cluster c = {0};
  char path[1024];
  FILE *file;
  snprintf(path, sizeof path, "%s/tests/data/energies/%s", RILL_SOURCE_DIR, name);
  file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fscanf(file, "%zu", &c.molecules), 1);
  ck_assert_uint_le(c.molecules, FIXTURE_MOLECULES);
  for (size_t i = 0; i < 9 * c.molecules; i++) {
    ck_assert_int_eq(fscanf(file, "%lf", &c.q[i]), 1);
    c.q[i] *= RILL_ANGSTROM;
  }
  fclose(file);
  fixture_ok(rill_water_model_find("tip3p-ac", 332.0637 * RILL_KCAL * RILL_ANGSTROM, &c.model, &fixture_error));
  return c;
}

static inline struct run *run_create(struct run *run, const struct cluster *c, const struct job *job,
                                     const double *v) {
  struct rill_water_options options = {
      .model = c->model,
      .molecules = c->molecules,
      .positions = c->q,
      .velocities = v,
      .constraints = {job->solver, 1e-13, 1e-13, 1.0, 500},
      .stiffness = akma_stiffness(job->w),
      .thermostat = job->insertion != RILL_NO_BATH,
      .temperature = {job->kt * RILL_KCAL / RILL_GAS_CONSTANT, job->kt * RILL_KCAL / RILL_GAS_CONSTANT},
      .friction_law = RILL_FRICTION_PER_MASS,
      .friction = job->gamma / RILL_AKMA_TIME,
      .seed = job->seed > 0 ? job->seed : 1,
      .isa = job->any_isa ? job->isa : rill_isa_best(),
      .threads = job->threads > 0 ? job->threads : 1,
      .timers = &run->timers,
  };
  struct rill_binding_options binding = {
      .step = job->h * RILL_AKMA_TIME,
      .insertion = job->insertion,
      .geodesic_steps = 1,
      .method = {.beta = job->beta,
                 .hessian = job->hessian,
                 .newton_start = job->newton_start,
                 .tolerance = 1e-13,
                 .max_iterations = job->max_iterations > 0 ? job->max_iterations : 50,
                 .nonlinear = job->nonlinear}};
  const struct rill_method *method = rill_method_find(job->method);
  ck_assert_msg(method != NULL, "no method %s", job->method);
  *run = (struct run){0};
  fixture_ok(rill_water_create(&options, &run->system, &fixture_error));
  fixture_ok(rill_integrator_create(method, &run->system, &binding, &run->integrator, &fixture_error));
  return run;
}

static inline void run_steps(struct run *run, uint64_t steps) {
  for (uint64_t i = 0; i < steps; i++)
    fixture_ok(rill_integrator_step(run->integrator, run->done++, true, &fixture_error));
}

static inline void run_destroy(struct run *run) {
  rill_integrator_destroy(run->integrator);
  if (run->system.ops != NULL) run->system.ops->destroy(run->system.self);
}

static inline struct rill_observation run_observe(struct run *run) {
  struct rill_observation o;
  fixture_ok(run->system.ops->observe(run->system.self, &o, &fixture_error));
  return o;
}

struct energy {
  double soft, penalty, kinetic, total;
}; /* kcal/mol */

/* Energies at x, where the reference took them. */
static inline struct energy energy_at_x(const struct run *run, const struct cluster *c, double w) {
  static double q[9 * 104], f[9 * 104], x[9 * FIXTURE_MOLECULES], v[9 * FIXTURE_MOLECULES];
  const size_t n = c->molecules, stride = rill_padded(n);
  struct rill_water_forces *forces;
  struct rill_water_energies energies;
  struct energy e = {0};
  rill_water_copy_state(&run->system, x, v);
  for (size_t i = 0; i < 9 * n; i++) {
    q[i % 9 * stride + i / 9] = x[i];
    e.kinetic += 0.5 * c->model.mass[i % 9 / 3] * v[i] * v[i] / RILL_KCAL;
  }
  fixture_ok(rill_water_forces_create(&c->model, n, stride, 1, RILL_ISA_PORTABLE, 1, &forces, &fixture_error));
  rill_water_forces_evaluate(forces, q, f, &energies);
  rill_water_forces_destroy(forces);
  e.soft = (energies.lj + energies.coulomb) / RILL_KCAL;
  if (w > 0) {
    struct rill_penalty penalty;
    fixture_ok(rill_penalty_create(&c->model, akma_stiffness(w), &penalty, &fixture_error));
    e.penalty = rill_penalty_energy(&penalty, n, stride, q) / RILL_KCAL;
  }
  e.total = e.kinetic + e.soft + e.penalty;
  return e;
}

/* v_a = 0.02 sin(1 + 3 a + p) of the three atoms of molecule a, akma; nm/ps. */
static inline void reference_velocities(size_t molecules, double *v) {
  for (size_t m = 0; m < molecules; m++)
    for (size_t k = 0; k < 9; k++) v[9 * m + k] = 0.02 * sin(1.0 + 3.0 * (double)m + (double)(k % 3)) * akma_velocity;
}

#endif

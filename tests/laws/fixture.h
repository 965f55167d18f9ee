/* A run of water for the law tests: start, method, thermostat, and steps with observations. */
#ifndef RILL_TESTS_LAWS_FIXTURE_H
#define RILL_TESTS_LAWS_FIXTURE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "base/units.h"
#include "integrators/registry.h"
#include "structure/structure.h"
#include "suite.h"
#include "water/water_system.h"

struct fixture_options {
  const char *structure; /* below the source folder; NULL: `positions` */
  const double *positions;
  size_t molecules;
  const char *model; /* NULL: tip3p */
  const char *method;
  enum rill_constraint_solver solver;
  double tolerance;        /* 0: 1e-13 */
  unsigned max_iterations; /* 0: 500 */
  double step;             /* ps */
  enum rill_thermostat insertion;
  unsigned geodesic_steps; /* 0: 1 */
  unsigned trial_steps;    /* 0: 1 */
  double stiffness;        /* of penalised water; 0: rigid */
  double beta;             /* of a method with a filter */
  double temperature;      /* of the bath, K */
  double ramp_to;          /* K; 0: the temperature is constant */
  uint64_t steps;          /* of the whole run, for a ramp */
  double friction;         /* 1/ps, or u/ps with per_mass */
  double rotation_friction;
  double rescale_time; /* ps, of RILL_V_RESCALE */
  struct rill_external external;
  const struct rill_composition *composition;
  bool per_mass;
  double start_temperature;
  uint64_t seed; /* of noise and start; 0: 1 */
  enum rill_momentum_removal removal;
  double confine_radius;    /* 0: none */
  double confine_stiffness; /* 0: 1000 */
  double charge_scale;      /* for mutants; 1 when 0 */
  bool no_forces;           /* all interactions are off */
  bool reference;
  bool mixed;    /* pairs in single precision */
  double cutoff; /* nm; 0: all pairs */
  int threads;   /* 0: 1 */
  enum rill_isa isa;
  bool any_isa; /* isa is meant (otherwise the best) */
};

struct fixture {
  struct rill_system system;
  struct rill_integrator *integrator;
  struct rill_water_model model;
  uint64_t done;
};

static struct rill_error fixture_error;

static inline void fixture_ok(enum rill_status status) { ck_assert_msg(status == RILL_OK, "%s", fixture_error.text); }

static inline struct fixture fixture_create(const struct fixture_options *o) {
  struct fixture f = {0};
  struct rill_structure structure = {0};
  const double *positions = o->positions;
  size_t molecules = o->molecules;
  fixture_ok(rill_water_model_find(o->model != NULL ? o->model : "tip3p", 0, &f.model, &fixture_error));
  if (o->structure != NULL) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", RILL_SOURCE_DIR, o->structure);
    fixture_ok(rill_structure_read(path, &structure, &fixture_error));
    fixture_ok(rill_water_rigidify(&f.model, structure.positions, structure.molecules, &fixture_error));
    positions = structure.positions;
    molecules = structure.molecules;
  }
  if (o->no_forces) {
    f.model.c12 = f.model.c6 = 0;
    f.model.charge[0] = f.model.charge[1] = f.model.charge[2] = 0;
  }
  if (o->charge_scale > 0)
    for (int a = 0; a < RILL_ATOMS; a++) f.model.charge[a] *= o->charge_scale;
  struct rill_water_options options = {
      .model = f.model,
      .molecules = molecules,
      .positions = positions,
      .constraints = {o->solver, o->tolerance > 0 ? o->tolerance : 1e-13, 1e-13, 1.0,
                      o->max_iterations > 0 ? o->max_iterations : 500},
      .stiffness = o->stiffness,
      .thermostat = o->insertion != RILL_NO_BATH,
      .trials = o->insertion == RILL_GHMC,
      .temperature = {o->temperature, o->ramp_to > 0 ? o->ramp_to : o->temperature},
      .steps = o->steps,
      .rotation_friction = o->rotation_friction,
      .friction_law = o->per_mass ? RILL_FRICTION_PER_MASS : RILL_FRICTION_UNIFORM,
      .friction = o->friction,
      .rescale_time = o->rescale_time,
      .external = o->external,
      .seed = o->seed > 0 ? o->seed : 1,
      .confined = o->confine_radius > 0,
      .confine_radius = o->confine_radius,
      .confine_stiffness = o->confine_stiffness > 0 ? o->confine_stiffness : 1000,
      .box = {.open = o->cutoff > 0,
              .cutoff = o->cutoff,
              .coulomb = RILL_COULOMB_CUT,
              .precision = o->mixed ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE},
      .reference_kernel = o->reference,
      .isa = o->any_isa ? o->isa : rill_isa_best(),
      .threads = o->threads > 0 ? o->threads : 1,
  };
  fixture_ok(rill_water_create(&options, &f.system, &fixture_error));
  rill_structure_release(&structure);
  return f;
}

/* Second half of creation: velocities, momenta, method.  The fixture must not move after it. */
static inline void fixture_bind(struct fixture *f, const struct fixture_options *o) {
  struct rill_binding_options binding = {.step = o->step,
                                         .insertion = o->insertion,
                                         .geodesic_steps = o->geodesic_steps > 0 ? o->geodesic_steps : 1,
                                         .trial_steps = o->trial_steps > 0 ? o->trial_steps : 1,
                                         .composition = o->composition,
                                         .method = {.beta = o->beta, .tolerance = 1e-13}};
  const struct rill_method *method = rill_method_find(o->method != NULL ? o->method : "verlet");
  ck_assert_ptr_nonnull(method);
  if (o->start_temperature > 0)
    fixture_ok(
        rill_water_draw_velocities(&f->system, o->start_temperature, o->seed > 0 ? o->seed : 1, &fixture_error));
  fixture_ok(rill_water_remove_momentum(&f->system, o->removal, &fixture_error));
  fixture_ok(rill_integrator_create(method, &f->system, &binding, &f->integrator, &fixture_error));
}

static inline void fixture_run(struct fixture *f, uint64_t steps) {
  for (uint64_t i = 0; i < steps; i++)
    fixture_ok(rill_integrator_step(f->integrator, f->done++, true, &fixture_error));
}

static inline struct rill_observation fixture_observe(struct fixture *f) {
  struct rill_observation observation;
  fixture_ok(f->system.ops->observe(f->system.self, &observation, &fixture_error));
  return observation;
}

static inline void fixture_destroy(struct fixture *f) {
  rill_integrator_destroy(f->integrator);
  f->system.ops->destroy(f->system.self);
}

#endif

/* A small system under a method, for the tests: made from the names and texts that a deck would hold. */
#ifndef RILL_TESTS_SYSTEMS_FIXTURE_H
#define RILL_TESTS_SYSTEMS_FIXTURE_H

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/registry.h"
#include "mech/integrator.h"
#include "suite.h"
#include "systems/registry.h"

static struct rill_error fixture_error;

/* `settings`: "key=text; key=text"; NULL or "" for the defaults. */
static inline enum rill_status open_system(const char *name, const char *settings, struct rill_system *system) {
  const struct rill_system_type *type = rill_system_type_find(name);
  struct rill_parameter_value values[RILL_PARAMETERS];
  char text[512];
  ck_assert_ptr_nonnull(type);
  ck_assert_uint_le(type->parameter_count, RILL_PARAMETERS);
  rill_error_clear(&fixture_error);
  ck_assert_msg(rill_parameters_default(type, values, &fixture_error) == RILL_OK, "%s", fixture_error.text);
  snprintf(text, sizeof text, "%s", settings != NULL ? settings : "");
  for (char *save = NULL, *item = strtok_r(text, ";", &save); item != NULL; item = strtok_r(NULL, ";", &save)) {
    char *value = strchr(item, '=');
    size_t k;
    while (*item == ' ') item++;
    *value++ = 0;
    k = rill_parameter_index(type, item);
    ck_assert_msg(k < type->parameter_count, "system %s has no %s", name, item);
    ck_assert_msg(
        rill_parameter_parse(type, &type->parameters[k], item, value, &values[k], &fixture_error) == RILL_OK, "%s",
        fixture_error.text);
  }
  return type->create(values, system, &fixture_error);
}

struct lab {
  struct rill_system system;
  struct rill_integrator *integrator;
  uint64_t done;
};

static inline struct rill_binding_options usual_options(double h, double beta) {
  return (struct rill_binding_options){.step = h,
                                       .method = {.beta = beta,
                                                  .newton_start = RILL_START_B,
                                                  .tolerance = 1e-14,
                                                  .max_iterations = 50,
                                                  .hessian = RILL_HESSIAN_GAUSS_NEWTON}};
}

/* Methods with a variant: newmark-onestep:D, zss-simplified:full. */
static inline void bind(struct lab *lab, const char *method, double h, double beta) {
  struct rill_binding_options options = usual_options(h, beta);
  char name[64];
  const char *colon = strchr(method, ':');
  snprintf(name, sizeof name, "%.*s", colon != NULL ? (int)(colon - method) : 60, method);
  if (colon != NULL && colon[1] == 'f') options.method.hessian = RILL_HESSIAN_STIFF;
  if (colon != NULL && colon[1] <= 'E') options.method.newton_start = (enum rill_newton_start)colon[1];
  ck_assert_ptr_nonnull(rill_method_find(name));
  ck_assert_msg(rill_integrator_create(rill_method_find(name), &lab->system, &options, &lab->integrator,
                                       &fixture_error) == RILL_OK,
                "%s", fixture_error.text);
  lab->done = 0;
}

/* The lab stays where it is: its integrator borrows its system. */
static inline void open_lab(struct lab *lab, const char *system, const char *settings, const char *method, double h,
                            double beta) {
  ck_assert_msg(open_system(system, settings, &lab->system) == RILL_OK, "%s", fixture_error.text);
  bind(lab, method, h, beta);
}

static inline bool try_steps(struct lab *lab, uint64_t steps) {
  for (uint64_t last = lab->done + steps; lab->done < last; lab->done++)
    if (rill_integrator_step(lab->integrator, lab->done, false, &fixture_error) != RILL_OK) return false;
  return true;
}

static inline void steps(struct lab *lab, uint64_t count) {
  ck_assert_msg(try_steps(lab, count), "%s", fixture_error.text);
}

static inline struct rill_observation look(struct lab *lab) {
  struct rill_observation observation;
  ck_assert_int_eq(lab->system.ops->observe(lab->system.self, &observation, &fixture_error), RILL_OK);
  return observation;
}

static inline double energy(struct lab *lab) {
  struct rill_observation observation = look(lab);
  return observation.kinetic + observation.potential;
}

static inline void close_lab(struct lab *lab) {
  rill_integrator_destroy(lab->integrator);
  lab->system.ops->destroy(lab->system.self);
}

#endif

/* A small system bound to a method, for tests: made from its registry entry and a few settings as in a deck. */
#ifndef RILL_TESTS_LAWS_SMALL_H
#define RILL_TESTS_LAWS_SMALL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/action.h"
#include "integrators/registry.h"
#include "integrators/splittings.h"
#include "suite.h"
#include "systems/registry.h"

struct small {
  struct rill_system *system; /* owned; apart, because the integrator keeps its address */
  struct rill_integrator *integrator;
  uint64_t done;
};

static struct rill_error small_error;

/* settings: "key = value; key = value"; NULL or "": all defaults.  The status is that of the first fault. */
static inline enum rill_status small_try(const char *kind, const char *settings, struct rill_system *system) {
  const struct rill_system_type *type = rill_system_type_find(kind);
  static struct rill_parameter_value values[RILL_PARAMETERS];
  char copy[1024], *rest = copy, *item;
  ck_assert_msg(type != NULL, "no system %s", kind);
  RILL_TRY(rill_parameters_default(type, values, &small_error));
  snprintf(copy, sizeof copy, "%s", settings != NULL ? settings : "");
  while ((item = strsep(&rest, ";")) != NULL) {
    char *value = strchr(item, '='), *key = item + strspn(item, " "), *end;
    size_t index;
    if (value == NULL) continue;
    *value++ = 0;
    value += strspn(value, " ");
    for (end = key + strlen(key); end > key && end[-1] == ' ';) *--end = 0;
    for (end = value + strlen(value); end > value && end[-1] == ' ';) *--end = 0;
    index = rill_parameter_index(type, key);
    ck_assert_msg(index < type->parameter_count, "%s has no parameter %s", kind, key);
    RILL_TRY(rill_parameter_parse(type, &type->parameters[index], key, value, &values[index], &small_error));
  }
  return type->create(values, system, &small_error);
}

static inline struct rill_system small_system(const char *kind, const char *settings) {
  struct rill_system system = {0};
  enum rill_status status = small_try(kind, settings, &system);
  ck_assert_msg(status == RILL_OK, "%s with %s: %s", kind, settings, small_error.text);
  return system;
}

static inline void small_destroy_system(struct rill_system *system) {
  if (system->ops != NULL) system->ops->destroy(system->self);
  *system = (struct rill_system){0};
}

static inline struct rill_binding_options small_options(double h, double beta) {
  return (struct rill_binding_options){
      .step = h,
      .geodesic_steps = 1,
      .method = {
          .beta = beta, .newton_start = RILL_START_B, .hessian = RILL_HESSIAN_GAUSS_NEWTON, .tolerance = 1e-14}};
}

/* A method as `rill compare` names it, "galerkin/3/lobatto4" or "shooting/rk4/simpson"; its options go into
 * *options. */
static inline const struct rill_method *small_method(const char *name, struct rill_method_options *options) {
  char copy[128], *rest = copy, *item;
  const struct rill_method *method;
  snprintf(copy, sizeof copy, "%s", name);
  method = rill_method_find(strsep(&rest, "/"));
  ck_assert_msg(method != NULL, "no method %s", name);
  while ((item = strsep(&rest, "/")) != NULL) {
    const struct rill_choice *base = rill_choice_find(rill_shooting_base_choices, item),
                             *rotation = rill_choice_find(rill_rotation_choices, item);
    if (rill_composition_find(item) != NULL) continue; /* small_composition */
    if (base != NULL) options->base = (enum rill_shooting_base)base->value;
    else if (rotation != NULL) options->rotation = (enum rill_rotation_map)rotation->value;
    else if (strcmp(item, "compensated") == 0) options->compensated = true;
    else if (strspn(item, "0123456789") == strlen(item)) options->degree = (unsigned)strtoul(item, NULL, 10);
    else
      ck_assert_msg(rill_action_quadrature_parse(item, &options->quadrature, &small_error) == RILL_OK, "no option %s",
                    item);
  }
  return method;
}

/* The last option of a name, "lgvi/yoshida4", when it is a composition; NULL: none. */
static inline const struct rill_composition *small_composition(const char *name) {
  const char *option = strrchr(name, '/');
  return option != NULL ? rill_composition_find(option + 1) : NULL;
}

static inline struct small small_create(const char *kind, const char *settings, const char *method, double h,
                                        double beta) {
  struct small small = {.system = rill_allocate(1, sizeof *small.system)};
  struct rill_binding_options options = small_options(h, beta);
  const struct rill_method *found = small_method(method, &options.method);
  enum rill_status status;
  options.composition = small_composition(method);
  *small.system = small_system(kind, settings);
  status = rill_integrator_create(found, small.system, &options, &small.integrator, &small_error);
  ck_assert_msg(status == RILL_OK, "%s on %s: %s", method, kind, small_error.text);
  return small;
}

static inline enum rill_status small_try_step(struct small *small) {
  enum rill_status status = rill_integrator_step(small->integrator, small->done, false, &small_error);
  if (status == RILL_OK) small->done++;
  return status;
}

static inline void small_run(struct small *small, uint64_t steps) {
  for (uint64_t i = 0; i < steps; i++)
    ck_assert_msg(small_try_step(small) == RILL_OK, "step %llu: %s", (unsigned long long)small->done + 1,
                  small_error.text);
}

static inline double small_energy(struct small *small, struct rill_observation *observation) {
  ck_assert(small->system->ops->observe(small->system->self, observation, &small_error) == RILL_OK);
  return observation->kinetic + observation->potential;
}

/* Makes the past of a multistep method's state its future: it is then at its earliest position, on the way back.  The
 * momenta are left: the next step takes none. */
static inline void small_turn(struct rill_state *state) {
  const size_t n = state->n, k = state->earlier;
  double turned[RILL_HISTORY * 64];
  ck_assert_uint_le((2 * k + 1) * n, RILL_HISTORY * 64);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < k; j++) {
      state->q[i] -= state->history[j * n + i];
      turned[j * n + i] = -state->history[(k - 1 - j) * n + i];
    }
    for (size_t j = 0; j <= k; j++) turned[(k + j) * n + i] = state->history[(2 * k - j) * n + i];
  }
  memcpy(state->history, turned, (2 * k + 1) * n * sizeof *turned);
}

static inline void small_destroy(struct small *small) {
  rill_integrator_destroy(small->integrator);
  small_destroy_system(small->system);
  rill_release(small->system);
}

#endif

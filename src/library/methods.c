/* A user's own methods, bound to one simulation. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "library/handle.h"

/* Restores the deck's method after one that does not bind. */
static enum rill_status use(rill_simulation *handle, const char *name, struct rill_error *error) {
  struct rill_simulation *sim = &handle->sim;
  const struct rill_method *before = sim->method;
  rill_error_clear(error);
  if (name[0] == '\0' || strlen(name) >= sizeof handle->method_name)
    return rill_error_set(error, RILL_ERROR_USAGE, "a method's name has 1 to %zu characters",
                          sizeof handle->method_name - 1);
  sim->method = &handle->method;
  handle->method.name = name;
  if (rill_simulation_rebind(sim, handle, error) != RILL_OK) {
    sim->method = before;
    return error->status;
  }
  snprintf(handle->method_name, sizeof handle->method_name, "%s", name);
  handle->method.name = handle->method_name;
  return RILL_OK;
}

static enum rill_status refuse_second(const rill_simulation *handle, struct rill_error *error) {
  if (handle->method_name[0] == '\0') return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE, "%s is in use already; open the simulation again for another method",
                        handle->method_name);
}

enum rill_status rill_use_splitting(rill_simulation *handle, const char *name, int order, bool symmetric,
                                    const struct rill_stage *stages, size_t count, struct rill_error *error) {
  RILL_TRY(refuse_second(handle, error));
  if (count == 0 || count > RILL_STAGES_MOST)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: a splitting has 1 to %d stages, found %zu", name,
                          RILL_STAGES_MOST, count);
  for (size_t i = 0; i < count; i++)
    handle->stages[i] =
        (struct rill_splitting_stage){stages[i].kick ? RILL_KICK : RILL_DRIFT, stages[i].coefficient, 0};
  handle->splitting =
      (struct rill_splitting){.kind = RILL_SPLITTING_PLAIN, .stages = handle->stages, .stage_count = count};
  handle->method = (struct rill_method){.summary = "a splitting of the user's own",
                                        .citation = "",
                                        .order = order,
                                        .symmetric = symmetric,
                                        .symplectic = true,
                                        .needs = RILL_NEEDS_FLOW,
                                        .filter = &rill_filter_identity,
                                        .splitting = &handle->splitting};
  return use(handle, name, error);
}

/* ---- a step ---- */

struct own {
  rill_simulation *handle;
  struct rill_system *system;
  double h;
};

static enum rill_status create(struct rill_system *system, double h, const struct rill_method_options *options,
                               void **self, struct rill_error *error) {
  struct own *own = *self = rill_allocate(1, sizeof *own);
  if (own == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a method");
  *own = (struct own){(rill_simulation *)(uintptr_t)options->own, system, h};
  return RILL_OK;
}

static enum rill_status step(void *self, struct rill_error *error) {
  const struct own *own = self;
  const struct rill_state *state = own->system->state;
  struct rill_step_state view = {state->n, state->q, state->p, own->system->mechanical->mass,
                                 own->system->mechanical};
  if (own->handle->step(own->handle->context, &view, own->h) == 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_FAILED, "the step of %s failed", own->handle->method_name);
}

static const struct rill_one_step own_step = {create, step, rill_release};

void rill_gradient(const struct rill_step_state *state, const double *q, double *gradient) {
  const struct rill_mechanical *mechanical = state->system;
  mechanical->ops->gradient(mechanical->self, q, gradient);
}

enum rill_status rill_use_step(rill_simulation *handle, const char *name, int order,
                               int (*user_step)(void *context, struct rill_step_state *state, double h),
                               void *context, struct rill_error *error) {
  RILL_TRY(refuse_second(handle, error));
  handle->step = user_step;
  handle->context = context;
  handle->method = (struct rill_method){.summary = "a step of the user's own",
                                        .citation = "",
                                        .order = order,
                                        .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
                                        .one_step = &own_step};
  return use(handle, name, error);
}

#include "ensemble/ensemble.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- creation ---- */

static enum rill_status no_memory(size_t replicas, struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu replicas", replicas);
}

enum rill_status rill_ensemble_create(const struct rill_ensemble_options *options, struct rill_ensemble **out,
                                      struct rill_error *error) {
  struct rill_ensemble *ensemble = *out = rill_allocate(1, sizeof *ensemble);
  if (ensemble == NULL) return no_memory(options->replicas, error);
  ensemble->replicas = options->replicas;
  ensemble->threads = options->threads;
  ensemble->exchanging = options->exchanging;
  ensemble->leaves_out = options->leaves_out;
  ensemble->interval = options->interval;
  ensemble->width = 1;
  ensemble->groups = options->replicas;
  ensemble->replica = rill_allocate(options->replicas, sizeof *ensemble->replica);
  ensemble->temperature = rill_allocate(options->rungs, sizeof *ensemble->temperature);
  ensemble->ended = rill_allocate(options->replicas, sizeof *ensemble->ended);
  ensemble->shared = rill_allocate(options->replicas, sizeof *ensemble->shared);
  ensemble->potential = rill_allocate(options->replicas, sizeof *ensemble->potential);
  if (ensemble->replica == NULL || ensemble->temperature == NULL || ensemble->ended == NULL ||
      ensemble->shared == NULL || ensemble->potential == NULL)
    return no_memory(options->replicas, error);
  ensemble->current = true;
  memcpy(ensemble->temperature, options->temperature, options->rungs * sizeof *ensemble->temperature);
  for (size_t r = 0; r < ensemble->replicas; r++) {
    struct rill_replica *replica = &ensemble->replica[r];
    replica->left_out = UINT64_MAX;
    ensemble->shared[r] = (struct rill_shared){&replica->system, &replica->guard, &ensemble->ended[r]};
  }
  /* Until the replicas are made, which know k. */
  RILL_TRY(rill_exchange_create(options->replicas / options->rungs, options->rungs, ensemble->temperature,
                                options->seed, &ensemble->exchange, error));
  return rill_team_create(options->threads, &ensemble->team, error);
}

/* Whether the method, which binds to the system, does not bind to groups of it; also when none can be made. */
static bool refuses_lanes(const struct rill_system *system, const struct rill_method *method,
                          const struct rill_binding_options *binding) {
  static _Thread_local struct rill_error unused;
  struct rill_system group = {0};
  bool refused;
  if (system->lanes->create(system->self, &group, &unused) != RILL_OK) return true;
  refused = rill_binding_refusal(method, &group, binding) != RILL_BINDS;
  group.ops->destroy(group.self);
  return refused;
}

enum rill_status rill_ensemble_use_lanes(struct rill_ensemble *ensemble, const struct rill_method *method,
                                         const struct rill_binding_options *binding, struct rill_error *error) {
  const struct rill_system *system = &ensemble->replica[0].system;
  const size_t width = system->lanes != NULL ? system->lanes->width(system->self) : 0,
               threads = (size_t)ensemble->threads;
  if (width < 2 || width > RILL_WIDEST_GROUP || refuses_lanes(system, method, binding)) return RILL_OK;
  ensemble->group = rill_allocate(threads, sizeof *ensemble->group);
  ensemble->group_integrator = rill_allocate(threads, sizeof *ensemble->group_integrator);
  ensemble->taken = rill_allocate(threads, sizeof *ensemble->taken);
  if (ensemble->group == NULL || ensemble->group_integrator == NULL || ensemble->taken == NULL)
    return no_memory(ensemble->replicas, error);
  for (size_t t = 0; t < threads; t++) {
    RILL_TRY(system->lanes->create(system->self, &ensemble->group[t], error));
    RILL_TRY(rill_integrator_create(method, &ensemble->group[t], binding, &ensemble->group_integrator[t], error));
  }
  ensemble->width = width;
  ensemble->groups = (ensemble->replicas + width - 1) / width;
  return RILL_OK;
}

void rill_ensemble_destroy(struct rill_ensemble *ensemble) {
  if (ensemble == NULL) return;
  for (size_t t = 0; ensemble->group_integrator != NULL && t < (size_t)ensemble->threads; t++)
    rill_integrator_destroy(ensemble->group_integrator[t]);
  for (size_t t = 0; ensemble->group != NULL && t < (size_t)ensemble->threads; t++)
    if (ensemble->group[t].ops != NULL) ensemble->group[t].ops->destroy(ensemble->group[t].self);
  for (size_t r = 0; ensemble->replica != NULL && r < ensemble->replicas; r++) {
    struct rill_replica *replica = &ensemble->replica[r];
    rill_integrator_destroy(replica->integrator);
    if (replica->system.ops != NULL) replica->system.ops->destroy(replica->system.self);
    rill_guard_release(&replica->guard);
  }
  rill_release(ensemble->group_integrator);
  rill_release(ensemble->group);
  rill_release((void *)ensemble->taken);
  rill_release(ensemble->replica);
  rill_release(ensemble->temperature);
  rill_release(ensemble->ended);
  rill_release(ensemble->shared);
  rill_release(ensemble->potential);
  rill_exchange_release(&ensemble->exchange);
  rill_team_destroy(ensemble->team);
  rill_release(ensemble);
}

size_t rill_ensemble_ladder(const struct rill_ensemble *ensemble, size_t replica) {
  return replica / ensemble->exchange.rungs;
}

size_t rill_ensemble_rung(const struct rill_ensemble *ensemble, size_t replica) {
  return ensemble->exchange.rung[replica];
}

/* ---- ranks ---- */

/* What rank 0 calls for: the steps after `first`, up to `last`; the states; the end, with a number. */
enum { ADVANCE, COLLECT, END };

struct order {
  uint64_t what, first, last;
};

static bool is_shared(const struct rill_ensemble *ensemble) {
  return ensemble->ranks != NULL && ensemble->ranks->count > 1;
}

/* The groups [*first, *end) that this rank advances. */
static void own_groups(const struct rill_ensemble *ensemble, size_t *first, size_t *end) {
  const struct rill_ranks *ranks = ensemble->ranks;
  *first = is_shared(ensemble) ? rill_ranks_first(ranks, ranks->rank, ensemble->groups) : 0;
  *end = is_shared(ensemble) ? rill_ranks_first(ranks, ranks->rank + 1, ensemble->groups) : ensemble->groups;
}

/* Whether this rank has the state of the replica. */
static bool is_here(const struct rill_ensemble *ensemble, size_t index) {
  size_t first, end;
  own_groups(ensemble, &first, &end);
  return ensemble->current || (index / ensemble->width >= first && index / ensemble->width < end);
}

void rill_ensemble_use_ranks(struct rill_ensemble *ensemble, struct rill_ranks *ranks) { ensemble->ranks = ranks; }

static enum rill_status call_for(struct rill_ensemble *ensemble, uint64_t what, uint64_t first, uint64_t last,
                                 struct rill_error *error) {
  struct order order = {what, first, last};
  if (!is_shared(ensemble)) return RILL_OK;
  if (ensemble->ranks->broken)
    return rill_error_set(error, RILL_ERROR_FAILED, "the states of the replicas on other ranks are lost");
  return ensemble->ranks->ops->broadcast(ensemble->ranks, &order, sizeof order, error);
}

enum rill_status rill_ensemble_collect(struct rill_ensemble *ensemble, struct rill_error *error) {
  if (ensemble->current) return RILL_OK;
  RILL_TRY(call_for(ensemble, COLLECT, 0, 0, error));
  RILL_TRY(rill_share_states(ensemble->ranks, ensemble->shared, ensemble->replicas, ensemble->width, error));
  ensemble->current = true;
  return RILL_OK;
}

enum rill_status rill_ensemble_dismiss(struct rill_ensemble *ensemble, uint64_t end, struct rill_error *error) {
  return call_for(ensemble, END, end, 0, error);
}

const struct rill_observation *rill_ensemble_observe(struct rill_ensemble *ensemble, size_t index, uint64_t step,
                                                     struct rill_error *error) {
  struct rill_replica *replica = &ensemble->replica[index];
  const struct rill_observation *seen = rill_guard_observation(&replica->guard, step);
  if (seen != NULL) return seen;
  if (!is_here(ensemble, index) && rill_ensemble_collect(ensemble, error) != RILL_OK) return NULL;
  if (replica->system.ops->observe(replica->system.self, &replica->guard.observation, error) != RILL_OK) return NULL;
  return &replica->guard.observation;
}

enum rill_status rill_ensemble_sample(struct rill_ensemble *ensemble, uint64_t step, double *rung, double *potential,
                                      struct rill_error *error) {
  for (size_t r = 0; r < ensemble->replicas; r++) {
    const bool running = ensemble->replica[r].left_out == UINT64_MAX;
    const struct rill_observation *observation = rill_ensemble_observe(ensemble, r, step, error);
    if (observation == NULL) return error->status;
    rung[r] = running ? (double)rill_ensemble_rung(ensemble, r) : -1;
    potential[r] = running ? rill_uncorrected_potential(observation) : NAN;
  }
  return RILL_OK;
}

/* ---- segments ---- */

/* Steps that all replicas make, before their next examination. */
struct segment {
  struct rill_ensemble *ensemble;
  size_t first_group; /* of this rank */
  uint64_t first, last;
  struct rill_failure *failure; /* [replicas] */
};

static bool is_running(const struct rill_replica *replica) { return replica->left_out == UINT64_MAX; }

static enum rill_status make_steps(struct rill_integrator *integrator, uint64_t first, uint64_t last, uint64_t *done,
                                   struct rill_error *error) {
  for (*done = first; *done < last; ++*done) RILL_TRY(rill_integrator_step(integrator, *done, false, error));
  return RILL_OK;
}

/* The replica's steps from `from` on, then its examination. */
static void advance_alone(struct segment *segment, size_t index, uint64_t from) {
  struct rill_replica *replica = &segment->ensemble->replica[index];
  struct rill_failure *failure = &segment->failure[index];
  struct rill_error error = {0};
  uint64_t done;
  enum rill_status status = make_steps(replica->integrator, from, segment->last, &done, &error);
  if (status == RILL_OK) status = rill_guard_look(&replica->guard, &replica->system, segment->last, &error);
  if (status == RILL_OK) return;
  failure->step = done;
  failure->error = malloc(sizeof *failure->error);
  if (failure->error != NULL) *failure->error = error;
}

/* There are as many systems of lanes as threads, so one is free. */
static size_t take_lanes(struct rill_ensemble *ensemble) {
  for (size_t t = 0;; t = (t + 1) % (size_t)ensemble->threads) {
    bool taken = false;
    if (atomic_compare_exchange_strong(&ensemble->taken[t], &taken, true)) return t;
  }
}

/* All but the last step of a group, in lanes; false when some replica fails, and none has changed. */
static bool advance_in_lanes(struct rill_ensemble *ensemble, void *const systems[], size_t count, uint64_t first,
                             uint64_t last) {
  const struct rill_lanes_ops *lanes = ensemble->replica[0].system.lanes;
  const size_t lane_system = take_lanes(ensemble);
  void *group = ensemble->group[lane_system].self;
  struct rill_error unused = {0};
  uint64_t done;
  bool fine;
  lanes->load(group, systems, count);
  fine = make_steps(ensemble->group_integrator[lane_system], first, last, &done, &unused) == RILL_OK;
  if (fine) lanes->store(group, systems, count);
  atomic_store(&ensemble->taken[lane_system], false);
  return fine;
}

/* A group costs the same however few of its lanes are used, and a lane about half of a system alone.
 *
 * Each replica makes its last step itself, so that what is observed of a step does not depend on lanes.  If one fails
 * in lanes, they make all steps themselves, so that messages do not depend on lanes either. */
static void advance_group(void *context, size_t index) {
  struct segment *segment = context;
  struct rill_ensemble *ensemble = segment->ensemble;
  const size_t from = (segment->first_group + index) * ensemble->width, to = from + ensemble->width;
  void *systems[RILL_WIDEST_GROUP];
  size_t running[RILL_WIDEST_GROUP], count = 0;
  uint64_t first = segment->first;
  for (size_t r = from; r < to && r < ensemble->replicas; r++) {
    if (!is_running(&ensemble->replica[r])) continue;
    systems[count] = ensemble->replica[r].system.self;
    running[count++] = r;
  }
  if (ensemble->group != NULL && 8 * count > 5 * ensemble->width && segment->last - first > 1 &&
      advance_in_lanes(ensemble, systems, count, first, segment->last - 1))
    first = segment->last - 1;
  for (size_t i = 0; i < count; i++) advance_alone(segment, running[i], first);
}

/* ---- failures ---- */

static void name_replica(const struct rill_ensemble *ensemble, size_t index, struct rill_error *error) {
  const struct rill_thermal_ops *thermal = ensemble->replica[index].system.thermal;
  const bool energies = thermal != NULL && thermal->boltzmann == 1; /* temperatures are energies */
  rill_error_prefix(error, "replica %zu (%g%s, seed %" PRIu64 ")", index,
                    ensemble->temperature[rill_ensemble_rung(ensemble, index)], energies ? "" : " K",
                    ensemble->replica[index].seed);
}

/* The failure of the earliest step, then of the first replica: the same for any number of threads. */
static size_t first_failure(const struct segment *segment) {
  size_t first = 0;
  for (size_t r = 1; r < segment->ensemble->replicas; r++)
    if (segment->failure[r].step < segment->failure[first].step) first = r;
  return first;
}

static void take_error(const struct rill_failure *failure, struct rill_error *error) {
  if (failure->error != NULL) *error = *failure->error;
  else rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the message of a failed step");
}

static enum rill_status put_back(struct rill_ensemble *ensemble, size_t index, struct rill_error *error) {
  struct rill_replica *replica = &ensemble->replica[index];
  if (is_here(ensemble, index)) return rill_guard_restore(&replica->guard, &replica->system, error);
  replica->guard.now = replica->guard.good_step;
  return RILL_OK;
}

/* All replicas return to the beginning of the segment. */
static enum rill_status stop(struct segment *segment, size_t first, struct rill_error *error) {
  struct rill_ensemble *ensemble = segment->ensemble;
  struct rill_error fault = {0};
  take_error(&segment->failure[first], error);
  name_replica(ensemble, first, error);
  for (size_t r = 0; r < ensemble->replicas; r++)
    if (is_running(&ensemble->replica[r]) && put_back(ensemble, r, &fault) != RILL_OK)
      rill_error_add(error, fault.status, "%s", fault.text);
  return error->status;
}

static enum rill_status leave_out(struct segment *segment, struct rill_error *error) {
  struct rill_ensemble *ensemble = segment->ensemble;
  size_t left = 0;
  for (size_t r = 0; r < ensemble->replicas; r++) {
    struct rill_failure *failure = &segment->failure[r];
    if (failure->step == UINT64_MAX) {
      left += is_running(&ensemble->replica[r]);
      continue;
    }
    take_error(failure, &ensemble->failure);
    name_replica(ensemble, r, &ensemble->failure);
    if (put_back(ensemble, r, error) != RILL_OK) {
      if (is_shared(ensemble)) ensemble->ranks->broken = true; /* the others do not know of it */
      return error->status;
    }
    ensemble->replica[r].left_out = segment->first;
  }
  if (left > 0) return RILL_OK;
  *error = ensemble->failure;
  return rill_error_add(error, error->status, "all replicas have failed");
}

static enum rill_status judge(struct segment *segment, struct rill_error *error) {
  const size_t first = first_failure(segment);
  if (segment->failure[first].step == UINT64_MAX) return RILL_OK;
  return segment->ensemble->leaves_out ? leave_out(segment, error) : stop(segment, first, error);
}

/* The state at the end of the segment is the one to which a later failure returns. */
static enum rill_status accept(struct segment *segment, struct rill_error *error) {
  struct rill_ensemble *ensemble = segment->ensemble;
  for (size_t r = 0; r < ensemble->replicas; r++) {
    struct rill_replica *replica = &ensemble->replica[r];
    const struct rill_system *system = is_here(ensemble, r) ? &replica->system : NULL;
    if (is_running(replica)) RILL_TRY(rill_guard_accept(&replica->guard, system, segment->last, error));
  }
  return RILL_OK;
}

/* The failures of all replicas, on all ranks.  An error of a rank itself stops all of them. */
static enum rill_status share(struct segment *segment, const struct rill_error *own, struct rill_error *error) {
  struct rill_ensemble *ensemble = segment->ensemble;
  struct rill_error fault = {0};
  ensemble->current = false;
  if (rill_share_findings(ensemble->ranks, ensemble->shared, ensemble->replicas, ensemble->width, own, error) ==
      RILL_OK)
    return RILL_OK;
  for (size_t r = 0; r < ensemble->replicas; r++)
    if (is_running(&ensemble->replica[r]) && put_back(ensemble, r, &fault) != RILL_OK)
      rill_error_add(error, fault.status, "%s", fault.text);
  return error->status;
}

/* error: of what came before the segment, which is then not begun. */
static enum rill_status advance_segment(struct rill_ensemble *ensemble, uint64_t first, uint64_t last,
                                        struct rill_error *error) {
  struct segment segment = {ensemble, 0, first, last, ensemble->ended};
  enum rill_status status = error->status;
  size_t end_group;
  own_groups(ensemble, &segment.first_group, &end_group);
  for (size_t r = 0; r < ensemble->replicas; r++) segment.failure[r].step = UINT64_MAX;
  if (status == RILL_OK)
    rill_team_run(ensemble->team, end_group - segment.first_group, true, advance_group, &segment);
  if (is_shared(ensemble)) {
    const struct rill_error own = *error;
    rill_error_clear(error);
    status = share(&segment, &own, error);
  }
  if (status == RILL_OK) status = judge(&segment, error);
  if (status == RILL_OK) {
    status = accept(&segment, error);
    if (status != RILL_OK && is_shared(ensemble)) ensemble->ranks->broken = true; /* the others do not know of it */
  }
  for (size_t r = 0; r < ensemble->replicas; r++) {
    free(segment.failure[r].error);
    segment.failure[r].error = NULL;
  }
  return status;
}

/* ---- exchanges ---- */

/* The bath and the velocities follow the replica's new rung.  The guard's floor, an energy that the bath cannot
 * exceed, follows the kinetic energy; and the last good state, to which a failed segment returns, is after the
 * exchange. */
static enum rill_status change_temperature(struct rill_ensemble *ensemble, size_t index, uint64_t step,
                                           struct rill_error *error) {
  struct rill_replica *replica = &ensemble->replica[index];
  const struct rill_thermal_ops *thermal = replica->system.thermal;
  void *self = replica->system.self;
  const double before = thermal->temperature(self),
               after = ensemble->temperature[rill_ensemble_rung(ensemble, index)], ratio = after / before;
  if (before == after) return RILL_OK;
  thermal->set_temperature(self, after);
  replica->guard.floor.energy += (ratio - 1) * replica->guard.observation.kinetic;
  replica->guard.observed = UINT64_MAX;
  replica->guard.good_step = step;
  if (!is_here(ensemble, index)) return RILL_OK;
  thermal->scale_velocities(self, sqrt(ratio));
  return rill_guard_keep(&replica->guard, &replica->system, step, error);
}

static enum rill_status exchange(struct rill_ensemble *ensemble, uint64_t step, struct rill_error *error) {
  for (size_t r = 0; r < ensemble->replicas; r++) {
    const struct rill_observation *observation = rill_ensemble_observe(ensemble, r, step, error);
    if (observation == NULL) return error->status;
    ensemble->potential[r] = rill_uncorrected_potential(observation);
  }
  rill_exchange_attempt(&ensemble->exchange, step / ensemble->interval, ensemble->potential);
  ensemble->exchange.last = step;
  for (size_t r = 0; r < ensemble->replicas; r++) RILL_TRY(change_temperature(ensemble, r, step, error));
  return RILL_OK;
}

static uint64_t next_multiple(uint64_t step, uint64_t interval) { return (step / interval + 1) * interval; }

static enum rill_status advance(struct rill_ensemble *ensemble, uint64_t first, uint64_t last, uint64_t *done,
                                struct rill_error *error) {
  for (*done = first; *done < last;) {
    uint64_t to = next_multiple(*done, RILL_GUARD_INTERVAL); /* as a single system is examined */
    if (last < to) to = last;
    if (ensemble->exchanging) {
      const uint64_t next = next_multiple(*done, ensemble->interval);
      /* After a failure the checkpoint is from after the exchange. */
      if (*done > ensemble->exchange.last && *done % ensemble->interval == 0) (void)exchange(ensemble, *done, error);
      if (next < to) to = next;
    }
    RILL_TRY(advance_segment(ensemble, *done, to, error));
    *done = to;
  }
  return RILL_OK;
}

enum rill_status rill_ensemble_advance(void *self, uint64_t first, uint64_t last, uint64_t *done,
                                       struct rill_error *error) {
  *done = first;
  RILL_TRY(call_for(self, ADVANCE, first, last, error));
  return advance(self, first, last, done, error);
}

enum rill_status rill_ensemble_serve(struct rill_ensemble *ensemble, uint64_t *end, struct rill_error *error) {
  struct rill_ranks *ranks = ensemble->ranks;
  for (;;) {
    struct order order;
    uint64_t done;
    rill_error_clear(error);
    RILL_TRY(ranks->ops->broadcast(ranks, &order, sizeof order, error));
    if (order.what == END) {
      *end = order.first;
      return RILL_OK;
    }
    if (order.what == ADVANCE) (void)advance(ensemble, order.first, order.last, &done, error);
    else (void)rill_share_states(ranks, ensemble->shared, ensemble->replicas, ensemble->width, error);
    if (ranks->broken) return error->status;
  }
}

/* ---- resuming ---- */

void rill_ensemble_set_temperatures(struct rill_ensemble *ensemble) {
  for (size_t r = 0; r < ensemble->replicas; r++) {
    const struct rill_system *system = &ensemble->replica[r].system;
    system->thermal->set_temperature(system->self, ensemble->temperature[rill_ensemble_rung(ensemble, r)]);
  }
}

void rill_ensemble_archive(struct rill_ensemble *ensemble, struct rill_archive *archive) {
  uint64_t *left_out = rill_allocate(ensemble->replicas, sizeof *left_out);
  if (left_out == NULL) {
    rill_archive_fail(archive, RILL_ERROR_MEMORY, "no memory for the replicas");
    return;
  }
  for (size_t r = 0; r < ensemble->replicas; r++) left_out[r] = ensemble->replica[r].left_out;
  rill_archive_enter(archive, "exchange");
  rill_exchange_archive(&ensemble->exchange, archive);
  rill_archive_leave(archive);
  rill_archive_integers(archive, "left_out", left_out, ensemble->replicas);
  for (size_t r = 0; r < ensemble->replicas; r++) ensemble->replica[r].left_out = left_out[r];
  rill_release(left_out);
}

/* ---- as a system ---- */

static double degrees_of_freedom(const void *self) {
  const struct rill_system *first = &((const struct rill_ensemble *)self)->replica[0].system;
  return first->ops->degrees_of_freedom(first->self);
}

static enum rill_status observe(void *self, struct rill_observation *mean, struct rill_error *error) {
  const struct rill_ensemble *ensemble = self;
  double share = 0;
  memset(mean, 0, sizeof *mean);
  for (size_t r = 0; r < ensemble->replicas; r++) share += is_running(&ensemble->replica[r]);
  for (size_t r = 0; r < ensemble->replicas; r++) {
    const struct rill_replica *replica = &ensemble->replica[r];
    struct rill_observation one;
    if (!is_running(replica)) continue;
    RILL_TRY(replica->system.ops->observe(replica->system.self, &one, error));
    mean->kinetic += one.kinetic / share;
    mean->potential += one.potential / share;
    mean->correction += one.correction / share;
    mean->temperature += one.temperature / share;
  }
  return RILL_OK;
}

static void archive_self(void *self, struct rill_archive *archive) { rill_ensemble_archive(self, archive); }
static void destroy_self(void *self) { rill_ensemble_destroy(self); }

const struct rill_system_ops rill_ensemble_ops = {.name = "ensemble",
                                                  .summary = "replicas of a system",
                                                  .degrees_of_freedom = degrees_of_freedom,
                                                  .observe = observe,
                                                  .archive = archive_self,
                                                  .destroy = destroy_self};

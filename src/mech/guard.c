#include "mech/guard.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

/* ---- the start ---- */

static double norm(const double *x, size_t n) {
  double squares = 0;
  for (size_t i = 0; i < n; i++) squares += x[i] * x[i];
  return sqrt(squares);
}

/* |grad V| |q| at the start; on a group, whose elements have no size, the norm of the reduced force times one
 * radian. It serves systems that start at rest where the potential happens to be 0.  For systems without a
 * state: 0. */
static enum rill_status force_scale(const struct rill_system *system, double *scale, struct rill_error *error) {
  const struct rill_state *state = system->state;
  const size_t n = state != NULL ? state->n : 0;
  double *work;
  *scale = 0;
  if (state == NULL) return RILL_OK;
  work = rill_allocate(2 * n, sizeof *work);
  if (work == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the forces of the start");
  if (system->mechanical != NULL) {
    system->mechanical->ops->gradient(system->mechanical->self, state->q, work);
    *scale = norm(work, n) * norm(state->q, n);
  } else if (system->lagrangian != NULL) {
    struct rill_lagrangian_values values = {.dq = work};
    system->lagrangian->ops->evaluate(system->lagrangian->self, state->q, work + n, &values); /* at rest: -grad V */
    *scale = norm(work, n) * norm(state->q, n);
  } else if (system->group != NULL) {
    system->group->ops->force(system->group->self, state->q, work);
    *scale = norm(work, system->group->dimension);
  }
  rill_release(work);
  return RILL_OK;
}

enum rill_status rill_guard_begin(struct rill_guard *guard, const struct rill_system *system,
                                  struct rill_error *error) {
  const struct rill_observation *o = &guard->observation;
  double scale;
  guard->interval = RILL_GUARD_INTERVAL;
  guard->observed = UINT64_MAX;
  guard->limits = (struct rill_limits){INFINITY, INFINITY, INFINITY};
  RILL_TRY(system->ops->observe(system->self, &guard->observation, error));
  RILL_TRY(force_scale(system, &scale, error));
  guard->start = (struct rill_guard_start){.energy = o->kinetic + o->potential,
                                           .temperature = o->temperature,
                                           .energy_scale = fabs(o->kinetic) + fabs(o->potential) + scale};
  guard->floor = (struct rill_guard_floor){guard->start.energy, 0};
  if (isfinite(guard->start.energy_scale)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_NOT_FINITE, "the energy of the start is not finite");
}

/* ---- examining ---- */

/* The largest total energy that the bath can have produced by that step. */
static double supplied(const struct rill_guard *guard, uint64_t step) {
  return guard->floor.energy + guard->bath.supply * ((double)step - (double)guard->floor.step);
}

static enum rill_status judge_energy(const struct rill_guard *guard, double energy, uint64_t step,
                                     struct rill_error *error) {
  const double limit = guard->limits.energy_change;
  const double change = guard->bath.on ? energy - supplied(guard, step) : fabs(energy - guard->start.energy);
  if (!(change > limit)) return RILL_OK;
  if (guard->bath.on)
    return rill_error_set(
        error, RILL_ERROR_FAILED,
        "the total energy is %.6g, %.4g above the most that the bath can have brought it to, and at "
        "most %.4g is let through ([stop] max_energy_change)",
        energy, change, limit);
  return rill_error_set(error, RILL_ERROR_FAILED,
                        "the total energy is %.6g, %.4g away from %.6g at the start, and at most %.4g is let through "
                        "([stop] max_energy_change)",
                        energy, change, guard->start.energy, limit);
}

enum rill_status rill_guard_judge(const struct rill_guard *guard, const struct rill_observation *o, uint64_t step,
                                  struct rill_error *error) {
  const struct rill_limits *limits = &guard->limits;
  const double energy = o->kinetic + o->potential;
  if (!isfinite(energy)) return rill_error_set(error, RILL_ERROR_NOT_FINITE, "the energy is not finite");
  if (o->temperature > limits->temperature)
    return rill_error_set(error, RILL_ERROR_FAILED,
                          "the temperature is %.4g K, above %.4g K ([stop] max_temperature)", o->temperature,
                          limits->temperature);
  RILL_TRY(judge_energy(guard, energy, step, error));
  if (o->bond_deviation > limits->bond)
    return rill_error_set(error, RILL_ERROR_FAILED,
                          "a bond is off its length by %.3g of it, above %.3g ([stop] max_bond)", o->bond_deviation,
                          limits->bond);
  return RILL_OK;
}

static void follow(struct rill_guard *guard, uint64_t step) {
  const double energy = guard->observation.kinetic + guard->observation.potential;
  if (step % guard->interval == 0)
    guard->floor = (struct rill_guard_floor){fmin(supplied(guard, step), energy), step};
}

enum rill_status rill_guard_keep(struct rill_guard *guard, const struct rill_system *system, uint64_t step,
                                 struct rill_error *error) {
  guard->good.length = 0; /* its memory is reused */
  system->ops->archive(system->self, &guard->good);
  guard->kept = true;
  guard->good_step = step;
  return rill_archive_status(&guard->good, error);
}

enum rill_status rill_guard_restore(struct rill_guard *guard, const struct rill_system *system,
                                    struct rill_error *error) {
  struct rill_archive archive;
  guard->now = guard->good_step;
  if (!guard->kept) {
    system->ops->restore(system->self);
    return RILL_OK;
  }
  RILL_TRY(rill_archive_open(guard->good.bytes, guard->good.length, &archive, error));
  system->ops->archive(system->self, &archive);
  return rill_archive_status(&archive, error);
}

enum rill_status rill_guard_look(struct rill_guard *guard, const struct rill_system *system, uint64_t step,
                                 struct rill_error *error) {
  guard->observed = UINT64_MAX;
  if (system->ops->observe(system->self, &guard->observation, error) != RILL_OK ||
      rill_guard_judge(guard, &guard->observation, step, error) != RILL_OK) {
    rill_error_prefix(error, "step %" PRIu64, step);
    return rill_error_add(error, error->status,
                          "the state of step %" PRIu64
                          " was the last that was found within the limits; usual remedies: a shorter "
                          "step, a relaxed start",
                          guard->good_step);
  }
  guard->observed = step;
  return RILL_OK;
}

enum rill_status rill_guard_accept(struct rill_guard *guard, const struct rill_system *system, uint64_t step,
                                   struct rill_error *error) {
  guard->now = step;
  follow(guard, step);
  if (system != NULL) return rill_guard_keep(guard, system, step, error);
  guard->good_step = step;
  return RILL_OK;
}

static enum rill_status refuse(struct rill_guard *guard, const struct rill_system *system, struct rill_error *error) {
  struct rill_error fault = {0};
  if (rill_guard_restore(guard, system, &fault) != RILL_OK) rill_error_add(error, fault.status, "%s", fault.text);
  return error->status;
}

enum rill_status rill_guard_examine(struct rill_guard *guard, const struct rill_system *system, uint64_t step,
                                    bool next_too, struct rill_error *error) {
  if (rill_guard_look(guard, system, step, error) != RILL_OK) return refuse(guard, system, error);
  follow(guard, step);
  if (!next_too) return rill_guard_keep(guard, system, step, error);
  guard->kept = false;
  guard->good_step = step;
  return RILL_OK;
}

const struct rill_observation *rill_guard_observation(const struct rill_guard *guard, uint64_t step) {
  return guard->observed == step ? &guard->observation : NULL;
}

/* ---- resuming ---- */

/* The observation of the present state is saved because it holds more than the state, such as the middle of the last
 * step and its iterations, and a run that is resumed after its last step observes it again. */
static void archive_observation(struct rill_guard *guard, struct rill_archive *archive) {
  /* A checkpoint of 0.1.0 has no correction, the last number. */
  enum { NUMBERS = sizeof guard->observation / sizeof(double), BEFORE_CORRECTION = NUMBERS - 1 };
  uint64_t observed = guard->observed == guard->now ? guard->observed : UINT64_MAX;
  size_t count = observed != UINT64_MAX ? NUMBERS : 0;
  const void *numbers;
  rill_archive_integers(archive, "observed", &observed, 1);
  if (!archive->reading) {
    rill_archive_reals(archive, "observation", (double *)&guard->observation, count);
    return;
  }
  numbers = rill_archive_find(archive, "observation", RILL_ARCHIVE_REALS, &count);
  if (numbers == NULL || (count != 0 && count != NUMBERS && count != BEFORE_CORRECTION))
    rill_archive_fail(archive, RILL_ERROR_INPUT, "%sobservation is not one of this program", archive->group);
  else if (count > 0) {
    guard->observation.correction = 0;
    memcpy(&guard->observation, numbers, count * sizeof(double));
    guard->observed = observed;
  }
}

void rill_guard_archive(struct rill_guard *guard, struct rill_archive *archive) {
  struct rill_guard_start *start = &guard->start;
  double numbers[] = {start->energy, start->temperature, start->energy_scale, guard->floor.energy};
  uint64_t good_step = guard->good_step;
  size_t length = guard->good_step != guard->now && guard->kept ? guard->good.length : 0;
  const void *bytes;
  rill_archive_reals(archive, "start", numbers, sizeof numbers / sizeof numbers[0]);
  rill_archive_integers(archive, "floor_step", &guard->floor.step, 1);
  rill_archive_integers(archive, "good_step", &good_step, 1);
  archive_observation(guard, archive);
  if (!archive->reading) {
    rill_archive_bytes(archive, "good", (void *)(uintptr_t)guard->good.bytes, length);
    return;
  }
  *start = (struct rill_guard_start){numbers[0], numbers[1], numbers[2]};
  guard->floor.energy = numbers[3];
  guard->now = guard->good_step = good_step;
  bytes = rill_archive_find(archive, "good", RILL_ARCHIVE_BYTES, &length);
  if (bytes == NULL || length == 0) return; /* it is the present state */
  rill_archive_release(&guard->good);
  guard->good.bytes = rill_allocate(length, 1);
  if (guard->good.bytes == NULL) {
    rill_archive_fail(archive, RILL_ERROR_MEMORY, "no memory for the last good state");
    return;
  }
  memcpy((void *)(uintptr_t)guard->good.bytes, bytes, length);
  guard->good.length = guard->good.capacity = length;
  guard->good_step = good_step;
  guard->kept = true;
}

void rill_guard_forget(struct rill_guard *guard) {
  rill_archive_release(&guard->good);
  guard->kept = false;
}

void rill_guard_release(struct rill_guard *guard) { rill_archive_release(&guard->good); }

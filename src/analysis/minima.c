#include "analysis/minima.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { NUMBERS = 9 /* of a molecule's positions */ };

enum rill_status rill_minima_create(size_t molecules, size_t rungs, size_t most, struct rill_minima *minima,
                                    struct rill_error *error) {
  *minima = (struct rill_minima){
      .molecules = molecules, .pairs = molecules * (molecules - 1) / 2, .rungs = rungs, .most = most};
  minima->of = rill_allocate(most, sizeof *minima->of);
  minima->dropped = rill_allocate(rungs, sizeof *minima->dropped);
  minima->unfinished = rill_allocate(rungs, sizeof *minima->unfinished);
  minima->distances = rill_allocate(minima->pairs + 1, sizeof *minima->distances);
  if (minima->of != NULL && minima->dropped != NULL && minima->unfinished != NULL && minima->distances != NULL)
    return RILL_OK;
  rill_minima_release(minima);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a catalogue of %zu minima", most);
}

static void release_one(struct rill_minimum *minimum) {
  rill_release(minimum->positions);
  rill_release(minimum->distances);
  rill_release(minimum->counts);
  *minimum = (struct rill_minimum){0};
}

static enum rill_status allocate_one(const struct rill_minima *minima, struct rill_minimum *minimum,
                                     struct rill_error *error) {
  *minimum = (struct rill_minimum){0};
  minimum->positions = rill_allocate(NUMBERS * minima->molecules, sizeof *minimum->positions);
  minimum->distances = rill_allocate(minima->pairs + 1, sizeof *minimum->distances);
  minimum->counts = rill_allocate(minima->rungs, sizeof *minimum->counts);
  if (minimum->positions != NULL && minimum->distances != NULL && minimum->counts != NULL) return RILL_OK;
  release_one(minimum);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for another minimum");
}

/* ---- fingerprints ---- */

static int by_length(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static void measure(const struct rill_minima *minima, const double *positions, double *distances) {
  size_t pair = 0;
  for (size_t i = 0; i < minima->molecules; i++)
    for (size_t j = 0; j < i; j++) {
      const double *a = positions + NUMBERS * i, *b = positions + NUMBERS * j;
      const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
      distances[pair++] = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
  qsort(distances, minima->pairs, sizeof *distances, by_length);
}

static bool are_alike(const struct rill_minima *minima, const double *a, const double *b) {
  double sum = 0;
  for (size_t k = 0; k < minima->pairs; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum <= RILL_MINIMA_DISTANCE * RILL_MINIMA_DISTANCE * (double)minima->pairs;
}

/* The first place whose energy is above `energy`. */
static size_t place_above(const struct rill_minima *minima, double energy) {
  size_t low = 0, high = minima->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (minima->of[middle].energy > energy) high = middle;
    else low = middle + 1;
  }
  return low;
}

/* NULL: none is the same. */
static struct rill_minimum *find(const struct rill_minima *minima, double energy, const double *distances) {
  for (size_t i = place_above(minima, energy + RILL_MINIMA_ENERGY); i-- > 0;) {
    struct rill_minimum *minimum = &minima->of[i];
    if (minimum->energy < energy - RILL_MINIMA_ENERGY) break;
    if (are_alike(minima, minimum->distances, distances)) return minimum;
  }
  return NULL;
}

/* ---- adding ---- */

static void copy_centred(const double *positions, size_t molecules, double *out) {
  double mean[3] = {0};
  const size_t atoms = 3 * molecules;
  for (size_t i = 0; i < 3 * atoms; i++) mean[i % 3] += positions[i] / (double)atoms;
  for (size_t i = 0; i < 3 * atoms; i++) out[i] = positions[i] - mean[i % 3];
}

static void drop_highest(struct rill_minima *minima) {
  struct rill_minimum *highest = &minima->of[--minima->count];
  for (size_t r = 0; r < minima->rungs; r++) minima->dropped[r] += highest->counts[r];
  release_one(highest);
}

static void insert(struct rill_minima *minima, const struct rill_minimum *minimum) {
  const size_t place = place_above(minima, minimum->energy);
  if (minima->count == minima->most) drop_highest(minima);
  memmove(minima->of + place + 1, minima->of + place, (minima->count - place) * sizeof *minima->of);
  minima->of[place] = *minimum;
  minima->count++;
}

enum rill_status rill_minima_add(struct rill_minima *minima, double energy, const double *positions, size_t rung,
                                 uint64_t replica, double time, struct rill_error *error) {
  struct rill_minimum *known, new;
  measure(minima, positions, minima->distances);
  known = find(minima, energy, minima->distances);
  if (known != NULL) {
    known->counts[rung]++;
    return RILL_OK;
  }
  if (minima->count == minima->most && !(energy < minima->of[minima->count - 1].energy)) {
    minima->dropped[rung]++;
    return RILL_OK;
  }
  RILL_TRY(allocate_one(minima, &new, error));
  new.energy = energy;
  new.replica = replica;
  new.time = time;
  new.counts[rung] = 1;
  copy_centred(positions, minima->molecules, new.positions);
  measure(minima, new.positions, new.distances); /* as after reading, to the last bit */
  insert(minima, &new);
  return RILL_OK;
}

/* ---- results ---- */

uint64_t rill_minima_sum(const struct rill_minima *minima, const uint64_t *counts) {
  uint64_t sum = 0;
  for (size_t r = 0; r < minima->rungs; r++) sum += counts[r];
  return sum;
}

struct rill_minimum_shape rill_minima_shape(const struct rill_minima *minima, size_t rank) {
  const double *distances = minima->of[rank].distances;
  struct rill_minimum_shape shape = {.mean = NAN, .largest = NAN};
  double sum = 0;
  for (size_t k = 0; k < minima->pairs; k++) {
    shape.contacts += distances[k] < RILL_MINIMA_CONTACT;
    sum += distances[k];
  }
  if (minima->pairs == 0) return shape;
  shape.mean = sum / (double)minima->pairs;
  shape.largest = distances[minima->pairs - 1];
  return shape;
}

/* ---- resuming ---- */

static void archive_one(const struct rill_minima *minima, struct rill_minimum *minimum,
                        struct rill_archive *archive) {
  double numbers[] = {minimum->energy, minimum->time};
  rill_archive_reals(archive, "energy_time", numbers, 2);
  rill_archive_integers(archive, "replica", &minimum->replica, 1);
  rill_archive_integers(archive, "counts", minimum->counts, minima->rungs);
  rill_archive_reals(archive, "positions", minimum->positions, NUMBERS * minima->molecules);
  minimum->energy = numbers[0];
  minimum->time = numbers[1];
  if (archive->reading) measure(minima, minimum->positions, minimum->distances);
}

static bool make_room(struct rill_minima *minima, size_t count, struct rill_archive *archive) {
  struct rill_error error = {0};
  while (minima->count < count) {
    if (allocate_one(minima, &minima->of[minima->count], &error) != RILL_OK) {
      rill_archive_fail(archive, error.status, "%s", error.text);
      return false;
    }
    minima->count++;
  }
  return true;
}

void rill_minima_archive(struct rill_minima *minima, struct rill_archive *archive) {
  size_t count = minima->count;
  char name[40];
  rill_archive_integers(archive, "dropped", minima->dropped, minima->rungs);
  rill_archive_integers(archive, "unfinished", minima->unfinished, minima->rungs);
  rill_archive_size(archive, "count", &count);
  if (archive->reading && archive->status != RILL_OK) return;
  if (archive->reading && count > minima->most) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "%scount is above %zu", archive->group, minima->most);
    return;
  }
  if (archive->reading && !make_room(minima, count, archive)) return;
  for (size_t i = 0; i < count; i++) {
    snprintf(name, sizeof name, "minimum-%zu", i);
    rill_archive_enter(archive, name);
    archive_one(minima, &minima->of[i], archive);
    rill_archive_leave(archive);
    if (i > 0 && !(minima->of[i].energy >= minima->of[i - 1].energy))
      rill_archive_fail(archive, RILL_ERROR_INPUT, "%sminima are not in the order of their energies", archive->group);
  }
}

void rill_minima_release(struct rill_minima *minima) {
  for (size_t i = 0; i < minima->count; i++) release_one(&minima->of[i]);
  rill_release(minima->of);
  rill_release(minima->dropped);
  rill_release(minima->unfinished);
  rill_release(minima->distances);
  *minima = (struct rill_minima){0};
}

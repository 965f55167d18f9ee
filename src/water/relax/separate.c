#include "water/relax/separate.h"

#include <math.h>
#include <string.h>

#include "base/grid.h"
#include "base/memory.h"

/* nm: two molecules overlap if any of their sites are nearer than `overlap` (a hydrogen bond has 0.17), or their
 * oxygens nearer than `oxygens_overlap` (0.25 in the liquid); oxygens are moved at least `apart`. */
static const double overlap = 0.1, oxygens_overlap = 0.2, apart = 0.25;
static const double longest_move = 0.1; /* nm, of a molecule in one round */
/* The distance that is accepted after the last round, in a box that is too dense: the minimiser can start from it. */
static const double near_enough = 0.2;

enum { ROUNDS = 2000 };

struct pushes {
  double *push; /* [molecules][3], nm */
  double nearest;
  size_t pairs;
};

/* A direction for two molecules at the same position: arbitrary, but different for different pairs. */
static void make_direction(size_t i, size_t j, double direction[3]) {
  const double turn = 2.399963229728653 * (double)(i + 31 * j % 1009); /* the golden angle */
  const double height = 2 * fmod(0.6180339887498949 * (double)(j + 17 * i % 1013), 1) - 1;
  const double radius = sqrt(1 - height * height);
  direction[0] = radius * cos(turn);
  direction[1] = radius * sin(turn);
  direction[2] = height;
}

static void push_pair(struct pushes *pushes, size_t i, size_t j, const double between[3]) {
  const double distance = sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]);
  double direction[3];
  if (!(distance < apart)) return;
  pushes->nearest = fmin(pushes->nearest, distance);
  pushes->pairs++;
  if (distance > 1e-6)
    for (int c = 0; c < 3; c++) direction[c] = between[c] / distance;
  else make_direction(i, j, direction);
  for (size_t c = 0; c < 3; c++) {
    const double half = 0.51 * (apart - distance) * direction[c]; /* slightly more, so that the distance is reached */
    pushes->push[3 * i + c] -= half;
    pushes->push[3 * j + c] += half;
  }
}

static bool push_cells(void *context, const struct rill_grid_cells *cells) {
  for (size_t i = 0; i < cells->first_count; i++)
    for (size_t j = cells->same ? i + 1 : 0; j < cells->second_count; j++) {
      double between[3];
      if (cells->images && i == j) continue;
      for (size_t c = 0; c < 3; c++) between[c] = cells->other[3 * j + c] + cells->moved[c] - cells->one[3 * i + c];
      push_pair(context, cells->first[i], cells->second[j], between);
    }
  return true;
}

static void move(double *positions, const double *push, size_t molecules) {
  for (size_t m = 0; m < molecules; m++) {
    const double *by = push + 3 * m, length = sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]);
    const double scale = length > longest_move ? longest_move / length : 1;
    for (size_t k = 0; k < RILL_COORDINATES; k++) positions[RILL_COORDINATES * m + k] += scale * by[k % 3];
  }
}

/* Pushes molecules in rounds until no oxygens are too near. */
static enum rill_status push_apart(struct rill_grid *grid, size_t molecules, const double box[3][3],
                                   double *positions, struct pushes *pushes, struct rill_error *error) {
  for (int round = 0; round < ROUNDS; round++) {
    memset(pushes->push, 0, 3 * molecules * sizeof *pushes->push);
    pushes->pairs = 0;
    pushes->nearest = apart;
    RILL_TRY(rill_grid_sort(grid, positions, RILL_COORDINATES, box, apart, error));
    rill_grid_visit(grid, push_cells, pushes);
    if (pushes->pairs == 0) return RILL_OK;
    move(positions, pushes->push, molecules);
  }
  if (pushes->nearest > near_enough) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%zu molecules overlap and cannot be pushed apart: there is no room for them in the box; "
                        "expected at most about 33 molecules per nm3",
                        molecules);
}

static void measure(struct rill_separation *separation, const double *before, const double *after, size_t molecules) {
  for (size_t m = 0; m < molecules; m++) {
    const double *p = before + RILL_COORDINATES * m, *q = after + RILL_COORDINATES * m;
    const double distance = hypot(hypot(q[0] - p[0], q[1] - p[1]), q[2] - p[2]);
    if (!(distance > 0)) continue;
    separation->moved++;
    separation->farthest = fmax(separation->farthest, distance);
  }
}

enum rill_status rill_water_separate(size_t molecules, const double box[3][3], double *positions,
                                     struct rill_separation *separation, struct rill_error *error) {
  const size_t coordinates = RILL_COORDINATES * molecules;
  struct pushes pushes = {0};
  struct rill_contact oxygens;
  struct rill_grid *grid = NULL;
  enum rill_status status;
  double *moved;
  *separation = (struct rill_separation){0};
  RILL_TRY(rill_closest_contact(positions, molecules, box, RILL_CONTACT_ALL_SITES, &separation->closest, error));
  RILL_TRY(rill_closest_contact(positions, molecules, box, RILL_CONTACT_OXYGENS, &oxygens, error));
  if (!(separation->closest.distance < overlap || oxygens.distance < oxygens_overlap)) return RILL_OK;
  moved = rill_allocate(coordinates, sizeof *moved);
  pushes.push = rill_allocate(3 * molecules, sizeof *pushes.push);
  if (moved == NULL || pushes.push == NULL)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory to separate %zu molecules", molecules);
  else status = rill_grid_create(molecules, &grid, error);
  if (status == RILL_OK) {
    memcpy(moved, positions, coordinates * sizeof *moved);
    status = push_apart(grid, molecules, box, moved, &pushes, error);
  }
  if (status == RILL_OK) {
    measure(separation, positions, moved, molecules);
    memcpy(positions, moved, coordinates * sizeof *moved);
  }
  rill_grid_destroy(grid);
  rill_release(pushes.push);
  rill_release(moved);
  return status;
}

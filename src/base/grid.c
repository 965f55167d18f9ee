#include "base/grid.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* In units of the shortest lattice vector.  A longer range would include too many images of each point. */
static const double most_images = 50;

struct rill_grid {
  size_t points, most_cells;
  double box[3][3];
  double inverse[3][3]; /* columns: reciprocal vectors, so that fraction i = sum over c of x_c inverse[c][i] */
  double volume, shortest, range;
  long count[3], reach[3]; /* cells along each vector; most cells apart that points in range can be */
  double *wrapped;         /* [points][3], by cell */
  uint32_t *which;         /* [points], by cell */
  uint32_t *cell;          /* [points] */
  uint32_t *start;         /* [cells + 1]: where a cell's points begin */
};

enum rill_status rill_grid_create(size_t points, struct rill_grid **grid, struct rill_error *error) {
  struct rill_grid *made = rill_allocate(1, sizeof *made);
  *grid = NULL;
  if (made == NULL || points >= UINT32_MAX / 2) goto memory;
  made->points = points;
  made->most_cells = points + 1;
  made->wrapped = rill_allocate(3 * points + 1, sizeof *made->wrapped);
  made->which = rill_allocate(points + 1, sizeof *made->which);
  made->cell = rill_allocate(points + 1, sizeof *made->cell);
  made->start = rill_allocate(made->most_cells + 1, sizeof *made->start);
  if (made->wrapped == NULL || made->which == NULL || made->cell == NULL || made->start == NULL) goto memory;
  *grid = made;
  return RILL_OK;
memory:
  rill_grid_destroy(made);
  return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a grid of %zu points", points);
}

void rill_grid_destroy(struct rill_grid *grid) {
  if (grid == NULL) return;
  rill_release(grid->wrapped);
  rill_release(grid->which);
  rill_release(grid->cell);
  rill_release(grid->start);
  rill_release(grid);
}

double rill_grid_volume(const struct rill_grid *grid) { return grid->volume; }
double rill_grid_shortest(const struct rill_grid *grid) { return grid->shortest; }

/* ---- the box ---- */

static double norm(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static void find_shortest(struct rill_grid *grid, const double height[3]) {
  /* A lattice vector with the coefficient n along an axis is at least n heights long. */
  const double longest = fmin(fmin(norm(grid->box[0]), norm(grid->box[1])), norm(grid->box[2]));
  long most[3];
  grid->shortest = longest;
  for (int i = 0; i < 3; i++) most[i] = (long)fmin(longest / height[i], 50);
  for (long a = -most[0]; a <= most[0]; a++)
    for (long b = -most[1]; b <= most[1]; b++)
      for (long c = -most[2]; c <= most[2]; c++) {
        double v[3];
        if (a == 0 && b == 0 && c == 0) continue;
        for (int k = 0; k < 3; k++)
          v[k] = (double)a * grid->box[0][k] + (double)b * grid->box[1][k] + (double)c * grid->box[2][k];
        grid->shortest = fmin(grid->shortest, norm(v));
      }
}

/* Cells are at least half a range wide, if there are enough points. */
static enum rill_status divide_box(struct rill_grid *grid, struct rill_error *error) {
  double height[3];
  for (int i = 0; i < 3; i++) {
    const double *u = grid->box[(i + 1) % 3], *v = grid->box[(i + 2) % 3];
    for (int c = 0; c < 3; c++)
      grid->inverse[c][i] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
  }
  grid->volume = 0;
  for (int c = 0; c < 3; c++) grid->volume += grid->box[0][c] * grid->inverse[c][0];
  if (!(fabs(grid->volume) > 0) || isinf(grid->volume))
    return rill_error_set(error, RILL_ERROR_INPUT, "the box's vectors span %g nm3; expected a volume", grid->volume);
  for (int i = 0; i < 3; i++) {
    double reciprocal[3];
    for (int c = 0; c < 3; c++) reciprocal[c] = grid->inverse[c][i] /= grid->volume;
    height[i] = 1 / norm(reciprocal);
  }
  grid->volume = fabs(grid->volume);
  find_shortest(grid, height);
  if (!(grid->range > 0 && grid->range <= most_images * grid->shortest))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "a range of %g nm in a box whose shortest lattice vector is %g nm; expected up to %g times "
                          "that",
                          grid->range, grid->shortest, most_images);
  for (int i = 0; i < 3; i++) grid->count[i] = (long)fmin(fmax(2 * height[i] / grid->range, 1), 1e6);
  while ((double)grid->count[0] * (double)grid->count[1] * (double)grid->count[2] > (double)grid->most_cells) {
    int most = grid->count[0] >= grid->count[1] ? 0 : 1;
    if (grid->count[2] > grid->count[most]) most = 2;
    grid->count[most] = (grid->count[most] + 1) / 2;
  }
  for (int i = 0; i < 3; i++) grid->reach[i] = (long)(grid->range * (double)grid->count[i] / height[i]) + 1;
  return RILL_OK;
}

/* Builds a box around the points that keeps their images out of range. */
static void surround(struct rill_grid *grid, const double *positions, size_t step) {
  memset(grid->box, 0, sizeof grid->box);
  for (size_t c = 0; c < 3; c++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t m = 0; m < grid->points; m++) {
      low = fmin(low, positions[step * m + c]);
      high = fmax(high, positions[step * m + c]);
    }
    grid->box[c][c] = (high > low ? high - low : 0) * (1 + 1e-9) + 1.01 * grid->range;
  }
}

/* ---- points ---- */

static size_t cell_at(const struct rill_grid *grid, long a, long b, long c) {
  return (size_t)((a * grid->count[1] + b) * grid->count[2] + c);
}

/* Of the vectors of the box, 0 <= f < 1 but for rounding; false when the position is not finite. */
static bool find_fractions(const struct rill_grid *grid, const double *x, double f[3]) {
  for (size_t i = 0; i < 3; i++) {
    f[i] = x[0] * grid->inverse[0][i] + x[1] * grid->inverse[1][i] + x[2] * grid->inverse[2][i];
    if (!isfinite(f[i])) return false;
    f[i] -= floor(f[i]);
  }
  return true;
}

enum rill_status rill_grid_sort(struct rill_grid *grid, const double *positions, size_t step, const double box[3][3],
                                double range, struct rill_error *error) {
  size_t cells;
  grid->range = range;
  if (box != NULL) memcpy(grid->box, box, sizeof grid->box);
  else surround(grid, positions, step);
  RILL_TRY(divide_box(grid, error));
  cells = (size_t)(grid->count[0] * grid->count[1] * grid->count[2]);
  memset(grid->start, 0, (cells + 1) * sizeof *grid->start);
  for (size_t m = 0; m < grid->points; m++) {
    double f[3] = {0};
    long at[3];
    if (!find_fractions(grid, positions + step * m, f))
      return rill_error_set(error, RILL_ERROR_INPUT, "molecule %zu has a position that is not finite", m + 1);
    for (size_t i = 0; i < 3; i++) {
      at[i] = (long)(f[i] * (double)grid->count[i]);
      if (at[i] >= grid->count[i]) at[i] = grid->count[i] - 1; /* a fraction rounded up to 1 */
    }
    grid->cell[m] = (uint32_t)cell_at(grid, at[0], at[1], at[2]);
    grid->start[grid->cell[m] + 1]++;
  }
  for (size_t k = 0; k < cells; k++) grid->start[k + 1] += grid->start[k];
  for (size_t m = grid->points; m-- > 0;) { /* backwards: each cell's end moves to its beginning */
    const size_t to = --grid->start[grid->cell[m] + 1];
    double f[3] = {0};
    (void)find_fractions(grid, positions + step * m, f);
    grid->which[to] = (uint32_t)m;
    for (size_t c = 0; c < 3; c++)
      grid->wrapped[3 * to + c] = f[0] * grid->box[0][c] + f[1] * grid->box[1][c] + f[2] * grid->box[2][c];
  }
  memmove(grid->start, grid->start + 1, cells * sizeof *grid->start);
  grid->start[cells] = (uint32_t)grid->points;
  return RILL_OK;
}

/* ---- pairs ---- */

/* Wraps an index into the grid; returns by how many boxes it was moved. */
static long wrap_index(long *index, long count) {
  const long boxes = *index >= 0 ? *index / count : -((count - 1 - *index) / count);
  *index -= boxes * count;
  return boxes;
}

/* Pairs a cell with itself and with those in half of all directions. */
static bool visit_around(const struct rill_grid *grid, long a, long b, long c,
                         bool (*visit)(void *, const struct rill_grid_cells *), void *context) {
  const size_t here = cell_at(grid, a, b, c), from = grid->start[here];
  struct rill_grid_cells cells = {
      .one = grid->wrapped + 3 * from, .first = grid->which + from, .first_count = grid->start[here + 1] - from};
  if (cells.first_count == 0) return true;
  for (long da = 0; da <= grid->reach[0]; da++)
    for (long db = da > 0 ? -grid->reach[1] : 0; db <= grid->reach[1]; db++)
      for (long dc = da > 0 || db > 0 ? -grid->reach[2] : 0; dc <= grid->reach[2]; dc++) {
        long at[3] = {a + da, b + db, c + dc};
        size_t there, begin;
        memset(cells.moved, 0, sizeof cells.moved);
        for (int i = 0; i < 3; i++) {
          const long boxes = wrap_index(&at[i], grid->count[i]);
          if (boxes != 0)
            for (int k = 0; k < 3; k++) cells.moved[k] += (double)boxes * grid->box[i][k];
        }
        there = cell_at(grid, at[0], at[1], at[2]);
        begin = grid->start[there];
        cells.other = grid->wrapped + 3 * begin;
        cells.second = grid->which + begin;
        cells.second_count = grid->start[there + 1] - begin;
        cells.same = da == 0 && db == 0 && dc == 0;
        cells.images = here == there && !cells.same;
        if (cells.second_count > 0 && !visit(context, &cells)) return false;
      }
  return true;
}

void rill_grid_visit(const struct rill_grid *grid, bool (*visit)(void *context, const struct rill_grid_cells *cells),
                     void *context) {
  for (long a = 0; a < grid->count[0]; a++)
    for (long b = 0; b < grid->count[1]; b++)
      for (long c = 0; c < grid->count[2]; c++)
        if (!visit_around(grid, a, b, c, visit, context)) return;
}

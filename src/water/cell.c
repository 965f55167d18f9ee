#include "water/cell.h"

#include <math.h>

/* The tilt of a box that is written with few digits may be slightly more than half an edge. */
static const double tilt_limit = 0.505;

static enum rill_status check(const double v[3][3], struct rill_error *error) {
  static const char *const edge_name = "abc";
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      if (!isfinite(v[i][j]) || (i == j && !(v[i][j] > 0.0)))
        return rill_error_set(error, RILL_ERROR_INPUT,
                              "box vector %c has %c = %g nm; expected finite numbers and positive a.x, b.y, c.z",
                              edge_name[i], "xyz"[j], v[i][j]);
      if (j > i && v[i][j] != 0.0)
        return rill_error_set(
            error, RILL_ERROR_INPUT,
            "box vector %c has %c = %g nm; expected a along x and b in the xy plane: rotate the system", edge_name[i],
            "xyz"[j], v[i][j]);
      if (j < i && fabs(v[i][j]) > tilt_limit * v[j][j])
        return rill_error_set(error, RILL_ERROR_INPUT,
                              "box vector %c tilts by %g nm, more than half of %c.%c = %g nm; the same lattice has "
                              "%c.%c = %g nm",
                              edge_name[i], v[i][j], edge_name[j], "xyz"[j], v[j][j], edge_name[i], "xyz"[j],
                              v[i][j] - nearbyint(v[i][j] / v[j][j]) * v[j][j]);
    }
  return RILL_OK;
}

enum rill_status rill_cell_create(const double vectors[3][3], struct rill_cell *cell, struct rill_error *error) {
  enum { REACH = 2 }; /* enough for tilts of at most about half an edge */
  const double(*v)[3] = vectors;
  double inverse[3][3];
  RILL_TRY(check(vectors, error));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) cell->vector[i][j] = v[i][j];
  cell->volume = v[0][0] * v[1][1] * v[2][2];
  cell->revision = 0;
  /* The columns of the inverse are the reciprocal vectors: 1 / length is the distance between faces. */
  for (int axis = 0; axis < 3; axis++) {
    double unit[3] = {axis == 0, axis == 1, axis == 2};
    rill_cell_fractions(cell, unit, inverse[axis]);
  }
  for (int i = 0; i < 3; i++)
    cell->height[i] =
        1.0 / sqrt(inverse[0][i] * inverse[0][i] + inverse[1][i] * inverse[1][i] + inverse[2][i] * inverse[2][i]);
  cell->shortest = INFINITY;
  for (int a = -REACH; a <= REACH; a++)
    for (int b = -REACH; b <= REACH; b++)
      for (int c = 0; c <= REACH; c++) {
        double length2 = 0.0;
        if (a == 0 && b == 0 && c == 0) continue;
        for (int k = 0; k < 3; k++) length2 += pow(a * v[0][k] + b * v[1][k] + c * v[2][k], 2.0);
        cell->shortest = fmin(cell->shortest, sqrt(length2));
      }
  return RILL_OK;
}

enum rill_status rill_cell_holds(const struct rill_cell *cell, double cutoff, struct rill_error *error) {
  if (2.0 * cutoff <= cell->shortest) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "cutoff %g nm is more than half of the box's shortest lattice vector, %g nm: molecules would "
                        "interact with two images of the same one; take a cutoff of at most %g nm, or a larger box",
                        cutoff, cell->shortest, 0.5 * cell->shortest);
}

bool rill_cell_is_rectangular(const struct rill_cell *cell) {
  const double(*v)[3] = cell->vector;
  return v[1][0] == 0.0 && v[2][0] == 0.0 && v[2][1] == 0.0;
}

void rill_cell_fractions(const struct rill_cell *cell, const double x[3], double fraction[3]) {
  const double(*v)[3] = cell->vector;
  fraction[2] = x[2] / v[2][2];
  fraction[1] = (x[1] - fraction[2] * v[2][1]) / v[1][1];
  fraction[0] = (x[0] - fraction[2] * v[2][0] - fraction[1] * v[1][0]) / v[0][0];
}

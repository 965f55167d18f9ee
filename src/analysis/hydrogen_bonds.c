#include "analysis/hydrogen_bonds.h"

#include <math.h>

static const double degree = 3.14159265358979323846 / 180;

struct count {
  const double *positions;
  double distance2, cosine;
  size_t bonds;
};

/* Whether a hydrogen of the molecule points along d, of length r. */
static bool gives(const struct count *count, const double *molecule, const double d[3], double r) {
  for (int h = 1; h <= 2; h++) {
    double along = 0, length = 0;
    for (int c = 0; c < 3; c++) {
      const double bond = molecule[3 * h + c] - molecule[c];
      along += bond * d[c];
      length += bond * bond;
    }
    if (along > count->cosine * r * sqrt(length)) return true;
  }
  return false;
}

static bool visit(void *context, const struct rill_grid_cells *cells) {
  struct count *count = context;
  for (size_t i = 0; i < cells->first_count; i++)
    for (size_t j = cells->same ? i + 1 : 0; j < cells->second_count; j++) {
      double d[3], back[3], r2 = 0;
      for (int c = 0; c < 3; c++) {
        d[c] = cells->other[3 * j + (size_t)c] + cells->moved[c] - cells->one[3 * i + (size_t)c];
        back[c] = -d[c];
        r2 += d[c] * d[c];
      }
      if (!(r2 < count->distance2) || (cells->images && i == j)) continue;
      count->bonds += gives(count, count->positions + 9 * (size_t)cells->first[i], d, sqrt(r2));
      count->bonds += gives(count, count->positions + 9 * (size_t)cells->second[j], back, sqrt(r2));
    }
  return true;
}

enum rill_status rill_hydrogen_bonds_count(struct rill_grid *grid, const double *positions, const double box[3][3],
                                           const struct rill_bond_criterion *criterion, size_t *bonds,
                                           struct rill_error *error) {
  struct count count = {positions, criterion->distance * criterion->distance, cos(criterion->angle * degree), 0};
  RILL_TRY(rill_grid_sort(grid, positions, 9, box, criterion->distance, error));
  rill_grid_visit(grid, visit, &count);
  *bonds = count.bonds;
  return RILL_OK;
}

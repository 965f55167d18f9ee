#include "water/neighbours/contact.h"

#include <math.h>

#include "base/grid.h"

/* nm: any liquid has oxygens closer than this. */
static const double first_range = 0.35;

struct search {
  const double *positions;
  size_t sites;             /* of a molecule that are compared: its first ones */
  double range;             /* between oxygens; beyond it a pair may be an artefact of the grid's images */
  struct rill_contact best; /* with the distance squared */
};

/* Compares two molecules, with `between` the vector from the first oxygen to the second. */
static void compare(struct search *search, size_t i, size_t j, const double between[3]) {
  const double *p = search->positions + RILL_COORDINATES * i, *q = search->positions + RILL_COORDINATES * j;
  struct rill_contact *best = &search->best;
  for (size_t a = 0; a < search->sites; a++)
    for (size_t b = 0; b < search->sites; b++) {
      double squared = 0;
      for (size_t c = 0; c < 3; c++) {
        const double x = between[c] + (q[3 * b + c] - q[c]) - (p[3 * a + c] - p[c]);
        squared += x * x;
      }
      if (squared < best->distance) *best = (struct rill_contact){i < j ? i : j, i < j ? j : i, squared};
    }
}

static bool compare_cells(void *context, const struct rill_grid_cells *cells) {
  struct search *search = context;
  for (size_t i = 0; i < cells->first_count; i++)
    for (size_t j = cells->same ? i + 1 : 0; j < cells->second_count; j++) {
      double between[3];
      if (cells->images && i == j) continue;
      for (size_t c = 0; c < 3; c++) between[c] = cells->other[3 * j + c] + cells->moved[c] - cells->one[3 * i + c];
      if (between[0] * between[0] + between[1] * between[1] + between[2] * between[2] < search->range * search->range)
        compare(search, cells->first[i], cells->second[j], between);
    }
  return true;
}

/* The largest distance of a site from its oxygen. */
static double longest_bond(const double *positions, size_t molecules) {
  double squared = 0;
  for (size_t m = 0; m < molecules; m++)
    for (size_t a = 1; a < RILL_ATOMS; a++) {
      const double *o = positions + RILL_COORDINATES * m, *h = o + 3 * a;
      squared = fmax(squared,
                     (h[0] - o[0]) * (h[0] - o[0]) + (h[1] - o[1]) * (h[1] - o[1]) + (h[2] - o[2]) * (h[2] - o[2]));
    }
  return sqrt(squared);
}

enum rill_status rill_closest_contact(const double *positions, size_t molecules, const double box[3][3],
                                      enum rill_contact_sites sites, struct rill_contact *contact,
                                      struct rill_error *error) {
  const double beyond = sites == RILL_CONTACT_OXYGENS ? 0 : 2 * longest_bond(positions, molecules);
  struct search search = {.positions = positions,
                          .sites = sites == RILL_CONTACT_OXYGENS ? 1 : RILL_ATOMS,
                          .best = {.distance = INFINITY}};
  enum rill_status status = RILL_OK;
  struct rill_grid *grid;
  *contact = search.best;
  if (molecules < 2) return RILL_OK;
  RILL_TRY(rill_grid_create(molecules, &grid, error));
  /* A contact is the closest if no molecules whose oxygens are beyond the range can have a closer one. */
  for (double range = first_range;
       status == RILL_OK && !(search.best.distance <= (range - beyond) * (range - beyond)); range *= 2) {
    if (beyond >= range) continue;
    search.range = range;
    status = rill_grid_sort(grid, positions, RILL_COORDINATES, box, range, error);
    if (status == RILL_OK) rill_grid_visit(grid, compare_cells, &search);
  }
  rill_grid_destroy(grid);
  RILL_TRY(status);
  *contact = search.best;
  contact->distance = sqrt(contact->distance);
  return RILL_OK;
}

#include "water/neighbours/contact.h"

#include <math.h>

#include "base/grid.h"
#include "base/memory.h"

/* nm: any liquid has oxygens closer than this. */
static const double first_range = 0.35;

/* A large box is searched in slabs, so that the grid takes little memory beside the positions. */
enum { MOST_SLABS = 16, LEAST_IN_SLAB = 16384 };

struct search {
  const double *positions;
  const uint32_t *molecules; /* of the grid's points; NULL: all */
  size_t sites;              /* of a molecule that are compared: its first ones */
  double range;              /* between oxygens; beyond it a pair may be an artefact of the grid's images */
  struct rill_contact best;  /* with the distance squared */
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

static size_t molecule_of(const struct search *search, uint32_t point) {
  return search->molecules != NULL ? search->molecules[point] : point;
}

static bool compare_cells(void *context, const struct rill_grid_cells *cells) {
  struct search *search = context;
  for (size_t i = 0; i < cells->first_count; i++)
    for (size_t j = cells->same ? i + 1 : 0; j < cells->second_count; j++) {
      double between[3];
      if (cells->images && i == j) continue;
      for (size_t c = 0; c < 3; c++) between[c] = cells->other[3 * j + c] + cells->moved[c] - cells->one[3 * i + c];
      if (between[0] * between[0] + between[1] * between[1] + between[2] * between[2] < search->range * search->range)
        compare(search, molecule_of(search, cells->first[i]), molecule_of(search, cells->second[j]), between);
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

/* Compares the molecules of these points, with a step between them, to a range. */
static enum rill_status search_points(struct search *search, const double *points, size_t step, size_t count,
                                      const double box[3][3], struct rill_error *error) {
  struct rill_grid *grid;
  enum rill_status status;
  RILL_TRY(rill_grid_create(count, &grid, error));
  status = rill_grid_sort(grid, points, step, box, search->range, error);
  if (status == RILL_OK) rill_grid_visit(grid, compare_cells, search);
  rill_grid_destroy(grid);
  return status;
}

/* ---- slabs ---- */

/* Slabs between planes along a and b: of the box's vector c, or, without a box, of the extent along z. */
struct division {
  double normal[3], origin; /* a fraction of c is normal . x - origin */
  double range;             /* in such fractions */
  bool periodic;
  size_t slabs;
};

static double fraction_of(const struct division *division, const double x[3]) {
  return division->normal[0] * x[0] + division->normal[1] * x[1] + division->normal[2] * x[2] - division->origin;
}

static void divide_extent(struct division *division, const double *positions, size_t molecules) {
  double low = INFINITY, high = -INFINITY;
  for (size_t m = 0; m < molecules; m++) {
    low = fmin(low, positions[RILL_COORDINATES * m + 2]);
    high = fmax(high, positions[RILL_COORDINATES * m + 2]);
  }
  division->normal[2] = 1 / (high - low);
  division->origin = low * division->normal[2];
}

static void divide_box(struct division *division, const double box[3][3]) {
  double volume = 0;
  for (size_t c = 0; c < 3; c++) {
    division->normal[c] = box[0][(c + 1) % 3] * box[1][(c + 2) % 3] - box[0][(c + 2) % 3] * box[1][(c + 1) % 3];
    volume += division->normal[c] * box[2][c];
  }
  for (size_t c = 0; c < 3; c++) division->normal[c] /= volume;
  division->periodic = true;
}

/* Slabs are thicker than the range. */
static struct division divide(const struct search *search, size_t molecules, const double box[3][3]) {
  struct division division = {.slabs = molecules / LEAST_IN_SLAB};
  const double *n = division.normal;
  if (division.slabs < 2) return division;
  if (box != NULL) divide_box(&division, box);
  else divide_extent(&division, search->positions, molecules);
  division.range = search->range * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (division.slabs > MOST_SLABS) division.slabs = MOST_SLABS;
  if (!((double)division.slabs * division.range < 1)) /* also where a fraction is not finite */
    division.slabs = division.range < 1 ? (size_t)(1 / division.range) : 0;
  return division;
}

struct slab {
  double *oxygens; /* [count][3], nm */
  uint32_t *molecules;
  size_t count;
};

/* Takes or, without arrays, counts the molecules of a slab and those within the range above it. */
static enum rill_status take_slab(const struct division *division, size_t number, const double *positions,
                                  size_t molecules, const double box[3][3], struct slab *slab,
                                  struct rill_error *error) {
  const double first = (double)number / (double)division->slabs;
  const double thickness = 1 / (double)division->slabs + division->range;
  slab->count = 0;
  for (size_t m = 0; m < molecules; m++) {
    const double *oxygen = positions + RILL_COORDINATES * m;
    const double above = fraction_of(division, oxygen) - first;
    const double turns = division->periodic ? floor(above) : 0;
    if (!isfinite(above))
      return rill_error_set(error, RILL_ERROR_INPUT, "molecule %zu has a position that is not finite", m + 1);
    if (above - turns < 0 || above - turns > thickness) continue;
    if (slab->oxygens != NULL) {
      for (size_t c = 0; c < 3; c++)
        slab->oxygens[3 * slab->count + c] = oxygen[c] - (division->periodic ? turns * box[2][c] : 0);
      slab->molecules[slab->count] = (uint32_t)m;
    }
    slab->count++;
  }
  return RILL_OK;
}

/* A box around a slab that is thicker than its molecules by the range has no images of them within it. */
static enum rill_status search_slab(struct search *search, const struct division *division, size_t number,
                                    size_t molecules, const double box[3][3], struct rill_error *error) {
  const double share = 1 / (double)division->slabs + 2.01 * division->range;
  double around[3][3];
  struct slab slab = {0};
  enum rill_status status = RILL_OK;
  RILL_TRY(take_slab(division, number, search->positions, molecules, box, &slab, error));
  if (slab.count < 2) return RILL_OK;
  for (size_t i = 0; i < 3; i++)
    for (size_t c = 0; c < 3; c++) around[i][c] = box != NULL ? (i < 2 ? 1 : share) * box[i][c] : 0;
  slab.oxygens = rill_allocate(3 * slab.count, sizeof *slab.oxygens);
  slab.molecules = rill_allocate(slab.count, sizeof *slab.molecules);
  if (slab.oxygens == NULL || slab.molecules == NULL)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory to compare %zu molecules", slab.count);
  if (status == RILL_OK) status = take_slab(division, number, search->positions, molecules, box, &slab, error);
  search->molecules = slab.molecules;
  if (status == RILL_OK)
    status =
        search_points(search, slab.oxygens, 3, slab.count, box != NULL ? (const double(*)[3])around : NULL, error);
  search->molecules = NULL;
  rill_release(slab.oxygens);
  rill_release(slab.molecules);
  return status;
}

static enum rill_status search_to_range(struct search *search, size_t molecules, const double box[3][3],
                                        struct rill_error *error) {
  const struct division division = divide(search, molecules, box);
  if (division.slabs < 2) return search_points(search, search->positions, RILL_COORDINATES, molecules, box, error);
  for (size_t s = 0; s < division.slabs; s++) RILL_TRY(search_slab(search, &division, s, molecules, box, error));
  return RILL_OK;
}

enum rill_status rill_closest_contact(const double *positions, size_t molecules, const double box[3][3],
                                      enum rill_contact_sites sites, struct rill_contact *contact,
                                      struct rill_error *error) {
  const double beyond = sites == RILL_CONTACT_OXYGENS ? 0 : 2 * longest_bond(positions, molecules);
  struct search search = {.positions = positions,
                          .sites = sites == RILL_CONTACT_OXYGENS ? 1 : RILL_ATOMS,
                          .best = {.distance = INFINITY}};
  *contact = search.best;
  if (molecules < 2) return RILL_OK;
  if (molecules > UINT32_MAX / 2)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "%zu molecules; expected up to %u", molecules,
                          UINT32_MAX / 2);
  /* A contact is the closest if no molecules whose oxygens are beyond the range can have a closer one. */
  for (search.range = fmax(first_range, 2 * beyond);;) {
    double longest;
    RILL_TRY(search_to_range(&search, molecules, box, error));
    longest = sqrt(search.best.distance) + beyond;
    if (longest <= search.range) break;
    search.range = isfinite(longest) ? longest : 2 * search.range;
  }
  *contact = search.best;
  contact->distance = sqrt(contact->distance);
  return RILL_OK;
}

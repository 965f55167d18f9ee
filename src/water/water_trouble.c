#include "water/water_trouble.h"

#include <math.h>
#include <stdio.h>

#include "water/water_atoms.h"
#include "water/water_domain.h"

static size_t bad_molecule(const struct rill_water *water) {
  double worst = -1;
  size_t at = 0;
  for (size_t m = 0; m < water->molecules; m++) {
    double size = 0;
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      double moved = water->q[k * water->stride + m] - water->saved.q[k * water->stride + m];
      size += moved * moved;
    }
    if (!isfinite(size)) return m;
    if (size > worst) {
      worst = size;
      at = m;
    }
  }
  return at;
}

static double largest_force(const struct rill_water *water, size_t *molecule) {
  double largest = 0;
  *molecule = 0;
  for (size_t a = 0; a < RILL_ATOMS; a++)
    for (size_t m = 0; m < water->molecules; m++) {
      const double *f = water->f + 3 * a * water->stride + m;
      double size =
          sqrt(f[0] * f[0] + f[water->stride] * f[water->stride] + f[2 * water->stride] * f[2 * water->stride]);
      if (!(size <= largest)) {
        largest = size;
        *molecule = m;
      }
    }
  return largest;
}

enum rill_status rill_water_trouble(const struct rill_water *water, enum rill_status status, const char *what,
                                    struct rill_error *error) {
  size_t molecule, pushed, first = 0, second = 0;
  char here[32] = "";
  double force, nearest = INFINITY;
  const double *q = water->saved.q;
  rill_water_bodies_place_saved(water);
  molecule = bad_molecule(water);
  force = largest_force(water, &pushed);
  for (size_t i = 0; i < water->molecules && !water->options.periodic; i++)
    for (size_t j = i + 1; j < water->molecules; j++) {
      double d2 = 0;
      for (size_t c = 0; c < 3; c++) d2 += pow(q[c * water->stride + j] - q[c * water->stride + i], 2);
      if (d2 < nearest) {
        nearest = d2;
        first = i;
        second = j;
      }
    }
  if (water->domain != NULL) snprintf(here, sizeof here, " of rank %d", water->domain->ranks->rank);
  rill_error_set(error, status, "%s of molecule %zu; largest force%s %.3g kJ/mol/nm, on molecule %zu", what,
                 rill_water_number(water, molecule) + 1, here, force, rill_water_number(water, pushed) + 1);
  if (isfinite(nearest))
    rill_error_add(error, status, "nearest pair: molecules %zu and %zu, oxygens %.4f nm apart", first + 1, second + 1,
                   sqrt(nearest));
  return rill_error_add(error, status,
                        "usual remedies: a relaxed start (start.minimize = yes), a shorter step, a lower "
                        "start temperature");
}

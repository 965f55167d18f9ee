#include "water/water_momenta.h"

#include <string.h>

#include "numerics/mat3.h"
#include "water/water_atoms.h"
#include "water/water_domain.h"
#include "water/water_observe.h"

static void add_momenta(const struct rill_water *water, double p[3]) {
  const double *mass = water->options.model.mass;
  for (size_t m = 0; m < water->molecules; m++)
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t c = 0; c < 3; c++) p[c] += mass[a] * rill_water_coordinate(water, water->v, m, a, c);
}

/* The same sum as on one process: ranks have molecules in their order, and each continues the sum of the one before
 * it. */
static enum rill_status add_momenta_of_ranks(const struct rill_water *water, double p[3], struct rill_error *error) {
  struct rill_ranks *ranks = water->domain->ranks;
  size_t *out = water->domain->counts[0], *in = water->domain->counts[1];
  for (int r = 0; r < ranks->count; r++) {
    const int next = (r + 1) % ranks->count;
    double received[3];
    if (ranks->rank == r) add_momenta(water, p);
    for (int i = 0; i < ranks->count; i++) {
      out[i] = ranks->rank == r && i == next ? sizeof received : 0;
      in[i] = ranks->rank == next && i == r ? sizeof received : 0;
    }
    RILL_TRY(ranks->ops->transpose(ranks, p, out, received, in, error));
    if (ranks->rank == next) memcpy(p, received, sizeof received);
  }
  return ranks->ops->broadcast(ranks, p, 3 * sizeof *p, error);
}

enum rill_status rill_water_remove_linear(struct rill_water *water, struct rill_error *error) {
  const double total = rill_water_whole_mass(water);
  double p[3] = {0};
  if (water->domain == NULL) add_momenta(water, p);
  else RILL_TRY(add_momenta_of_ranks(water, p, error));
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < water->molecules; m++) water->v[k * water->stride + m] -= p[k % 3] / total;
  return RILL_OK;
}

enum rill_status rill_water_remove_angular(struct rill_water *water, struct rill_error *error) {
  double centre[3], l[3], inertia[3][3], inverse[3][3], omega[3] = {0};
  rill_water_momenta(water, NULL, centre, l, inertia, NULL);
  if (!rill_mat3_inverse(inertia, inverse))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the cluster's inertia is singular: its rotation cannot be removed");
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) omega[i] += inverse[i][j] * l[j];
  for (size_t m = 0; m < water->molecules; m++)
    for (size_t a = 0; a < RILL_ATOMS; a++) {
      double r[3];
      for (size_t c = 0; c < 3; c++) r[c] = water->q[(3 * a + c) * water->stride + m] - centre[c];
      for (size_t c = 0; c < 3; c++)
        water->v[(3 * a + c) * water->stride + m] -=
            omega[(c + 1) % 3] * r[(c + 2) % 3] - omega[(c + 2) % 3] * r[(c + 1) % 3];
    }
  return RILL_OK;
}

enum rill_status rill_water_stop_turning(struct rill_water *water, struct rill_error *error) {
  rill_water_bodies_follow(water);
  RILL_TRY(rill_water_remove_angular(water, error));
  rill_water_bodies_adopt(water);
  return RILL_OK;
}

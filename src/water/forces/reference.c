/* The plain loops: every pair of molecules, every pair of their charges. */
#include <math.h>

#include "water/forces/pairs.h"
#include "water/forces/plain.h"

/* c12/r12 - c6/r6; returns its force over r, and adds to *energy. */
static double lennard_jones(const struct rill_water_model *model, double r2, double *energy) {
  const double r6 = r2 * r2 * r2;
  *energy += (model->c12 / r6 - model->c6) / r6;
  return (12.0 * model->c12 / r6 - 6.0 * model->c6) / (r6 * r2);
}

/* Charge a of molecule i with charge b of j; between oxygens that are charged, Lennard-Jones too. */
static void meet_charges(const struct rill_plain *plain, size_t i, size_t j, size_t a, size_t b,
                         struct rill_water_energies *energies) {
  const struct rill_water_model *model = plain->model;
  const double charges = model->coulomb_constant * model->charge[a] * model->charge[b];
  double d[3], r2 = 0.0, r, force_over_r;
  for (size_t c = 0; c < 3; c++) {
    d[c] = rill_plain_charge(plain, i, a, c) - rill_plain_charge(plain, j, b, c);
    r2 += d[c] * d[c];
  }
  r = sqrt(r2);
  energies->coulomb += charges / r;
  force_over_r = charges / (r * r2);
  if (a == 0 && b == 0 && model->site_weight == 0.0) force_over_r += lennard_jones(model, r2, &energies->lj);
  energies->virial += force_over_r * r2;
  for (size_t c = 0; c < 3; c++) {
    rill_plain_push_charge(plain, i, a, c, force_over_r * d[c]);
    rill_plain_push_charge(plain, j, b, c, -force_over_r * d[c]);
  }
}

static void meet_oxygens(const struct rill_plain *plain, size_t i, size_t j, struct rill_water_energies *energies) {
  double d[3], r2 = 0.0, force_over_r;
  for (size_t c = 0; c < 3; c++) {
    d[c] = rill_plain_atom(plain, i, 0, c) - rill_plain_atom(plain, j, 0, c);
    r2 += d[c] * d[c];
  }
  force_over_r = lennard_jones(plain->model, r2, &energies->lj);
  energies->virial += force_over_r * r2;
  for (size_t c = 0; c < 3; c++) {
    rill_plain_push_atom(plain, i, 0, c, force_over_r * d[c]);
    rill_plain_push_atom(plain, j, 0, c, -force_over_r * d[c]);
  }
}

void rill_pairs_reference(const struct rill_water_model *model, size_t molecules, size_t stride, const double *q,
                          double *f, struct rill_water_energies *energies) {
  const struct rill_plain plain = {model, stride, q, f};
  struct rill_water_energies sums = {0};
  for (size_t k = 0; k < RILL_COORDINATES * stride; k++) f[k] = 0.0;
  for (size_t i = 0; i < molecules; i++)
    for (size_t j = i + 1; j < molecules; j++) {
      for (size_t a = 0; a < RILL_ATOMS; a++)
        for (size_t b = 0; b < RILL_ATOMS; b++) meet_charges(&plain, i, j, a, b, &sums);
      if (model->site_weight != 0.0) meet_oxygens(&plain, i, j, &sums);
    }
  if (energies != NULL) *energies = sums;
}

#include "water/forces/periodic_reference.h"

#include <math.h>

#include "water/forces/lennard_jones.h"
#include "water/forces/plain.h"
#include "water/forces/smooth.h"

static const double pi = 3.14159265358979323846;

struct plain {
  struct rill_plain atoms;
  const struct rill_periodic_options *options;
  struct rill_lennard_jones lj;
  struct rill_smooth smooth;
  struct rill_periodic_energies *energies;
};

/* Between unit charges: energy, and force over r, by the textbook formulae. */
static double coulomb_at(const struct plain *plain, double r, double *force_over_r) {
  const double beta = plain->options->beta;
  switch (plain->options->coulomb) {
  case RILL_COULOMB_EWALD:
    *force_over_r = erfc(beta * r) / (r * r * r) + 2.0 * beta / sqrt(pi) * exp(-beta * beta * r * r) / (r * r);
    return erfc(beta * r) / r;
  case RILL_COULOMB_REACTION_FIELD:
    *force_over_r = 1.0 / (r * r * r) - 2.0 * plain->smooth.field;
    return 1.0 / r + plain->smooth.field * r * r - plain->smooth.constant;
  case RILL_COULOMB_CUT:
  case RILL_COULOMB_ALL: break;
  }
  *force_over_r = 1.0 / (r * r * r);
  return 1.0 / r;
}

/* Lennard-Jones between oxygens that have no charge, d apart. */
static void meet_oxygens(struct plain *plain, size_t i, size_t j, const double d[3], double r2, double on_i[3]) {
  double force;
  plain->energies->lj += rill_lennard_jones_at(&plain->lj, sqrt(r2), &force);
  for (size_t c = 0; c < 3; c++) {
    rill_plain_push_atom(&plain->atoms, i, 0, c, force * d[c]);
    rill_plain_push_atom(&plain->atoms, j, 0, c, -force * d[c]);
    on_i[c] += force * d[c];
  }
}

/* Molecules i and j, with j displaced by a lattice vector. */
static void meet(struct plain *plain, size_t i, size_t j, const double shift[3]) {
  const struct rill_water_model *model = plain->atoms.model;
  const double total = model->mass[0] + model->mass[1] + model->mass[2];
  const double cutoff2 = plain->options->cutoff * plain->options->cutoff;
  double arm[3] = {0.0}, on_i[3] = {0.0}, between[3], between2 = 0.0;
  for (size_t c = 0; c < 3; c++) {
    between[c] = rill_plain_atom(&plain->atoms, i, 0, c) - (rill_plain_atom(&plain->atoms, j, 0, c) + shift[c]);
    between2 += pow(between[c], 2.0);
    for (size_t a = 0; a < RILL_ATOMS; a++)
      arm[c] += model->mass[a] / total *
                (rill_plain_atom(&plain->atoms, i, a, c) - rill_plain_atom(&plain->atoms, j, a, c));
    arm[c] -= shift[c];
  }
  for (size_t a = 0; a < RILL_ATOMS; a++)
    for (size_t b = 0; b < RILL_ATOMS; b++) {
      const double charges = model->coulomb_constant * model->charge[a] * model->charge[b];
      double d[3], r2 = 0.0, r, force;
      for (size_t c = 0; c < 3; c++) {
        d[c] = rill_plain_charge(&plain->atoms, i, a, c) - (rill_plain_charge(&plain->atoms, j, b, c) + shift[c]);
        r2 += d[c] * d[c];
      }
      r = sqrt(r2);
      if (!((plain->options->by_atom ? r2 : between2) < cutoff2)) continue;
      plain->energies->coulomb += charges * coulomb_at(plain, r, &force);
      force *= charges;
      if (a == 0 && b == 0 && model->site_weight == 0.0) {
        double lj_force;
        plain->energies->lj += rill_lennard_jones_at(&plain->lj, r, &lj_force);
        force += lj_force;
      }
      for (size_t c = 0; c < 3; c++) {
        rill_plain_push_charge(&plain->atoms, i, a, c, force * d[c]);
        rill_plain_push_charge(&plain->atoms, j, b, c, -force * d[c]);
        on_i[c] += force * d[c];
      }
    }
  if (model->site_weight != 0.0 && between2 < cutoff2) meet_oxygens(plain, i, j, between, between2, on_i);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) plain->energies->virial[row][column] += arm[row] * on_i[column];
}

static struct plain prepare(const struct rill_water_model *model, const struct rill_periodic_options *options,
                            size_t stride, const double *q, double *f, struct rill_periodic_energies *energies) {
  return (struct plain){
      .atoms = {model, stride, q, f},
      .options = options,
      .lj = rill_lennard_jones_create(model, options->lj, options->cutoff, options->switch_from),
      .smooth = rill_smooth_create(options->coulomb, options->beta, options->cutoff, options->dielectric),
      .energies = energies};
}

void rill_periodic_reference_marked(const struct rill_water_model *model, const struct rill_periodic_options *options,
                                    size_t molecules, size_t stride, const unsigned char *marked, const double *q,
                                    double *f, struct rill_periodic_energies *energies) {
  static const double nowhere[3] = {0.0};
  struct plain plain = prepare(model, options, stride, q, f, energies);
  for (size_t i = 0; i < molecules; i++)
    for (size_t j = 0; marked[i] && j < molecules; j++)
      if (j > i || !marked[j]) meet(&plain, i, j, nowhere);
}

void rill_periodic_reference(const struct rill_water_model *model, const struct rill_cell *box,
                             const struct rill_periodic_options *options, size_t molecules, size_t stride,
                             const double *q, double *f, struct rill_periodic_energies *energies) {
  static const double nowhere[3] = {0.0};
  struct plain plain = prepare(model, options, stride, q, f, energies);
  /* Oxygens of molecules that have a pair of atoms within the cutoff are at most this far apart. */
  const double reach = options->cutoff + (options->by_atom ? 3.0 * fmax(model->bond[0], model->bond[1]) : 0.0);
  for (size_t i = 0; i < molecules; i++)
    for (size_t j = i; j < molecules; j++) {
      double d[3], f0[3];
      int low[3], high[3];
      if (options->open) {
        if (j > i) meet(&plain, i, j, nowhere);
        continue;
      }
      for (size_t c = 0; c < 3; c++)
        d[c] = rill_plain_atom(&plain.atoms, j, 0, c) - rill_plain_atom(&plain.atoms, i, 0, c);
      rill_cell_fractions(box, d, f0);
      for (int c = 0; c < 3; c++) {
        const double width = reach / box->height[c];
        low[c] = (int)ceil(-width - f0[c] - 1e-9);
        high[c] = (int)floor(width - f0[c] + 1e-9);
      }
      for (int a = low[0]; a <= high[0]; a++)
        for (int b = low[1]; b <= high[1]; b++)
          for (int c = low[2]; c <= high[2]; c++) {
            double shift[3];
            /* a molecule and its own images: each pair of images once */
            if (i == j && !(c > 0 || (c == 0 && (b > 0 || (b == 0 && a > 0))))) continue;
            for (int k = 0; k < 3; k++)
              shift[k] = a * box->vector[0][k] + b * box->vector[1][k] + c * box->vector[2][k];
            meet(&plain, i, j, shift);
          }
    }
}

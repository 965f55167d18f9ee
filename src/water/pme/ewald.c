#include "water/pme/ewald.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "water/model/site.h"
#include "water/pme/lattice.h"

/* The state of one sum. */
struct ewald {
  const struct rill_water_model *model;
  const struct rill_ewald_parameters *parameters;
  struct rill_lattice lattice;
  size_t molecules;
  struct rill_positions q;
  double site_weight; /* of the oxygens of q, which are to be moved to the sites; 0: not */
  double *f;
  size_t stride; /* of f */
  struct rill_ewald_energies *energies;
};

static double *row(double *data, const struct ewald *ewald, size_t a, size_t c) {
  return data + (3 * a + c) * ewald->stride;
}

static double at(const struct ewald *ewald, size_t a, size_t c, size_t m) {
  const struct rill_positions *q = &ewald->q;
  const double x = rill_position(q, m, 3 * a + c), weight = ewald->site_weight;
  if (weight == 0.0 || a > 0) return x;
  return (1.0 - 2.0 * weight) * x + weight * (rill_position(q, m, 3 + c) + rill_position(q, m, 6 + c));
}

/* Adds a pair's force, force_over_r d, to atom a of molecule i and its opposite to b of j, and its virial. */
static void add_pair(struct ewald *ewald, size_t a, size_t i, size_t b, size_t j, const double d[3],
                     double force_over_r) {
  for (size_t c = 0; c < 3; c++) {
    row(ewald->f, ewald, a, c)[i] += force_over_r * d[c];
    row(ewald->f, ewald, b, c)[j] -= force_over_r * d[c];
    for (size_t e = 0; e < 3; e++) ewald->energies->virial_atomic[c][e] += force_over_r * d[c] * d[e];
  }
}

/* The atoms of molecule i with those of j moved by shift; half: i with its own image, a pair that is counted a second
 * time from the other side. */
static void meet(struct ewald *ewald, size_t i, size_t j, const double shift[3], double factor) {
  const double beta = ewald->parameters->beta, cutoff = ewald->parameters->real_cutoff;
  for (size_t a = 0; a < RILL_ATOMS; a++)
    for (size_t b = 0; b < RILL_ATOMS; b++) {
      const double charges =
          factor * ewald->model->coulomb_constant * ewald->model->charge[a] * ewald->model->charge[b];
      double d[3], r2 = 0.0, r, screened, gauss;
      for (size_t c = 0; c < 3; c++) {
        d[c] = at(ewald, a, c, i) - at(ewald, b, c, j) - shift[c];
        r2 += d[c] * d[c];
      }
      if (r2 >= cutoff * cutoff) continue;
      r = sqrt(r2);
      screened = erfc(beta * r) / r;
      gauss = beta * M_2_SQRTPI * exp(-beta * beta * r2);
      ewald->energies->real += charges * screened;
      add_pair(ewald, a, i, b, j, d, charges * (screened + gauss) / r2);
    }
}

/* Adds every pair of molecules at every image that can be within the cutoff. */
static void add_real(struct ewald *ewald) {
  const double(*box)[3] = (const double(*)[3])ewald->lattice.box;
  const double *bond = ewald->model->bond;
  const double reach = ewald->parameters->real_cutoff + 3.0 * fmax(bond[0], bond[1]);
  for (size_t i = 0; i < ewald->molecules; i++)
    for (size_t j = i; j < ewald->molecules; j++) {
      double d[3];
      for (size_t c = 0; c < 3; c++) d[c] = at(ewald, 0, c, i) - at(ewald, 0, c, j);
      for (double w = ceil((d[2] - reach) / box[2][2]); w <= floor((d[2] + reach) / box[2][2]); w++) {
        const double dy = d[1] - w * box[2][1];
        for (double v = ceil((dy - reach) / box[1][1]); v <= floor((dy + reach) / box[1][1]); v++) {
          const double dx = d[0] - w * box[2][0] - v * box[1][0];
          for (double u = ceil((dx - reach) / box[0][0]); u <= floor((dx + reach) / box[0][0]); u++) {
            const double shift[3] = {u * box[0][0] + v * box[1][0] + w * box[2][0], v * box[1][1] + w * box[2][1],
                                     w * box[2][2]};
            const double x = d[0] - shift[0], y = d[1] - shift[1], z = d[2] - shift[2];
            if (x * x + y * y + z * z > reach * reach) continue;
            if (i != j) meet(ewald, i, j, shift, 1.0);
            else if (u != 0 || v != 0 || w != 0) meet(ewald, i, i, shift, 0.5);
          }
        }
      }
    }
}

static void add_self_and_excluded(struct ewald *ewald) {
  const double beta = ewald->parameters->beta, k = ewald->model->coulomb_constant;
  const double *charge = ewald->model->charge;
  for (size_t a = 0; a < RILL_ATOMS; a++)
    ewald->energies->self -= (double)ewald->molecules * k * charge[a] * charge[a] * beta * 0.5 * M_2_SQRTPI;
  for (size_t m = 0; m < ewald->molecules; m++)
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t b = a + 1; b < RILL_ATOMS; b++) {
        double d[3], r2 = 0.0, r;
        for (size_t c = 0; c < 3; c++) {
          d[c] = at(ewald, a, c, m) - at(ewald, b, c, m);
          r2 += d[c] * d[c];
        }
        r = sqrt(r2);
        ewald->energies->excluded -= k * charge[a] * charge[b] * erf(beta * r) / r;
        add_pair(ewald, a, m, b, m, d,
                 -k * charge[a] * charge[b] * (erf(beta * r) / r - beta * M_2_SQRTPI * exp(-beta * beta * r2)) / r2);
      }
}

/* Complex numbers of all atoms: real parts, then imaginary parts. */
struct waves {
  double *re, *im;
};

/* exp(2 pi i h s) for h = 0 ... top along one axis, each [atoms]. */
static void find_powers(const struct ewald *ewald, size_t axis, size_t top, struct waves powers) {
  const size_t n = ewald->molecules, atoms = RILL_ATOMS * n;
  for (size_t a = 0; a < RILL_ATOMS; a++)
    for (size_t m = 0; m < n; m++) {
      double s = 0.0;
      for (size_t c = axis; c < 3; c++) s += at(ewald, a, c, m) * ewald->lattice.inverse[c][axis];
      s -= floor(s);
      /* Each from its own angle: a recurrence would accumulate rounding errors. */
      for (size_t h = 0; h <= top; h++) {
        double turns = s * (double)h;
        turns -= floor(turns);
        powers.re[h * atoms + a * n + m] = cos(2.0 * M_PI * turns);
        powers.im[h * atoms + a * n + m] = sin(2.0 * M_PI * turns);
      }
    }
}

/* product = a times the power h of one axis; a negative h takes the conjugate. */
static void multiply(size_t atoms, const struct waves *a, const struct waves *powers, long h, struct waves *product) {
  const size_t from = (size_t)labs(h) * atoms;
  const double sign = h < 0 ? -1.0 : 1.0;
  const double *restrict pre = powers->re + from, *restrict pim = powers->im + from;
  const double *restrict are = a->re, *restrict aim = a->im;
  double *restrict re = product->re, *restrict im = product->im;
  for (size_t n = 0; n < atoms; n++) {
    re[n] = are[n] * pre[n] - sign * aim[n] * pim[n];
    im[n] = sign * are[n] * pim[n] + aim[n] * pre[n];
  }
}

/* Adds one wave vector, for its opposite too: q exp(2 pi i m r) of all atoms in `wave`. */
static void add_wave(struct ewald *ewald, const double m[3], double m2, const struct waves *wave) {
  const size_t n = ewald->molecules, atoms = RILL_ATOMS * n;
  const double decay = M_PI * M_PI / (ewald->parameters->beta * ewald->parameters->beta);
  const double influence =
      2.0 * ewald->model->coulomb_constant / (2.0 * M_PI * ewald->lattice.volume) * exp(-decay * m2) / m2;
  const double *restrict wre = wave->re, *restrict wim = wave->im;
  double re = 0.0, im = 0.0, energy;
  for (size_t k = 0; k < atoms; k++) {
    re += wre[k];
    im += wim[k];
  }
  energy = influence * (re * re + im * im);
  ewald->energies->reciprocal += energy;
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++)
      ewald->energies->virial_atomic[i][j] +=
          energy * ((i == j ? 1.0 : 0.0) - 2.0 * (1.0 / m2 + decay) * m[i] * m[j]);
  for (size_t a = 0; a < RILL_ATOMS; a++) {
    double *restrict fx = row(ewald->f, ewald, a, 0), *restrict fy = row(ewald->f, ewald, a, 1);
    double *restrict fz = row(ewald->f, ewald, a, 2);
    const double *restrict are = wre + a * n, *restrict aim = wim + a * n;
    for (size_t k = 0; k < n; k++) {
      const double slope = 4.0 * M_PI * influence * (re * aim[k] - im * are[k]);
      fx[k] += slope * m[0];
      fy[k] += slope * m[1];
      fz[k] += slope * m[2];
    }
  }
}

/* Takes the next `count` rows of the workspace. */
static struct waves take(double **workspace, size_t atoms, size_t count) {
  const struct waves taken = {*workspace, *workspace + count * atoms};
  *workspace += 2 * count * atoms;
  return taken;
}

/* Over the half space h > 0, or h = 0 and k > 0, or h = k = 0 and l > 0. */
static enum rill_status add_reciprocal(struct ewald *ewald, struct rill_error *error) {
  const size_t atoms = RILL_ATOMS * ewald->molecules;
  const double limit = ewald->parameters->wave_cutoff, (*inverse)[3] = (const double(*)[3])ewald->lattice.inverse;
  struct waves powers[3], charges, plane, line, wave;
  double *memory, *workspace;
  size_t rows = 4;
  long top[3];
  /* |h| = |m . a| <= |m| |a|. */
  for (size_t i = 0; i < 3; i++) {
    const double *v = ewald->lattice.box[i];
    top[i] = (long)floor(limit * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    rows += (size_t)top[i] + 1;
  }
  memory = workspace = rill_allocate(2 * rows * atoms, sizeof *memory);
  if (memory == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the Ewald sum of %zu molecules", ewald->molecules);
  charges = take(&workspace, atoms, 1);
  plane = take(&workspace, atoms, 1);
  line = take(&workspace, atoms, 1);
  wave = take(&workspace, atoms, 1);
  for (size_t i = 0; i < 3; i++) {
    powers[i] = take(&workspace, atoms, (size_t)top[i] + 1);
    find_powers(ewald, i, (size_t)top[i], powers[i]);
  }
  for (size_t k = 0; k < atoms; k++) charges.re[k] = ewald->model->charge[k / ewald->molecules];
  for (long h = 0; h <= top[0]; h++) {
    multiply(atoms, &charges, &powers[0], h, &plane);
    for (long k = h == 0 ? 0 : -top[1]; k <= top[1]; k++) {
      multiply(atoms, &plane, &powers[1], k, &line);
      for (long l = h == 0 && k == 0 ? 1 : -top[2]; l <= top[2]; l++) {
        double m[3], m2 = 0.0;
        for (size_t c = 0; c < 3; c++) {
          m[c] = (double)h * inverse[c][0] + (double)k * inverse[c][1] + (double)l * inverse[c][2];
          m2 += m[c] * m[c];
        }
        if (m2 > limit * limit) continue;
        multiply(atoms, &line, &powers[2], l, &wave);
        add_wave(ewald, m, m2, &wave);
      }
    }
  }
  rill_release(memory);
  return RILL_OK;
}

struct rill_ewald_parameters rill_ewald_choose(const double box[3][3], size_t molecules, double tolerance) {
  /* erfc(x) and exp(-x2) reach the tolerance at x.  The real part has about N density r3 pairs, the waves N V m3
   * terms. */
  const double volume = box[0][0] * box[1][1] * box[2][2], x = sqrt(-log(tolerance));
  /* A pair of molecules costs about as much as six (atom, wave) terms for each of its nine pairs of atoms. */
  const double beta = cbrt(sqrt(54.0 * (double)molecules)) * sqrt(M_PI) / cbrt(volume) * 0.75;
  return (struct rill_ewald_parameters){.beta = beta, .real_cutoff = x / beta, .wave_cutoff = x * beta / M_PI};
}

/* Whose atoms are its charges. */
static enum rill_status evaluate_charges(const struct rill_water_model *model, size_t molecules, size_t stride,
                                         const double box[3][3], const struct rill_ewald_parameters *parameters,
                                         const double *q, double *f, struct rill_ewald_energies *energies,
                                         struct rill_error *error) {
  struct ewald ewald = {.model = model,
                        .parameters = parameters,
                        .molecules = molecules,
                        .q = rill_positions_in_columns(q, stride),
                        .f = f,
                        .stride = stride,
                        .energies = energies};
  RILL_TRY(rill_lattice_find(model, box, &ewald.lattice, error));
  if (!(parameters->beta > 0.0) || !(parameters->real_cutoff > 0.0) || !(parameters->wave_cutoff > 0.0))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "Ewald sum with beta %g /nm, cutoffs %g nm and %g /nm; expected positive numbers",
                          parameters->beta, parameters->real_cutoff, parameters->wave_cutoff);
  memset(f, 0, RILL_COORDINATES * stride * sizeof *f);
  memset(energies, 0, sizeof *energies);
  add_real(&ewald);
  add_self_and_excluded(&ewald);
  RILL_TRY(add_reciprocal(&ewald, error));
  energies->total = energies->real + energies->reciprocal + energies->self + energies->excluded;
  rill_virial_of_molecules(model, molecules, stride, q, f, (const double(*)[3])energies->virial_atomic,
                           energies->virial_molecular);
  return RILL_OK;
}

/* The positions of the charges, which the caller releases; NULL without memory. */
static double *place_charges(const struct rill_water_model *model, size_t molecules, size_t stride, const double *q,
                             struct rill_error *error) {
  double *charges = rill_allocate(RILL_COORDINATES * stride, sizeof *charges);
  if (charges == NULL)
    rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the charges of %zu molecules", molecules);
  else rill_site_place(model->site_weight, stride, 0, molecules, q, charges);
  return charges;
}

enum rill_status rill_ewald_evaluate(const struct rill_water_model *model, size_t molecules, size_t stride,
                                     const double box[3][3], const struct rill_ewald_parameters *parameters,
                                     const double *q, double *f, struct rill_ewald_energies *energies,
                                     struct rill_error *error) {
  const struct rill_water_model charges = rill_water_charges(model);
  enum rill_status status;
  double *x;
  if (model->site_weight == 0.0)
    return evaluate_charges(model, molecules, stride, box, parameters, q, f, energies, error);
  x = place_charges(model, molecules, stride, q, error);
  if (x == NULL) return RILL_ERROR_MEMORY;
  status = evaluate_charges(&charges, molecules, stride, box, parameters, x, f, energies, error);
  if (status == RILL_OK) rill_site_spread(model->site_weight, stride, 0, molecules, f);
  rill_release(x);
  return status;
}

/* ---- a sample ---- */

struct wave_vector {
  double m[3], influence, re, im;
};

/* Atoms are processed in blocks, which stay in the cache for all waves, and blocks in parts, which are added in
 * order. */
enum { SAMPLE_BLOCK = 64, SAMPLE_PARTS = 8 };

/* Computes exp(2 pi i h s) of a block for h = 0 ... top, [top + 1][SAMPLE_BLOCK]. */
static void find_block_powers(const double *s, size_t top, double *re, double *im) {
  for (size_t k = 0; k < SAMPLE_BLOCK; k++) {
    const double c = cos(2.0 * M_PI * s[k]), d = sin(2.0 * M_PI * s[k]);
    re[k] = 1.0;
    im[k] = 0.0;
    for (size_t h = 1; h <= top; h++) {
      const double *r = re + (h - 1) * SAMPLE_BLOCK, *i = im + (h - 1) * SAMPLE_BLOCK;
      re[h * SAMPLE_BLOCK + k] = r[k] * c - i[k] * d;
      im[h * SAMPLE_BLOCK + k] = r[k] * d + i[k] * c;
    }
  }
}

/* The loop over the waves of the half space, in the order that the functions below share. */
#define FOR_WAVES(top, h, k, l)                                                                                      \
  for (long h = 0; h <= (top)[0]; h++)                                                                               \
    for (long k = h == 0 ? 0 : -(top)[1]; k <= (top)[1]; k++)                                                        \
      for (long l = h == 0 && k == 0 ? 1 : -(top)[2]; l <= (top)[2]; l++)

/* Adds a block of atoms to the waves' sums, [waves][2]. */
static void add_block(const struct ewald *ewald, const long top[3], double limit, size_t first, size_t end,
                      double *powers, double *sums) {
  const double(*inverse)[3] = (const double(*)[3])ewald->lattice.inverse;
  const size_t atoms = RILL_ATOMS * ewald->molecules;
  double *re[3], *im[3], charge[SAMPLE_BLOCK], line_re[SAMPLE_BLOCK], line_im[SAMPLE_BLOCK];
  size_t wave = 0;
  long of_h = -1, of_k = 0;
  for (size_t axis = 0; axis < 3; axis++) {
    double s[SAMPLE_BLOCK] = {0.0};
    for (size_t n = first; n < end; n++) {
      for (size_t c = axis; c < 3; c++)
        s[n - first] += at(ewald, n / ewald->molecules, c, n % ewald->molecules) * inverse[c][axis];
      s[n - first] -= floor(s[n - first]);
    }
    re[axis] = powers;
    im[axis] = powers + (size_t)(top[axis] + 1) * SAMPLE_BLOCK;
    powers += 2 * (size_t)(top[axis] + 1) * SAMPLE_BLOCK;
    find_block_powers(s, (size_t)top[axis], re[axis], im[axis]);
  }
  for (size_t n = first; n < first + SAMPLE_BLOCK; n++)
    charge[n - first] = n < end && n < atoms ? ewald->model->charge[n / ewald->molecules] : 0.0;
  FOR_WAVES(top, h, k, l) {
    double m2 = 0.0, sum_re = 0.0, sum_im = 0.0;
    for (size_t c = 0; c < 3; c++) {
      const double m = (double)h * inverse[c][0] + (double)k * inverse[c][1] + (double)l * inverse[c][2];
      m2 += m * m;
    }
    if (m2 > limit * limit) continue;
    if (h != of_h || k != of_k) {
      const double *a = re[0] + h * SAMPLE_BLOCK, *b = im[0] + h * SAMPLE_BLOCK;
      const double *c = re[1] + labs(k) * SAMPLE_BLOCK, *d = im[1] + labs(k) * SAMPLE_BLOCK,
                   sign = k < 0 ? -1.0 : 1.0;
      for (size_t n = 0; n < SAMPLE_BLOCK; n++) {
        line_re[n] = charge[n] * (a[n] * c[n] - sign * b[n] * d[n]);
        line_im[n] = charge[n] * (sign * a[n] * d[n] + b[n] * c[n]);
      }
      of_h = h;
      of_k = k;
    }
    {
      const double *c = re[2] + labs(l) * SAMPLE_BLOCK, *d = im[2] + labs(l) * SAMPLE_BLOCK,
                   sign = l < 0 ? -1.0 : 1.0;
      double part_re[4] = {0.0}, part_im[4] = {0.0};
      for (size_t n = 0; n < SAMPLE_BLOCK; n += 4)
        for (size_t e = 0; e < 4; e++) {
          part_re[e] += line_re[n + e] * c[n + e] - sign * line_im[n + e] * d[n + e];
          part_im[e] += sign * line_re[n + e] * d[n + e] + line_im[n + e] * c[n + e];
        }
      sum_re = (part_re[0] + part_re[1]) + (part_re[2] + part_re[3]);
      sum_im = (part_im[0] + part_im[1]) + (part_im[2] + part_im[3]);
    }
    sums[2 * wave] += sum_re;
    sums[2 * wave++ + 1] += sum_im;
  }
}

/* Returns all waves and their sums over atoms; *count: their number.  NULL if memory is exhausted. */
static struct wave_vector *find_sums(const struct ewald *ewald, int threads, size_t *count) {
  const double limit = ewald->parameters->wave_cutoff, (*inverse)[3] = (const double(*)[3])ewald->lattice.inverse;
  const double decay = M_PI * M_PI / (ewald->parameters->beta * ewald->parameters->beta);
  const size_t atoms = RILL_ATOMS * ewald->molecules, blocks = (atoms + SAMPLE_BLOCK - 1) / SAMPLE_BLOCK;
  struct wave_vector *waves = NULL;
  double *sums, *powers;
  size_t power_rows = 0, used = 0;
  long top[3];
  *count = 0;
  for (size_t i = 0; i < 3; i++) {
    const double *v = ewald->lattice.box[i];
    top[i] = (long)floor(limit * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    power_rows += 2 * (size_t)(top[i] + 1);
  }
  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1 && (waves = rill_allocate(used, sizeof *waves)) == NULL) return NULL;
    used = 0;
    FOR_WAVES(top, h, k, l) {
      struct wave_vector wave = {{0.0}, 0.0, 0.0, 0.0};
      double m2 = 0.0;
      for (size_t c = 0; c < 3; c++) {
        wave.m[c] = (double)h * inverse[c][0] + (double)k * inverse[c][1] + (double)l * inverse[c][2];
        m2 += wave.m[c] * wave.m[c];
      }
      if (m2 > limit * limit) continue;
      wave.influence = ewald->model->coulomb_constant / (M_PI * ewald->lattice.volume) * exp(-decay * m2) / m2;
      if (pass == 1) waves[used] = wave;
      used++;
    }
  }
  sums = rill_allocate(SAMPLE_PARTS * 2 * used, sizeof *sums);
  powers = rill_allocate(SAMPLE_PARTS * power_rows * SAMPLE_BLOCK, sizeof *powers);
  if (sums == NULL || powers == NULL) {
    rill_release(sums);
    rill_release(powers);
    rill_release(waves);
    return NULL;
  }
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (size_t part = 0; part < SAMPLE_PARTS; part++)
    for (size_t b = blocks * part / SAMPLE_PARTS; b < blocks * (part + 1) / SAMPLE_PARTS; b++)
      add_block(ewald, top, limit, b * SAMPLE_BLOCK, b + 1 < blocks ? (b + 1) * SAMPLE_BLOCK : atoms,
                powers + part * power_rows * SAMPLE_BLOCK, sums + part * 2 * used);
  for (size_t part = 0; part < SAMPLE_PARTS; part++)
    for (size_t w = 0; w < used; w++) {
      waves[w].re += sums[2 * (part * used + w)];
      waves[w].im += sums[2 * (part * used + w) + 1];
    }
  rill_release(sums);
  rill_release(powers);
  *count = used;
  return waves;
}

/* Returns the molecule's energy in the waves. */
static double add_waves_to(const struct ewald *ewald, const struct wave_vector *waves, size_t count, size_t molecule,
                           double f[9]) {
  double energy = 0.0;
  for (size_t a = 0; a < RILL_ATOMS; a++)
    for (size_t w = 0; w < count; w++) {
      const double strength = waves[w].influence * ewald->model->charge[a];
      double turns = 0.0, sine, cosine, slope;
      for (size_t c = 0; c < 3; c++) turns += waves[w].m[c] * at(ewald, a, c, molecule);
      turns -= floor(turns);
      sine = sin(2.0 * M_PI * turns);
      cosine = cos(2.0 * M_PI * turns);
      energy += strength * (waves[w].re * cosine + waves[w].im * sine);
      slope = 4.0 * M_PI * strength * (waves[w].re * sine - waves[w].im * cosine);
      for (size_t c = 0; c < 3; c++) f[3 * a + c] += slope * waves[w].m[c];
    }
  return energy;
}

/* Adds real-space pairs of molecule i with j at one shift; those of i with itself at no shift are the excluded ones.
 * Returns half their energy. */
static double meet_one(const struct ewald *ewald, size_t i, size_t j, const double shift[3], int excluded,
                       double f[9]) {
  const double beta = ewald->parameters->beta, cutoff = ewald->parameters->real_cutoff;
  double energy = 0.0;
  for (size_t a = 0; a < RILL_ATOMS; a++)
    for (size_t b = 0; b < RILL_ATOMS; b++) {
      const double charges = ewald->model->coulomb_constant * ewald->model->charge[a] * ewald->model->charge[b];
      double d[3], r2 = 0.0, r, gauss, potential, force;
      for (size_t c = 0; c < 3; c++) {
        d[c] = at(ewald, a, c, i) - at(ewald, b, c, j) - shift[c];
        r2 += d[c] * d[c];
      }
      if ((excluded && a == b) || r2 >= cutoff * cutoff) continue;
      r = sqrt(r2);
      gauss = beta * M_2_SQRTPI * exp(-beta * beta * r2);
      potential = excluded ? -erf(beta * r) / r : erfc(beta * r) / r;
      energy += 0.5 * charges * potential;
      force = charges * (gauss + potential) / r2;
      for (size_t c = 0; c < 3; c++) f[3 * a + c] += force * d[c];
    }
  return energy;
}

static double add_pairs_to(const struct ewald *ewald, size_t i, double f[9]) {
  const double(*box)[3] = (const double(*)[3])ewald->lattice.box, *bond = ewald->model->bond;
  const double reach = ewald->parameters->real_cutoff + 3.0 * fmax(bond[0], bond[1]);
  double energy = 0.0;
  for (size_t j = 0; j < ewald->molecules; j++) {
    double d[3];
    for (size_t c = 0; c < 3; c++) d[c] = at(ewald, 0, c, i) - at(ewald, 0, c, j);
    for (double w = ceil((d[2] - reach) / box[2][2]); w <= floor((d[2] + reach) / box[2][2]); w++) {
      const double dy = d[1] - w * box[2][1];
      for (double v = ceil((dy - reach) / box[1][1]); v <= floor((dy + reach) / box[1][1]); v++) {
        const double dx = d[0] - w * box[2][0] - v * box[1][0];
        for (double u = ceil((dx - reach) / box[0][0]); u <= floor((dx + reach) / box[0][0]); u++) {
          const double shift[3] = {u * box[0][0] + v * box[1][0] + w * box[2][0], v * box[1][1] + w * box[2][1],
                                   w * box[2][2]};
          const double x = d[0] - shift[0], y = d[1] - shift[1], z = d[2] - shift[2];
          if (x * x + y * y + z * z <= reach * reach)
            energy += meet_one(ewald, i, j, shift, i == j && u == 0 && v == 0 && w == 0, f);
        }
      }
    }
  }
  return energy;
}

static double self_energy(const struct rill_water_model *model, double beta) {
  double sum = 0.0;
  for (size_t a = 0; a < RILL_ATOMS; a++)
    sum -= model->coulomb_constant * model->charge[a] * model->charge[a] * beta * 0.5 * M_2_SQRTPI;
  return sum;
}

enum rill_status rill_ewald_sample(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                   double tolerance, const struct rill_positions *q, const size_t *sample,
                                   size_t count, int threads, double *f, double *energies, struct rill_error *error) {
  const struct rill_water_model charged = rill_water_charges(model);
  /* erfc(x) and exp(-x2) reach the tolerance at x.  A pair of the sample's atoms takes as long as 15 (wave, atom)
   * terms. */
  const double x = sqrt(-log(tolerance)), volume = box[0][0] * box[1][1] * box[2][2];
  const double pairs = 15.0 * 9.0 * (double)count * (double)molecules / volume;
  const double waves = 0.5 * 3.0 * (double)molecules * volume / pow(M_PI, 3.0);
  const double beta = pow(pairs / waves, 1.0 / 6.0);
  const struct rill_ewald_parameters parameters = {beta, x / beta, x * beta / M_PI};
  struct ewald ewald = {.model = &charged,
                        .parameters = &parameters,
                        .molecules = molecules,
                        .q = *q,
                        .site_weight = model->site_weight};
  struct wave_vector *vectors;
  size_t vector_count;
  RILL_TRY(rill_lattice_find(&charged, box, &ewald.lattice, error));
  vectors = find_sums(&ewald, threads, &vector_count);
  if (vectors == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the Ewald sum of %zu molecules", molecules);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (size_t k = 0; k < count; k++) {
    double sum[9] = {0.0};
    energies[k] = self_energy(&charged, beta) + add_pairs_to(&ewald, sample[k], sum);
    energies[k] += add_waves_to(&ewald, vectors, vector_count, sample[k], sum);
    memcpy(f + 9 * k, sum, sizeof sum);
  }
  for (size_t k = 0; k < count && model->site_weight != 0.0; k++)
    rill_site_spread(model->site_weight, 1, 0, 1, f + 9 * k);
  rill_release(vectors);
  return RILL_OK;
}

double rill_force_error(size_t molecules, size_t stride, const double *f, const double *judge) {
  double difference2 = 0.0, norm2 = 0.0;
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < molecules; m++) {
      const double d = f[k * stride + m] - judge[k * stride + m];
      difference2 += d * d;
      norm2 += judge[k * stride + m] * judge[k * stride + m];
    }
  return sqrt(difference2 / norm2);
}

#include "water/water_accuracy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/units.h"
#include "water/forces/lennard_jones.h"
#include "water/cell.h"
#include "water/pme/accuracy.h"
#include "water/pme/ewald.h"

double rill_force_floor(void) { return RILL_GAS_CONSTANT * 300.0; }

/* Range of the accuracies that can be requested. */
static const double finest = 1e-10, coarsest = 1e-2;

/* Below this fraction of the liquid's force, the first mesh is chosen for the actual forces. */
static const double unlike_liquid = 0.5;

/* ---- the reference forces ---- */

struct judge {
  const struct rill_water_model *model;
  const struct rill_field_options *field; /* provides cutoff, Lennard-Jones and box */
  size_t molecules, count;
  struct rill_positions q;
  size_t *sample;   /* [count] */
  double *forces;   /* [count][9] */
  double *energies; /* [count]: shares of the Coulomb energy */
  double rms_force, scale;
};

/* Sample sizes that determine the error to within a few hundredths; smaller for larger boxes. */
static size_t sample_size(size_t molecules) {
  const size_t most = molecules <= 10000 ? 256 : molecules <= 100000 ? 64 : 16;
  return molecules < most ? molecules : most;
}

/* The oxygen of molecule i with all others and their images. */
static void add_lennard_jones(const struct judge *judge, const struct rill_cell *box,
                              const struct rill_lennard_jones *lj, size_t i, double f[3]) {
  const struct rill_positions *q = &judge->q;
  for (size_t j = 0; j < judge->molecules; j++) {
    double d[3], fraction[3], low[3], high[3], force;
    for (size_t c = 0; c < 3; c++) d[c] = rill_position(q, i, c) - rill_position(q, j, c);
    rill_cell_fractions(box, d, fraction);
    for (int c = 0; c < 3; c++) {
      low[c] = ceil(fraction[c] - lj->cutoff / box->height[c]);
      high[c] = floor(fraction[c] + lj->cutoff / box->height[c]);
    }
    for (double u = low[0]; u <= high[0]; u++)
      for (double v = low[1]; v <= high[1]; v++)
        for (double w = low[2]; w <= high[2]; w++) {
          double x[3], r2 = 0.0;
          for (int c = 0; c < 3; c++) {
            x[c] = d[c] - u * box->vector[0][c] - v * box->vector[1][c] - w * box->vector[2][c];
            r2 += x[c] * x[c];
          }
          if (r2 >= lj->cutoff * lj->cutoff || (i == j && u == 0 && v == 0 && w == 0)) continue;
          (void)rill_lennard_jones_at(lj, sqrt(r2), &force);
          for (int c = 0; c < 3; c++) f[c] += force * x[c];
        }
  }
}

static enum rill_status find_forces(struct judge *judge, double tolerance, struct rill_error *error) {
  const struct rill_periodic_options *options = &judge->field->box;
  const double(*box)[3] = (const double(*)[3])options->box;
  const struct rill_lennard_jones lj =
      rill_lennard_jones_create(judge->model, options->lj, options->cutoff, options->switch_from);
  struct rill_cell cell;
  double square = 0.0;
  RILL_TRY(rill_cell_create(box, &cell, error));
  RILL_TRY(rill_ewald_sample(judge->model, judge->molecules, box, tolerance, &judge->q, judge->sample, judge->count,
                             judge->field->threads, judge->forces, judge->energies, error));
#pragma omp parallel for schedule(static) num_threads(judge->field->threads)
  for (size_t k = 0; k < judge->count; k++)
    add_lennard_jones(judge, &cell, &lj, judge->sample[k], judge->forces + 9 * k);
  for (size_t k = 0; k < 9 * judge->count; k++) square += judge->forces[k] * judge->forces[k];
  judge->rms_force = sqrt(square / (double)(RILL_ATOMS * judge->count));
  judge->scale = fmax(judge->rms_force, rill_force_floor());
  return RILL_OK;
}

/* expected: the error to be resolved, relative to the scale.  The sum's terms are chosen for a liquid: if forces are
 * small, or for the energy of the whole system, more of them are needed. */
static enum rill_status judge_create(struct judge *judge, double expected, struct rill_error *error) {
  judge->count = sample_size(judge->molecules);
  judge->sample = rill_allocate(judge->count, sizeof *judge->sample);
  judge->forces = rill_allocate(9 * judge->count, sizeof *judge->forces);
  judge->energies = rill_allocate(judge->count, sizeof *judge->energies);
  if (judge->sample == NULL || judge->forces == NULL || judge->energies == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for measuring forces");
  for (size_t k = 0; k < judge->count; k++) judge->sample[k] = (2 * k + 1) * judge->molecules / (2 * judge->count);
  RILL_TRY(find_forces(judge, (judge->count == judge->molecules ? 1e-4 : 0.01) * expected, error));
  if (judge->scale > unlike_liquid * rill_liquid_force) return RILL_OK;
  return find_forces(judge, fmax(1e-4 * expected * rill_force_floor() / rill_liquid_force, 1e-16), error);
}

static void judge_release(struct judge *judge) {
  rill_release(judge->sample);
  rill_release(judge->forces);
  rill_release(judge->energies);
}

/* ---- the forces to be measured ---- */

/* Of all molecules, by a vector that is incommensurate with any mesh; the vectors of different places never come
 * close to one another. */
static void find_shift(const struct judge *judge, size_t place, double shift[3]) {
  static const double parts[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  const double(*box)[3] = (const double(*)[3])judge->field->box.box;
  for (size_t c = 0; c < 3; c++) {
    shift[c] = 0.0;
    for (size_t v = 0; v < 3; v++) shift[c] += fmod((double)place * parts[v], 1.0) * box[v][c];
  }
}

/* The forces of a field on the sample, f, [count][9], at shifted positions. */
struct evaluation {
  const struct judge *judge;
  const struct rill_field_options *options;
  struct rill_water_field *field; /* NULL where it is evaluated elsewhere */
  size_t stride;                  /* 0 there */
  double *work;                   /* [18][stride] */
};

static enum rill_status evaluate(const struct evaluation *e, const double shift[3], double *f,
                                 struct rill_field_energies *energies, struct rill_error *error) {
  const struct judge *judge = e->judge;
  const struct rill_field_elsewhere *elsewhere = e->options->elsewhere;
  double *q = e->work, *all = q + RILL_COORDINATES * e->stride;
  if (elsewhere != NULL) {
    const struct rill_field_sample sample = {judge->q, {shift[0], shift[1], shift[2]}, judge->sample, judge->count};
    return elsewhere->evaluate(elsewhere->context, e->options, &sample, f, energies, error);
  }
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < judge->molecules; m++)
      q[k * e->stride + m] = rill_position(&judge->q, m, k) + shift[k % 3];
  RILL_TRY(rill_water_field_evaluate(e->field, q, all, energies, error));
  for (size_t k = 0; k < judge->count; k++)
    for (size_t c = 0; c < RILL_COORDINATES; c++) f[9 * k + c] = all[c * e->stride + judge->sample[k]];
  return RILL_OK;
}

static double force_error(const struct judge *judge, const double *f) {
  double square = 0.0;
  for (size_t k = 0; k < 9 * judge->count; k++) square += (f[k] - judge->forces[k]) * (f[k] - judge->forces[k]);
  return sqrt(square / (double)(RILL_ATOMS * judge->count)) / judge->scale;
}

static double coulomb_of(const struct judge *judge) {
  double sum = 0.0;
  if (judge->count < judge->molecules) return NAN;
  for (size_t k = 0; k < judge->count; k++) sum += judge->energies[k];
  return sum;
}

/* Measures the worst of several places; f: [count][9]. */
static enum rill_status measure_at(const struct evaluation *e, double *f, struct rill_force_accuracy *measured,
                                   struct rill_error *error) {
  const struct judge *judge = e->judge;
  const size_t few = 32, most = 16, n = judge->molecules;
  const size_t places = n >= few ? 1 : few / n < most ? few / n : most;
  const double energy = coulomb_of(judge);
  *measured = (struct rill_force_accuracy){
      .scale = judge->scale, .rms_force = judge->rms_force, .energy_error = NAN, .molecules = judge->count};
  for (size_t place = 0; place < places; place++) {
    struct rill_field_energies energies;
    double shift[3], off;
    find_shift(judge, place, shift);
    RILL_TRY(evaluate(e, shift, f, &energies, error));
    off = (energies.coulomb - energy) / (double)n;
    measured->error = fmax(measured->error, force_error(judge, f));
    if (place == 0 || fabs(off) > fabs(measured->energy_error)) measured->energy_error = off;
  }
  return RILL_OK;
}

static enum rill_status measure(const struct judge *judge, const struct rill_field_options *options,
                                struct rill_force_accuracy *measured, struct rill_error *error) {
  const bool here = options->elsewhere == NULL;
  const size_t stride = rill_padded(judge->molecules);
  struct evaluation e = {.judge = judge, .options = options, .stride = here ? stride : 0};
  double *f = rill_allocate(judge->count, RILL_COORDINATES * sizeof *f);
  enum rill_status status = RILL_OK;
  e.work = rill_allocate(2 * RILL_COORDINATES * e.stride, sizeof *e.work);
  if (f == NULL || e.work == NULL)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for measuring forces");
  if (status == RILL_OK && here)
    status = rill_water_field_create(judge->model, judge->molecules, stride, options, &e.field, error);
  if (status == RILL_OK) status = measure_at(&e, f, measured, error);
  rill_water_field_destroy(e.field);
  rill_release(e.work);
  rill_release(f);
  return status;
}

enum rill_status rill_water_measure_accuracy(const struct rill_water_model *model, size_t molecules,
                                             const struct rill_positions *q, const struct rill_field_options *field,
                                             double expected, struct rill_force_accuracy *measured,
                                             struct rill_error *error) {
  struct judge judge = {.model = model, .field = field, .molecules = molecules, .q = *q};
  enum rill_status status = judge_create(&judge, expected, error);
  if (status == RILL_OK) status = measure(&judge, field, measured, error);
  judge_release(&judge);
  return status;
}

/* ---- the choice ---- */

static enum rill_status estimate(const struct rill_water_model *model, size_t molecules, double accuracy,
                                 enum rill_mesh_precision precision, struct rill_field_options *field,
                                 struct rill_error *error) {
  const struct rill_pme_cut cut = {field->box.cutoff, !field->box.by_atom};
  RILL_TRY(rill_pme_choose(model, molecules, (const double(*)[3])field->box.box, cut, accuracy, precision,
                           &field->wish, &field->mesh, error));
  field->box.beta = field->mesh.beta;
  return RILL_OK;
}

static enum rill_mesh_precision usual_precision(const struct rill_field_options *field) {
  return field->box.precision == RILL_PRECISION_MIXED ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE;
}

enum rill_status rill_water_estimate_mesh(const struct rill_water_model *model, size_t molecules, double accuracy,
                                          struct rill_field_options *field, struct rill_error *error) {
  const double(*box)[3] = (const double(*)[3])field->box.box;
  const int filled = rill_pme_is_filled(molecules, box[0][0] * box[1][1] * box[2][2]);
  const double aim = accuracy * (filled ? 1.0 : rill_force_floor() / rill_liquid_force);
  const enum rill_status status = estimate(model, molecules, aim, usual_precision(field), field, error);
  if (status == RILL_OK || status == RILL_ERROR_MEMORY) return status;
  return estimate(model, molecules, aim, RILL_MESH_DOUBLE, field, error);
}

static int same(const struct rill_pme_parameters *a, const struct rill_pme_parameters *b) {
  return a->beta == b->beta && a->order == b->order && a->precision == b->precision &&
         memcmp(a->grid, b->grid, sizeof a->grid) == 0;
}

/* One significant digit, rounded up, with a margin: another request leads to other meshes (1.27 has been seen). */
static double round_up(double error) {
  const double unit = pow(10.0, floor(log10(1.4 * error)));
  return ceil(1.4 * error / unit) * unit;
}

static enum rill_status refuse(const struct rill_field_options *field, double accuracy,
                               const struct rill_force_accuracy *best, struct rill_error *error) {
  char floored[96] = ", their root mean square,", advice[48] = "", longer[80] = "a larger box, with a longer cutoff";
  struct rill_cell cell;
  RILL_TRY(rill_cell_create((const double(*)[3])field->box.box, &cell, error));
  if (best->scale > best->rms_force)
    snprintf(floored, sizeof floored, ", kT/nm at 300 K, as their root mean square, %.3g, is less,", best->rms_force);
  if (field->box.cutoff < 0.99 * 0.5 * cell.shortest)
    snprintf(longer, sizeof longer, "a longer cutoff (the box holds up to %.4g nm)", 0.5 * cell.shortest);
  if (round_up(best->error) <= coarsest)
    snprintf(advice, sizeof advice, "an accuracy of %.1g, ", round_up(best->error));
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "an error of the forces of %.3g cannot be reached with a cutoff of %g nm: relative to %.4g "
                        "kJ/mol/nm%s the least that was measured is %.3g; take %s%s%s%s",
                        accuracy, field->box.cutoff, best->scale, floored, best->error, advice, longer,
                        field->box.precision == RILL_PRECISION_MIXED ? ", or precision = double" : "",
                        field->wish.order != 0 || field->wish.grid[0] != 0 ? ", or another mesh" : "");
}

/* A search for a mesh: field and measured are those of the last trial. */
struct search {
  const struct judge *judge;
  struct rill_field_options *field;
  struct rill_force_accuracy *measured;
  enum rill_mesh_precision precision;
  struct rill_force_accuracy best;
  struct rill_error *error; /* of the last trial; running out of memory ends the search */
};

/* Tries a mesh with an estimated error of `aim`, relative to the liquid's forces; *repeated: it is the last one
 * again. */
static enum rill_status try_aim(struct search *search, double aim, int *repeated) {
  const struct rill_pme_parameters last = search->field->mesh;
  RILL_TRY(
      estimate(search->judge->model, search->judge->molecules, aim, search->precision, search->field, search->error));
  *repeated = same(&search->field->mesh, &last);
  if (*repeated) return RILL_OK;
  RILL_TRY(measure(search->judge, search->field, search->measured, search->error));
  if (search->measured->error < search->best.error) search->best = *search->measured;
  return RILL_OK;
}

/* Tries finer meshes until one suffices (true), nothing is gained, or a limit is reached. */
static int search_finer(struct search *search, double accuracy, double aim) {
  enum { TRIALS = 20, STALLS = 3 };
  int stalls = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    const double least = search->best.error;
    int repeated;
    const enum rill_status status = try_aim(search, aim, &repeated);
    if (status != RILL_OK) {
      if (status == RILL_ERROR_MEMORY || search->precision == RILL_MESH_DOUBLE) return 0;
      search->precision = RILL_MESH_DOUBLE; /* too fine for single precision */
      continue;
    }
    if (search->measured->error <= accuracy) return 1;
    if (!repeated && search->measured->error > 0.7 * least && ++stalls == STALLS) {
      if (search->precision == RILL_MESH_DOUBLE) return 0;
      search->precision = RILL_MESH_DOUBLE;
      stalls = 0;
    }
    aim *= repeated ? 0.7 : fmin(fmax(0.7 * accuracy / search->measured->error, 0.1), 0.7);
  }
  return 0;
}

/* Tries coarser meshes, whose screening is weaker and rounding errors smaller, for the least error that can be
 * reached. */
static int search_coarser(struct search *search, double accuracy, double aim) {
  const double worse = 2.0;
  for (aim *= 2.5; aim < coarsest; aim *= 2.5) {
    int repeated;
    const enum rill_status status = try_aim(search, aim, &repeated);
    if (status == RILL_ERROR_MEMORY) return 0;
    if (status != RILL_OK) continue;
    if (search->measured->error <= accuracy) return 1;
    if (search->measured->error > worse * search->best.error) return 0;
  }
  return 0;
}

enum rill_status rill_water_choose_mesh(const struct rill_water_model *model, size_t molecules,
                                        const struct rill_positions *q, double accuracy,
                                        struct rill_field_options *field, struct rill_force_accuracy *measured,
                                        struct rill_error *error) {
  struct judge judge = {.model = model, .field = field, .molecules = molecules, .q = *q};
  struct search search = {&judge, field, measured, usual_precision(field), {.error = INFINITY}, error};
  enum rill_status status;
  *measured = (struct rill_force_accuracy){.error = INFINITY};
  if (!(accuracy >= finest && accuracy <= coarsest))
    return rill_error_set(error, RILL_ERROR_INPUT, "accuracy %g; expected %g to %g", accuracy, finest, coarsest);
  status = judge_create(&judge, accuracy, error);
  if (status == RILL_OK && !isfinite(judge.scale)) {
    *measured = (struct rill_force_accuracy){0};
    status = rill_water_estimate_mesh(model, molecules, accuracy, field, error);
  } else if (status == RILL_OK) {
    const double part = judge.scale / rill_liquid_force, aim = accuracy * (part > unlike_liquid ? 1.0 : part);
    int found = search_finer(&search, accuracy, aim);
    const struct rill_error first = *error; /* for the requested accuracy, not for the coarser trials */
    if (!found && first.status != RILL_ERROR_MEMORY) found = search_coarser(&search, accuracy, aim);
    if (error->status == RILL_ERROR_MEMORY) status = RILL_ERROR_MEMORY;
    else if (found) rill_error_clear(error);
    else if (isfinite(search.best.error)) status = refuse(field, accuracy, &search.best, error);
    else status = (*error = first).status;
  }
  judge_release(&judge);
  return status;
}

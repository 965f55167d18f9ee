#include "water/forces/periodic.h"

#include <math.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/timers.h"
#include "config.h"
#include "water/forces/box_pairs.h"
#include "water/forces/excluded.h"
#include "water/forces/periodic_reference.h"

/* Bonds longer than the model's: the reach of lists and polynomials allows for them. */
static const double default_bond_tolerance = 0.02;
/* Largest error of the smooth part's polynomial in the force between two oxygens, kJ/mol/nm, of about 600 in a
 * liquid. */
static const double mixed_tolerance = 4e-3, double_tolerance = 1e-9;

struct rill_periodic {
  struct rill_water_model model;
  struct rill_periodic_options options;
  size_t molecules, stride;
  struct rill_box box;
  struct rill_lennard_jones lj;
  struct rill_smooth smooth;
  struct rill_excluded excluded;
  double longest_bond; /* that is accepted */
  double *whole;       /* [9][stride]: molecules made whole, when they are not */

  const struct rill_box_kernel *kernel;
  struct rill_box_constants constants;
  struct rill_neighbours neighbours;
  size_t capacity; /* of records and forces, in slots */
  char *records;
  void **forces;        /* [threads] */
  double *block_energy; /* excluded energies, block by block */
  uint64_t evaluations, rescaled;
  double seconds[RILL_PERIODIC_PHASES];
};

enum { BLOCK = 512 }; /* molecules: the unit of work of all that goes molecule by molecule */

static const struct rill_box_kernel *const kernels[2][RILL_ISA_COUNT] = {
    [RILL_PRECISION_DOUBLE] = {[RILL_ISA_PORTABLE] = &rill_box_double_portable,
#ifdef RILL_HAVE_X86_VECTORS
                               [RILL_ISA_AVX2] = &rill_box_double_avx2,
                               [RILL_ISA_AVX512] = &rill_box_double_avx512
#endif
    },
    [RILL_PRECISION_MIXED] = {[RILL_ISA_PORTABLE] = &rill_box_mixed_portable,
#ifdef RILL_HAVE_X86_VECTORS
                              [RILL_ISA_AVX2] = &rill_box_mixed_avx2,
                              [RILL_ISA_AVX512] = &rill_box_mixed_avx512
#endif
    },
};

static size_t count_blocks(const struct rill_periodic *periodic) { return (periodic->molecules + BLOCK - 1) / BLOCK; }

/* ---- creation ---- */

static enum rill_status check(const struct rill_water_model *model, size_t molecules, size_t stride,
                              const struct rill_periodic_options *options, struct rill_error *error) {
  if (molecules == 0) return rill_error_set(error, RILL_ERROR_INPUT, "forces of 0 molecules; expected at least one");
  if (stride < molecules || stride % RILL_LANES != 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "row stride %zu for %zu molecules; expected a multiple of %d, not below their number",
                          stride, molecules, RILL_LANES);
  if (options->threads < 1)
    return rill_error_set(error, RILL_ERROR_INPUT, "%d threads for the forces; expected at least 1",
                          options->threads);
  if (!(options->cutoff > 0.0) || !isfinite(options->cutoff))
    return rill_error_set(error, RILL_ERROR_INPUT, "cutoff %g nm; expected a positive length", options->cutoff);
  if (options->open && options->coulomb == RILL_COULOMB_EWALD)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "an Ewald sum needs a box");
  if (options->coulomb == RILL_COULOMB_EWALD && !(options->beta > 0.0 && isfinite(options->beta)))
    return rill_error_set(error, RILL_ERROR_INPUT, "Ewald parameter %g /nm; expected a positive number",
                          options->beta);
  if (options->lj == RILL_LJ_SWITCH && !(options->switch_from > 0.0 && options->switch_from < options->cutoff))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the force switch begins at %g nm; expected between 0 and the cutoff, %g nm",
                          options->switch_from, options->cutoff);
  if (model->charge[1] != model->charge[2])
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "hydrogens of charges %g and %g e; the pair kernels take equal ones", model->charge[1],
                          model->charge[2]);
  if (!options->reference &&
      (options->isa >= RILL_ISA_COUNT || !rill_isa_available(options->isa) || kernels[0][options->isa] == NULL))
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "no %s force kernel on this machine; %s is its best",
                          rill_isa_name(options->isa), rill_isa_name(rill_isa_best()));
  return RILL_OK;
}

/* The lowest degree that is good enough, of those the kernel offers. */
static enum rill_status choose_polynomial(struct rill_periodic *periodic, struct rill_error *error) {
  const struct rill_box_kernel *kernel = periodic->kernel;
  const struct rill_periodic_options *options = &periodic->options;
  struct rill_box_constants *constants = &periodic->constants;
  const double limit = options->cutoff + (options->strict ? 0.0 : 2.0 * periodic->longest_bond);
  const double charges = fabs(constants->charges[RILL_BOX_OO]);
  const double tolerance = kernel->powers ? mixed_tolerance : double_tolerance;
  struct rill_smooth_fit fit = {0};
  int degree = 0;
  for (int k = 0; degree < RILL_SMOOTH_DEGREE_MAX; k++) {
    degree = kernel->degrees[0] == 0 ? k + 1 : k < 4 ? kernel->degrees[k] : RILL_SMOOTH_DEGREE_MAX;
    if (kernel->degrees[0] != 0 && k == 4) break;
    rill_smooth_fit(&periodic->smooth, limit * limit, degree, &fit);
    if (fit.force_error * charges > tolerance) continue;
    constants->degree = degree;
    constants->u_scale = 2.0 / fit.limit2;
    if (kernel->powers) {
      rill_smooth_powers(degree, fit.force, constants->force);
      rill_smooth_powers(degree, fit.energy, constants->energy);
    } else {
      memcpy(constants->force, fit.force, sizeof fit.force);
      memcpy(constants->energy, fit.energy, sizeof fit.energy);
    }
    return RILL_OK;
  }
  return rill_error_set(
      error, RILL_ERROR_UNSUPPORTED,
      "Ewald parameter %g /nm with cutoff %g nm: the kernel's polynomials leave an error of %.2g kJ/mol/nm, "
      "more than %g; take a parameter of about %.3g /nm, or %s",
      options->beta, options->cutoff, fit.force_error * charges, tolerance, 3.1235 / options->cutoff,
      kernel->powers ? "double precision" : "the reference kernel");
}

static void find_constants(struct rill_periodic *periodic) {
  const struct rill_water_model *model = &periodic->model;
  struct rill_box_constants *constants = &periodic->constants;
  const double o = model->charge[0], h = model->charge[1], k = model->coulomb_constant;
  *constants = (struct rill_box_constants){
      .quantum = 1.0 / periodic->neighbours.quanta,
      .cutoff2 = periodic->options.cutoff * periodic->options.cutoff,
      .charges = {k * o * o, k * o * h, k * h * h},
      .c12 = model->c12,
      .c6 = model->c6,
      .lj_constant = periodic->lj.constant,
      .switch_from = periodic->lj.from,
      .switch_quadratic = periodic->lj.quadratic,
      .switch_cubic = periodic->lj.cubic,
      .hydrogen_share = model->mass[1] / (model->mass[0] + model->mass[1] + model->mass[2]),
  };
}

/* Distances at which a pair's force reaches a limit: of oxygens by their repulsion, of others by the charges. Returns
 * the square of the latter, and makes the oxygens' weight such that theirs counts the same. */
static double nearest_allowed2(struct rill_periodic *periodic, double limit) {
  struct rill_box_constants *constants = &periodic->constants;
  const double oxygens = pow(12.0 * constants->c12 / limit, 1.0 / 13.0);
  const double others2 = fabs(constants->charges[RILL_BOX_OH]) / limit;
  constants->oxygen_weight = others2 / (oxygens * oxygens);
  return others2;
}

enum rill_status rill_periodic_create(const struct rill_water_model *model, size_t molecules, size_t stride,
                                      const struct rill_periodic_options *options, struct rill_periodic **periodic,
                                      struct rill_error *error) {
  struct rill_periodic *made;
  enum rill_status status;
  double radius;
  *periodic = NULL;
  RILL_TRY(check(model, molecules, stride, options, error));
  made = rill_allocate(1, sizeof *made);
  if (made == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the forces");
  made->model = *model;
  made->options = *options;
  made->molecules = molecules;
  made->stride = stride;
  made->longest_bond = fmax(model->bond[0], model->bond[1]) *
                       (1.0 + (options->bond_tolerance > 0.0 ? options->bond_tolerance : default_bond_tolerance));
  made->lj = rill_lennard_jones_create(model, options->lj, options->cutoff, options->switch_from);
  made->smooth = rill_smooth_create(options->coulomb, options->beta, options->cutoff, options->dielectric);
  made->excluded = rill_excluded_create(model, &made->smooth);
  if (options->excluded_elsewhere) made->excluded.any = 0;
  radius = options->cutoff + (options->strict ? 2.0 * made->longest_bond : 0.0);
  made->box.volume = INFINITY;
  if (!options->open) {
    status = rill_box_create(options->box, &made->box, error);
    if (status == RILL_OK) status = rill_box_holds(&made->box, options->cutoff, error);
    if (status != RILL_OK) goto fail;
  }
  if (!options->reference) {
    made->kernel = kernels[options->precision][options->isa];
    status = rill_neighbours_create(&made->neighbours, options->open ? NULL : &made->box, molecules, stride, radius, options->buffer,
                                    options->inner_buffer, options->isa, options->threads, error);
    if (status != RILL_OK) goto fail;
    find_constants(made);
    status = choose_polynomial(made, error);
    if (status != RILL_OK) goto fail;
  }
  made->whole = rill_allocate(RILL_COORDINATES * stride, sizeof *made->whole);
  made->block_energy = rill_allocate(count_blocks(made), sizeof *made->block_energy);
  made->forces = rill_allocate((size_t)options->threads, sizeof *made->forces);
  if (made->whole == NULL || made->block_energy == NULL || made->forces == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the forces of %zu molecules", molecules);
    goto fail;
  }
  *periodic = made;
  return RILL_OK;
fail:
  rill_periodic_destroy(made);
  return status;
}

void rill_periodic_destroy(struct rill_periodic *periodic) {
  if (periodic == NULL) return;
  rill_neighbours_destroy(&periodic->neighbours);
  rill_release(periodic->whole);
  rill_release(periodic->block_energy);
  rill_release(periodic->records);
  if (periodic->forces != NULL)
    for (int t = 0; t < periodic->options.threads; t++) rill_release(periodic->forces[t]);
  rill_release(periodic->forces);
  rill_release(periodic);
}

/* ---- whole molecules ---- */

/* Whether every hydrogen is at its oxygen, in all three coordinates: if not, a box vector lies between them, or
 * something is not finite. */
static int are_whole(const struct rill_periodic *periodic, const double *q) {
  const size_t stride = periodic->stride;
  const double limit2 = periodic->longest_bond * periodic->longest_bond;
  int broken = 0;
  for (size_t h = 3; h <= 6; h += 3)
    for (size_t m = 0; m < periodic->molecules; m++) {
      const double x = q[h * stride + m] - q[m], y = q[(h + 1) * stride + m] - q[stride + m];
      const double z = q[(h + 2) * stride + m] - q[2 * stride + m];
      broken |= !(x * x + y * y + z * z <= limit2);
    }
  return !broken;
}

static enum rill_status make_whole(struct rill_periodic *periodic, const double *q, struct rill_error *error) {
  const size_t stride = periodic->stride;
  const double(*v)[3] = periodic->box.vector;
  memcpy(periodic->whole, q, RILL_COORDINATES * stride * sizeof *q);
  for (size_t m = 0; m < periodic->molecules; m++)
    for (size_t h = 3; h <= 6; h += 3) {
      double d[3], f[3], length2 = 0.0;
      for (size_t c = 0; c < 3; c++) d[c] = q[(h + c) * stride + m] - q[c * stride + m];
      for (int i = 2; i >= 0 && !periodic->options.open; i--) { /* c first: it moves the others too */
        rill_box_fractions(&periodic->box, d, f);
        for (int c = 0; c < 3; c++) d[c] -= nearbyint(f[i]) * v[i][c];
      }
      for (size_t c = 0; c < 3; c++) {
        length2 += d[c] * d[c];
        periodic->whole[(h + c) * stride + m] = q[c * stride + m] + d[c];
      }
      if (!isfinite(length2))
        return rill_error_set(error, RILL_ERROR_NOT_FINITE, "a position of molecule %zu is not finite", m + 1);
      if (length2 > periodic->longest_bond * periodic->longest_bond)
        return rill_error_set(
            error, RILL_ERROR_INPUT,
            "molecule %zu has a hydrogen %.4f nm from its oxygen; expected %.4f nm, and at most %.4f nm: "
            "rebuild the molecules first",
            m + 1, sqrt(length2), periodic->model.bond[0], periodic->longest_bond);
    }
  return RILL_OK;
}

/* ---- evaluation ---- */

static enum rill_status reserve(struct rill_periodic *periodic, struct rill_error *error) {
  const size_t bytes = periodic->kernel->record_bytes, slots = rill_slots(&periodic->neighbours);
  if (slots <= periodic->capacity) return RILL_OK;
  periodic->capacity = 0;
  rill_release(periodic->records);
  periodic->records = rill_allocate(slots + slots / 10, bytes);
  for (int t = 0; t < periodic->options.threads; t++) {
    rill_release(periodic->forces[t]);
    periodic->forces[t] = rill_allocate(slots + slots / 10, bytes);
    if (periodic->forces[t] == NULL) goto memory;
  }
  if (periodic->records == NULL) goto memory;
  periodic->capacity = slots + slots / 10;
  return RILL_OK;
memory:
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules and images", slots);
}

/* As far from the middle as the quanta go, with hydrogens on it. */
static void place_dummy(struct rill_periodic *periodic) {
  const size_t bytes = periodic->kernel->record_bytes;
  char *record = periodic->records + bytes * (rill_slots(&periodic->neighbours) - 1);
  memset(record, 0, bytes);
  for (size_t c = 0; c < 3; c++) {
    const int32_t far = INT32_MIN;
    const int64_t fine = (int64_t)INT32_MIN * (1 << RILL_FINE_BITS);
    if (bytes == RILL_RECORD * sizeof far) memcpy(record + c * sizeof far, &far, sizeof far);
    else memcpy(record + c * sizeof fine, &fine, sizeof fine);
  }
}

static int this_thread(void) {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

/* A phase ends; returns the time. */
static double lap(struct rill_periodic *periodic, enum rill_periodic_phase phase, double started) {
  const double now = rill_clock();
  periodic->seconds[phase] += now - started;
  return now;
}

/* All pairs, in one parallel region; returns the least distance squared.  Force records are zero before and after. */
static double all_pairs(struct rill_periodic *periodic, const double *q, double *f, int energies,
                        int64_t sums[RILL_BOX_SUMS]) {
  struct rill_neighbours *n = &periodic->neighbours;
  const struct rill_box_kernel *kernel = periodic->kernel;
  const size_t blocks = count_blocks(periodic);
  const int threads = periodic->options.threads;
  double nearest2 = INFINITY;
  memset(sums, 0, RILL_BOX_SUMS * sizeof *sums);
  place_dummy(periodic);
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    struct rill_box_work work = {.constants = &periodic->constants, .neighbours = n, .records = periodic->records};
    const int first_thread = this_thread() == 0;
    double own_nearest2 = INFINITY, clock = rill_clock();
    work.forces = periodic->forces[this_thread()];
#pragma omp for schedule(static)
    for (size_t b = 0; b < blocks; b++)
      kernel->pack(n, q, b * BLOCK, b + 1 < blocks ? (b + 1) * BLOCK : periodic->molecules, periodic->records);
    if (first_thread) clock = lap(periodic, RILL_PERIODIC_MOVING, clock);
#pragma omp for schedule(dynamic)
    for (size_t chunk = 0; chunk < n->chunks; chunk++) {
      work.first = chunk * RILL_CHUNK;
      work.last = chunk + 1 < n->chunks ? work.first + RILL_CHUNK : periodic->molecules;
      kernel->work(&work, periodic->options.strict, energies);
      if (!(work.nearest2 >= own_nearest2)) own_nearest2 = work.nearest2;
    }
    if (first_thread) clock = lap(periodic, RILL_PERIODIC_PAIRS, clock);
#pragma omp for schedule(static)
    for (size_t b = 0; b < blocks; b++)
      kernel->unpack(n, periodic->forces, threads, periodic->constants.scale, b * BLOCK,
                     b + 1 < blocks ? (b + 1) * BLOCK : periodic->molecules, f);
    if (first_thread) lap(periodic, RILL_PERIODIC_MOVING, clock);
#pragma omp critical
    {
      if (!(own_nearest2 >= nearest2)) nearest2 = own_nearest2;
      for (int k = 0; k < RILL_BOX_SUMS; k++) sums[k] += work.sums[k];
    }
  }
  return nearest2;
}

/* Forces beyond the range of their integers: once more with a coarser unit, which the least distance allows. */
static enum rill_status vector_pairs(struct rill_periodic *periodic, const double *q, double *f,
                                     struct rill_periodic_energies *energies, struct rill_error *error) {
  const struct rill_box_kernel *kernel = periodic->kernel;
  int64_t sums[RILL_BOX_SUMS];
  const double started = rill_clock();
  RILL_TRY(rill_neighbours_update(&periodic->neighbours, q, error));
  lap(periodic, RILL_PERIODIC_LISTS, started);
  RILL_TRY(reserve(periodic, error));
  for (double scale = kernel->scale; scale > kernel->scale * 0x1p-33; scale *= 0x1p-8) {
    const double allowed2 = nearest_allowed2(periodic, kernel->largest / scale);
    periodic->constants.scale = scale;
    if (all_pairs(periodic, q, f, energies != NULL, sums) >= allowed2) {
      if (energies == NULL) return RILL_OK;
      energies->lj = (double)sums[RILL_BOX_LJ] * 0x1p-32;
      energies->coulomb = (double)sums[RILL_BOX_COULOMB] * 0x1p-32;
      for (int k = 0; k < 9; k++) energies->virial[k / 3][k % 3] = (double)sums[RILL_BOX_VIRIAL + k] * 0x1p-32;
      return RILL_OK;
    }
    periodic->rescaled++;
  }
  return rill_error_set(error, RILL_ERROR_NOT_FINITE,
                        "two molecules lie on each other: their force is beyond all numbers");
}

static double add_excluded(struct rill_periodic *periodic, const double *q, double *f) {
  const size_t blocks = count_blocks(periodic);
  const int threads = periodic->options.threads;
  double energy = 0.0;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && blocks > 4)
  for (size_t b = 0; b < blocks; b++)
    periodic->block_energy[b] = rill_excluded_add(&periodic->excluded, periodic->stride, b * BLOCK,
                                                  b + 1 < blocks ? (b + 1) * BLOCK : periodic->molecules, q, f);
  for (size_t b = 0; b < blocks; b++) energy += periodic->block_energy[b];
  return energy;
}

enum rill_status rill_periodic_evaluate(struct rill_periodic *periodic, const double *q, double *f,
                                        struct rill_periodic_energies *energies, struct rill_error *error) {
  const size_t stride = periodic->stride;
  double excluded;
  if (energies != NULL) *energies = (struct rill_periodic_energies){0};
  if (!are_whole(periodic, q)) {
    RILL_TRY(make_whole(periodic, q, error));
    q = periodic->whole;
  }
  if (periodic->options.reference) {
    struct rill_periodic_energies unused = {0};
    memset(f, 0, RILL_COORDINATES * stride * sizeof *f);
    rill_periodic_reference(&periodic->model, &periodic->box, &periodic->options, periodic->molecules, stride, q, f,
                            energies != NULL ? energies : &unused);
  } else {
    RILL_TRY(vector_pairs(periodic, q, f, energies, error));
    if (periodic->neighbours.outsiders > 0) {
      struct rill_periodic_energies unused = {0};
      rill_periodic_reference_marked(&periodic->model, &periodic->options, periodic->molecules, stride,
                                     periodic->neighbours.outside, q, f, energies != NULL ? energies : &unused);
    }
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = periodic->molecules; m < stride; m++) f[k * stride + m] = 0.0;
  }
  excluded = add_excluded(periodic, q, f);
  if (energies != NULL) {
    energies->excluded = excluded;
    if (periodic->options.tail)
      rill_lennard_jones_tail(&periodic->lj, (double)periodic->molecules, periodic->box.volume, &energies->lj_tail,
                              &energies->tail_virial);
  }
  periodic->evaluations++;
  return RILL_OK;
}

/* ---- what is told ---- */

const uint32_t *rill_periodic_places(const struct rill_periodic *periodic) {
  return periodic->neighbours.fresh ? periodic->neighbours.slot_of : NULL;
}

const double *rill_periodic_seconds(const struct rill_periodic *periodic) { return periodic->seconds; }

const char *rill_periodic_phase_name(enum rill_periodic_phase phase) {
  static const char *const names[RILL_PERIODIC_PHASES] = {"lists", "pairs", "moving data"};
  return names[phase];
}

double rill_periodic_volume(const struct rill_periodic *periodic) { return periodic->box.volume; }

struct rill_periodic_counts rill_periodic_counts(const struct rill_periodic *periodic) {
  const struct rill_neighbours *n = &periodic->neighbours;
  struct rill_periodic_counts counts = {.evaluations = periodic->evaluations, .rescaled = periodic->rescaled};
  counts.bytes = 2 * RILL_COORDINATES * periodic->stride * sizeof(double);
  if (periodic->options.reference) return counts;
  counts.builds = n->builds;
  counts.prunes = n->prunes;
  counts.images = n->images;
  counts.buffer = n->buffer;
  counts.inner_buffer = n->inner_buffer;
  for (size_t i = 0; i < n->molecules; i++) {
    counts.outer += (double)(RILL_GROUP * n->outer_groups[i]) / (double)n->molecules;
    counts.inner += (double)(RILL_GROUP * n->inner_groups[i]) / (double)n->molecules;
  }
  counts.bytes += rill_neighbours_bytes(n) +
                  periodic->capacity * periodic->kernel->record_bytes * (size_t)(periodic->options.threads + 1);
  return counts;
}

#include "water/forces/forces.h"

#include "base/memory.h"
#include "config.h"
#include "water/forces/pairs.h"
#include "water/model/site.h"

enum { RILL_PARTS_MAX = 16, SPREAD_RANGE = 128 /* molecules */ };

struct rill_water_forces {
  struct rill_water_model model;
  size_t molecules, stride, columns;
  int reference;
  struct rill_team *team; /* NULL: one thread */
  struct rill_timers *timers;
  const struct rill_pair_kernel *kernel;
  struct rill_pair_constants *constants;
  double *charges;             /* [9][stride], of four-site models; else NULL */
  struct rill_oxygens oxygens; /* of the same */
  double *x;                   /* [9][columns] */
  int parts;                   /* of the work: depends only on the number of molecules */
  struct rill_pair_work *work; /* [parts], each with its own forces [9][columns] */
  double *partial;             /* of all parts */
  float *scratch;              /* of all parts, of mixed precision */
};

static const struct rill_pair_kernel *const kernels[2][RILL_ISA_COUNT] = {
    [RILL_PRECISION_DOUBLE] = {[RILL_ISA_PORTABLE] = &rill_pairs_portable,
#ifdef RILL_HAVE_NEON
                               [RILL_ISA_NEON] = &rill_pairs_neon,
#endif
#ifdef RILL_HAVE_X86_VECTORS
                               [RILL_ISA_AVX2] = &rill_pairs_avx2,
                               [RILL_ISA_AVX512] = &rill_pairs_avx512,
                               [RILL_ISA_AVX512VL] = &rill_pairs_avx512
#endif
    },
    [RILL_PRECISION_MIXED] = {[RILL_ISA_PORTABLE] = &rill_pairs_mixed_portable,
#ifdef RILL_HAVE_NEON
                              [RILL_ISA_NEON] = &rill_pairs_mixed_neon,
#endif
#ifdef RILL_HAVE_X86_VECTORS
                              [RILL_ISA_AVX2] = &rill_pairs_mixed_avx2,
                              [RILL_ISA_AVX512] = &rill_pairs_mixed_avx512,
                              [RILL_ISA_AVX512VL] = &rill_pairs_mixed_avx512
#endif
    },
};

/* (1 - e)^(-3/2) = 1 + 3/2 e + 15/8 e2 + ...  The first omitted power is replaced by its best polynomial of lower
 * degree over |e| <= bound (e^n less bound^n T_n(e/bound) / 2^(n-1), with T_n Chebyshev's), which reduces the error
 * by a factor of 2^(1-n). */
static void find_series(double estimate_error, int terms, double series[RILL_SERIES_CAPACITY]) {
  const double bound = 2.0 * estimate_error;
  const int n = terms + 1;
  double coefficient = 1.0, term;
  for (int k = 0; k <= terms; k++) {
    series[k] = coefficient;
    coefficient *= (k + 1.5) / (k + 1.0);
  }
  /* T_n / 2^(n-1) = x^n - n/4 x^(n-2) + n (n-3) / 32 x^(n-4) - ... */
  term = coefficient;
  for (int j = 1; 2 * j <= n; j++) {
    term *= -bound * bound * (n - 2.0 * j + 2.0) * (n - 2.0 * j + 1.0) / (4.0 * j * (n - j));
    series[n - 2 * j] -= term;
  }
}

static void fill(double lanes[RILL_LANES], double value) {
  for (int k = 0; k < RILL_LANES; k++) lanes[k] = value;
}

void rill_pair_constants_find(const struct rill_water_model *model, double estimate_error, int series_terms,
                              size_t molecules, struct rill_pair_constants *constants) {
  const double charge_o = model->charge[0], charge_h = model->charge[1], k = model->coulomb_constant;
  const double factor[RILL_PAIR_COUNT] = {1.0, k * charge_o * charge_h, k * charge_h * charge_h};
  double series[RILL_SERIES_CAPACITY] = {0.0};
  find_series(estimate_error, series_terms, series);
  for (int kind = 0; kind < RILL_PAIR_COUNT; kind++)
    for (int power = 0; power < RILL_SERIES_CAPACITY; power++)
      fill(constants->series[kind][power], factor[kind] * series[power]);
  fill(constants->charge, k * charge_o * charge_o);
  fill(constants->repulsion, 12.0 * model->c12);
  fill(constants->attraction, -6.0 * model->c6);
  for (size_t shift = 0; shift < RILL_LANES; shift++)
    for (size_t i = 0; i < RILL_LANES; i++) constants->turn[shift][i] = i < molecules ? (i + shift) % molecules : i;
}

/* Many parts balance the threads, but each has a force array that must be cleared and summed; 8 and 16 parts of
 * decreasing size divide evenly among 2, 4 and 8 threads.  Below 192 molecules the work (about 100 microseconds) is
 * not worth waking threads, especially on a busy machine. */
static int count_parts(size_t molecules) {
  return molecules < RILL_ONE_PART_BELOW ? 1 : molecules < 1500 ? 8 : RILL_PARTS_MAX;
}

/* The beginning of part p.  Parts decrease in size, from about (parts + 1) shares to 2: a thread that starts late, or
 * is slower, takes fewer, and the last parts are so short that all threads finish together. */
static size_t part_begin(size_t blocks, size_t parts, size_t p) {
  const size_t shares = p * (2 * parts + 3 - p), all = parts * (parts + 3);
  return blocks * shares / all;
}

/* A small ring is computed in registers, and needs no arrays. */
static bool is_small(const struct rill_water_forces *forces) { return forces->molecules <= forces->kernel->width; }

static bool has_site(const struct rill_water_forces *forces) { return forces->model.site_weight != 0.0; }

static enum rill_status allocate(struct rill_water_forces *forces, struct rill_error *error) {
  const size_t molecules = forces->molecules, block = forces->kernel->block;
  const size_t blocks = (molecules + block - 1) / block, parts = (size_t)forces->parts;
  /* Columns in use end at the last block's end + N/2; vectors that begin before it reach one further, two in mixed
   * precision.  An odd number of cache lines per row keeps the rows apart in the cache. */
  const size_t lines = rill_padded(blocks * block + molecules / 2 + 2 * block) / RILL_LANES;
  forces->columns = (lines | 1) * RILL_LANES;
  forces->constants = rill_allocate(1, sizeof *forces->constants);
  forces->work = rill_allocate(parts, sizeof *forces->work);
  if (forces->constants == NULL || forces->work == NULL) goto memory;
  if (has_site(forces)) {
    forces->charges = rill_allocate(RILL_COORDINATES * forces->stride, sizeof *forces->charges);
    if (forces->charges == NULL) goto memory;
    if (!rill_oxygens_create(&forces->model, molecules, 1, &forces->oxygens)) goto memory;
  }
  if (is_small(forces)) {
    forces->work[0] = (struct rill_pair_work){.constants = forces->constants, .molecules = molecules};
    return RILL_OK;
  }
  forces->x = rill_allocate(RILL_COORDINATES * forces->columns, sizeof(double));
  forces->partial = rill_allocate(parts * RILL_COORDINATES * forces->columns, sizeof(double));
  if (forces->kernel->mixed)
    forces->scratch = rill_allocate(parts * RILL_COORDINATES * forces->columns, sizeof *forces->scratch);
  if (forces->kernel->mixed && forces->scratch == NULL) goto memory;
  if (forces->x == NULL || forces->partial == NULL) goto memory;
  for (size_t p = 0; p < parts; p++) {
    const size_t end = part_begin(blocks, parts, p + 1) * block;
    forces->work[p] = (struct rill_pair_work){
        .constants = forces->constants,
        .x = forces->x,
        .f = forces->partial + p * RILL_COORDINATES * forces->columns,
        .scratch = forces->scratch != NULL ? forces->scratch + p * RILL_COORDINATES * forces->columns : NULL,
        .columns = forces->columns,
        .molecules = molecules,
        .first = part_begin(blocks, parts, p) * block,
        .end = end,
        /* The first part's array becomes the total, so all used columns are cleared. */
        .touched = rill_padded((p == 0 ? blocks * block : end) + molecules / 2),
    };
  }
  return RILL_OK;
memory:
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the forces of %zu molecules", molecules);
}

static enum rill_status create(const struct rill_water_model *model, size_t molecules, size_t stride, int reference,
                               enum rill_precision precision, enum rill_isa isa, int threads,
                               struct rill_water_forces **forces, struct rill_error *error) {
  struct rill_water_forces *made;
  enum rill_status status;
  *forces = NULL;
  if (molecules == 0) return rill_error_set(error, RILL_ERROR_INPUT, "forces of 0 molecules; expected at least one");
  if (stride < molecules || stride % RILL_LANES != 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "row stride %zu for %zu molecules; expected a multiple of %d, not below their number",
                          stride, molecules, RILL_LANES);
  if (threads < 1)
    return rill_error_set(error, RILL_ERROR_INPUT, "%d threads for the forces; expected at least 1", threads);
  if (model->charge[1] != model->charge[2])
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "hydrogens of charges %g and %g e; the pair kernels need equal charges", model->charge[1],
                          model->charge[2]);
  if (!reference && (isa >= RILL_ISA_COUNT || !rill_isa_available(isa) || kernels[precision][isa] == NULL))
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "no %s force kernel on this machine; its best is %s",
                          rill_isa_name(isa), rill_isa_name(rill_isa_best()));
  made = rill_allocate(1, sizeof *made);
  if (made == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the forces");
  made->model = *model;
  made->molecules = molecules;
  made->stride = stride;
  made->reference = reference;
  if (!reference) {
    made->kernel = kernels[precision][isa];
    made->parts = count_parts(molecules);
    status = allocate(made, error);
    if (status == RILL_OK)
      status = rill_team_create(threads < made->parts ? threads : made->parts, &made->team, error);
    if (status != RILL_OK) {
      rill_water_forces_destroy(made);
      return status;
    }
    const struct rill_water_model charges = rill_water_charges(model);
    rill_pair_constants_find(&charges, made->kernel->estimate_error, made->kernel->series_terms, molecules,
                             made->constants);
  }
  *forces = made;
  return RILL_OK;
}

enum rill_status rill_water_forces_create(const struct rill_water_model *model, size_t molecules, size_t stride,
                                          int reference, enum rill_isa isa, int threads,
                                          struct rill_water_forces **forces, struct rill_error *error) {
  return create(model, molecules, stride, reference, RILL_PRECISION_DOUBLE, isa, threads, forces, error);
}

enum rill_status rill_water_forces_create_mixed(const struct rill_water_model *model, size_t molecules, size_t stride,
                                                enum rill_isa isa, int threads, struct rill_water_forces **forces,
                                                struct rill_error *error) {
  return create(model, molecules, stride, 0, RILL_PRECISION_MIXED, isa, threads, forces, error);
}

/* With a site the kernels' sums are those of the charges: the oxygens' are taken from their atoms.
 *
 * The Coulomb energy is homogeneous of degree -1 in the distances, r-12 and r-6 of degrees -12 and -6: by Euler's
 * theorem the sums give the virial. */
static struct rill_water_energies gather_energies(const struct rill_water_forces *forces, const double *q) {
  double sums[RILL_SUM_COUNT] = {0.0}, repulsion, attraction;
  for (int p = 0; p < forces->parts; p++)
    for (int k = 0; k < RILL_SUM_COUNT; k++) sums[k] += forces->work[p].sums[k];
  if (has_site(forces))
    rill_oxygens_sum(forces->molecules, forces->stride, q, &sums[RILL_SUM_R12], &sums[RILL_SUM_R6]);
  repulsion = forces->model.c12 * sums[RILL_SUM_R12];
  attraction = forces->model.c6 * sums[RILL_SUM_R6];
  return (struct rill_water_energies){
      .lj = repulsion - attraction,
      .coulomb = sums[RILL_SUM_COULOMB],
      .virial = 12.0 * repulsion - 6.0 * attraction + sums[RILL_SUM_COULOMB],
  };
}

/* One evaluation, shared by the team. */
struct pass {
  struct rill_water_forces *forces;
  const double *q, *charges; /* charges: the positions that the kernels see, q without a site */
  double *f;
  int with_energies;
};

static void extend_row(void *context, size_t row) {
  const struct pass *pass = context;
  const struct rill_water_forces *forces = pass->forces;
  forces->kernel->extend(pass->charges, forces->stride, forces->x, forces->columns, forces->molecules, row, row + 1);
}

static void work_on_part(void *context, size_t part) {
  const struct pass *pass = context;
  pass->forces->kernel->work(&pass->forces->work[part], pass->with_energies);
}

static void gather_row(void *context, size_t row) {
  const struct pass *pass = context;
  const struct rill_water_forces *forces = pass->forces;
  forces->kernel->gather(forces->work, forces->parts, row, row + 1, pass->f, forces->stride);
}

static void evaluate_kernels(struct pass *pass) {
  struct rill_water_forces *forces = pass->forces;
  const struct rill_pair_kernel *kernel = forces->kernel;
  if (is_small(forces)) {
    kernel->small_ring(forces->work, pass->charges, pass->f, forces->stride, pass->with_energies);
    rill_timers_lap(forces->timers, RILL_PHASE_PAIRS);
  } else if (forces->team == NULL) {
    kernel->extend(pass->charges, forces->stride, forces->x, forces->columns, forces->molecules, 0, RILL_COORDINATES);
    rill_timers_lap(forces->timers, RILL_PHASE_SHARES);
    for (int p = 0; p < forces->parts; p++) kernel->work(&forces->work[p], pass->with_energies);
    rill_timers_lap(forces->timers, RILL_PHASE_PAIRS);
    kernel->gather(forces->work, forces->parts, 0, RILL_COORDINATES, pass->f, forces->stride);
    rill_timers_lap(forces->timers, RILL_PHASE_SHARES);
  } else {
    rill_team_run(forces->team, RILL_COORDINATES, true, extend_row, pass);
    rill_timers_lap(forces->timers, RILL_PHASE_SHARES);
    rill_team_run(forces->team, (size_t)forces->parts, true, work_on_part, pass);
    rill_timers_lap(forces->timers, RILL_PHASE_PAIRS);
    rill_team_run(forces->team, RILL_COORDINATES, false, gather_row, pass);
    rill_timers_lap(forces->timers, RILL_PHASE_SHARES);
  }
}

/* The charges' forces become those of the atoms, and the oxygens' are added. */
static void spread_range(void *context, size_t range) {
  const struct pass *pass = context;
  const struct rill_water_forces *forces = pass->forces;
  const size_t first = range * SPREAD_RANGE, end = first + SPREAD_RANGE;
  const size_t last = end < forces->molecules ? end : forces->molecules;
  rill_site_spread(forces->model.site_weight, forces->stride, first, last, pass->f);
  forces->kernel->add_oxygens(&forces->oxygens, forces->stride, first, last, pass->f);
}

static void evaluate_with_site(struct pass *pass) {
  struct rill_water_forces *forces = pass->forces;
  const size_t ranges = (forces->molecules + SPREAD_RANGE - 1) / SPREAD_RANGE;
  rill_site_place(forces->model.site_weight, forces->stride, 0, forces->molecules, pass->q, forces->charges);
  rill_oxygens_take(&forces->oxygens, forces->stride, pass->q);
  pass->charges = forces->charges;
  evaluate_kernels(pass);
  if (forces->team != NULL) rill_team_run(forces->team, ranges, true, spread_range, pass);
  else
    for (size_t range = 0; range < ranges; range++) spread_range(pass, range);
  rill_timers_lap(forces->timers, RILL_PHASE_PAIRS);
}

void rill_water_forces_evaluate(struct rill_water_forces *forces, const double *q, double *f,
                                struct rill_water_energies *energies) {
  struct pass pass = {.forces = forces, .q = q, .charges = q, .f = f, .with_energies = energies != NULL};
  if (forces->reference) {
    rill_pairs_reference(&forces->model, forces->molecules, forces->stride, q, f, energies);
    return;
  }
  if (has_site(forces)) evaluate_with_site(&pass);
  else evaluate_kernels(&pass);
  if (energies != NULL) *energies = gather_energies(forces, q);
}

void rill_water_forces_time(struct rill_water_forces *forces, struct rill_timers *timers) { forces->timers = timers; }

struct rill_team *rill_water_forces_team(const struct rill_water_forces *forces) {
  return forces->team;
}

void rill_water_forces_destroy(struct rill_water_forces *forces) {
  if (forces == NULL) return;
  rill_team_destroy(forces->team);
  rill_release(forces->constants);
  rill_release(forces->charges);
  rill_release(forces->oxygens.x);
  rill_release(forces->x);
  rill_release(forces->work);
  rill_release(forces->partial);
  rill_release(forces->scratch);
  rill_release(forces);
}

#include "water/forces/periodic.h"

#include <math.h>
#include <stdio.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/team.h"
#include "base/timers.h"
#include "config.h"
#include "parallel/agree.h"
#include "water/forces/box_pairs.h"
#include "water/forces/excluded.h"
#include "water/forces/lennard_jones.h"
#include "water/forces/periodic_reference.h"
#include "water/forces/smooth.h"

/* By how much bonds may exceed the model's: the reach of lists and polynomials allows for it. */
static const double default_bond_tolerance = 0.02;
/* Largest error of the smooth part's polynomial in the force between two oxygens, kJ/mol/nm; forces in a liquid are
 * about 600. */
static const double mixed_tolerance = 4e-3, double_tolerance = 1e-9;
/* Molecules whose oxygens are this many bonds beyond the cutoff of atoms seldom have a pair within it. */
static const double near_bonds = 1.4;
/* The range of the sums, 2^31 kJ/mol, is then 71 kJ/mol for each; a liquid's is about 40. */
static const size_t most_molecules = 30000000;

struct rill_periodic {
  struct rill_water_model model;
  struct rill_periodic_options options;
  size_t molecules, stride;
  struct rill_cell cell; /* the one of the system: others read it here */
  struct rill_lennard_jones lj;
  struct rill_smooth smooth;
  struct rill_excluded excluded;
  double longest_bond; /* that is accepted */
  double *whole;       /* [9][stride]: the molecules made whole, if they are not */

  const struct rill_box_kernel *kernel;
  struct rill_box_constants constants;
  struct rill_neighbours neighbours;
  struct rill_halo *halo; /* where ranks share the box; else NULL */
  uint32_t *places;       /* with a halo: [molecules] a permutation into spatial order */
  size_t all;             /* molecules of the box */
  size_t capacity;        /* of records and forces, in slots */
  char *records;
  struct rill_team *team;
  size_t parts;                        /* of the pair work, one thread each */
  void **forces;                       /* [parts] */
  struct rill_box_work *work;          /* [parts] */
  struct rill_exact_sum *block_energy; /* excluded energies, one per block */
  uint64_t evaluations, rescaled;
  double seconds[RILL_PERIODIC_PHASES];
};

enum { BLOCK = 128 }; /* molecules: the unit of work for everything that is done for each molecule separately */

static const struct rill_box_kernel *const kernels[2][RILL_ISA_COUNT] = {
    [RILL_PRECISION_DOUBLE] = {[RILL_ISA_PORTABLE] = &rill_box_double_portable,
#ifdef RILL_HAVE_NEON
                               [RILL_ISA_NEON] = &rill_box_double_neon,
#endif
#ifdef RILL_HAVE_X86_VECTORS
                               [RILL_ISA_AVX2] = &rill_box_double_avx2,
                               [RILL_ISA_AVX512] = &rill_box_double_avx512,
                               [RILL_ISA_AVX512VL] = &rill_box_double_avx512
#endif
    },
    [RILL_PRECISION_MIXED] = {[RILL_ISA_PORTABLE] = &rill_box_mixed_portable,
#ifdef RILL_HAVE_NEON
                              [RILL_ISA_NEON] = &rill_box_mixed_neon,
#endif
#ifdef RILL_HAVE_X86_VECTORS
                              [RILL_ISA_AVX2] = &rill_box_mixed_avx2,
                              [RILL_ISA_AVX512] = &rill_box_mixed_avx512,
                              [RILL_ISA_AVX512VL] = &rill_box_mixed_avx512vl
#endif
    },
};

/* The same for models with a site. */
static const struct rill_box_kernel *const site_kernels[2][RILL_ISA_COUNT] = {
    [RILL_PRECISION_DOUBLE] = {[RILL_ISA_PORTABLE] = &rill_box_site_double_portable,
#ifdef RILL_HAVE_NEON
                               [RILL_ISA_NEON] = &rill_box_site_double_neon,
#endif
#ifdef RILL_HAVE_X86_VECTORS
                               [RILL_ISA_AVX2] = &rill_box_site_double_avx2,
                               [RILL_ISA_AVX512] = &rill_box_site_double_avx512,
                               [RILL_ISA_AVX512VL] = &rill_box_site_double_avx512
#endif
    },
    [RILL_PRECISION_MIXED] = {[RILL_ISA_PORTABLE] = &rill_box_site_mixed_portable,
#ifdef RILL_HAVE_NEON
                              [RILL_ISA_NEON] = &rill_box_site_mixed_neon,
#endif
#ifdef RILL_HAVE_X86_VECTORS
                              [RILL_ISA_AVX2] = &rill_box_site_mixed_avx2,
                              [RILL_ISA_AVX512] = &rill_box_site_mixed_avx512,
                              [RILL_ISA_AVX512VL] = &rill_box_site_mixed_avx512vl
#endif
    },
};

static size_t count_blocks(const struct rill_periodic *periodic) { return (periodic->molecules + BLOCK - 1) / BLOCK; }

/* ---- creation ---- */

static enum rill_status check(const struct rill_water_model *model, size_t molecules, size_t stride,
                              const struct rill_periodic_options *options, struct rill_error *error) {
  if (molecules == 0) return rill_error_set(error, RILL_ERROR_INPUT, "forces of 0 molecules; expected at least one");
  if (molecules > most_molecules)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%zu molecules in a box; expected at most %zu: sums of their energies as 64-bit integers "
                          "would overflow",
                          molecules, most_molecules);
  if (stride < molecules || stride % RILL_LANES != 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "row stride %zu for %zu molecules; expected a multiple of %d, not below their number",
                          stride, molecules, RILL_LANES);
  if (options->threads < 1)
    return rill_error_set(error, RILL_ERROR_INPUT, "%d threads for the forces; expected at least 1",
                          options->threads);
  if (!(options->cutoff > 0.0) || !isfinite(options->cutoff))
    return rill_error_set(error, RILL_ERROR_INPUT, "cutoff %g nm; expected a positive length", options->cutoff);
  if (options->coulomb == RILL_COULOMB_ALL)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "all pairs take no cutoff");
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
                          "hydrogens of charges %g and %g e; the pair kernels need equal charges", model->charge[1],
                          model->charge[2]);
  if (!options->reference &&
      (options->isa >= RILL_ISA_COUNT || !rill_isa_available(options->isa) || kernels[0][options->isa] == NULL))
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "no %s force kernel on this machine; its best is %s",
                          rill_isa_name(options->isa), rill_isa_name(rill_isa_best()));
  return RILL_OK;
}

/* Fits the smooth part for pairs of a kind, up to the distance that the cutoff lets them have; returns whether this
 * degree suffices.  Hydrogens are at most the longest bond away from their oxygens, and M in proportion. */
static bool fit_kind(const struct rill_periodic *periodic, const struct rill_smooth *smooth, double cutoff, int kind,
                     int degree, struct rill_smooth_fit *fit) {
  const double site = 2.0 * fabs(periodic->model.site_weight);
  const double bonds = periodic->options.by_atom ? 0.0 : (2 - kind) * site + kind;
  const double limit = cutoff + bonds * periodic->longest_bond;
  rill_smooth_fit(smooth, limit * limit, degree, fit);
  return fit->force_error * fabs(periodic->constants.charges[kind]) <=
         (periodic->kernel->powers ? mixed_tolerance : double_tolerance);
}

/* Fits the smooth part with the lowest sufficient degrees that the kernel offers; returns whether there are any. */
static bool fit_smooth(const struct rill_periodic *periodic, const struct rill_smooth *smooth, double cutoff,
                       struct rill_smooth_fit fit[RILL_BOX_KINDS]) {
  const struct rill_box_kernel *kernel = periodic->kernel;
  if (kernel->degrees[0][0] == 0) {
    int degree = 1;
    for (int kind = 0; kind < RILL_BOX_KINDS; kind++) /* ascending */
      while (!fit_kind(periodic, smooth, cutoff, kind, degree, &fit[kind]))
        if (++degree > RILL_SMOOTH_DEGREE_MAX) return false;
    return true;
  }
  for (int row = 0; row < RILL_BOX_DEGREE_ROWS; row++) {
    bool enough = true;
    for (int kind = 0; kind < RILL_BOX_KINDS && enough; kind++)
      enough = fit_kind(periodic, smooth, cutoff, kind, kernel->degrees[row][kind], &fit[kind]);
    if (enough) return true;
  }
  return false;
}

/* At the same error a longer cutoff has a smaller beta, hence a smoother function.  Returns the shortest sufficient
 * cutoff that the box allows, or 0. */
static double find_cutoff(const struct rill_periodic *periodic) {
  const struct rill_periodic_options *options = &periodic->options;
  struct rill_smooth smooth = periodic->smooth;
  struct rill_smooth_fit fit[RILL_BOX_KINDS];
  for (double cutoff = options->cutoff; cutoff <= 0.5 * periodic->cell.shortest; cutoff *= 1.02) {
    smooth.beta = options->beta * options->cutoff / cutoff;
    if (fit_smooth(periodic, &smooth, cutoff, fit)) return cutoff;
  }
  return 0.0;
}

static enum rill_status refuse_cutoff(const struct rill_periodic *periodic, struct rill_error *error) {
  const struct rill_periodic_options *options = &periodic->options;
  const double enough = find_cutoff(periodic);
  char longer[64] = "";
  if (enough > 0) snprintf(longer, sizeof longer, "a cutoff of at least %.2f nm, ", enough + 0.005);
  return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                        "a cutoff of %g nm is too short for the %s-precision pair kernel with beta = %.4g /nm; take "
                        "%sa coarser accuracy, or %s",
                        options->cutoff, periodic->kernel->powers ? "mixed" : "double", options->beta, longer,
                        periodic->kernel->powers ? "precision = double" : "kernel = reference");
}

/* Coefficients of a kind's polynomial, from those of Chebyshev's polynomials in u / centre. */
static void keep_polynomial(const struct rill_periodic *periodic, int degree, double centre, const double *chebyshev,
                            double *coefficient) {
  double unit = 1.0;
  memcpy(coefficient, chebyshev, ((size_t)degree + 1) * sizeof *coefficient);
  if (!periodic->kernel->powers) return;
  rill_smooth_powers(degree, chebyshev, coefficient);
  for (int n = 1; n <= degree; n++) coefficient[n] *= unit /= centre;
}

/* Energies, of which sums lose more digits, have polynomials of a higher degree than forces in single precision. */
static enum rill_status choose_polynomial(struct rill_periodic *periodic, struct rill_error *error) {
  struct rill_box_constants *constants = &periodic->constants;
  struct rill_smooth_fit fit[RILL_BOX_KINDS];
  if (!fit_smooth(periodic, &periodic->smooth, periodic->options.cutoff, fit)) return refuse_cutoff(periodic, error);
  constants->energy_degree = fit[RILL_BOX_HH].degree;
  if (periodic->kernel->powers)
    constants->energy_degree =
        constants->energy_degree < RILL_BOX_DEGREE_MAX - 2 ? constants->energy_degree + 2 : RILL_BOX_DEGREE_MAX;
  for (int kind = 0; kind < RILL_BOX_KINDS; kind++) {
    const double limit2 = fit[kind].limit2, centre = 0.5 * limit2;
    constants->degree[kind] = fit[kind].degree;
    constants->centre[kind] = centre;
    keep_polynomial(periodic, fit[kind].degree, centre, fit[kind].force, constants->force[kind]);
    rill_smooth_fit(&periodic->smooth, limit2, constants->energy_degree, &fit[kind]);
    keep_polynomial(periodic, constants->energy_degree, centre, fit[kind].energy, constants->energy[kind]);
  }
  return RILL_OK;
}

static void find_constants(struct rill_periodic *periodic) {
  const struct rill_water_model *model = &periodic->model;
  struct rill_box_constants *constants = &periodic->constants;
  const double o = model->charge[0], h = model->charge[1], k = model->coulomb_constant;
  *constants = (struct rill_box_constants){
      .cutoff2 = periodic->options.cutoff * periodic->options.cutoff,
      .charges = {k * o * o, k * o * h, k * h * h},
      .c12 = model->c12,
      .c6 = model->c6,
      .lj_constant = periodic->lj.constant,
      .switch_from = periodic->lj.from,
      .switch_quadratic = periodic->lj.quadratic,
      .switch_cubic = periodic->lj.cubic,
      .site_weight = model->site_weight,
  };
  memcpy(constants->quantum, periodic->neighbours.quantum, sizeof constants->quantum);
}

/* Distances at which a pair's force reaches a limit: oxygens' by their repulsion, those of an oxygen's charge and a
 * hydrogen's by the charges.  Returns the square of the latter, and sets the weights of oxygens and of sites such
 * that all limits compare equal. */
static double nearest_allowed2(struct rill_periodic *periodic, double limit) {
  struct rill_box_constants *constants = &periodic->constants;
  const double oxygens = pow(12.0 * constants->c12 / limit, 1.0 / 13.0);
  const double others2 = fabs(constants->charges[RILL_BOX_OH]) / limit;
  constants->oxygen_weight = others2 / (oxygens * oxygens);
  constants->site_pair_weight =
      fabs(constants->charges[RILL_BOX_OH]) / fmax(fabs(constants->charges[RILL_BOX_OO]), 1e-30);
  return others2;
}

/* Edges must be long enough for pairs to be met once. */
static enum rill_status check_bricks(const struct rill_periodic *periodic, const struct rill_cell *cell,
                                     struct rill_error *error) {
  const double reach = rill_neighbours_reach(&periodic->neighbours);
  const struct rill_bricks *bricks = &periodic->options.bricks;
  const double edge[3] = {cell->vector[0][0], cell->vector[1][1], cell->vector[2][2]};
  if (!rill_cell_is_rectangular(cell) || 2.0 * periodic->neighbours.radius > cell->shortest)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "a skew box, or one with less than twice the cutoff, is not divided among ranks");
  if (rill_bricks_fit(bricks, edge, reach)) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_UNSUPPORTED,
      "a box of %.4g x %.4g x %.4g nm is too small for %d x %d x %d bricks of ranks, whose edges must "
      "be at least %.4g nm, and twice that where there are two: take fewer ranks, with which a run resumes",
      edge[0], edge[1], edge[2], bricks->count[0], bricks->count[1], bricks->count[2], reach);
}

static enum rill_status become_brick(struct rill_periodic *periodic, struct rill_error *error) {
  RILL_TRY(check_bricks(periodic, &periodic->cell, error));
  periodic->halo = rill_allocate(1, sizeof *periodic->halo);
  periodic->places = rill_allocate(periodic->stride, sizeof *periodic->places);
  if (periodic->halo == NULL || periodic->places == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the halo");
  rill_halo_create(periodic->halo, periodic->options.ranks, &periodic->options.bricks);
  rill_neighbours_become_brick(&periodic->neighbours, periodic->halo->bricks.count, periodic->halo->place);
  periodic->molecules = 0;
  return RILL_OK;
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
  made->all = options->ranks != NULL ? options->all : molecules;
  made->stride = stride;
  made->longest_bond = fmax(model->bond[0], model->bond[1]) *
                       (1.0 + (options->bond_tolerance > 0.0 ? options->bond_tolerance : default_bond_tolerance));
  made->lj = rill_lennard_jones_create(model, options->lj, options->cutoff, options->switch_from);
  made->smooth = rill_smooth_create(options->coulomb, options->beta, options->cutoff, options->dielectric);
  made->excluded = rill_excluded_create(model, &made->smooth);
  if (options->excluded_elsewhere) made->excluded.any = 0;
  status = rill_team_create(options->threads, &made->team, error);
  if (status != RILL_OK) goto fail;
  made->parts = (size_t)rill_team_threads(made->team);
  radius = options->cutoff + (options->by_atom ? 2.0 * made->longest_bond : 0.0);
  made->cell.volume = INFINITY;
  if (!options->open) {
    status = rill_cell_create(options->box, &made->cell, error);
    if (status == RILL_OK) status = rill_cell_holds(&made->cell, options->cutoff, error);
    if (status != RILL_OK) goto fail;
  }
  if (!options->reference) {
    made->kernel = (model->site_weight != 0.0 ? site_kernels : kernels)[options->precision][options->isa];
    status = rill_neighbours_create(&made->neighbours, options->open ? NULL : &made->cell, molecules, stride, radius,
                                    options->buffer, options->inner_buffer, options->isa, made->team, error);
    if (status != RILL_OK) goto fail;
    if (options->by_atom) made->neighbours.near = options->cutoff + near_bonds * made->longest_bond;
    find_constants(made);
    status = choose_polynomial(made, error);
    if (status == RILL_OK && options->ranks != NULL) status = become_brick(made, error);
    if (status != RILL_OK) goto fail;
  }
  made->whole = rill_allocate(RILL_COORDINATES * stride, sizeof *made->whole);
  made->block_energy = rill_allocate((stride + BLOCK - 1) / BLOCK, sizeof *made->block_energy);
  made->forces = rill_allocate(made->parts, sizeof *made->forces);
  made->work = rill_allocate(made->parts, sizeof *made->work);
  if (made->whole == NULL || made->block_energy == NULL || made->forces == NULL || made->work == NULL) {
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
  if (periodic->halo != NULL) rill_halo_destroy(periodic->halo);
  rill_release(periodic->halo);
  rill_release(periodic->places);
  rill_release(periodic->whole);
  rill_release(periodic->block_energy);
  rill_release(periodic->records);
  if (periodic->forces != NULL)
    for (size_t p = 0; p < periodic->parts; p++) rill_release(periodic->forces[p]);
  rill_release(periodic->forces);
  rill_release(periodic->work);
  rill_team_destroy(periodic->team);
  rill_release(periodic);
}

enum rill_status rill_periodic_set_cell(struct rill_periodic *periodic, const double vectors[3][3],
                                        struct rill_error *error) {
  struct rill_cell cell;
  double scale[3];
  if (periodic->options.open) return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "an open cluster has no cell");
  RILL_TRY(rill_cell_create(vectors, &cell, error));
  RILL_TRY(rill_cell_holds(&cell, periodic->options.cutoff, error));
  if (periodic->halo != NULL) RILL_TRY(check_bricks(periodic, &cell, error));
  for (int c = 0; c < 3; c++) scale[c] = cell.vector[c][c] / periodic->cell.vector[c][c];
  cell.revision = periodic->cell.revision + 1;
  periodic->cell = cell;
  if (periodic->options.reference) return RILL_OK;
  rill_neighbours_rescale(&periodic->neighbours, scale);
  memcpy(periodic->constants.quantum, periodic->neighbours.quantum, sizeof periodic->constants.quantum);
  return RILL_OK;
}

/* ---- whole molecules ---- */

/* Removes lattice vectors between a hydrogen and its oxygen. */
static enum rill_status make_whole(struct rill_periodic *periodic, const double *q, struct rill_error *error) {
  const size_t stride = periodic->stride;
  const double(*v)[3] = periodic->cell.vector;
  memcpy(periodic->whole, q, RILL_COORDINATES * stride * sizeof *q);
  for (size_t m = 0; m < periodic->molecules; m++)
    for (size_t h = 3; h <= 6; h += 3) {
      double d[3], f[3], length2 = 0.0;
      for (size_t c = 0; c < 3; c++) d[c] = q[(h + c) * stride + m] - q[c * stride + m];
      for (int i = 2; i >= 0 && !periodic->options.open; i--) { /* c first: it changes the others too */
        rill_cell_fractions(&periodic->cell, d, f);
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
            "rebuild the molecules first (rill energy: --rigid), or name their model",
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
  for (size_t p = 0; p < periodic->parts; p++) {
    rill_release(periodic->forces[p]);
    periodic->forces[p] = rill_allocate(slots + slots / 10, bytes);
    if (periodic->forces[p] == NULL) goto memory;
  }
  if (periodic->records == NULL) goto memory;
  periodic->capacity = slots + slots / 10;
  return RILL_OK;
memory:
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules and images", slots);
}

/* Far from everything, wherever the molecules are. */
static void place_dummy(struct rill_periodic *periodic) {
  const size_t bytes = periodic->kernel->record_bytes;
  const double far = 1e4;
  const float single = (float)far;
  char *record = periodic->records + bytes * (rill_slots(&periodic->neighbours) - 1);
  memset(record, 0, bytes);
  if (bytes == RILL_RECORD * sizeof single) memcpy(record + 3 * sizeof single, &single, sizeof single);
  else memcpy(record + 3 * sizeof far, &far, sizeof far);
}

/* Ends a phase; returns the time. */
static double lap(struct rill_periodic *periodic, enum rill_periodic_phase phase, double started) {
  const double now = rill_clock();
  periodic->seconds[phase] += now - started;
  return now;
}

/* One evaluation of the pairs. */
struct pass {
  struct rill_periodic *periodic;
  const double *q;
  double *f;
  enum rill_wanted wanted;
  double bond;                           /* the longest bond of a molecule that is whole */
  struct rill_beside *beside;            /* work and help are set to NULL once done */
  bool accepted;                         /* no force exceeded the range of its integers */
  double seconds_beside, seconds_waited; /* of the first part: on work beside; for it, when no pairs were left */
  _Atomic size_t begun;                  /* chunks */
  _Atomic bool broken;                   /* a molecule is not whole */
};

/* The first molecule of a part: those of a thread's flows, whose rows are in its cache. */
static size_t part_begin(const struct rill_periodic *periodic, size_t part) {
  const size_t first = rill_share(rill_padded(periodic->molecules) / RILL_LANES, part, periodic->parts) * RILL_LANES;
  return first < periodic->molecules ? first : periodic->molecules;
}

static void pack_part(void *context, size_t part) {
  struct pass *pass = context;
  struct rill_periodic *periodic = pass->periodic;
  if (!periodic->kernel->pack(&periodic->neighbours, pass->q, pass->bond, part_begin(periodic, part),
                              part_begin(periodic, part + 1), periodic->records))
    atomic_store(&pass->broken, true);
}

static void work_beside(struct pass *pass) {
  const double started = rill_clock();
  if (pass->beside->work == NULL) return;
  pass->beside->work(pass->beside->context);
  pass->beside->work = NULL;
  pass->seconds_beside += rill_clock() - started;
}

static enum rill_help help_beside(struct pass *pass, size_t part) {
  const double started = part == 0 ? rill_clock() : 0.0;
  enum rill_help help;
  if (pass->beside->help == NULL) return RILL_HELP_OVER;
  help = pass->beside->help(pass->beside->context, part == 0);
  if (part == 0) pass->seconds_beside += rill_clock() - started;
  return help;
}

/* Takes the next chunks for a part: fewer as fewer are left, and where a thread is to help between them; in a large
 * box adjacent columns, so that parts seldom touch the same molecules.  Returns false if none are left. */
static bool take_chunks(struct pass *pass, size_t *first, size_t *last) {
  const size_t chunks = pass->periodic->neighbours.chunks;
  const size_t share = (pass->beside->help != NULL ? 32 : 8) * pass->periodic->parts;
  *first = atomic_load(&pass->begun);
  do {
    if (*first >= chunks) return false;
    *last = *first + (chunks - *first + share - 1) / share;
  } while (!atomic_compare_exchange_weak(&pass->begun, first, *last));
  return true;
}

/* Until no pairs are left, and nothing is left to be done beside them. */
static void work_on_chunks(struct pass *pass, size_t part, double *nearest2) {
  struct rill_periodic *periodic = pass->periodic;
  struct rill_box_work *work = &periodic->work[part];
  for (;;) {
    const enum rill_help help = help_beside(pass, part);
    size_t first, last;
    if (help == RILL_HELP_GIVEN) continue;
    if (take_chunks(pass, &first, &last)) {
      work->first = first * RILL_CHUNK;
      work->last = last < periodic->neighbours.chunks ? last * RILL_CHUNK : periodic->neighbours.molecules;
      periodic->kernel->work(work, periodic->options.by_atom, pass->wanted);
      if (!(work->nearest2 >= *nearest2)) *nearest2 = work->nearest2;
    } else if (help == RILL_HELP_OVER) {
      return;
    } else {
      const double started = rill_clock();
      rill_team_pause();
      if (part == 0) pass->seconds_waited += rill_clock() - started;
    }
  }
}

/* Each part has its own array of forces, zero before and after. */
static void work_on_part(void *context, size_t part) {
  struct pass *pass = context;
  struct rill_periodic *periodic = pass->periodic;
  struct rill_box_work *work = &periodic->work[part];
  double nearest2 = INFINITY;
  *work = (struct rill_box_work){.constants = &periodic->constants,
                                 .neighbours = &periodic->neighbours,
                                 .records = periodic->records,
                                 .forces = periodic->forces[part]};
  if (part == 0) work_beside(pass);
  work_on_chunks(pass, part, &nearest2);
  work->nearest2 = nearest2;
}

/* Adds (R - O) (x) F of some molecules, with R the centre of mass and F the force on the molecule, in whole units. */
static void add_arms(const struct pass *pass, size_t first, size_t last, int64_t sums[9]) {
  const struct rill_periodic *periodic = pass->periodic;
  const size_t stride = periodic->stride;
  const double *mass = periodic->model.mass, share = mass[1] / (mass[0] + mass[1] + mass[2]);
  const double scale = share * periodic->constants.sum_scale;
  double arm[3][BLOCK], force[3][BLOCK];
  for (size_t c = 0; c < 3; c++) {
    const double *q = pass->q + c * stride, *f = pass->f + c * stride;
    for (size_t m = first; m < last; m++) {
      arm[c][m - first] = scale * ((q[3 * stride + m] - q[m]) + (q[6 * stride + m] - q[m]));
      force[c][m - first] = f[m] + f[3 * stride + m] + f[6 * stride + m];
    }
  }
  for (int k = 0; k < 9; k++) {
    const double *a = arm[k / 3], *f = force[k % 3];
    uint64_t sum = 0;
    for (size_t m = 0; m < last - first; m++) sum += (uint64_t)rill_whole_units(a[m] * f[m]);
    sums[k] = (int64_t)((uint64_t)sums[k] + sum);
  }
}

static void unpack_part(void *context, size_t part) {
  const struct pass *pass = context;
  const struct rill_periodic *periodic = pass->periodic;
  const size_t end = part_begin(periodic, part + 1);
  for (size_t first = part_begin(periodic, part); first < end; first += BLOCK) {
    const size_t last = first + BLOCK < end ? first + BLOCK : end;
    periodic->kernel->unpack(&periodic->neighbours, periodic->forces, (int)periodic->parts, periodic->constants.scale,
                             first, last, pass->f);
    if (pass->accepted && pass->wanted != RILL_WANT_FORCES)
      add_arms(pass, first, last, periodic->work[part].sums + RILL_BOX_ARMS);
    if (pass->accepted && pass->beside->finish != NULL)
      pass->beside->finish(pass->beside->context, part, first, last);
  }
}

/* Forces that are not accepted. */
static void forget_forces(struct rill_periodic *periodic) {
  const size_t bytes = rill_slots(&periodic->neighbours) * periodic->kernel->record_bytes;
  for (size_t p = 0; p < periodic->parts; p++) memset(periodic->forces[p], 0, bytes);
}

/* Records of this rank's molecules; from other ranks those of the halo, which inner lists must hold as well. */
static enum rill_status pack_all(struct pass *pass, struct rill_error *error) {
  struct rill_periodic *periodic = pass->periodic;
  rill_team_run(periodic->team, periodic->parts, true, pack_part, pass);
  if (periodic->halo == NULL) return RILL_OK;
  RILL_TRY(rill_halo_send_records(periodic->halo, &periodic->neighbours, periodic->records,
                                  periodic->kernel->record_bytes, error));
  rill_neighbours_prune_brick(&periodic->neighbours);
  return RILL_OK;
}

/* The least distance of all ranks, and whether a molecule of any is not whole. */
static enum rill_status agree_on_pairs(struct pass *pass, double *nearest2, struct rill_error *error) {
  uint64_t words[2] = {atomic_load(&pass->broken), ~rill_word_of(*nearest2)};
  if (pass->periodic->halo == NULL) return RILL_OK;
  RILL_TRY(rill_agree(pass->periodic->options.ranks, RILL_OK, words, 2, error));
  atomic_store(&pass->broken, words[0] != 0);
  *nearest2 = rill_word_value(~words[1]);
  return RILL_OK;
}

static enum rill_status become_whole(struct pass *pass, const double **q, struct rill_error *error) {
  struct rill_periodic *periodic = pass->periodic;
  enum rill_status status = make_whole(periodic, *q, error);
  if (periodic->halo != NULL) status = rill_agree(periodic->options.ranks, status, NULL, 0, error);
  *q = pass->q = periodic->whole;
  pass->bond = INFINITY;
  return status;
}

static double work_on_all(struct pass *pass, int64_t sums[RILL_BOX_SUMS]) {
  struct rill_periodic *periodic = pass->periodic;
  double nearest2 = INFINITY;
  atomic_store(&pass->begun, 0);
  if (pass->beside->help != NULL) work_beside(pass); /* before anybody helps */
  rill_team_run(periodic->team, periodic->parts, true, work_on_part, pass);
  pass->beside->help = NULL;
  memset(sums, 0, RILL_BOX_SUMS * sizeof *sums);
  for (size_t p = 0; p < periodic->parts; p++) {
    if (!(periodic->work[p].nearest2 >= nearest2)) nearest2 = periodic->work[p].nearest2;
    for (int k = 0; k < RILL_BOX_SUMS; k++)
      sums[k] = (int64_t)((uint64_t)sums[k] + (uint64_t)periodic->work[p].sums[k]);
  }
  return nearest2;
}

/* Computes all pairs; they are accepted if none is nearer than the square root of allowed2.  *q becomes the whole
 * molecules if the given ones were not: over ranks this is known after the pairs. */
static enum rill_status all_pairs(struct rill_periodic *periodic, const double **q, double *f,
                                  enum rill_wanted wanted, struct rill_beside *beside, double allowed2,
                                  bool *accepted, int64_t sums[RILL_BOX_SUMS], struct rill_error *error) {
  struct pass pass = {
      .periodic = periodic, .q = *q, .f = f, .wanted = wanted, .bond = periodic->longest_bond, .beside = beside};
  double clock = rill_clock(), nearest2;
  place_dummy(periodic);
  RILL_TRY(pack_all(&pass, error));
  if (periodic->halo == NULL && atomic_load(&pass.broken)) {
    RILL_TRY(become_whole(&pass, q, error));
    RILL_TRY(pack_all(&pass, error));
  }
  clock = lap(periodic, RILL_PERIODIC_MOVING, clock);
  nearest2 = work_on_all(&pass, sums);
  clock = lap(periodic, RILL_PERIODIC_PAIRS, clock + pass.seconds_beside + pass.seconds_waited);
  periodic->seconds[RILL_PERIODIC_MOVING] += pass.seconds_waited;
  RILL_TRY(agree_on_pairs(&pass, &nearest2, error));
  if (periodic->halo != NULL && atomic_load(&pass.broken)) {
    forget_forces(periodic);
    RILL_TRY(become_whole(&pass, q, error));
    RILL_TRY(pack_all(&pass, error));
    nearest2 = work_on_all(&pass, sums);
    RILL_TRY(agree_on_pairs(&pass, &nearest2, error));
  }
  *accepted = pass.accepted = nearest2 >= allowed2;
  if (periodic->halo != NULL)
    RILL_TRY(rill_halo_return_forces(periodic->halo, &periodic->neighbours, periodic->forces, periodic->parts,
                                     periodic->kernel->record_bytes, error));
  rill_team_run(periodic->team, periodic->parts, false, unpack_part, &pass);
  for (size_t p = 0; p < periodic->parts; p++)
    for (int k = RILL_BOX_ARMS; k < RILL_BOX_SUMS; k++)
      sums[k] = (int64_t)((uint64_t)sums[k] + (uint64_t)periodic->work[p].sums[k]);
  lap(periodic, RILL_PERIODIC_MOVING, clock);
  return RILL_OK;
}

/* Sums over all ranks, as doubles. */
static enum rill_status add_up(const struct rill_periodic *periodic, const int64_t sums[RILL_BOX_SUMS],
                               double values[RILL_BOX_SUMS], struct rill_error *error) {
  if (periodic->halo != NULL)
    return rill_integers_over_ranks(periodic->options.ranks, sums, RILL_BOX_SUMS, values, error);
  for (int k = 0; k < RILL_BOX_SUMS; k++) values[k] = (double)sums[k];
  return RILL_OK;
}

/* ---- a brick ---- */

/* Own molecules in the order of their slots. */
static void find_places(struct rill_periodic *periodic) {
  const struct rill_neighbours *n = &periodic->neighbours;
  uint32_t *owner = n->turn, place = 0; /* which the pruning that follows finds */
  for (size_t m = 0; m < n->molecules; m++) owner[n->slot_of[m]] = (uint32_t)m;
  for (size_t slot = 0; slot < n->molecules; slot++)
    if (owner[slot] < periodic->molecules) periodic->places[owner[slot]] = place++;
}

static enum rill_status update_brick(struct rill_periodic *periodic, struct rill_error *error) {
  struct rill_neighbours *n = &periodic->neighbours;
  struct rill_halo *halo = periodic->halo;
  enum rill_status status;
  if (n->fresh) return RILL_OK;
  RILL_TRY(rill_halo_find(halo, n, periodic->molecules, error));
  status = rill_neighbours_build_brick(n, halo->own, halo->molecules - halo->own, halo->zones, error);
  if (status == RILL_OK) status = reserve(periodic, error);
  if (status == RILL_OK) find_places(periodic);
  RILL_TRY(rill_agree(periodic->options.ranks, status, NULL, 0, error));
  return RILL_OK;
}

enum rill_status rill_periodic_place(struct rill_periodic *periodic, const double *q, bool *stale,
                                     struct rill_error *error) {
  struct rill_neighbours *n = &periodic->neighbours;
  const size_t stride = periodic->stride;
  *stale = true;
  RILL_TRY(rill_neighbours_extend(n, 0, periodic->molecules, error));
  RILL_TRY(rill_neighbours_quantise(n, periodic->molecules, stride, q, error));
  *stale = !(rill_neighbours_moved(n) <= rill_neighbours_limit(n));
  return RILL_OK;
}

int rill_periodic_owner(const struct rill_periodic *periodic, size_t molecule) {
  const struct rill_bricks *bricks = &periodic->halo->bricks;
  int place[3];
  for (int c = 0; c < 3; c++)
    place[c] = rill_bricks_holder(bricks->count[c], (uint32_t)periodic->neighbours.at[c][molecule]);
  return rill_bricks_rank(bricks, place);
}

enum rill_status rill_periodic_set_molecules(struct rill_periodic *periodic, size_t molecules, const double *q,
                                             struct rill_error *error) {
  periodic->molecules = molecules;
  periodic->neighbours.fresh = 0;
  RILL_TRY(rill_neighbours_extend(&periodic->neighbours, 0, molecules, error));
  return rill_neighbours_quantise(&periodic->neighbours, molecules, periodic->stride, q, error);
}

double rill_periodic_reach(const struct rill_periodic *periodic) {
  return periodic->options.reference ? 0.0 : rill_neighbours_reach(&periodic->neighbours);
}

double rill_periodic_margin(const struct rill_periodic *periodic) {
  return 0.5 * periodic->neighbours.buffer + periodic->longest_bond;
}

const struct rill_halo *rill_periodic_halo(const struct rill_periodic *periodic) { return periodic->halo; }

/* ---- */

/* If forces exceed the range of their integers, they are computed again with a coarser unit, which the least distance
 * permits; sums of energies, too. */
static enum rill_status vector_pairs(struct rill_periodic *periodic, const double **q, double *f,
                                     enum rill_wanted wanted, struct rill_periodic_energies *energies,
                                     struct rill_beside *beside, struct rill_error *error) {
  static const double finest = 0x1p32; /* units of sums in a kJ/mol */
  const struct rill_box_kernel *kernel = periodic->kernel;
  int64_t sums[RILL_BOX_SUMS];
  double values[RILL_BOX_SUMS];
  const double started = rill_clock();
  bool accepted;
  if (periodic->halo != NULL) RILL_TRY(update_brick(periodic, error));
  else RILL_TRY(rill_neighbours_update(&periodic->neighbours, *q, error));
  lap(periodic, RILL_PERIODIC_LISTS, started);
  if (periodic->halo == NULL) RILL_TRY(reserve(periodic, error));
  for (double scale = kernel->scale; scale > kernel->scale * 0x1p-33; scale *= 0x1p-8) {
    const double allowed2 = nearest_allowed2(periodic, kernel->largest / scale);
    periodic->constants.scale = scale;
    periodic->constants.sum_scale = finest * (scale / kernel->scale);
    periodic->constants.virial_scale = kernel->virial_scale * (scale / kernel->scale);
    RILL_TRY(all_pairs(periodic, q, f, wanted, beside, allowed2, &accepted, sums, error));
    if (accepted) {
      if (wanted == RILL_WANT_FORCES) return RILL_OK;
      RILL_TRY(add_up(periodic, sums, values, error));
      energies->lj = values[RILL_BOX_LJ] / periodic->constants.sum_scale;
      energies->coulomb = values[RILL_BOX_COULOMB] / periodic->constants.sum_scale;
      for (int k = 0; k < 9; k++)
        energies->virial[k / 3][k % 3] = values[RILL_BOX_VIRIAL + k] / periodic->constants.virial_scale +
                                         values[RILL_BOX_ARMS + k] / periodic->constants.sum_scale;
      return RILL_OK;
    }
    periodic->rescaled++;
  }
  return rill_error_set(error, RILL_ERROR_NOT_FINITE, "two molecules coincide: the force between them overflows");
}

static void add_excluded_block(void *context, size_t block) {
  const struct pass *pass = context;
  struct rill_periodic *periodic = pass->periodic;
  const size_t first = block * BLOCK, last = first + BLOCK;
  periodic->block_energy[block] = (struct rill_exact_sum){0};
  rill_excluded_add(&periodic->excluded, periodic->stride, first,
                    last < periodic->molecules ? last : periodic->molecules, pass->q, pass->f,
                    pass->wanted == RILL_WANT_ENERGIES ? &periodic->block_energy[block] : NULL);
}

static enum rill_status add_excluded(struct rill_periodic *periodic, const double *q, double *f, bool wanted,
                                     double *value, struct rill_error *error) {
  struct pass pass = {.periodic = periodic, .q = q, .f = f, .wanted = wanted ? RILL_WANT_ENERGIES : RILL_WANT_FORCES};
  const size_t blocks = count_blocks(periodic);
  struct rill_exact_sum energy = {0};
  *value = 0.0;
  if (!periodic->excluded.any) return RILL_OK;
  rill_team_run(periodic->team, blocks, false, add_excluded_block, &pass);
  for (size_t b = 0; b < blocks; b++) rill_exact_merge(&energy, &periodic->block_energy[b]);
  if (wanted && periodic->halo != NULL) RILL_TRY(rill_exact_over_ranks(periodic->options.ranks, &energy, 1, error));
  *value = rill_exact_value(&energy);
  return RILL_OK;
}

enum rill_status rill_periodic_evaluate(struct rill_periodic *periodic, const double *q, double *f,
                                        struct rill_periodic_energies *energies, struct rill_error *error) {
  return rill_periodic_evaluate_beside(periodic, q, f, energies != NULL ? RILL_WANT_ENERGIES : RILL_WANT_FORCES,
                                       energies, (struct rill_beside){0}, error);
}

enum rill_status rill_periodic_evaluate_beside(struct rill_periodic *periodic, const double *q, double *f,
                                               enum rill_wanted wanted, struct rill_periodic_energies *energies,
                                               struct rill_beside beside, struct rill_error *error) {
  const size_t stride = periodic->stride;
  const bool all = wanted == RILL_WANT_ENERGIES;
  double excluded;
  if (wanted != RILL_WANT_FORCES) *energies = (struct rill_periodic_energies){0};
  if (periodic->options.reference) {
    struct rill_periodic_energies unused = {0};
    RILL_TRY(make_whole(periodic, q, error));
    q = periodic->whole;
    if (beside.work != NULL) beside.work(beside.context);
    memset(f, 0, RILL_COORDINATES * stride * sizeof *f);
    rill_periodic_reference(&periodic->model, &periodic->cell, &periodic->options, periodic->molecules, stride, q, f,
                            wanted != RILL_WANT_FORCES ? energies : &unused);
    if (beside.finish != NULL) beside.finish(beside.context, 0, 0, periodic->molecules);
  } else {
    RILL_TRY(vector_pairs(periodic, &q, f, wanted, energies, &beside, error));
    if (periodic->neighbours.outsiders > 0) {
      struct rill_periodic_energies unused = {0};
      rill_periodic_reference_marked(&periodic->model, &periodic->options, periodic->molecules, stride,
                                     periodic->neighbours.outside, q, f,
                                     wanted != RILL_WANT_FORCES ? energies : &unused);
    }
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = periodic->molecules; m < stride; m++) f[k * stride + m] = 0.0;
  }
  RILL_TRY(add_excluded(periodic, q, f, all, &excluded, error));
  if (wanted != RILL_WANT_FORCES) {
    energies->excluded = excluded;
    if (!all) energies->lj = energies->coulomb = energies->excluded = NAN;
    if (periodic->options.tail)
      rill_lennard_jones_tail(&periodic->lj, (double)periodic->all, periodic->cell.volume, &energies->lj_tail,
                              &energies->tail_virial);
  }
  periodic->evaluations++;
  return RILL_OK;
}

/* ---- reports ---- */

const uint32_t *rill_periodic_places(const struct rill_periodic *periodic) {
  if (!periodic->neighbours.fresh) return NULL; /* those of other positions, or of other molecules */
  return periodic->halo != NULL ? periodic->places : periodic->neighbours.slot_of;
}

const double *rill_periodic_seconds(const struct rill_periodic *periodic) { return periodic->seconds; }

const char *rill_periodic_phase_name(enum rill_periodic_phase phase) {
  static const char *const names[RILL_PERIODIC_PHASES] = {"lists", "pairs", "moving data"};
  return names[phase];
}

struct rill_team *rill_periodic_team(const struct rill_periodic *periodic) {
  return periodic->team;
}

const struct rill_cell *rill_periodic_cell(const struct rill_periodic *periodic) {
  return periodic->options.open ? NULL : &periodic->cell;
}

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
  counts.bytes +=
      rill_neighbours_bytes(n) + periodic->capacity * periodic->kernel->record_bytes * (periodic->parts + 1);
  return counts;
}

uint64_t rill_periodic_pairs(const struct rill_periodic *periodic) {
  const struct rill_neighbours *n = &periodic->neighbours;
  const uint32_t dummy = (uint32_t)rill_slots(n) - 1;
  uint64_t pairs = 0;
  if (periodic->options.reference) return 0;
  for (size_t i = 0; i < n->molecules; i++)
    for (size_t k = 0; k < RILL_GROUP * n->inner_groups[i]; k++) pairs += n->inner[n->first[i] + k] != dummy;
  return pairs;
}

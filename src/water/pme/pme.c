#include "water/pme/pme.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "config.h"
#include "water/model/site.h"
#include "water/pme/pass.h"

/* With fewer points the work is not worth sharing. */
enum { SERIAL_POINTS = 4096 };

static const struct rill_mesh_kernel *const kernels[RILL_ISA_COUNT][2] = {
    [RILL_ISA_PORTABLE] = {&rill_mesh_portable_double, &rill_mesh_portable_single},
#ifdef RILL_HAVE_NEON
    [RILL_ISA_NEON] = {&rill_mesh_neon_double, &rill_mesh_neon_single},
#endif
#ifdef RILL_HAVE_X86_VECTORS
    [RILL_ISA_AVX2] = {&rill_mesh_avx2_double, &rill_mesh_avx2_single},
    [RILL_ISA_AVX512] = {&rill_mesh_avx512_double, &rill_mesh_avx512_single},
    [RILL_ISA_AVX512VL] = {&rill_mesh_avx512_double, &rill_mesh_avx512_single},
#endif
};

static void put_real(void *array, size_t at, double value, int single) {
  if (single) ((float *)array)[at] = (float)value;
  else ((double *)array)[at] = value;
}

static double wave_number(size_t k, size_t grid) { return 2 * k > grid ? (double)k - (double)grid : (double)k; }

double rill_pme_beta_max(const struct rill_water_model *model) {
  return 1.6 / fmax(model->bond[0], fmax(model->bond[1], model->bond[2]));
}

/* For how many molecules the sums of gathering have room: by the exclusions of one, with a tenth for its vibrations.
 */
static size_t most_molecules(const struct rill_water_model *model, double beta) {
  const struct rill_water_model of = rill_water_charges(model);
  double energy = 0.0;
  for (int k = 0; k < RILL_BONDS; k++)
    energy += of.coulomb_constant * of.charge[rill_bond_ends[k][0]] * of.charge[rill_bond_ends[k][1]] *
              erf(beta * of.bond[k]) / of.bond[k];
  return (size_t)(0x1p63 * RILL_GATHER_UNIT / (1.1 * fabs(energy)));
}

static enum rill_status check_molecules(const struct rill_water_model *model, size_t molecules, size_t stride,
                                        double beta, struct rill_error *error) {
  if (stride < molecules || stride % RILL_LANES != 0)
    return rill_error_set(
        error, RILL_ERROR_INPUT,
        "row stride %zu for %zu molecules; expected a multiple of %d that is not below their number", stride,
        molecules, RILL_LANES);
  if (molecules > most_molecules(model, beta))
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%zu molecules on a mesh; expected at most %zu: sums of their energies as 64-bit integers "
                          "would overflow",
                          molecules, most_molecules(model, beta));
  return RILL_OK;
}

static enum rill_status check(const struct rill_water_model *model, size_t molecules, size_t stride,
                              const struct rill_pme_parameters *parameters, enum rill_isa isa, bool divided,
                              struct rill_error *error) {
  if (molecules == 0 && !divided)
    return rill_error_set(error, RILL_ERROR_INPUT, "a mesh for no molecule; expected at least one");
  if (parameters->order < 4 || parameters->order > rill_pme_order_max(parameters->precision))
    return rill_error_set(error, RILL_ERROR_INPUT, "PME of order %d; expected 4 to %d", parameters->order,
                          rill_pme_order_max(parameters->precision));
  for (int i = 0; i < 3; i++)
    if (parameters->grid[i] < (size_t)parameters->order || parameters->grid[i] > 4096)
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "PME grid of %zu points along %c; expected at least the order, %d, and at most 4096",
                            parameters->grid[i], 'a' + i, parameters->order);
  if (parameters->grid[2] % 2 != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "PME grid of %zu points along c; expected an even number",
                          parameters->grid[2]);
  if (!(parameters->beta > 0.0 && parameters->beta <= rill_pme_beta_max(model)))
    return rill_error_set(error, RILL_ERROR_INPUT, "Ewald beta %g /nm; expected above 0 and at most %g",
                          parameters->beta, rill_pme_beta_max(model));
  if (isa >= RILL_ISA_COUNT || !rill_isa_available(isa) || kernels[isa][0] == NULL)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "no %s mesh kernel on this machine; its best is %s",
                          rill_isa_name(isa), rill_isa_name(rill_isa_best()));
  return check_molecules(model, molecules, stride, parameters->beta, error);
}

/* Returns a number of reals that is at least `count` and fills whole cache lines.  If the number of lines is large,
 * it is not a multiple of four: otherwise data that is accessed a row or a plane apart would map to a few sets of the
 * cache. */
static size_t padded(size_t count, size_t size) {
  const size_t lines = (count * size + RILL_ALIGNMENT - 1) / RILL_ALIGNMENT;
  return (lines > 4 && lines % 4 == 0 ? lines + 1 : lines) * RILL_ALIGNMENT / size;
}

/* Rows and planes about an atom, `order` each way, should differ in their addresses modulo a page: if these are
 * equal, processors mistake a load for one that depends on an earlier store, and the cache has only a few lines for
 * each.  Returns the least distance, bytes. */
static size_t distance_in_pages(size_t row, size_t plane, int order) {
  enum { PAGE = 4096 };
  size_t least = PAGE;
  for (int i = 0; i < order; i++)
    for (int j = i == 0 ? 1 : 1 - order; j < order; j++) {
      const size_t at = (size_t)((long)plane * i + (long)row * j) % PAGE;
      const size_t distance = at < PAGE - at ? at : PAGE - at;
      if (distance < least) least = distance;
    }
  return least;
}

/* Returns the plane's length in bytes. */
static size_t choose_plane(size_t row, size_t rows, int order) {
  size_t best = rows * row, distance = 0;
  for (size_t lines = 0; lines < 64 && distance < RILL_ALIGNMENT; lines++) {
    const size_t plane = rows * row + lines * RILL_ALIGNMENT, apart = distance_in_pages(row, plane, order);
    if (apart <= distance) continue;
    best = plane;
    distance = apart;
  }
  return best;
}

enum { LARGE_BYTES = 1 << 24 };

/* Units of charge per e, a power of two.  32 bits have room for sums of 8 e plus twice the charges of both signs in a
 * point's volume of liquid water (56 e/nm3), hence for more than thirty oxygens of 0.834 e on one point; and in
 * proportion for larger charges.  Conversions to 64 bits are limited to 2^51, and no weight exceeds (2/3)^3. */
static double choose_scale(const struct rill_mesh *mesh, int single) {
  const double points = (double)mesh->grid[0] * (double)mesh->grid[1] * (double)mesh->grid[2];
  const double *charge = mesh->model.charge, largest = fmax(fabs(charge[0]), fmax(fabs(charge[1]), fabs(charge[2])));
  const double room = (8.0 + 2.0 * 56.0 * mesh->lattice.volume / points) * fmax(1.0, largest / 0.834);
  if (!single) return exp2(floor(log2(0x1p51 * 27.0 / 8.0 / largest)));
  return exp2(floor(log2(0x1p31 / room)));
}

static int is_rectangular(const struct rill_lattice *lattice) {
  return lattice->box[1][0] == 0.0 && lattice->box[2][0] == 0.0 && lattice->box[2][1] == 0.0;
}

/* The rows of the influence function that are stored, along a and b: over ranks those of a rank's pairs. */
static void find_kept(const struct rill_pme *pme, struct rill_pme_range kept[2]) {
  const int folded = is_rectangular(&pme->mesh.lattice);
  for (int i = 0; i < 2; i++)
    kept[i] = (struct rill_pme_range){0, folded ? pme->mesh.grid[i] / 2 + 1 : pme->mesh.grid[i]};
  if (pme->slabs != NULL) kept[1] = (struct rill_pme_range){pme->slabs->pair, pme->slabs->pair + pme->slabs->pairs};
}

/* Makes room for the molecules: what the arrays held is lost when they grow. */
static bool allocate_molecules(struct rill_pme *pme, size_t molecules, size_t stride) {
  struct rill_mesh *mesh = pme->near;
  bool made = true;
  mesh->molecules = molecules;
  mesh->stride = stride;
  pme->blocks = (molecules + RILL_LANES - 1) / RILL_LANES;
  if (pme->blocks > pme->blocks_room || mesh->records == NULL) {
    rill_release(mesh->records);
    rill_release(mesh->occupancy);
    mesh->records = rill_allocate(pme->blocks * RILL_LANES, pme->kernel->record_bytes);
    mesh->occupancy = rill_allocate(pme->blocks, sizeof *mesh->occupancy);
    made = mesh->records != NULL && mesh->occupancy != NULL;
    pme->blocks_room = made ? pme->blocks : 0;
  }
  if (pme->site_weight != 0.0 && (stride > pme->stride_room || pme->charges == NULL)) {
    rill_release(pme->charges);
    rill_release(pme->forces);
    pme->charges = rill_allocate(RILL_COORDINATES * stride, sizeof *pme->charges);
    pme->forces = rill_allocate(RILL_COORDINATES * stride, sizeof *pme->forces);
    made &= pme->charges != NULL && pme->forces != NULL;
    pme->stride_room = made ? stride : 0;
  }
  return made;
}

/* Where planes and rows begin that a spline touches; those that are not in a region are its first ones, so that no
 * point is outside the array. */
static void find_offsets(struct rill_pme *pme) {
  struct rill_mesh *mesh = pme->near;
  const size_t order = (size_t)mesh->order, *grid = mesh->grid;
  for (size_t k = 0; k < grid[0] + order; k++) {
    const size_t plane = pme->slabs == NULL ? k % grid[0] : rill_slabs_region_plane(pme->slabs, k % grid[0]);
    mesh->plane_offset[k] = (plane == SIZE_MAX ? 0 : plane) * mesh->plane_length;
  }
  for (size_t k = 0; k < grid[1] + order; k++) {
    const size_t row = pme->slabs == NULL ? k % grid[1] : rill_slabs_region_row(pme->slabs, k % grid[1]);
    mesh->row_offset[k] = (row == SIZE_MAX ? 0 : row) * mesh->row_length;
  }
  for (size_t k = 0; k <= grid[0]; k++) {
    mesh->touched[k] = 0;
    for (size_t i = 0; i < order; i++)
      mesh->touched[k] |= rill_plane_group(mesh, mesh->plane_offset[k + i] / mesh->plane_length);
  }
}

static enum rill_status no_memory(const struct rill_pme *pme, struct rill_error *error) {
  const size_t *grid = pme->mesh.grid;
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a mesh of %zu x %zu x %zu points", grid[0], grid[1],
                        grid[2]);
}

/* Over ranks: the region in the mesh's box. */
static enum rill_status find_region(struct rill_pme *pme, struct rill_error *error) {
  struct rill_mesh region = pme->mesh;
  const struct rill_region *own = pme->slabs->own;
  size_t reals;
  RILL_TRY(rill_slabs_set_box(pme->slabs, &pme->mesh.lattice, pme->mesh.row_length, pme->mesh.plane_length, error));
  region.molecules = pme->region.molecules;
  region.stride = pme->region.stride;
  region.records = pme->region.records;
  region.occupancy = pme->region.occupancy;
  region.points = pme->region.points;
  for (int axis = 0; axis < 3; axis++) region.within[axis] = pme->slabs->within[axis];
  region.plane_length =
      choose_plane(region.row_length * pme->real_bytes, own->count[1], region.order) / pme->real_bytes;
  region.is_large = own->count[0] * region.plane_length * pme->real_bytes > LARGE_BYTES;
  reals = own->count[0] * region.plane_length + RILL_MESH_MARGIN;
  if (reals > pme->region_room) {
    rill_release(region.points);
    region.points = rill_allocate(reals, pme->real_bytes);
    pme->region_room = region.points != NULL ? reals : 0;
  }
  pme->region = region;
  if (pme->slabs->merged && region.points != NULL)
    pme->mesh.points =
        (char *)region.points + rill_slabs_merged_at(pme->slabs) * region.plane_length * pme->real_bytes;
  if (region.points == NULL) return no_memory(pme, error);
  find_offsets(pme);
  return RILL_OK;
}

/* Over ranks: plans for rows that lie close together, or the space for rows a plane apart. */
static enum rill_status find_lines(struct rill_pme *pme, const struct rill_fourier_shape *shape, bool always_apart,
                                   struct rill_error *error) {
  const size_t bytes = shape->grid[0] * pme->mesh.plane_length * pme->real_bytes;
  void *apart = rill_slabs_reserve(bytes);
  enum rill_fourier_equality equality = RILL_FOURIER_NO_MEMORY;
  if (apart != NULL)
    equality = rill_fourier_close(shape, apart, pme->scratch + pme->close_place, pme->scratch, &pme->mesh.fourier);
  rill_slabs_unreserve(apart, bytes);
  if (equality == RILL_FOURIER_DIFFERENT || (always_apart && equality == RILL_FOURIER_SAME)) {
    pme->apart = rill_slabs_reserve(pme->parts * bytes);
    pme->apart_bytes = bytes;
  }
  return equality == RILL_FOURIER_NO_MEMORY || (pme->apart_bytes != 0 && pme->apart == NULL) ? no_memory(pme, error)
                                                                                             : RILL_OK;
}

static enum rill_status allocate(struct rill_pme *pme, bool always_apart, struct rill_error *error) {
  struct rill_mesh *mesh = &pme->mesh;
  const int single = pme->parameters.precision == RILL_MESH_SINGLE;
  const size_t *grid = mesh->grid, size = single ? sizeof(float) : sizeof(double), order = (size_t)mesh->order;
  const size_t planes = pme->slabs == NULL ? grid[0] : pme->slabs->planes > 0 ? pme->slabs->planes : 1;
  const bool merged = pme->slabs != NULL && pme->slabs->merged;
  struct rill_pme_range kept[2];
  enum rill_status status = RILL_OK;
  size_t rows, points_bytes;
  int made;
  find_kept(pme, kept);
  rows = (kept[0].end - kept[0].first) * (kept[1].end - kept[1].first);
  mesh->row_length = padded(grid[2] + (size_t)RILL_MESH_ROW(mesh->order), size);
  mesh->half = grid[2] / 2;
  mesh->spectrum_row = padded(2 * mesh->half, size) / 2;
  mesh->plane_length = choose_plane(mesh->row_length * size, grid[1], mesh->order) / size;
  mesh->is_large = planes * mesh->plane_length * size > LARGE_BYTES;
  mesh->scale = choose_scale(mesh, single);
  points_bytes = planes * mesh->plane_length * size;
  mesh->points = merged ? rill_slabs_reserve(points_bytes) : rill_allocate(planes * mesh->plane_length, size);
  mesh->sum = rill_allocate(rows * mesh->spectrum_row + RILL_LANES, size); /* vectors read beyond it */
  mesh->difference = rill_allocate(rows * mesh->spectrum_row + RILL_LANES, size);
  mesh->influence_a = rill_allocate(grid[0], sizeof(size_t));
  mesh->influence_b = rill_allocate(grid[1], sizeof(size_t));
  mesh->waves_a = rill_allocate(grid[0], sizeof(double));
  mesh->waves_b = rill_allocate(grid[1], sizeof(double));
  mesh->waves_c = rill_allocate(mesh->spectrum_row, sizeof(double));
  mesh->cosine = rill_allocate(mesh->spectrum_row, sizeof(double));
  mesh->sine = rill_allocate(mesh->spectrum_row, sizeof(double));
  mesh->share = rill_allocate(mesh->spectrum_row, sizeof(double));
  mesh->cosine_twice = rill_allocate(2 * mesh->spectrum_row, size);
  mesh->sine_twice = rill_allocate(2 * mesh->spectrum_row, size);
  mesh->plane_offset = rill_allocate(grid[0] + order, sizeof(size_t));
  mesh->row_offset = rill_allocate(grid[1] + order, sizeof(size_t));
  mesh->touched = rill_allocate(grid[0] + 1, sizeof *mesh->touched);
  pme->lines_bytes = 2 * size * grid[0] * mesh->spectrum_row;
  pme->scratch_bytes = 2 * pme->lines_bytes + 4 * (mesh->spectrum_row + RILL_MESH_MARGIN) * size;
  pme->close_place = pme->scratch_bytes;
  if (pme->slabs != NULL) pme->scratch_bytes += pme->lines_bytes;
  if (pme->scratch_bytes < 2 * grid[1] * mesh->spectrum_row * size)
    pme->scratch_bytes = 2 * grid[1] * mesh->spectrum_row * size;
  pme->scratch = rill_allocate(pme->parts, pme->scratch_bytes);
  pme->wave_sums = rill_allocate(2 * grid[1], sizeof *pme->wave_sums);
  pme->sums = rill_allocate(pme->threads, sizeof *pme->sums);
  made = mesh->points && mesh->sum && mesh->difference && mesh->influence_a && mesh->influence_b && mesh->waves_a &&
         mesh->waves_b && mesh->waves_c && mesh->cosine && mesh->sine && mesh->share && mesh->cosine_twice &&
         mesh->sine_twice && mesh->plane_offset && mesh->row_offset && mesh->touched && pme->scratch &&
         pme->wave_sums && pme->sums;
  if (made) {
    const struct rill_fourier_shape shape = {
        {grid[0], grid[1], grid[2]}, mesh->row_length / 2, mesh->plane_length / 2, mesh->spectrum_row};
    made = rill_fourier_create(&shape, single, mesh->points, pme->scratch, &mesh->fourier);
    if (made && pme->slabs != NULL) status = find_lines(pme, &shape, always_apart, error);
  }
  if (merged) { /* plans look at its alignment; find_region knows its place */
    rill_slabs_unreserve(mesh->points, points_bytes);
    mesh->points = NULL;
  }
  if (!made) return no_memory(pme, error);
  RILL_TRY(status);
  for (size_t x = 0; x < grid[0]; x++)
    mesh->influence_a[x] = (x < kept[0].end ? x : grid[0] - x) * mesh->spectrum_row;
  for (size_t y = 0; y < grid[1]; y++) {
    const size_t row = is_rectangular(&mesh->lattice) && 2 * y > grid[1] ? grid[1] - y : y;
    if (row >= kept[1].first && row < kept[1].end)
      mesh->influence_b[y] = (row - kept[1].first) * kept[0].end * mesh->spectrum_row;
  }
  for (size_t k = 0; k < grid[0]; k++) mesh->waves_a[k] = wave_number(k, grid[0]);
  for (size_t k = 0; k < grid[1]; k++) mesh->waves_b[k] = wave_number(k, grid[1]);
  for (size_t l = 0; l < mesh->half; l++) {
    const double angle = 2.0 * M_PI * (double)l / (double)grid[2];
    mesh->waves_c[l] = (double)l;
    mesh->cosine[l] = cos(angle);
    mesh->sine[l] = sin(angle);
    mesh->share[l] = l == 0 ? 0.0625 : 0.125;
    for (size_t k = 2 * l; k < 2 * l + 2; k++) {
      put_real(mesh->cosine_twice, k, mesh->cosine[l], single);
      put_real(mesh->sine_twice, k, mesh->sine[l], single);
    }
  }
  return RILL_OK;
}

/* Computes M_n at first, first + 1, ... */
static void find_spline(int order, double first, double spline[RILL_PME_ORDER_MAX]) {
  memset(spline, 0, RILL_PME_ORDER_MAX * sizeof *spline);
  spline[0] = first; /* M_2 */
  spline[1] = 1.0 - first;
  for (int n = 3; n <= order; n++)
    for (int k = n - 1; k >= 0; k--) {
      const double u = first + k;
      spline[k] = (u * spline[k] + (n - u) * (k > 0 ? spline[k - 1] : 0.0)) / (n - 1);
    }
}

/* |b(h)|2, equation 4.4 of Essmann et al., which makes a wave exact at the points of a spline; for odd orders, whose
 * splines there lose the wave of half the grid, between two points.  For even orders that wave has the largest error;
 * it is omitted, so that the potential is real and the forces are its derivatives in skew boxes too. */
static void find_moduli(int order, size_t grid, double *moduli) {
  double spline[RILL_PME_ORDER_MAX];
  find_spline(order, order % 2 == 0 ? 0.0 : 0.5, spline);
  for (size_t h = 0; h < grid; h++) {
    double re = 0.0, im = 0.0;
    for (int k = 0; k < order; k++) {
      const double angle = 2.0 * M_PI * (double)(h * (size_t)k % grid) / (double)grid;
      re += spline[k] * cos(angle);
      im += spline[k] * sin(angle);
    }
    moduli[h] = 2 * h == grid ? 0.0 : 1.0 / (re * re + im * im);
  }
}

/* The influence of the wave (j, k, l), without the splines' moduli. */
static double influence_of(const struct rill_mesh *mesh, double j, double k, double l) {
  const double(*inverse)[3] = mesh->lattice.inverse;
  double m2 = 0.0;
  for (size_t c = 0; c < 3; c++) {
    const double m = j * inverse[c][0] + k * inverse[c][1] + l * inverse[c][2];
    m2 += m * m;
  }
  if (m2 == 0.0) return 0.0;
  return mesh->model.coulomb_constant / (M_PI * mesh->lattice.volume * m2) * exp(-mesh->decay * m2);
}

static enum rill_status find_all_moduli(struct rill_pme *pme, struct rill_error *error) {
  const struct rill_mesh *mesh = &pme->mesh;
  for (size_t i = 0; i < 3; i++) {
    pme->moduli[i] = rill_allocate(mesh->grid[i], sizeof *pme->moduli[i]);
    if (pme->moduli[i] == NULL)
      return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the influence function");
    find_moduli(mesh->order, mesh->grid[i], pme->moduli[i]);
  }
  return RILL_OK;
}

/* Computes the rows of the influence function that are stored. */
static void find_influence(struct rill_pme *pme) {
  const struct rill_mesh *mesh = &pme->mesh;
  const int single = pme->parameters.precision == RILL_MESH_SINGLE;
  const size_t half = mesh->half;
  double *const *moduli = pme->moduli;
  struct rill_pme_range kept[2];
  find_kept(pme, kept);
  for (size_t y = kept[1].first; y < kept[1].end; y++)
    for (size_t x = 0; x < kept[0].end; x++)
      for (size_t l = 0; l < half; l++) {
        const size_t at = rill_influence_row(mesh, x, y) + l;
        const double j = mesh->waves_a[x], k = mesh->waves_b[y], splines = moduli[0][x] * moduli[1][y];
        const double low = splines * moduli[2][l] * influence_of(mesh, j, k, (double)l);
        const double high = splines * moduli[2][l + half] * influence_of(mesh, j, k, (double)l - (double)half);
        put_real(mesh->sum, at, low + high, single);
        put_real(mesh->difference, at, low - high, single);
      }
}

/* erf(beta r) / r = 2 beta / sqrt(pi) sum over n of (-1)^n (beta r)^2n / (n! (2n + 1)), with as many terms as one and
 * a half times the longest bond needs. */
static void find_exclusion(struct rill_pme *pme) {
  const double *bond = pme->mesh.model.bond, beta2 = pme->parameters.beta * pme->parameters.beta;
  const double longest = 1.5 * fmax(bond[0], fmax(bond[1], bond[2])), x2 = beta2 * longest * longest;
  double power = pme->parameters.beta * M_2_SQRTPI, size = 1.0;
  int n = 0;
  for (; n < RILL_EXCLUSION_TERMS && size > 1e-17; n++) {
    pme->mesh.exclusion[n] = power / (2 * n + 1);
    pme->mesh.exclusion_slope[n] = n * pme->mesh.exclusion[n];
    power *= -beta2 / (n + 1);
    size *= x2 / (n + 1);
  }
  pme->mesh.terms = n;
}

/* This rank's part of creation. */
static enum rill_status create(const struct rill_water_model *model, size_t molecules, size_t stride,
                               const double box[3][3], const struct rill_pme_parameters *parameters,
                               enum rill_isa isa, const struct rill_pme_division *division, struct rill_pme *made,
                               struct rill_error *error) {
  const size_t all = division != NULL ? division->molecules : molecules;
  RILL_TRY(check(model, molecules, stride, parameters, isa, division != NULL, error));
  made->parameters = *parameters;
  made->threads = (size_t)rill_team_threads(made->team);
  made->parts = parameters->grid[0] * parameters->grid[1] * parameters->grid[2] < SERIAL_POINTS ? 1 : made->threads;
  made->kernel = kernels[isa][parameters->precision == RILL_MESH_SINGLE];
  made->real_bytes = parameters->precision == RILL_MESH_SINGLE ? sizeof(float) : sizeof(double);
  made->mesh.model = rill_water_charges(model);
  made->site_weight = model->site_weight;
  made->mesh.order = parameters->order;
  made->mesh.decay = M_PI * M_PI / (parameters->beta * parameters->beta);
  memcpy(made->mesh.grid, parameters->grid, sizeof made->mesh.grid);
  for (int a = 0; a < RILL_ATOMS; a++)
    made->self -= (double)all * model->coulomb_constant * model->charge[a] * model->charge[a] * parameters->beta *
                  0.5 * M_2_SQRTPI;
  RILL_TRY(rill_lattice_find(model, box, &made->mesh.lattice, error));
  if (division != NULL) {
    const int *bricks = division->bricks->count;
    if (bricks[0] * bricks[1] * bricks[2] != division->ranks->count)
      return rill_error_set(error, RILL_ERROR_INPUT, "%d x %d x %d bricks for %d ranks; expected one for each",
                            bricks[0], bricks[1], bricks[2], division->ranks->count);
    if (!is_rectangular(&made->mesh.lattice))
      return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "a mesh in a skew box over ranks; expected one rank");
    made->pass = rill_allocate(1, sizeof *made->pass);
    if (made->pass == NULL) return no_memory(made, error);
    RILL_TRY(rill_slabs_create(division, parameters->grid, parameters->order, made->real_bytes, &made->slabs, error));
  }
  RILL_TRY(allocate(made, division != NULL && division->apart, error));
  RILL_TRY(find_all_moduli(made, error));
  find_influence(made);
  find_exclusion(made);
  if (made->slabs != NULL) RILL_TRY(find_region(made, error));
  else find_offsets(made);
  return allocate_molecules(made, molecules, stride) ? RILL_OK : no_memory(made, error);
}

enum rill_status rill_pme_create_divided(const struct rill_water_model *model, size_t molecules, size_t stride,
                                         const double box[3][3], const struct rill_pme_parameters *parameters,
                                         enum rill_isa isa, struct rill_team *team,
                                         const struct rill_pme_division *division, struct rill_pme **pme,
                                         struct rill_error *error) {
  struct rill_pme *made = rill_allocate(1, sizeof *made);
  enum rill_status status = RILL_OK;
  *pme = NULL;
  if (division != NULL && division->ranks->count == 1) division = NULL;
  if (made == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the mesh");
  if (status == RILL_OK) {
    made->team = team;
    made->near = division != NULL ? &made->region : &made->mesh;
    status = create(model, molecules, stride, box, parameters, isa, division, made, error);
  }
  if (division != NULL)
    status = rill_slabs_agree(division, parameters, box, isa,
                              status == RILL_OK ? rill_fourier_fingerprint(&made->mesh.fourier) : 0, status, error);
  if (status == RILL_OK) *pme = made;
  else rill_pme_destroy(made);
  return status;
}

enum rill_status rill_pme_create(const struct rill_water_model *model, size_t molecules, size_t stride,
                                 const double box[3][3], const struct rill_pme_parameters *parameters,
                                 enum rill_isa isa, struct rill_team *team, struct rill_pme **pme,
                                 struct rill_error *error) {
  return rill_pme_create_divided(model, molecules, stride, box, parameters, isa, team, NULL, pme, error);
}

enum rill_status rill_pme_set_molecules(struct rill_pme *pme, size_t molecules, size_t stride,
                                        struct rill_error *error) {
  RILL_TRY(check_molecules(&pme->mesh.model, molecules, stride, pme->parameters.beta, error));
  return allocate_molecules(pme, molecules, stride) ? RILL_OK : no_memory(pme, error);
}

enum rill_status rill_pme_set_box(struct rill_pme *pme, const double box[3][3], struct rill_error *error) {
  struct rill_mesh *mesh = &pme->mesh;
  const int rectangular = is_rectangular(&mesh->lattice);
  struct rill_lattice lattice;
  RILL_TRY(rill_lattice_find(&mesh->model, box, &lattice, error));
  if (is_rectangular(&lattice) != rectangular)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "a mesh for a %s box; expected another of this kind",
                          rectangular ? "rectangular" : "skew");
  mesh->lattice = lattice;
  mesh->scale = choose_scale(mesh, pme->parameters.precision == RILL_MESH_SINGLE);
  find_influence(pme);
  return pme->slabs != NULL ? find_region(pme, error) : RILL_OK;
}

bool rill_pme_is_divided(const struct rill_pme *pme) { return pme->slabs != NULL; }

bool rill_pme_is_outside(const struct rill_pme *pme) { return pme->outside; }

enum rill_status rill_pme_failure(const struct rill_pme *pme, struct rill_error *error) {
  if (pme->slabs == NULL || pme->slabs->error.status == RILL_OK) return RILL_OK;
  return rill_error_set(error, pme->slabs->error.status, "%s", pme->slabs->error.text);
}

struct rill_pme_traffic rill_pme_traffic(const struct rill_pme *pme, enum rill_pme_traffic_kind kind) {
  return pme->slabs != NULL ? pme->slabs->traffic[kind] : (struct rill_pme_traffic){0, 0};
}

const double *rill_pme_seconds(const struct rill_pme *pme) { return pme->seconds; }

const char *rill_pme_phase_name(enum rill_pme_phase phase) {
  static const char *const names[RILL_PME_PHASES] = {"spread", "transforms", "solve", "gather"};
  return names[phase];
}

void rill_pme_destroy(struct rill_pme *pme) {
  if (pme == NULL) return;
  rill_fourier_destroy(&pme->mesh.fourier);
  rill_release(pme->pass);
  rill_slabs_unreserve(pme->apart, pme->parts * pme->apart_bytes);
  rill_release(pme->near->records);
  rill_release(pme->near->occupancy);
  rill_release(pme->region.points);
  if (pme->slabs == NULL || !pme->slabs->merged) rill_release(pme->mesh.points);
  rill_release(pme->mesh.sum);
  rill_release(pme->mesh.difference);
  rill_release(pme->mesh.influence_a);
  rill_release(pme->mesh.influence_b);
  rill_release(pme->mesh.cosine_twice);
  rill_release(pme->mesh.sine_twice);
  rill_release(pme->mesh.share);
  rill_release(pme->mesh.cosine);
  rill_release(pme->mesh.sine);
  rill_release(pme->mesh.waves_a);
  rill_release(pme->mesh.waves_b);
  rill_release(pme->mesh.waves_c);
  rill_release(pme->mesh.plane_offset);
  rill_release(pme->mesh.row_offset);
  rill_release(pme->mesh.touched);
  rill_release(pme->charges);
  rill_release(pme->forces);
  rill_release(pme->scratch);
  rill_release(pme->wave_sums);
  rill_release(pme->sums);
  for (int i = 0; i < 3; i++) rill_release(pme->moduli[i]);
  rill_slabs_destroy(pme->slabs);
  rill_release(pme);
}

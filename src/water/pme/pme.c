#include "water/pme/pme.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/timers.h"
#include "config.h"
#include "water/model/site.h"
#include "water/pme/mesh.h"

/* With fewer points the work is not worth sharing. */
enum { SERIAL_POINTS = 4096 };

struct rill_pme {
  struct rill_mesh mesh;
  struct rill_pme_parameters parameters;
  struct rill_team *team; /* not owned */
  size_t parts;           /* of the work, one thread each */
  const struct rill_mesh_kernel *kernel;
  size_t blocks;
  size_t real_bytes, lines_bytes; /* real_bytes: of a real; lines_bytes: of all lines along a of one b */
  size_t scratch_bytes;
  char *scratch;                    /* [parts]: a plane, or lines of two b and the buffers for mixing them */
  struct rill_wave_sums *wave_sums; /* [grid1] */
  struct rill_gather_sums *sums;    /* [threads] */
  size_t threads;
  double *moduli[3]; /* [grid] each, of the splines along an axis */
  double self;
  double site_weight;       /* 0: the next two are NULL, and the atoms are the charges */
  double *charges, *forces; /* [9][stride]: positions of, and forces on, the charges */
  double seconds[RILL_PME_PHASES];
};

static const struct rill_mesh_kernel *const kernels[RILL_ISA_COUNT][2] = {
    [RILL_ISA_PORTABLE] = {&rill_mesh_portable_double, &rill_mesh_portable_single},
#ifdef RILL_HAVE_X86_VECTORS
    [RILL_ISA_AVX2] = {&rill_mesh_avx2_double, &rill_mesh_avx2_single},
    [RILL_ISA_AVX512] = {&rill_mesh_avx512_double, &rill_mesh_avx512_single},
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

static enum rill_status check(const struct rill_water_model *model, size_t molecules, size_t stride,
                              const struct rill_pme_parameters *parameters, enum rill_isa isa,
                              struct rill_error *error) {
  if (molecules == 0 || stride < molecules || stride % RILL_LANES != 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "row stride %zu for %zu molecules; expected at least one molecule, and a multiple of %d "
                          "that is not below their number",
                          stride, molecules, RILL_LANES);
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
  if (molecules > most_molecules(model, parameters->beta))
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%zu molecules on a mesh; expected at most %zu: sums of their energies as 64-bit integers "
                          "would overflow",
                          molecules, most_molecules(model, parameters->beta));
  return RILL_OK;
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

/* The rows of the influence function that are stored, along a and b. */
static void count_kept(const struct rill_mesh *mesh, size_t kept[2]) {
  const int folded = is_rectangular(&mesh->lattice);
  for (int i = 0; i < 2; i++) kept[i] = folded ? mesh->grid[i] / 2 + 1 : mesh->grid[i];
}

static enum rill_status allocate(struct rill_pme *pme, struct rill_error *error) {
  struct rill_mesh *mesh = &pme->mesh;
  const int single = pme->parameters.precision == RILL_MESH_SINGLE;
  const size_t *grid = mesh->grid, size = single ? sizeof(float) : sizeof(double), order = (size_t)mesh->order;
  size_t kept[2];
  int made;
  count_kept(mesh, kept);
  mesh->row_length = padded(grid[2] + (size_t)RILL_MESH_ROW(mesh->order), size);
  mesh->half = grid[2] / 2;
  mesh->spectrum_row = padded(2 * mesh->half, size) / 2;
  mesh->plane_length = choose_plane(mesh->row_length * size, grid[1], mesh->order) / size;
  mesh->is_large = grid[0] * mesh->plane_length * size > LARGE_BYTES;
  mesh->scale = choose_scale(mesh, single);
  mesh->points = rill_allocate(grid[0] * mesh->plane_length, size);
  mesh->sum = rill_allocate(kept[0] * kept[1] * mesh->spectrum_row + RILL_LANES, size); /* vectors read beyond it */
  mesh->difference = rill_allocate(kept[0] * kept[1] * mesh->spectrum_row + RILL_LANES, size);
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
  if (pme->site_weight != 0.0) {
    pme->charges = rill_allocate(RILL_COORDINATES * mesh->stride, sizeof *pme->charges);
    pme->forces = rill_allocate(RILL_COORDINATES * mesh->stride, sizeof *pme->forces);
  }
  pme->blocks = (mesh->molecules + RILL_LANES - 1) / RILL_LANES;
  mesh->touched = rill_allocate(grid[0] + 1, sizeof *mesh->touched);
  mesh->records = rill_allocate(pme->blocks * RILL_LANES, pme->kernel->record_bytes);
  mesh->occupancy = rill_allocate(pme->blocks, sizeof *mesh->occupancy);
  pme->real_bytes = size;
  pme->lines_bytes = 2 * size * grid[0] * mesh->spectrum_row;
  pme->scratch_bytes = 2 * pme->lines_bytes + 4 * (mesh->spectrum_row + RILL_MESH_MARGIN) * size;
  if (pme->scratch_bytes < 2 * grid[1] * mesh->spectrum_row * size)
    pme->scratch_bytes = 2 * grid[1] * mesh->spectrum_row * size;
  pme->scratch = rill_allocate(pme->parts, pme->scratch_bytes);
  pme->wave_sums = rill_allocate(grid[1], sizeof *pme->wave_sums);
  pme->sums = rill_allocate(pme->threads, sizeof *pme->sums);
  made = mesh->points && mesh->sum && mesh->difference && mesh->influence_a && mesh->influence_b && mesh->waves_a &&
         mesh->waves_b && mesh->waves_c && mesh->cosine && mesh->sine && mesh->share && mesh->cosine_twice &&
         mesh->sine_twice && mesh->plane_offset && mesh->row_offset && mesh->touched && mesh->records &&
         mesh->occupancy && pme->scratch && pme->wave_sums && pme->sums &&
         (pme->site_weight == 0.0 || (pme->charges && pme->forces));
  if (made) {
    const struct rill_fourier_shape shape = {
        {grid[0], grid[1], grid[2]}, mesh->row_length / 2, mesh->plane_length / 2, mesh->spectrum_row};
    made = rill_fourier_create(&shape, single, mesh->points, pme->scratch, &mesh->fourier);
  }
  if (!made)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a mesh of %zu x %zu x %zu points", grid[0],
                          grid[1], grid[2]);
  for (size_t x = 0; x < grid[0]; x++) mesh->influence_a[x] = (x < kept[0] ? x : grid[0] - x) * mesh->spectrum_row;
  for (size_t y = 0; y < grid[1]; y++)
    mesh->influence_b[y] = (y < kept[1] ? y : grid[1] - y) * kept[0] * mesh->spectrum_row;
  for (size_t k = 0; k < grid[0] + order; k++) mesh->plane_offset[k] = k % grid[0] * mesh->plane_length;
  for (size_t k = 0; k < grid[1] + order; k++) mesh->row_offset[k] = k % grid[1] * mesh->row_length;
  for (size_t k = 0; k <= grid[0]; k++)
    for (size_t i = 0; i < order; i++) mesh->touched[k] |= rill_plane_group(mesh, k + i);
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
  size_t kept[2];
  count_kept(mesh, kept);
  for (size_t y = 0; y < kept[1]; y++)
    for (size_t x = 0; x < kept[0]; x++)
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

enum rill_status rill_pme_create(const struct rill_water_model *model, size_t molecules, size_t stride,
                                 const double box[3][3], const struct rill_pme_parameters *parameters,
                                 enum rill_isa isa, struct rill_team *team, struct rill_pme **pme,
                                 struct rill_error *error) {
  struct rill_pme *made;
  enum rill_status status;
  *pme = NULL;
  RILL_TRY(check(model, molecules, stride, parameters, isa, error));
  made = rill_allocate(1, sizeof *made);
  if (made == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the mesh");
  made->parameters = *parameters;
  made->team = team;
  made->threads = (size_t)rill_team_threads(team);
  made->parts = parameters->grid[0] * parameters->grid[1] * parameters->grid[2] < SERIAL_POINTS ? 1 : made->threads;
  made->kernel = kernels[isa][parameters->precision == RILL_MESH_SINGLE];
  made->mesh.model = rill_water_charges(model);
  made->site_weight = model->site_weight;
  made->mesh.molecules = molecules;
  made->mesh.stride = stride;
  made->mesh.order = parameters->order;
  made->mesh.decay = M_PI * M_PI / (parameters->beta * parameters->beta);
  memcpy(made->mesh.grid, parameters->grid, sizeof made->mesh.grid);
  for (int a = 0; a < RILL_ATOMS; a++)
    made->self -= (double)molecules * model->coulomb_constant * model->charge[a] * model->charge[a] *
                  parameters->beta * 0.5 * M_2_SQRTPI;
  status = rill_lattice_find(model, box, &made->mesh.lattice, error);
  if (status == RILL_OK) status = allocate(made, error);
  if (status == RILL_OK) status = find_all_moduli(made, error);
  if (status != RILL_OK) {
    rill_pme_destroy(made);
    return status;
  }
  find_influence(made);
  find_exclusion(made);
  *pme = made;
  return RILL_OK;
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
  return RILL_OK;
}

/* Prefetches data that will be read or written a row or a plane apart. */
static void fetch(const char *from, size_t bytes) {
  for (size_t k = 0; k < bytes; k += RILL_ALIGNMENT) __builtin_prefetch(from + k, 0, 2);
}

/* Transforms waves of rows b = y and -y along a, multiplies them by the influence function, and transforms back. */
static void solve(struct rill_pme *pme, size_t y, char *scratch, bool wanted, double *seconds) {
  struct rill_mesh *mesh = &pme->mesh;
  const size_t row_bytes = mesh->row_length * pme->real_bytes, mirror_y = y == 0 ? 0 : mesh->grid[1] - y;
  char *lines = scratch, *mirror = y == mirror_y ? lines : lines + pme->lines_bytes;
  char *row = (char *)mesh->points + y * row_bytes, *mirror_row = (char *)mesh->points + mirror_y * row_bytes;
  for (size_t x = 0; x < mesh->grid[0]; x++) {
    const size_t plane = x * mesh->plane_length * pme->real_bytes, bytes = 2 * mesh->half * pme->real_bytes;
    fetch(row + plane, bytes);
    if (mirror != lines) fetch(mirror_row + plane, bytes);
  }
  rill_fourier_lines(&mesh->fourier, row, lines);
  if (mirror != lines) rill_fourier_lines(&mesh->fourier, mirror_row, mirror);
  if (seconds != NULL) *seconds -= rill_clock();
  pme->kernel->influence(mesh, y, lines, mirror, scratch + 2 * pme->lines_bytes, wanted ? pme->wave_sums : NULL);
  if (seconds != NULL) *seconds += rill_clock();
  rill_fourier_lines_back(&mesh->fourier, lines, row);
  if (mirror != lines) rill_fourier_lines_back(&mesh->fourier, mirror, mirror_row);
}

static void transform_plane(struct rill_pme *pme, size_t x, char *scratch, int back) {
  struct rill_mesh *mesh = &pme->mesh;
  char *plane = (char *)mesh->points + x * mesh->plane_length * pme->real_bytes;
  if (back) {
    rill_fourier_plane_back(&mesh->fourier, plane, scratch);
    pme->kernel->extend(mesh, x);
  } else {
    pme->kernel->fold(mesh, x);
    rill_fourier_plane(&mesh->fourier, plane, scratch);
  }
}

/* One evaluation, in stages that are divided into parts. */
struct pass {
  struct rill_pme *pme;
  const double *q;
  const uint32_t *places;
  double *f;
  bool wanted; /* whether energies are requested */
  size_t parts;
  double clock, solving; /* time in seconds, of the first part */
};

static void lap(struct pass *pass, size_t part, enum rill_pme_phase phase) {
  double now;
  if (part != 0) return;
  now = rill_clock();
  pass->pme->seconds[phase] += now - pass->clock;
  pass->clock = now;
}

struct share {
  size_t first, end;
};

static struct share share_of(const struct pass *pass, size_t count, size_t part) {
  return (struct share){rill_share(count, part, pass->parts), rill_share(count, part + 1, pass->parts)};
}

/* Where the kernels find the charges of the atoms q. */
static const double *charges_of(const struct rill_pme *pme, const double *q) {
  return pme->site_weight != 0.0 ? pme->charges : q;
}

static size_t end_of(const struct rill_pme *pme, size_t block) {
  return block * RILL_LANES < pme->mesh.molecules ? block * RILL_LANES : pme->mesh.molecules;
}

static void locate_part(void *context, size_t part) {
  struct pass *pass = context;
  struct rill_pme *pme = pass->pme;
  const struct share blocks = share_of(pass, pme->blocks, part);
  if (pme->site_weight != 0.0)
    rill_site_place(pme->site_weight, pme->mesh.stride, blocks.first * RILL_LANES, end_of(pme, blocks.end), pass->q,
                    pme->charges);
  pme->kernel->locate(&pme->mesh, charges_of(pme, pass->q), pass->places, blocks.first, blocks.end);
}

static void survey_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct share blocks = share_of(pass, pass->pme->blocks, part);
  pass->pme->kernel->survey(&pass->pme->mesh, blocks.first, blocks.end);
}

static char *scratch_of(const struct pass *pass, size_t part) {
  return pass->pme->scratch + part * pass->pme->scratch_bytes;
}

static void spread_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct share planes = share_of(pass, pass->pme->mesh.grid[0], part);
  pass->pme->kernel->spread(&pass->pme->mesh, planes.first, planes.end, pass->parts == 1);
  lap(pass, part, RILL_PME_SPREAD);
  for (size_t x = planes.first; x < planes.end; x++) transform_plane(pass->pme, x, scratch_of(pass, part), 0);
}

static void solve_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct share rows = share_of(pass, pass->pme->mesh.grid[1] / 2 + 1, part);
  for (size_t y = rows.first; y < rows.end; y++)
    solve(pass->pme, y, scratch_of(pass, part), pass->wanted, part == 0 ? &pass->solving : NULL);
}

static void transform_back_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct share planes = share_of(pass, pass->pme->mesh.grid[0], part);
  for (size_t x = planes.first; x < planes.end; x++) transform_plane(pass->pme, x, scratch_of(pass, part), 1);
}

static void gather_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct share blocks = share_of(pass, pass->pme->blocks, part);
  pass->pme->kernel->gather(&pass->pme->mesh, blocks.first, blocks.end);
}

static void finish_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct share blocks = share_of(pass, pass->pme->blocks, part);
  rill_pme_finish(pass->pme, pass->q, pass->places, pass->wanted, part, blocks.first * RILL_LANES,
                  blocks.end * RILL_LANES, pass->f);
}

static void share_out(struct pass *pass, void (*stage)(void *pass, size_t part)) {
  if (pass->parts == 1) stage(pass, 0);
  else rill_team_run(pass->pme->team, pass->parts, true, stage, pass);
}

static void add_tensor(double to[3][3], const double from[3][3], double factor) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) to[i][j] += factor * from[i][j];
}

void rill_pme_energies(const struct rill_pme *pme, struct rill_pme_energies *energies) {
  struct rill_gather_sums sums = pme->sums[0];
  memset(energies, 0, sizeof *energies);
  energies->self = pme->self;
  for (size_t y = 0; y < pme->mesh.grid[1]; y++) {
    const double e = pme->wave_sums[y].energy, *t = pme->wave_sums[y].tensor;
    const double virial[3][3] = {{e + t[0], t[1], t[2]}, {t[1], e + t[3], t[4]}, {t[2], t[4], e + t[5]}};
    energies->reciprocal += e;
    add_tensor(energies->virial_atomic, virial, 1.0);
  }
  for (size_t part = 1; part < pme->threads; part++) {
    sums.excluded += pme->sums[part].excluded;
    for (int k = 0; k < 9; k++) {
      sums.virial[k / 3][k % 3] += pme->sums[part].virial[k / 3][k % 3];
      sums.inner[k / 3][k % 3] += pme->sums[part].inner[k / 3][k % 3];
    }
  }
  energies->excluded = (double)sums.excluded * RILL_GATHER_UNIT;
  for (int k = 0; k < 9; k++) {
    energies->virial_atomic[k / 3][k % 3] += (double)sums.virial[k / 3][k % 3] * RILL_GATHER_UNIT;
    energies->virial_molecular[k / 3][k % 3] -= (double)sums.inner[k / 3][k % 3] * RILL_GATHER_UNIT;
  }
  add_tensor(energies->virial_molecular, (const double(*)[3])energies->virial_atomic, 1.0);
}

void rill_pme_begin(struct rill_pme *pme, const double *q, const uint32_t *places, bool wanted, bool alone) {
  struct pass pass = {
      .pme = pme, .q = q, .places = places, .wanted = wanted, .parts = alone ? 1 : pme->parts, .clock = rill_clock()};
  if (wanted) {
    memset(pme->wave_sums, 0, pme->mesh.grid[1] * sizeof *pme->wave_sums);
    memset(pme->sums, 0, pme->threads * sizeof *pme->sums);
  }
  share_out(&pass, locate_part);
  if (pass.parts > 1) share_out(&pass, survey_part);
  share_out(&pass, spread_part);
  share_out(&pass, solve_part);
  share_out(&pass, transform_back_part);
  lap(&pass, 0, RILL_PME_TRANSFORM);
  pme->seconds[RILL_PME_TRANSFORM] -= pass.solving;
  pme->seconds[RILL_PME_SOLVE] += pass.solving;
  share_out(&pass, gather_part);
  lap(&pass, 0, RILL_PME_GATHER);
}

void rill_pme_finish(struct rill_pme *pme, const double *q, const uint32_t *places, bool wanted, size_t part,
                     size_t first, size_t last, double *f) {
  const size_t begin = first / RILL_LANES, end = (last + RILL_LANES - 1) / RILL_LANES, stride = pme->mesh.stride;
  const bool spread = pme->site_weight != 0.0;
  for (size_t k = 0; k < RILL_COORDINATES && spread && first < last; k++)
    memset(pme->forces + k * stride + first, 0, (last - first) * sizeof *f);
  pme->kernel->finish(&pme->mesh, charges_of(pme, q), places, spread ? pme->forces : f, begin, end,
                      wanted ? &pme->sums[part] : NULL);
  if (spread) rill_site_add(pme->site_weight, stride, first, end_of(pme, end), pme->forces, f);
}

void rill_pme_evaluate(struct rill_pme *pme, const double *q, const uint32_t *places, double *f,
                       struct rill_pme_energies *energies) {
  struct pass pass = {.pme = pme, .q = q, .places = places, .f = f, .wanted = energies != NULL, .parts = pme->parts};
  rill_pme_begin(pme, q, places, pass.wanted, false);
  pass.clock = rill_clock();
  share_out(&pass, finish_part);
  lap(&pass, 0, RILL_PME_GATHER);
  if (energies != NULL) rill_pme_energies(pme, energies);
}

const double *rill_pme_seconds(const struct rill_pme *pme) { return pme->seconds; }

const char *rill_pme_phase_name(enum rill_pme_phase phase) {
  static const char *const names[RILL_PME_PHASES] = {"spread", "transforms", "solve", "gather"};
  return names[phase];
}

void rill_pme_destroy(struct rill_pme *pme) {
  if (pme == NULL) return;
  rill_fourier_destroy(&pme->mesh.fourier);
  rill_release(pme->mesh.points);
  rill_release(pme->mesh.sum);
  rill_release(pme->mesh.difference);
  rill_release(pme->mesh.influence_a);
  rill_release(pme->mesh.influence_b);
  rill_release(pme->mesh.cosine_twice);
  rill_release(pme->mesh.sine_twice);
  rill_release(pme->mesh.share);
  rill_release(pme->mesh.records);
  rill_release(pme->mesh.cosine);
  rill_release(pme->mesh.sine);
  rill_release(pme->mesh.waves_a);
  rill_release(pme->mesh.waves_b);
  rill_release(pme->mesh.waves_c);
  rill_release(pme->mesh.plane_offset);
  rill_release(pme->mesh.row_offset);
  rill_release(pme->mesh.touched);
  rill_release(pme->mesh.occupancy);
  rill_release(pme->charges);
  rill_release(pme->forces);
  rill_release(pme->scratch);
  rill_release(pme->wave_sums);
  rill_release(pme->sums);
  for (int i = 0; i < 3; i++) rill_release(pme->moduli[i]);
  rill_release(pme);
}

/* Evaluations of the mesh, in stages that threads share, alone and over ranks. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/timers.h"
#include "water/model/site.h"
#include "water/pme/object.h"
#include "water/pme/pme.h"

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

static struct rill_pme_range share_of(const struct pass *pass, size_t count, size_t part) {
  return (struct rill_pme_range){rill_share(count, part, pass->parts), rill_share(count, part + 1, pass->parts)};
}

/* Where the kernels find the charges of the atoms q. */
static const double *charges_of(const struct rill_pme *pme, const double *q) {
  return pme->site_weight != 0.0 ? pme->charges : q;
}

static size_t end_of(const struct rill_pme *pme, size_t block) {
  return block * RILL_LANES < pme->near->molecules ? block * RILL_LANES : pme->near->molecules;
}

static void locate_part(void *context, size_t part) {
  struct pass *pass = context;
  struct rill_pme *pme = pass->pme;
  const struct rill_pme_range blocks = share_of(pass, pme->blocks, part);
  if (pme->site_weight != 0.0)
    rill_site_place(pme->site_weight, pme->near->stride, blocks.first * RILL_LANES, end_of(pme, blocks.end), pass->q,
                    pme->charges);
  pme->kernel->locate(pme->near, charges_of(pme, pass->q), pass->places, blocks.first, blocks.end);
}

static void survey_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct rill_pme_range blocks = share_of(pass, pass->pme->blocks, part);
  pass->pme->kernel->survey(pass->pme->near, blocks.first, blocks.end);
}

static char *scratch_of(const struct pass *pass, size_t part) {
  return pass->pme->scratch + part * pass->pme->scratch_bytes;
}

static void spread_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct rill_pme_range planes = share_of(pass, pass->pme->mesh.grid[0], part);
  pass->pme->kernel->spread(&pass->pme->mesh, planes.first, planes.end, pass->parts == 1);
  lap(pass, part, RILL_PME_SPREAD);
  for (size_t x = planes.first; x < planes.end; x++) transform_plane(pass->pme, x, scratch_of(pass, part), 0);
}

static void solve_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct rill_pme_range rows = share_of(pass, pass->pme->mesh.grid[1] / 2 + 1, part);
  for (size_t y = rows.first; y < rows.end; y++)
    solve(pass->pme, y, scratch_of(pass, part), pass->wanted, part == 0 ? &pass->solving : NULL);
}

static void transform_back_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct rill_pme_range planes = share_of(pass, pass->pme->mesh.grid[0], part);
  for (size_t x = planes.first; x < planes.end; x++) transform_plane(pass->pme, x, scratch_of(pass, part), 1);
}

static void gather_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct rill_pme_range blocks = share_of(pass, pass->pme->blocks, part);
  pass->pme->kernel->gather(pass->pme->near, blocks.first, blocks.end);
}

/* ---- the same over ranks: see slabs.h ---- */

/* Records are in spatial order: all must have been located. */
static void leave_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct rill_pme_range blocks = share_of(pass, pass->pme->blocks, part);
  if (pass->pme->kernel->leave(pass->pme->near, blocks.first, blocks.end))
    __atomic_store_n(&pass->pme->outside, true, __ATOMIC_RELAXED);
}

static void spread_region_part(void *context, size_t part) {
  struct pass *pass = context;
  struct rill_slabs *slabs = pass->pme->slabs;
  const struct rill_pme_range planes = share_of(pass, slabs->own->count[0], part);
  pass->pme->kernel->spread(pass->pme->near, planes.first, planes.end, pass->parts == 1);
  for (size_t x = planes.first; x < planes.end; x++) rill_slabs_give_charges(slabs, pass->pme->near, x);
  lap(pass, part, RILL_PME_SPREAD);
}

static void transform_slab_part(void *context, size_t part) {
  struct pass *pass = context;
  struct rill_pme *pme = pass->pme;
  const struct rill_pme_range planes = share_of(pass, pme->slabs->planes, part);
  for (size_t x = planes.first; x < planes.end; x++) {
    rill_slabs_take_charges(pme->slabs, pme->near, &pme->mesh, x);
    transform_plane(pme, x, scratch_of(pass, part), 0);
    rill_slabs_give_rows(pme->slabs, &pme->mesh, x);
  }
}

static void lines_of(struct pass *pass, size_t y, char *row, char *lines) {
  struct rill_pme *pme = pass->pme;
  const size_t apart =
      pme->apart != NULL ? pme->mesh.plane_length * pme->real_bytes : pme->lines_bytes / pme->mesh.grid[0];
  rill_slabs_take_line(pme->slabs, &pme->mesh, y, row, apart);
  if (pme->apart != NULL) rill_fourier_lines(&pme->mesh.fourier, row, lines);
  else rill_fourier_close_lines(&pme->mesh.fourier, row, lines);
}

static void lines_back(struct pass *pass, size_t y, char *row, char *lines) {
  struct rill_pme *pme = pass->pme;
  const size_t apart =
      pme->apart != NULL ? pme->mesh.plane_length * pme->real_bytes : pme->lines_bytes / pme->mesh.grid[0];
  if (pme->apart != NULL) rill_fourier_lines_back(&pme->mesh.fourier, lines, row);
  else rill_fourier_close_lines_back(&pme->mesh.fourier, lines, row);
  rill_slabs_give_line(pme->slabs, &pme->mesh, y, row, apart);
}

static void solve_rows_part(void *context, size_t part) {
  struct pass *pass = context;
  struct rill_pme *pme = pass->pme;
  const struct rill_pme_range pairs = share_of(pass, pme->slabs->pairs, part);
  char *scratch = scratch_of(pass, part);
  char *row = pme->apart != NULL ? pme->apart + part * pme->apart_bytes : scratch + pme->close_place;
  for (size_t y = pme->slabs->pair + pairs.first; y < pme->slabs->pair + pairs.end; y++) {
    const size_t mirror_y = y == 0 ? 0 : pme->mesh.grid[1] - y;
    char *lines = scratch, *mirror = y == mirror_y ? lines : lines + pme->lines_bytes;
    lines_of(pass, y, row, lines);
    if (mirror != lines) lines_of(pass, mirror_y, row, mirror);
    if (part == 0) pass->solving -= rill_clock();
    pme->kernel->influence(&pme->mesh, y, lines, mirror, scratch + 2 * pme->lines_bytes,
                           pass->wanted ? pme->wave_sums : NULL);
    if (part == 0) pass->solving += rill_clock();
    lines_back(pass, y, row, lines);
    if (mirror != lines) lines_back(pass, mirror_y, row, mirror);
  }
}

static void transform_slab_back_part(void *context, size_t part) {
  struct pass *pass = context;
  struct rill_pme *pme = pass->pme;
  const struct rill_pme_range planes = share_of(pass, pme->slabs->planes, part);
  for (size_t x = planes.first; x < planes.end; x++) {
    rill_slabs_take_rows(pme->slabs, &pme->mesh, x);
    transform_plane(pme, x, scratch_of(pass, part), 1);
    rill_slabs_give_potential(pme->slabs, &pme->mesh, x);
  }
}

static void fill_region_part(void *context, size_t part) {
  struct pass *pass = context;
  struct rill_pme *pme = pass->pme;
  const struct rill_pme_range planes = share_of(pass, pme->slabs->own->count[0], part);
  for (size_t x = planes.first; x < planes.end; x++) rill_slabs_take_potential(pme->slabs, pme->near, &pme->mesh, x);
}

static void finish_part(void *context, size_t part) {
  struct pass *pass = context;
  const struct rill_pme_range blocks = share_of(pass, pass->pme->blocks, part);
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

/* Over ranks: adds up what the threads of all have; alone: what those of this rank have. */
static struct rill_slabs_sums add_up(struct rill_pme *pme) {
  struct rill_gather_sums sums = pme->sums[0];
  struct rill_slabs_sums all;
  for (size_t part = 1; part < pme->threads; part++) {
    sums.excluded += pme->sums[part].excluded;
    for (int k = 0; k < 9; k++) {
      sums.virial[k / 3][k % 3] += pme->sums[part].virial[k / 3][k % 3];
      sums.inner[k / 3][k % 3] += pme->sums[part].inner[k / 3][k % 3];
    }
  }
  if (pme->slabs != NULL) {
    (void)rill_slabs_add_up(pme->slabs, &sums, pme->wave_sums, pme->wave_sums + pme->mesh.grid[1], &all);
    return all;
  }
  all.excluded = (double)sums.excluded * RILL_GATHER_UNIT;
  for (int k = 0; k < 9; k++) {
    all.virial[k / 3][k % 3] = (double)sums.virial[k / 3][k % 3] * RILL_GATHER_UNIT;
    all.inner[k / 3][k % 3] = (double)sums.inner[k / 3][k % 3] * RILL_GATHER_UNIT;
  }
  return all;
}

void rill_pme_energies(struct rill_pme *pme, struct rill_pme_energies *energies) {
  const struct rill_slabs_sums sums = add_up(pme);
  const struct rill_wave_sums *waves = pme->wave_sums + (pme->slabs != NULL ? pme->mesh.grid[1] : 0);
  memset(energies, 0, sizeof *energies);
  energies->self = pme->self;
  for (size_t y = 0; y < pme->mesh.grid[1]; y++) {
    const double e = waves[y].energy, *t = waves[y].tensor;
    const double virial[3][3] = {{e + t[0], t[1], t[2]}, {t[1], e + t[3], t[4]}, {t[2], t[4], e + t[5]}};
    energies->reciprocal += e;
    add_tensor(energies->virial_atomic, virial, 1.0);
  }
  energies->excluded = sums.excluded;
  for (int k = 0; k < 9; k++) {
    energies->virial_atomic[k / 3][k % 3] += sums.virial[k / 3][k % 3];
    energies->virial_molecular[k / 3][k % 3] -= sums.inner[k / 3][k % 3];
  }
  add_tensor(energies->virial_molecular, (const double(*)[3])energies->virial_atomic, 1.0);
}

/* The potential in this rank's region; false when a message has failed. */
static bool solve_over_ranks(struct pass *pass) {
  struct rill_slabs *slabs = pass->pme->slabs;
  if (slabs->error.status != RILL_OK) return false;
  share_out(pass, leave_part);
  share_out(pass, spread_region_part);
  if (!rill_slabs_send_charges(slabs)) return false;
  share_out(pass, transform_slab_part);
  if (!rill_slabs_send_rows(slabs)) return false;
  share_out(pass, solve_rows_part);
  if (!rill_slabs_return_rows(slabs)) return false;
  share_out(pass, transform_slab_back_part);
  if (!rill_slabs_return_potential(slabs)) return false;
  share_out(pass, fill_region_part);
  return true;
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
  if (pme->slabs == NULL) {
    share_out(&pass, spread_part);
    share_out(&pass, solve_part);
    share_out(&pass, transform_back_part);
  } else {
    pme->outside = false;
    if (!solve_over_ranks(&pass)) return;
  }
  lap(&pass, 0, RILL_PME_TRANSFORM);
  pme->seconds[RILL_PME_TRANSFORM] -= pass.solving;
  pme->seconds[RILL_PME_SOLVE] += pass.solving;
  share_out(&pass, gather_part);
  lap(&pass, 0, RILL_PME_GATHER);
}

void rill_pme_finish(struct rill_pme *pme, const double *q, const uint32_t *places, bool wanted, size_t part,
                     size_t first, size_t last, double *f) {
  const size_t begin = first / RILL_LANES, end = (last + RILL_LANES - 1) / RILL_LANES, stride = pme->near->stride;
  const bool spread = pme->site_weight != 0.0;
  if (pme->slabs != NULL && pme->slabs->error.status != RILL_OK) { /* there is no potential */
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = first; m < end_of(pme, end); m++) f[k * stride + m] = NAN;
    return;
  }
  for (size_t k = 0; k < RILL_COORDINATES && spread && first < last; k++)
    memset(pme->forces + k * stride + first, 0, (last - first) * sizeof *f);
  pme->kernel->finish(pme->near, charges_of(pme, q), places, spread ? pme->forces : f, begin, end,
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

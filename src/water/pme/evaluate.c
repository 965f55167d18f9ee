/* Evaluations of the mesh, in stages that threads share. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/timers.h"
#include "water/model/site.h"
#include "water/pme/pass.h"
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

void rill_pme_transform_plane(struct rill_pme *pme, size_t x, char *scratch, bool back) {
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

static void lap(struct rill_pme_pass *pass, size_t part, enum rill_pme_phase phase) {
  double now;
  if (part != 0) return;
  now = rill_clock();
  pass->pme->seconds[phase] += now - pass->clock;
  pass->clock = now;
}

/* Where the kernels find the charges of the atoms q. */
static const double *charges_of(const struct rill_pme *pme, const double *q) {
  return pme->site_weight != 0.0 ? pme->charges : q;
}

static size_t end_of(const struct rill_pme *pme, size_t block) {
  return block * RILL_LANES < pme->near->molecules ? block * RILL_LANES : pme->near->molecules;
}

void rill_pme_locate_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  struct rill_pme *pme = pass->pme;
  const struct rill_pme_range blocks = rill_pme_share(pass, pme->blocks, part);
  if (pme->site_weight != 0.0)
    rill_site_place(pme->site_weight, pme->near->stride, blocks.first * RILL_LANES, end_of(pme, blocks.end), pass->q,
                    pme->charges);
  pme->kernel->locate(pme->near, charges_of(pme, pass->q), pass->places, blocks.first, blocks.end);
}

void rill_pme_survey_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  const struct rill_pme_range blocks = rill_pme_share(pass, pass->pme->blocks, part);
  if (pass->parts == 1) return; /* all is spread into all planes */
  pass->pme->kernel->survey(pass->pme->near, blocks.first, blocks.end);
}

static void spread_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  const struct rill_pme_range planes = rill_pme_share(pass, pass->pme->mesh.grid[0], part);
  pass->pme->kernel->spread(&pass->pme->mesh, planes.first, planes.end, pass->parts == 1);
  lap(pass, part, RILL_PME_SPREAD);
  for (size_t x = planes.first; x < planes.end; x++)
    rill_pme_transform_plane(pass->pme, x, rill_pme_scratch(pass, part), false);
}

static void solve_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  const struct rill_pme_range rows = rill_pme_share(pass, pass->pme->mesh.grid[1] / 2 + 1, part);
  for (size_t y = rows.first; y < rows.end; y++)
    solve(pass->pme, y, rill_pme_scratch(pass, part), pass->wanted, part == 0 ? &pass->solving : NULL);
}

static void transform_back_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  const struct rill_pme_range planes = rill_pme_share(pass, pass->pme->mesh.grid[0], part);
  for (size_t x = planes.first; x < planes.end; x++)
    rill_pme_transform_plane(pass->pme, x, rill_pme_scratch(pass, part), true);
}

void rill_pme_gather_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  const struct rill_pme_range blocks = rill_pme_share(pass, pass->pme->blocks, part);
  pass->pme->kernel->gather(pass->pme->near, blocks.first, blocks.end);
}

static void finish_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  const struct rill_pme_range blocks = rill_pme_share(pass, pass->pme->blocks, part);
  rill_pme_finish(pass->pme, pass->q, pass->places, pass->wanted, part, blocks.first * RILL_LANES,
                  blocks.end * RILL_LANES, pass->f);
}

void rill_pme_share_out(struct rill_pme_pass *pass, void (*stage)(void *pass, size_t part)) {
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

void rill_pme_clear_sums(struct rill_pme *pme, bool wanted) {
  if (!wanted) return;
  memset(pme->wave_sums, 0, pme->mesh.grid[1] * sizeof *pme->wave_sums);
  memset(pme->sums, 0, pme->threads * sizeof *pme->sums);
}

void rill_pme_begin(struct rill_pme *pme, const double *q, const uint32_t *places, bool wanted, bool alone) {
  struct rill_pme_pass pass = {
      .pme = pme, .q = q, .places = places, .wanted = wanted, .parts = alone ? 1 : pme->parts, .clock = rill_clock()};
  rill_pme_clear_sums(pme, wanted);
  if (pme->slabs != NULL) {
    pme->outside = false;
    rill_pme_run_over_ranks(&pass);
    return;
  }
  rill_pme_share_out(&pass, rill_pme_locate_part);
  rill_pme_share_out(&pass, rill_pme_survey_part);
  rill_pme_share_out(&pass, spread_part);
  rill_pme_share_out(&pass, solve_part);
  rill_pme_share_out(&pass, transform_back_part);
  lap(&pass, 0, RILL_PME_TRANSFORM);
  pme->seconds[RILL_PME_TRANSFORM] -= pass.solving;
  pme->seconds[RILL_PME_SOLVE] += pass.solving;
  rill_pme_share_out(&pass, rill_pme_gather_part);
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
  struct rill_pme_pass pass = {
      .pme = pme, .q = q, .places = places, .f = f, .wanted = energies != NULL, .parts = pme->parts};
  rill_pme_begin(pme, q, places, pass.wanted, false);
  pass.clock = rill_clock();
  rill_pme_share_out(&pass, finish_part);
  lap(&pass, 0, RILL_PME_GATHER);
  if (energies != NULL) rill_pme_energies(pme, energies);
}

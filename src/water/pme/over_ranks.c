/* Evaluations of a mesh over ranks (slabs.h): stages, between which messages are sent. */
#include "base/timers.h"
#include "water/pme/pass.h"
#include "water/pme/pme.h"

/* ---- stages ---- */

/* Records are in spatial order: all must have been located. */
static void leave_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  const struct rill_pme_range blocks = rill_pme_share(pass, pass->pme->blocks, part);
  if (pass->pme->kernel->leave(pass->pme->near, blocks.first, blocks.end))
    __atomic_store_n(&pass->pme->outside, true, __ATOMIC_RELAXED);
}

static void spread_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  struct rill_slabs *slabs = pass->pme->slabs;
  const struct rill_pme_range planes = rill_pme_share(pass, slabs->own->count[0], part);
  pass->pme->kernel->spread(pass->pme->near, planes.first, planes.end, pass->parts == 1);
  for (size_t x = planes.first; x < planes.end; x++) rill_slabs_give_charges(slabs, pass->pme->near, x);
}

static void transform_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  struct rill_pme *pme = pass->pme;
  const struct rill_pme_range planes = rill_pme_share(pass, pme->slabs->planes, part);
  for (size_t x = planes.first; x < planes.end; x++) {
    rill_slabs_take_charges(pme->slabs, pme->near, &pme->mesh, x);
    rill_pme_transform_plane(pme, x, rill_pme_scratch(pass, part), false);
    rill_slabs_give_rows(pme->slabs, &pme->mesh, x);
  }
}

static void lines_of(struct rill_pme *pme, size_t y, char *row, char *lines) {
  const size_t apart =
      pme->apart != NULL ? pme->mesh.plane_length * pme->real_bytes : pme->lines_bytes / pme->mesh.grid[0];
  rill_slabs_take_line(pme->slabs, &pme->mesh, y, row, apart);
  if (pme->apart != NULL) rill_fourier_lines(&pme->mesh.fourier, row, lines);
  else rill_fourier_close_lines(&pme->mesh.fourier, row, lines);
}

static void lines_back(struct rill_pme *pme, size_t y, char *row, char *lines) {
  const size_t apart =
      pme->apart != NULL ? pme->mesh.plane_length * pme->real_bytes : pme->lines_bytes / pme->mesh.grid[0];
  if (pme->apart != NULL) rill_fourier_lines_back(&pme->mesh.fourier, lines, row);
  else rill_fourier_close_lines_back(&pme->mesh.fourier, lines, row);
  rill_slabs_give_line(pme->slabs, &pme->mesh, y, row, apart);
}

static void solve_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  struct rill_pme *pme = pass->pme;
  const struct rill_pme_range pairs = rill_pme_share(pass, pme->slabs->pairs, part);
  char *scratch = rill_pme_scratch(pass, part);
  char *row = pme->apart != NULL ? pme->apart + part * pme->apart_bytes : scratch + pme->close_place;
  for (size_t y = pme->slabs->pair + pairs.first; y < pme->slabs->pair + pairs.end; y++) {
    const size_t mirror_y = y == 0 ? 0 : pme->mesh.grid[1] - y;
    char *lines = scratch, *mirror = y == mirror_y ? lines : lines + pme->lines_bytes;
    lines_of(pme, y, row, lines);
    if (mirror != lines) lines_of(pme, mirror_y, row, mirror);
    if (part == 0) pass->solving -= rill_clock();
    pme->kernel->influence(&pme->mesh, y, lines, mirror, scratch + 2 * pme->lines_bytes,
                           pass->wanted ? pme->wave_sums : NULL);
    if (part == 0) pass->solving += rill_clock();
    lines_back(pme, y, row, lines);
    if (mirror != lines) lines_back(pme, mirror_y, row, mirror);
  }
}

static void transform_back_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  struct rill_pme *pme = pass->pme;
  const struct rill_pme_range planes = rill_pme_share(pass, pme->slabs->planes, part);
  for (size_t x = planes.first; x < planes.end; x++) {
    rill_slabs_take_rows(pme->slabs, &pme->mesh, x);
    rill_pme_transform_plane(pme, x, rill_pme_scratch(pass, part), true);
    rill_slabs_give_potential(pme->slabs, &pme->mesh, x);
  }
}

static void fill_part(void *context, size_t part) {
  struct rill_pme_pass *pass = context;
  struct rill_pme *pme = pass->pme;
  const struct rill_pme_range planes = rill_pme_share(pass, pme->slabs->own->count[0], part);
  for (size_t x = planes.first; x < planes.end; x++) rill_slabs_take_potential(pme->slabs, pme->near, &pme->mesh, x);
}

/* A stage, and the message that it ends with, which the next one needs. */
static const struct stage {
  void (*part)(void *pass, size_t part);
  enum rill_slabs_message message;
  enum rill_pme_phase phase;
} stages[] = {{rill_pme_locate_part, RILL_SLABS_NOTHING, RILL_PME_SPREAD},
              {rill_pme_survey_part, RILL_SLABS_NOTHING, RILL_PME_SPREAD},
              {leave_part, RILL_SLABS_NOTHING, RILL_PME_SPREAD},
              {spread_part, RILL_SLABS_CHARGES, RILL_PME_SPREAD},
              {transform_part, RILL_SLABS_ROWS, RILL_PME_TRANSFORM},
              {solve_part, RILL_SLABS_ROWS_BACK, RILL_PME_TRANSFORM},
              {transform_back_part, RILL_SLABS_POTENTIAL, RILL_PME_TRANSFORM},
              {fill_part, RILL_SLABS_NOTHING, RILL_PME_TRANSFORM},
              {rill_pme_gather_part, RILL_SLABS_NOTHING, RILL_PME_GATHER}};
enum { STAGES = sizeof stages / sizeof *stages };

/* ---- one after the other ---- */

static void count_time(struct rill_pme_pass *pass, enum rill_pme_phase phase, double started) {
  double *seconds = pass->pme->seconds;
  seconds[phase] += rill_clock() - started - pass->solving;
  seconds[RILL_PME_SOLVE] += pass->solving;
  pass->solving = 0.0;
}

void rill_pme_run_over_ranks(struct rill_pme_pass *pass) {
  for (size_t k = 0; k < STAGES && pass->pme->slabs->error.status == RILL_OK; k++) {
    const double started = rill_clock();
    rill_pme_share_out(pass, stages[k].part);
    if (stages[k].message != RILL_SLABS_NOTHING) (void)rill_slabs_send(pass->pme->slabs, stages[k].message);
    count_time(pass, stages[k].phase, started);
  }
}

/* ---- beside other work ---- */

static const uint64_t part_mask = 0xffffffff;

/* Lets parts of the stage be taken. */
static void open_stage(struct rill_pme_pass *pass, size_t stage) {
  atomic_store(&pass->done, 0);
  atomic_store(&pass->taken, (uint64_t)stage << 32);
}

void rill_pme_prepare(struct rill_pme *pme, const double *q, const uint32_t *places, bool wanted) {
  struct rill_pme_pass *pass = pme->pass;
  rill_pme_clear_sums(pme, wanted);
  pme->outside = false;
  pass->pme = pme;
  pass->q = q;
  pass->places = places;
  pass->wanted = wanted;
  pass->parts = pme->parts;
  pass->solving = 0.0;
  pass->sent = false;
  open_stage(pass, pme->slabs->error.status == RILL_OK ? 0 : STAGES);
}

/* Whoever has ended the last part of a stage without a message opens the next one. */
static void run_part(struct rill_pme_pass *pass, size_t stage, size_t part) {
  const double started = part == 0 ? rill_clock() : 0.0;
  stages[stage].part(pass, part);
  if (part == 0) count_time(pass, stages[stage].phase, started);
  if (atomic_fetch_add(&pass->done, 1) + 1 == pass->parts && stages[stage].message == RILL_SLABS_NOTHING)
    open_stage(pass, stage + 1);
}

/* On the thread that sends: whether something was done about the message of a stage whose parts have been taken. */
static bool pass_on(struct rill_pme_pass *pass, size_t stage) {
  struct rill_slabs *slabs = pass->pme->slabs;
  if (stages[stage].message == RILL_SLABS_NOTHING || atomic_load(&pass->done) < pass->parts) return false;
  if (!pass->sent) {
    pass->sent = true;
    if (rill_slabs_begin(slabs, stages[stage].message)) return true;
  } else if (!rill_slabs_arrived(slabs)) {
    return false;
  }
  pass->sent = false;
  open_stage(pass, slabs->error.status == RILL_OK ? stage + 1 : STAGES);
  return true;
}

enum rill_help rill_pme_help(struct rill_pme *pme, bool sends) {
  struct rill_pme_pass *pass = pme->pass;
  uint64_t taken = atomic_load(&pass->taken);
  const size_t stage = (size_t)(taken >> 32), part = (size_t)(taken & part_mask);
  if (stage == STAGES) return RILL_HELP_OVER;
  if (part == pass->parts) return sends && pass_on(pass, stage) ? RILL_HELP_GIVEN : RILL_HELP_NONE;
  if (atomic_compare_exchange_strong(&pass->taken, &taken, taken + 1)) run_part(pass, stage, part);
  return RILL_HELP_GIVEN;
}

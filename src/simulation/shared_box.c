#include "simulation/shared_box.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "mech/filter.h"
#include "parallel/agree.h"
#include "water/water_domain.h"
#include "water/water_ranks.h"

struct fault {
  bool found;
  const char *what, *why;
};

/* What needs all molecules in one process. */
enum rill_status rill_shared_box_check(const struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  const bool water = deck->units == RILL_UNITS_MOLECULAR;
  const struct rill_filter *filter = sim->method->filter;
  const struct fault faults[] = {
      {!water, "a small system", "it has no molecules in a box"},
      {water && !rill_water_is_periodic(deck), "a cluster in vacuum (system.boundary = vacuum)",
       "all of its molecules interact"},
      {deck->forces.kernel == RILL_KERNEL_REFERENCE, "forces.kernel = reference", "its loops are over all pairs"},
      {sim->method->one_step != NULL, "a method that solves for all coordinates at once",
       "its sums over coordinates depend on their order"},
      {filter != NULL && filter->kind == RILL_FILTER_PUSHFORWARD, "a nonlinear solve over all coordinates",
       "its sums over coordinates depend on their order"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    if (faults[i].found)
      return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                            "%s: %s is not divided among ranks, since %s: use one rank, or `rill run`", deck->path,
                            faults[i].what, faults[i].why);
  return RILL_OK;
}

/* Positions of oxygens, with these distances between molecules and axes; in an archive they are not aligned. */
struct oxygens {
  const void *q;
  size_t molecule, axis;
  double shift[3];
};

static double coordinate_of(const struct oxygens *oxygens, size_t molecule, size_t axis) {
  const size_t place = molecule * oxygens->molecule + axis * oxygens->axis;
  double x;
  memcpy(&x, (const unsigned char *)oxygens->q + place * sizeof x, sizeof x);
  return x + oxygens->shift[axis];
}

/* A box that is nearly empty elsewhere has too many molecules in some bricks. */
static enum rill_status check_evenness(const struct rill_simulation *sim, int ranks, const double edge[3],
                                       struct oxygens oxygens, const struct rill_bricks *bricks,
                                       struct rill_error *error) {
  const size_t molecules = sim->structure.molecules;
  const size_t room = rill_water_domain_columns(molecules, ranks) - 1;
  size_t *count = rill_allocate((size_t)ranks, sizeof *count), most = 0;
  if (count == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %d ranks", ranks);
  for (size_t m = 0; m < molecules; m++) {
    int place[3];
    size_t here;
    for (int c = 0; c < 3; c++) {
      const double f = coordinate_of(&oxygens, m, (size_t)c) / edge[c];
      place[c] = rill_bricks_holder(bricks->count[c], (uint32_t)(uint64_t)((f - floor(f)) * 0x1p32));
    }
    here = ++count[rill_bricks_rank(bricks, place)];
    if (here > most) most = here;
  }
  rill_release(count);
  if (most <= room) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                        "%s: one of %d x %d x %d bricks would have %zu of %zu molecules, and each rank has room "
                        "for %zu: the box is too uneven for %d ranks; take fewer, or `rill run`",
                        sim->deck.path, bricks->count[0], bricks->count[1], bricks->count[2], most, molecules, room,
                        ranks);
}

static enum rill_status plan(const struct rill_simulation *sim, int ranks, const struct rill_cell *cell, double reach,
                             struct oxygens oxygens, struct rill_bricks *bricks, struct rill_error *error) {
  const double edge[3] = {cell->vector[0][0], cell->vector[1][1], cell->vector[2][2]};
  int most;
  if (!rill_cell_is_rectangular(cell))
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%s: a skew box is not divided among ranks: use one rank, or `rill run`", sim->deck.path);
  if (rill_bricks_divide(edge, reach, ranks, bricks, &most))
    return check_evenness(sim, ranks, edge, oxygens, bricks, error);
  return rill_error_set(
      error, RILL_ERROR_UNSUPPORTED,
      "%s: a box of %.4g x %.4g x %.4g nm cannot be divided among %d ranks: edges of their bricks must "
      "be at least %.4g nm, the cutoff and the buffer of the lists, and twice that along an axis with "
      "two; the next smaller number of ranks that fits is %d",
      sim->deck.path, edge[0], edge[1], edge[2], ranks, reach, most);
}

/* Of a resumed run: its cell, which moves at constant pressure, and its oxygens, or, of rigid bodies, the centres of
 * mass near them. */
static enum rill_status find_state(const struct rill_simulation *sim, struct rill_cell *cell, struct oxygens *oxygens,
                                   struct rill_error *error) {
  struct rill_archive state = *sim->continued;
  const void *vectors;
  double box[3][3];
  size_t count;
  rill_archive_enter(&state, "system");
  oxygens->q = rill_archive_find(&state, "q", RILL_ARCHIVE_REALS, &count);
  if (oxygens->q == NULL) oxygens->q = rill_archive_find(&state, "bodies", RILL_ARCHIVE_REALS, &count);
  if (oxygens->q == NULL || count < 3 * oxygens->axis)
    return rill_error_set(error, RILL_ERROR_INPUT, "the checkpoint has no positions of %zu molecules",
                          sim->structure.molecules);
  vectors = rill_archive_find(&state, "cell", RILL_ARCHIVE_REALS, &count);
  if (vectors == NULL || count != 9) return RILL_OK;
  memcpy(box, vectors, sizeof box);
  return rill_cell_create((const double(*)[3])box, cell, error);
}

enum rill_status rill_shared_box_plan(const struct rill_simulation *sim, int ranks, struct rill_water_share *share,
                                      struct rill_error *error) {
  struct oxygens oxygens = {sim->structure.positions, RILL_COORDINATES, 1, {0}};
  struct rill_cell cell = *rill_water_cell(&sim->system);
  if (sim->continued != NULL) {
    oxygens = (struct oxygens){NULL, 1, rill_padded(sim->structure.molecules), {0}};
    RILL_TRY(find_state(sim, &cell, &oxygens, error));
  }
  rill_water_describe_share(sim, share);
  return plan(sim, ranks, &cell, rill_water_reach(&sim->system), oxygens, &share->bricks, error);
}

enum rill_status rill_shared_box_plan_field(const struct rill_simulation *sim, int ranks,
                                            const struct rill_field_options *field,
                                            const struct rill_field_sample *sample, struct rill_water_share *share,
                                            struct rill_error *error) {
  const struct oxygens oxygens = {
      sample->q.q, sample->q.molecule, sample->q.coordinate, {sample->shift[0], sample->shift[1], sample->shift[2]}};
  struct rill_water_field *bare;
  enum rill_status status;
  *share = (struct rill_water_share){
      .molecules = sim->structure.molecules, .mesh = field->mesh, .isa = sim->isa, .mesh_ranks = sim->mesh_ranks};
  memcpy(share->box, field->box.box, sizeof share->box);
  RILL_TRY(rill_water_field_create_bare(&sim->model, field, &bare, error));
  status =
      plan(sim, ranks, rill_water_field_cell(bare), rill_water_field_reach(bare), oxygens, &share->bricks, error);
  rill_water_field_destroy(bare);
  return status;
}

enum rill_status rill_shared_box_measure(struct rill_simulation *sim, const struct rill_water_share *share,
                                         struct rill_ranks *ranks, const struct rill_field_sample *sample, double *f,
                                         struct rill_field_energies *energies, struct rill_error *error) {
  enum rill_status status;
  rill_simulation_choose_threads(sim, 0);
  status = rill_water_create_share(sim, share, ranks, error);
  if (!ranks->broken) status = rill_agree(ranks, status, NULL, 0, error);
  if (status == RILL_OK) status = rill_water_evaluate_shared(&sim->system, sample, f, energies, error);
  if (sim->system.ops != NULL) sim->system.ops->destroy(sim->system.self);
  sim->system = (struct rill_system){0};
  return status;
}

enum rill_status rill_shared_box_create(struct rill_simulation *sim, const struct rill_water_share *share,
                                        struct rill_ranks *ranks, struct rill_error *error) {
  rill_simulation_choose_threads(sim, 0);
  rill_integrator_destroy(sim->integrator);
  if (sim->system.ops != NULL) sim->system.ops->destroy(sim->system.self);
  sim->integrator = NULL;
  sim->system = (struct rill_system){0};
  RILL_TRY(rill_water_create_share(sim, share, ranks, error));
  return rill_simulation_rebind(sim, NULL, error);
}

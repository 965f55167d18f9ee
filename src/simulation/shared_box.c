#include "simulation/shared_box.h"

#include <math.h>

#include "base/memory.h"
#include "mech/filter.h"
#include "water/water_domain.h"

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
      {deck->penalty.record, "[penalty] record", "only the process with a molecule has its multipliers"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    if (faults[i].found)
      return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                            "%s: %s is not divided among ranks, since %s: use one rank, or `rill run`", deck->path,
                            faults[i].what, faults[i].why);
  return RILL_OK;
}

/* A box that is nearly empty elsewhere has too many molecules in some bricks. */
static enum rill_status check_evenness(const struct rill_simulation *sim, int ranks, const double edge[3],
                                       const struct rill_bricks *bricks, struct rill_error *error) {
  const size_t molecules = rill_water_molecules(&sim->system);
  const size_t room = rill_water_domain_columns(molecules, ranks) - 1;
  double *q = rill_allocate(RILL_COORDINATES * molecules, sizeof *q);
  size_t *count = rill_allocate((size_t)ranks, sizeof *count), most = 0;
  enum rill_status status = RILL_OK;
  if (q == NULL || count == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", molecules);
  } else {
    rill_water_copy_state(&sim->system, q, NULL);
    for (size_t m = 0; m < molecules; m++) {
      int place[3];
      for (int c = 0; c < 3; c++) {
        const double f = q[RILL_COORDINATES * m + (size_t)c] / edge[c];
        place[c] = rill_bricks_holder(bricks->count[c], (uint32_t)(uint64_t)((f - floor(f)) * 0x1p32));
      }
      const size_t here = ++count[rill_bricks_rank(bricks, place)];
      if (here > most) most = here;
    }
    if (most > room)
      status = rill_error_set(
          error, RILL_ERROR_UNSUPPORTED,
          "%s: one of %d x %d x %d bricks would have %zu of %zu molecules, and each rank has room "
          "for %zu: the box is too uneven for %d ranks; take fewer, or `rill run`",
          sim->deck.path, bricks->count[0], bricks->count[1], bricks->count[2], most, molecules, room, ranks);
  }
  rill_release(q);
  rill_release(count);
  return status;
}

enum rill_status rill_shared_box_plan(const struct rill_simulation *sim, int ranks, struct rill_water_share *share,
                                      struct rill_error *error) {
  const double reach = rill_water_reach(&sim->system);
  const double(*box)[3] = rill_water_cell(&sim->system)->vector;
  const double edge[3] = {box[0][0], box[1][1], box[2][2]};
  int most;
  rill_water_describe_share(sim, share);
  if (!rill_cell_is_rectangular(rill_water_cell(&sim->system)))
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%s: a skew box is not divided among ranks: use one rank, or `rill run`", sim->deck.path);
  if (rill_bricks_divide(edge, reach, ranks, &share->bricks, &most))
    return check_evenness(sim, ranks, edge, &share->bricks, error);
  return rill_error_set(
      error, RILL_ERROR_UNSUPPORTED,
      "%s: a box of %.4g x %.4g x %.4g nm cannot be divided among %d ranks: edges of their bricks must "
      "be at least %.4g nm, the cutoff and the buffer of the lists, and twice that along an axis with "
      "two; the next smaller number of ranks that fits is %d",
      sim->deck.path, edge[0], edge[1], edge[2], ranks, reach, most);
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

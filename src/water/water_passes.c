#include "water/water_passes.h"

#include "base/simd/lanes.h"

/* Flows are shared among threads from this number of molecules on: below it, sharing costs more than it saves. */
enum { TEAM_FROM = 256 };

struct rill_range rill_water_columns(const struct rill_water *water) {
  return (struct rill_range){0, rill_padded(water->molecules)};
}

/* One range for each thread, the same in every flow, so that its data stays in the processor's cache. */
static size_t count_ranges(const struct rill_water *water) {
  return (size_t)rill_team_threads(rill_water_field_team(water->field));
}

static struct rill_range range_at(const struct rill_water *water, size_t index) {
  const size_t ranges = count_ranges(water), lanes = rill_water_columns(water).last / RILL_LANES;
  return (struct rill_range){rill_share(lanes, index, ranges) * RILL_LANES,
                             rill_share(lanes, index + 1, ranges) * RILL_LANES};
}

struct shared_pass {
  const struct rill_water_pass *pass;
  rill_water_range_body body;
};

static void pass_over_range(void *context, size_t index) {
  const struct shared_pass *shared = context;
  struct rill_water *water = shared->pass->water;
  water->results[index] = shared->body(shared->pass, range_at(water, index));
}

struct rill_drift_result rill_water_over_molecules(const struct rill_water_pass *pass, rill_water_range_body body) {
  struct rill_water *water = pass->water;
  struct shared_pass shared = {pass, body};
  struct rill_drift_result all = {0, false};
  const size_t ranges = water->molecules < TEAM_FROM ? 1 : count_ranges(water);
  if (ranges == 1) return body(pass, rill_water_columns(water));
  rill_team_run(rill_water_field_team(water->field), ranges, false, pass_over_range, &shared);
  for (size_t i = 0; i < ranges; i++) {
    if (water->results[i].iterations > all.iterations) all.iterations = water->results[i].iterations;
    if (water->results[i].failed) all.failed = true;
  }
  return all;
}

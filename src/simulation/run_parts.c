#include "simulation/run_parts.h"

#include "base/memory.h"

bool rill_run_may_replace(const struct rill_run *run) { return run->request.replace || run->sim->continued != NULL; }

const double *rill_run_box(const struct rill_run *run) {
  const struct rill_simulation *sim = run->sim;
  const struct rill_system *first = sim->ensemble != NULL ? &sim->ensemble->replica[0].system : &sim->system;
  const struct rill_cell *cell = rill_water_cell(first);
  return cell != NULL ? &cell->vector[0][0] : NULL;
}

enum rill_status rill_run_observe(struct rill_run *run, uint64_t step, double time, struct rill_error *error) {
  const struct rill_observation *seen = rill_guard_observation(&run->sim->guard, step);
  const struct rill_system *system = &run->sim->system;
  if (run->observed == step) return RILL_OK;
  if (seen != NULL) run->observation = *seen;
  else RILL_TRY(system->ops->observe(system->self, &run->observation, error));
  rill_series_row(step, time, &run->observation, run->row);
  run->observed = step;
  return RILL_OK;
}

enum rill_status rill_run_room(struct rill_run *run, struct rill_error *error) {
  const size_t molecules = run->sim->structure.molecules;
  if (run->positions == NULL) run->positions = rill_allocate(9 * molecules, sizeof *run->positions);
  if (run->velocities == NULL) run->velocities = rill_allocate(9 * molecules, sizeof *run->velocities);
  if (run->positions != NULL && run->velocities != NULL) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the output of %zu molecules", molecules);
}

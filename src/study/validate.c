#include "study/validate.h"

#include <stdlib.h>
#include <string.h>

#include "output/series_file.h"
#include "simulation/ensemble.h"
#include "structure/structure.h"

void rill_verdicts_add(struct rill_verdicts *verdicts, const struct rill_finding *finding) {
  if (verdicts->count < sizeof verdicts->list / sizeof verdicts->list[0])
    verdicts->list[verdicts->count++] = *finding;
}

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), part = strlen(ending);
  return length > part && strcmp(path + length - part, ending) == 0;
}

static enum rill_status judge_file(const struct rill_validate_request *request, struct rill_verdicts *verdicts,
                                   struct rill_error *error) {
  bool series = false;
  if (request->override_count > 0 || request->threads > 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--set and --threads apply only to decks; %s holds a finished run",
                          request->path);
  RILL_TRY(rill_series_file_is(request->path, &series, error));
  RILL_TRY((series ? rill_validate_series_file : rill_validate_trajectory)(request->path, verdicts, error));
  return request->other != NULL ? rill_validate_pressures(request->path, request->other, verdicts, error) : RILL_OK;
}

enum rill_status rill_validate(const struct rill_validate_request *request, struct rill_verdicts *verdicts,
                               struct rill_error *error) {
  const char *path = request->path;
  struct rill_simulation *sim;
  enum rill_status status;
  *verdicts = (struct rill_verdicts){0};
  if (ends_in(path, ".h5md") || ends_in(path, ".h5")) return judge_file(request, verdicts, error);
  if (request->other != NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: two runs are compared by their trajectories (.h5md)", path);
  if (rill_structure_format(path) != RILL_FORMAT_UNKNOWN || ends_in(path, ".csv"))
    return rill_error_set(
        error, RILL_ERROR_USAGE,
        "%s is not a run: expected a trajectory (.h5md, .h5) or a deck; rill info describes other files", path);
  sim = calloc(1, sizeof *sim);
  if (sim == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_simulation_read(path, request->overrides, request->override_count, sim, error);
  if (status == RILL_OK) status = rill_ensemble_refuse(&sim->deck, "`rill validate`", error);
  if (status == RILL_OK)
    status = (sim->type == NULL ? rill_validate_water : rill_validate_small)(request, sim, verdicts, error);
  rill_simulation_release(sim);
  free(sim);
  return status;
}

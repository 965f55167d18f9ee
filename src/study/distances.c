#include "study/distances.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/memory.h"

/* Steps and times must increase: a repeated frame would count twice, and its time would be wrong. */
static enum rill_status check_order(const char *path, size_t frame, const uint64_t step[2], const double time[2],
                                    struct rill_error *error) {
  if (frame == 0 || (step[1] > step[0] && !(time[1] < time[0]))) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: frame %zu has step %" PRIu64 " and time %g ps after step %" PRIu64
                        " and %g ps; expected both to increase from frame to frame: if runs were joined, analyse "
                        "each by itself",
                        path, frame, step[1], time[1], step[0], time[0]);
}

/* Adds the number of damaged frames to the error of the first. */
static enum rill_status count_damage(struct rill_trajectory_reader *reader, struct rill_error *error) {
  struct rill_trajectory_survey *survey = rill_allocate(1, sizeof *survey);
  struct rill_error ignored = {0};
  if (survey != NULL && rill_trajectory_survey(reader, survey, &ignored) == RILL_OK && survey->damaged > 0)
    rill_error_add(error, RILL_ERROR_INPUT,
                   "%zu of %zu frames are damaged; a distribution needs an unbroken range of sound frames: choose it "
                   "with --from and --to",
                   survey->damaged, rill_trajectory_frames(reader));
  rill_release(survey);
  return error->status;
}

static enum rill_status sample(struct rill_trajectory_reader *reader, const struct rill_distances_request *request,
                               struct rill_rdf *rdf, double *positions, struct rill_error *error) {
  const char *path = request->path;
  uint64_t step[2] = {0};
  double time[2] = {0}, box[3][3];
  for (size_t i = 0; i < rill_trajectory_frames(reader); i++, step[0] = step[1], time[0] = time[1]) {
    RILL_TRY(rill_trajectory_time(reader, i, &step[1], &time[1], error));
    RILL_TRY(check_order(path, i, step, time, error));
    if (isnan(time[1]) && (request->from > 0 || isfinite(request->to)))
      return rill_error_set(error, RILL_ERROR_INPUT, "%s: its frames have no times, which --from and --to need",
                            path);
    if (time[1] < request->from || time[1] > request->to) continue;
    if (rill_trajectory_read(reader, i, &step[1], &time[1], positions, NULL, &box[0][0], error) != RILL_OK)
      return count_damage(reader, error);
    if (!rill_rdf_is_periodic(rdf)) rill_rdf_sample(rdf, positions);
    else if (rill_rdf_sample_box(rdf, positions, (const double(*)[3])box, error) != RILL_OK)
      return rill_error_prefix(error, "%s: frame %zu", path, i);
  }
  return RILL_OK;
}

static enum rill_status refuse_none(const struct rill_trajectory_reader *reader,
                                    const struct rill_distances_request *request, struct rill_error *error) {
  char end[40] = "";
  if (isfinite(request->to)) snprintf(end, sizeof end, " and up to %g ps", request->to);
  return rill_error_set(error, RILL_ERROR_INPUT, "%s has no frame at or after %g ps%s (it has %zu frames)",
                        request->path, request->from, end, rill_trajectory_frames(reader));
}

static enum rill_status check_same(const struct rill_trajectory_reader *reader,
                                   const struct rill_distances_request *request, const struct rill_rdf *rdf,
                                   struct rill_error *error) {
  const size_t molecules = rill_trajectory_molecules(reader);
  if (molecules != rill_rdf_molecules(rdf))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s has %zu molecules, the files before have %zu: only runs of one system are averaged",
                          request->path, molecules, rill_rdf_molecules(rdf));
  if (rill_trajectory_is_periodic(reader) == rill_rdf_is_periodic(rdf)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s and the files before have different boundaries", request->path);
}

static enum rill_status make(const struct rill_trajectory_reader *reader,
                             const struct rill_distances_request *request, struct rill_rdf **rdf,
                             struct rill_error *error) {
  const size_t molecules = rill_trajectory_molecules(reader);
  if (*rdf != NULL) return check_same(reader, request, *rdf, error);
  if (molecules < 2)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has only one molecule: there are no pairs of molecules",
                          request->path);
  if (rill_trajectory_is_periodic(reader))
    return rill_rdf_create_pair(request->pair, molecules, request->max, request->bins, rdf, error);
  if (request->pair != RILL_RDF_OO)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s is a cluster in vacuum, which has distances of oxygens (O-O) only", request->path);
  return rill_rdf_create(molecules, request->max, request->bins, rdf, error);
}

enum rill_status rill_distances_add(struct rill_trajectory_reader *reader,
                                    const struct rill_distances_request *request, struct rill_rdf **rdf,
                                    struct rill_error *error) {
  size_t before;
  double *positions;
  enum rill_status status;
  RILL_TRY(make(reader, request, rdf, error));
  before = rill_rdf_samples(*rdf);
  positions = rill_allocate(9 * rill_trajectory_molecules(reader), sizeof *positions);
  if (positions == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a frame");
  status = sample(reader, request, *rdf, positions, error);
  if (status == RILL_OK && rill_rdf_samples(*rdf) == before) status = refuse_none(reader, request, error);
  rill_release(positions);
  return status;
}

/* Frames of trajectories and structures. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "library/handle.h"
#include "output/trajectory.h"
#include "structure/frames.h"

typedef int (*taker)(void *context, const struct rill_frame *frame);

struct visit {
  taker take;
  void *context;
  bool stopped;
};

static enum rill_status visit_structure(void *context, struct rill_structure *structure, size_t index,
                                        struct rill_error *error) {
  struct visit *visit = context;
  const struct rill_frame frame = {.index = index,
                                   .time = NAN,
                                   .molecules = structure->molecules,
                                   .positions = structure->positions,
                                   .velocities = structure->velocities,
                                   .box = structure->has_box ? &structure->box[0][0] : NULL};
  (void)error;
  if (!visit->stopped) visit->stopped = visit->take(visit->context, &frame) != 0;
  return RILL_OK;
}

static enum rill_status visit_trajectory(struct rill_trajectory_reader *reader, struct visit *visit,
                                         struct rill_error *error) {
  const size_t molecules = rill_trajectory_molecules(reader);
  const bool has_velocities = rill_trajectory_has_velocities(reader);
  double *positions = rill_allocate(18 * molecules, sizeof *positions), *velocities = positions + 9 * molecules,
         box[9];
  enum rill_status status = RILL_OK;
  if (positions == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a frame of %zu molecules", molecules);
  for (size_t i = 0; status == RILL_OK && !visit->stopped && i < rill_trajectory_frames(reader); i++) {
    struct rill_frame frame = {.index = i,
                               .molecules = molecules,
                               .positions = positions,
                               .velocities = has_velocities ? velocities : NULL,
                               .box = rill_trajectory_is_periodic(reader) ? box : NULL};
    status = rill_trajectory_read(reader, i, &frame.step, &frame.time, positions, has_velocities ? velocities : NULL,
                                  box, error);
    if (status == RILL_OK) visit->stopped = visit->take(visit->context, &frame) != 0;
  }
  rill_release(positions);
  return status;
}

enum rill_status rill_read_frames(const char *path, taker take, void *context, struct rill_error *error) {
  const struct rill_frame_choice all = rill_all_frames;
  struct visit visit = {take, context, false};
  struct rill_trajectory_reader *reader;
  enum rill_status status;
  rill_error_clear(error);
  if (rill_structure_format(path) != RILL_FORMAT_UNKNOWN)
    return rill_frames_visit(path, &all, "", NULL, visit_structure, &visit, NULL, error);
  RILL_TRY(rill_trajectory_open(path, &reader, error));
  status = visit_trajectory(reader, &visit, error);
  rill_trajectory_reader_close(reader);
  return status;
}

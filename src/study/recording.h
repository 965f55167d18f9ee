/* Frames of a trajectory as structures. */
#ifndef RILL_STUDY_RECORDING_H
#define RILL_STUDY_RECORDING_H

#include "output/trajectory.h"
#include "structure/frames.h"

/* As rill_frames_visit; the first that it takes for want of a choice is here the last.  path: for messages.  Titles
 * have number, seed of the noise, time and step. */
enum rill_status rill_recording_visit(struct rill_trajectory_reader *reader, const char *path,
                                      const struct rill_frame_choice *choice, rill_frame_visitor visit, void *context,
                                      struct rill_error *error);

#endif

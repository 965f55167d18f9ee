/* Trajectories that are read: their frames as structures, and what is in them. */
#ifndef RILL_STUDY_RECORDING_H
#define RILL_STUDY_RECORDING_H

#include "base/notes.h"
#include "output/checkpoint.h"
#include "output/trajectory.h"
#include "structure/frames.h"
#include "water/neighbours/contact.h"

/* As rill_frames_visit; the first that it takes for want of a choice is here the last.  path: for messages.  Titles
 * have number, seed of the noise, time and step. */
enum rill_status rill_recording_visit(struct rill_trajectory_reader *reader, const char *path,
                                      const struct rill_frame_choice *choice, rill_frame_visitor visit, void *context,
                                      struct rill_error *error);

/* rill_trajectory_open; what the reader guessed or repaired is said in notes (NULL: none). */
enum rill_status rill_recording_open(const char *path, const struct rill_notes *notes,
                                     struct rill_trajectory_reader **reader, struct rill_error *error);

/* What is told of a structure's frame (rill info). */
struct rill_frame_facts {
  double deviation;            /* off the model's geometry, of a bond length */
  size_t worst;                /* the molecule that is */
  struct rill_contact nearest; /* oxygens */
  double volume;               /* nm3; NaN without a box */
};
enum rill_status rill_frame_measure(const struct rill_water_model *model, const struct rill_structure *structure,
                                    struct rill_frame_facts *facts, struct rill_error *error);

/* And of a trajectory, all frames of which are read. */
struct rill_recording_facts {
  const struct rill_trajectory_reader *reader; /* borrowed */
  struct rill_trajectory_survey survey;
  uint64_t step[2];                            /* of the first frame and the last; zeros without frames */
  double time[2];                              /* ps */
};
enum rill_status rill_recording_survey(struct rill_trajectory_reader *reader, struct rill_recording_facts *facts,
                                       struct rill_error *error);

/* How many frames the trajectory of a checkpoint had; false without one. */
bool rill_checkpoint_frames(const struct rill_checkpoint *checkpoint, uint64_t *frames);

#endif

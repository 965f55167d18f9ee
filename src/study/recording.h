/* Reading trajectories: their frames as structures, and their contents. */
#ifndef RILL_STUDY_RECORDING_H
#define RILL_STUDY_RECORDING_H

#include "base/notes.h"
#include "output/checkpoint.h"
#include "output/trajectory.h"
#include "structure/frames.h"
#include "water/neighbours/contact.h"

/* As rill_frames_visit, but the default is the last frame instead of the first.  path: for messages.  Titles have
 * number, seed of the noise, time and step. */
enum rill_status rill_recording_visit(struct rill_trajectory_reader *reader, const char *path,
                                      const struct rill_frame_choice *choice, rill_frame_visitor visit, void *context,
                                      struct rill_error *error);

/* rill_trajectory_open; notes (NULL: none) report what the reader guessed or repaired. */
enum rill_status rill_recording_open(const char *path, const struct rill_notes *notes,
                                     struct rill_trajectory_reader **reader, struct rill_error *error);

/* Whether a run has the model and the pressure of another one, given by its deck's text; runs without a deck are not
 * judged.  RILL_ERROR_INPUT says what differs. */
enum rill_status rill_recording_check_same(const struct rill_trajectory_reader *reader, const char *path,
                                           const char *deck, struct rill_error *error);

/* Which replica of an ensemble's trajectory is read; zeroed: none was chosen. */
enum rill_replica_kind { RILL_REPLICA_UNCHOSEN, RILL_REPLICA_NUMBER, RILL_REPLICA_TEMPERATURE };
struct rill_replica_choice {
  enum rill_replica_kind kind;
  size_t replica;     /* RILL_REPLICA_NUMBER */
  double temperature; /* RILL_REPLICA_TEMPERATURE: K */
  bool any_ladder;    /* no ladder was chosen */
  size_t ladder;
};
/* Has frames read as those of the choice, with any_ladder of ladder `ladder`.  RILL_ERROR_INPUT when the file has no
 * such replica, is no ensemble's, or is one's and nothing was chosen. */
enum rill_status rill_recording_select(struct rill_trajectory_reader *reader, const char *path,
                                       const struct rill_replica_choice *choice, size_t ladder,
                                       struct rill_error *error);
/* The number of ladders that the choice comprises, 1 or all. */
enum rill_status rill_recording_ladders(struct rill_trajectory_reader *reader,
                                        const struct rill_replica_choice *choice, size_t *ladders,
                                        struct rill_error *error);

/* Facts about a frame of a structure (rill info). */
struct rill_frame_facts {
  /* The model whose geometry is nearest, and the largest deviation from it, relative to a bond length. */
  const struct rill_water_species *geometry;
  double deviation;
  size_t worst;                /* the molecule with that deviation */
  struct rill_contact nearest; /* oxygens */
  double volume;               /* nm3; NaN without a box */
};
enum rill_status rill_frame_measure(const struct rill_structure *structure, struct rill_frame_facts *facts,
                                    struct rill_error *error);

/* Facts about a trajectory, all frames of which are read. */
struct rill_recording_facts {
  const struct rill_trajectory_reader *reader; /* borrowed */
  struct rill_trajectory_survey survey;
  uint64_t step[2]; /* of the first and the last frame; zeros without frames */
  double time[2];   /* ps */
};
enum rill_status rill_recording_survey(struct rill_trajectory_reader *reader, struct rill_recording_facts *facts,
                                       struct rill_error *error);

/* The number of frames in the trajectory of a checkpoint; false without one. */
bool rill_checkpoint_frames(const struct rill_checkpoint *checkpoint, uint64_t *frames);

#endif

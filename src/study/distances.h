/* The distribution of distances over the frames of a trajectory (rill rdf). */
#ifndef RILL_STUDY_DISTANCES_H
#define RILL_STUDY_DISTANCES_H

#include "analysis/rdf.h"
#include "output/trajectory.h"

struct rill_distances_request {
  const char *path;        /* of the trajectory, for messages */
  enum rill_rdf_pair pair; /* in vacuum, of oxygens only */
  double max;              /* nm */
  size_t bins;
  double from, to; /* ps: frames before and after are skipped */
};

/* Adds the frames of a trajectory, or of a selected replica, to *rdf, which is made when it is NULL, and must be of
 * as many molecules and of the same boundary otherwise.  Released by rill_rdf_destroy, also after errors.
 * RILL_ERROR_INPUT: a single molecule, a pair other than of oxygens in vacuum, no frame within the times, a frame
 * that is damaged or not later than the previous one, a range that exceeds the box. */
enum rill_status rill_distances_add(struct rill_trajectory_reader *reader,
                                    const struct rill_distances_request *request, struct rill_rdf **rdf,
                                    struct rill_error *error);

#endif

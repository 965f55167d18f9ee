/* Formats that are written for other programs, and not read: DCD and TRR trajectories, PSF topologies. */
#ifndef RILL_STRUCTURE_EXPORT_H
#define RILL_STRUCTURE_EXPORT_H

#include "structure/frame.h"

/* What the header of a file needs to have of all its frames. */
struct rill_export_tally {
  size_t frames, molecules;
  bool has_box;   /* of the first frame */
  double time[2]; /* of the first two frames, ps */
};

/* append: writes a frame; tally: without this frame.  finish, which may be NULL, completes the file after the last
 * frame. */
struct rill_export {
  const char *name, *extension;
  bool velocities, coordinates;
  enum rill_status (*append)(struct rill_file *file, const struct rill_structure *structure,
                             const struct rill_export_tally *tally);
  enum rill_status (*finish)(struct rill_file *file, const struct rill_export_tally *tally);
};

/* The row of the extension of the file name (case is ignored); NULL for another one. */
const struct rill_export *rill_export_find(const char *path);

extern const struct rill_export rill_export_dcd, rill_export_trr, rill_export_psf;

#endif

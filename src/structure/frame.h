/* Shared by the three formats: the frame that a reader fills, its assembly into molecules, and the file that a writer
 * fills. */
#ifndef RILL_STRUCTURE_FRAME_H
#define RILL_STRUCTURE_FRAME_H

#include "base/output_file.h"
#include "structure/atoms.h"
#include "structure/molecules.h"
#include "structure/text.h"

/* Initialise with {0}; owns atoms. */
struct rill_frame {
  enum rill_format format;
  size_t number; /* index of this frame, from 0 */
  bool missing;  /* the file ended before this frame, which is not the first */
  struct rill_file_atoms atoms;
  bool has_velocities, has_box; /* has_velocities: before the first atom */
  double box[3][3];
  char unused[sizeof((struct rill_structure *)NULL)->unused];
  char title[sizeof((struct rill_structure *)NULL)->title];
};

/* Readers of one frame.  On entry the text is before its first line, or after the previous frame.  A box that is
 * already set is kept if the frame has none of its own (PDB: CRYST1 before the first MODEL). */
enum rill_status rill_gro_read(struct rill_text *text, struct rill_frame *frame);
enum rill_status rill_pdb_read(struct rill_text *text, struct rill_frame *frame);
enum rill_status rill_xyz_read(struct rill_text *text, struct rill_frame *frame);

/* Appends the atom in the current line. */
enum rill_status rill_frame_append(struct rill_frame *frame, const struct rill_text *text,
                                   const struct rill_file_atom *atom);

/* Atoms read so far, massless sites among them. */
static inline size_t rill_frame_read_so_far(const struct rill_frame *frame) {
  return frame->atoms.count + frame->atoms.sites;
}

/* Whether the (trimmed) span is a known name of an atom, or of the residue, of water.  Case is ignored.  An atom of
 * unknown name is identified by the span of its element, if there is one; a residue may have no name. */
enum rill_status rill_water_atom(struct rill_text *text, struct rill_span span, struct rill_span element,
                                 struct rill_file_atom *atom);
bool rill_is_water_residue(const struct rill_text *text, struct rill_span span);
enum rill_status rill_water_residue(struct rill_text *text, struct rill_span span);

/* Checks frame->box as read: all zeros mean no box; otherwise it must be lower triangular with a positive diagonal,
 * and large enough for a molecule. */
enum rill_status rill_frame_accept_box(struct rill_frame *frame, struct rill_text *text);

/* Mentions in `unused` the massless sites of four-site water, of which there must be one a molecule. */
enum rill_status rill_frame_check_sites(struct rill_frame *frame, struct rill_text *text);

/* Groups the atoms into whole molecules O, H, H.  Where each three consecutive atoms are one, the structure takes the
 * frame's arrays, which are then the frame's no longer, and no further memory is needed. */
enum rill_status rill_frame_assemble(struct rill_frame *frame, struct rill_text *text,
                                     struct rill_structure *structure);

/* A file that appears under its name only when it is complete. */
struct rill_file {
  const char *path;
  bool replace;
  struct rill_part part;
  FILE *stream;
  struct rill_error *error;
};

enum rill_status rill_gro_write(struct rill_file *file, const struct rill_structure *structure, int decimals);
/* model: the number of a MODEL record, from 1; 0: none.  dummy_cell: a structure without a box is marked by the cell
 * of 1 Angstrom, because earlier models have a box.  The caller writes END. */
enum rill_status rill_pdb_write(struct rill_file *file, const struct rill_structure *structure, size_t model,
                                bool dummy_cell);
enum rill_status rill_xyz_write(struct rill_file *file, const struct rill_structure *structure, int decimals);

/* RILL_ERROR_OUTPUT for a number that is not finite. */
enum rill_status rill_file_finite(struct rill_file *file, double value, const char *what, size_t molecule);

/* Writes a number right-justified in width columns; RILL_ERROR_OUTPUT when it does not fit or is not finite. */
enum rill_status rill_file_column(struct rill_file *file, double value, int width, int decimals, const char *what,
                                  size_t molecule);

/* Writes a blank and the number in at least width columns; RILL_ERROR_OUTPUT when it is not finite. */
enum rill_status rill_file_word(struct rill_file *file, double value, int width, int decimals, const char *what,
                                size_t molecule);

/* The title without line breaks and other control characters. */
void rill_file_title(struct rill_file *file, const char *title, int longest);

#endif

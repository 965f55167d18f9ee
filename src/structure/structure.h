/* Water structures: GRO, PDB and XYZ files of one or several frames, read into and written from plain arrays.
 *
 * Internally lengths are nm and velocities nm/ps; the readers and writers convert (PDB and XYZ: Angstrom).  Only GRO
 * has velocities; the box of an XYZ file is the Lattice="..." of the extended format. */
#ifndef RILL_STRUCTURE_STRUCTURE_H
#define RILL_STRUCTURE_STRUCTURE_H

#include <stdbool.h>

#include "base/status.h"
#include "structure/molecules.h"

/* The format given by the extension of the file name (.gro .pdb .ent .xyz, case is ignored). */
enum rill_format rill_structure_format(const char *path);

struct rill_structure_reader;

/* Opens a structure file; path and error are borrowed until it is closed.  A RILL_ERROR_INPUT, here or when a frame
 * is read, has one message with the file, the line, what was found, what was expected and a suggestion. */
enum rill_status rill_structure_open(const char *path, struct rill_structure_reader **reader,
                                     struct rill_error *error);

/* Reads the next frame into *structure (whose previous contents are not released); *found is false when the file ends
 * before it.  A file has at least one frame; frames may differ in all respects.  On error *structure is empty. */
enum rill_status rill_structure_next(struct rill_structure_reader *reader, struct rill_structure *structure,
                                     bool *found);

/* Accepts NULL. */
void rill_structure_close(struct rill_structure_reader *reader);

/* Reads the first frame of a file and ignores what follows. */
enum rill_status rill_structure_read(const char *path, struct rill_structure *structure, struct rill_error *error);

/* Writes O, H, H (and the site, if structure->site_weight says so) in the format of the extension.  decimals: of a
 * position in the unit of the file (3 is the classic GRO; 0 means the default of the format: GRO 6, PDB 3 (fixed by
 * the format), XYZ 10); GRO's velocities have one more.  The file is written under a temporary name beside the target
 * and renamed when complete; an existing file is replaced if `replace`, and otherwise an error.  On error the target
 * is unchanged and nothing else is left. Errors: RILL_ERROR_OUTPUT (exists or cannot be created; a number does not
 * fit its column or is not finite), RILL_ERROR_WRITE (the device failed), RILL_ERROR_USAGE (no molecules, unknown
 * extension, decimals), RILL_ERROR_UNSUPPORTED. */
enum rill_status rill_structure_write(const char *path, bool replace, const struct rill_structure *structure,
                                      int decimals, struct rill_error *error);

/* The same frame by frame.  several: frames of a PDB file become models.  path and error are borrowed until
 * rill_structure_finish. */
struct rill_structure_writer;
enum rill_status rill_structure_create(const char *path, bool replace, int decimals, bool several,
                                       struct rill_structure_writer **writer, struct rill_error *error);
enum rill_status rill_structure_append(struct rill_structure_writer *writer, const struct rill_structure *structure);
/* Gives the file its name, or removes it when status is not RILL_OK, and releases the writer (NULL: does nothing).
 * Returns the status, or the failure that occurred here. */
enum rill_status rill_structure_finish(struct rill_structure_writer *writer, enum rill_status status);

#endif

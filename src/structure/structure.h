/* Water structures: GRO, PDB and XYZ files of one or several frames, to and from plain arrays.
 *
 * Lengths are nm and velocities nm/ps inside; the readers and writers convert (PDB and XYZ: Angstrom).  Velocities are
 * in GRO only; the box of an XYZ file is the extended form's Lattice="...". */
#ifndef RILL_STRUCTURE_STRUCTURE_H
#define RILL_STRUCTURE_STRUCTURE_H

#include <stdbool.h>

#include "base/status.h"
#include "structure/molecules.h"

/* Format by the file name's extension (.gro .pdb .ent .xyz, case folded). */
enum rill_format rill_structure_format(const char *path);

struct rill_structure_reader;

/* Opens a file of structures; path and error are borrowed until it is closed.  Errors (RILL_ERROR_INPUT), here and
 * when a frame is read: one message with file, line, what was found, what was expected and a suggestion. */
enum rill_status rill_structure_open(const char *path, struct rill_structure_reader **reader, struct rill_error *error);

/* Reads the next frame into *structure (what it held is not released); *found is false when the file ends before it.
 * A file has at least one frame; frames may differ in everything.  On error *structure is empty. */
enum rill_status rill_structure_next(struct rill_structure_reader *reader, struct rill_structure *structure, bool *found);

/* Accepts NULL. */
void rill_structure_close(struct rill_structure_reader *reader);

/* The first frame of a file, whatever follows it. */
enum rill_status rill_structure_read(const char *path, struct rill_structure *structure, struct rill_error *error);

/* Writes in the format of the extension, O, H, H; decimals of a position in the file's unit (3 is the classic GRO; 0
 * means the format's default: GRO 6, PDB 3 (fixed by the format), XYZ 10); GRO's velocities have one more.  Written
 * to a temporary file beside the target, whose name it takes once it is whole: in place of a file that has it when replace,
 * and otherwise only if none has.  On error the target is as it was and nothing else is left.
 * Errors: RILL_ERROR_OUTPUT (exists or cannot be created; a number does not fit its column or is not finite), RILL_ERROR_WRITE
 * (the device failed), RILL_ERROR_USAGE (no molecules, unknown extension, decimals), RILL_ERROR_UNSUPPORTED. */
enum rill_status rill_structure_write(const char *path, bool replace, const struct rill_structure *structure, int decimals,
                                      struct rill_error *error);

/* The same frame by frame; several: PDB's frames become models.  path and error are borrowed until the end. */
struct rill_structure_writer;
enum rill_status rill_structure_create(const char *path, bool replace, int decimals, bool several,
                                       struct rill_structure_writer **writer, struct rill_error *error);
enum rill_status rill_structure_append(struct rill_structure_writer *writer, const struct rill_structure *structure);
/* Gives the file its name, or removes it when status is not RILL_OK, and releases the writer (NULL: does nothing).
 * Returns the status, or what went wrong here. */
enum rill_status rill_structure_finish(struct rill_structure_writer *writer, enum rill_status status);

#endif

/* Files that commands write. */
#ifndef RILL_CLI_WRITTEN_H
#define RILL_CLI_WRITTEN_H

#include <stdbool.h>

#include "structure/structure.h"

/* RILL_ERROR_OUTPUT for what exists, unless replace, is the command's own input (NULL: may be replaced), or cannot be written;
 * nothing is changed. */
enum rill_status rill_written_check_place(const char *path, const char *input, bool replace, struct rill_error *error);
/* The same of a structure, which is written whole before it takes the place of what stands there; RILL_ERROR_USAGE for an ending that names no format. */
enum rill_status rill_written_check(const char *path, bool replace, struct rill_error *error);

/* Nine decimals of nm (XYZ: ten of Angstrom, PDB: its three), with the velocities only when asked for. */
enum rill_status rill_written_structure(const char *path, const struct rill_structure *structure, bool velocities,
                                        struct rill_error *error);

#endif

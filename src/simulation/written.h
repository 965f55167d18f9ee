/* Files that commands write. */
#ifndef RILL_SIMULATION_WRITTEN_H
#define RILL_SIMULATION_WRITTEN_H

#include <stdbool.h>
#include <stdio.h>

#include "structure/structure.h"

/* RILL_ERROR_OUTPUT for files that exist (unless replace), for the command's own input in any case (NULL: it has
 * none), for what is not a file, or cannot be written; nothing is changed. */
enum rill_status rill_written_check_place(const char *path, const char *input, bool replace,
                                          struct rill_error *error);
/* Opens a text file that was checked so; an existing one is emptied, and links are never followed. */
enum rill_status rill_written_open(const char *path, bool replace, FILE **stream, struct rill_error *error);
/* The same check for a structure, which is written completely before it replaces an existing file; RILL_ERROR_USAGE
 * for an ending that names no format. */
enum rill_status rill_written_check(const char *path, const char *input, bool replace, struct rill_error *error);

/* A file of structures: nine decimals of nm (XYZ: ten of Angstrom, PDB: three), with velocities only when requested.
 * Notes say once, for the first frame, what the file loses: velocities, decimals, the order of atoms; NULL
 * for none. */
struct rill_written {
  const char *path;
  bool velocities;
  double site_weight; /* of the massless sites that are added (struct rill_structure); 0, as set here: none */
  const struct rill_notes *notes;
  struct rill_structure_writer *writer; /* zeroed before rill_written_begin */
  size_t frames, molecules;             /* added so far; in the last frame */
  double time, interval;                /* of the last frame; between the first two, ps */
  bool uneven;                          /* a note said that later intervals differ */
};
enum rill_status rill_written_begin(struct rill_written *written, const char *path, bool replace, bool velocities,
                                    bool several, const struct rill_notes *notes, struct rill_error *error);
enum rill_status rill_written_add(struct rill_written *written, const struct rill_structure *structure);
/* Completes the file, or removes it when status is not RILL_OK; returns the status, or an error of its own. */
enum rill_status rill_written_end(struct rill_written *written, enum rill_status status);

/* All three in one. */
enum rill_status rill_written_structure(const char *path, bool replace, const struct rill_structure *structure,
                                        bool velocities, const struct rill_notes *notes, struct rill_error *error);

/* Writes a CSV of forces, [molecules][3][3] in kJ/mol/nm, to a path that was checked; atoms in the file's order. */
enum rill_status rill_written_forces(const char *path, bool replace, const struct rill_structure *structure,
                                     const double *forces, struct rill_error *error);

#endif

#include "structure/molecules.h"

#include <string.h>

#include "base/memory.h"

void rill_structure_site(const struct rill_structure *structure, const double *x, double site[3]) {
  const double a = structure->site_weight;
  for (int k = 0; k < 3; k++) site[k] = (1 - 2 * a) * x[k] + a * (x[3 + k] + x[6 + k]);
}

enum rill_status rill_structure_allocate(struct rill_structure *structure, size_t molecules, bool velocities,
                                         struct rill_error *error) {
  structure->molecules = molecules;
  structure->positions = rill_allocate(molecules, 9 * sizeof *structure->positions);
  if (velocities) structure->velocities = rill_allocate(molecules, 9 * sizeof *structure->velocities);
  if (structure->positions != NULL && (!velocities || structure->velocities != NULL)) return RILL_OK;
  rill_structure_release(structure);
  return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a structure of %zu molecules", molecules);
}

enum rill_status rill_structure_copy(const struct rill_structure *from, struct rill_structure *to,
                                     struct rill_error *error) {
  const size_t atoms = 3 * from->molecules;
  *to = *from;
  to->positions = to->velocities = NULL;
  to->file_atom = from->file_atom != NULL ? rill_allocate(atoms, sizeof *to->file_atom) : NULL;
  RILL_TRY(rill_structure_allocate(to, from->molecules, from->velocities != NULL, error));
  memcpy(to->positions, from->positions, 3 * atoms * sizeof *to->positions);
  if (from->velocities != NULL) memcpy(to->velocities, from->velocities, 3 * atoms * sizeof *to->velocities);
  if (to->file_atom != NULL) memcpy(to->file_atom, from->file_atom, atoms * sizeof *to->file_atom);
  if (from->file_atom == NULL || to->file_atom != NULL) return RILL_OK;
  rill_structure_release(to);
  return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a structure of %zu molecules", from->molecules);
}

void rill_structure_release(struct rill_structure *structure) {
  if (structure == NULL) return;
  rill_release(structure->positions);
  rill_release(structure->velocities);
  rill_release(structure->file_atom);
  *structure = (struct rill_structure){0};
}

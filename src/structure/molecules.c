#include "structure/molecules.h"

#include "base/memory.h"

enum rill_status rill_structure_allocate(struct rill_structure *structure, size_t molecules, bool velocities,
                                         struct rill_error *error) {
  structure->molecules = molecules;
  structure->positions = rill_allocate(molecules, 9 * sizeof *structure->positions);
  if (velocities) structure->velocities = rill_allocate(molecules, 9 * sizeof *structure->velocities);
  if (structure->positions != NULL && (!velocities || structure->velocities != NULL)) return RILL_OK;
  rill_structure_release(structure);
  return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a structure of %zu molecules", molecules);
}

void rill_structure_release(struct rill_structure *structure) {
  if (structure == NULL) return;
  rill_release(structure->positions);
  rill_release(structure->velocities);
  rill_release(structure->file_atom);
  *structure = (struct rill_structure){0};
}

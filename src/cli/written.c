#include "cli/written.h"

#include <unistd.h>

enum rill_status rill_written_check(const char *path, bool replace, struct rill_error *error) {
  if (rill_structure_format(path) == RILL_FORMAT_UNKNOWN)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: unknown format; expected a name that ends in .gro, .pdb or .xyz", path);
  if (!replace && access(path, F_OK) == 0)
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s exists; give --force to replace it", path);
  return RILL_OK;
}

enum rill_status rill_written_structure(const char *path, const struct rill_structure *structure, bool velocities,
                                        struct rill_error *error) {
  struct rill_structure copy = *structure;
  if (!velocities) copy.velocities = NULL;
  return rill_structure_write(path, &copy, rill_structure_format(path) == RILL_FORMAT_GRO ? 9 : 0, error);
}

#include "cli/written.h"

#include <sys/stat.h>
#include <unistd.h>

#include "cli/files.h"

enum rill_status rill_written_check(const char *path, bool replace, struct rill_error *error) {
  if (rill_structure_format(path) == RILL_FORMAT_UNKNOWN)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "%s: unknown format; expected a name that ends in .gro, .pdb or .xyz", path);
  return rill_written_check_place(path, NULL, replace, error);
}

enum rill_status rill_written_check_place(const char *path, const char *input, bool replace, struct rill_error *error) {
  struct stat info;
  rill_error_clear(error);
  if (stat(path, &info) != 0) return rill_folder_check(path, false, error);
  if (S_ISDIR(info.st_mode))
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s is a folder; expected a file's name", path);
  if (input != NULL && rill_same_file(path, input))
    return rill_error_set(error, RILL_ERROR_OUTPUT,
                          "%s is the input itself and would be overwritten; give another name", path);
  if (!replace) return rill_error_set(error, RILL_ERROR_OUTPUT, "%s exists; give --force to replace it", path);
  return RILL_OK;
}

enum rill_status rill_written_structure(const char *path, const struct rill_structure *structure, bool velocities,
                                        struct rill_error *error) {
  struct rill_structure copy = *structure;
  if (!velocities) copy.velocities = NULL;
  return rill_structure_write(path, &copy, rill_structure_format(path) == RILL_FORMAT_GRO ? 9 : 0, error);
}

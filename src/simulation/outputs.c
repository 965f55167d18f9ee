#include "simulation/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output_file.h"
#include "simulation/distribution.h"
#include "output/h5.h"
#include "output/series.h"
#include "structure/structure.h"
#include "water/water_system.h"

enum rill_status rill_outputs_enter(struct rill_outputs *outputs, const char *folder, struct rill_error *error) {
  size_t length;
  if (folder == NULL || *folder == '\0') return RILL_OK;
  length = strlen(folder);
  if (length + 2 > sizeof outputs->folder)
    return rill_error_set(error, RILL_ERROR_USAGE, "--output: the path is too long");
  snprintf(outputs->folder, sizeof outputs->folder, "%s%s", folder, folder[length - 1] == '/' ? "" : "/");
  return RILL_OK;
}

enum rill_status rill_outputs_name(const struct rill_outputs *outputs, const char *name, const char *ending,
                                   char path[RILL_PATH], struct rill_error *error) {
  int length = snprintf(path, RILL_PATH, "%s%s%s", name[0] == '/' ? "" : outputs->folder, name, ending);
  if (length < 0 || length >= RILL_PATH)
    return rill_error_set(error, RILL_ERROR_OUTPUT, "the path of output %s%s is too long", name, ending);
  return RILL_OK;
}

void rill_cut_ending(const char *name, char stem[RILL_DECK_STRING]) {
  const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name, *dot = strrchr(base, '.');
  size_t length = dot != NULL && dot != base ? (size_t)(dot - name) : strlen(name);
  snprintf(stem, RILL_DECK_STRING, "%.*s", (int)length, name);
}

enum rill_status rill_outputs_name_after(const struct rill_outputs *outputs, const struct rill_deck *deck,
                                         const char *ending, char path[RILL_PATH], struct rill_error *error) {
  const char *slash = strrchr(deck->path, '/');
  char stem[RILL_DECK_STRING];
  rill_cut_ending(slash != NULL ? slash + 1 : deck->path, stem);
  return rill_outputs_name(outputs, stem, ending, path, error);
}

enum rill_status rill_outputs_name_trajectory(struct rill_outputs *outputs, const struct rill_deck *deck,
                                              const char *ending, struct rill_error *error) {
  const char *name = deck->output.trajectory;
  const size_t length = strlen(name), end = strlen(ending);
  char place[RILL_DECK_PLACE];
  if (length == 0) return RILL_OK;
  if (length <= end || strcmp(name + length - end, ending) != 0)
    return rill_error_set(
        error, RILL_ERROR_INPUT,
        "%s: [output] trajectory = %s: expected a name that ends in %s, from which readers infer the format",
        rill_deck_place(deck, "output", "trajectory", place), name, ending);
  return rill_outputs_name(outputs, name, "", outputs->trajectory, error);
}

enum rill_status rill_outputs_name_series(struct rill_outputs *outputs, const struct rill_deck *deck,
                                          struct rill_error *error) {
  const char *name = deck->output.series;
  return name[0] != '\0' ? rill_outputs_name(outputs, name, "", outputs->series, error) : RILL_OK;
}

const char *rill_outputs_path(const struct rill_outputs *outputs, enum rill_file_role role) {
  switch (role) {
#define X(role, name, shown, check)                                                                                  \
  case RILL_FILE_##role: return outputs->name;
    RILL_FILE_LIST(X)
#undef X
  case RILL_FILE_ROLES: break;
  }
  return "";
}

static void list_all(const struct rill_outputs *outputs, const char *all[RILL_OUTPUTS]) {
  for (enum rill_file_role role = 0; role < RILL_FILE_ROLES; role++) all[role] = rill_outputs_path(outputs, role);
  all[RILL_FILE_ROLES] = outputs->wide;
  all[RILL_FILE_ROLES + 1] = outputs->checkpoint;
  all[RILL_FILE_ROLES + 2] = outputs->previous;
}

/* ---- identity of files ---- */

/* A path as the system will resolve it once its missing folders exist: absolute, without dots and links in its
 * folders. */
struct place {
  char path[2 * PATH_MAX];
  size_t missing; /* number of trailing components, folders and file, that do not exist yet */
};

static bool append(struct place *place, const char *name, size_t length, bool last) {
  const size_t end = strcmp(place->path, "/") == 0 ? 0 : strlen(place->path);
  struct stat info;
  char real[PATH_MAX];
  if (end + 1 + length >= PATH_MAX) return false;
  snprintf(place->path + end, sizeof place->path - end, "/%.*s", (int)length, name);
  if (place->missing > 0 || lstat(place->path, &info) != 0) {
    place->missing++;
  } else if (S_ISLNK(info.st_mode) && !last) {
    if (realpath(place->path, real) == NULL) return false;
    strcpy(place->path, real);
  }
  return true;
}

static void go_up(struct place *place) {
  char *slash = strrchr(place->path, '/');
  slash[slash == place->path] = '\0';
  if (place->missing > 0) place->missing--;
}

/* false: the path is too long, or contains a dangling link. */
static bool find_place(const char *path, struct place *place) {
  size_t length;
  *place = (struct place){.path = "/"};
  if (path[0] != '/' && realpath(".", place->path) == NULL) return false;
  for (; *path != '\0'; path += length) {
    path += strspn(path, "/");
    length = strcspn(path, "/");
    if (length == 0 || (length == 1 && path[0] == '.')) continue;
    if (length == 2 && strncmp(path, "..", 2) == 0) go_up(place);
    else if (!append(place, path, length, path[length + strspn(path + length, "/")] == '\0')) return false;
  }
  return true;
}

/* Whether the paths are names of one file, or will be once missing folders exist. */
bool rill_same_file(const char *a, const char *b) {
  struct place one, other;
  struct stat first, second;
  if (!find_place(a, &one) || !find_place(b, &other)) return false;
  if (strcmp(one.path, other.path) == 0) return true;
  return stat(one.path, &first) == 0 && stat(other.path, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

/* ---- planning ---- */

/* A checkpoint is replaced in two steps: when killed in between, it and the previous one are names of one file. */
static bool may_be_one_file(const struct rill_outputs *outputs, const char *a, const char *b) {
  return a == outputs->previous && b == outputs->checkpoint;
}

/* Whether this is the name of a lock file, which no output may have. */
static bool is_name_of_lock(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  const size_t length = strlen(name), ending = sizeof ".lock" - 1;
  return name[0] == '.' && length > ending && strcmp(name + length - ending, ".lock") == 0;
}

static enum rill_status check_names(const struct rill_outputs *outputs, const struct rill_deck *deck,
                                    struct rill_error *error) {
  const char *all[RILL_OUTPUTS];
  list_all(outputs, all);
  for (size_t i = 0; i < RILL_OUTPUTS; i++)
    if (is_name_of_lock(all[i]))
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "%s: an output would have the name %s, but .NAME.lock is kept for lock files; give it "
                            "another name in [output]",
                            deck->path, all[i]);
  for (size_t i = 0; i < RILL_OUTPUTS; i++)
    for (size_t j = 0; j < i; j++)
      if (all[i][0] != '\0' && all[j][0] != '\0' && !may_be_one_file(outputs, all[i], all[j]) &&
          rill_same_file(all[i], all[j]))
        return rill_error_set(error, RILL_ERROR_INPUT,
                              "%s: two outputs would have the name %s; give them different names in [output]",
                              deck->path, all[i]);
  return RILL_OK;
}

enum rill_status rill_outputs_plan(struct rill_outputs *outputs, const struct rill_deck *deck,
                                   struct rill_error *error) {
  const char *name = deck->output.checkpoint;
  if (name[0] == '\0') {
    RILL_TRY(rill_outputs_name_after(outputs, deck, ".checkpoint", outputs->checkpoint, error));
    RILL_TRY(rill_outputs_name_after(outputs, deck, ".checkpoint.prev", outputs->previous, error));
  } else if (strcmp(name, "none") != 0) {
    RILL_TRY(rill_outputs_name(outputs, name, "", outputs->checkpoint, error));
    RILL_TRY(rill_outputs_name(outputs, name, ".prev", outputs->previous, error));
  }
  return check_names(outputs, deck, error);
}

/* The folder that contains a path; false at the top. */
static bool cut_to_folder(char *path) {
  char *slash;
  while ((slash = strrchr(path, '/')) != NULL && slash[1] == '\0' && slash != path) *slash = '\0';
  if (strcmp(path, ".") == 0 || strcmp(path, "/") == 0) return false;
  if (slash == NULL) strcpy(path, ".");
  else slash[slash == path] = '\0';
  return true;
}

enum rill_status rill_folder_check(const char *path, bool may_be_made, struct rill_error *error) {
  char folder[RILL_PATH + 2];
  struct stat info;
  int found = -1;
  snprintf(folder, sizeof folder, "%s", path);
  while (cut_to_folder(folder) && (found = stat(folder, &info)) != 0 && errno == ENOENT && may_be_made) continue;
  if (found == 0 && !S_ISDIR(info.st_mode)) {
    found = -1;
    errno = ENOTDIR;
  }
  if (found == 0 && access(folder, W_OK | X_OK) == 0) return RILL_OK;
  return rill_error_add(error, RILL_ERROR_OUTPUT, "%s cannot be written: folder %s: %s", path, folder,
                        strerror(errno));
}

/* Whether no earlier path has the same folder. */
static bool is_first_of_folder(const char *const all[RILL_OUTPUTS], size_t i) {
  const char *slash = strrchr(all[i], '/');
  const size_t length = slash != NULL ? (size_t)(slash - all[i]) + 1 : 0;
  for (size_t j = 0; j < i; j++)
    if (all[j][0] != '\0' && strncmp(all[j], all[i], length) == 0 && strchr(all[j] + length, '/') == NULL)
      return false;
  return true;
}

static enum rill_status check_one(const char *path, const struct rill_deck *deck, bool replace,
                                  struct rill_error *error) {
  struct place place;
  struct stat info;
  if (rill_same_file(path, deck->path) ||
      (deck->system.structure[0] != '\0' && rill_same_file(path, deck->system.structure)))
    return rill_error_add(error, RILL_ERROR_OUTPUT,
                          "%s is this run's own input and would be overwritten; give another folder with -o", path);
  if (!find_place(path, &place) || lstat(place.path, &info) != 0) return RILL_OK;
  if (S_ISDIR(info.st_mode))
    return rill_error_add(error, RILL_ERROR_OUTPUT, "%s is a folder; expected a file's name", path);
  if (S_ISLNK(info.st_mode))
    return rill_error_add(
        error, RILL_ERROR_OUTPUT,
        "%s is a symbolic link; files are not written through links: remove it, or give another name", path);
  if (!S_ISREG(info.st_mode))
    return rill_error_add(error, RILL_ERROR_OUTPUT, "%s is not a regular file; give another name", path);
  if (!replace)
    return rill_error_add(error, RILL_ERROR_OUTPUT,
                          "%s exists; give --force to replace it, or another folder with -o", path);
  return RILL_OK;
}

enum rill_status rill_outputs_check(const struct rill_outputs *outputs, const struct rill_deck *deck, bool replace,
                                    struct rill_error *error) {
  const char *all[RILL_OUTPUTS];
  list_all(outputs, all);
  rill_error_clear(error);
  for (size_t i = 0; i < RILL_OUTPUTS; i++)
    if (all[i][0] != '\0' && is_first_of_folder(all, i)) (void)rill_folder_check(all[i], true, error);
  if (error->status != RILL_OK) return error->status;
  for (size_t i = 0; i < RILL_OUTPUTS; i++)
    if (all[i][0] != '\0') (void)check_one(all[i], deck, replace, error);
  if (error->status == RILL_OK && outputs->trajectory[0] != '\0')
    rill_h5_prepare(); /* may fail: before files are made */
  return error->status;
}

/* ---- the lock of a run ---- */

/* The folder that contains path, and its parents. */
static enum rill_status make_folder_of(const char *path, struct rill_outputs_lock *lock, struct rill_error *error) {
  char folder[RILL_PATH];
  snprintf(folder, sizeof folder, "%s", path);
  for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(folder, 0777) == 0) {
      if (lock->made_count < RILL_FOLDERS_MADE) lock->made[lock->made_count++] = strdup(folder);
      RILL_TRY(rill_output_sync_folder(folder, error));
    } else if (errno != EEXIST) {
      return rill_error_set(error, RILL_ERROR_OUTPUT, "%s cannot be written: folder %s cannot be made: %s", path,
                            folder, strerror(errno));
    }
    *slash = '/';
  }
  return RILL_OK;
}

static enum rill_status make_folders(const struct rill_outputs *outputs, struct rill_outputs_lock *lock,
                                     struct rill_error *error) {
  const char *all[RILL_OUTPUTS];
  list_all(outputs, all);
  for (size_t i = 0; i < RILL_OUTPUTS; i++)
    if (all[i][0] != '\0') RILL_TRY(make_folder_of(all[i], lock, error));
  return RILL_OK;
}

static enum rill_status take_locks(const struct rill_outputs *outputs, const struct rill_notes *notes,
                                   struct rill_outputs_lock *lock, struct rill_error *error) {
  const char *all[RILL_OUTPUTS];
  int no_flock = 0;
  list_all(outputs, all);
  for (size_t i = 0; i < RILL_OUTPUTS; i++)
    if (all[i][0] != '\0') RILL_TRY(rill_output_lock_take(all[i], &lock->held[i], &no_flock, error));
  if (no_flock != 0 && notes != NULL)
    rill_note(notes,
              "note: files cannot be locked in the folder of the outputs: %s; lock files that contain host and "
              "process are used instead, and one that is left by a run on another host must be removed by hand",
              strerror(no_flock));
  return RILL_OK;
}

enum rill_status rill_outputs_lock(const struct rill_outputs *outputs, const struct rill_deck *deck, bool replace,
                                   bool resume, const struct rill_notes *notes, struct rill_outputs_lock *lock,
                                   struct rill_error *error) {
  const char *all[RILL_OUTPUTS];
  list_all(outputs, all);
  for (size_t i = 0; i < RILL_OUTPUTS; i++)
    if (all[i][0] != '\0') RILL_TRY(rill_output_lock_check(all[i], error));
  RILL_TRY(rill_outputs_check(outputs, deck, replace || resume, error));
  if (!resume) RILL_TRY(make_folders(outputs, lock, error));
  RILL_TRY(take_locks(outputs, notes, lock, error));
  return rill_outputs_check(outputs, deck, replace || resume, error);
}

void rill_outputs_unlock(struct rill_outputs_lock *lock) {
  for (size_t i = 0; i < RILL_OUTPUTS; i++) rill_output_lock_release(&lock->held[i]);
  while (lock->made_count > 0) {
    char *folder = lock->made[--lock->made_count];
    if (folder != NULL) (void)rmdir(folder);
    free(folder);
  }
}

/* ---- existing files ---- */

void rill_outputs_remove_old(const struct rill_outputs *outputs) {
  if (outputs->distribution[0] != '\0') (void)unlink(outputs->distribution);
  if (outputs->distribution_OH[0] != '\0') (void)unlink(outputs->distribution_OH);
  if (outputs->distribution_HH[0] != '\0') (void)unlink(outputs->distribution_HH);
  if (outputs->averages[0] != '\0') (void)unlink(outputs->averages);
  if (outputs->properties[0] != '\0') (void)unlink(outputs->properties);
  if (outputs->property_curves[0] != '\0') (void)unlink(outputs->property_curves);
  (void)unlink(outputs->final_frame);
  (void)unlink(outputs->wide);
}

enum rill_status rill_outputs_remove_checkpoints(const struct rill_outputs *outputs, struct rill_error *error) {
  bool removed;
  if (outputs->checkpoint[0] == '\0') return RILL_OK;
  removed = unlink(outputs->previous) == 0;
  removed = unlink(outputs->checkpoint) == 0 || removed;
  return removed ? rill_output_sync_folder(outputs->checkpoint, error) : RILL_OK;
}

enum rill_status rill_outputs_settle(const struct rill_outputs *outputs, struct rill_error *error) {
  const char *all[RILL_OUTPUTS];
  list_all(outputs, all);
  for (size_t i = 0; i < RILL_OUTPUTS; i++) {
    const int descriptor = all[i][0] == '\0' ? -1 : open(all[i], O_RDONLY | O_CLOEXEC);
    const bool failed = descriptor >= 0 && fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS;
    if (failed) rill_error_set(error, RILL_ERROR_WRITE, "%s cannot be synced to disk: %s", all[i], strerror(errno));
    if (descriptor >= 0) close(descriptor);
    if (failed) return error->status;
  }
  for (size_t i = 0; i < RILL_OUTPUTS; i++)
    if (all[i][0] != '\0' && is_first_of_folder(all, i)) RILL_TRY(rill_output_sync_folder(all[i], error));
  return RILL_OK;
}

bool rill_outputs_widen_final(struct rill_outputs *outputs, const struct rill_system *system) {
  static const double least = -999, most = 9999, fastest = 99; /* nm, nm/ps: characters before the point */
  const size_t coordinates = 9 * rill_water_molecules(system);
  double *values = rill_allocate(coordinates, sizeof *values);
  size_t fit = 0;
  if (values == NULL) return false;
  rill_water_copy_positions(system, values);
  for (size_t i = 0; i < coordinates; i++) fit += values[i] > least && values[i] < most;
  rill_water_copy_state(system, NULL, values);
  for (size_t i = 0; i < coordinates; i++) fit += fabs(values[i]) < fastest;
  rill_release(values);
  if (fit == 2 * coordinates) return false;
  strcpy(outputs->final_frame, outputs->wide);
  return true;
}

enum rill_status rill_outputs_write_state(const char *path, const struct rill_system *system, const char *title,
                                          const double *box, bool velocities, bool replace,
                                          struct rill_error *error) {
  struct rill_structure structure = {0};
  enum rill_status status;
  if (path[0] == '\0') return RILL_OK;
  RILL_TRY(rill_structure_allocate(&structure, rill_water_molecules(system), velocities, error));
  snprintf(structure.title, sizeof structure.title, "%s", title);
  structure.has_box = box != NULL;
  if (box != NULL) memcpy(structure.box, box, sizeof structure.box);
  rill_water_copy_state(system, NULL, structure.velocities);
  rill_water_copy_positions(system, structure.positions);
  /* nine decimals: bonds are accurate to 1e-8 of their length in a run that starts from it */
  status =
      rill_structure_write(path, replace, &structure, rill_structure_format(path) == RILL_FORMAT_GRO ? 9 : 0, error);
  rill_structure_release(&structure);
  return status;
}

enum rill_status rill_outputs_begin_rdf(const struct rill_rdf *rdf, struct rill_trajectory_writer *trajectory,
                                        struct rill_error *error) {
  struct rill_distribution distribution;
  enum rill_status status;
  RILL_TRY(rill_distribution_create(rdf, "", &distribution, error));
  distribution.table.rows = 0;
  status = rill_trajectory_append_table(trajectory, &distribution.table, error);
  rill_distribution_release(&distribution);
  return status;
}

enum rill_status rill_outputs_write_rdf(const char *path, bool replace, const struct rill_rdf *rdf,
                                        const char *provenance, struct rill_trajectory_writer *trajectory,
                                        struct rill_error *error) {
  struct rill_distribution distribution;
  const struct rill_table *table = &distribution.table;
  struct rill_series *csv = NULL;
  enum rill_status status;
  RILL_TRY(rill_distribution_create(rdf, provenance, &distribution, error));
  status = rill_series_create(path, replace, distribution.comment, table->columns, table->column_names,
                              table->column_units, &csv, error);
  for (size_t i = 0; status == RILL_OK && i < table->rows; i++)
    status = rill_series_append(csv, table->values + table->columns * i, error);
  status = rill_series_close_whole(csv, status, error);
  if (status == RILL_OK && trajectory != NULL) status = rill_trajectory_append_table(trajectory, table, error);
  rill_distribution_release(&distribution);
  return status;
}

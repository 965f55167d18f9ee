#include "base/output_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output_lock.h"

static enum rill_status refuse_link(const char *path, struct rill_error *error) {
  char target[PATH_MAX];
  const ssize_t length = readlink(path, target, sizeof target - 1);
  target[length > 0 ? length : 0] = '\0';
  return rill_error_set(
      error, RILL_ERROR_OUTPUT,
      "%s: is a symbolic link to %s; files are not written through links: remove it, or name the file "
      "itself",
      path, target);
}

static enum rill_status refuse_kind(const char *path, mode_t mode, struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_OUTPUT, "%s: is %s; expected the name of a new or regular file", path,
                        S_ISDIR(mode)    ? "a folder"
                        : S_ISFIFO(mode) ? "a FIFO"
                        : S_ISSOCK(mode) ? "a socket"
                                         : "a device");
}

enum rill_status rill_output_create(const char *path, bool replace, int *descriptor, bool *existed,
                                    struct rill_error *error) {
  const int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
  struct stat information;
  if (existed != NULL) *existed = false;
  *descriptor = open(path, flags | O_CREAT | O_EXCL, 0666);
  if (*descriptor >= 0) return RILL_OK;
  if (errno == EEXIST) {
    if (lstat(path, &information) == 0 && S_ISLNK(information.st_mode)) return refuse_link(path, error);
    if (lstat(path, &information) == 0 && !S_ISREG(information.st_mode))
      return refuse_kind(path, information.st_mode, error);
    if (!replace)
      return rill_error_set(error, RILL_ERROR_OUTPUT,
                            "%s: exists already; give --force to replace it, or another name", path);
    *descriptor = open(path, flags);
    if (existed != NULL) *existed = *descriptor >= 0;
  }
  if (*descriptor < 0)
    return rill_error_set(error, RILL_ERROR_OUTPUT,
                          "%s: cannot be created: %s; choose a folder that exists and is writable", path,
                          strerror(errno));
  /* The file that was checked may have been replaced before it was opened. */
  if (fstat(*descriptor, &information) == 0 && S_ISREG(information.st_mode)) return RILL_OK;
  close(*descriptor);
  *descriptor = -1;
  return refuse_kind(path, information.st_mode, error);
}

/* ---- a file that is renamed when it is complete ---- */

enum rill_status rill_output_sync_folder(const char *path, struct rill_error *error) {
  const char *slash = strrchr(path, '/');
  const size_t length = slash == NULL || slash == path ? 1 : (size_t)(slash - path);
  char folder[PATH_MAX];
  int descriptor, failure = 0;
  snprintf(folder, sizeof folder, "%.*s", (int)length, slash == NULL ? "." : path);
  descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return RILL_OK;
  if (fsync(descriptor) != 0) failure = errno;
  close(descriptor);
  if (failure == 0 || failure == EINVAL || failure == EROFS || failure == ENOTSUP) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_WRITE, "folder %s: cannot be synchronised to disk: %s", folder,
                        strerror(failure));
}

/* Whether NAME is "BASE.PID.N.part" and process PID no longer runs. */
static bool is_left_over(const char *name, const char *base) {
  const size_t length = strlen(base);
  char *end;
  long pid;
  if (strncmp(name, base, length) != 0 || name[length] != '.') return false;
  pid = strtol(name + length + 1, &end, 10);
  if (end == name + length + 1 || *end != '.' || pid <= 0 || pid > INT_MAX) return false;
  name = end + 1;
  (void)strtol(name, &end, 10);
  return end != name && strcmp(end, ".part") == 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* A locked file belongs to a process of another machine that shares the folder: it is kept. */
static void remove_left_over(int folder, const char *name) {
  const int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  struct stat information;
  if (descriptor < 0) return;
  if (fstat(descriptor, &information) == 0 && S_ISREG(information.st_mode) &&
      rill_flock_take(descriptor) == RILL_FLOCK_TAKEN)
    (void)unlinkat(folder, name, 0);
  close(descriptor);
}

static void remove_left_overs(const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
  char folder[PATH_MAX];
  const struct dirent *entry;
  DIR *entries;
  snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path) + 1, slash == NULL ? "." : path);
  entries = opendir(folder);
  if (entries == NULL) return;
  while ((entry = readdir(entries)) != NULL)
    if (is_left_over(entry->d_name, base)) remove_left_over(dirfd(entries), entry->d_name);
  closedir(entries);
}

static void release(struct rill_part *part) {
  rill_release(part->path);
  rill_release(part->temporary);
  *part = (struct rill_part){.descriptor = -1};
}

enum rill_status rill_part_create(const char *path, struct rill_part *part, struct rill_error *error) {
  enum { ATTEMPTS = 100 };
  const size_t capacity = strlen(path) + 48;
  struct stat information;
  int failure;
  *part = (struct rill_part){
      .path = rill_allocate(capacity, 1), .temporary = rill_allocate(capacity, 1), .descriptor = -1};
  if (part->path == NULL || part->temporary == NULL) {
    release(part);
    return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  }
  /* Renaming would replace the link, not its target; only regular files and links may be replaced. */
  if (lstat(path, &information) == 0 && !S_ISREG(information.st_mode) && !S_ISLNK(information.st_mode)) {
    release(part);
    return refuse_kind(path, information.st_mode, error);
  }
  strcpy(part->path, path);
  remove_left_overs(path);
  for (int attempt = 0; attempt < ATTEMPTS && part->descriptor < 0; attempt++) {
    snprintf(part->temporary, capacity, "%s.%ld.%d.part", path, (long)getpid(), attempt);
    part->descriptor = open(part->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (part->descriptor < 0 && errno != EEXIST) break;
  }
  failure = errno;
  if (part->descriptor >= 0) {
    (void)rill_flock_take(part->descriptor);
    return RILL_OK;
  }
  release(part);
  return rill_error_set(error, RILL_ERROR_OUTPUT,
                        "%s: cannot be created: %s; choose a folder that exists and is writable", path,
                        strerror(failure));
}

/* Without `replace` the name is given by a link, which fails where the name exists; not all file systems support
 * links. */
static int give_name(const struct rill_part *part, bool replace) {
  struct stat information;
  if (!replace) {
    if (link(part->temporary, part->path) == 0) return unlink(part->temporary) == 0 ? 0 : errno;
    if (errno == EEXIST) return EEXIST;
    if (lstat(part->path, &information) == 0) return EEXIST;
  }
  return rename(part->temporary, part->path) == 0 ? 0 : errno;
}

enum rill_status rill_part_finish(struct rill_part *part, bool replace, int *kept, struct rill_error *error) {
  enum rill_status status = RILL_OK;
  int failure = fsync(part->descriptor) != 0 ? errno : 0;
  if (kept == NULL && close(part->descriptor) != 0 && failure == 0) failure = errno;
  if (failure != 0)
    status = rill_error_set(error, RILL_ERROR_WRITE, "%s: writing failed: %s", part->path, strerror(failure));
  else if ((failure = give_name(part, replace)) != 0)
    status = rill_error_set(
        error, RILL_ERROR_OUTPUT, "%s: %s", part->path,
        failure == EEXIST ? "exists already; give --force to replace it, or another name" : strerror(failure));
  if (kept == NULL) part->descriptor = -1;
  if (status != RILL_OK) {
    rill_part_discard(part);
    return status;
  }
  status = rill_output_sync_folder(part->path, error);
  if (kept != NULL && status == RILL_OK) *kept = part->descriptor;
  if (kept != NULL && status != RILL_OK) close(part->descriptor);
  release(part);
  return status;
}

void rill_part_discard(struct rill_part *part) {
  if (part->temporary == NULL) return;
  if (part->descriptor >= 0) close(part->descriptor);
  (void)unlink(part->temporary);
  release(part);
}

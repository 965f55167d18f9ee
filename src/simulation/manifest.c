#include "simulation/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "output/series.h"
#include "output/trajectory.h"

/* Names of entries in a checkpoint, and how files are compared with them. */
static const struct {
  const char *entry, *shown;
  enum rill_file_check check;
} files[RILL_FILE_ROLES] = {
#define X(role, name, shown, check) [RILL_FILE_##role] = {#name, shown, RILL_CHECK_##check},
    RILL_FILE_LIST(X)
#undef X
};

const char *rill_file_role_name(enum rill_file_role role) { return files[role].shown; }
const char *rill_file_role_entry(enum rill_file_role role) { return files[role].entry; }
enum rill_file_check rill_file_role_check(enum rill_file_role role) { return files[role].check; }

const char *rill_file_state_name(enum rill_file_state state) {
  static const char *const names[] = {[RILL_FILE_INTACT] = "intact",
                                      [RILL_FILE_RESUMABLE] = "resumable",
                                      [RILL_FILE_MISSING] = "missing",
                                      [RILL_FILE_DAMAGED] = "damaged"};
  return names[state];
}

enum rill_status rill_file_sum(const char *path, struct rill_file_sum *sum, struct rill_error *error) {
  unsigned char block[16384];
  struct stat information;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), failure = errno;
  ssize_t count = descriptor < 0 ? -1 : 0;
  *sum = (struct rill_file_sum){0};
  if (descriptor >= 0 && (fstat(descriptor, &information) != 0 || !S_ISREG(information.st_mode))) {
    close(descriptor);
    return rill_error_set(error, RILL_ERROR_INPUT, "%s is not a regular file", path);
  }
  while (descriptor >= 0 && (count = read(descriptor, block, sizeof block)) != 0) {
    failure = errno;
    if (count < 0 && failure == EINTR) continue;
    if (count < 0) break;
    sum->crc = crc32_z((uLong)sum->crc, block, (size_t)count);
    sum->length += (uint64_t)count;
  }
  if (descriptor >= 0) close(descriptor);
  if (count == 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s cannot be read: %s", path, strerror(failure));
}

/* ---- writing ---- */

static void put_sum(struct rill_archive *archive, const char *name, struct rill_file_sum *sum) {
  uint64_t numbers[2] = {sum->length, sum->crc};
  rill_archive_integers(archive, name, numbers, 2);
}

/* Stores the path relative to the folder, so that the folder can be moved, and entries do not depend on it. */
static void put_name(const struct rill_outputs *outputs, struct rill_archive *archive, const char *entry,
                     const char *path) {
  const size_t length = strlen(outputs->folder);
  char name[64];
  if (path[0] == '\0') return;
  if (strncmp(path, outputs->folder, length) == 0) path += length;
  snprintf(name, sizeof name, "%s_name", entry);
  rill_archive_bytes(archive, name, (char *)(uintptr_t)path, strlen(path) + 1);
}

void rill_manifest_names(const struct rill_outputs *outputs, struct rill_file_sum *first_frame,
                         struct rill_archive *archive) {
  rill_archive_enter(archive, "files");
  put_name(outputs, archive, "checkpoint", outputs->checkpoint);
  for (enum rill_file_role role = 0; role < RILL_FILE_ROLES; role++)
    if (files[role].check != RILL_CHECK_WHOLE_AT_END)
      put_name(outputs, archive, files[role].entry, rill_outputs_path(outputs, role));
  put_sum(archive, files[RILL_FILE_FIRST_FRAME].entry, first_frame);
  rill_archive_leave(archive);
}

static enum rill_status seal_whole(const struct rill_outputs *outputs, enum rill_file_role role, const char *path,
                                   struct rill_archive *archive, struct rill_error *error) {
  struct rill_file_sum sum;
  if (path[0] == '\0' || access(path, F_OK) != 0) return RILL_OK;
  if (rill_file_sum(path, &sum, error) != RILL_OK) return rill_error_set(error, RILL_ERROR_WRITE, "%s", error->text);
  put_name(outputs, archive, files[role].entry, path);
  put_sum(archive, files[role].entry, &sum);
  return RILL_OK;
}

enum rill_status rill_manifest_seal(const struct rill_outputs *outputs, struct rill_archive *archive,
                                    struct rill_error *error) {
  for (enum rill_file_role role = 0; role < RILL_FILE_ROLES; role++)
    if (files[role].check == RILL_CHECK_WHOLE_AT_END)
      RILL_TRY(seal_whole(outputs, role, rill_outputs_path(outputs, role), archive, error));
  return RILL_OK;
}

/* ---- checking ---- */

/* The text of an entry, or NULL. */
static const char *find_text(const struct rill_archive *archive, const char *group, const char *entry) {
  char name[64];
  size_t length;
  const char *text;
  snprintf(name, sizeof name, "%s/%s_name", group, entry);
  text = rill_archive_find(archive, name, RILL_ARCHIVE_BYTES, &length);
  return text != NULL && length > 1 && length < RILL_PATH / 2 && memchr(text, '\0', length) == text + length - 1
             ? text
             : NULL;
}

/* The run's folder for a checkpoint at this path, which may be in a subfolder. */
static void find_folder(const char *path, const struct rill_archive *archive, char folder[RILL_PATH]) {
  const char *own = find_text(archive, "files", "checkpoint"), *slash = strrchr(path, '/');
  const size_t length = strlen(path), part = own != NULL ? strlen(own) : 0;
  size_t kept = slash != NULL ? (size_t)(slash - path) + 1 : 0;
  if (part > 0 && part <= length && strcmp(path + length - part, own) == 0 &&
      (part == length || path[length - part - 1] == '/'))
    kept = length - part;
  snprintf(folder, RILL_PATH, "%.*s", (int)kept, path);
}

static enum rill_status check_whole(const char *path, struct rill_archive *archive, const char *entry,
                                    struct rill_error *error) {
  struct rill_file_sum found;
  uint64_t numbers[2] = {0};
  rill_archive_integers(archive, entry, numbers, 2);
  RILL_TRY(rill_archive_status(archive, error));
  RILL_TRY(rill_file_sum(path, &found, error));
  if (found.length != numbers[0])
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has %llu bytes, but had %llu when it was written", path,
                          (unsigned long long)found.length, (unsigned long long)numbers[0]);
  if (found.crc != numbers[1])
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: its checksum differs from when it was written: it was changed or damaged", path);
  return RILL_OK;
}

static bool is_whole(enum rill_file_role role) {
  return files[role].check == RILL_CHECK_WHOLE_FROM_START || files[role].check == RILL_CHECK_WHOLE_AT_END;
}

/* Checks one file against its entries in a group. */
static enum rill_status check_one(const struct rill_file_finding *finding, const struct rill_archive *whole,
                                  const char *group, bool sealed, struct rill_error *error) {
  struct rill_archive archive = *whole; /* a copy, so that an error does not affect the other files */
  const char *entry = files[finding->role].entry;
  if (group[0] != '\0') rill_archive_enter(&archive, group);
  if (is_whole(finding->role)) return check_whole(finding->path, &archive, entry, error);
  rill_archive_enter(&archive, entry);
  if (files[finding->role].check == RILL_CHECK_SERIES)
    return rill_series_compare(finding->path, &archive, sealed, error);
  return rill_trajectory_check(finding->path, &archive, sealed, error);
}

static void judge(struct rill_file_finding *finding, const struct rill_archive *archive, bool sealed) {
  const bool whole = is_whole(finding->role), from_start = files[finding->role].check == RILL_CHECK_WHOLE_FROM_START;
  const char *group = from_start ? "files" : whole || sealed ? "sealed" : "";
  static _Thread_local struct rill_error error;
  struct stat information;
  const bool missing = stat(finding->path, &information) != 0 && errno == ENOENT;
  rill_error_clear(&error);
  finding->state = sealed || whole ? RILL_FILE_INTACT : RILL_FILE_RESUMABLE;
  if (missing) rill_error_set(&error, RILL_ERROR_INPUT, "%s is missing", finding->path);
  else if (check_one(finding, archive, group, sealed, &error) == RILL_OK) return;
  finding->state = missing ? RILL_FILE_MISSING : RILL_FILE_DAMAGED;
  snprintf(finding->text, sizeof finding->text, "%.500s", error.text);
  if (missing || whole || !sealed) return;
  rill_error_clear(&error);
  if (check_one(finding, archive, "", false, &error) == RILL_OK) finding->state = RILL_FILE_RESUMABLE;
  else snprintf(finding->text, sizeof finding->text, "%.500s", error.text);
}

void rill_manifest_announce(const char *path, const struct rill_notes *notes) {
  static const double many = 1e9; /* bytes, which take a few seconds to read */
  struct stat information;
  if (notes != NULL && stat(path, &information) == 0 && (double)information.st_size > many)
    rill_note(notes, "note: reading the %.1f GB of %s to compare them with the checkpoint",
              (double)information.st_size * 1e-9, path);
}

enum rill_status rill_manifest_check(const char *path, struct rill_checkpoint *checkpoint,
                                     const struct rill_notes *notes, struct rill_findings *findings,
                                     struct rill_error *error) {
  const struct rill_archive *archive = &checkpoint->archive;
  const bool sealed = checkpoint->sealed && !checkpoint->stands_in;
  char folder[RILL_PATH];
  *findings = (struct rill_findings){0};
  find_folder(path, archive, folder);
  for (enum rill_file_role role = 0; role < RILL_FILE_ROLES; role++) {
    const bool at_end = files[role].check == RILL_CHECK_WHOLE_AT_END;
    const char *name = find_text(archive, at_end ? "sealed" : "files", files[role].entry);
    struct rill_file_finding *finding = &findings->of[findings->count];
    if (name == NULL || (at_end && !sealed)) continue;
    finding->role = role;
    snprintf(finding->path, sizeof finding->path, "%s%s", name[0] == '/' ? "" : folder, name);
    rill_manifest_announce(finding->path, notes);
    judge(finding, archive, sealed);
    findings->count++;
  }
  if (findings->count > 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s lists no files of its run", path);
}

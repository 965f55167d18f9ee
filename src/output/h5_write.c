/* The file of a killed run stays readable because of these measures: - The format bounds are EARLIEST..V18, so that
 * there is no open-for-write mark that would have to be cleared. - There is no chunk cache: each row is written to
 * its place at once, and nothing but its own bytes. - Each node of the chunk index, which is changed in place, lies
 * within one page of the page cache.  A kill can end a
 *    write at a page boundary, and a half-written node would hide frames that were committed long ago.
 * - A driver writes metadata in an order that is safe at every point (ordered_driver.h). - Disk space is reserved,
 * and the file-size limit is checked, before HDF5 changes the file, so that a full disk is
 *    detected before a frame begins and not in the middle of it. */
#include "config.h" /* _GNU_SOURCE, for fallocate */

#include "output/h5_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output_file.h"
#include "base/output_lock.h"
#include "output/descriptor_driver.h"
#include "output/h5.h"
#include "output/h5_read.h"
#include "output/ordered_driver.h"
#include "output/sandbox.h"

enum {
  NODE_ENTRIES = 64,    /* HDF5's default: 2 * istore_k */
  NODE_SMALLEST = 2048, /* bytes; a node has 24 + 64 * (8 * (rank + 2) + 8) + 8 * (rank + 2), so 2096 to 3136 */
  PAGE = 4096
};

static hid_t created(struct rill_h5_layout *layout, hid_t identifier) {
  if (identifier < 0) layout->failed = true;
  return identifier;
}

void rill_h5_checked(struct rill_h5_layout *layout, herr_t result) {
  if (result < 0) layout->failed = true;
}

/* Times are not tracked, so that equal runs give equal bytes. */
static hid_t untimed(struct rill_h5_layout *layout, hid_t class) {
  hid_t properties = created(layout, H5Pcreate(class));
  if (!layout->failed) rill_h5_checked(layout, H5Pset_obj_track_times(properties, 0));
  return properties;
}

/* heap: bytes for the names of links, 0: what HDF5 takes. */
static void make_group(struct rill_h5_layout *layout, const char *path, size_t heap) {
  hid_t properties, group = H5I_INVALID_HID;
  if (layout->failed) return;
  properties = untimed(layout, H5P_GROUP_CREATE);
  if (!layout->failed && heap > 0) rill_h5_checked(layout, H5Pset_local_heap_size_hint(properties, heap));
  if (!layout->failed) group = created(layout, H5Gcreate2(layout->file, path, H5P_DEFAULT, properties, H5P_DEFAULT));
  rill_h5_close(group);
  rill_h5_close(properties);
}

void rill_h5_make_group(struct rill_h5_layout *layout, const char *path) { make_group(layout, path, 0); }

/* A heap that is not moved is written in one piece, and begins a page, as nodes do. */
void rill_h5_make_growing_group(struct rill_h5_layout *layout, const char *path) {
  make_group(layout, path, NODE_SMALLEST);
}

/* rank 0: a scalar. */
void rill_h5_put_attribute(struct rill_h5_layout *layout, const char *path, const char *name, hid_t type, int rank,
                           hsize_t length, const void *value) {
  hid_t space, attribute = H5I_INVALID_HID;
  if (layout->failed) return;
  space = created(layout, rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, &length, NULL));
  if (!layout->failed)
    attribute = created(
        layout, H5Acreate_by_name(layout->file, path, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (!layout->failed) rill_h5_checked(layout, H5Awrite(attribute, type, value));
  rill_h5_close(attribute);
  rill_h5_close(space);
}

/* size: H5T_VARIABLE, or the bytes of a fixed-length string including its final zero. */
hid_t rill_h5_string_type(struct rill_h5_layout *layout, size_t size, bool utf8) {
  hid_t type = created(layout, H5Tcopy(H5T_C_S1));
  if (!layout->failed) rill_h5_checked(layout, H5Tset_size(type, size));
  if (!layout->failed && utf8) rill_h5_checked(layout, H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

bool rill_h5_is_ascii(const char *text) {
  for (; *text != '\0'; text++)
    if ((unsigned char)*text > 127) return false;
  return true;
}

void rill_h5_put_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text) {
  hid_t type;
  if (layout->failed) return;
  type = rill_h5_string_type(layout, strlen(text) + 1, !rill_h5_is_ascii(text));
  rill_h5_put_attribute(layout, path, name, type, 0, 0, text);
  rill_h5_close(type);
}

void rill_h5_put_words(struct rill_h5_layout *layout, const char *path, const char *name, size_t count,
                       const char *const *words) {
  bool ascii = true;
  size_t size = 1;
  char *table;
  hid_t type;
  if (layout->failed) return;
  for (size_t i = 0; i < count; i++) {
    ascii = ascii && rill_h5_is_ascii(words[i]);
    if (strlen(words[i]) + 1 > size) size = strlen(words[i]) + 1;
  }
  table = rill_h5_allocate(count, size);
  if (table == NULL) layout->failed = true;
  if (layout->failed) return;
  for (size_t i = 0; i < count; i++) strcpy(table + i * size, words[i]);
  type = rill_h5_string_type(layout, size, !ascii);
  rill_h5_put_attribute(layout, path, name, type, 1, count, table);
  rill_h5_close(type);
  rill_release(table);
}

void rill_h5_put_unit(struct rill_h5_layout *layout, const char *path, const char *unit) {
  rill_h5_put_variable_text(layout, path, "unit", unit);
}

void rill_h5_put_variable_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text) {
  hid_t type;
  if (layout->failed) return;
  type = rill_h5_string_type(layout, H5T_VARIABLE, !rill_h5_is_ascii(text));
  rill_h5_put_attribute(layout, path, name, type, 0, 0, &text);
  rill_h5_close(type);
}

/* A dataset that does not change.  rank 0: a scalar.  Both types must have the same representation. */
void rill_h5_put_dataset(struct rill_h5_layout *layout, const char *path, hid_t file_type, hid_t memory_type,
                         int rank, const hsize_t *dimensions, const void *values) {
  hid_t properties, space, dataset = H5I_INVALID_HID;
  if (layout->failed) return;
  properties = untimed(layout, H5P_DATASET_CREATE);
  space = created(layout, rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, dimensions, NULL));
  if (!layout->failed)
    dataset = created(layout, H5Dcreate2(layout->file, path, file_type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
  if (!layout->failed) rill_h5_checked(layout, H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  if (!layout->failed && layout->sums != NULL) {
    size_t bytes = H5Tget_size(memory_type);
    for (int d = 0; d < rank; d++) bytes *= dimensions[d];
    rill_h5_sums_add_fixed(layout->sums, path, values, bytes);
  }
  rill_h5_close(dataset);
  rill_h5_close(space);
  rill_h5_close(properties);
}

static size_t row_bytes(const struct rill_h5_rows *rows) {
  size_t bytes = H5Tget_size(rows->type);
  for (int d = 1; d < rows->rank; d++) bytes *= rows->extent[d];
  return bytes;
}

/* No chunk cache; space in front of rows is not filled (unwritten parts of a chunk are holes, which read as 0). */
hid_t rill_h5_row_access(struct rill_h5_layout *layout) {
  hid_t access = created(layout, H5Pcreate(H5P_DATASET_ACCESS));
  if (!layout->failed) rill_h5_checked(layout, H5Pset_chunk_cache(access, 0, 0, 1.0));
  return access;
}

void rill_h5_sum_rows(struct rill_h5_layout *layout, const char *path, struct rill_h5_rows *rows) {
  if (layout->failed || layout->sums == NULL) return;
  rows->sum = rill_h5_sum_of(layout->sums, path);
  if (rows->sum == NULL) layout->failed = true;
}

void rill_h5_make_rows(struct rill_h5_layout *layout, const char *path, hid_t file_type, hid_t memory_type, int rank,
                       const hsize_t *extent, hsize_t chunk_rows, struct rill_h5_rows *rows) {
  hid_t properties, access, space = H5I_INVALID_HID;
  hsize_t most[RILL_H5_RANK_MAX];
  rows->dataset = H5I_INVALID_HID;
  if (path != NULL) rill_h5_sum_rows(layout, path, rows);
  if (layout->failed) return;
  rows->type = memory_type;
  rows->rank = rank;
  for (int d = 0; d < rank; d++) rows->extent[d] = rows->chunk[d] = most[d] = extent[d];
  rows->extent[0] = 0;
  rows->bytes = row_bytes(rows);
  rows->chunk[0] = chunk_rows;
  most[0] = H5S_UNLIMITED;
  properties = untimed(layout, H5P_DATASET_CREATE);
  access = rill_h5_row_access(layout);
  if (!layout->failed) space = created(layout, H5Screate_simple(rank, rows->extent, most));
  if (!layout->failed) rill_h5_checked(layout, H5Pset_chunk(properties, rank, rows->chunk));
  if (!layout->failed) rill_h5_checked(layout, H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER));
  if (!layout->failed)
    rows->dataset = created(
        layout, path == NULL ? H5Dcreate_anon(layout->file, file_type, space, properties, access)
                             : H5Dcreate2(layout->file, path, file_type, space, H5P_DEFAULT, properties, access));
  rill_h5_close(space);
  rill_h5_close(access);
  rill_h5_close(properties);
}

void rill_h5_link(struct rill_h5_layout *layout, const char *target, const char *path) {
  if (layout->failed) return;
  rill_h5_checked(layout, H5Lcreate_hard(layout->file, target, layout->file, path, H5P_DEFAULT, H5P_DEFAULT));
}

/* --- texts that are replaced ----------------------------------------------------------------------------------- */

/* Opens the attribute through its object: HDF5 1.10 cannot write to an attribute that was opened by the object's
 * name. */
static hid_t open_attribute(struct rill_h5_layout *layout, const char *path, const char *name) {
  hid_t object = created(layout, H5Oopen(layout->file, path, H5P_DEFAULT)), attribute = H5I_INVALID_HID;
  if (!layout->failed) attribute = created(layout, H5Aopen(object, name, H5P_DEFAULT));
  rill_h5_close(object);
  return attribute;
}

void rill_h5_replace_attribute(struct rill_h5_layout *layout, const char *path, const char *name, hid_t type,
                               const void *value) {
  hid_t attribute;
  if (layout->failed) return;
  attribute = open_attribute(layout, path, name);
  if (!layout->failed) rill_h5_checked(layout, H5Awrite(attribute, type, value));
  rill_h5_close(attribute);
}

/* The text padded with zeros; NULL when it is too long or memory is out. */
static char *padded(const char *text, size_t size) {
  char *copy = size > strlen(text) ? rill_h5_allocate(size, 1) : NULL;
  if (copy != NULL) strcpy(copy, text);
  return copy;
}

void rill_h5_put_roomy_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text,
                            size_t room) {
  const size_t size = strlen(text) < room ? room : strlen(text) + 1;
  char *copy = padded(text, size);
  hid_t type = H5I_INVALID_HID;
  if (copy == NULL) layout->failed = true;
  if (!layout->failed) type = rill_h5_string_type(layout, size, !rill_h5_is_ascii(text));
  rill_h5_put_attribute(layout, path, name, type, 0, 0, copy);
  rill_h5_close(type);
  rill_release(copy);
}

void rill_h5_replace_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text) {
  hid_t attribute, type = H5I_INVALID_HID;
  char *copy = NULL;
  if (layout->failed) return;
  attribute = open_attribute(layout, path, name);
  if (!layout->failed) type = created(layout, H5Aget_type(attribute));
  if (!layout->failed) copy = padded(text, H5Tget_size(type));
  if (copy == NULL) layout->failed = true;
  if (!layout->failed) rill_h5_checked(layout, H5Awrite(attribute, type, copy));
  rill_release(copy);
  rill_h5_close(type);
  rill_h5_close(attribute);
}

/* --- rows ----------------------------------------------------------------------------------------------------- */

/* Each chunk and each node of the index takes a page. */
size_t rill_h5_rows_growth(const struct rill_h5_rows *rows, size_t count) {
  const size_t chunk_rows = rows->chunk[0], chunk_bytes = chunk_rows * rows->bytes;
  const size_t held = (size_t)(rows->extent[0] + chunk_rows - 1) / chunk_rows;
  const size_t chunks = ((size_t)rows->extent[0] + count + chunk_rows - 1) / chunk_rows - held;
  const size_t nodes = held + chunks <= NODE_ENTRIES ? held == 0 : 4 * (1 + chunks / (NODE_ENTRIES / 2)); /* splits */
  return chunks == 0 ? 0 : chunks * (chunk_bytes + PAGE) + 2 * nodes * PAGE;
}

bool rill_h5_rows_append(struct rill_h5_rows *rows, size_t count, const void *values) {
  hsize_t start[RILL_H5_RANK_MAX] = {rows->extent[0]}, size[RILL_H5_RANK_MAX];
  hid_t memory = H5I_INVALID_HID, file = H5I_INVALID_HID;
  bool done;
  memcpy(size, rows->extent, sizeof size);
  size[0] = count;
  rows->extent[0] += count;
  done = H5Dset_extent(rows->dataset, rows->extent) >= 0;
  done = done && (memory = H5Screate_simple(rows->rank, size, NULL)) >= 0;
  done = done && (file = H5Dget_space(rows->dataset)) >= 0;
  done = done && H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0;
  done = done && H5Dwrite(rows->dataset, rows->type, memory, file, H5P_DEFAULT, values) >= 0;
  if (done && rows->sum != NULL) rill_h5_sum_add(rows->sum, count, values, count * rows->bytes);
  rill_h5_close(memory);
  rill_h5_close(file);
  return done;
}

/* Makes sure that the file is allowed to grow, and can grow, by `bytes` before HDF5 changes it. */
enum rill_status rill_h5_reserve(hid_t file, int descriptor, const char *path, unsigned long long frames,
                                 size_t bytes, struct rill_error *error) {
  struct rlimit limit;
  hsize_t size;
  int failure = 0;
  if (H5Fget_filesize(file, &size) < 0)
    return rill_h5_error(error, RILL_ERROR_WRITE, path, "the size of the file cannot be determined");
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && size + bytes > limit.rlim_cur)
    return rill_error_set(
        error, RILL_ERROR_WRITE,
        "%s: the limit on file sizes, %llu bytes, is reached; the first %llu frames are kept; raise it "
        "(ulimit -f), or write fewer frames (output.interval)",
        path, (unsigned long long)limit.rlim_cur, frames);
  /* Reserves space beyond the end without moving the end, which HDF5 tracks itself. */
  if (fallocate(descriptor, FALLOC_FL_KEEP_SIZE, (off_t)size, (off_t)bytes) != 0) failure = errno;
  if (failure == EOPNOTSUPP || failure == ENOSYS) { /* a file system that cannot reserve: check the free space */
    struct statvfs room;
    failure = fstatvfs(descriptor, &room) == 0 && (double)room.f_bavail * (double)room.f_frsize < (double)bytes
                  ? ENOSPC
                  : 0;
  }
  if (failure != 0 && failure != EINTR)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: the file cannot grow: %s; the first %llu frames are kept",
                          path, strerror(failure), frames);
  return RILL_OK;
}

/* Opens (creates) the file on our own descriptor: the system's error messages are clearer than HDF5's. */
enum rill_status rill_h5_open_descriptor(const char *path, bool replace, int *descriptor, long long *old_size,
                                         struct rill_error *error) {
  struct stat information;
  enum rill_status status = RILL_OK;
  bool existed;
  *old_size = -1;
  RILL_TRY(rill_output_create(path, replace, descriptor, &existed, error));
  if (existed && fstat(*descriptor, &information) == 0) *old_size = (long long)information.st_size;
  /* Replacing a file that another program has open would destroy its data: HDF5 truncates before it checks. */
  switch (rill_flock_take(*descriptor)) {
  case RILL_FLOCK_TAKEN: flock(*descriptor, LOCK_UN); break;
  case RILL_FLOCK_HELD:
    status = rill_error_set(error, RILL_ERROR_OUTPUT, "%s: is in use by another program", path);
    break;
  case RILL_FLOCK_UNAVAILABLE: break;
  }
  if (status != RILL_OK && *old_size < 0) unlink(path);
  return status;
}

void rill_h5_discard(const char *path, int descriptor, long long old_size) {
  struct stat information;
  if (descriptor < 0) return;
  if (old_size < 0 || (fstat(descriptor, &information) == 0 && information.st_size != old_size)) unlink(path);
}

/* The access properties for both created and reopened files. */
static hid_t file_access(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18) >= 0 &&
      rill_ordered_driver_set(access) >= 0 && H5Pset_alignment(access, NODE_SMALLEST, PAGE) >= 0 &&
      H5Pset_file_locking(access, 1, 1) >= 0)
    return access;
  rill_h5_close(access);
  return H5I_INVALID_HID;
}

hid_t rill_h5_create_file(const char *path) {
  hid_t access = file_access(), creation = H5Pcreate(H5P_FILE_CREATE), file = H5I_INVALID_HID;
  if (access >= 0 && creation >= 0 && H5Pset_obj_track_times(creation, 0) >= 0)
    file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  rill_h5_close(creation);
  rill_h5_close(access);
  return file;
}

/* --- resuming -------------------------------------------------------------------------------------------------- */

enum rill_status rill_h5_keep_file(hid_t file, const char *path, struct rill_h5_sums *sums,
                                   struct rill_archive *archive, struct rill_error *error) {
  rill_h5_sums_archive(sums, archive);
  if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0) return rill_h5_error(error, RILL_ERROR_WRITE, path, "cannot be flushed");
  if (!rill_ordered_driver_keep(file, archive))
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: its state cannot be saved in the checkpoint: %s", path,
                          strerror(errno));
  return RILL_OK;
}

enum rill_status rill_h5_seal_file(hid_t file, const char *path, struct rill_h5_sums *sums,
                                   struct rill_archive *archive, struct rill_error *error) {
  rill_h5_sums_archive(sums, archive);
  if (rill_ordered_driver_seal_at_close(file, archive)) return RILL_OK;
  return rill_h5_error(error, RILL_ERROR_WRITE, path, "cannot be sealed");
}

/* Opens a file for reading without a lock, because its run holds one.  kept: in that earlier state; NULL: as it
 * is. */
static hid_t open_to_read(const char *path, struct rill_archive *kept, int descriptor) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = H5I_INVALID_HID;
  if (access >= 0 && H5Pset_file_locking(access, 0, 1) >= 0 &&
      (kept != NULL ? rill_ordered_driver_set_kept(access, kept, descriptor)
                    : rill_descriptor_driver_set(access, descriptor)) >= 0)
    file = H5Fopen(path, H5F_ACC_RDONLY, access);
  rill_h5_close(access);
  return file;
}

/* Compares all data of a file with sums, in a sandbox: metadata without a checksum, such as older nodes of the chunk
 * index, may be damaged.  HDF5 opens in this process only files that it has read without a crash there. */
struct comparison {
  const char *path;
  int descriptor;
  const struct rill_h5_sums *sums;
  struct rill_archive *kept;
};

static enum rill_status compare(void *context, const void *request, size_t size, void **reply, size_t *reply_size,
                                struct rill_error *error) {
  const struct comparison *all = context;
  enum rill_status status;
  hid_t file;
  (void)request, (void)size, (void)reply, (void)reply_size;
  file = open_to_read(all->path, all->kept, all->descriptor);
  if (file < 0) return rill_h5_error(error, RILL_ERROR_INPUT, all->path, "cannot be opened");
  status = rill_h5_sums_compare(all->sums, file, all->kept == NULL, all->path, error);
  rill_h5_close(file);
  return status;
}

/* kept: the file in that earlier state; NULL: as it is. */
static enum rill_status compare_with_sums(const char *path, int descriptor, struct rill_h5_sums *sums,
                                          struct rill_archive *archive, struct rill_archive *kept,
                                          struct rill_error *error) {
  struct comparison all = {path, descriptor, sums, kept};
  enum rill_status status;
  size_t size;
  void *reply;
  rill_h5_sums_archive(sums, archive);
  RILL_TRY(rill_archive_status(archive, error));
  status = rill_sandbox_run(path, descriptor, compare, &all, &reply, &size, error);
  rill_release(reply);
  return status;
}

static enum rill_status open_to_check(const char *path, int *descriptor, struct rill_error *error) {
  struct stat information;
  rill_h5_prepare();
  errno = 0;
  *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (*descriptor >= 0 && fstat(*descriptor, &information) == 0 && S_ISREG(information.st_mode)) return RILL_OK;
  rill_error_set(error, RILL_ERROR_INPUT, "%s, which the checkpoint resumes, cannot be opened: %s", path,
                 *descriptor >= 0 ? "not a regular file"
                 : errno == ELOOP ? "it is a symbolic link, and files are not written through links"
                                  : strerror(errno));
  if (*descriptor >= 0) close(*descriptor);
  return error->status;
}

enum rill_status rill_h5_check(const char *path, struct rill_archive *archive, bool sealed,
                               struct rill_error *error) {
  struct rill_h5_sums *sums = rill_allocate(1, sizeof *sums);
  enum rill_status status;
  int descriptor = -1;
  if (sums == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  status = open_to_check(path, &descriptor, error);
  if (status == RILL_OK)
    status = (sealed ? rill_ordered_driver_check_sealed : rill_ordered_driver_check_kept)(descriptor, path, archive,
                                                                                          error);
  if (status == RILL_OK) status = compare_with_sums(path, descriptor, sums, archive, sealed ? NULL : archive, error);
  if (descriptor >= 0) close(descriptor);
  rill_release(sums);
  return status;
}

enum rill_status rill_h5_open_kept(const char *path, struct rill_h5_sums *sums, struct rill_archive *archive,
                                   hid_t *file, struct rill_error *error) {
  *file = H5I_INVALID_HID;
  RILL_TRY(rill_h5_check(path, archive, false, error));
  rill_h5_sums_archive(sums, archive);
  RILL_TRY(rill_archive_status(archive, error));
  *file = open_to_read(path, archive, -1);
  return *file >= 0 ? RILL_OK : rill_h5_error(error, RILL_ERROR_INPUT, path, "cannot be opened");
}

/* Overwrites the last chunk with zeros behind the last row, as if no row had been there: it may hold rows that a
 * killed run left and that are removed. */
static enum rill_status clear_unused_rows(const struct rill_h5_rows *rows, int descriptor, const char *path,
                                          struct rill_error *error) {
  const hsize_t behind = rows->extent[0] % rows->chunk[0], start[RILL_H5_RANK_MAX] = {rows->extent[0] - behind};
  hsize_t bytes, used;
  unsigned char *zeros;
  unsigned filters;
  haddr_t address;
  bool done;
  if (behind == 0) return RILL_OK; /* the next row begins a new chunk, beyond the end of the file */
  if (H5Dget_chunk_info_by_coord(rows->dataset, start, &filters, &address, &bytes) < 0 || address == HADDR_UNDEF)
    return rill_h5_error(error, RILL_ERROR_INPUT, path, "its last rows cannot be located");
  used = bytes / rows->chunk[0] * behind;
  zeros = rill_allocate((size_t)(bytes - used), 1);
  if (zeros == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  errno = 0;
  done = pwrite(descriptor, zeros, (size_t)(bytes - used), (off_t)(address + used)) == (ssize_t)(bytes - used);
  rill_release(zeros);
  return done ? RILL_OK : rill_error_set(error, RILL_ERROR_WRITE, "%s cannot be written: %s", path, strerror(errno));
}

static enum rill_status clear_unused(hid_t file, int descriptor, const struct rill_h5_sums *sums, const char *path,
                                     struct rill_error *error) {
  struct rill_h5_layout layout = {.file = file};
  enum rill_status status = RILL_OK;
  for (size_t i = 0; i < sums->count && status == RILL_OK; i++) {
    struct rill_h5_rows rows = {.dataset = H5I_INVALID_HID};
    rill_h5_open_rows(&layout, sums->of[i].path, H5T_NATIVE_DOUBLE, &rows); /* the type does not matter here */
    if (layout.failed) status = rill_h5_error(error, RILL_ERROR_INPUT, path, "its rows cannot be located");
    else status = clear_unused_rows(&rows, descriptor, path, error);
    rill_h5_close(rows.dataset);
  }
  return status;
}

enum rill_status rill_h5_reopen_file(const char *path, struct rill_h5_sums *sums, struct rill_archive *archive,
                                     int *descriptor, hid_t *file, struct rill_error *error) {
  struct stat information;
  hid_t access;
  *file = H5I_INVALID_HID;
  rill_h5_sums_archive(sums, archive);
  RILL_TRY(rill_archive_status(archive, error));
  *descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (*descriptor < 0 || fstat(*descriptor, &information) != 0 || !S_ISREG(information.st_mode))
    return rill_error_set(error, RILL_ERROR_INPUT, "%s, which the checkpoint resumes, cannot be opened: %s", path,
                          *descriptor >= 0 ? "not a regular file"
                          : errno == ELOOP ? "it is a symbolic link, and files are not written through links"
                                           : strerror(errno));
  if (rill_flock_take(*descriptor) == RILL_FLOCK_HELD)
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s: is in use by another program", path);
  RILL_TRY(rill_ordered_driver_rewind(*descriptor, path, archive, error));
  RILL_TRY(rill_h5_probe(path, *descriptor, error));
  flock(*descriptor, LOCK_UN);
  access = file_access();
  if (access >= 0) *file = H5Fopen(path, H5F_ACC_RDWR, access);
  rill_h5_close(access);
  if (*file < 0) return rill_h5_error(error, RILL_ERROR_INPUT, path, "cannot be opened");
  if (!rill_ordered_driver_adopt(*file, archive))
    return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  return clear_unused(*file, *descriptor, sums, path, error);
}

void rill_h5_open_rows(struct rill_h5_layout *layout, const char *path, hid_t memory_type,
                       struct rill_h5_rows *rows) {
  hid_t access, space = H5I_INVALID_HID, creation = H5I_INVALID_HID;
  rows->dataset = H5I_INVALID_HID;
  if (layout->failed) return;
  rows->type = memory_type;
  access = rill_h5_row_access(layout);
  if (!layout->failed) rows->dataset = created(layout, H5Dopen2(layout->file, path, access));
  if (!layout->failed) space = created(layout, H5Dget_space(rows->dataset));
  if (!layout->failed) creation = created(layout, H5Dget_create_plist(rows->dataset));
  if (!layout->failed) rows->rank = H5Sget_simple_extent_ndims(space);
  if (rows->rank < 1 || rows->rank > RILL_H5_RANK_MAX) layout->failed = true;
  if (!layout->failed) rill_h5_checked(layout, H5Sget_simple_extent_dims(space, rows->extent, NULL));
  if (!layout->failed) rill_h5_checked(layout, H5Pget_chunk(creation, rows->rank, rows->chunk));
  if (!layout->failed) rows->bytes = row_bytes(rows);
  rill_h5_sum_rows(layout, path, rows);
  if (rows->sum != NULL && rows->sum->rows != rows->extent[0]) layout->failed = true;
  rill_h5_close(creation);
  rill_h5_close(space);
  rill_h5_close(access);
}

void rill_h5_settle_rows(struct rill_h5_layout *layout, struct rill_h5_rows *rows, const void *row) {
  struct rill_h5_sum *const sum = rows->sum;
  if (layout->failed) return;
  rows->sum = NULL; /* this row does not count */
  if (!rill_h5_rows_append(rows, 1, row)) layout->failed = true;
  rows->sum = sum;
  rows->extent[0] = 0;
  if (!layout->failed) rill_h5_checked(layout, H5Dset_extent(rows->dataset, rows->extent));
}

#include "output/h5_sums.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "output/h5.h"
#include "output/sandbox.h"

/* The path of the deck in trajectories. */
static const char deck_path[] = "/parameters/rill/deck";

enum { RANK_MOST = 3, BLOCK_BYTES = 1 << 18 };

struct rill_h5_sum *rill_h5_sum_of(struct rill_h5_sums *sums, const char *path) {
  struct rill_h5_sum *sum;
  for (size_t i = 0; i < sums->count; i++)
    if (strcmp(sums->of[i].path, path) == 0) return &sums->of[i];
  if (sums->count == RILL_H5_SUMS_MOST || strlen(path) >= RILL_H5_PATH) return NULL;
  sum = &sums->of[sums->count++];
  *sum = (struct rill_h5_sum){0};
  strcpy(sum->path, path);
  return sum;
}

static uint32_t crc_of(uint32_t crc, const void *values, size_t bytes) {
  return (uint32_t)crc32_z(crc, values, bytes);
}

void rill_h5_sum_add(struct rill_h5_sum *sum, size_t rows, const void *values, size_t bytes) {
  sum->rows += rows;
  sum->crc = crc_of(sum->crc, values, bytes);
}

void rill_h5_sums_add_fixed(struct rill_h5_sums *sums, const char *path, const void *values, size_t bytes) {
  if (strcmp(path, deck_path) == 0) sums->deck = crc_of(0, values, bytes);
  else sums->fixed += crc_of(crc_of(0, path, strlen(path)), values, bytes);
}

static void archive_path(struct rill_h5_sum *sum, struct rill_archive *archive) {
  const char *path;
  size_t length;
  if (!archive->reading) {
    rill_archive_bytes(archive, "path", sum->path, strlen(sum->path));
    return;
  }
  path = rill_archive_find(archive, "path", RILL_ARCHIVE_BYTES, &length);
  if (path == NULL || length >= RILL_H5_PATH) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "%spath is not the path of a dataset", archive->group);
    return;
  }
  memcpy(sum->path, path, length);
  sum->path[length] = '\0';
}

void rill_h5_sums_archive(struct rill_h5_sums *sums, struct rill_archive *archive) {
  uint64_t fixed[2] = {sums->fixed, sums->deck}, numbers[2];
  rill_archive_enter(archive, "sums");
  rill_archive_size(archive, "count", &sums->count);
  if (sums->count > RILL_H5_SUMS_MOST) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "%scount is %zu; expected at most %d", archive->group, sums->count,
                      RILL_H5_SUMS_MOST);
    sums->count = 0;
  }
  rill_archive_integers(archive, "fixed", fixed, 2);
  sums->fixed = (uint32_t)fixed[0];
  sums->deck = (uint32_t)fixed[1];
  for (size_t i = 0; i < sums->count; i++) {
    struct rill_h5_sum *sum = &sums->of[i];
    char name[16];
    snprintf(name, sizeof name, "%zu", i);
    rill_archive_enter(archive, name);
    archive_path(sum, archive);
    numbers[0] = sum->rows;
    numbers[1] = sum->crc;
    rill_archive_integers(archive, "rows", numbers, 2);
    sum->rows = numbers[0];
    sum->crc = (uint32_t)numbers[1];
    rill_archive_leave(archive);
  }
  rill_archive_leave(archive);
}

/* --- comparing
 * ------------------------------------------------------------------------------------------------------- */

/* A dataset open for reading: [extent[0]] rows of row_bytes. */
struct source {
  hid_t dataset, space, type; /* type: in memory */
  int rank;
  hsize_t extent[RANK_MOST];
  bool grows;
  size_t row_bytes;
};

static void close_source(struct source *source) {
  rill_h5_close(source->type);
  rill_h5_close(source->space);
  rill_h5_close(source->dataset);
}

static bool open_source(hid_t file, const char *path, struct source *source) {
  hsize_t most[RANK_MOST] = {0};
  hid_t access = H5Pcreate(H5P_DATASET_ACCESS), type = H5I_INVALID_HID;
  *source = (struct source){.dataset = H5I_INVALID_HID, .space = H5I_INVALID_HID, .type = H5I_INVALID_HID};
  if (access >= 0 && H5Pset_chunk_cache(access, 0, 0, 1.0) >= 0) source->dataset = H5Dopen2(file, path, access);
  rill_h5_close(access);
  if (source->dataset >= 0) source->space = H5Dget_space(source->dataset);
  if (source->dataset >= 0) type = H5Dget_type(source->dataset);
  if (type >= 0 && H5Tis_variable_str(type) == 0) source->type = H5Tget_native_type(type, H5T_DIR_ASCEND);
  rill_h5_close(type);
  if (source->space < 0 || source->type < 0) return false;
  source->rank = H5Sget_simple_extent_ndims(source->space);
  if (source->rank < 0 || source->rank > RANK_MOST ||
      H5Sget_simple_extent_dims(source->space, source->extent, most) < 0)
    return false;
  source->grows = source->rank > 0 && most[0] == H5S_UNLIMITED;
  source->row_bytes = H5Tget_size(source->type);
  for (int d = 1; d < source->rank; d++) source->row_bytes *= source->extent[d];
  return true;
}

static bool read_rows(const struct source *source, hsize_t first, hsize_t count, void *values) {
  hsize_t start[RANK_MOST] = {first}, size[RANK_MOST];
  hid_t memory = H5I_INVALID_HID;
  bool done;
  memcpy(size, source->extent, sizeof size);
  size[0] = count;
  done = H5Sselect_hyperslab(source->space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
         (memory = H5Screate_simple(source->rank, size, NULL)) >= 0 &&
         H5Dread(source->dataset, source->type, memory, source->space, H5P_DEFAULT, values) >= 0;
  rill_h5_close(memory);
  return done;
}

static enum rill_status compare_rows(const struct rill_h5_sum *sum, hid_t file, const char *path,
                                     struct rill_error *error) {
  struct source source;
  enum rill_status status = RILL_OK;
  void *block = NULL;
  hsize_t together;
  uint32_t crc = 0;
  if (!open_source(file, sum->path, &source) || !source.grows || source.row_bytes == 0) {
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: %s cannot be opened: the file is damaged", path, sum->path);
  } else if (source.extent[0] != sum->rows) {
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: %s has %llu rows, but %llu were written", path, sum->path,
                            (unsigned long long)source.extent[0], (unsigned long long)sum->rows);
  } else {
    together = source.row_bytes < BLOCK_BYTES ? BLOCK_BYTES / source.row_bytes : 1;
    block = rill_h5_allocate(together, source.row_bytes);
    if (block == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
    for (hsize_t first = 0; status == RILL_OK && first < sum->rows; first += together) {
      const hsize_t count = sum->rows - first < together ? sum->rows - first : together;
      rill_sandbox_more_time((size_t)count * source.row_bytes);
      if (read_rows(&source, first, count, block)) crc = crc_of(crc, block, (size_t)count * source.row_bytes);
      else status = rill_h5_error(error, RILL_ERROR_INPUT, path, "its rows cannot be read: the file is damaged");
    }
    if (status == RILL_OK && crc != sum->crc)
      status = rill_error_set(error, RILL_ERROR_INPUT,
                              "%s: the checksum of %s does not match: it was changed or damaged", path, sum->path);
  }
  rill_release(block);
  close_source(&source);
  return status;
}

/* Sums the datasets that do not grow. */
struct visit {
  struct rill_h5_sums found;
  bool no_memory;
};

static herr_t add_fixed(hid_t file, const char *name, const H5O_info_t *object, void *context) {
  struct visit *visit = context;
  struct source source;
  char path[RILL_H5_PATH];
  void *values;
  bool done;
  if (object->type != H5O_TYPE_DATASET) return 0;
  if (snprintf(path, sizeof path, "/%s", name) >= (int)sizeof path) return -1;
  done = open_source(file, path, &source);
  if (done && !source.grows) {
    const size_t size = source.row_bytes * (size_t)(source.rank > 0 ? source.extent[0] : 1);
    rill_sandbox_more_time(size);
    values = rill_h5_allocate(size, 1);
    visit->no_memory = visit->no_memory || values == NULL;
    done = values != NULL && H5Dread(source.dataset, source.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (done) rill_h5_sums_add_fixed(&visit->found, path, values, size);
    rill_release(values);
  }
  close_source(&source);
  return done ? 0 : -1;
}

enum rill_status rill_h5_sums_compare(const struct rill_h5_sums *sums, hid_t file, bool with_deck, const char *path,
                                      struct rill_error *error) {
  struct visit visit = {0};
  for (size_t i = 0; i < sums->count; i++) RILL_TRY(compare_rows(&sums->of[i], file, path, error));
  if (H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, add_fixed, &visit, H5O_INFO_BASIC) < 0)
    return visit.no_memory
               ? rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path)
               : rill_h5_error(error, RILL_ERROR_INPUT, path, "a part of it cannot be read: the file is damaged");
  if (visit.found.fixed != sums->fixed)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: the checksum of masses, charges and the like does not match: they were changed or "
                          "damaged",
                          path);
  if (with_deck && visit.found.deck != sums->deck)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the deck in it was changed or damaged", path);
  return RILL_OK;
}

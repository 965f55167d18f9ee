#include "output/series_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/timers.h"
#include "output/h5.h"
#include "output/h5_write.h"

#define SERIES "/series"

/* Frames are buffered up to this number of bytes or frames, or for this time. */
enum { BUFFER_BYTES = 256 * 1024, BUFFER_FRAMES_MAX = 1024 };
static const double patience = 0.1; /* s */

enum column { Q, P, POSITION, MULTIPLIER, ENERGY, MOMENTUM, RESIDUAL, TEMPERATURE, ITERATIONS, STEP, TIME, COLUMNS };
static const char *const names[COLUMNS] = {
    "q", "p", "position", "multiplier", "energy", "momentum", "residual", "temperature", "iterations", "step", "t"};

struct rill_series_file {
  char *path; /* for messages only */
  hid_t file;
  int descriptor; /* a second one, to reserve space */
  bool broken;    /* HDF5 failed: its state can no longer be trusted, not even to close the file */
  struct rill_h5_sums sums;
  size_t width[COLUMNS];
  struct rill_h5_rows rows[COLUMNS]; /* none where the width is 0 */
  double *held[COLUMNS];             /* [capacity][width]; steps as int64_t */
  size_t capacity, count;
  double written; /* time of the last write */
};

/* Closes the HDF5 file, unless it is broken: then it stays as it is, and HDF5 keeps its handle. */
static herr_t close_file(struct rill_series_file *file) {
  herr_t closed = 0;
  if (!file->broken && file->file >= 0) {
    for (int c = 0; c < COLUMNS; c++)
      if (file->rows[c].dataset > 0) rill_h5_close(file->rows[c].dataset);
    closed = H5Fclose(file->file);
  }
  file->file = H5I_INVALID_HID;
  return closed;
}

static void release(struct rill_series_file *file) {
  if (file == NULL) return;
  close_file(file);
  if (file->descriptor >= 0) close(file->descriptor);
  for (int c = 0; c < COLUMNS; c++) rill_release(file->held[c]);
  rill_release(file->path);
  rill_release(file);
}

static enum rill_status break_off(struct rill_series_file *file, const char *doing, struct rill_error *error) {
  file->broken = true;
  return rill_h5_error(error, RILL_ERROR_WRITE, file->path, doing);
}

static void make_columns(struct rill_h5_layout *layout, const struct rill_series_file_header *header,
                         struct rill_series_file *file) {
  static const char *const energies[] = {"kinetic", "potential", "total"};
  static const char *const momenta[] = {"linear_x", "linear_y", "linear_z", "angular_x", "angular_y", "angular_z"};
  static const char *const temperatures[] = {"on_step", "half_step"};
  static const char *const residuals[] = {"position", "velocity"};
  static const char *const momentum_units[] = {"kg m/s", "kg m/s", "kg m/s", "kg m2/s", "kg m2/s", "kg m2/s"};
  const bool si = strcmp(header->units, "SI") == 0;
  for (int c = 0; c < COLUMNS; c++) {
    hsize_t extent[2] = {0, file->width[c]}, chunk = RILL_H5_CHUNK_BYTES;
    bool scalar = c >= ITERATIONS;
    char path[64];
    if (file->width[c] == 0) continue;
    chunk /= file->width[c] * sizeof(double);
    if (chunk < 1) chunk = 1;
    if (chunk > RILL_H5_CHUNK_STEPS) chunk = RILL_H5_CHUNK_STEPS;
    snprintf(path, sizeof path, SERIES "/%s", names[c]);
    rill_h5_make_rows(layout, path, c == STEP ? H5T_STD_I64LE : H5T_IEEE_F64LE,
                      c == STEP ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, scalar ? 1 : 2, extent, chunk,
                      &file->rows[c]);
    if (c == ENERGY) {
      rill_h5_put_words(layout, path, "columns", RILL_SERIES_ENERGY, energies);
      if (si) rill_h5_put_text(layout, path, "unit", "J");
    }
    if ((c == Q || c == POSITION) && header->coordinate_unit != NULL)
      rill_h5_put_text(layout, path, "unit", header->coordinate_unit);
    if (c == P && header->momentum_unit != NULL) rill_h5_put_text(layout, path, "unit", header->momentum_unit);
    if (c == MOMENTUM) {
      rill_h5_put_words(layout, path, "columns", RILL_SERIES_MOMENTUM, momenta);
      if (si) rill_h5_put_words(layout, path, "unit", RILL_SERIES_MOMENTUM, momentum_units);
    }
    if (c == TEMPERATURE) {
      rill_h5_put_words(layout, path, "columns", RILL_SERIES_TEMPERATURE, temperatures);
      if (si) rill_h5_put_text(layout, path, "unit", "J");
    }
    if (c == RESIDUAL) rill_h5_put_words(layout, path, "columns", RILL_SERIES_RESIDUAL, residuals);
    if (c == TIME) rill_h5_put_text(layout, path, "unit", header->time_unit);
  }
}

static void make_layout(struct rill_h5_layout *layout, const struct rill_series_file_header *header,
                        struct rill_series_file *file) {
  rill_h5_make_group(layout, SERIES);
  rill_h5_put_text(layout, SERIES, "system", header->system);
  rill_h5_put_text(layout, SERIES, "method", header->method);
  rill_h5_put_text(layout, SERIES, "version", header->version);
  rill_h5_put_text(layout, SERIES, "units", header->units);
  rill_h5_put_roomy_text(layout, SERIES, "deck", header->deck, header->deck_room);
  rill_h5_put_attribute(layout, SERIES, "step", H5T_NATIVE_DOUBLE, 0, 0, &header->step);
  make_columns(layout, header, file);
}

static bool allocate(struct rill_series_file *file, const char *path) {
  size_t frame = 0;
  for (int c = 0; c < COLUMNS; c++) frame += file->width[c] * sizeof(double);
  file->capacity = BUFFER_BYTES / frame;
  if (file->capacity < 1) file->capacity = 1;
  if (file->capacity > BUFFER_FRAMES_MAX) file->capacity = BUFFER_FRAMES_MAX;
  for (int c = 0; c < COLUMNS; c++)
    if (file->width[c] > 0 &&
        (file->held[c] = rill_allocate(file->capacity * file->width[c], sizeof(double))) == NULL)
      return false;
  file->path = rill_allocate(strlen(path) + 1, 1);
  if (file->path != NULL) strcpy(file->path, path);
  return file->path != NULL;
}

/* Creates everything but the file. */
static enum rill_status make(const char *path, const struct rill_series_file_header *header,
                             struct rill_series_file **result, struct rill_error *error) {
  struct rill_series_file *file;
  *result = NULL;
  rill_h5_prepare();
  file = rill_allocate(1, sizeof *file);
  if (file == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  file->file = H5I_INVALID_HID;
  file->descriptor = -1;
  file->width[Q] = file->width[P] = header->n;
  file->width[POSITION] = header->positions ? header->n : 0;
  file->width[MULTIPLIER] = header->m;
  file->width[ENERGY] = RILL_SERIES_ENERGY;
  file->width[MOMENTUM] = RILL_SERIES_MOMENTUM;
  file->width[RESIDUAL] = RILL_SERIES_RESIDUAL;
  file->width[TEMPERATURE] = header->temperatures ? RILL_SERIES_TEMPERATURE : 0;
  file->width[ITERATIONS] = file->width[STEP] = file->width[TIME] = 1;
  *result = file;
  if (allocate(file, path)) return RILL_OK;
  *result = NULL;
  release(file);
  return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
}

enum rill_status rill_series_file_create(const char *path, const struct rill_series_file_header *header,
                                         struct rill_series_file **result, struct rill_error *error) {
  RILL_H5_SECTION;
  struct rill_h5_layout layout = {.file = H5I_INVALID_HID};
  struct rill_series_file *file;
  enum rill_status status;
  long long old_size;
  bool opened = false;
  *result = NULL;
  RILL_TRY(make(path, header, &file, error));
  status = rill_h5_open_descriptor(path, header->replace, &file->descriptor, &old_size, error);
  if (status != RILL_OK) goto fail;
  opened = true;
  layout.sums = &file->sums;
  file->file = layout.file = rill_h5_create_file(path);
  if (file->file < 0) {
    status = rill_h5_error(error, RILL_ERROR_OUTPUT, path, "cannot be created");
    goto fail;
  }
  status = rill_h5_reserve(file->file, file->descriptor, path, 0, 4 * RILL_H5_METADATA_SLACK, error);
  if (status != RILL_OK) goto fail;
  make_layout(&layout, header, file);
  if (layout.failed || H5Fflush(file->file, H5F_SCOPE_LOCAL) < 0) {
    status = break_off(file, "its header cannot be written", error);
    goto fail;
  }
  *result = file;
  return RILL_OK;
fail:
  if (opened) rill_h5_discard(path, file->descriptor, old_size);
  release(file);
  return status;
}

/* Number of rows up to the next chunk boundary of any dataset.  The order of chunks in the file then does not depend
 * on how many frames are written together, which depends on timing. */
static size_t rows_of_one_chunk(const struct rill_series_file *file, size_t most) {
  for (int c = 0; c < COLUMNS; c++) {
    const struct rill_h5_rows *rows = &file->rows[c];
    if (file->width[c] > 0 && rows->chunk[0] - rows->extent[0] % rows->chunk[0] < most)
      most = (size_t)(rows->chunk[0] - rows->extent[0] % rows->chunk[0]);
  }
  return most;
}

static enum rill_status write_held(struct rill_series_file *file, struct rill_error *error) {
  size_t growth = RILL_H5_METADATA_SLACK;
  if (file->count == 0) return RILL_OK;
  if (file->broken)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: nothing more is written after a failure", file->path);
  for (int c = 0; c < COLUMNS; c++)
    if (file->width[c] > 0) growth += rill_h5_rows_growth(&file->rows[c], file->count);
  RILL_TRY(rill_h5_reserve(file->file, file->descriptor, file->path, (unsigned long long)file->rows[TIME].extent[0],
                           growth, error));
  for (size_t first = 0, count; first < file->count; first += count) {
    count = rows_of_one_chunk(file, file->count - first);
    for (int c = 0; c < COLUMNS; c++)
      if (file->width[c] > 0 && !rill_h5_rows_append(&file->rows[c], count, file->held[c] + first * file->width[c]))
        return break_off(file, "frames cannot be written", error);
  }
  if (H5Fflush(file->file, H5F_SCOPE_LOCAL) < 0) return break_off(file, "frames cannot be committed", error);
  file->count = 0;
  file->written = rill_clock();
  return RILL_OK;
}

static void hold(struct rill_series_file *file, enum column column, const double *values) {
  if (file->width[column] > 0)
    memcpy(file->held[column] + file->count * file->width[column], values, file->width[column] * sizeof *values);
}

enum rill_status rill_series_file_append(struct rill_series_file *file, const struct rill_series_frame *frame,
                                         struct rill_error *error) {
  RILL_H5_SECTION;
  const int64_t step = (int64_t)frame->step;
  if (file->count == file->capacity) RILL_TRY(write_held(file, error));
  hold(file, Q, frame->q);
  hold(file, P, frame->p);
  hold(file, POSITION, frame->position);
  hold(file, MULTIPLIER, frame->multiplier);
  hold(file, ENERGY, frame->energy);
  hold(file, MOMENTUM, frame->momentum);
  hold(file, RESIDUAL, frame->residual);
  hold(file, TEMPERATURE, frame->temperature);
  hold(file, ITERATIONS, &frame->iterations);
  hold(file, TIME, &frame->time);
  memcpy(file->held[STEP] + file->count, &step, sizeof step);
  file->count++;
  if (file->count == file->capacity || rill_clock() - file->written > patience) RILL_TRY(write_held(file, error));
  return RILL_OK;
}

/* --- resuming -------------------------------------------------------------------------------------------------- */

enum rill_status rill_series_file_keep(struct rill_series_file *file, struct rill_archive *archive,
                                       struct rill_error *error) {
  RILL_H5_SECTION;
  size_t frames;
  RILL_TRY(write_held(file, error));
  if (file->broken)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: nothing more is written after a failure", file->path);
  frames = (size_t)file->rows[TIME].extent[0];
  rill_archive_size(archive, "frames", &frames);
  return rill_h5_keep_file(file->file, file->path, &file->sums, archive, error);
}

enum rill_status rill_series_file_seal(struct rill_series_file *file, struct rill_archive *archive,
                                       struct rill_error *error) {
  RILL_H5_SECTION;
  RILL_TRY(write_held(file, error));
  if (file->broken)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: nothing more is written after a failure", file->path);
  return rill_h5_seal_file(file->file, file->path, &file->sums, archive, error);
}

/* Opens the columns of an existing file. */
static enum rill_status open_columns(struct rill_series_file *file, size_t frames, struct rill_error *error) {
  struct rill_h5_layout layout = {.file = file->file, .sums = &file->sums};
  for (int c = 0; c < COLUMNS; c++) {
    char name[64];
    snprintf(name, sizeof name, SERIES "/%s", names[c]);
    if (file->width[c] == 0) continue;
    rill_h5_open_rows(&layout, name, c == STEP ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, &file->rows[c]);
    if (file->rows[c].extent[0] != frames || (file->rows[c].rank > 1 && file->rows[c].extent[1] != file->width[c]))
      layout.failed = true;
  }
  if (!layout.failed) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s is not the series that the checkpoint resumes", file->path);
}

enum rill_status rill_series_file_check(const char *path, const struct rill_series_file_header *header,
                                        struct rill_archive *archive, struct rill_error *error) {
  RILL_H5_SECTION;
  struct rill_series_file *file;
  size_t frames = 0;
  enum rill_status status;
  RILL_TRY(make(path, header, &file, error));
  rill_archive_size(archive, "frames", &frames);
  status = rill_archive_status(archive, error);
  if (status == RILL_OK) status = rill_h5_open_kept(path, &file->sums, archive, &file->file, error);
  if (status == RILL_OK) status = open_columns(file, frames, error);
  release(file);
  return status;
}

enum rill_status rill_series_file_resume(const char *path, const struct rill_series_file_header *header,
                                         struct rill_archive *archive, struct rill_series_file **result,
                                         struct rill_error *error) {
  RILL_H5_SECTION;
  struct rill_h5_layout layout = {.file = H5I_INVALID_HID};
  struct rill_series_file *file;
  size_t frames = 0;
  enum rill_status status;
  *result = NULL;
  RILL_TRY(make(path, header, &file, error));
  rill_archive_size(archive, "frames", &frames);
  status = rill_archive_status(archive, error);
  if (status == RILL_OK)
    status = rill_h5_reopen_file(path, &file->sums, archive, &file->descriptor, &file->file, error);
  if (status == RILL_OK) status = open_columns(file, frames, error);
  layout.file = file->file;
  if (status == RILL_OK) rill_h5_replace_text(&layout, SERIES, "deck", header->deck);
  if (status == RILL_OK && layout.failed)
    status = rill_h5_error(error, RILL_ERROR_INPUT, path, "its deck cannot be replaced");
  if (status == RILL_OK) *result = file;
  else release(file);
  return status;
}

enum rill_status rill_series_file_close(struct rill_series_file *file, struct rill_error *error) {
  RILL_H5_SECTION;
  enum rill_status status = RILL_OK;
  struct stat information;
  if (file == NULL) return RILL_OK;
  if (!file->broken) status = write_held(file, error);
  if (!file->broken) {
    if (close_file(file) < 0 && status == RILL_OK)
      status = rill_h5_error(error, RILL_ERROR_WRITE, file->path, "cannot be closed");
    /* Releases space reserved beyond the end; a failure only costs some disk space. */
    if (fstat(file->descriptor, &information) == 0 && ftruncate(file->descriptor, information.st_size) != 0)
      errno = 0;
  }
  release(file);
  return status;
}

/* Reads series of small systems; all calls of HDF5 are made in a sandbox. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/h5.h"
#include "output/h5_read.h"
#include "output/sandbox.h"
#include "output/series_file.h"

#define SERIES "/series"
static const char expected[] = "a series of a small system";

/* The file and the request. */
struct work {
  const char *path;
  int descriptor;
  enum rill_status (*read)(struct rill_h5_source *source, void **reply, size_t *reply_size, struct rill_error *error);
};

/* --- inside the sandbox ----------------------------------------------------------------------------------------- */

static enum rill_status serve(void *context, const void *request, size_t size, void **reply, size_t *reply_size,
                              struct rill_error *error) {
  const struct work *work = context;
  struct rill_h5_source source;
  enum rill_status status;
  (void)request;
  (void)size;
  RILL_TRY(rill_h5_source_open(&source, work->path, work->descriptor, expected, error));
  status = work->read(&source, reply, reply_size, error);
  if (source.trouble != RILL_OK) status = rill_h5_source_trouble(&source, error); /* which explains the rest */
  rill_h5_source_close(&source);
  return status;
}

static enum rill_status out_of_memory(const struct rill_h5_source *source, struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", source->path);
}

static enum rill_status look_for_series(struct rill_h5_source *source, void **reply, size_t *reply_size,
                                        struct rill_error *error) {
  if (rill_h5_exists(source, source->file, SERIES "/t")) return RILL_OK;
  *reply = NULL;
  *reply_size = 0;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: contains no series of a small system", source->path);
}

/* Opens a dataset of numbers of this rank and gets its extents; false when it is missing or of another type.
 * *dataset is closed by the caller. */
static bool open_column(struct rill_h5_source *source, const char *name, int rank, hid_t *dataset,
                        hsize_t extent[4]) {
  char path[64];
  int found = -1;
  memset(extent, 0, 4 * sizeof *extent);
  snprintf(path, sizeof path, SERIES "/%s", name);
  *dataset = rill_h5_open_dataset(source, source->file, path);
  if (*dataset >= 0) found = rill_h5_shape_of(source, *dataset, H5T_FLOAT, extent);
  if (found == rank) return true;
  rill_h5_close(*dataset);
  *dataset = H5I_INVALID_HID;
  return false;
}

static size_t width_of(struct rill_h5_source *source, const char *name, bool *there) {
  hsize_t extent[4];
  hid_t dataset;
  *there = open_column(source, name, 2, &dataset, extent);
  rill_h5_close(dataset);
  return *there ? (size_t)extent[1] : 0;
}

static void copy_text(struct rill_h5_source *source, const char *name, char *to, size_t size) {
  char *text = rill_h5_read_text(source, SERIES, name);
  snprintf(to, size, "%s", text != NULL ? text : "");
  rill_release(text);
}

static enum rill_status reply_with(const struct rill_h5_source *source, const struct rill_series_file_info *info,
                                   const char *deck, void **reply, size_t *reply_size, struct rill_error *error) {
  *reply_size = sizeof *info + strlen(deck) + 1;
  *reply = rill_allocate(*reply_size, 1);
  if (*reply == NULL) return out_of_memory(source, error);
  memcpy(*reply, info, sizeof *info);
  strcpy((char *)*reply + sizeof *info, deck);
  return RILL_OK;
}

static enum rill_status describe(struct rill_h5_source *source, void **reply, size_t *reply_size,
                                 struct rill_error *error) {
  struct rill_series_file_info info = {.first = NAN, .last = NAN};
  char unit[1][RILL_H5_TEXT], *deck;
  hsize_t extent[4];
  hid_t times;
  bool has_states, has_multipliers;
  enum rill_status status;
  info.n = width_of(source, "q", &has_states);
  info.m = width_of(source, "multiplier", &has_multipliers);
  if (!has_states || !open_column(source, "t", 1, &times, extent))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: contains no series of a small system (" SERIES "/t and " SERIES "/q)", source->path);
  info.frames = (size_t)extent[0];
  if (info.frames > 0)
    rill_h5_answered(source, rill_h5_read_rows(times, H5T_NATIVE_DOUBLE, 0, 1, &info.first) &&
                                 rill_h5_read_rows(times, H5T_NATIVE_DOUBLE, info.frames - 1, 1, &info.last));
  rill_h5_close(times);
  copy_text(source, "system", info.system, sizeof info.system);
  copy_text(source, "method", info.method, sizeof info.method);
  copy_text(source, "version", info.version, sizeof info.version);
  copy_text(source, "units", info.units, sizeof info.units);
  if (rill_h5_read_words(source, source->file, SERIES "/t", "unit", 1, unit) == 1)
    snprintf(info.time_unit, sizeof info.time_unit, "%.7s", unit[0]);
  deck = rill_h5_read_text(source, SERIES, "deck");
  status = reply_with(source, &info, deck != NULL ? deck : "", reply, reply_size, error);
  rill_release(deck);
  return status;
}

/* Reads the first rows of a column, [frames][width]. */
static bool read_column(struct rill_h5_source *source, const char *name, size_t frames, size_t width,
                        double *values) {
  hsize_t extent[4];
  hid_t dataset;
  bool done;
  if (!open_column(source, name, width > 1 ? 2 : 1, &dataset, extent)) return false;
  done = extent[0] >= frames && (width == 1 || extent[1] == width);
  rill_sandbox_more_time(frames * width * sizeof *values);
  if (done && frames > 0)
    done = rill_h5_answered(source, rill_h5_read_rows(dataset, H5T_NATIVE_DOUBLE, 0, frames, values));
  rill_h5_close(dataset);
  return done;
}

enum { ALL = 1 + RILL_SERIES_ENERGY + RILL_SERIES_MOMENTUM + RILL_SERIES_RESIDUAL + RILL_SERIES_TEMPERATURE };

/* Temperatures belong to a heat bath. */
static bool read_temperatures(struct rill_h5_source *source, size_t frames, double *values) {
  if (rill_h5_exists(source, source->file, SERIES "/temperature"))
    return read_column(source, "temperature", frames, RILL_SERIES_TEMPERATURE, values);
  for (size_t i = 0; i < RILL_SERIES_TEMPERATURE * frames; i++) values[i] = NAN;
  return true;
}

/* Reads times, energies, momenta, residuals and temperatures, one column after another. */
static enum rill_status read_rows(struct rill_h5_source *source, void **reply, size_t *reply_size,
                                  struct rill_error *error) {
  hsize_t extent[4];
  hid_t times;
  double *values;
  size_t frames;
  if (!open_column(source, "t", 1, &times, extent))
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: contains no series of a small system (" SERIES "/t)",
                          source->path);
  rill_h5_close(times);
  frames = (size_t)extent[0];
  if (!rill_h5_can_hold(source, extent[0], ALL * sizeof *values))
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: claims %zu frames, which a file of %llu bytes cannot hold",
                          source->path, frames, (unsigned long long)source->bytes);
  *reply_size = ALL * frames * sizeof *values;
  *reply = values = rill_allocate(ALL * frames, sizeof *values);
  if (values == NULL) return out_of_memory(source, error);
  if (read_column(source, "t", frames, 1, values) &&
      read_column(source, "energy", frames, RILL_SERIES_ENERGY, values += frames) &&
      read_column(source, "momentum", frames, RILL_SERIES_MOMENTUM, values += RILL_SERIES_ENERGY * frames) &&
      read_column(source, "residual", frames, RILL_SERIES_RESIDUAL, values += RILL_SERIES_MOMENTUM * frames) &&
      read_temperatures(source, frames, values += RILL_SERIES_RESIDUAL * frames))
    return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: has no energies, momenta and residuals for all its frames",
                        source->path);
}

/* --- outside ---------------------------------------------------------------------------------------------------- */

/* *reply: released by the caller, also after an error. */
static enum rill_status run(struct work *work, void **reply, size_t *reply_size, struct rill_error *error) {
  enum rill_status status;
  struct rill_sandbox_mark mark;
  int again = RILL_SANDBOX_READ_AGAIN;
  *reply = NULL;
  RILL_TRY(rill_sandbox_open_file(work->path, &work->descriptor, error));
  do {
    mark = rill_sandbox_mark(work->descriptor);
    rill_error_clear(error);
    rill_release(*reply);
    status = rill_sandbox_run(work->path, work->descriptor, serve, work, reply, reply_size, error);
  } while (status != RILL_OK && again-- > 0 && rill_sandbox_file_changed(work->descriptor, &mark));
  close(work->descriptor);
  return status;
}

enum rill_status rill_series_file_is(const char *path, bool *is, struct rill_error *error) {
  RILL_H5_SECTION;
  static _Thread_local struct rill_error fault;
  struct work work = {.path = path, .read = look_for_series};
  size_t size;
  void *reply;
  enum rill_status status;
  rill_error_clear(&fault);
  status = run(&work, &reply, &size, &fault);
  rill_release(reply);
  *is = status == RILL_OK;
  return status == RILL_ERROR_MEMORY ? rill_error_set(error, status, "%s", fault.text) : RILL_OK;
}

static void end_text(char *text, size_t size) { text[size - 1] = '\0'; }

enum rill_status rill_series_file_describe(const char *path, struct rill_series_file_info *info,
                                           struct rill_error *error) {
  RILL_H5_SECTION;
  struct work work = {.path = path, .read = describe};
  enum rill_status status;
  size_t size;
  void *reply;
  memset(info, 0, sizeof *info);
  status = run(&work, &reply, &size, error);
  if (status == RILL_OK && (size <= sizeof *info || ((const char *)reply)[size - 1] != '\0'))
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: is damaged: reading it broke off", path);
  if (status == RILL_OK) {
    memcpy(info, reply, sizeof *info);
    end_text(info->system, sizeof info->system);
    end_text(info->method, sizeof info->method);
    end_text(info->version, sizeof info->version);
    end_text(info->units, sizeof info->units);
    end_text(info->time_unit, sizeof info->time_unit);
    info->deck = rill_allocate(size - sizeof *info, 1);
    if (info->deck == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
    else strcpy(info->deck, (const char *)reply + sizeof *info);
  }
  rill_release(reply);
  return status;
}

void rill_series_file_info_release(struct rill_series_file_info *info) {
  rill_release(info->deck);
  info->deck = NULL;
}

/* Copies the next `width` columns of a reply. */
static double *copy_columns(const double **values, size_t frames, size_t width) {
  double *copy = rill_allocate(frames * width, sizeof *copy);
  if (copy != NULL) memcpy(copy, *values, frames * width * sizeof *copy);
  *values += frames * width;
  return copy;
}

enum rill_status rill_series_file_read(const char *path, struct rill_series_file_rows *rows,
                                       struct rill_error *error) {
  RILL_H5_SECTION;
  struct work work = {.path = path, .read = read_rows};
  enum rill_status status;
  size_t size;
  void *reply;
  memset(rows, 0, sizeof *rows);
  status = run(&work, &reply, &size, error);
  if (status == RILL_OK) {
    const double *values = reply;
    rows->frames = size / sizeof *values / ALL;
    rows->time = copy_columns(&values, rows->frames, 1);
    rows->energy = copy_columns(&values, rows->frames, RILL_SERIES_ENERGY);
    rows->momentum = copy_columns(&values, rows->frames, RILL_SERIES_MOMENTUM);
    rows->residual = copy_columns(&values, rows->frames, RILL_SERIES_RESIDUAL);
    rows->temperature = copy_columns(&values, rows->frames, RILL_SERIES_TEMPERATURE);
    if (rows->time == NULL || rows->energy == NULL || rows->momentum == NULL || rows->residual == NULL ||
        rows->temperature == NULL)
      status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  }
  rill_release(reply);
  return status;
}

void rill_series_file_rows_release(struct rill_series_file_rows *rows) {
  rill_release(rows->time);
  rill_release(rows->energy);
  rill_release(rows->momentum);
  rill_release(rows->residual);
  rill_release(rows->temperature);
  memset(rows, 0, sizeof *rows);
}

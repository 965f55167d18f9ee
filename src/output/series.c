#include "output/series.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/output_file.h"
#include "base/output_lock.h"
#include "base/timers.h"

enum { NUMBER_WIDTH = 26 /* "-1.2345678901234567e-308" and a comma */, PENDING = 64 * 1024 };

/* Seconds between writes: short, because pending rows are lost when the program is killed, but long compared with a
 * write. */
static const double write_interval = 0.05;

struct rill_series {
  char *path; /* for messages; NULL: in memory only */
  int descriptor;
  locale_t numeric; /* the C locale */
  size_t columns, rows, forgotten, capacity;
  double *values; /* of the rows not yet forgotten, with room for `capacity` */
  char *pending;  /* whole lines not yet written */
  size_t pending_length, pending_capacity;
  off_t heading, length;          /* length of the heading, and of the file up to its last whole line */
  uint32_t heading_crc, rows_crc; /* of the heading, and of all rows */
  double written_at;
  bool broken;
};

static enum rill_status write_pending(struct rill_series *series, struct rill_error *error) {
  size_t done = 0;
  int failure = 0;
  while (done < series->pending_length && failure == 0) {
    ssize_t step = write(series->descriptor, series->pending + done, series->pending_length - done);
    if (step > 0) done += (size_t)step;
    else if (step == 0 || errno != EINTR) failure = step == 0 ? ENOSPC : errno;
  }
  series->written_at = rill_clock();
  if (failure != 0) {
    size_t whole = done;
    while (whole > 0 && series->pending[whole - 1] != '\n') whole--;
    series->broken = true;
    if (ftruncate(series->descriptor, series->length + (off_t)whole) != 0) failure = errno;
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: the series cannot be written: %s", series->path,
                          strerror(failure));
  }
  series->length += (off_t)done;
  series->rows_crc = (uint32_t)crc32_z(series->rows_crc, (const unsigned char *)series->pending, done);
  series->pending_length = 0;
  return RILL_OK;
}

/* Makes room for `length` more bytes in the buffer of whole lines. */
static bool make_room(struct rill_series *series, size_t length) {
  size_t capacity = series->pending_capacity == 0 ? PENDING : series->pending_capacity;
  char *larger;
  while (capacity < series->pending_length + length) capacity *= 2;
  if (capacity == series->pending_capacity) return true;
  larger = rill_allocate(capacity, 1);
  if (larger == NULL) return false;
  if (series->pending != NULL) memcpy(larger, series->pending, series->pending_length);
  rill_release(series->pending);
  series->pending = larger;
  series->pending_capacity = capacity;
  return true;
}

static bool put(struct rill_series *series, const char *text, size_t length) {
  if (!make_room(series, length)) return false;
  memcpy(series->pending + series->pending_length, text, length);
  series->pending_length += length;
  return true;
}

static bool put_text(struct rill_series *series, const char *text) { return put(series, text, strlen(text)); }

static bool put_words(struct rill_series *series, const char *const *words) {
  bool done = true;
  for (size_t c = 0; c < series->columns; c++)
    done = done && put_text(series, words[c]) && put_text(series, c + 1 < series->columns ? "," : "\n");
  return done;
}

static bool put_heading(struct rill_series *series, const char *comment, const char *const *names,
                        const char *const *units) {
  bool done = true;
  while (comment != NULL && *comment != '\0') {
    size_t length = strcspn(comment, "\n");
    done =
        done && put_text(series, length > 0 ? "# " : "#") && put(series, comment, length) && put_text(series, "\n");
    comment += length;
    if (*comment == '\n') comment++;
  }
  return done && put_words(series, names) && put_text(series, "# units: ") && put_words(series, units);
}

/* The bytes written so far are the heading. */
static void end_heading(struct rill_series *series) {
  series->heading = series->length;
  series->heading_crc = series->rows_crc;
  series->rows_crc = 0;
}

static void put_row(struct rill_series *series, const double *row) {
  locale_t user = uselocale(series->numeric);
  for (size_t c = 0; c < series->columns; c++)
    series->pending_length += (size_t)snprintf(series->pending + series->pending_length, NUMBER_WIDTH, "%.17g%c",
                                               row[c], c + 1 < series->columns ? ',' : '\n');
  uselocale(user);
}

static void series_release(struct rill_series *series) {
  if (series == NULL) return;
  if (series->descriptor >= 0) close(series->descriptor);
  if (series->numeric != (locale_t)0) freelocale(series->numeric);
  rill_release(series->pending);
  rill_release(series->values);
  rill_release(series->path);
  rill_release(series);
}

/* The lock is held while the series is open: another run that replaced the file would cut off the rows of this
 * one. */
static enum rill_status lock_file(struct rill_series *series, struct rill_error *error) {
  struct stat information;
  if (fstat(series->descriptor, &information) != 0 || !S_ISREG(information.st_mode))
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s: is not a regular file", series->path);
  if (rill_flock_take(series->descriptor) == RILL_FLOCK_HELD)
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s: is in use by another program", series->path);
  return RILL_OK;
}

static enum rill_status open_file(struct rill_series *series, bool replace, struct rill_error *error) {
  RILL_TRY(rill_output_create(series->path, replace, &series->descriptor, NULL, error));
  RILL_TRY(lock_file(series, error));
  if (ftruncate(series->descriptor, 0) != 0)
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s: cannot be replaced: %s", series->path, strerror(errno));
  return RILL_OK;
}

/* Creates everything but the file; the heading is pending. */
static enum rill_status series_make(const char *path, const char *comment, size_t columns, const char *const *names,
                                    const char *const *units, struct rill_series **result, struct rill_error *error) {
  const bool to_file = path != NULL && path[0] != '\0';
  const char *place = to_file ? path : "series";
  struct rill_series *series;
  *result = NULL;
  if (columns == 0) return rill_error_set(error, RILL_ERROR_USAGE, "%s: a series without columns", place);
  for (size_t c = 0; c < columns; c++)
    if (names[c][0] == '\0' || strpbrk(names[c], ",\"\n") != NULL || strpbrk(units[c], ",\"\n") != NULL)
      return rill_error_set(error, RILL_ERROR_USAGE, "%s: '%s' [%s] cannot head a column", place, names[c], units[c]);
  series = rill_allocate(1, sizeof *series);
  if (series == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", place);
  series->descriptor = -1;
  series->columns = columns;
  series->written_at = -1e9; /* so that the first row is written at once */
  *result = series;
  if (!to_file) return RILL_OK;
  series->numeric = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  series->path = rill_allocate(strlen(path) + 1, 1);
  if (series->path != NULL) strcpy(series->path, path);
  if (series->path != NULL && series->numeric != (locale_t)0 && put_heading(series, comment, names, units))
    return RILL_OK;
  *result = NULL;
  series_release(series);
  return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", place);
}

enum rill_status rill_series_create(const char *path, bool replace, const char *comment, size_t columns,
                                    const char *const *names, const char *const *units, struct rill_series **result,
                                    struct rill_error *error) {
  enum rill_status status = series_make(path, comment, columns, names, units, result, error);
  if (status != RILL_OK || (*result)->path == NULL) return status;
  status = open_file(*result, replace, error);
  if (status == RILL_OK && (status = write_pending(*result, error)) != RILL_OK) (void)unlink((*result)->path);
  if (status == RILL_OK) {
    end_heading(*result);
    (*result)->written_at = -1e9;
    return RILL_OK;
  }
  series_release(*result);
  *result = NULL;
  return status;
}

/* Makes room for `rows` rows in memory. */
static enum rill_status make_rows(struct rill_series *series, size_t rows, struct rill_error *error) {
  size_t capacity = series->capacity == 0 ? 256 : series->capacity;
  double *larger;
  while (capacity < rows && capacity <= SIZE_MAX / 2) capacity *= 2;
  if (capacity == series->capacity) return RILL_OK;
  larger = rill_allocate(capacity, series->columns * sizeof *larger);
  if (larger == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a series of %zu rows of %zu numbers", capacity,
                          series->columns);
  if (series->values != NULL)
    memcpy(larger, series->values, (series->rows - series->forgotten) * series->columns * sizeof *larger);
  rill_release(series->values);
  series->values = larger;
  series->capacity = capacity;
  return RILL_OK;
}

/* --- resuming --------------------------------------------------------------------------------------------------- */

enum rill_status rill_series_keep(struct rill_series *series, size_t from, struct rill_archive *archive,
                                  struct rill_error *error) {
  uint64_t lengths[2], sums[2];
  if (series->broken)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: nothing more is written after a failure", series->path);
  if (series->path != NULL) RILL_TRY(write_pending(series, error));
  lengths[0] = (uint64_t)series->heading;
  lengths[1] = (uint64_t)series->length;
  rill_archive_integers(archive, "lengths", lengths, 2);
  sums[0] = series->heading_crc;
  sums[1] = series->rows_crc;
  rill_archive_integers(archive, "sums", sums, 2);
  if (from > series->rows) from = series->rows;
  if (from < series->forgotten) from = series->forgotten;
  rill_archive_reals(archive, "rows", series->values + (from - series->forgotten) * series->columns,
                     (series->rows - from) * series->columns);
  return RILL_OK;
}

/* Replaces the file by one with the new heading, followed by the existing rows, bytes `start` to `end`. */
static enum rill_status change_heading(struct rill_series *series, off_t start, off_t end, struct rill_error *error) {
  const int old = series->descriptor;
  struct rill_part part;
  char block[16384];
  enum rill_status status;
  RILL_TRY(rill_part_create(series->path, &part, error));
  series->descriptor = part.descriptor;
  series->length = 0;
  series->rows_crc = 0;
  status = write_pending(series, error);
  end_heading(series);
  while (status == RILL_OK && start < end) {
    const size_t wanted = end - start < (off_t)sizeof block ? (size_t)(end - start) : sizeof block;
    ssize_t count = pread(old, block, wanted, start);
    if (count <= 0 || !put(series, block, (size_t)count))
      status = rill_error_set(error, RILL_ERROR_WRITE, "%s: its rows cannot be copied", series->path);
    else status = write_pending(series, error);
    start += count;
  }
  if (status == RILL_OK) status = rill_part_finish(&part, true, &series->descriptor, error);
  if (status == RILL_OK) {
    close(old);
    return RILL_OK;
  }
  rill_part_discard(&part);
  series->descriptor = old;
  return status;
}

/* The state of the file in the checkpoint, up to its last row then. */
struct kept {
  off_t heading, rows; /* bytes */
  uint32_t heading_crc, rows_crc;
};

static struct kept read_kept(struct rill_archive *archive) {
  uint64_t lengths[2] = {0}, sums[2] = {0};
  rill_archive_integers(archive, "lengths", lengths, 2);
  rill_archive_integers(archive, "sums", sums, 2);
  if (lengths[0] > lengths[1] || lengths[1] > INT64_MAX)
    rill_archive_fail(archive, RILL_ERROR_INPUT, "%slengths cannot be those of a file", archive->group);
  return (struct kept){(off_t)lengths[0], (off_t)(lengths[1] - lengths[0]), (uint32_t)sums[0], (uint32_t)sums[1]};
}

/* The present state of a file. */
struct found {
  struct kept kept;
  bool pending; /* its heading is the pending one */
};

static bool read_block(int descriptor, void *block, size_t size, off_t from) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = pread(descriptor, (char *)block + done, size - done, from + (off_t)done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += (size_t)count;
  }
  return true;
}

/* CRC-32 of a range of the file; false when the file is too short. */
static bool sum_bytes(int descriptor, off_t from, off_t length, uint32_t *crc) {
  unsigned char block[16384];
  *crc = 0;
  while (length > 0) {
    const size_t size = length < (off_t)sizeof block ? (size_t)length : sizeof block;
    if (!read_block(descriptor, block, size, from)) return false;
    *crc = (uint32_t)crc32_z(*crc, block, size);
    from += (off_t)size;
    length -= (off_t)size;
  }
  return true;
}

/* The length of the heading: comments, the line of names, and that of units.  0 when the file does not begin with
 * one. */
static off_t find_heading(int descriptor) {
  static const char units[] = "# units:";
  char block[4096];
  off_t at = 0;
  size_t matched = 0; /* matched beginning of a line */
  bool names = false, starts = true, comment = false;
  ssize_t count;
  while ((count = pread(descriptor, block, sizeof block, at)) > 0) {
    for (ssize_t i = 0; i < count; i++, at++) {
      if (starts) {
        comment = block[i] == '#';
        if (names && !comment) return 0;
        matched = 0;
      }
      starts = block[i] == '\n';
      if (matched < sizeof units - 1) {
        if (names && block[i] != units[matched]) return 0;
        matched++;
      }
      if (starts && names) return at + 1;
      names = names || (starts && !comment);
    }
  }
  return 0;
}

static bool has_pending_heading(const struct rill_series *series, const struct found *found) {
  const size_t length = series->pending_length;
  char *there = rill_allocate(length, 1);
  bool same = there != NULL && found->kept.heading == (off_t)length &&
              read_block(series->descriptor, there, length, 0) && memcmp(there, series->pending, length) == 0;
  rill_release(there);
  return same;
}

/* Checks that the file still begins with all kept rows.  Its heading may have changed, by an earlier continuation
 * that wrote no checkpoint. */
static enum rill_status check_bytes(int descriptor, const char *path, const struct kept *kept, struct found *found,
                                    struct rill_error *error) {
  struct stat information;
  off_t heading = find_heading(descriptor);
  *found = (struct found){0};
  if (fstat(descriptor, &information) != 0 || information.st_size - heading < kept->rows || heading == 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s has %lld bytes, but had %lld when the checkpoint was written: it was truncated, or is "
                          "another file",
                          path, (long long)information.st_size, (long long)kept->heading + (long long)kept->rows);
  found->kept = (struct kept){heading, kept->rows, 0, 0};
  if (!sum_bytes(descriptor, 0, heading, &found->kept.heading_crc) ||
      !sum_bytes(descriptor, heading, kept->rows, &found->kept.rows_crc))
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: its rows cannot be read: %s", path, strerror(errno));
  if (found->kept.rows_crc == kept->rows_crc) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: the checksum of its rows does not match: numbers in it were changed or damaged", path);
}

static enum rill_status open_rows(const char *path, int flags, int *descriptor, struct rill_error *error) {
  *descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (*descriptor >= 0) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_INPUT, "%s, which the checkpoint resumes, cannot be opened: %s", path,
      errno == ELOOP ? "it is a symbolic link, and files are not written through links" : strerror(errno));
}

static enum rill_status find_rows(struct rill_series *series, const struct kept *kept, struct found *found,
                                  struct rill_error *error) {
  RILL_TRY(open_rows(series->path, O_RDWR, &series->descriptor, error));
  RILL_TRY(lock_file(series, error));
  RILL_TRY(check_bytes(series->descriptor, series->path, kept, found, error));
  found->pending = has_pending_heading(series, found);
  return RILL_OK;
}

/* Truncates the file to the kept state. */
static enum rill_status reopen_file(struct rill_series *series, const struct kept *kept, struct rill_error *error) {
  struct found found;
  off_t end;
  RILL_TRY(find_rows(series, kept, &found, error));
  end = found.kept.heading + kept->rows;
  if (!found.pending) return change_heading(series, found.kept.heading, end, error);
  if (ftruncate(series->descriptor, end) != 0 || lseek(series->descriptor, 0, SEEK_END) != end)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: cannot be truncated: %s", series->path, strerror(errno));
  series->pending_length = 0;
  series->heading = found.kept.heading;
  series->length = end;
  series->heading_crc = found.kept.heading_crc;
  series->rows_crc = found.kept.rows_crc;
  return RILL_OK;
}

enum rill_status rill_series_compare(const char *path, struct rill_archive *archive, bool sealed,
                                     struct rill_error *error) {
  const struct kept kept = read_kept(archive);
  struct found found;
  struct stat information;
  enum rill_status status;
  int descriptor;
  RILL_TRY(rill_archive_status(archive, error));
  RILL_TRY(open_rows(path, O_RDONLY, &descriptor, error));
  status = check_bytes(descriptor, path, &kept, &found, error);
  if (status == RILL_OK && sealed && fstat(descriptor, &information) == 0 &&
      information.st_size != kept.heading + kept.rows)
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s has %lld bytes, but had %lld when its run ended", path,
                            (long long)information.st_size, (long long)kept.heading + (long long)kept.rows);
  if (status == RILL_OK && sealed && found.kept.heading_crc != kept.heading_crc)
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s: its heading was changed or damaged", path);
  close(descriptor);
  return status;
}

enum rill_status rill_series_check(const char *path, const char *comment, size_t columns, const char *const *names,
                                   const char *const *units, struct rill_archive *archive, struct rill_error *error) {
  const struct kept kept = read_kept(archive);
  struct found found;
  struct rill_series *series;
  const void *rows;
  size_t count;
  enum rill_status status;
  RILL_TRY(series_make(path, comment, columns, names, units, &series, error));
  rows = rill_archive_find(archive, "rows", RILL_ARCHIVE_REALS, &count);
  if (rows == NULL || count % columns != 0)
    rill_archive_fail(archive, RILL_ERROR_INPUT, "%srows do not have %zu columns", archive->group, columns);
  status = rill_archive_status(archive, error);
  if (status == RILL_OK && series->path != NULL) status = find_rows(series, &kept, &found, error);
  series_release(series);
  return status;
}

enum rill_status rill_series_resume(const char *path, const char *comment, size_t columns, const char *const *names,
                                    const char *const *units, const double *values, size_t from,
                                    struct rill_archive *archive, struct rill_series **result,
                                    struct rill_error *error) {
  const struct kept kept = read_kept(archive);
  const void *rows;
  size_t count;
  struct rill_series *series;
  enum rill_status status;
  RILL_TRY(series_make(path, comment, columns, names, units, result, error));
  series = *result;
  rows = rill_archive_find(archive, "rows", RILL_ARCHIVE_REALS, &count);
  if (rows == NULL || count % columns != 0)
    rill_archive_fail(archive, RILL_ERROR_INPUT, "%srows do not have %zu columns", archive->group, columns);
  status = rill_archive_status(archive, error);
  series->forgotten = values == NULL ? from : 0;
  if (status == RILL_OK) status = make_rows(series, from - series->forgotten + count / columns, error);
  if (status == RILL_OK && series->path != NULL) status = reopen_file(series, &kept, error);
  if (status != RILL_OK) {
    series_release(series);
    *result = NULL;
    return status;
  }
  if (from > series->forgotten) memcpy(series->values, values, from * columns * sizeof *values);
  if (count > 0) memcpy(series->values + (from - series->forgotten) * columns, rows, count * sizeof *values);
  series->rows = from + count / columns;
  return RILL_OK;
}

/* --- rows ------------------------------------------------------------------------------------------------------- */

enum rill_status rill_series_append(struct rill_series *series, const double *row, struct rill_error *error) {
  const size_t kept = series->rows - series->forgotten;
  if (kept == series->capacity) RILL_TRY(make_rows(series, kept + 1, error));
  if (series->path != NULL && !make_room(series, series->columns * NUMBER_WIDTH))
    return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", series->path);
  memcpy(series->values + kept * series->columns, row, series->columns * sizeof *row);
  series->rows++;
  if (series->path == NULL) return RILL_OK;
  if (series->broken)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s: nothing more is written after a failure", series->path);
  put_row(series, row);
  return rill_clock() - series->written_at < write_interval ? RILL_OK : write_pending(series, error);
}

size_t rill_series_rows(const struct rill_series *series) { return series->rows; }
size_t rill_series_columns(const struct rill_series *series) { return series->columns; }
const double *rill_series_values(const struct rill_series *series) { return series->values; }

void rill_series_forget(struct rill_series *series, size_t rows) {
  if (rows > series->rows) rows = series->rows;
  if (rows <= series->forgotten) return;
  if (rows < series->rows)
    memmove(series->values, series->values + (rows - series->forgotten) * series->columns,
            (series->rows - rows) * series->columns * sizeof *series->values);
  series->forgotten = rows;
}

void rill_series_column(const struct rill_series *series, size_t column, double *out) {
  for (size_t r = 0; r < series->rows - series->forgotten; r++) out[r] = series->values[r * series->columns + column];
}

enum rill_status rill_series_close(struct rill_series *series, struct rill_error *error) {
  enum rill_status status = RILL_OK;
  if (series == NULL) return RILL_OK;
  if (series->path != NULL && !series->broken) status = write_pending(series, error);
  series_release(series);
  return status;
}

enum rill_status rill_series_close_whole(struct rill_series *series, enum rill_status status,
                                         struct rill_error *error) {
  if (series == NULL) return status;
  if (status == RILL_OK && series->path != NULL) status = write_pending(series, error);
  if (status != RILL_OK && series->path != NULL) (void)unlink(series->path);
  series_release(series);
  return status;
}

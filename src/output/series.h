/* Series: named quantities sampled over time, written as CSV as they come, and kept in memory until they are
 * forgotten.
 * A CSV begins with comment lines (#), a header of names, a comment line of units; then a row a sample, 17 digits. */
#ifndef RILL_OUTPUT_SERIES_H
#define RILL_OUTPUT_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/archive.h"
#include "base/status.h"

struct rill_series;

/* All calls of one series stay within one thread at a time.  Numbers are written as in the C locale, whatever the user's.
 * Rows go to the file a line at a time in whole lines; a full disk cuts no line, and what was written stays.
 *
 * path "" or NULL: kept in memory only.  comment: lines without '#', put in front ('#' is added); may be NULL.
 * An existing file is an error (RILL_ERROR_OUTPUT) unless replace.  Names and units must be free of commas, quotes and
 * line ends (RILL_ERROR_USAGE). */
enum rill_status rill_series_create(const char *path, bool replace, const char *comment, size_t columns,
                                    const char *const *names, const char *const *units, struct rill_series **series,
                                    struct rill_error *error);
/* row: [columns].  The first row is written at once, then what has come at most 20 times a second, and at close.  After
 * RILL_ERROR_WRITE the file ends with the last whole line that it could take. */
enum rill_status rill_series_append(struct rill_series *series, const double *row, struct rill_error *error);
size_t rill_series_rows(const struct rill_series *series);
size_t rill_series_columns(const struct rill_series *series);
/* Takes the first `rows` rows out of memory; they are counted as before.  A series that is to take bounded memory
 * forgets what its owner has used. */
void rill_series_forget(struct rill_series *series, size_t rows);
/* The sample table, [rows - forgotten][columns], valid until the next append or forget. */
const double *rill_series_values(const struct rill_series *series);
/* Copies one column into out[rows - forgotten]. */
void rill_series_column(const struct rill_series *series, size_t column, double *out);
/* Resuming: _keep brings all rows to the file, and writes its length and CRC-32 sums to the archive, with the rows from `from`
 * on (the caller knows those before from elsewhere).  _resume cuts the file to that length and continues it; another comment
 * takes the place of the one that is there.  values: [from][columns], the rows before, copied; NULL: they are forgotten.
 * _check changes nothing: whether the file is there with all rows that it had, by their sum. */
enum rill_status rill_series_keep(struct rill_series *series, size_t from, struct rill_archive *archive,
                                  struct rill_error *error);
enum rill_status rill_series_check(const char *path, const char *comment, size_t columns, const char *const *names,
                                   const char *const *units, struct rill_archive *archive, struct rill_error *error);
enum rill_status rill_series_resume(const char *path, const char *comment, size_t columns, const char *const *names,
                                    const char *const *units, const double *values, size_t from,
                                    struct rill_archive *archive, struct rill_series **series,
                                    struct rill_error *error);
/* Whether the file of this path has all rows that it had when it was kept, whatever came after them; sealed: whether it is
 * exactly as it was then.  Read in full, not changed.  RILL_ERROR_INPUT says what is missing or damaged. */
enum rill_status rill_series_compare(const char *path, struct rill_archive *archive, bool sealed,
                                     struct rill_error *error);
/* Writes what is left and releases; accepts NULL. */
enum rill_status rill_series_close(struct rill_series *series, struct rill_error *error);

#endif

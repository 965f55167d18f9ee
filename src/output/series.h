/* Series: named quantities sampled over time, written as CSV as they are sampled, and kept in memory until they are
 * forgotten. A CSV file begins with comment lines (#), a header of names and a comment line of units; then follows a
 * row for each sample, with 17 digits. */
#ifndef RILL_OUTPUT_SERIES_H
#define RILL_OUTPUT_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/archive.h"
#include "base/status.h"

struct rill_series;

/* Only one thread at a time may call the functions of a series.  Numbers are written as in the C locale, whatever the
 * user's. Rows are written in whole lines; a full disk truncates no line, and rows written before stay.
 *
 * path "" or NULL: kept in memory only.  comment: lines without '#', written first ('#' is added); may be NULL. An
 * existing file is an error (RILL_ERROR_OUTPUT) unless replace.  Names and units must be free of commas, quotes and
 * line ends (RILL_ERROR_USAGE). */
enum rill_status rill_series_create(const char *path, bool replace, const char *comment, size_t columns,
                                    const char *const *names, const char *const *units, struct rill_series **series,
                                    struct rill_error *error);
/* row: [columns].  The first row is written at once, later ones at most 20 times a second, and at close.  After
 * RILL_ERROR_WRITE the file ends with the last whole line that could be written. */
enum rill_status rill_series_append(struct rill_series *series, const double *row, struct rill_error *error);
size_t rill_series_rows(const struct rill_series *series);
size_t rill_series_columns(const struct rill_series *series);
/* Removes the first `rows` rows from memory; they still count as rows.  To bound its memory a series forgets the rows
 * that its owner has used. */
void rill_series_forget(struct rill_series *series, size_t rows);
/* The sample table, [rows - forgotten][columns], valid until the next append or forget. */
const double *rill_series_values(const struct rill_series *series);
/* Copies one column into out[rows - forgotten]. */
void rill_series_column(const struct rill_series *series, size_t column, double *out);
/* Resuming.  _keep writes all rows to the file, and to the archive its length, its CRC-32 sums and the rows from
 * `from` on (the caller stores the earlier ones elsewhere).  _resume truncates the file to that length and continues
 * it; a different comment replaces the existing one.  values: the earlier rows, [from][columns], copied; NULL: they
 * are forgotten.  _check tests whether the file exists with all its rows, by their sum, and changes nothing. */
enum rill_status rill_series_keep(struct rill_series *series, size_t from, struct rill_archive *archive,
                                  struct rill_error *error);
enum rill_status rill_series_check(const char *path, const char *comment, size_t columns, const char *const *names,
                                   const char *const *units, struct rill_archive *archive, struct rill_error *error);
enum rill_status rill_series_resume(const char *path, const char *comment, size_t columns, const char *const *names,
                                    const char *const *units, const double *values, size_t from,
                                    struct rill_archive *archive, struct rill_series **series,
                                    struct rill_error *error);
/* Whether the file of this path has all rows that it had when it was kept, and possibly later ones; sealed: whether
 * it is exactly as it was then.  Reads all of the file and does not change it.  The message of RILL_ERROR_INPUT says
 * what is missing or damaged. */
enum rill_status rill_series_compare(const char *path, struct rill_archive *archive, bool sealed,
                                     struct rill_error *error);
/* Writes pending rows and releases the series; accepts NULL. */
enum rill_status rill_series_close(struct rill_series *series, struct rill_error *error);

/* Closes a file that is written at once, after its rows were appended with this status; removes it if that or closing
 * failed, since a part of it would look like the whole.  Returns the first failure.  Accepts NULL. */
enum rill_status rill_series_close_whole(struct rill_series *series, enum rill_status status,
                                         struct rill_error *error);

#endif

/* Describes a CSV file that a run wrote: series, distributions, tables of comparisons (layout: output/series.h). */
#ifndef RILL_OUTPUT_CSV_H
#define RILL_OUTPUT_CSV_H

#include <stddef.h>

#include "base/status.h"

/* Owns its texts; release with rill_csv_info_release. */
struct rill_csv_info {
  size_t columns, rows;
  char **names, **units;          /* [columns]; "" for a column without a unit */
  char *comment;                  /* comment lines without '#', except the line of units; "" for none */
  double *first, *last;           /* [columns]: of the first and the last row; NAN without rows or a number */
  size_t *texts;                  /* [columns]: number of cells that are not numbers */
  size_t *text_line;              /* [columns]: line of the first such cell, from 1; 0 without one */
  char **text;                    /* [columns]: its text; NULL without one */
  char **first_text, **last_text; /* [columns]: cells of the first and the last row as text; NULL without rows */
};

/* RILL_ERROR_INPUT when the file cannot be read or is no such CSV: names are missing, or a row is incomplete or has
 * another number of columns. */
enum rill_status rill_csv_describe(const char *path, struct rill_csv_info *info, struct rill_error *error);
/* Accepts a zeroed struct. */
void rill_csv_info_release(struct rill_csv_info *info);

#endif

/* What is in a CSV that a run wrote: series, distributions, tables of comparisons (layout: output/series.h). */
#ifndef RILL_OUTPUT_CSV_H
#define RILL_OUTPUT_CSV_H

#include <stddef.h>

#include "base/status.h"

/* Owns its texts; release with rill_csv_info_release. */
struct rill_csv_info {
  size_t columns, rows;
  char **names, **units; /* [columns]; "" for a column without a unit */
  char *comment;         /* comment lines without their '#', but for that of units; "" for none */
  double *first, *last;  /* [columns]: in the first row and the last; NAN without rows, or where there is no number */
  size_t *texts;         /* [columns]: cells that are no numbers */
  size_t *text_line;     /* [columns]: where the first of them is, from 1; 0 without one */
  char **text;           /* [columns]: and what stands there; NULL without one */
  char **first_text, **last_text; /* [columns]: the same as they stand there; NULL without rows */
};

/* RILL_ERROR_INPUT: cannot be read, or is no such CSV: names are missing, or a row has another number of columns or
 * no end. */
enum rill_status rill_csv_describe(const char *path, struct rill_csv_info *info, struct rill_error *error);
/* Accepts what is zeroed. */
void rill_csv_info_release(struct rill_csv_info *info);

#endif

/* Published results as functions: each recomputes one table or figure and hands out rows, and curves where a figure
 * has them. `rill reproduce` prints what they emit. */
#ifndef RILL_PAPERS_RESULT_H
#define RILL_PAPERS_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum rill_verdict {
  RILL_VERDICT_AGREES,
  RILL_VERDICT_KNOWN_DEVIATION, /* a printed claim that is proved not to hold; the row's reason says why */
  RILL_VERDICT_DIFFERS,
  RILL_VERDICT_DATA             /* nothing printed to compare with: part of a figure's data */
};

struct rill_result_row {
  const char *quantity;
  char setting[64];             /* such as "h = 0.001, method = dvp" */
  double paper, ours;           /* paper: NaN when no number is printed */
  double tolerance;             /* absolute, of ours against paper; NaN with it */
  enum rill_verdict verdict;
  const char *reason;           /* of a known deviation, or NULL */
};

/* A figure's curves: columns[0] is the abscissa; row after row through `point`. */
struct rill_result_curve {
  const char *name;             /* such as "energy, h = 0.1" */
  const char *const *columns;
  size_t column_count;
};

/* Where a result goes.  curve and point may be NULL: the data of curves are then left out. */
struct rill_result_sink {
  enum rill_status (*row)(void *self, const struct rill_result_row *row, struct rill_error *error);
  enum rill_status (*curve)(void *self, const struct rill_result_curve *curve, struct rill_error *error);
  enum rill_status (*point)(void *self, const double *values, struct rill_error *error); /* [column_count] */
  void *self;
  bool long_form;               /* results of sampled quantities: longer runs, more seeds */
};

struct rill_result {
  const char *name;             /* such as wendlandt-marsden-table-1 */
  const char *summary;          /* what the paper shows there, and with which settings */
  enum rill_status (*compute)(const struct rill_result_sink *sink, struct rill_error *error);
};

/* The verdict on ours against a printed value. */
static inline enum rill_verdict rill_verdict_of(double paper, double ours, double tolerance) {
  double difference = ours - paper;
  if (paper != paper) return RILL_VERDICT_DATA;
  return difference <= tolerance && -difference <= tolerance ? RILL_VERDICT_AGREES : RILL_VERDICT_DIFFERS;
}

#endif

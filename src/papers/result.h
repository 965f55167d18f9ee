/* Published results as functions: each recomputes one table or figure and emits rows, and curves if a figure has
 * them.  `rill reproduce` prints them. */
#ifndef RILL_PAPERS_RESULT_H
#define RILL_PAPERS_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum rill_verdict {
  RILL_VERDICT_AGREES,
  RILL_VERDICT_KNOWN_DEVIATION, /* ours is the true value, which refutes a printed claim; the row's reason says why */
  RILL_VERDICT_DIFFERS,
  RILL_VERDICT_NONE /* data: there is nothing to compare with */
};

/* Where the expected value of a row comes from.  Earlier results of rill itself are not a source. */
enum rill_source {
  RILL_SOURCE_NONE,
  RILL_SOURCE_PAPER,      /* a number printed in the paper */
  RILL_SOURCE_EXACT,      /* a closed form, an invariant, an order that is proved */
  RILL_SOURCE_INDEPENDENT /* another program, or another method within the row's own code */
};

struct rill_expected {
  double value, tolerance; /* tolerance: absolute.  Both NaN without a source */
  enum rill_source source;
};

/* A printed claim that does not hold.  Any value from low to high would confirm it; none of them may lie within the
 * tolerance of the expected value. */
struct rill_claim {
  double low, high;
  const char *reason; /* why the claim fails */
};

enum { RILL_RESULT_SETTING = 96 };

struct rill_result_row {
  const char *quantity;
  char setting[RILL_RESULT_SETTING]; /* such as "h = 0.001, method = dvp" */
  struct rill_expected expected;
  double ours;
  const struct rill_claim *claim; /* refuted by the expected value, or NULL */
  enum rill_verdict verdict;
  const char *reason; /* of a known deviation, or why data have no verdict; or NULL */
};

/* A figure's curves: columns[0] is the abscissa; row after row through `point`. */
struct rill_result_curve {
  const char *name; /* such as "energy, h = 0.1" */
  const char *const *columns;
  size_t column_count;
};

/* The receiver of a result.  curve and point may be NULL: the data of curves are then omitted. */
struct rill_result_sink {
  enum rill_status (*row)(void *self, const struct rill_result_row *row, struct rill_error *error);
  enum rill_status (*curve)(void *self, const struct rill_result_curve *curve, struct rill_error *error);
  enum rill_status (*point)(void *self, const double *values, struct rill_error *error); /* [column_count] */
  void *self;
  bool long_form; /* results of sampled quantities: longer runs, more seeds */
};

struct rill_result {
  const char *name;    /* such as wendlandt-marsden-table-1 */
  const char *summary; /* what the paper shows there, and with which settings */
  enum rill_status (*compute)(const struct rill_result_sink *sink, struct rill_error *error);
};

/* claim: NULL, or the printed claim that the expected value refutes.  A value that confirms a refuted claim is a
 * difference. */
static inline enum rill_verdict rill_verdict_of(struct rill_expected expected, const struct rill_claim *claim,
                                                double ours) {
  const double difference = ours - expected.value;
  if (expected.source == RILL_SOURCE_NONE) return RILL_VERDICT_NONE;
  if (!(difference <= expected.tolerance && -difference <= expected.tolerance)) return RILL_VERDICT_DIFFERS;
  if (claim == NULL) return RILL_VERDICT_AGREES;
  return ours >= claim->low && ours <= claim->high ? RILL_VERDICT_DIFFERS : RILL_VERDICT_KNOWN_DEVIATION;
}

#endif

/* Rows and curves of a result, on their way to its sink. */
#ifndef RILL_PAPERS_EMIT_H
#define RILL_PAPERS_EMIT_H

#include "papers/result.h"

struct rill_report {
  const struct rill_result_sink *sink;
  struct rill_error *error;
};

/* The row's setting in printf's way.  paper NAN: nothing is printed. */
enum rill_status rill_emit(const struct rill_report *report, const char *quantity, double paper, double ours,
                           double tolerance, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* A claim that is proved not to hold comes with its reason; with reason NULL it is a claim like any other. */
enum rill_status rill_emit_known(const struct rill_report *report, const char *quantity, double paper, double ours,
                                 const char *reason, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Both do nothing where the sink takes no curves.  values: [column_count of the curve]. */
enum rill_status rill_emit_curve(const struct rill_report *report, const char *name, const char *const *columns,
                                 size_t column_count);
enum rill_status rill_emit_point(const struct rill_report *report, const double *values);

#endif

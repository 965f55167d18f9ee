/* Emits rows and curves of a result to its sink. */
#ifndef RILL_PAPERS_EMIT_H
#define RILL_PAPERS_EMIT_H

#include "papers/result.h"

struct rill_report {
  const struct rill_result_sink *sink;
  struct rill_error *error;
};

/* A number as its source gives it, in decimal digits such as "3.960e-6": the tolerance is half a unit of the last
 * digit.  NULL: no number. */
struct rill_expected rill_paper(const char *digits);
struct rill_expected rill_independent(const char *digits);

struct rill_expected rill_expect(enum rill_source source, double value, double tolerance);

/* A closed form or an invariant; tolerance: rounding, or the remainder of an expansion. */
struct rill_expected rill_exact(double value, double tolerance);

/* Adds `more` to the tolerance, for a known error that the caller explains. */
struct rill_expected rill_loosened(struct rill_expected expected, double more);

/* The row's setting is formatted as by printf. */
enum rill_status rill_emit(const struct rill_report *report, const char *quantity, struct rill_expected expected,
                           double ours, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A printed claim that the expected value refutes; it must outlive the call. */
enum rill_status rill_emit_refuted(const struct rill_report *report, const char *quantity,
                                   struct rill_expected expected, const struct rill_claim *claim, double ours,
                                   const char *format, ...) __attribute__((format(printf, 6, 7)));

/* A row without a verdict; reason: why, or NULL. */
enum rill_status rill_emit_data(const struct rill_report *report, const char *quantity, double ours,
                                const char *reason, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Both do nothing if the sink takes no curves.  values: [column_count of the curve]. */
enum rill_status rill_emit_curve(const struct rill_report *report, const char *name, const char *const *columns,
                                 size_t column_count);
enum rill_status rill_emit_point(const struct rill_report *report, const double *values);

#endif

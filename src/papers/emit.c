#include "papers/emit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* The verdict of a claim that is proved not to hold comes with its reason. */
static enum rill_status emit_because(const struct rill_report *report, const char *quantity, double paper,
                                     double ours, double tolerance, const char *reason, const char *format,
                                     va_list arguments) {
  struct rill_result_row row = {.quantity = quantity,
                                .paper = paper,
                                .ours = ours,
                                .tolerance = isnan(paper) ? NAN : tolerance,
                                .reason = reason};
  vsnprintf(row.setting, sizeof row.setting, format, arguments);
  row.verdict = rill_verdict_of(paper, ours, tolerance);
  if (reason != NULL && row.verdict == RILL_VERDICT_DIFFERS) row.verdict = RILL_VERDICT_KNOWN_DEVIATION;
  return report->sink->row(report->sink->self, &row, report->error);
}

enum rill_status rill_emit(const struct rill_report *report, const char *quantity, double paper, double ours,
                           double tolerance, const char *format, ...) {
  enum rill_status status;
  va_list arguments;
  va_start(arguments, format);
  status = emit_because(report, quantity, paper, ours, tolerance, NULL, format, arguments);
  va_end(arguments);
  return status;
}

enum rill_status rill_emit_known(const struct rill_report *report, const char *quantity, double paper, double ours,
                                 const char *reason, const char *format, ...) {
  enum rill_status status;
  va_list arguments;
  va_start(arguments, format);
  status = emit_because(report, quantity, paper, ours, 0, reason, format, arguments);
  va_end(arguments);
  return status;
}

enum rill_status rill_emit_curve(const struct rill_report *report, const char *name, const char *const *columns,
                                 size_t column_count) {
  const struct rill_result_curve curve = {name, columns, column_count};
  return report->sink->curve != NULL ? report->sink->curve(report->sink->self, &curve, report->error) : RILL_OK;
}

enum rill_status rill_emit_point(const struct rill_report *report, const double *values) {
  return report->sink->point != NULL ? report->sink->point(report->sink->self, values, report->error) : RILL_OK;
}

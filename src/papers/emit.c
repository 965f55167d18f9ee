#include "papers/emit.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rill_expected rill_expect(enum rill_source source, double value, double tolerance) {
  return (struct rill_expected){value, tolerance, source};
}

/* Half a unit of the last digit of the mantissa. */
static double half_digit(const char *digits) {
  const char *exponent = strpbrk(digits, "eE"), *point = strchr(digits, '.');
  int decimals = 0;
  if (point != NULL)
    while (isdigit((unsigned char)point[1 + decimals])) decimals++;
  return 0.5 * pow(10, (exponent != NULL ? atoi(exponent + 1) : 0) - decimals);
}

static struct rill_expected in_digits(enum rill_source source, const char *digits) {
  if (digits == NULL) return rill_expect(RILL_SOURCE_NONE, NAN, NAN);
  return rill_expect(source, strtod(digits, NULL), half_digit(digits));
}

struct rill_expected rill_paper(const char *digits) {
  return in_digits(RILL_SOURCE_PAPER, digits);
}

struct rill_expected rill_independent(const char *digits) {
  return in_digits(RILL_SOURCE_INDEPENDENT, digits);
}

struct rill_expected rill_exact(double value, double tolerance) {
  return rill_expect(RILL_SOURCE_EXACT, value, tolerance);
}

struct rill_expected rill_loosened(struct rill_expected expected, double more) {
  expected.tolerance += more;
  return expected;
}

static enum rill_status emit(const struct rill_report *report, struct rill_result_row *row, const char *format,
                             va_list arguments) {
  vsnprintf(row->setting, sizeof row->setting, format, arguments);
  row->verdict = rill_verdict_of(row->expected, row->claim, row->ours);
  return report->sink->row(report->sink->self, row, report->error);
}

enum rill_status rill_emit(const struct rill_report *report, const char *quantity, struct rill_expected expected,
                           double ours, const char *format, ...) {
  struct rill_result_row row = {.quantity = quantity, .expected = expected, .ours = ours};
  enum rill_status status;
  va_list arguments;
  va_start(arguments, format);
  status = emit(report, &row, format, arguments);
  va_end(arguments);
  return status;
}

enum rill_status rill_emit_refuted(const struct rill_report *report, const char *quantity,
                                   struct rill_expected expected, const struct rill_claim *claim, double ours,
                                   const char *format, ...) {
  struct rill_result_row row = {
      .quantity = quantity, .expected = expected, .ours = ours, .claim = claim, .reason = claim->reason};
  enum rill_status status;
  va_list arguments;
  va_start(arguments, format);
  status = emit(report, &row, format, arguments);
  va_end(arguments);
  return status;
}

enum rill_status rill_emit_data(const struct rill_report *report, const char *quantity, double ours,
                                const char *reason, const char *format, ...) {
  struct rill_result_row row = {
      .quantity = quantity, .expected = {NAN, NAN, RILL_SOURCE_NONE}, .ours = ours, .reason = reason};
  enum rill_status status;
  va_list arguments;
  va_start(arguments, format);
  status = emit(report, &row, format, arguments);
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

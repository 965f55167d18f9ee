/* What every row of every published result must be: able to fail.  A row's own verdict function is asked about values
 * that are wrong, by three tolerances, by no number at all, and by the printed claim that the row refutes. */
#ifndef RILL_TESTS_LAWS_ROWS_H
#define RILL_TESTS_LAWS_ROWS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "papers/result.h"
#include "suite.h"

enum { ROWS_MOST = 512 };

/* Of all results of a test program: the rows so far, and what they were. */
struct rows {
  const char *result;
  char seen[ROWS_MOST][224];
  unsigned count, known, none;
};

/* A tolerance as large as the number cannot fail; of an exact 0 it is rounding. */
static inline bool rows_can_fail(const struct rill_expected *e) {
  if (!(e->tolerance > 0 && isfinite(e->tolerance) && isfinite(e->value))) return false;
  if (e->value == 0) return e->source == RILL_SOURCE_EXACT && e->tolerance <= 1e-9;
  return e->tolerance < fabs(e->value);
}

/* No value that confirms the claim agrees with what is expected. */
static inline bool rows_refutes(const struct rill_expected *e, const struct rill_claim *claim) {
  return claim->low <= claim->high && (claim->high < e->value - e->tolerance || claim->low > e->value + e->tolerance);
}

static inline void rows_perturbed(const struct rill_result_row *row) {
  const struct rill_expected e = row->expected;
  const enum rill_verdict right = row->claim == NULL ? RILL_VERDICT_AGREES : RILL_VERDICT_KNOWN_DEVIATION;
  ck_assert_int_eq(rill_verdict_of(e, row->claim, e.value), right);
  ck_assert_int_eq(rill_verdict_of(e, row->claim, e.value + 3 * e.tolerance), RILL_VERDICT_DIFFERS);
  ck_assert_int_eq(rill_verdict_of(e, row->claim, e.value - 3 * e.tolerance), RILL_VERDICT_DIFFERS);
  ck_assert_int_eq(rill_verdict_of(e, row->claim, NAN), RILL_VERDICT_DIFFERS);
  if (row->claim == NULL) return;
  ck_assert_int_eq(rill_verdict_of(e, row->claim, row->claim->low), RILL_VERDICT_DIFFERS);
  ck_assert_int_eq(rill_verdict_of(e, row->claim, row->claim->high), RILL_VERDICT_DIFFERS);
}

static inline void rows_check(struct rows *rows, const struct rill_result_row *row) {
  char *name = rows->seen[rows->count];
  ck_assert_uint_lt(rows->count, ROWS_MOST);
  ck_assert_uint_lt(strlen(row->setting), sizeof row->setting - 1); /* none is cut */
  snprintf(name, sizeof rows->seen[0], "%s, %s", row->quantity, row->setting);
  for (unsigned i = 0; i < rows->count; i++)
    ck_assert_msg(strcmp(rows->seen[i], name) != 0, "%s: %s repeats a row", rows->result, name);
  rows->count++;
  ck_assert_msg(isfinite(row->ours), "%s: %s", rows->result, name);
  ck_assert_int_eq(row->verdict, rill_verdict_of(row->expected, row->claim, row->ours));
  if (row->verdict == RILL_VERDICT_NONE) {
    rows->none++;
    ck_assert(isnan(row->expected.value) && isnan(row->expected.tolerance) && row->claim == NULL);
    return;
  }
  ck_assert_msg(row->verdict != RILL_VERDICT_DIFFERS, "%s: %s: expected %.9g +- %.3g, ours %.9g", rows->result, name,
                row->expected.value, row->expected.tolerance, row->ours);
  ck_assert_msg(rows_can_fail(&row->expected), "%s: %s: %g +- %g cannot fail", rows->result, name,
                row->expected.value, row->expected.tolerance);
  ck_assert_msg(row->expected.value != 0 || row->ours != 0, "%s: %s compares 0 with 0", rows->result, name);
  if (row->claim != NULL) {
    rows->known++;
    ck_assert_ptr_nonnull(row->reason);
    ck_assert_msg(rows_refutes(&row->expected, row->claim), "%s: %s: the claim is not refuted", rows->result, name);
  }
  rows_perturbed(row);
}

#endif

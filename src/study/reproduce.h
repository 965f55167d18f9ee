/* Published tables and figures recomputed (rill reproduce): rows go to callbacks and to files. */
#ifndef RILL_STUDY_REPRODUCE_H
#define RILL_STUDY_REPRODUCE_H

#include "papers/result.h"

enum { RILL_VERDICTS = 4 };

/* Borrowed for the call. */
struct rill_reproduce_request {
  const struct rill_result *result; /* NULL: all */
  const char *csv;                  /* a file of all rows; NULL: none */
  const char *folder; /* of the curves, created when missing: NAME.csv, and NAME-2.csv ... for other columns; NULL:
                       * none */
  bool replace, long_form;
  /* Called before a result, for each of its rows, and after it; each may be NULL. */
  void (*begin)(void *context, const struct rill_result *result);
  void (*row)(void *context, const struct rill_result *result, const struct rill_result_row *row);
  void (*end)(void *context, double seconds);
  void *context;
};

/* The result of that name; for an unknown one RILL_ERROR_USAGE, with the nearest name. */
enum rill_status rill_reproduce_find(const char *name, const struct rill_result **result, struct rill_error *error);
/* Calls visit for all, in order. */
void rill_reproduce_each(void (*visit)(void *context, const struct rill_result *result), void *context);

/* counts: number of rows by verdict, [RILL_VERDICTS].  RILL_ERROR_OUTPUT, before anything is computed, for files
 * that exist (unless replace) or cannot be written.  A row that differs is no error. */
enum rill_status rill_reproduce(const struct rill_reproduce_request *request, size_t counts[RILL_VERDICTS],
                                struct rill_error *error);

/* "agrees", "known-deviation", "differs", and "" for data; "paper", "exact", "independent", and "" for none. */
const char *rill_verdict_word(enum rill_verdict verdict);
const char *rill_source_word(enum rill_source source);

#endif

/* Published results beside recomputed numbers. */
#ifndef RILL_SHOW_RESULTS_H
#define RILL_SHOW_RESULTS_H

#include "show/page.h"
#include "study/reproduce.h"

/* The state between rows and results. */
struct rill_shown_result {
  struct rill_page *page;
  bool rows;          /* the result's table has begun */
  const char *reason; /* of the previous row: shown only once */
};
/* Callbacks of struct rill_reproduce_request; context: a struct rill_shown_result. */
void rill_show_result_begin(void *context, const struct rill_result *result);
void rill_show_result_row(void *context, const struct rill_result *result, const struct rill_result_row *row);
void rill_show_result_end(void *context, double seconds);

/* The callback of rill_reproduce_each; context: a page. */
void rill_show_result_name(void *context, const struct rill_result *result);

/* To be called at the end: the text shows how many rows have which verdict. */
void rill_show_result_counts(struct rill_page *page, const size_t counts[RILL_VERDICTS]);

#endif

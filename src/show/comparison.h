/* A table of methods and steps. */
#ifndef RILL_SHOW_COMPARISON_H
#define RILL_SHOW_COMPARISON_H

#include "show/page.h"
#include "study/compare.h"

/* path: of the deck.  The document gets a list, which is left open. */
void rill_show_comparison(struct rill_page *page, const char *path, const struct rill_compare_table *table);

#endif

/* Verdicts on a run. */
#ifndef RILL_SHOW_VERDICTS_H
#define RILL_SHOW_VERDICTS_H

#include "show/page.h"
#include "study/validate.h"

/* The document gets a list, which is left open. */
void rill_show_verdicts(struct rill_page *page, const struct rill_verdicts *verdicts);

#endif

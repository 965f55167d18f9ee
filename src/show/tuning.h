/* The measurements of rill tune, and what they decide. */
#ifndef RILL_SHOW_TUNING_H
#define RILL_SHOW_TUNING_H

#include "show/page.h"
#include "study/tune.h"

void rill_show_tuning(struct rill_page *page, const struct rill_tune_request *request,
                      const struct rill_tuning *tuning);

#endif

/* The measurements of rill tune, and what they decide. */
#ifndef RILL_SHOW_TUNING_H
#define RILL_SHOW_TUNING_H

#include "show/page.h"
#include "study/tune.h"

/* path: of the deck; out: of the tuned one. */
void rill_show_tuning(struct rill_page *page, const char *path, const char *out, const struct rill_tuning *tuning);

#endif

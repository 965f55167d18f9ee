/* Whether files are as their checkpoint says. */
#ifndef RILL_SHOW_FINDINGS_H
#define RILL_SHOW_FINDINGS_H

#include "show/page.h"
#include "simulation/manifest.h"

/* The callback of struct rill_verify_request; context: a page. */
void rill_show_findings(void *context, const char *path, const struct rill_checkpoint *checkpoint,
                        const struct rill_findings *findings);

#endif

/* A distribution of O-O distances. */
#ifndef RILL_SHOW_DISTANCES_H
#define RILL_SHOW_DISTANCES_H

#include "show/page.h"
#include "simulation/distribution.h"
#include "study/distances.h"

/* files: those whose frames were averaged, NULL-terminated; csv: the file that it was written to, NULL for none; with
 * a file the text is one line. */
void rill_show_distances(struct rill_page *page, const struct rill_distances_request *request,
                         const char *const *files, const char *csv, const struct rill_rdf *rdf,
                         const struct rill_distribution *distribution);

#endif

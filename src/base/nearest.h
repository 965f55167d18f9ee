/* The nearest of a list of names, for "did you mean". */
#ifndef RILL_BASE_NEAREST_H
#define RILL_BASE_NEAREST_H

#include <stddef.h>

/* The name with the smallest edit distance (insertion, deletion, substitution, swap of neighbours) from `given`, when that is
 * at most a third of the longer one's length (at least 1); otherwise NULL.  Case is ignored. */
const char *rill_nearest(const char *given, const char *const *names, size_t count);

#endif

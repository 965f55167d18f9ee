/* The word that was probably meant. */
#ifndef RILL_BASE_NEAREST_H
#define RILL_BASE_NEAREST_H

#include <stddef.h>

enum { RILL_FAR = 1000 };

/* Edit distance (insert, delete, replace, swap of neighbours), letters alike in both cases. */
int rill_edit_distance(const char *a, const char *b);

/* How far `word` is from what was written: their edit distance when it is small for their length or when one contains
 * the other; RILL_FAR when the one can hardly be a slip for the other. */
int rill_slip_distance(const char *written, const char *word);

/* The nearest of the words by that measure, or NULL when none is near. */
const char *rill_nearest(const char *written, const char *const *words, size_t count);

#endif

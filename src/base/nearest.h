/* Finds the word that was probably meant. */
#ifndef RILL_BASE_NEAREST_H
#define RILL_BASE_NEAREST_H

#include <stddef.h>

enum { RILL_FAR = 1000 };

/* Edit distance (insertion, deletion, substitution, transposition of adjacent characters); case is ignored. */
int rill_edit_distance(const char *a, const char *b);

/* Distance of `word` from what the user wrote: their edit distance when it is small compared with their length, or
 * when one contains the other; 0 when they have the same characters, in any order; RILL_FAR when `written` can hardly
 * be a misspelling of `word`. */
int rill_slip_distance(const char *written, const char *word);

/* The nearest of the words by that measure, or NULL when none is near. */
const char *rill_nearest(const char *written, const char *const *words, size_t count);

#endif

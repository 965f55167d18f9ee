/* Words of other programs, and what they are called here. */
#ifndef RILL_DECK_SYNONYMS_H
#define RILL_DECK_SYNONYMS_H

#include <stddef.h>

struct rill_synonym {
  const char *section, *key; /* where it was written */
  const char *word;          /* in small letters, with - between parts */
  const char *advice;        /* what to write here, or that there is none */
};

/* What a word of another program is here; NULL for one that is not known.  Case, and - or _, do not matter. */
const char *rill_synonym_advice(const char *section, const char *key, const char *word);

/* All of them. */
const struct rill_synonym *rill_synonyms(size_t *count);

#endif

/* Words of other programs, and their equivalents here. */
#ifndef RILL_DECK_SYNONYMS_H
#define RILL_DECK_SYNONYMS_H

#include <stddef.h>

struct rill_synonym {
  const char *section, *key; /* where the word was written */
  const char *word;          /* in lower case, with - between parts */
  const char *advice;        /* the equivalent here, or that there is none */
};

/* The equivalent of a word of another program; NULL for an unknown word.  Case, and - or _, do not matter. */
const char *rill_synonym_advice(const char *section, const char *key, const char *word);

/* All synonyms. */
const struct rill_synonym *rill_synonyms(size_t *count);

#endif

/* What ranks decide together: errors, largest values, exact sums. */
#ifndef RILL_PARALLEL_AGREE_H
#define RILL_PARALLEL_AGREE_H

#include "base/exact_sum.h"
#include "base/ranks.h"

/* All ranks return the error of the lowest rank that has one, or RILL_OK.  status, error: of this rank; words,
 * [count], at most RILL_AGREED_WORDS, are replaced by the largest of all ranks.  Signals are passed on to rank 0. */
enum { RILL_AGREED_WORDS = 8 };
enum rill_status rill_agree(struct rill_ranks *ranks, enum rill_status status, uint64_t *words, size_t count,
                            struct rill_error *error);

/* A double that is not negative, as a word whose order is the same. */
static inline uint64_t rill_word_of(double value) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  return word;
}
static inline double rill_word_value(uint64_t word) {
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}

/* Sums over all ranks, in place. */
enum rill_status rill_exact_over_ranks(struct rill_ranks *ranks, struct rill_exact_sum *sums, size_t count,
                                       struct rill_error *error);

/* values[i] = the sum of integers[i] over all ranks, as a double; the sum may exceed 64 bits. */
enum rill_status rill_integers_over_ranks(struct rill_ranks *ranks, const int64_t *integers, size_t count,
                                          double *values, struct rill_error *error);

#endif

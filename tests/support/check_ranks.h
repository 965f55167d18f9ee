/* What the functions of base/ranks.h promise, whoever implements them. */
#ifndef RILL_TESTS_CHECK_RANKS_H
#define RILL_TESTS_CHECK_RANKS_H

#include "base/ranks.h"

/* Calls each function with messages of random lengths, of which some are 0, and compares what arrives with what was
 * to be sent.  Returns what is wrong, or NULL.  Every rank calls it. */
const char *rill_check_ranks(struct rill_ranks *ranks, size_t longest);

#endif

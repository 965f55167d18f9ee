/* M. Leok, T. Shingel, General techniques for constructing variational integrators: figures 2 to 4, shooting-based
 * methods. */
#ifndef RILL_PAPERS_LEOK_SHINGEL_SHOOTING_H
#define RILL_PAPERS_LEOK_SHINGEL_SHOOTING_H

#include "papers/result.h"

const struct rill_result *rill_leok_shingel_shooting_results(size_t *count);

#endif

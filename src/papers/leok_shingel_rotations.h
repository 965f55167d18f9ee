/* Leok & Shingel, figure 1: the Lie group velocity Verlet method on rotations, compared with Runge-Kutta methods. */
#ifndef RILL_PAPERS_LEOK_SHINGEL_ROTATIONS_H
#define RILL_PAPERS_LEOK_SHINGEL_ROTATIONS_H

#include "papers/result.h"

/* leok-shingel-figure-1; *count gets their number. */
const struct rill_result *rill_leok_shingel_rotations_results(size_t *count);

#endif

/* Discrete reduction of the free rigid body, which Marsden & Wendlandt name as an open end of their integrator:
 * "the relation between the integrator for the rigid body as presented here and its induced reduced integrator". */
#ifndef RILL_PAPERS_DISCRETE_REDUCTION_H
#define RILL_PAPERS_DISCRETE_REDUCTION_H

#include "papers/result.h"

const struct rill_result *rill_discrete_reduction_results(size_t *count);

#endif

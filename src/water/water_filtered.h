/* The filtered acceleration of penalised water, and its physical positions. */
#ifndef RILL_WATER_WATER_FILTERED_H
#define RILL_WATER_WATER_FILTERED_H

#include "water/water_state.h"

/* Allocates what penalised water has beyond other water. */
enum rill_status rill_water_stiff_create(struct rill_water *water, struct rill_error *error);
void rill_water_stiff_destroy(struct rill_water *water);

/* A filter with the scale beta h^2, as the kernels of the stiff bonds take it. */
static inline struct rill_stiff_filter rill_water_stiff_filter(const struct rill_filter *filter, double scale) {
  return (struct rill_stiff_filter){filter->kind, filter->hessian != RILL_HESSIAN_GAUSS_NEWTON, scale};
}

/* Computes the filtered acceleration at q, unless it is already known for this filter; scale: beta h^2. */
enum rill_status rill_water_accelerate(struct rill_water *water, const struct rill_filter *filter, double scale,
                                       unsigned flags, struct rill_error *error);

/* The physical positions: in stiff.physical, or q itself. */
const double *rill_water_physical(struct rill_water *water);

/* The filter determines the physical positions; its name belongs to the method, and is not archived. */
void rill_water_archive_filter(struct rill_water *water, struct rill_archive *archive);

#endif

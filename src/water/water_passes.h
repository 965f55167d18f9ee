/* One flow over all molecules, shared among threads. */
#ifndef RILL_WATER_WATER_PASSES_H
#define RILL_WATER_WATER_PASSES_H

#include "water/water_state.h"

/* The arguments of a flow, which are passed to its body for each range. */
struct rill_water_pass {
  struct rill_water *water;
  double h;
  unsigned flags;
  uint64_t step;
  uint32_t use;
  /* for penalised water */
  const struct rill_stiff_filter *filter;
  bool full;
  double scale;
  const double *q, *in;
  double *out;
};
typedef struct rill_drift_result (*rill_water_range_body)(const struct rill_water_pass *pass,
                                                          struct rill_range range);
struct rill_drift_result rill_water_over_molecules(const struct rill_water_pass *pass, rill_water_range_body body);

#endif

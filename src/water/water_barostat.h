/* The barostat capability, and the part of the state that it changes. */
#ifndef RILL_WATER_WATER_BAROSTAT_H
#define RILL_WATER_WATER_BAROSTAT_H

#include "water/water_state.h"

extern const struct rill_barostat_ops rill_water_barostat_ops;
static inline bool rill_water_has_barostat(const struct rill_water *water) {
  return water->options.barostat.kind != RILL_NO_BAROSTAT;
}

/* create: after the field.  RILL_ERROR_UNSUPPORTED for what has no pressure. */
enum rill_status rill_water_barostat_create(struct rill_water *water, struct rill_error *error);
void rill_water_barostat_destroy(struct rill_water *water);
void rill_water_barostat_save(struct rill_water *water);
void rill_water_barostat_restore(struct rill_water *water);
void rill_water_barostat_archive(struct rill_water *water, struct rill_archive *archive);

#endif

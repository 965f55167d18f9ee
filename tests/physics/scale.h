/* How long the physics tests sample: RILL_PHYSICS_SCALE, 1 when it is not set.  Criteria follow the samples' own
 * errors, so that a shorter run is a blunter test, not a failing one. */
#ifndef RILL_TESTS_PHYSICS_SCALE_H
#define RILL_TESTS_PHYSICS_SCALE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static inline uint64_t physics_scaled(uint64_t count) {
  const char *text = getenv("RILL_PHYSICS_SCALE");
  double scale = text != NULL && *text != '\0' ? strtod(text, NULL) : 1;
  return (uint64_t)ceil((double)count * (scale > 0 ? scale : 1));
}

/* Whether the samples suffice to tell mutants from the truth. */
static inline int physics_full(void) { return physics_scaled(1000) >= 1000; }

#endif

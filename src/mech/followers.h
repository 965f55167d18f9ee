/* Other processes that hold parts of a system, and make the same steps (base/ranks.h). */
#ifndef RILL_MECH_FOLLOWERS_H
#define RILL_MECH_FOLLOWERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct rill_followers_ops {
  /* Called at the beginning of each step, with the arguments of rill_integrator_step; wanted: as by
   * rill_integrator_want. */
  enum rill_status (*step)(void *self, uint64_t step, bool halfway, unsigned wanted, struct rill_error *error);
};

#endif

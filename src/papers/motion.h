/* A small system with a method, for results that follow one run. */
#ifndef RILL_PAPERS_MOTION_H
#define RILL_PAPERS_MOTION_H

#include "mech/integrator.h"

struct rill_motion {
  struct rill_system system;
  struct rill_integrator *integrator;
  uint64_t done;
};

/* settings: "key=value;key=value" over the defaults of the system of that kind; composition NULL: none.  The motion
 * must not be moved in memory until _end. */
enum rill_status rill_motion_begin(struct rill_motion *motion, const char *kind, const char *settings,
                                   const struct rill_method *method, const struct rill_method_options *options,
                                   const struct rill_composition *composition, double h, struct rill_error *error);
enum rill_status rill_motion_go(struct rill_motion *motion, uint64_t steps, struct rill_error *error);
void rill_motion_end(struct rill_motion *motion); /* accepts a zeroed struct */

#endif

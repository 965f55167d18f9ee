/* The lanes capability: several systems of one kind and size that are advanced together, one in each lane of a
 * vector. The results are those that each has alone, bit for bit. */
#ifndef RILL_MECH_LANES_H
#define RILL_MECH_LANES_H

#include <stddef.h>

#include "base/status.h"

struct rill_system;

/* Systems of one kind and size differ in nothing but their states, the seed of their noise and the present
 * temperature of their bath. */
struct rill_lanes_ops {
  /* Systems that go into one group; 0 when this system cannot be advanced in lanes, or gains nothing by it. */
  size_t (*width)(const void *self);
  /* Makes a group for systems like this one: a system that offers flows, for rill_integrator_create, but neither
   * observation nor archives.  It copies what it needs from self.  A method that needs more than flows does not bind
   * to it.  Release it with group->ops->destroy(group->self).
   *
   * A step of the group fails if that of one of its systems would; the states are then lost. */
  enum rill_status (*create)(const void *self, struct rill_system *group, struct rill_error *error);
  /* Takes over the states of the systems (1 <= count <= width; lanes beyond repeat the first), which are left as they
   * are.  group, systems: the `self` of each. */
  void (*load)(void *group, void *const systems[], size_t count);
  /* Gives the states back, as if each system had made the steps itself. */
  void (*store)(void *group, void *const systems[], size_t count);
};

#endif

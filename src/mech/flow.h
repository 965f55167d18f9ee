/* The flow capability: a system that can advance itself by exact or projected sub-flows of its Hamiltonian.
 *
 * Constraints live inside the flows: a constrained drift moves and projects the positions, and gives the velocities
 * the same impulses; a kick or an OU flow changes only velocities.  With RILL_FLOW_PROJECT the flow ends by putting
 * the velocities on the tangent space; the binding sets it only where no later flow makes it redundant.
 *
 * A system that only one-step methods move, and that a heat bath can be put around, offers `ou` alone. */
#ifndef RILL_MECH_FLOW_H
#define RILL_MECH_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "mech/filter.h"
#include "mech/forcing.h"

enum rill_flow_flags {
  RILL_FLOW_PROJECT = 1,    /* end with velocities on the tangent space */
  RILL_FLOW_DIFFERENCE = 2, /* drift: velocities become the difference quotient (x' - x) / h (Ryckaert's form) */
  RILL_FLOW_FAST = 4,       /* kick: by the forces that change fast */
  RILL_FLOW_SLOW = 8,       /* kick: by the others; the two add up to all forces */
  RILL_FLOW_ENERGY = 16,    /* kick: the energy here is used next, and costs least beside the forces */
  RILL_FLOW_VIRIAL = 32,    /* kick: so is the virial, which is part of the energy's evaluation */
  RILL_FLOW_CONTINUED =
      64 /* drift: another one follows before forces are needed, and may report a failure of this one */
};

struct rill_flow_ops {
  bool drift_exact;  /* D(a) D(b) = D(a + b); false for a projected drift */
  bool constrained;  /* projections are not trivial */
  bool stiff;        /* the potential has a stiff part (a penalty) */
  bool rigid_bodies; /* moves bodies, not atoms: no filters, difference quotients or geodesic sub-steps */
  bool corrected;    /* kicks have a force that the other capabilities do not: of RILL_MEASURE_STIFF_LIMIT */

  /* Moves positions along the velocities for a time h.  NULL: the flows are only `ou`. */
  enum rill_status (*drift)(void *self, double h, unsigned flags, struct rill_error *error);

  /* Moves velocities along the filtered acceleration for a time h.  h_base is the step of the base splitting that
   * this kick belongs to (gamma h inside a composition), which the filter's acceleration f(x; h_base) depends on.
   * The system evaluates its force only if it is stale for (positions, h_base, filter). */
  enum rill_status (*kick)(void *self, double h, double h_base, const struct rill_filter *filter, unsigned flags,
                           struct rill_error *error);

  /* Called when a method with a filter is bound, with the filter and base step of its first kick, so that the initial
   * physical positions are also the method's.  If the force cannot be evaluated there, the first step reports it.
   * NULL: nothing to do. */
  void (*expect)(void *self, double h_base, const struct rill_filter *filter);

  /* The exact Ornstein-Uhlenbeck flow for a time h, with noise drawn for (step, use), then projection.  NULL: not
   * offered. */
  enum rill_status (*ou)(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error);

  /* Multiplies all velocities, which are on the tangent space, by one factor, drawn for the step, that moves the
   * kinetic energy towards its law in the bath during a time h.  NULL: not offered. */
  enum rill_status (*rescale)(void *self, double h, uint64_t step, struct rill_error *error);

  /* Moves the momenta by other forces, taken at the time t, for a time h.  NULL: the system takes none. */
  enum rill_status (*push)(void *self, const struct rill_forcing *forcing, enum rill_push push, double h, double t,
                           unsigned flags, struct rill_error *error);

  /* Whether the OU flow has one rate for all masses: it then commutes with the velocity projection. */
  bool (*ou_commutes)(const void *self);

  /* Whether kick can apply the filter. */
  bool (*accepts)(const void *self, const struct rill_filter *filter);

  /* Whether forces have a fast and a slow part.  NULL: no. */
  bool (*divides)(const void *self);

  /* Called when the velocities are those of the middle of the step, on steps that will be observed. */
  void (*observe_half_step)(void *self);
};

#endif

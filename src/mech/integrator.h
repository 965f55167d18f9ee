/* Integrators: methods (registered by name) and their binding to a system (which takes steps). */
#ifndef RILL_MECH_INTEGRATOR_H
#define RILL_MECH_INTEGRATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/choices.h"
#include "base/method_options.h"
#include "base/status.h"
#include "mech/refusal.h"
#include "mech/system.h"
#include "mech/splitting.h"

struct rill_method {
  const char *name;
  const char *alias;   /* or NULL */
  const char *former;  /* an earlier name, still accepted, with a note; or NULL */
  const char *summary; /* one sentence */
  const char *citation;
  int order;
  bool symmetric, symplectic;
  /* With constraints, the momentum's component normal to the tangent space changes sign in each step: the method is
   * then not near the identity for small h, and its compositions gain no order. */
  bool reflects_normal_momenta;
  bool forced;          /* of a one-step method: it has a form with forces beside the Lagrangian's; splittings have */
  bool varies;          /* steps vary in length: `step` is of a fictitious time, and state.clock has the time */
  bool multistep;       /* a step takes earlier positions, which are in state.history */
  bool solves_for_step; /* the length of a step is an unknown of its equations: no composition can prescribe it */
  bool nonholonomic;    /* it has a form for constraints on velocities */
  unsigned needs;       /* of enum rill_capability */
  const struct rill_filter *filter;       /* of a splitting */
  const struct rill_splitting *splitting; /* NULL for a one-step method */
  const struct rill_one_step *one_step;   /* NULL for a splitting */
  const struct rill_one_step *implicit; /* the same method over the implicit capability, used where that is offered */
  unsigned implicit_needs;
  unsigned reads; /* of enum rill_method_reads: of a one-step method; those of a splitting follow from its filter */
  /* For a method whose properties depend on its options: why these do not go together, or not with the system (NULL:
   * they do), and its order and symmetry; those above are for the default options. */
  const char *(*refuse)(const struct rill_system *system, const struct rill_method_options *options);
  void (*specialise)(const struct rill_method_options *options, struct rill_method *method);
};

/* Which options a method reads, of enum rill_method_reads. */
unsigned rill_method_reads(const struct rill_method *method);

/* The method with its order and symmetry for these options. */
struct rill_method rill_method_with(const struct rill_method *method, const struct rill_method_options *options);

/* A one-step method, over the mechanical, lagrangian or group capability and the system's state.  One-step (q, p)
 * form: anything else that it carries (such as one-step Newmark's acceleration, or the history of a multistep method)
 * is in the state too, and made from (q, p) at its first step.  `step` leaves the state after the step; on error the
 * caller restores the state. */
struct rill_one_step {
  enum rill_status (*create)(struct rill_system *system, double h, const struct rill_method_options *options,
                             void **self, struct rill_error *error);
  enum rill_status (*step)(void *self, struct rill_error *error);
  void (*destroy)(void *self); /* accepts NULL */
};

struct rill_binding_options {
  double step;
  enum rill_thermostat insertion;
  unsigned geodesic_steps; /* RILL_BAOAB: number of drifts that make up each half of a drift; at least 1 */
  unsigned trial_steps;    /* RILL_GHMC: steps of a trial; at least 1 */
  const struct rill_composition *composition; /* of the method, which must be symmetric and of order 2; NULL: none */
  struct rill_method_options method;
};

struct rill_integrator;

/* Why the method does not bind to a system; RILL_BINDS when it does (its own options are checked by
 * rill_method.refuse). */
enum rill_refusal rill_method_refusal(const struct rill_method *method, const struct rill_system *system,
                                      enum rill_thermostat insertion);

/* Why the composition cannot use the method; RILL_BINDS when it can, and when composition is NULL. */
enum rill_refusal rill_composition_refusal(const struct rill_composition *composition,
                                           const struct rill_method *method, const struct rill_system *system,
                                           enum rill_thermostat insertion);

/* Both checks, and those of the method's options and the thermostat's: what rill_integrator_create refuses. */
enum rill_refusal rill_binding_refusal(const struct rill_method *method, const struct rill_system *system,
                                       const struct rill_binding_options *options);

/* RILL_ERROR_UNSUPPORTED: the message names what is missing.  method and system are borrowed for the integrator's
 * life. */
enum rill_status rill_integrator_create(const struct rill_method *method, struct rill_system *system,
                                        const struct rill_binding_options *options,
                                        struct rill_integrator **integrator, struct rill_error *error);

/* Makes step number `step` (from 0), which is also the noise's counter.  halfway: quantities of the middle of the
 * step are observed.  On error the system's state is that before the step.
 *
 * Under RILL_GHMC the steps whose number plus one is a multiple of trial_steps make a whole trial, and the others
 * leave the state as it is: each state between steps is one of the ensemble's, and a run can be resumed from any. */
enum rill_status rill_integrator_step(struct rill_integrator *integrator, uint64_t step, bool halfway,
                                      struct rill_error *error);

/* What will be used of the state after the next step, RILL_FLOW_ENERGY or RILL_FLOW_VIRIAL: the step's last kick
 * evaluates it with the forces. */
void rill_integrator_want(struct rill_integrator *integrator, unsigned flags);

double rill_integrator_step_length(const struct rill_integrator *integrator);

void rill_integrator_destroy(struct rill_integrator *integrator);

#endif

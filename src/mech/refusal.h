/* Why a method does not bind to a system: a code, the capability that is missing, and a sentence about methods and
 * systems that does not mention decks.  The remedy is given at a higher level, where the keys of a deck are known
 * (simulation/refusals.h). */
#ifndef RILL_MECH_REFUSAL_H
#define RILL_MECH_REFUSAL_H

#include "mech/system.h"

/* X(code, capability of enum rill_capability that the system lacks or has in another form, 0 for none; reason) */
#define RILL_REFUSAL_LIST(X)                                                                                         \
  X(ATOMS_WITHOUT_BONDS, RILL_NEEDS_NO_CONSTRAINTS, "the method moves atoms, and the system rigid bodies")           \
  X(ATOMS_WITH_BONDS, RILL_NEEDS_IMPLICIT, "the method moves atoms, and the system rigid bodies")                    \
  X(FLOW, RILL_NEEDS_FLOW, "the system does not offer the flow capability")                                          \
  X(MECHANICAL, RILL_NEEDS_MECHANICAL,                                                                               \
    "the system does not offer the mechanical capability (a separable energy with constant diagonal mass)")          \
  X(DENSE, RILL_NEEDS_LAGRANGIAN,                                                                                    \
    "the system does not offer the lagrangian capability, which is dense: there are too many coordinates for it")    \
  X(LAGRANGIAN, RILL_NEEDS_LAGRANGIAN, "the system does not offer the lagrangian capability")                        \
  X(DEGENERATE, RILL_NEEDS_LAGRANGIAN,                                                                               \
    "the system's Hamiltonian is degenerate: velocities do not determine momenta, so that it has no Lagrangian, "    \
    "continuous or discrete (Type I)")                                                                               \
  X(HAMILTONIAN, RILL_NEEDS_HAMILTONIAN,                                                                             \
    "the system does not offer the hamiltonian capability (H(q, p) without constraints)")                            \
  X(CHART, RILL_NEEDS_CHART, "the system's coordinates are not a chart of a constraint manifold")                    \
  X(GROUP, RILL_NEEDS_GROUP, "the system does not offer the group capability")                                       \
  X(SPHERE, RILL_NEEDS_SPHERE, "the system's configurations are not a sphere in space, or several")                  \
  X(ROTATIONS, RILL_NEEDS_ROTATIONS, "the system's group is not SO(3)")                                              \
  X(IMPLICIT, RILL_NEEDS_IMPLICIT, "the system does not offer the implicit capability")                              \
  X(PENALTY, RILL_NEEDS_PENALTY, "the system has no stiff part (a penalty)")                                         \
  X(CONSTRAINTS, RILL_NEEDS_NO_CONSTRAINTS, "the method has no form for constraints")                                \
  X(STEP_SIZE, RILL_NEEDS_STEP_SIZE, "the system does not say how long steps should be where")                       \
  X(NONHOLONOMIC, RILL_NEEDS_NONHOLONOMIC, "the system has no constraints on velocities")                            \
  X(VELOCITY_CONSTRAINTS, 0, "the method has no form for constraints on velocities (nonholonomic)")                  \
  X(OU, RILL_NEEDS_FLOW, "the system does not offer an Ornstein-Uhlenbeck flow")                                     \
  X(RESCALE_STIFF, RILL_NEEDS_FLOW,                                                                                  \
    "one factor for all velocities does not share energy between stiff springs and the rest, which exchange it too " \
    "slowly")                                                                                                        \
  X(RESCALE, RILL_NEEDS_FLOW, "the system does not offer a factor for all its velocities")                           \
  X(OU_CLOCK, 0, "steps of varying length have no bath: its flow would take the time of each")                       \
  X(OU_HISTORY, 0, "a multistep method takes its velocities from earlier positions, which a bath does not change")   \
  X(OU_INSIDE_STEP, 0, "the Ornstein-Uhlenbeck flow goes inside splittings only")                                    \
  X(OU_BACKWARD, 0, "an Ornstein-Uhlenbeck flow inside a composition would run backward in its negative sub-steps")  \
  X(OU_DRIFTS, 0, "the Ornstein-Uhlenbeck flow goes into splittings with one drift")                                 \
  X(OU_DIFFERENCE, 0,                                                                                                \
    "velocities that are difference quotients of positions would lose the Ornstein-Uhlenbeck flow's noise")          \
  X(MEASURE, 0, "the method evaluates forces without those that correct the measure of rods; splittings have them")  \
  X(FORCED, 0, "the method has no form with forces beside those of the Lagrangian")                                  \
  X(FORCED_PRODUCT, 0, "a one-step method takes other forces by d'Alembert's principle, not by their flow")          \
  X(FORCED_ALEMBERT, 0, "of splittings, only verlet has a discrete Lagrange-d'Alembert form")                        \
  X(FORCED_GAMMA, 0,                                                                                                 \
    "with constraints and unequal masses, the flow of a friction gamma v is not exact; that of a rate is")           \
  X(FORCED_BATH, 0, "a heat bath has friction of its own, and keeps the law of a system without other forces")       \
  X(TRIAL, RILL_NEEDS_FLOW, "the system does not offer trials that are accepted by their energy")                    \
  X(TRIAL_STEP, 0, "a trial is made of a splitting, which reverses to rounding; this method solves equations")       \
  X(TRIAL_SYMMETRY, 0, "a trial must be its own inverse once velocities are reversed: a symmetric splitting")        \
  X(TRIAL_FILTER, 0, "a filter's physical positions are not the state, by whose energy a trial would be accepted")   \
  X(TRIAL_FRICTION, 0,                                                                                               \
    "with constraints, velocities keep their law under a friction of one rate for all masses only")                  \
  X(BAROSTAT_BATH, 0, "at constant pressure the momenta need a heat bath")                                           \
  X(BAROSTAT_TRIAL, 0, "the cell moves between steps, and a trial takes several")                                    \
  X(BAROSTAT_STEP, 0, "the cell moves with a state of positions and velocities; the method carries more")            \
  X(BAROSTAT_FILTER, 0, "a filter's physical positions are not the state, which moves with the cell")                \
  X(NESTED_FILTER, 0, "the force is divided as it stands: a filter's acceleration has no fast and slow parts")       \
  X(SLOW_PART, RILL_NEEDS_FLOW, "the system's forces have no slow part")                                             \
  X(BODIES_FILTER, RILL_NEEDS_FLOW,                                                                                  \
    "rigid bodies are kicked by the raw force, and a filter's accelerations are the atoms'")                         \
  X(BODIES_DIFFERENCE, RILL_NEEDS_FLOW,                                                                              \
    "velocities that are difference quotients of the atoms' positions are not those of a rigid body")                \
  X(BODIES_GEODESIC, 0, "geodesic sub-steps follow the constraints' manifold, and rigid bodies have none")           \
  X(WHOLE_HESSIAN, RILL_NEEDS_FLOW,                                                                                  \
    "the system's kick solves with the Hessian of the stiff part only, not with that of the whole potential")        \
  X(FILTER, RILL_NEEDS_FLOW, "the system's kick cannot apply the method's filter")                                   \
  X(EXACT_DRIFT, RILL_NEEDS_FLOW,                                                                                    \
    "a splitting of order above 2 needs exact drifts, and this system's drift is a projected one")                   \
  X(BASE, 0, "a composition gains its order from a symmetric base of order 2")                                       \
  X(HISTORY, 0, "a multistep method needs equal steps, and a composition's differ")                                  \
  X(STEP_LENGTH, 0, "the method solves for the length of its step, which a composition would prescribe")             \
  X(REFLECTION, 0,                                                                                                   \
    "with constraints the method is not near the identity for small steps: a composition gains no order")            \
  X(OPTIONS, 0, "its options do not go together")

enum rill_refusal {
  RILL_BINDS,
#define X(code, capability, reason) RILL_REFUSED_##code,
  RILL_REFUSAL_LIST(X)
#undef X
};

/* The sentence; "" for RILL_BINDS. */
const char *rill_refusal_reason(enum rill_refusal refusal);
/* The missing capability, of enum rill_capability; 0: none. */
unsigned rill_refusal_capability(enum rill_refusal refusal);

#endif

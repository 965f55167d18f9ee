#include "simulation/refusals.h"

#include <stdio.h>

static const char take_penalised[] =
    "use the penalised formulation of a system that has one (formulation = penalised; of water, [penalty] "
    "stiffness)";

const char *rill_refusal_advice(enum rill_refusal refusal) {
  switch (refusal) {
  case RILL_REFUSED_ATOMS_WITHOUT_BONDS: return "use the penalised formulation, [penalty] stiffness";
  case RILL_REFUSED_ATOMS_WITH_BONDS: return "use constraints.solver = settle, mshake or shake";
  case RILL_REFUSED_PENALTY:
  case RILL_REFUSED_CONSTRAINTS: return take_penalised;
  case RILL_REFUSED_DEGENERATE: return "use discrete-hamiltonian or hamiltonian-midpoint";
  case RILL_REFUSED_OU_INSIDE_STEP:
  case RILL_REFUSED_OU_BACKWARD:
  case RILL_REFUSED_TRIAL: return "use gla";
  case RILL_REFUSED_RESCALE_STIFF:
  case RILL_REFUSED_RESCALE: return "use gla or baoab";
  case RILL_REFUSED_TRIAL_STEP:
  case RILL_REFUSED_TRIAL_SYMMETRY: return "use method = rattle, or gla";
  case RILL_REFUSED_VELOCITY_CONSTRAINTS: return "use lagrange-d-alembert";
  case RILL_REFUSED_FORCED: return "verlet, dvp, galerkin and shooting take forces, where they bind to the system";
  case RILL_REFUSED_FORCED_PRODUCT:
  case RILL_REFUSED_FORCED_ALEMBERT: return "leave integrator.forces out";
  case RILL_REFUSED_FORCED_GAMMA: return "give friction.coefficient as a rate, such as 0.1 /s, or use method = dvp";
  case RILL_REFUSED_FORCED_BATH: return "remove [thermostat], or [force], [control] and [friction]";
  case RILL_REFUSED_TRIAL_FILTER: return "use method = verlet, or gla";
  case RILL_REFUSED_TRIAL_FRICTION: return "give thermostat.friction as a rate, such as 1 /ps";
  case RILL_REFUSED_BAROSTAT_BATH:
  case RILL_REFUSED_BAROSTAT_TRIAL: return "use thermostat.method = baoab, gla or v-rescale";
  case RILL_REFUSED_BAROSTAT_STEP:
  case RILL_REFUSED_BAROSTAT_FILTER: return "use method = rattle, or barostat.method = none";
  case RILL_REFUSED_MEASURE: return "use method = rattle, or thermostat.measure = constrained";
  case RILL_REFUSED_OU_DIFFERENCE: return "use gla, or method = rattle";
  case RILL_REFUSED_SLOW_PART: return "for water in a box it is the mesh (forces.coulomb = pme)";
  case RILL_REFUSED_BODIES_FILTER: return "use constraints, or the penalised formulation, [penalty] stiffness";
  case RILL_REFUSED_BODIES_DIFFERENCE: return "use method = rattle, or constraints";
  case RILL_REFUSED_BODIES_GEODESIC: return "set geodesic_steps = 1";
  case RILL_REFUSED_WHOLE_HESSIAN: return "use zss-simplified";
  default: return NULL;
  }
}

const char *rill_refusal_text(enum rill_refusal refusal, char text[RILL_REFUSAL_TEXT]) {
  const char *advice = rill_refusal_advice(refusal);
  snprintf(text, RILL_REFUSAL_TEXT, "%s%s%s", rill_refusal_reason(refusal), advice != NULL ? "; " : "",
           advice != NULL ? advice : "");
  return text;
}

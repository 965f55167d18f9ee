/* Splittings: a method as a table of stages, drifts and kicks, with their coefficients.
 *
 * A composition of a symmetric base consists of the base splitting and the factors of its substeps.  The distinction
 * matters with constraints: a projected drift is only a symmetric second-order map, D(a) D(b) != D(a + b), so that
 * compositions of a symmetric base keep their order, while a splitting table of order above 2 silently falls to order
 * 2.
 *
 * A nested splitting has kicks by a part of the forces (flags of the flow) and an inner splitting, its base, that is
 * applied `substeps` times per step. */
#ifndef RILL_MECH_SPLITTING_H
#define RILL_MECH_SPLITTING_H

#include <stddef.h>

enum rill_stage_kind { RILL_KICK, RILL_DRIFT, RILL_INNER };

struct rill_splitting_stage {
  enum rill_stage_kind kind;
  double coefficient; /* as a fraction of the step */
  unsigned flags;     /* of the flow; RILL_FLOW_PROJECT is decided at binding */
};

enum rill_splitting_kind { RILL_SPLITTING_PLAIN, RILL_SPLITTING_COMPOSITION, RILL_SPLITTING_NESTED };

struct rill_splitting {
  enum rill_splitting_kind kind;
  const struct rill_splitting_stage *stages; /* of a nested splitting: the outer ones */
  size_t stage_count;
  const struct rill_splitting *base; /* a composition's base; the splitting that RILL_INNER represents */
  const double *factors;             /* fractions of the step, in order */
  size_t factor_count;
};

/* A composition of any symmetric base, a splitting or a one-step method: Phi_{c_1 h} ... Phi_{c_s h}. */
struct rill_composition {
  const char *name, *summary, *citation;
  int order;
  const double *factors;
  size_t factor_count;
};

#endif

/* What Galerkin and shooting methods share: the quadrature of the action over a step. */
#ifndef RILL_INTEGRATORS_ACTION_H
#define RILL_INTEGRATORS_ACTION_H

#include "mech/integrator.h"
#include "numerics/quadrature.h"

/* Reads auto, gauss, gauss3, lobatto, lobatto4, trapezoid, simpson or euler-maclaurin.  RILL_ERROR_INPUT names what
 * is expected. */
enum rill_status rill_action_quadrature_parse(const char *text, struct rill_action_quadrature *quadrature,
                                              struct rill_error *error);

/* Writes the quadrature's name in the form that rill_quadrature_parse reads. */
enum { RILL_ACTION_TEXT = 24 };
void rill_action_quadrature_format(const struct rill_action_quadrature *quadrature, char text[RILL_ACTION_TEXT]);

/* The order of a quadrature with nodes: 2n for Gauss, 2n - 2 for Lobatto, 4 for Euler-Maclaurin. */
int rill_action_quadrature_order(const struct rill_action_quadrature *quadrature);

/* Why there is no such rule; NULL when it exists. */
const char *rill_action_quadrature_refusal(const struct rill_action_quadrature *quadrature);

/* Nodes and weights; for Euler-Maclaurin the two ends, with weights 1/2. */
enum rill_status rill_action_rule_set(const struct rill_action_quadrature *quadrature, struct rill_quadrature *rule,
                                      struct rill_error *error);

#endif

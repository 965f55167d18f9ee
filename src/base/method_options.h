/* Options of methods, as a deck gives them and a method reads them. */
#ifndef RILL_BASE_METHOD_OPTIONS_H
#define RILL_BASE_METHOD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/choices.h"

/* The options that a method reads; the keys of [integrator] for these options refer to them (deck/schema.c). */
enum rill_method_reads {
  RILL_READS_BETA = 1,
  RILL_READS_HESSIAN = 2,
  RILL_READS_NEWTON_START = 4,
  RILL_READS_SOLVER = 8, /* nonlinear, tolerance, max_iterations */
  RILL_READS_DEGREE = 16,
  RILL_READS_QUADRATURE = 32,
  RILL_READS_BASE = 64,
  RILL_READS_ROTATION = 256, /* rotation, compensated */
  RILL_READS_SUBSTEPS = 512
};

/* The quadrature of the action in a Galerkin or shooting method; nodes 0: chosen to match the method. */
enum rill_action_rule { RILL_ACTION_AUTO, RILL_ACTION_GAUSS, RILL_ACTION_LOBATTO, RILL_ACTION_EULER_MACLAURIN };
struct rill_action_quadrature {
  enum rill_action_rule rule;
  unsigned nodes;
};

/* Options that only some methods read.  To add one: a field and, unless it goes with another, a bit here; its key in
 * the table of deck/schema.c; the method that reads it. */
struct rill_method_options {
  double beta;                         /* Newmark's parameter of the implicit filters and methods */
  enum rill_newton_start newton_start; /* one-step Newmark; no default */
  enum rill_hessian_part hessian;      /* of the simplified filters: STIFF or GAUSS_NEWTON */
  double tolerance; /* of nonlinear solves: largest change of the unknowns, relative to their size */
  enum rill_nonlinear_kind nonlinear; /* of large systems */
  uint64_t max_iterations;            /* 0: 50 */
  enum rill_rotation_map rotation;
  bool compensated; /* summation of the increments of a rotation matrix */
  uint64_t degree;  /* of the curves of Galerkin methods; 0: 2 */
  struct rill_action_quadrature quadrature;
  enum rill_shooting_base base;
  uint64_t substeps;            /* of a nested splitting; 0: 1 */
  enum rill_forced_form forces; /* how other forces act */
  const void *own;              /* passed to the create function of an unregistered method; otherwise NULL */
};

#endif

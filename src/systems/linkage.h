/* Linkages: point masses in two or three dimensions under uniform gravity, joined to each other and to the origin by
 * bars.
 *
 * A bar of length L between particles i and j defines g = |r_i - r_j|^2 - L^2; all of a linkage's bars are either
 * constraints g = 0, or penalties (w^2 / 2) sum g^2 with one stiffness w (Tao & Owhadi 2016, section 2; reference
 * 1.2). Gravity acts along the last axis, downward: V = gravity sum m_i y_i, the printed sign, V = -g y_1 - g y_2, is
 * a misprint. Bars may bend against each other with a potential. Units are the caller's. */
#ifndef RILL_SYSTEMS_LINKAGE_H
#define RILL_SYSTEMS_LINKAGE_H

#include <stdbool.h>

#include "mech/system.h"
#include "systems/bend.h"

enum { RILL_LINKAGE_ORIGIN = -1 };

struct rill_bar {
  int i, j; /* particles; j may be RILL_LINKAGE_ORIGIN */
  double length;
};

struct rill_linkage {
  const char *name, *summary;
  size_t dimension; /* 2 or 3 */
  size_t particles;
  const double *mass; /* [particles] */
  double gravity;
  size_t bar_count;
  const struct rill_bar *bars;
  size_t bend_count;
  const struct rill_bend *bends;
  bool penalised;
  double stiffness;    /* w */
  const double *q, *v; /* [particles][dimension] */
};

/* Everything is copied. */
enum rill_status rill_linkage_create(const struct rill_linkage *linkage, struct rill_system *system,
                                     struct rill_error *error);

#endif

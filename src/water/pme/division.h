/* How a mesh is divided among ranks. */
#ifndef RILL_WATER_PME_DIVISION_H
#define RILL_WATER_PME_DIVISION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ranks.h"
#include "parallel/bricks.h"

/* A mesh over ranks, each of which holds a part of it.  Ranks have molecules of their own: those in their bricks of
 * the box, and at most `margin` beyond, with all atoms.  All ranks make all calls on the mesh together; those that
 * send are create, begin (from the thread that called it), evaluate and, for energies, energies. */
struct rill_pme_division {
  struct rill_ranks *ranks;         /* kept, not owned */
  const struct rill_bricks *bricks; /* as many as ranks; copied */
  double margin;                    /* nm */
  size_t molecules;                 /* of all ranks */
  int mesh_ranks;                   /* that have planes and rows, evenly taken from all; 0: all ranks */
  bool apart;                       /* for tests: rows a plane apart, also where close ones give the same bytes */
};

#endif

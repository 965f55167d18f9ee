/* Ranks that share a box of water, visited one at a time in one process (bench/ranks.c).
 *
 * A visitor is one of P ranks.  Where it would receive a message about pairs, it is given what the other rank would
 * have sent: molecules of its halo, found from the positions of all, and their records; forces that would come back
 * are given as zeros.  What this rank computes and sends is what it would compute and send among P ranks; only the
 * forces of molecules at its lower faces, and the mesh, lack the others' part. */
#ifndef RILL_BENCH_WALK_H
#define RILL_BENCH_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ranks.h"
#include "parallel/bricks.h"

struct walk_box {
  size_t molecules, stride;
  double edge[3]; /* nm; rectangular */
  double *q;      /* [9][stride] nm, as in water/forces/forces.h */
  int32_t *at[3]; /* [molecules]: oxygens, in quanta */
  /* Of the present division: */
  struct rill_bricks bricks;
  int ranks;
  size_t *start;   /* [ranks + 1]: where those of a rank begin in the next */
  uint32_t *order; /* [molecules], by rank */
};

/* Copies of a tile, a cube, along each axis; tile: [molecules][9] nm.  Release by walk_box_release in any case. */
enum rill_status walk_box_fill(struct walk_box *box, const double *tile, size_t molecules, double edge,
                               const size_t copies[3], struct rill_error *error);
/* Deals the molecules out. */
enum rill_status walk_box_divide(struct walk_box *box, const struct rill_bricks *bricks, struct rill_error *error);
void walk_box_release(struct walk_box *box);

struct walk_visitor {
  struct rill_ranks ranks; /* to be passed on; the first member */
  const struct walk_box *box;
  size_t own, stride;
  double *q;           /* [9][stride]: of this rank's molecules */
  size_t first[4];     /* guests that come along an axis begin here */
  uint32_t *guest;     /* [first[3]]: molecules of the box */
  unsigned char *zone; /* [first[3]] */
  int axes, axis[3];   /* that are divided */
  size_t calls;        /* of exchange */
};

/* reach: of lists, nm, as rill_periodic_reach.  everywhere: guests seem to be this rank's own, so that pairs among
 * them are computed on several ranks: a fault, to be noticed.  Release by walk_leave in any case. */
enum rill_status walk_enter(struct walk_visitor *visitor, const struct walk_box *box, int rank, double reach,
                            bool everywhere, struct rill_error *error);
void walk_leave(struct walk_visitor *visitor);

/* Molecules in the halo of a rank. */
size_t walk_count_halo(const struct walk_box *box, int rank, double reach);

#endif

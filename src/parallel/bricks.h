/* The division of a closed box among ranks: bricks of equal edges, in integers, so that it depends on no rounding.
 *
 * Along an axis with P bricks the faces are at the quanta k 2^32 / P of the wrapped coordinates
 * (water/neighbours/neighbours.h), 0 being the box's corner, k = 0 ... P-1.  The owner of a molecule is the rank of
 * the brick that holds its oxygen.
 *
 * Pairs are those of the eighth shell (Bowers, Dror, Shaw, J. Comput. Phys. 221, 303 (2007)): a rank imports the
 * molecules within reach beyond the upper faces of its brick.  The zone of a molecule has one bit for each axis along
 * which it came from the upper neighbour; a pair is computed by the rank where (zone_i & zone_j) == 0, which is
 * exactly one if an edge is at least the reach, and at least twice the reach along an axis with two bricks. */
#ifndef RILL_PARALLEL_BRICKS_H
#define RILL_PARALLEL_BRICKS_H

#include <stdbool.h>
#include <stdint.h>

struct rill_bricks {
  int count[3]; /* along a, b, c; rank = (x count[1] + y) count[2] + z */
};

/* The division into `ranks` bricks with the least surface for this reach, nm; of several, that with most bricks along
 * a, then b: planes of the mesh are then nearer to those who need them (water/pme/slabs.h).  False if no division has
 * edges that are long enough (see above); *most is then the largest smaller number of ranks that has one. */
bool rill_bricks_divide(const double edge[3], double reach, int ranks, struct rill_bricks *bricks, int *most);

/* Whether all edges are long enough. */
bool rill_bricks_fit(const struct rill_bricks *bricks, const double edge[3], double reach);

/* The place of a rank's brick along each axis, and the rank at a place, which may be beyond either end by less than
 * the count. */
void rill_bricks_place(const struct rill_bricks *bricks, int rank, int place[3]);
int rill_bricks_rank(const struct rill_bricks *bricks, const int place[3]);

/* The lower face of brick k, in quanta; that of brick `count` is 2^32. */
static inline uint64_t rill_bricks_face(int count, int k) { return ((uint64_t)k << 32) / (uint64_t)count; }

/* The brick along an axis that holds a wrapped coordinate. */
static inline int rill_bricks_holder(int count, uint32_t quanta) {
  int k = (int)(((uint64_t)quanta * (uint64_t)count) >> 32);
  if (k + 1 < count && quanta >= rill_bricks_face(count, k + 1)) k++;
  return k;
}

#endif

/* The halo of a brick: molecules of other ranks within reach beyond its upper faces, axis by axis, so that each rank
 * exchanges with six neighbours (parallel/bricks.h).  Records of pairs go down, forces come back up.
 *
 * Molecules are numbered as in the lists of a brick: this rank's own, then those of the halo.  What is sent along an
 * axis includes what was received along the axes before it. */
#ifndef RILL_WATER_DOMAIN_HALO_H
#define RILL_WATER_DOMAIN_HALO_H

#include "base/ranks.h"
#include "parallel/bricks.h"
#include "water/neighbours/neighbours.h"

/* Exchanged by this rank since creation. */
struct rill_halo_counts {
  uint64_t messages, bytes;
};

struct rill_halo {
  struct rill_ranks *ranks; /* borrowed */
  struct rill_bricks bricks;
  int place[3], lower[3], upper[3]; /* of this rank's brick; ranks next to it */
  size_t own, molecules;            /* of this rank; with those of the halo */
  size_t first[3];                  /* those that came along an axis begin here */
  uint32_t *sent[3];                /* molecules sent along an axis: [sent_count] */
  size_t sent_count[3], sent_room[3];
  unsigned char *zones; /* [molecules - own] */
  size_t zones_room;
  unsigned char *out, *in; /* messages */
  size_t out_room, in_room;
  struct rill_halo_counts counts;
};

void rill_halo_create(struct rill_halo *halo, struct rill_ranks *ranks, const struct rill_bricks *bricks);

/* Finds which of this rank's molecules, n->at[0 ... own - 1], are in the halos of others; receives this rank's, and
 * adds them to n->at.  All ranks return the same status. */
enum rill_status rill_halo_find(struct rill_halo *halo, struct rill_neighbours *n, size_t own,
                                struct rill_error *error);

/* Sends and receives records, `bytes` long, by slots, and sets n->at of the halo from them. */
enum rill_status rill_halo_send_records(struct rill_halo *halo, struct rill_neighbours *n, char *records,
                                        size_t bytes, struct rill_error *error);

/* Sends back the forces on the halo, summed over `parts` arrays by slots, which become zero; adds those that come to
 * the first array. */
enum rill_status rill_halo_return_forces(struct rill_halo *halo, const struct rill_neighbours *n, void *const *forces,
                                         size_t parts, size_t bytes, struct rill_error *error);

void rill_halo_destroy(struct rill_halo *halo);

#endif

/* Neighbour search: wrapping, periodic images, cells, and buffered pair lists.
 *
 * Positions become 32-bit integers, counted in quanta.  Differences of integers are exact: what the kernels compute
 * for a pair does not depend on which image or which of the two was listed, nor on when lists were built.  Forces are
 * therefore a function of the positions alone, and a resumed run has the same bytes although its lists are rebuilt.
 *
 * A closed box, which is rectangular, has 2^32 quanta along each axis: differences wrap to those of the nearest
 * images by themselves.  A box that is skew, or so small that the radius reaches a second image, has quanta of a
 * power of two and lattice vectors counted in them, by which molecules are wrapped and images shifted.
 *
 * Slots: molecules 0 ... N-1 sorted into columns along z; then, unless the box is closed, their images within reach
 * of the box (half of them: if an image is shifted by S, none is by -S, since the pair i, j + S is the pair j, i -
 * S); then one dummy that pads the lists, and has no position.
 *
 * An open cluster has no images and no box; its coordinates are relative to the origin.  Molecules with any
 * coordinate larger than `inside` are outsiders: they are on no list, and the user of the lists handles them.
 *
 * Lists hold, for each molecule, slots in groups of RILL_GROUP.  The outer list is built from cells; the inner one is
 * pruned from it, with a smaller buffer, more often.  A pair within the radius is on a list as long as no two oxygens
 * together have moved by more than its buffer since it was built, and is on the inner list only if it was on the
 * outer one: every update compares the positions with those of both.
 *
 * Where ranks share a closed box, each has the lists of its brick (parallel/bricks.h): `molecules` are its own and
 * then those of the halo, beyond its upper faces.  A pair that another rank has on its lists is not on these: of a
 * pair that is, no bit of the two zones is the same.  Positions are given in quanta; only their changes since the
 * lists were made are measured, which are short.
 *
 * When the cell is rescaled, so are the positions that the lists were made at, in which molecules that are not on a
 * list are further apart than its reach; a factor below 1 takes its part of the reach from the buffer. */
#ifndef RILL_WATER_NEIGHBOURS_NEIGHBOURS_H
#define RILL_WATER_NEIGHBOURS_NEIGHBOURS_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/exact_sum.h"
#include "base/status.h"
#include "base/team.h"
#include "water/cell.h"

/* The quanta, and hence the forces, are those of the largest buffer, whatever the buffer is; nm. */
static const double rill_largest_buffer = 0.25;

enum { RILL_GROUP = 8, RILL_CHUNK = 32 };

/* Molecules sorted by cell: the molecules of a cell are contiguous, and so are the cells of a column. */
struct rill_cells {
  int closed[3];             /* along an axis of a closed box: its last cell is beside the first */
  double origin[3], size[3]; /* nm */
  size_t count[3];
  size_t strip;    /* columns, adjacent along y, that are numbered together, so that near ones are in the cache */
  uint32_t *start; /* first slot of each cell, and the end of the last */
  size_t capacity;
};

/* Columns are numbered strip by strip, along x in each. */
static inline size_t rill_column(const struct rill_cells *cells, size_t x, size_t y) {
  const size_t first = y - y % cells->strip, rest = cells->count[1] - first;
  return first * cells->count[0] + x * (rest < cells->strip ? rest : cells->strip) + (y - first);
}

/* nm: along each axis. */
struct rill_extent {
  double low[3], high[3];
};

struct rill_neighbours {
  const struct rill_cell *cell; /* borrowed; all zero for an open cluster */
  int open, closed;
  double inside;          /* nm */
  unsigned char *outside; /* [molecules] of an open cluster: whether each is outside */
  size_t outsiders;       /* number of outsiders */
  size_t molecules, stride;
  double radius, buffer, inner_buffer; /* of oxygens; lists reach radius + buffer */
  double near;                         /* what is nearer when inner lists are made comes first in them */
  double slack;                        /* nm, added to every reach for rounding */
  double quanta[3], quantum[3];        /* per nm; nm: along each axis */
  int32_t lattice[3][3];               /* quanta, modulo 2^32 */

  size_t images, capacity; /* current images; slots allocated */
  uint32_t *slot_of;       /* [molecules] */
  int32_t *whole;          /* [molecules][3]: lattice vectors that wrapping subtracts */
  int32_t *base;           /* [molecules][3]: position minus this, in quanta, is that of the slot (modulo 2^32) */
  uint32_t *image_start;   /* [molecules + 1]: where a molecule's images begin in the next three */
  uint32_t *image_slot;    /* [images] */
  int32_t *image_step;     /* [images][4]: lattice vectors from the molecule to its image; the last is 0 */
  int32_t *image_shift;    /* [images][4]: the same in quanta */
  int32_t *oxygen[3];      /* [capacity + RILL_GROUP] positions of slots when a list was last built */
  struct rill_cells cells, image_cells;
  size_t lead; /* slots to the furthest column ahead that a molecule interacts with */

  double *built, *pruned; /* [3][stride] oxygens when the lists were built, where the cell's scaling has moved them */
  double scale_built[3], scale_pruned[3]; /* of the cell's edges since then */
  int fresh;                              /* lists exist */
  double used;                            /* nm, of the outer lists' buffer, when the inner ones were pruned */
  size_t chunks, room;                    /* of the lists: slots allocated for each chunk of molecules */
  uint32_t *outer, *inner;                /* [chunks][room] */
  uint32_t *first;                        /* [molecules], by slot: where its list begins, in both */
  uint32_t *outer_groups, *inner_groups;  /* of RILL_GROUP */
  uint32_t *turn;                         /* [molecules] the slots of each chunk, longest inner lists first */

  /* Of a brick; NULL or 0 otherwise. */
  int inner_fresh;                /* the inner lists were pruned since the outer ones were built */
  int brick, bricks[3], place[3]; /* bricks along each axis; the place of this one */
  size_t own, allocated;          /* molecules of this rank; molecules for which arrays are allocated */
  int32_t middle[3];              /* of the brick and its halo, quanta */
  struct rill_extent extent;      /* of both, nm from the middle */
  int32_t *at[3];                 /* [molecules] present positions of oxygens, which the user sets */
  int32_t *at_built[3], *at_pruned[3];
  unsigned char *zone; /* [capacity + RILL_GROUP] by slot */

  const struct rill_list_kernel *kernel;
  struct rill_team *team; /* not owned */
  uint64_t builds, prunes;
};

struct rill_list_kernel {
  /* Builds the lists of the molecules at slots first ... last-1 in outer; returns how many slots they need: if that
   * exceeds room, they are truncated. */
  size_t (*search)(const struct rill_neighbours *n, size_t first, size_t last, double reach, uint32_t *list,
                   size_t room);
  /* Prunes the outer lists of these slots to inner ones, near molecules first, and finds their order, turn. */
  void (*prune)(const struct rill_neighbours *n, size_t first, size_t last, double reach, const uint32_t *outer,
                uint32_t *inner);
};
extern const struct rill_list_kernel rill_lists_portable, rill_lists_neon, rill_lists_avx2;

/* cell NULL: an open cluster; it is kept, not owned; a radius beyond its inside is refused.  Buffers, nm: 0 means
 * chosen here; more than 0.25 is refused.  near is the radius until it is set.  The team is kept, not owned. */
enum rill_status rill_neighbours_create(struct rill_neighbours *n, const struct rill_cell *cell, size_t molecules,
                                        size_t stride, double radius, double buffer, double inner_buffer,
                                        enum rill_isa isa, struct rill_team *team, struct rill_error *error);

/* Makes the lists valid for positions q [9][stride]; RILL_ERROR_NOT_FINITE if a position is not finite. */
enum rill_status rill_neighbours_update(struct rill_neighbours *n, const double *q, struct rill_error *error);

/* ---- a brick of a closed box ---- */

/* Turns new lists into those of a brick; count: bricks along each axis; place: of this one. */
void rill_neighbours_become_brick(struct rill_neighbours *n, const int count[3], const int place[3]);

/* Makes room for so many molecules, own and of the halo; keeps the positions `at` of the first `kept`, but no lists
 * when they did not have that room. */
enum rill_status rill_neighbours_extend(struct rill_neighbours *n, size_t kept, size_t molecules,
                                        struct rill_error *error);

/* Sets `at` of this rank's molecules; RILL_ERROR_NOT_FINITE if a position is not finite. */
enum rill_status rill_neighbours_quantise(struct rill_neighbours *n, size_t own, size_t stride, const double *q,
                                          struct rill_error *error);

/* Builds lists for own + halo molecules at `at`; zones: [halo]. */
enum rill_status rill_neighbours_build_brick(struct rill_neighbours *n, size_t own, size_t halo,
                                             const unsigned char *zones, struct rill_error *error);

/* The largest displacement of a molecule of this rank since lists were built, nm; infinite if there are none. */
double rill_neighbours_moved(const struct rill_neighbours *n);
/* The displacement up to which they hold all pairs. */
double rill_neighbours_limit(const struct rill_neighbours *n);
/* How far lists that are built now would reach, nm. */
double rill_neighbours_reach(const struct rill_neighbours *n);

/* Prunes the inner lists if that is due: molecules of the halo have moved as well. */
void rill_neighbours_prune_brick(struct rill_neighbours *n);

/* ---- */

/* To be called when the cell has changed, with the ratios of its new diagonal to the old one.  Molecules need not
 * have moved with it. */
void rill_neighbours_rescale(struct rill_neighbours *n, const double scale[3]);

size_t rill_neighbours_bytes(const struct rill_neighbours *n);

void rill_neighbours_destroy(struct rill_neighbours *n);

/* Quanta of a coordinate, modulo 2^32, rounded to nearest. */
static inline int32_t rill_quantise(double x, double quanta) {
  return (int32_t)(uint32_t)rill_whole_units(x * quanta);
}

static inline int32_t rill_wrapping_sum(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline int32_t rill_wrapping_difference(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }

static inline size_t rill_slots(const struct rill_neighbours *n) { return n->molecules + n->images + 1; }

#endif

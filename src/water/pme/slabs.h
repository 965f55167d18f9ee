/* A mesh that is divided among ranks; private to src/water/pme/.
 *
 * A rank holds two parts of the mesh.  Its region is what the splines of its molecules touch: the points of its brick
 * of the box (parallel/bricks.h) and a margin about it; regions overlap.  Its slab is some of the planes of its
 * brick; between the passes over planes and back it holds pairs of rows y and -y of all planes, as the influence
 * function needs them.  (Those that transform have as many planes, and pairs, or one less; others, and ranks beyond
 * their number, have none.  Where not all ranks transform, a slab may be of planes of other bricks.)
 *
 *   spread into regions -> remap: integers are added into slabs -> fold, transform planes -> transposition
 *   -> lines along a, influence function, and back -> transposition -> planes back -> remap to regions -> gather
 *
 * Where a layer of bricks along a has one rank alone, its region has whole planes, and its slab is some of them:
 * these are not copied.
 *
 * The passes are those of a mesh that is not divided, plane by plane and pair by pair, with plans of the same
 * lengths, strides and alignment, and the sums of integers do not depend on their order: potentials are the same
 * bytes for any number of ranks.  In the lines along a alone, the strides differ: a row that came from many ranks
 * lies close together.  rill_fourier_close tests whether such a plan gives the same bytes; if not, rows are laid out
 * a plane apart.
 *
 * Functions with a plane or a row may be called by several threads, each with others; those that send, by one. */
#ifndef RILL_WATER_PME_SLABS_H
#define RILL_WATER_PME_SLABS_H

#include <stdbool.h>

#include "base/cpu.h"
#include "water/pme/counts.h"
#include "water/pme/division.h"
#include "water/pme/mesh.h"

/* What a rank's molecules touch. */
struct rill_region {
  size_t first[2], count[2];  /* planes and rows, from `first` on, around the box */
  size_t pieces, piece[2][2]; /* points [begin, end) of each row; the halo beyond the grid counts on */
  size_t row;                 /* points in all pieces */
};

/* Parts of a transposition, one for each rank, in order of ranks. */
struct rill_parts {
  char *bytes;
  size_t room;
  size_t *length, *place; /* [ranks] */
};

struct rill_slabs {
  struct rill_ranks *ranks; /* not owned */
  struct rill_bricks bricks;
  double margin; /* nm */
  size_t grid[3], order;
  size_t real_bytes, row_length, plane_length; /* of the slab, as of a whole mesh; in reals */
  size_t *first_plane, *first_pair;            /* [ranks + 1] */
  size_t *plane_at, *home;                     /* [grid0] the planes, rank by rank from first_plane on; inverse */
  size_t plane, planes, pair, pairs;           /* this rank's: the first in plane_at, or pair; how many */
  struct rill_region *regions;                 /* [ranks] */
  const struct rill_region *own;
  uint8_t *within[3];               /* [grid + 1]: whether splines from a point stay in the region */
  struct rill_parts region, slab;   /* what leaves a region and enters slabs, and back: planes of a region */
  bool merged;                      /* the slab is part of the region */
  size_t *region_before;            /* [grid0] planes in `region` before this one of the mesh */
  size_t *slab_before;              /* [ranks][planes] planes in a rank's part of `slab` before this one */
  size_t *dealt;                    /* [ranks] planes of each, while they are dealt */
  struct rill_parts by_plane, rows; /* what leaves a slab and becomes rows, and back */
  uint64_t *words;                  /* [rill_slabs_words] */
  struct rill_pme_traffic traffic[RILL_PME_TRAFFICS];
  struct rill_error error; /* of the first failure; then nothing is sent any more */
};

/* Called by all ranks when each has made its part, with its status: all return RILL_OK, or a failure, which the error
 * explains.  plans: fingerprint (fourier.h).  What must be the same on all is compared. */
enum rill_status rill_slabs_agree(const struct rill_pme_division *division,
                                  const struct rill_pme_parameters *parameters, const double box[3][3],
                                  enum rill_isa isa, uint64_t plans, enum rill_status status,
                                  struct rill_error *error);

/* All but the regions, for a mesh with this grid, order and row length; call destroy in any case. */
enum rill_status rill_slabs_create(const struct rill_pme_division *division, const size_t grid[3], int order,
                                   size_t real_bytes, struct rill_slabs **slabs, struct rill_error *error);

/* Finds the regions in a rectangular box, and makes room for messages.  row_length, plane_length: of the slab. */
enum rill_status rill_slabs_set_box(struct rill_slabs *slabs, const struct rill_lattice *lattice, size_t row_length,
                                    size_t plane_length, struct rill_error *error);

/* The plane of the region, and the row, that holds a plane or row of the mesh; SIZE_MAX: none. */
size_t rill_slabs_region_plane(const struct rill_slabs *slabs, size_t plane);
size_t rill_slabs_region_row(const struct rill_slabs *slabs, size_t row);

/* The plane of the region that is the first of the slab, if they are merged. */
size_t rill_slabs_merged_at(const struct rill_slabs *slabs);

/* Of a plane of the region: puts its charges where they are sent from; takes its potential from where it was
 * received, or from the slab. */
void rill_slabs_give_charges(struct rill_slabs *slabs, const struct rill_mesh *region, size_t plane);
void rill_slabs_take_potential(struct rill_slabs *slabs, const struct rill_mesh *region, const struct rill_mesh *slab,
                               size_t plane);

/* Of a plane of the slab: the same in the other direction.  Charges of all ranks are added up. */
void rill_slabs_take_charges(struct rill_slabs *slabs, const struct rill_mesh *region, const struct rill_mesh *slab,
                             size_t plane);
void rill_slabs_give_potential(struct rill_slabs *slabs, const struct rill_mesh *slab, size_t plane);

/* Of a plane of the slab: the rows that other ranks need, and those that come back from them. */
void rill_slabs_give_rows(struct rill_slabs *slabs, const struct rill_mesh *slab, size_t plane);
void rill_slabs_take_rows(struct rill_slabs *slabs, const struct rill_mesh *slab, size_t plane);

/* Row y of all planes, to an array with these bytes from plane to plane, and back. */
void rill_slabs_take_line(const struct rill_slabs *slabs, const struct rill_mesh *slab, size_t y, char *to,
                          size_t apart);
void rill_slabs_give_line(struct rill_slabs *slabs, const struct rill_mesh *slab, size_t y, const char *from,
                          size_t apart);

/* The messages of an evaluation, in this order. */
enum rill_slabs_message {
  RILL_SLABS_NOTHING,
  RILL_SLABS_CHARGES,
  RILL_SLABS_ROWS,
  RILL_SLABS_ROWS_BACK,
  RILL_SLABS_POTENTIAL
};
/* Sends and receives; or begins to, whereupon `arrived` is to be called until it is true.  After a failure, which is
 * kept, the first two return false, and the last true. */
bool rill_slabs_send(struct rill_slabs *slabs, enum rill_slabs_message message);
bool rill_slabs_begin(struct rill_slabs *slabs, enum rill_slabs_message message);
bool rill_slabs_arrived(struct rill_slabs *slabs);

/* Adds up over all ranks, into all_waves and all: the sums over waves, [grid1], which are 0 in the rows of other
 * ranks, and those of gathering.  False after a failure, which is kept. */
struct rill_slabs_sums {
  double excluded, virial[3][3], inner[3][3]; /* kJ/mol */
};
bool rill_slabs_add_up(struct rill_slabs *slabs, const struct rill_gather_sums *own,
                       const struct rill_wave_sums *waves, struct rill_wave_sums *all_waves,
                       struct rill_slabs_sums *all);

/* Memory that is only an address until it is touched; NULL if there is none. */
void *rill_slabs_reserve(size_t bytes);
void rill_slabs_unreserve(void *memory, size_t bytes);

/* Accepts NULL. */
void rill_slabs_destroy(struct rill_slabs *slabs);

#endif

/* The mesh object, which pme.c makes and evaluate.c works with; private to src/water/pme/. */
#ifndef RILL_WATER_PME_OBJECT_H
#define RILL_WATER_PME_OBJECT_H

#include "base/team.h"
#include "water/pme/counts.h"
#include "water/pme/mesh.h"
#include "water/pme/slabs.h"

struct rill_pme_pass; /* pass.h */

struct rill_pme {
  struct rill_mesh mesh;      /* over ranks of these planes and rows, this rank's: see slabs.h */
  struct rill_mesh region;    /* over ranks */
  struct rill_mesh *near;     /* what molecules are spread into: the region, or the mesh */
  struct rill_slabs *slabs;   /* NULL: alone */
  struct rill_pme_pass *pass; /* over ranks: the evaluation beside other work */
  struct rill_pme_parameters parameters;
  struct rill_team *team; /* not owned */
  size_t parts;           /* of the work, one thread each */
  const struct rill_mesh_kernel *kernel;
  size_t blocks;
  size_t blocks_room, stride_room, region_room; /* what the arrays have room for; region_room: reals */
  bool outside;                                 /* a molecule is outside its region */
  char *apart;                                  /* [parts]: a row of all planes, where close ones give other bytes */
  size_t apart_bytes, close_place;              /* close_place: of such a row, in scratch */
  size_t real_bytes, lines_bytes; /* real_bytes: of a real; lines_bytes: of all lines along a of one b */
  size_t scratch_bytes;
  char *scratch;                    /* [parts]: a plane, or lines of two b and the buffers for mixing them */
  struct rill_wave_sums *wave_sums; /* [grid1], of this rank's rows; then of all ranks' */
  struct rill_gather_sums *sums;    /* [threads] */
  size_t threads;
  double *moduli[3]; /* [grid] each, of the splines along an axis */
  double self;
  double site_weight;       /* 0: the next two are NULL, and the atoms are the charges */
  double *charges, *forces; /* [9][stride]: positions of, and forces on, the charges */
  double seconds[RILL_PME_PHASES];
};

/* A range [first, end). */
struct rill_pme_range {
  size_t first, end;
};

#endif

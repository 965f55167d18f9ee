/* Between the mesh object, its kernels and its transforms; private to src/water/pme/.
 *
 * The real mesh is [grid0][grid1][row_length]: rows along c are continued beyond the grid by a halo, so that a
 * spline's points are one unaligned piece; the other two axes wrap by tables of offsets.  The spectrum is
 * [grid0][grid1][half_length], complex, half of c.  Rows begin on cache lines.  `real` is float or double.
 *
 * Molecules are taken in blocks of RILL_LANES.  In every plane of the mesh charges are added in the order of the
 * molecules, whichever thread owns the plane: so the sums are the same bytes for any number of threads. */
#ifndef RILL_WATER_PME_MESH_H
#define RILL_WATER_PME_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "base/simd/lanes.h"
#include "water/pme/lattice.h"
#include "water/pme/pme.h"

enum { RILL_EXCLUSION_TERMS = 48, RILL_OCCUPANCY_BITS = 64, RILL_EXCLUDED_PAIRS = 3 };

struct rill_mesh {
  size_t molecules, stride;
  struct rill_lattice lattice;
  struct rill_water_model model;
  int order;
  size_t grid[3];
  size_t row_length, plane_length;              /* reals */
  size_t half_length, half_points;              /* complex numbers: in a row of the spectrum, and used */
  size_t *plane_offset, *row_offset;            /* of points 0 ... grid + order along a and b, wrapped */
  void *points;                                 /* real */
  void *spectrum;                               /* complex */
  void *influence;                              /* real [grid1][grid0][half_length] */
  uint64_t *occupancy;                          /* of each block: groups of planes that its splines touch */
  int terms;                                    /* erf(beta r)/r = sum over n of exclusion[n] r^2n */
  double exclusion[RILL_EXCLUSION_TERMS];
};

/* What a piece of the gathering sums up, when wanted. */
struct rill_gather_sums {
  double excluded;
  double virial[3][3];      /* of the excluded pairs, over atoms */
  double inner[3][3];       /* sum over atoms of (r - centre of mass)_i f_j */
};

struct rill_mesh_kernel {
  /* Occupancy of blocks [first, end). */
  void (*survey)(const struct rill_mesh *mesh, const double *q, size_t first, size_t end);
  /* Clears planes [first, end), spreads into them, folds their halo; all: they are all planes, occupancy unused. */
  void (*spread)(const struct rill_mesh *mesh, const double *q, size_t first, size_t end, int all);
  /* Continues the rows of a plane into the halo. */
  void (*continue_rows)(const struct rill_mesh *mesh, size_t plane);
  /* work [grid0][half_length], complex, of row y of the spectrum: times the influence function. */
  void (*solve)(const struct rill_mesh *mesh, size_t y, void *work);
  /* The same sums before that: reciprocal energy and virial of row y. */
  void (*weigh)(const struct rill_mesh *mesh, size_t y, const void *work, double beta, double *energy,
                double virial[3][3]);
  /* Forces of blocks [first, end) are added to f; sums may be NULL. */
  void (*gather)(const struct rill_mesh *mesh, const double *q, double *f, size_t first, size_t end,
                 struct rill_gather_sums *sums);
};

extern const struct rill_mesh_kernel rill_mesh_portable_double, rill_mesh_portable_single, rill_mesh_avx2_double,
    rill_mesh_avx2_single, rill_mesh_avx512_double, rill_mesh_avx512_single;

/* Transforms as passes of one-dimensional ones, by estimated plans: the same bits in every run, and for any number of
 * threads.  scratch: complex, [max(grid0, grid1)][half_length], one a thread. */
struct rill_transform_plans { void *c_forward, *b_forward, *a_forward, *a_backward, *b_backward, *c_backward; };

struct rill_transform_kernel {
  size_t real_size;
  /* False when FFTW makes no plan. */
  int (*plan)(const struct rill_mesh *mesh, void *scratch, struct rill_transform_plans *plans);
  void (*plane_forward)(const struct rill_mesh *mesh, const struct rill_transform_plans *plans, size_t x,
                        void *scratch);
  /* Row y of the spectrum, all of a, to scratch, and back. */
  void (*row_forward)(const struct rill_mesh *mesh, const struct rill_transform_plans *plans, size_t y, void *scratch);
  void (*row_backward)(const struct rill_mesh *mesh, const struct rill_transform_plans *plans, size_t y,
                       void *scratch);
  void (*plane_backward)(const struct rill_mesh *mesh, const struct rill_transform_plans *plans, size_t x,
                         void *scratch);
  void (*destroy)(struct rill_transform_plans *plans);
};

extern const struct rill_transform_kernel rill_transform_double, rill_transform_single;

#endif

/* Between the mesh object and its kernels; private to src/water/pme/.
 *
 * The real mesh is [grid0][grid1][row_length]: rows along c are continued beyond the grid by a halo, so that a
 * spline's points are one unaligned piece; the other two axes wrap by tables of offsets.  `real` is float or double.
 *
 * The spectrum is [waves][lines][2][line_length]: half of a, without the wave of half the grid, which the influence
 * function leaves out; b, padded; real and imaginary parts; c, padded.  The transform along a is one of real numbers
 * with lanes along c, that along b has its lanes along c as well, and for that along c, which the influence function
 * follows at once, lanes are turned to b: the only time that numbers change lanes.
 *
 * Molecules are taken in blocks of RILL_LANES.  In every plane of the mesh charges are added in the order of the
 * molecules, whichever thread owns the plane: so the sums are the same bytes for any number of threads. */
#ifndef RILL_WATER_PME_MESH_H
#define RILL_WATER_PME_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "base/simd/lanes.h"
#include "water/pme/fourier.h"
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
  size_t waves, lines, line_length;             /* of the spectrum */
  size_t *plane_offset, *row_offset;            /* of points 0 ... grid + order along a and b, wrapped */
  void *points, *spectrum;                      /* real */
  void *influence;                              /* real [waves][lines / lanes][grid2][lanes], zero beyond grid1 */
  struct rill_fourier along[3];                 /* along a: half the length when that is even */
  void *turns;                                  /* real: cosine and sine, [waves], of exp(-2 pi i k / grid0) */
  double *waves_b, *waves_c;                    /* [lines], [grid2]: signed wave numbers */
  double decay;                                 /* pi2 / beta2 */
  uint64_t *touched;                            /* [grid0 + 1]: groups of planes a spline from there touches */
  uint64_t *occupancy;                          /* of each block: what its splines touch */
  int terms;                                    /* erf(beta r)/r = sum over n of exclusion[n] r^2n */
  double exclusion[RILL_EXCLUSION_TERMS], exclusion_slope[RILL_EXCLUSION_TERMS];   /* slope: n exclusion[n] */
};

/* Sums over waves: energy; virial without the energy's part, xx xy xz yy yz zz. */
struct rill_wave_sums { double energy, tensor[6]; };

/* Planes in groups, a bit each. */
static inline uint64_t rill_plane_group(const struct rill_mesh *mesh, size_t plane) {
  return (uint64_t)1 << (plane % mesh->grid[0] * RILL_OCCUPANCY_BITS / mesh->grid[0]);
}

/* What a piece of the gathering sums up, when wanted. */
struct rill_gather_sums {
  double excluded;
  double virial[3][3];      /* of the excluded pairs, over atoms */
  double inner[3][3];       /* sum over atoms of (r - centre of mass)_i f_j */
};

struct rill_mesh_kernel {
  size_t lanes;
  /* Occupancy of blocks [first, end). */
  void (*survey)(const struct rill_mesh *mesh, const double *q, size_t first, size_t end);
  /* Clears planes [first, end), spreads into them, folds their halo; all: they are all planes, occupancy unused. */
  void (*spread)(const struct rill_mesh *mesh, const double *q, size_t first, size_t end, int all);
  /* Row y of all planes: points to spectrum, along a.  scratch: see RILL_MESH_SCRATCH. */
  void (*rows_forward)(const struct rill_mesh *mesh, size_t y, void *scratch);
  /* Plane h of the spectrum: along b and c, times the influence function, and back; sums may be NULL. */
  void (*solve)(const struct rill_mesh *mesh, size_t h, void *scratch, struct rill_wave_sums *sums);
  /* Row y of all planes: spectrum to points, along a, continued into the halo. */
  void (*rows_backward)(const struct rill_mesh *mesh, size_t y, void *scratch);
  /* Forces of blocks [first, end) are added to f; sums may be NULL. */
  void (*gather)(const struct rill_mesh *mesh, const double *q, double *f, size_t first, size_t end,
                 struct rill_gather_sums *sums);
};

extern const struct rill_mesh_kernel rill_mesh_portable_double, rill_mesh_portable_single, rill_mesh_avx2_double,
    rill_mesh_avx2_single, rill_mesh_avx512_double, rill_mesh_avx512_single;

/* Reals of scratch for transforms of this length, four more being room for whole quads. */
#define RILL_MESH_SCRATCH(length, lanes) (6 * ((length) + 4) * (lanes))

#endif

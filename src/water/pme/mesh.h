/* Between the mesh object and its kernels; private to src/water/pme/.
 *
 * The real mesh is [grid0][plane_length], its planes [grid1][row_length]: rows along c are continued beyond the grid by a halo, so that a
 * spline's points are one unaligned piece; the other two axes wrap by tables of offsets.  `real` is float or double.
 *
 * The spectrum W is that of w = even + i odd points of a row (water/pme/fourier.h).  With h = c/2 and
 * t = exp(-2 pi i l / c), a real mesh has the waves
 *   X(k) = (W(k) + W*(k')) / 2 - i t (W(k) - W*(k')) / 2,   k = (j, k, l), k' = (-j, -k, h - l),
 * and X(j, k, l + h) with the other sign.  To multiply X by an even influence function g is therefore to take
 *   W(k) to alpha(k) W(k) + i gamma(k) W*(k'),
 *   alpha = g + g' - (g - g') sin, gamma = (g - g') cos of 2 pi l / c,   g' = g(j, k, l + h),
 * in which the factor 2 makes the transform of half the length one of the whole.  Waves of half the grid have g = 0.
 * In a rectangular box g is even in j and k each, and one quarter of the rows is kept.
 *
 * Charges are added up as integers, of 32 bits in a mesh of floats and of 64 in one of doubles, and so are energies
 * and virials of molecules: sums do not depend on the order of the molecules, nor on who adds.  So molecules have
 * places, those of neighbours in space near each other: a record at its place, a cache line or two, stands for a
 * molecule in spreading and gathering, which take them in blocks of RILL_LANES. */
#ifndef RILL_WATER_PME_MESH_H
#define RILL_WATER_PME_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "base/simd/lanes.h"
#include "water/pme/fourier.h"
#include "water/pme/lattice.h"
#include "water/pme/parameters.h"

enum { RILL_EXCLUSION_TERMS = 48, RILL_OCCUPANCY_BITS = 64, RILL_EXCLUDED_PAIRS = 3 };

/* Points of a spline's row along c that are worked on: 4 or a multiple of 8. */
#define RILL_MESH_ROW(order) ((order) == 4 ? 4 : ((order) + 7) / 8 * 8)
enum { RILL_MESH_ROW_MAX = RILL_MESH_ROW(RILL_PME_ORDER_MAX) };

struct rill_mesh {
  size_t molecules, stride;
  struct rill_lattice lattice;
  struct rill_water_model model;
  int order;
  size_t grid[3];
  size_t row_length, plane_length;              /* reals, of points */
  size_t half, spectrum_row;                    /* complex numbers: of a row; with padding, in lines and tables */
  size_t *plane_offset, *row_offset;            /* of points 0 ... grid + order along a and b, wrapped */
  int is_large;                                 /* beyond a processor's own cache: points are asked for early */
  double scale;                                 /* of the charges: units an e */
  void *points;                                 /* integers, charges; then reals; then waves in their place */
  void *sum, *difference;                       /* g + g', g - g', real, rows [spectrum_row]: rill_influence_row */
  size_t *influence_a, *influence_b;            /* [grid0], [grid1]: where the rows of x and y begin, as a sum */
  struct rill_fourier fourier;
  double *waves_a, *waves_b, *waves_c;          /* [grid0], [grid1], [spectrum_row]: signed wave numbers */
  double *cosine, *sine;                        /* [spectrum_row], of 2 pi l / c */
  void *cosine_twice, *sine_twice;              /* the same, real [spectrum_row][2] */
  double *share;                                /* [spectrum_row]: 1/8 of a pair of waves, of l = 0 half */
  double decay;                                 /* pi2 / beta2 */
  uint64_t *touched;                            /* [grid0 + 1]: groups of planes a spline from there touches */
  void *records;                                /* [blocks][RILL_LANES]: the kernel's, of molecules by place */
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

/* Where the row (x, y, ...) of sum and difference begins. */
static inline size_t rill_influence_row(const struct rill_mesh *mesh, size_t x, size_t y) {
  return mesh->influence_a[x] + mesh->influence_b[y];
}

/* What the gathering sums up, when wanted: integers, in units of so many kJ/mol, so that no order matters.  (A
 * molecule has some hundred: there is room for 10^7.) */
#define RILL_GATHER_UNIT 0x1p-30
struct rill_gather_sums {
  int64_t excluded;
  int64_t virial[3][3];     /* of the excluded pairs, over atoms */
  int64_t inner[3][3];      /* sum over atoms of (r - centre of mass)_i f_j */
};

struct rill_mesh_kernel {
  size_t record_bytes;
  /* Records of molecules RILL_LANES first ... RILL_LANES end - 1; places as in rill_pme_evaluate. */
  void (*locate)(const struct rill_mesh *mesh, const double *q, const uint32_t *places, size_t first, size_t end);
  /* Occupancy of blocks [first, end). */
  void (*survey)(const struct rill_mesh *mesh, size_t first, size_t end);
  /* Clears planes [first, end) and spreads into them; all: they are all planes, occupancy unused. */
  void (*spread)(const struct rill_mesh *mesh, size_t first, size_t end, int all);
  /* A plane's charges with their halo folded, as reals. */
  void (*fold)(const struct rill_mesh *mesh, size_t plane);
  /* Rows of a plane of the potential are continued into the halo. */
  void (*extend)(const struct rill_mesh *mesh, size_t plane);
  /* Lines along a, complex [grid0][spectrum_row], of row b = y and of row -y (once, where they are one), times the
   * influence function.  scratch: reals [2][2 spectrum_row + 2 RILL_MESH_MARGIN].  sums, [grid1], may be NULL; those
   * of both rows are added. */
  void (*influence)(const struct rill_mesh *mesh, size_t y, void *waves, void *mirror, void *scratch,
                    struct rill_wave_sums *sums);
  /* Slopes of the potential at the atoms of blocks [first, end), into their records. */
  void (*gather)(const struct rill_mesh *mesh, size_t first, size_t end);
  /* Forces of the same molecules as locate's, from their records, and exclusions are added to f; sums, which may be NULL, are
   * added to. */
  void (*finish)(const struct rill_mesh *mesh, const double *q, const uint32_t *places, double *f, size_t first,
                 size_t end, struct rill_gather_sums *sums);
};

extern const struct rill_mesh_kernel rill_mesh_portable_double, rill_mesh_portable_single, rill_mesh_avx2_double,
    rill_mesh_avx2_single, rill_mesh_avx512_double, rill_mesh_avx512_single;

enum { RILL_MESH_MARGIN = 16 };

#endif

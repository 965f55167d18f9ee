/* The interface between the mesh object and its kernels; private to src/water/pme/.
 *
 * The real mesh is [grid0][plane_length], its planes [grid1][row_length]: rows along c are continued beyond the grid
 * by a halo, so that a spline's points are one unaligned piece; the other two axes wrap by tables of offsets.  `real`
 * is float or double.
 *
 * The spectrum W is that of w, whose real parts are the even points of a row and imaginary parts the odd ones
 * (water/pme/fourier.h).  With h = c/2 and t = exp(-2 pi i l / c), a real mesh has the waves
 *   X(k) = (W(k) + W*(k')) / 2 - i t (W(k) - W*(k')) / 2,   k = (j, k, l), k' = (-j, -k, h - l), and X(j, k, l + h)
 *   with the other sign.  To multiply X by an even influence function g is therefore to replace
 *   W(k) by alpha(k) W(k) + i gamma(k) W*(k'),
 *   alpha = g + g' - (g - g') sin, gamma = (g - g') cos of 2 pi l / c,   g' = g(j, k, l + h), in which the factor 2
 *   turns a transform of half the length into one of the whole.  Waves of half the grid have g = 0. In a rectangular
 *   box g is even in both j and k, and one quarter of the rows is stored.
 *
 * Charges are added up as integers, of 32 bits in a mesh of floats and of 64 in one of doubles, and so are energies
 * and virials of molecules: sums depend neither on the order of the molecules nor on which thread adds.  Molecules
 * can therefore be put in spatial order: spreading and gathering use a record for each molecule, a cache line or two,
 * in that order, in blocks of RILL_LANES. */
#ifndef RILL_WATER_PME_MESH_H
#define RILL_WATER_PME_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "base/simd/lanes.h"
#include "water/pme/fourier.h"
#include "water/pme/lattice.h"
#include "water/pme/parameters.h"

enum { RILL_EXCLUSION_TERMS = 48, RILL_OCCUPANCY_BITS = 64, RILL_EXCLUDED_PAIRS = 3 };

/* Points of a spline's row along c that are processed: 4 or a multiple of 8. */
#define RILL_MESH_ROW(order) ((order) == 4 ? 4 : ((order) + 7) / 8 * 8)
enum { RILL_MESH_ROW_MAX = RILL_MESH_ROW(RILL_PME_ORDER_MAX) };

struct rill_mesh {
  size_t molecules, stride;
  struct rill_lattice lattice;
  struct rill_water_model model;
  int order;
  size_t grid[3];
  size_t row_length, plane_length;   /* numbers of reals, of points */
  size_t half, spectrum_row;         /* complex numbers of a row; with padding, in lines and tables */
  size_t *plane_offset, *row_offset; /* of points 0 ... grid + order along a and b, wrapped */
  int is_large;                      /* exceeds a processor's own cache: points are prefetched */
  double scale;                      /* of the charges: units per e */
  void *points;                      /* charges, as integers; then reals; then the waves, in place */
  void *sum, *difference;            /* g + g', g - g', real, rows [spectrum_row]: rill_influence_row */
  size_t *influence_a, *influence_b; /* [grid0], [grid1]: where the rows of x and y begin, as a sum */
  struct rill_fourier fourier;
  double *waves_a, *waves_b, *waves_c; /* [grid0], [grid1], [spectrum_row]: signed wave numbers */
  double *cosine, *sine;               /* [spectrum_row], of 2 pi l / c */
  void *cosine_twice, *sine_twice;     /* the same, real [spectrum_row][2] */
  double *share;                       /* [spectrum_row]: 1/8 of a pair of waves; half of that for l = 0 */
  double decay;                        /* pi2 / beta2 */
  uint64_t *touched;                   /* [grid0 + 1]: groups of planes that a spline from there touches */
  void *records;                       /* [blocks][RILL_LANES]: owned by the kernel, in spatial order */
  uint64_t *occupancy;                 /* of each block: the groups of planes that its splines touch */
  const uint8_t *within[3];            /* [grid + 1]: whether splines from a point are in this part of a mesh */
  int terms;                           /* erf(beta r)/r = sum over n of exclusion[n] r^2n */
  double exclusion[RILL_EXCLUSION_TERMS], exclusion_slope[RILL_EXCLUSION_TERMS]; /* slope: n exclusion[n] */
};

/* Sums over waves: energy, and virial without the energy's part, xx xy xz yy yz zz. */
struct rill_wave_sums {
  double energy, tensor[6];
};

/* Planes are in groups, one bit each. */
static inline uint64_t rill_plane_group(const struct rill_mesh *mesh, size_t plane) {
  return (uint64_t)1 << (plane % mesh->grid[0] * RILL_OCCUPANCY_BITS / mesh->grid[0]);
}

/* Where the row (x, y, ...) of sum and difference begins. */
static inline size_t rill_influence_row(const struct rill_mesh *mesh, size_t x, size_t y) {
  return mesh->influence_a[x] + mesh->influence_b[y];
}

/* Gathering sums up these integers if requested, in this unit, kJ/mol, so that the order does not matter.  (A
 * molecule contributes some 300 kJ/mol: there is room for 2.9e7 molecules, and more are refused.) */
#define RILL_GATHER_UNIT 0x1p-30
struct rill_gather_sums {
  int64_t excluded;
  int64_t virial[3][3]; /* of the excluded pairs, over atoms */
  int64_t inner[3][3];  /* sum over atoms of (r - centre of mass)_i f_j */
};

struct rill_mesh_kernel {
  size_t record_bytes;
  /* Computes records of molecules RILL_LANES first ... RILL_LANES end - 1; places as in rill_pme_evaluate. */
  void (*locate)(const struct rill_mesh *mesh, const double *q, const uint32_t *places, size_t first, size_t end);
  /* Finds the occupancy of blocks [first, end). */
  void (*survey)(const struct rill_mesh *mesh, size_t first, size_t end);
  /* Whether splines of a molecule of these blocks leave this part of a mesh. */
  int (*leave)(const struct rill_mesh *mesh, size_t first, size_t end);
  /* Clears planes [first, end) and spreads into them; all: they are all planes, and occupancy is not used. */
  void (*spread)(const struct rill_mesh *mesh, size_t first, size_t end, int all);
  /* Folds the halo of a plane's charges, and converts them to reals. */
  void (*fold)(const struct rill_mesh *mesh, size_t plane);
  /* Extends the rows of a plane of the potential into the halo. */
  void (*extend)(const struct rill_mesh *mesh, size_t plane);
  /* Multiplies lines along a, complex [grid0][spectrum_row], of row b = y and of row -y (once if they are the same),
   * by the influence function.  scratch: reals [2][2 spectrum_row + 2 RILL_MESH_MARGIN].  sums, [grid1], may be NULL;
   * both rows are added to it. */
  void (*influence)(const struct rill_mesh *mesh, size_t y, void *waves, void *mirror, void *scratch,
                    struct rill_wave_sums *sums);
  /* Computes the slopes of the potential at the atoms of blocks [first, end), into their records. */
  void (*gather)(const struct rill_mesh *mesh, size_t first, size_t end);
  /* Adds forces of the same molecules as in locate, from their records, and exclusions to f; adds to sums, which may
   * be NULL. */
  void (*finish)(const struct rill_mesh *mesh, const double *q, const uint32_t *places, double *f, size_t first,
                 size_t end, struct rill_gather_sums *sums);
};

extern const struct rill_mesh_kernel rill_mesh_portable_double, rill_mesh_neon_double, rill_mesh_portable_single,
    rill_mesh_neon_single, rill_mesh_avx2_double, rill_mesh_avx2_single, rill_mesh_avx512_double,
    rill_mesh_avx512_single;

enum { RILL_MESH_MARGIN = 16 };

#endif

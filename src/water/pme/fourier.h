/* Fourier transforms of the mesh, by FFTW; private to src/water/pme/.
 *
 * A row of c real points is treated as c/2 complex numbers: even points are their real parts, odd points their
 * imaginary parts.  The transform of a real mesh then is a complex one of half the size; waves k and -k are separated
 * in the influence function (mesh_body.h).
 *
 * A pass along one axis transforms many lines at once: a plane (b and c), or the lines along a of one b.  Each is one
 * call of one plan, whichever thread makes it, so that its results are the same bytes for any number of threads.
 * Plans are estimated, never timed: runs are reproducible.  The spectrum overwrites the points, so that a processor
 * loads half of what two arrays would take.  Each pass nevertheless reads one array and writes another, a small
 * scratch array, since estimated in-place plans would copy through buffers.  Lines side by side are read and written
 * a row apart: what does not stay in the caches is best prefetched row by row. */
#ifndef RILL_WATER_PME_FOURIER_H
#define RILL_WATER_PME_FOURIER_H

#include <stddef.h>

/* Lengths in complex numbers; rows begin at multiples of 64 bytes. */
struct rill_fourier_shape {
  size_t grid[3];     /* points; an even number along c */
  size_t row, plane;  /* of the mesh, [a][plane], planes [b][row] */
  size_t scratch_row; /* of scratch: lines [a][scratch_row] or a plane [b][scratch_row] */
};

enum rill_fourier_pass {
  RILL_FOURIER_B,
  RILL_FOURIER_C,
  RILL_FOURIER_A, /* exp(-i k x) */
  RILL_FOURIER_A_BACK,
  RILL_FOURIER_C_BACK,
  RILL_FOURIER_B_BACK, /* exp(+i k x) */
  RILL_FOURIER_PASSES
};

struct rill_fourier {
  int single;
  void *plans[RILL_FOURIER_PASSES];
};

/* Makes plans for arrays of this shape, in float if single; the arrays are not touched.  False if memory is
 * exhausted.  Call destroy in any case. */
int rill_fourier_create(const struct rill_fourier_shape *shape, int single, void *mesh, void *scratch,
                        struct rill_fourier *fourier);

/* Transforms one plane of points to its spectrum, and back, by way of scratch; all of a b's lines along a to `lines`,
 * and back. */
void rill_fourier_plane(const struct rill_fourier *fourier, void *plane, void *scratch);
void rill_fourier_plane_back(const struct rill_fourier *fourier, void *plane, void *scratch);
void rill_fourier_lines(const struct rill_fourier *fourier, void *row, void *lines);
void rill_fourier_lines_back(const struct rill_fourier *fourier, void *lines, void *row);

void rill_fourier_destroy(struct rill_fourier *fourier);

#endif

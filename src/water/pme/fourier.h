/* Fourier transforms of the mesh, by FFTW; private to src/water/pme/.
 *
 * A row of c real points is taken as c/2 complex numbers, even points their real and odd ones their imaginary parts.
 * The transform of a real mesh is then one of complex numbers and half the size; what keeps waves k and -k apart is
 * left to the influence function (mesh_body.h).
 *
 * Passes along one axis take many lines at once: a plane (b and c), or the lines along a of one b.  Each is one call
 * of one plan, whichever thread makes it, so that its results are the same bytes for any number of threads.  Plans are
 * estimated, never timed: runs repeat.  The spectrum takes the place of the points: what a processor has to fetch is
 * half of what two arrays are.  Each pass reads one array and writes another all the same, a small one of scratch,
 * since estimated plans in place would copy through buffers.  Lines side by side are read and written a row apart: what does not stay in the caches is
 * better asked for before, row by row. */
#ifndef RILL_WATER_PME_FOURIER_H
#define RILL_WATER_PME_FOURIER_H

#include <stddef.h>

/* Lengths in complex numbers; rows begin at multiples of 64 bytes. */
struct rill_fourier_shape {
  size_t grid[3];                          /* points; that along c even */
  size_t row, plane;                       /* of the mesh, [a][plane], planes [b][row] */
  size_t scratch_row;                      /* of scratch: lines [a][scratch_row] or a plane [b][scratch_row] */
};

enum rill_fourier_pass {
  RILL_FOURIER_B, RILL_FOURIER_C, RILL_FOURIER_A,                    /* exp(-i k x) */
  RILL_FOURIER_A_BACK, RILL_FOURIER_C_BACK, RILL_FOURIER_B_BACK,     /* exp(+i k x) */
  RILL_FOURIER_PASSES
};

struct rill_fourier {
  int single;
  void *plans[RILL_FOURIER_PASSES];
};

/* Plans for arrays of this shape, in float when single; the arrays are not touched.  False when memory is out.  Destroy
 * in any case. */
int rill_fourier_create(const struct rill_fourier_shape *shape, int single, void *mesh, void *scratch,
                        struct rill_fourier *fourier);

/* One plane of points becomes its spectrum, and back, by way of scratch; all of a b's lines along a to `lines`, and
 * back. */
void rill_fourier_plane(const struct rill_fourier *fourier, void *plane, void *scratch);
void rill_fourier_plane_back(const struct rill_fourier *fourier, void *plane, void *scratch);
void rill_fourier_lines(const struct rill_fourier *fourier, void *row, void *lines);
void rill_fourier_lines_back(const struct rill_fourier *fourier, void *lines, void *row);

void rill_fourier_destroy(struct rill_fourier *fourier);

#endif

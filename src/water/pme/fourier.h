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
#include <stdint.h>

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
  RILL_FOURIER_B_BACK,  /* exp(+i k x) */
  RILL_FOURIER_A_CLOSE, /* NULL unless rill_fourier_close was called */
  RILL_FOURIER_A_CLOSE_BACK,
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

/* Makes plans for lines along a of a row that is not in planes but close together, [a][scratch_row], and compares
 * them with those for planes on one pseudo-random row, there and back.  apart: an array of the size of the mesh, of
 * which one row of each plane is touched; close: such a row; lines: two of lines along a.  The plans are the faster
 * ones of their kind for different strides, so that their results may differ in the last bits. */
enum rill_fourier_equality { RILL_FOURIER_SAME, RILL_FOURIER_DIFFERENT, RILL_FOURIER_NO_MEMORY };
enum rill_fourier_equality rill_fourier_close(const struct rill_fourier_shape *shape, void *apart, void *close,
                                              void *lines, struct rill_fourier *fourier);

/* All of a b's lines along a from a row that lies close together, and back. */
void rill_fourier_close_lines(const struct rill_fourier *fourier, void *close, void *lines);
void rill_fourier_close_lines_back(const struct rill_fourier *fourier, void *lines, void *close);

/* A number that differs where FFTW has another version or plans other algorithms.  0 if memory is exhausted. */
uint64_t rill_fourier_fingerprint(const struct rill_fourier *fourier);

void rill_fourier_destroy(struct rill_fourier *fourier);

#endif

#include "analysis/displacement.h"

#include <math.h>

#include "base/memory.h"

enum rill_status rill_displacement_create(size_t points, struct rill_displacement *d, struct rill_error *error) {
  *d = (struct rill_displacement){.points = points};
  d->wrapped = rill_allocate(3 * points, sizeof *d->wrapped);
  d->sum = rill_allocate(3 * points, sizeof *d->sum);
  if (d->wrapped != NULL && d->sum != NULL) return RILL_OK;
  rill_displacement_release(d);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for displacements of %zu points", points);
}

void rill_displacement_release(struct rill_displacement *d) {
  rill_release(d->wrapped);
  rill_release(d->sum);
  *d = (struct rill_displacement){0};
}

/* The image with coordinates along the box vectors in [0, 1), or in [-1/2, 1/2). */
static void take_image(const double box[3][3], double shift, double x[3]) {
  for (int i = 2; i >= 0; i--) {
    const double images = floor(x[i] / box[i][i] + shift);
    for (int c = 0; c <= i; c++) x[c] -= images * box[i][c];
  }
}

void rill_displacement_add(struct rill_displacement *d, const double *positions, const double box[3][3]) {
  const size_t n = d->points;
  double mean[3] = {0};
  for (size_t i = 0; i < n; i++) {
    double now[3] = {positions[i], positions[n + i], positions[2 * n + i]}, moved[3];
    take_image(box, 0, now);
    for (size_t c = 0; c < 3; c++) {
      moved[c] = d->begun ? now[c] - d->wrapped[c * n + i] : 0;
      d->wrapped[c * n + i] = now[c];
    }
    take_image(box, 0.5, moved);
    for (size_t c = 0; c < 3; c++) {
      d->sum[c * n + i] += moved[c];
      mean[c] += moved[c] / (double)n;
    }
  }
  for (size_t c = 0; c < 3; c++)
    for (size_t i = 0; i < n; i++) d->sum[c * n + i] -= mean[c];
  d->begun = true;
}

void rill_displacement_archive(struct rill_displacement *d, struct rill_archive *archive) {
  rill_archive_switch(archive, "begun", &d->begun);
  rill_archive_reals(archive, "wrapped", d->wrapped, 3 * d->points);
  rill_archive_reals(archive, "displacements", d->sum, 3 * d->points);
}

/* The transforms, for one precision: the including file defines FFTW(name) and `real`. */
#include "water/pme/mesh.h"

#define COMPLEX FFTW(complex)

static COMPLEX *at_spectrum(const struct rill_mesh *mesh, size_t x, size_t y) {
  return (COMPLEX *)mesh->spectrum + (x * mesh->grid[1] + y) * mesh->half_length;
}

static real *at_plane(const struct rill_mesh *mesh, size_t x) { return (real *)mesh->points + x * mesh->plane_length; }

/* All transforms go from one array to another whose rows begin on cache lines, so that one plan serves every plane. */
static int plan(const struct rill_mesh *mesh, void *scratch, struct rill_transform_plans *plans) {
  const int a = (int)mesh->grid[0], b = (int)mesh->grid[1], c = (int)mesh->grid[2];
  const int row = (int)mesh->row_length, half = (int)mesh->half_length, used = (int)mesh->half_points;
  const int plane = b * half;
  COMPLEX *spectrum = mesh->spectrum, *work = scratch;
  /* FFTW's planner is one for the whole process. */
#pragma omp critical(rill_fftw_planner)
  {
    plans->c_forward = FFTW(plan_many_dft_r2c)(1, &c, b, mesh->points, NULL, 1, row, work, NULL, 1, half,
                                               FFTW_ESTIMATE);
    plans->b_forward = FFTW(plan_many_dft)(1, &b, used, work, NULL, half, 1, spectrum, NULL, half, 1, FFTW_FORWARD,
                                           FFTW_ESTIMATE);
    plans->a_forward = FFTW(plan_many_dft)(1, &a, used, spectrum, NULL, plane, 1, work, NULL, half, 1, FFTW_FORWARD,
                                           FFTW_ESTIMATE);
    plans->a_backward = FFTW(plan_many_dft)(1, &a, used, work, NULL, half, 1, spectrum, NULL, plane, 1,
                                            FFTW_BACKWARD, FFTW_ESTIMATE);
    plans->b_backward = FFTW(plan_many_dft)(1, &b, used, spectrum, NULL, half, 1, work, NULL, half, 1, FFTW_BACKWARD,
                                            FFTW_ESTIMATE);
    plans->c_backward = FFTW(plan_many_dft_c2r)(1, &c, b, work, NULL, 1, half, mesh->points, NULL, 1, row,
                                                FFTW_ESTIMATE);
  }
  return plans->c_forward && plans->b_forward && plans->a_forward && plans->a_backward && plans->b_backward &&
         plans->c_backward;
}

static void plane_forward(const struct rill_mesh *mesh, const struct rill_transform_plans *plans, size_t x,
                          void *scratch) {
  FFTW(execute_dft_r2c)(plans->c_forward, at_plane(mesh, x), scratch);
  FFTW(execute_dft)(plans->b_forward, scratch, at_spectrum(mesh, x, 0));
}

static void row_forward(const struct rill_mesh *mesh, const struct rill_transform_plans *plans, size_t y,
                        void *scratch) {
  FFTW(execute_dft)(plans->a_forward, at_spectrum(mesh, 0, y), scratch);
}

static void row_backward(const struct rill_mesh *mesh, const struct rill_transform_plans *plans, size_t y,
                         void *scratch) {
  FFTW(execute_dft)(plans->a_backward, scratch, at_spectrum(mesh, 0, y));
}

static void plane_backward(const struct rill_mesh *mesh, const struct rill_transform_plans *plans, size_t x,
                           void *scratch) {
  FFTW(execute_dft)(plans->b_backward, at_spectrum(mesh, x, 0), scratch);
  FFTW(execute_dft_c2r)(plans->c_backward, scratch, at_plane(mesh, x));
}

static void destroy(struct rill_transform_plans *plans) {
  void *all[] = {plans->c_forward,  plans->b_forward,  plans->a_forward,
                 plans->a_backward, plans->b_backward, plans->c_backward};
#pragma omp critical(rill_fftw_planner)
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (all[k] != NULL) FFTW(destroy_plan)(all[k]);
}

#define RILL_TRANSFORM_KERNEL \
  { sizeof(real), plan, plane_forward, row_forward, row_backward, plane_backward, destroy }

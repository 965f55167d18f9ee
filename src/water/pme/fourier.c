#include "water/pme/fourier.h"

#include <fftw3.h>
#include <pthread.h>
#include <string.h>

/* `many` lines of `length` numbers, with the strides within a line and from line to line. */
struct lines {
  size_t length, many;
  size_t from_stride, from_line, to_stride, to_line;
};

/* FFTW's planner is global to the process: callers hold the lock. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static void *plan(const struct lines *l, int single, void *from, void *to, int sign) {
  if (single) {
    const fftwf_iodim length = {(int)l->length, (int)l->from_stride, (int)l->to_stride};
    const fftwf_iodim many = {(int)l->many, (int)l->from_line, (int)l->to_line};
    return fftwf_plan_guru_dft(1, &length, 1, &many, from, to, sign, FFTW_ESTIMATE);
  }
  {
    const fftw_iodim length = {(int)l->length, (int)l->from_stride, (int)l->to_stride};
    const fftw_iodim many = {(int)l->many, (int)l->from_line, (int)l->to_line};
    return fftw_plan_guru_dft(1, &length, 1, &many, from, to, sign, FFTW_ESTIMATE);
  }
}

int rill_fourier_create(const struct rill_fourier_shape *shape, int single, void *mesh, void *scratch,
                        struct rill_fourier *fourier) {
  const size_t a = shape->grid[0], b = shape->grid[1], c = shape->grid[2] / 2;
  const size_t row = shape->row, plane = shape->plane, line = shape->scratch_row;
  const struct lines along_a = {a, c, plane, 1, line, 1}, along_a_back = {a, c, line, 1, plane, 1};
  const struct lines along_b = {b, c, row, 1, line, 1}, along_b_back = {b, c, line, 1, row, 1};
  const struct lines along_c = {c, b, 1, line, 1, row}, along_c_back = {c, b, 1, row, 1, line};
  int made = 1;
  memset(fourier, 0, sizeof *fourier);
  fourier->single = single;
  pthread_mutex_lock(&planner);
  fourier->plans[RILL_FOURIER_B] = plan(&along_b, single, mesh, scratch, FFTW_FORWARD);
  fourier->plans[RILL_FOURIER_C] = plan(&along_c, single, scratch, mesh, FFTW_FORWARD);
  fourier->plans[RILL_FOURIER_A] = plan(&along_a, single, mesh, scratch, FFTW_FORWARD);
  fourier->plans[RILL_FOURIER_A_BACK] = plan(&along_a_back, single, scratch, mesh, FFTW_BACKWARD);
  fourier->plans[RILL_FOURIER_C_BACK] = plan(&along_c_back, single, mesh, scratch, FFTW_BACKWARD);
  fourier->plans[RILL_FOURIER_B_BACK] = plan(&along_b_back, single, scratch, mesh, FFTW_BACKWARD);
  pthread_mutex_unlock(&planner);
  for (int pass = 0; pass < RILL_FOURIER_PASSES; pass++) made &= fourier->plans[pass] != NULL;
  return made;
}

static void run(const struct rill_fourier *fourier, enum rill_fourier_pass pass, void *from, void *to) {
  if (fourier->single) fftwf_execute_dft(fourier->plans[pass], from, to);
  else fftw_execute_dft(fourier->plans[pass], from, to);
}

void rill_fourier_plane(const struct rill_fourier *fourier, void *plane, void *scratch) {
  run(fourier, RILL_FOURIER_B, plane, scratch);
  run(fourier, RILL_FOURIER_C, scratch, plane);
}

void rill_fourier_plane_back(const struct rill_fourier *fourier, void *plane, void *scratch) {
  run(fourier, RILL_FOURIER_C_BACK, plane, scratch);
  run(fourier, RILL_FOURIER_B_BACK, scratch, plane);
}

void rill_fourier_lines(const struct rill_fourier *fourier, void *row, void *lines) {
  run(fourier, RILL_FOURIER_A, row, lines);
}

void rill_fourier_lines_back(const struct rill_fourier *fourier, void *lines, void *row) {
  run(fourier, RILL_FOURIER_A_BACK, lines, row);
}

void rill_fourier_destroy(struct rill_fourier *fourier) {
  pthread_mutex_lock(&planner);
  for (int pass = 0; pass < RILL_FOURIER_PASSES; pass++)
    if (fourier->plans[pass] != NULL) {
      if (fourier->single) fftwf_destroy_plan(fourier->plans[pass]);
      else fftw_destroy_plan(fourier->plans[pass]);
    }
  pthread_mutex_unlock(&planner);
  memset(fourier, 0, sizeof *fourier);
}

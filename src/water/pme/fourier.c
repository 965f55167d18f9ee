#include "water/pme/fourier.h"

#include <fftw3.h>
#include <pthread.h>
#include <stdlib.h>
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
  for (int pass = 0; pass <= RILL_FOURIER_B_BACK; pass++) made &= fourier->plans[pass] != NULL;
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

void rill_fourier_close_lines(const struct rill_fourier *fourier, void *close, void *lines) {
  run(fourier, RILL_FOURIER_A_CLOSE, close, lines);
}

void rill_fourier_close_lines_back(const struct rill_fourier *fourier, void *lines, void *close) {
  run(fourier, RILL_FOURIER_A_CLOSE_BACK, lines, close);
}

/* Pseudo-random numbers in [-1, 1), `count` a row. */
static void fill(char *rows, size_t apart, size_t number, size_t count, int single) {
  uint64_t state = 1;
  for (size_t x = 0; x < number; x++)
    for (size_t k = 0; k < count; k++) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const double value = (double)(int64_t)state * 0x1p-63;
      if (single) ((float *)(void *)(rows + x * apart))[k] = (float)value;
      else ((double *)(void *)(rows + x * apart))[k] = value;
    }
}

static int is_same(const char *a, size_t a_apart, const char *b, size_t b_apart, size_t number, size_t bytes) {
  for (size_t x = 0; x < number; x++)
    if (memcmp(a + x * a_apart, b + x * b_apart, bytes) != 0) return 0;
  return 1;
}

enum rill_fourier_equality rill_fourier_close(const struct rill_fourier_shape *shape, void *apart, void *close,
                                              void *lines, struct rill_fourier *fourier) {
  const size_t a = shape->grid[0], c = shape->grid[2] / 2, line = shape->scratch_row;
  const size_t complex_bytes = 2 * (fourier->single ? sizeof(float) : sizeof(double));
  const size_t plane = shape->plane * complex_bytes, row = line * complex_bytes;
  const struct lines along_a = {a, c, line, 1, line, 1};
  char *others = (char *)lines + a * row;
  int same;
  pthread_mutex_lock(&planner);
  fourier->plans[RILL_FOURIER_A_CLOSE] = plan(&along_a, fourier->single, close, lines, FFTW_FORWARD);
  fourier->plans[RILL_FOURIER_A_CLOSE_BACK] = plan(&along_a, fourier->single, lines, close, FFTW_BACKWARD);
  pthread_mutex_unlock(&planner);
  if (fourier->plans[RILL_FOURIER_A_CLOSE] == NULL || fourier->plans[RILL_FOURIER_A_CLOSE_BACK] == NULL)
    return RILL_FOURIER_NO_MEMORY;
  fill(apart, plane, a, 2 * c, fourier->single);
  fill(close, row, a, 2 * c, fourier->single);
  rill_fourier_lines(fourier, apart, lines);
  rill_fourier_close_lines(fourier, close, others);
  same = is_same(lines, row, others, row, a, c * complex_bytes);
  rill_fourier_lines_back(fourier, lines, apart);
  rill_fourier_close_lines_back(fourier, lines, close);
  return same && is_same(apart, plane, close, row, a, c * complex_bytes) ? RILL_FOURIER_SAME : RILL_FOURIER_DIFFERENT;
}

/* FNV-1a */
static uint64_t mix(uint64_t hash, const char *text) {
  for (; *text != '\0'; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3U;
  return hash;
}

uint64_t rill_fourier_fingerprint(const struct rill_fourier *fourier) {
  uint64_t hash = mix(0xcbf29ce484222325U, fourier->single ? fftwf_version : fftw_version);
  for (int pass = 0; pass <= RILL_FOURIER_B_BACK; pass++) {
    char *text = fourier->single ? fftwf_sprint_plan(fourier->plans[pass]) : fftw_sprint_plan(fourier->plans[pass]);
    if (text == NULL) return 0;
    hash = mix(hash, text);
    free(text);
  }
  return hash;
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

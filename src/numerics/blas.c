#include "numerics/blas.h"

#include <pthread.h>
#include <stddef.h>

/* Defined only when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int count) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned under_way;
static int before;

void rill_blas_enter(void) {
  if (openblas_set_num_threads == NULL || openblas_get_num_threads == NULL) return;
  pthread_mutex_lock(&lock);
  if (under_way++ == 0) {
    before = openblas_get_num_threads();
    if (before != 1) openblas_set_num_threads(1);
  }
  pthread_mutex_unlock(&lock);
}

void rill_blas_leave(void) {
  if (openblas_set_num_threads == NULL || openblas_get_num_threads == NULL) return;
  pthread_mutex_lock(&lock);
  if (--under_way == 0 && before != 1) openblas_set_num_threads(before);
  pthread_mutex_unlock(&lock);
}

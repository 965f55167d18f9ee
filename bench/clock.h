/* Cycles a second of the processor, now: from a chain of integer multiplications, three cycles each on today's
 * processors. */
#ifndef RILL_BENCH_CLOCK_H
#define RILL_BENCH_CLOCK_H

#include <math.h>
#include <stdint.h>

#include "base/timers.h"

static inline double bench_clock(void) {
  double best = INFINITY;
  for (int repeat = 0; repeat < 200; repeat++) {
    volatile uint64_t opaque = 0x9e3779b97f4a7c15U;
    const uint64_t factor = opaque;
    const int count = 100000;
    uint64_t x = factor;
    double start = rill_clock(), seconds;
    for (int k = 0; k < count; k++) x *= factor;
    opaque = x;
    seconds = rill_clock() - start;
    if (seconds < best) best = seconds;
  }
  return 3.0 * 100000 / best;
}

#endif

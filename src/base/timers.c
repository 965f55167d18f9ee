#include "base/timers.h"

#include <stddef.h>
#include <stdlib.h>
#include <time.h>

double rill_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

const char *rill_phase_name(enum rill_phase phase) {
  switch (phase) {
  case RILL_PHASE_FORCES: return "forces";
  case RILL_PHASE_CONSTRAINTS: return "constraints";
  case RILL_PHASE_THERMOSTAT: return "thermostat";
  case RILL_PHASE_KICK: return "kicks";
  case RILL_PHASE_COPY: return "copy";
  case RILL_PHASE_OBSERVATION: return "observation";
  case RILL_PHASE_REST: return "rest";
  case RILL_PHASE_PAIRS: return "pairs";
  case RILL_PHASE_SHARES: return "shares";
  case RILL_PHASE_COUNT: break;
  }
  return "unknown";
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double rill_timers_overhead(void) {
  enum { ROUNDS = 101, PAIRS = 32 };
  double rounds[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    struct rill_timers timers = {.on = 1};
    for (int k = 0; k < PAIRS; k++) {
      rill_timers_start(&timers);
      rill_timers_stop(&timers, RILL_PHASE_REST);
    }
    rounds[i] = timers.seconds[RILL_PHASE_REST] / PAIRS;
  }
  qsort(rounds, ROUNDS, sizeof rounds[0], by_size);
  return rounds[ROUNDS / 2];
}

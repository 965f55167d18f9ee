#include "base/timers.h"

#include <stddef.h>
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
    case RILL_PHASE_OBSERVATION: return "observation";
    case RILL_PHASE_REST: return "rest";
    case RILL_PHASE_COUNT: break;
  }
  return "unknown";
}

void rill_timers_start(struct rill_timers *timers) {
  if (timers != NULL && timers->on) timers->started = rill_clock();
}

void rill_timers_stop(struct rill_timers *timers, enum rill_phase phase) {
  if (timers != NULL && timers->on) timers->seconds[phase] += rill_clock() - timers->started;
}

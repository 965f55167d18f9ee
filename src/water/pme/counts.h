/* What a mesh counts: time by phases, messages by kinds. */
#ifndef RILL_WATER_PME_COUNTS_H
#define RILL_WATER_PME_COUNTS_H

#include <stdint.h>

/* Time spent in the phases of evaluations, on the first thread. */
enum rill_pme_phase {
  RILL_PME_SPREAD,    /* splines, spreading */
  RILL_PME_TRANSFORM, /* forward and back, with waiting for other threads */
  RILL_PME_SOLVE,     /* influence function */
  RILL_PME_GATHER,    /* splines, forces; exclusions */
  RILL_PME_PHASES
};

/* What a rank sends. */
enum rill_pme_traffic_kind {
  RILL_PME_REMAP,     /* charges and potential, between bricks and planes */
  RILL_PME_TRANSPOSE, /* waves, between planes and rows */
  RILL_PME_SUMS,      /* of energies */
  RILL_PME_TRAFFICS
};
struct rill_pme_traffic {
  uint64_t messages, bytes;
};

#endif

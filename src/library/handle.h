/* The implementation of rill_simulation of rill/rill.h. */
#ifndef RILL_LIBRARY_HANDLE_H
#define RILL_LIBRARY_HANDLE_H

#include <signal.h>

#include "analysis/statistics.h"
#include "rill/rill.h"
#include "simulation/simulation.h"

enum { RILL_OBSERVABLES_MOST = 48, RILL_STAGES_MOST = 64 };

struct rill_open_simulation {
  struct rill_simulation sim;
  struct rill_notes notes;
  uint64_t done; /* steps */
  bool halfway;  /* quantities of the middle of the last step were observed */
  bool watched;  /* sim.guard has begun */
  volatile sig_atomic_t stop;
  char *deck_text;
  struct rill_average means[RILL_OBSERVABLES_MOST];
  bool sampled; /* the present state is included in the means */

  /* A user's own method. */
  struct rill_method method;
  char method_name[64];
  struct rill_splitting splitting;
  struct rill_splitting_stage stages[RILL_STAGES_MOST];
  int (*step)(void *context, struct rill_step_state *state, double h);
  void *context;
};

/* Copies the observation into values, in the order of the observables. */
void rill_library_values(const rill_simulation *handle, const struct rill_observation *observation, double *values);

#endif

/* Verdicts on a run, in plain words (rill validate). */
#ifndef RILL_STUDY_VALIDATE_H
#define RILL_STUDY_VALIDATE_H

#include <signal.h>
#include <stdbool.h>

#include "analysis/verdicts.h"
#include "base/notes.h"
#include "base/status.h"
#include "mech/driver.h"
#include "simulation/simulation.h"

/* Borrowed for the call. */
struct rill_validate_request {
  const char *path;                  /* of a deck, which is run in memory, or of a trajectory (.h5md, .h5) */
  const char *const *overrides;      /* of a deck */
  size_t override_count;
  int threads;                       /* of a deck; 0: what the machine and OMP_NUM_THREADS offer */
  const volatile sig_atomic_t *stop; /* not 0: RILL_INTERRUPTED; may be NULL */
  /* Sees a deck's run: called with its simulation before the first step, for an observer beside those that judge; may be
   * NULL. */
  struct rill_observer (*watch)(void *context, const struct rill_simulation *sim);
  void *context;
};

/* Findings of one run, in the order in which they are shown. */
struct rill_verdicts {
  struct rill_finding list[32];
  size_t count;
};

/* RILL_ERROR_USAGE: a file that is no run, or overrides for a file; otherwise the errors of reading and running.  A verdict that
 * fails is no error. */
enum rill_status rill_validate(const struct rill_validate_request *request, struct rill_verdicts *verdicts,
                               struct rill_error *error);

/* ---- for the files of this room ---- */

void rill_verdicts_add(struct rill_verdicts *verdicts, const struct rill_finding *finding);

/* sim was read.  A water deck is run, and its method tried: order of the energy error, reversal, threads. */
enum rill_status rill_validate_water(const struct rill_validate_request *request, struct rill_simulation *sim,
                                     struct rill_verdicts *verdicts, struct rill_error *error);
enum rill_status rill_validate_small(const struct rill_validate_request *request, struct rill_simulation *sim,
                                     struct rill_verdicts *verdicts, struct rill_error *error);
/* What files of water and of small systems hold of their runs. */
enum rill_status rill_validate_trajectory(const char *path, struct rill_verdicts *verdicts, struct rill_error *error);
enum rill_status rill_validate_series_file(const char *path, struct rill_verdicts *verdicts, struct rill_error *error);

#endif

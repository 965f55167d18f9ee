/* Verdicts on a run (rill validate). */
#ifndef RILL_STUDY_VALIDATE_H
#define RILL_STUDY_VALIDATE_H

#include <signal.h>
#include <stdbool.h>

#include "analysis/verdicts.h"
#include "base/notes.h"
#include "base/status.h"
#include "mech/driver.h"
#include "output/trajectory.h"
#include "simulation/properties.h"
#include "simulation/simulation.h"

/* Borrowed for the call. */
struct rill_validate_request {
  const char *path;             /* of a deck, which is run in memory, or of a trajectory (.h5md, .h5) */
  const char *other;            /* NULL, or a trajectory at another pressure than that of path */
  const char *const *overrides; /* of a deck */
  size_t override_count;
  int threads;                       /* for a deck; 0: as many as the machine and OMP_NUM_THREADS offer */
  const volatile sig_atomic_t *stop; /* not 0: RILL_INTERRUPTED; may be NULL */
  /* Called with a deck's simulation before its first step; returns a further observer; may be NULL. */
  struct rill_observer (*watch)(void *context, const struct rill_simulation *sim);
  void *context;
};

/* The findings of one run, in the order in which they are shown. */
struct rill_verdicts {
  struct rill_finding list[32];
  size_t count;
};

/* RILL_ERROR_USAGE: a file that is not a run's, or overrides for a file; otherwise the errors of reading and
 * running.  A verdict that fails is no error. */
enum rill_status rill_validate(const struct rill_validate_request *request, struct rill_verdicts *verdicts,
                               struct rill_error *error);

/* ---- for the files of this room ---- */

void rill_verdicts_add(struct rill_verdicts *verdicts, const struct rill_finding *finding);

/* sim has been read.  Runs a water deck, and tests its method: order of the energy error, reversal, threads. */
enum rill_status rill_validate_water(const struct rill_validate_request *request, struct rill_simulation *sim,
                                     struct rill_verdicts *verdicts, struct rill_error *error);
/* A finding for each property. */
enum rill_status rill_validate_properties(const struct rill_properties *properties, struct rill_verdicts *verdicts,
                                          struct rill_error *error);
enum rill_status rill_validate_small(const struct rill_validate_request *request, struct rill_simulation *sim,
                                     struct rill_verdicts *verdicts, struct rill_error *error);
/* Findings from files of water, of ensembles, and of small systems. */
enum rill_status rill_validate_trajectory(const char *path, struct rill_verdicts *verdicts, struct rill_error *error);
enum rill_status rill_validate_pressures(const char *path, const char *other, struct rill_verdicts *verdicts,
                                         struct rill_error *error);
enum rill_status rill_validate_ensemble(struct rill_trajectory_reader *reader, const struct rill_deck *deck,
                                        struct rill_verdicts *verdicts, struct rill_error *error);
enum rill_status rill_validate_series_file(const char *path, struct rill_verdicts *verdicts,
                                           struct rill_error *error);

#endif

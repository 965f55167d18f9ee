/* The parts of a run, and what its sinks use. */
#ifndef RILL_SIMULATION_RUN_PARTS_H
#define RILL_SIMULATION_RUN_PARTS_H

#include <signal.h>

#include "analysis/minima.h"
#include "ensemble/estimates.h"
#include "mech/driver.h"
#include "output/checkpoint.h"
#include "output/trajectory.h"
#include "simulation/continuation.h"
#include "simulation/outputs.h"
#include "simulation/parts.h"
#include "simulation/properties.h"
#include "simulation/series_columns.h"
#include "simulation/small_summary.h"
#include "simulation/summary.h"

/* The request for a run, besides its deck.  Pointers are borrowed for the run's life. */
struct rill_run_request {
  const char *folder; /* of the outputs; NULL: the current one */
  bool replace, resume;
  double deadline;                       /* in rill_clock's time; 0: none */
  const volatile sig_atomic_t *stop;     /* set to stop after the present step; may be NULL */
  volatile sig_atomic_t *save;           /* set to have a checkpoint written; may be NULL */
  const struct rill_observer *observers; /* the caller's own, called after those of the outputs */
  size_t observer_count;
};

enum { RILL_SINKS = 9, RILL_RUN_OBSERVERS = 16 };

struct rill_run {
  struct rill_simulation *sim; /* read; borrowed */
  struct rill_run_request request;
  struct rill_outputs outputs;
  struct rill_outputs_lock lock;
  struct rill_checkpoint checkpoint; /* that a resumed run continues from */
  bool complete;                     /* the checkpoint is of the run's end: nothing is left to do */
  char *expanded;                    /* the expanded deck */
  char *provenance;                  /* of tables: version, seed, degrees of freedom, deck */
  struct rill_keeping keeping;
  struct rill_driver driver; /* of rill_run_steps, with the steps done */
  double wall;               /* seconds spent in it */
  void *sinks[RILL_SINKS];   /* by index in the kind's list */
  bool opened;               /* all of them */

  struct rill_observation observation; /* of step `observed` */
  double row[RILL_SERIES_COLUMNS];     /* the same as a row of water's series */
  uint64_t observed;
  double *positions, *velocities;            /* [molecules][3][3] of water, for sinks that write them */
  struct rill_trajectory_writer *trajectory; /* of water: also receives tables; NULL: none */
  uint64_t frames, last_frame;               /* written by this process, and the step of the last one */

  struct rill_summary summary; /* of water */
  struct rill_small_summary small_summary;
  struct rill_rdf *rdf[RILL_RDF_PAIRS];        /* NULL: not asked for */
  struct rill_properties *properties;          /* of a liquid */
  struct rill_property_report property_report; /* after the last step */
  struct rill_estimates estimates;             /* of an ensemble */
  struct rill_minima minima;                   /* with quench_interval */
};

/* The existing files that may be overwritten are only those that this run wrote before, or that the request allows to
 * replace. */
bool rill_run_may_replace(const struct rill_run *run);
/* Fills run->observation and run->row for the present state, after step `step`; uses the guard's observation where
 * there is one. */
enum rill_status rill_run_observe(struct rill_run *run, uint64_t step, double time, struct rill_error *error);
/* Allocates run->positions and run->velocities, unless done before. */
enum rill_status rill_run_room(struct rill_run *run, struct rill_error *error);
/* The present cell of water, [3][3], nm, owned by the system; NULL in vacuum. */
const double *rill_run_box(const struct rill_run *run);

#endif

/* The results of a run in numbers: the closing summary without its words. */
#ifndef RILL_SIMULATION_REPORT_H
#define RILL_SIMULATION_REPORT_H

#include "simulation/run.h"
#include "water/water_ranks.h"

/* name: includes the unit, such as potential_kJ_mol; label and unit: for people. */
struct rill_reported_mean {
  const char *name, *label, *unit;
  struct rill_mean mean;
};

/* part: "" or "mesh "; share: of the wall time in steps. */
struct rill_reported_share {
  const char *part, *name;
  double share;
};

/* role: such as trajectory or final_frame; path: borrowed from the run. */
struct rill_reported_file {
  const char *role, *path;
};

enum {
  RILL_REPORTED_MEANS = RILL_SUMMARY_MEAN_COUNT + 1,
  RILL_REPORTED_SHARES = RILL_PHASE_OBSERVATION + 2,
  RILL_REPORTED_FILES = RILL_FILE_ROLES + 1 /* the checkpoint, too */
};

struct rill_report {
  bool complete;                 /* all steps of the deck are done */
  bool resumed;                  /* from the checkpoint at step `first` */
  uint64_t first, done, planned; /* steps: before this process, now, in the deck */
  double step, time;             /* in the deck's unit of time */
  double wall;                   /* seconds in steps and observers */
  double step_seconds;           /* seconds per step, without output; NaN without steps */
  double speed;                  /* of water: simulated ns per day; NaN without steps */

  /* Water, and small systems in a heat bath: means of the samples from output.means_from onwards. */
  size_t samples, mean_count;
  struct rill_reported_mean means[RILL_REPORTED_MEANS];
  bool has_drift;          /* at constant energy */
  struct rill_drift drift; /* of the total energy, kT/ns per degree of freedom */
  bool has_trials;         /* under ghmc */
  struct rill_trials trials;
  bool has_cell_moves; /* at constant pressure */
  struct rill_cell_moves cell_moves;
  double energy_deviation; /* standard deviation of the total energy, kJ/mol */
  /* Largest deviations of the run, NaN where they have no meaning: relative bond lengths, velocities along bonds
   * relative to the thermal one, ||q|^2 - 1| of attitudes. */
  double bond, bond_velocity, attitude;
  /* Per step: evaluations in nonlinear solves, their residuals, nm; iterations of constraint solves.  NaN: none. */
  double evaluations_most, evaluations_mean, residual, iterations_most, iterations_mean;
  bool has_peak; /* of g(r) of oxygens */
  struct rill_peak peak;
  size_t distribution_samples;
  double bin; /* its width, nm */
  /* Shares of the wall time: phases, observation and the rest; parts of the forces in a box.  timed: number of steps
   * that they were measured on; 0: none. */
  uint64_t timed;
  size_t share_count, force_share_count;
  struct rill_reported_share shares[RILL_REPORTED_SHARES], force_shares[RILL_FIELD_PHASES];
  struct rill_periodic_counts lists; /* zeros without lists */
  struct rill_water_sharing sharing; /* of a box among ranks; zeros otherwise */

  /* Small systems; NaN without samples, or where they have no meaning. */
  uint64_t small_samples;
  double energy_first, energy_mean, energy_most, energy_drift; /* most: largest deviation from the first */
  double momentum[RILL_SMALL_MOMENTA], momentum_change[RILL_SMALL_MOMENTA];
  bool constrained, iterates;
  double position_residual, velocity_residual;

  size_t file_count;
  struct rill_reported_file files[RILL_REPORTED_FILES];
};

/* To be called after the last step, before or after the files are closed.  For a resumed run that was complete
 * already: only steps, time and files. */
void rill_run_report(const struct rill_run *run, struct rill_report *report);

/* Nanoseconds of simulated time per day; NaN when no time has passed. */
double rill_speed(double simulated_ps, double wall_seconds);

#endif

/* What the files of a comparison on water share. */
#ifndef RILL_STUDY_COMPARE_WATER_H
#define RILL_STUDY_COMPARE_WATER_H

#include "analysis/rdf.h"
#include "analysis/statistics.h"
#include "simulation/simulation.h"
#include "study/compare_columns.h"
#include "study/compare_samples.h"
#include "study/method_label.h"

enum { RILL_WATER_METHODS = 32, RILL_WATER_STEPS = 16 };
#define RILL_WATER_BROKEN_BOND 0.5 /* |d - d0| / d0 */

/* A row of the table while it is computed. */
struct rill_water_row {
  char label[RILL_METHOD_LABEL], failure[256];
  double step, stiffness;
  uint64_t steps;
  struct rill_compare_numbers numbers;
};

/* What each sample has; the last ones are observables. */
enum {
  RILL_SAMPLED_TIME,
  RILL_SAMPLED_ENERGY,
  RILL_SAMPLED_TEMPERATURE_HALF,
  RILL_SAMPLED_POTENTIAL,
  RILL_SAMPLED_SOFT,
  RILL_SAMPLED_TEMPERATURE,
  RILL_SAMPLED_PRESSURE,
  RILL_SAMPLED_MEAN_DISTANCE,
  RILL_SAMPLED
};

struct rill_water_candidate {
  struct rill_water_row row;
  struct rill_simulation sim;
  struct rill_rdf *rdf; /* NULL for one molecule */
  bool penalised;
  bool solves;                                     /* everything except forces and thermostat is a nonlinear solve */
  struct rill_mean mean[RILL_COMPARE_OBSERVABLES]; /* of the observables */
  double interval;                                 /* ps between the samples */
  struct rill_price price[RILL_COMPARE_OBSERVABLES];
  /* gathered by the observer */
  const struct rill_water_comparison *comparison;
  double *samples; /* [RILL_SAMPLED][capacity], column by column */
  size_t count, capacity;
  double *positions; /* [N][9] */
  struct rill_observation first;
  double iterations, observing; /* sum; seconds */
  /* for each repeat */
  double step_seconds[RILL_COMPARE_REPEATS], forces[RILL_COMPARE_REPEATS], solve[RILL_COMPARE_REPEATS],
      thermostat[RILL_COMPARE_REPEATS], rest[RILL_COMPARE_REPEATS];
  size_t timed;
};

struct rill_water_comparison {
  const struct rill_compare_request *request;
  const char *path;
  const struct rill_deck *deck; /* as given */
  struct rill_given_overrides given;
  size_t method_count, step_count, candidate_count, molecules, repeats;
  const char *methods[RILL_WATER_METHODS], *steps[RILL_WATER_STEPS];
  double span, from, interval, scan;        /* ps; interval: between samples; scan: 0 for none */
  struct rill_water_candidate **candidates; /* [method_count][step_count] */
  size_t observable_count;
  struct rill_compare_observable observable[RILL_COMPARE_OBSERVABLES];
  size_t reference_method; /* the method that distributions are compared with: the first rigid one */
  struct rill_water_candidate *reference_run; /* the run of --reference; NULL: none */
  double *positions, *velocities;             /* [N][9]: the start */
  struct rill_water_candidate *again;         /* the reference with another seed */
};

/* Reads the deck with a method, a step and a length of the run in it, so that they pass the same checks as in any
 * deck. seed: added to the deck's seed. */
enum rill_status rill_water_enter(struct rill_water_comparison *comparison, const char *label, const char *step,
                                  const char *length, uint64_t seed, struct rill_water_candidate *candidate,
                                  struct rill_error *error);
/* Makes the bound system at the common start: rigid molecules, or each formulation's own minimum when the deck
 * minimises. */
enum rill_status rill_water_start(const struct rill_water_comparison *comparison,
                                  struct rill_water_candidate *candidate, const struct rill_notes *notes,
                                  struct rill_error *error);

/* Makes the runs of all candidates; an error is reported in the candidate's row. */
enum rill_status rill_water_judge_all(struct rill_water_comparison *comparison, struct rill_error *error);
/* The candidate that distributions are compared with. */
const struct rill_water_candidate *rill_water_reference_of(const struct rill_water_comparison *comparison);
/* Whether it is no failure of a candidate. */
bool rill_water_ends_comparison(enum rill_status status);

/* Measures the time of a step and its parts. */
enum rill_status rill_water_time_all(struct rill_water_comparison *comparison, struct rill_error *error);

/* Looks for the largest stable step of each method, and notes it in its rows. */
enum rill_status rill_water_scan_all(struct rill_water_comparison *comparison, struct rill_error *error);

/* Independent samples: which observables are counted, the run of --reference, their prices after runs and times, and
 * the parts of the table. */
enum rill_status rill_water_choose_observables(struct rill_water_comparison *comparison, struct rill_error *error);
enum rill_status rill_water_make_reference_run(struct rill_water_comparison *comparison, const char *length,
                                               struct rill_error *error);
void rill_water_price_all(struct rill_water_comparison *comparison);
enum rill_status rill_water_add_observables(const struct rill_water_comparison *comparison,
                                            struct rill_compare_table *table, struct rill_error *error);

#endif

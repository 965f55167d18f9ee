/* What the files of a comparison on a small system share. */
#ifndef RILL_STUDY_COMPARE_SMALL_H
#define RILL_STUDY_COMPARE_SMALL_H

#include "simulation/simulation.h"
#include "simulation/small_summary.h"
#include "study/compare.h"
#include "study/compare_samples.h"
#include "study/method_label.h"
#include "study/overrides.h"

enum { RILL_SMALL_METHODS = 64, RILL_SMALL_STEPS = 16 };

/* Positions at equally spaced times, and the results of a run. */
struct rill_track {
  double *positions; /* [samples][n] */
  bool judged;       /* the reference is known, and the error at x is wanted */
  double x_error;    /* largest distance from it of a method's own coordinates x; NaN where these are the positions */
  struct rill_small_summary summary;
  bool every_step;     /* energies are evaluated after every step */
  double energy_error; /* largest deviation from the start, over the evaluated energies */
  double seconds;      /* of the whole run, without evaluating energies */
};

/* One row of the table. */
struct rill_small_candidate {
  char label[RILL_METHOD_LABEL]; /* method, or method/option/... */
  const char *step_text;
  struct rill_simulation sim;
  double position_error, x_error, energy_error, momentum_error, residual, iterations;
  struct rill_mean mean[RILL_COMPARE_OBSERVABLES]; /* of samples, `interval` apart */
  double interval;
  struct rill_price price[RILL_COMPARE_OBSERVABLES];
  double seconds[RILL_COMPARE_REPEATS]; /* per step, of each repeat; sorted by rill_small_time_all */
  double step_seconds;                  /* per step: the least seen so far, then the median */
  char failure[256];                    /* "" on success */
};

struct rill_small_comparison {
  const struct rill_compare_request *request;
  const char *path;
  struct rill_given_overrides given;
  const struct rill_deck *deck; /* as given */
  double span;                  /* of the run, in the deck's units */
  const char *methods[RILL_SMALL_METHODS], *steps[RILL_SMALL_STEPS];
  size_t method_count, step_count, candidate_count, samples, repeats, n;
  bool names_formulation;                  /* a label does */
  struct rill_small_candidate *candidates; /* [method_count][step_count] */
  /* The reference: its formulation (NULL: the deck's), and the stiffness of its penalty (0: it has none). */
  const char *formulation;
  double stiffness;
  double *reference, *trial; /* [samples][n] */
  double reference_step, uncertainty;
  char reference_method[RILL_METHOD_LABEL];
  int reference_order;
  bool conserved[RILL_SMALL_MOMENTA]; /* momentum maps that the reference conserves */
  /* In a heat bath, instead: the observables, sampled from a time on. */
  double from, interval;
  size_t observable_count;
  struct rill_compare_observable observable[RILL_COMPARE_OBSERVABLES];
  struct rill_small_candidate *reference_run; /* of --reference; NULL: none */
};

/* Whether the deck has a heat bath: then distributions are compared, not trajectories. */
static inline bool rill_small_is_sampled(const struct rill_small_comparison *comparison) {
  return comparison->deck->thermostat.method != RILL_NO_BATH;
}

/* Reads the deck with a method and a step in it, so that they pass the same checks as in any deck.  seed: added to
 * that of the bath. */
enum rill_status rill_small_enter(struct rill_small_comparison *comparison, const char *method, const char *step,
                                  uint64_t seed, struct rill_small_candidate *candidate, struct rill_error *error);
/* Notes in the candidate's row that it failed, and clears the error. */
void rill_small_fail(struct rill_small_candidate *candidate, struct rill_error *error);
/* Makes the system and the integrator anew, at the start, with the limits of [stop]. */
enum rill_status rill_small_start(struct rill_small_candidate *candidate, struct rill_error *error);
/* The deck's system, in another formulation unless that is NULL; no integrator. */
enum rill_status rill_small_create_system(const struct rill_small_comparison *comparison, const char *formulation,
                                          struct rill_simulation *sim, struct rill_error *error);
/* The stiffness of the penalty; 0 for a system that is not penalised. */
double rill_small_stiffness(const struct rill_simulation *sim);

/* Takes the steps from `first` to `first` + `steps`, and adds their time to *seconds.  As in a run, the state is held
 * to the limits of [stop]: at the end, and where the guard looks at it.  sim.guard.observation is then that of the
 * end. */
enum rill_status rill_small_advance(struct rill_small_candidate *candidate, uint64_t first, uint64_t steps,
                                    double *seconds, struct rill_error *error);
/* Makes the whole run, and samples at equally spaced times, the first one after the first interval. */
enum rill_status rill_small_run_track(const struct rill_small_comparison *comparison,
                                      struct rill_small_candidate *candidate, struct rill_track *track,
                                      struct rill_error *error);

/* Chooses the formulation and the method of the reference, and runs it with shorter and shorter steps until it no
 * longer improves.  finest: the shortest step that is compared. */
enum rill_status rill_small_make_reference(struct rill_small_comparison *comparison, double finest,
                                           struct rill_error *error);

/* In a heat bath: the run of --reference and which observables are counted, the runs, their prices after the times,
 * and the parts of the table.
 */
enum rill_status rill_small_choose_observables(struct rill_small_comparison *comparison, struct rill_error *error);
enum rill_status rill_small_sample_all(struct rill_small_comparison *comparison, struct rill_error *error);
void rill_small_price_all(struct rill_small_comparison *comparison);
enum rill_status rill_small_add_observables(const struct rill_small_comparison *comparison,
                                            struct rill_compare_table *table, struct rill_error *error);

/* Measures seconds[] of each candidate that did not fail. */
enum rill_status rill_small_time_all(struct rill_small_comparison *comparison, struct rill_error *error);

#endif

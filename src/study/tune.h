/* The fastest deck for the same physics: threads, kernel, precision, mesh and lists, and for a stated bias the
 * largest step (rill tune). */
#ifndef RILL_STUDY_TUNE_H
#define RILL_STUDY_TUNE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "analysis/step_limit.h"
#include "base/notes.h"
#include "base/status.h"
#include "study/tune_rule.h"

/* The comment in the tuned deck on what an override gave. */
#define RILL_TUNE_GIVEN "given by --set"

/* Borrowed for the call. */
struct rill_tune_request {
  const char *path;             /* of the deck */
  const char *const *overrides; /* "section.key=value", which become part of the tuned deck */
  size_t override_count;
  const char *out;                   /* where the tuned deck will be: its input files must be those of the deck */
  const char *bias;                  /* "temperature=0.5K", for the largest step; NULL: the step stays */
  double sample;                     /* ps, of each run for it; 0: 20 */
  double seconds;                    /* wall time of the measurements of speed */
  int threads;                       /* at most; 0: as OMP_NUM_THREADS says; never more than processors */
  const struct rill_notes *notes;    /* may be NULL */
  const volatile sig_atomic_t *stop; /* not 0: RILL_INTERRUPTED; may be NULL */
};

enum { RILL_TUNE_ROWS = 64, RILL_TUNE_CHANGES = 16 };

/* A candidate; `given` and `tuned` in the end. */
struct rill_tune_row {
  char stage[16], candidate[64]; /* what is varied, and its value */
  double step_us;                /* wall time of a step; NaN when it failed */
  struct rill_gain gain;         /* of time, against the first row of the stage; NaN for that row */
  double force_error;            /* relative, measured at the start; NaN where it is not measured */
  bool best;                     /* of its stage */
  char failure[300];             /* "" when it ran */
};

struct rill_tune_change {
  const char *section, *key;
  char value[64], reason[240]; /* reason: may be "" for a key that goes with the one before */
};

/* Zeroed before use; released by rill_tuning_release. */
struct rill_tuning {
  size_t molecules;
  bool busy; /* other programs had the processors, so that only threads were timed on several threads */
  char method[64];
  double given_step, tuned_step; /* ps */
  struct rill_tune_row rows[RILL_TUNE_ROWS];
  size_t row_count;
  struct rill_tune_change changes[RILL_TUNE_CHANGES]; /* of `text`; none if nothing is gained */
  size_t change_count;
  struct rill_gain gain; /* of wall time for the same simulated time, measured in the end; NaN: nothing to measure */
  struct {               /* with --bias */
    char observable[24], unit[16];
    double most, at_given, at_given_error, at_tuned, at_tuned_error; /* in the unit; NaN: no step was found */
    struct rill_step_limit fit;                                      /* over steps in fs */
    int order;
    double would_do;   /* ps: the step that the deck's times would have to allow */
    char limited[120]; /* what does not allow it, as "output.series_interval = 14 fs"; "": nothing does, or several */
  } bias;
  char *text; /* of the tuned deck; owned */
};

/* RILL_ERROR_UNSUPPORTED names what cannot be tuned; RILL_ERROR_USAGE: a bad --bias, or an input file that the deck
 * would not find from where it is written.  Also the errors of reading the deck and of creating the system. */
enum rill_status rill_tune(const struct rill_tune_request *request, struct rill_tuning *tuning,
                           struct rill_error *error);
void rill_tuning_release(struct rill_tuning *tuning);

/* ---- for the files of this room ---- */

/* Finds the largest step for request->bias, among those with which the deck's text can be read, and sets
 * tuning->bias. *step: ps. */
enum rill_status rill_tune_step(const struct rill_tune_request *request, const char *text, struct rill_tuning *tuning,
                                double *step, struct rill_error *error);

/* rill_deck_edit, and the comment RILL_TUNE_GIVEN on the former value goes. */
enum rill_status rill_tune_put(const char *text, const char *section, const char *key, const char *value,
                               const char *reason, char **edited, struct rill_error *error);

/* The text with another step; a number of steps is changed so that the time stays. */
enum rill_status rill_tune_put_step(const char *path, const char *text, double step, const char *reason,
                                    char **edited, struct rill_error *error);

#endif

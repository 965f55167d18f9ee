/* Methods and steps on one system: work against precision (rill compare). */
#ifndef RILL_STUDY_COMPARE_H
#define RILL_STUDY_COMPARE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/step_limit.h"
#include "base/notes.h"
#include "base/status.h"
#include "deck/deck.h"

/* Borrowed for the call. */
struct rill_compare_request {
  const char *path;             /* of the deck */
  const char *const *overrides; /* "section.key=value", for all candidates */
  size_t override_count;
  const char *methods;               /* "rattle,zs/full"; NULL or "all": all that bind */
  const char *steps;                 /* "1 fs,2 fs"; NULL: the deck's; for small systems its half and quarter, too */
  size_t repeats;                    /* timed stretches of each method; 0: 5, on small systems 15 */
  const char *observables;           /* under a thermostat: those whose independent samples are counted; NULL: one */
  const char *reference;             /* "METHOD@STEP", a run that biases are taken from; NULL: a row of the table */
  bool extrapolate;                  /* under a thermostat: the limits of the means for a step of 0 */
  double scan;                       /* water: ps per run in the search for the largest stable step; 0: none */
  int threads;                       /* 0: as many as the machine and OMP_NUM_THREADS offer */
  const struct rill_notes *notes;    /* notes, and for water a line per candidate; NULL: none */
  const volatile sig_atomic_t *stop; /* not 0: RILL_INTERRUPTED; may be NULL */
};

enum { RILL_COMPARE_PARTS = 10, RILL_COMPARE_VALUES = 120, RILL_COMPARE_REPEATS = 99 };

/* A part of the text, with columns of its own. */
struct rill_compare_part {
  char title[128], note[600]; /* title "": none */
};

struct rill_compare_column {
  int part;                     /* of the text */
  char name[64];                /* with its unit */
  const char *heading, *format; /* in the text; NULL: not shown there */
  double factor;                /* of the number in the text */
};

struct rill_compare_row {
  char label[80]; /* method/option */
  double step;    /* in the deck's unit of time */
  uint64_t steps;
  int order;                         /* of the method */
  double stiffness;                  /* of water: sqrt(kJ/mol)/nm2; 0: rigid */
  double value[RILL_COMPARE_VALUES]; /* [column_count]; NaN: has no meaning, or was not requested */
  char failure[256];                 /* "" when it ran */
};

/* The limit of an observable's mean for steps of 0; the slope is per step to the power of the order, in the unit of
 * rill_compare_step. */
struct rill_compare_limit {
  const char *label; /* of a row */
  size_t observable;
  int order;
  struct rill_step_limit fit;
};
enum { RILL_COMPARE_OBSERVABLES = 6 };

/* Zeroed before use; released by rill_compare_release. */
struct rill_compare_table {
  bool water;
  char title[512];       /* system, length, reference */
  char reference[160];   /* what the errors are taken from */
  bool penalised;        /* the reference is, so that the error of the penalty does not show */
  bool without_bias;     /* of energies of some rows, because the reference has other degrees of freedom */
  bool unlike_laws;      /* constrained rows sample another law than penalised ones */
  const char *time_unit; /* "ps", "s" or "" */
  struct rill_compare_part parts[RILL_COMPARE_PARTS];
  struct rill_compare_column columns[RILL_COMPARE_VALUES];
  size_t part_count, column_count, row_count;
  struct rill_compare_row *rows; /* owned */
  /* under a thermostat, the observables; the first one's mean and its error are in this column and the next */
  size_t observable_count, first_mean;
  char observable[RILL_COMPARE_OBSERVABLES][24], unit[RILL_COMPARE_OBSERVABLES][16];
  struct rill_compare_limit *limits; /* owned; of --extrapolate */
  size_t limit_count;
};

/* Runs all candidates.  A failure is reported in the candidate's row.  RILL_ERROR_USAGE: unknown methods, steps or
 * options; also the errors of reading the deck and of creating systems. */
enum rill_status rill_compare(const struct rill_compare_request *request, struct rill_compare_table *table,
                              struct rill_error *error);
bool rill_compare_all_failed(const struct rill_compare_table *table);
void rill_compare_release(struct rill_compare_table *table);

/* The deck that is compared, without the overrides that only some methods read. */
enum rill_status rill_compare_read_deck(const struct rill_compare_request *request, struct rill_deck *deck,
                                        struct rill_error *error);

/* For machine-readable tables: the name of the step with its unit, "step_fs", "step_s" or "step", the step in that
 * unit, and for water the stiffness in akma. */
const char *rill_compare_step_name(const struct rill_compare_table *table);
double rill_compare_step(const struct rill_compare_table *table, const struct rill_compare_row *row);
double rill_compare_stiffness(const struct rill_compare_row *row);
/* A path that rill_written_check_place accepted. */
enum rill_status rill_compare_write_csv(const struct rill_compare_table *table, const char *path, bool replace,
                                        struct rill_error *error);

/* ---- for the files of this room ---- */

enum rill_status rill_compare_water(const struct rill_compare_request *request, const struct rill_deck *deck,
                                    struct rill_compare_table *table, struct rill_error *error);
enum rill_status rill_compare_small(const struct rill_compare_request *request, const struct rill_deck *deck,
                                    struct rill_compare_table *table, struct rill_error *error);

/* --extrapolate: whether it goes together with the deck and the steps, before anything runs; and the limits. */
enum rill_status rill_compare_check_extrapolation(const struct rill_compare_request *request,
                                                  const struct rill_deck *deck, struct rill_error *error);
enum rill_status rill_compare_extrapolate(struct rill_compare_table *table, struct rill_error *error);

/* Splits a list at its commas, in place; what: the option, for messages. */
enum rill_status rill_compare_split(char *text, const char *what, const char **parts, size_t most, size_t *count,
                                    struct rill_error *error);
bool rill_compare_is_stopped(const struct rill_compare_request *request);

#endif

/* The price of one independent sample: what decides between methods that sample the same distribution. */
#ifndef RILL_STUDY_COMPARE_SAMPLES_H
#define RILL_STUDY_COMPARE_SAMPLES_H

#include "analysis/statistics.h"
#include "simulation/simulation.h"
#include "study/compare.h"
#include "study/method_label.h"

struct rill_compare_observable {
  int sampled;      /* its number among what is sampled */
  char name[24];    /* on the command line: "lj-coulomb" */
  char column[24];  /* in the names of columns: "lj_coulomb" */
  char title[80];   /* in a text: "the Lennard-Jones and Coulomb energy" */
  const char *unit; /* "kJ/mol"; "" for a pure number */
  bool extensive;   /* its mean depends on the number of degrees of freedom, which springs have and constraints not */
};

/* Of one observable in one run; NaN where the run has too few independent samples. */
struct rill_price {
  double mean, mean_error;
  double bias, bias_error; /* NaN until rill_price_add_bias */
  double tau, tau_error;   /* integrated autocorrelation time, in the unit of time of the interval */
  double rate, rate_error; /* independent samples per second */
  double cost, cost_error; /* seconds per independent sample */
};
enum { RILL_PRICE_COLUMNS = sizeof(struct rill_price) / sizeof(double) };

void rill_price_clear(struct rill_price *price); /* sets all to NaN */
/* mean: of a series, `interval` apart.  step: in the same unit; seconds[repeats]: of a step, ascending; the
 * least is what the method takes on an idle machine, and its difference from the lower quartile counts as its
 * error. */
struct rill_price rill_price_of(const struct rill_mean *mean, double interval, double step, const double *seconds,
                                size_t repeats);
/* The difference from the mean of an independent run. */
void rill_price_add_bias(struct rill_price *price, const struct rill_mean *other);

/* The observables of a list of names; NULL: the standard one.  find: looks one up.  RILL_ERROR_USAGE names one that
 * is not known, with what is expected, or one that is given twice. */
enum rill_status rill_compare_choose_observables(
    const char *list, const char *standard,
    bool (*find)(const void *context, const char *name, struct rill_compare_observable *found), const void *context,
    const char *expected, struct rill_compare_observable *chosen, size_t *count, struct rill_error *error);
/* Splits "METHOD@STEP"; example: of one, for messages. */
enum rill_status rill_compare_split_reference(const char *text, const char *example, char label[RILL_METHOD_LABEL],
                                              const char **step, struct rill_error *error);
/* The order of a candidate's method with its composition and options. */
int rill_compare_order(const struct rill_simulation *sim);
/* --observables and --reference where there is no thermostat. */
enum rill_status rill_compare_refuse_samples(const struct rill_compare_request *request, struct rill_error *error);

/* Appends a part for each observable to the columns of the table: [observable][RILL_PRICE_COLUMNS].  reference: what
 * the biases are taken from. */
enum rill_status rill_compare_add_observables(struct rill_compare_table *table,
                                              const struct rill_compare_observable *observables, size_t count,
                                              const char *reference, struct rill_error *error);

#endif

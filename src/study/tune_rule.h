/* What is decided from measurements: whether a change of a deck is kept, and the largest step. */
#ifndef RILL_STUDY_TUNE_RULE_H
#define RILL_STUDY_TUNE_RULE_H

#include <stdbool.h>
#include <stddef.h>

/* Which part of the time a change saves, with its standard error; negative: it costs time. */
struct rill_gain {
  double part, error;
};

enum rill_gain_verdict {
  RILL_GAIN_OPEN, /* more measurements may decide */
  RILL_GAIN_KEPT,
  RILL_GAIN_NONE
};

/* A change is kept when its gain is above a hundredth, and above three errors. */
bool rill_gain_is_kept(struct rill_gain gain);
/* The same while measurements go on: a change is kept once the error is small, too, and given up once a gain of more
 * than a hundredth is three errors away. */
enum rill_gain_verdict rill_gain_judge(struct rill_gain gain);

/* Whether three errors allow that a gain exceeds another by more than a hundredth, if both are of the same time. */
bool rill_gain_may_exceed(struct rill_gain gain, struct rill_gain other);
/* The gain of a change after another, `gain` being of the time that remains. */
struct rill_gain rill_gain_after(struct rill_gain other, struct rill_gain gain);

/* The mean of several measurements of one gain; its error is that of their scatter, or what their own errors give if
 * that is larger. */
struct rill_gain rill_gain_mean(const struct rill_gain *gains, size_t count);

/* The median of differences, and its standard error from their median absolute deviation; fewer than three:
 * the error is INFINITY.  values are sorted in place. */
struct rill_gain rill_gain_of_pairs(double *values, size_t count);

/* The largest step whose bias |slope| h^order, with two errors of the slope, is below `most`; INFINITY if both are 0.
 * In the unit of the slope's steps. */
double rill_step_for_bias(double slope, double slope_error, int order, double most);

#endif

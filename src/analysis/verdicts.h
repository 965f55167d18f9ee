/* Verdicts on a run: what its series show about conservation, constraints, temperature, kinetic energies and
 * equilibration.
 *
 * A verdict passes, fails, or stays open when the samples cannot decide.  Statistical verdicts compare with three
 * standard errors, more when the error itself is not well known (Student's t): for a sound run each fails by chance
 * in about 1 of 370 cases, RILL_FALSE_ALARM. */
#ifndef RILL_ANALYSIS_VERDICTS_H
#define RILL_ANALYSIS_VERDICTS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/statistics.h"

#define RILL_FALSE_ALARM 0.0027

/* Beyond these limits a run of water no longer follows its initial motion.  Energy: in k T for each degree of
 * freedom, with the temperature of the start or 300 K, whichever is higher; a cluster that falls apart gains more
 * than that, while sound errors are a hundredth of it.  Temperature: in K, or as a multiple of that of the start or
 * of the bath. */
#define RILL_ENERGY_CHANGE 0.5
#define RILL_ENERGY_TEMPERATURE 300.0
/* In k T of the bath: allowance for eight standard deviations of its noise beyond its largest mean supply
 * (mech/guard.h). */
#define RILL_BATH_FLUCTUATION 32.0
#define RILL_HIGHEST_TEMPERATURE 5000.0
#define RILL_TIMES_TEMPERATURE 10.0

enum rill_verdict { RILL_VERDICT_PASSES, RILL_VERDICT_FAILS, RILL_VERDICT_OPEN };

struct rill_finding {
  const char *what; /* a few words */
  enum rill_verdict verdict;
  bool statistical;
  double value, error, limit; /* NaN where there is none */
  const char *unit;
  char text[400]; /* in plain language */
};

/* The series of a run, in the units of water unless it is judged by rill_judge_bath.  Columns: [rows]; a half-step
 * quantity is NaN in a row before the first step.  All borrowed. */
struct rill_evidence {
  size_t rows;
  const double *time;              /* ps, evenly spaced */
  const double *potential, *total; /* kJ/mol */
  const double *effective; /* kJ/mol: the total energy less what a bath that scales velocities supplied; else NULL */
  const double *temperature;                             /* K, the reliable one (on-step or half-step) */
  const double *translation, *rotation;                  /* K, parts of the same temperature */
  const double *position_deviation, *velocity_deviation; /* largest in each row; relative */
  const double *momentum[3], *angular_momentum[3];       /* u nm/ps, u nm2/ps */
  double degrees_of_freedom;
  double step; /* ps */
  bool thermostatted;
  double target[2]; /* K: first and last; different in a ramp */
  /* The share of rotation in the mean that the bath keeps at its temperature, where rotation has a friction of its
   * own; 0: it keeps that of all motions. */
  double rotation_share;
  const double *pressure,
      *volume;            /* at constant pressure: bar, with the mean kinetic energy of the bath; nm3; else NULL */
  double target_pressure; /* bar */
  double supply;          /* kJ/mol per ps: the most that the bath supplies on average */
  bool rigid;
  double bond_limit;     /* |d - d0| / d0 of bonds that are springs; 0 for rigid bonds */
  bool cut_by_molecules; /* whole molecules cross a cutoff: their charges cause a drift */
  double position_tolerance, velocity_tolerance;
  bool keeps_momentum, keeps_angular_momentum;
  double momentum_scale, angular_momentum_scale; /* sum |p|, sum m |r| |v| of a typical state */
  /* Standard deviation of the rounding error of a component in one step. */
  double momentum_rounding, angular_momentum_rounding;
  /* Largest change by residuals of nonlinear solves in one step, possibly always of the same sign; 0 without such
   * solves. */
  double momentum_residual, angular_momentum_residual;
};

enum { RILL_FINDINGS = 16 };

/* Units of time and of temperature, for the messages. */
struct rill_evidence_units {
  const char *time, *temperature;
};

/* Writes up to RILL_FINDINGS findings and returns their number; 0 when memory is out. */
size_t rill_judge(const struct rill_evidence *evidence, struct rill_finding findings[RILL_FINDINGS]);

/* The part of it that concerns a heat bath, for any system: equilibration, temperature and the law of the kinetic
 * energy.  Of the evidence it uses the potential energy, temperatures, their target, times and degrees of freedom. */
size_t rill_judge_bath(const struct rill_evidence *evidence, const struct rill_evidence_units *units,
                       struct rill_finding findings[RILL_FINDINGS]);

/* Whether all of `count` momenta have the temperature of the bath, each within its standard error; share: m v^2 of
 * each.  False: nothing can be said of them. */
bool rill_judge_equipartition(const struct rill_average *share, size_t count, double target, const char *unit,
                              struct rill_finding *finding);

/* The first sample after equilibration: of the candidates tried, the one that leaves the most independent samples
 * after it; Chodera, J. Chem. Theory Comput. 12, 1799 (2016). */
size_t rill_equilibrated_from(const double *values, size_t count);

/* Kolmogorov's probability that `count` independent kinetic energies in units of kT, which are sorted here, deviate
 * at least as much from their distribution, Gamma(freedom / 2); with Stephens' correction for few samples, J. R.
 * Stat. Soc. B 32, 115 (1970). */
double rill_kinetic_probability(double *reduced, size_t count, double freedom);

/* The number of standard errors that the mean of a correct run exceeds with the probability of a false alarm, when
 * the error is known from so many degrees of freedom; 3 for a well-known error. */
double rill_errors_allowed(double freedom);

const char *rill_verdict_name(enum rill_verdict verdict);

#endif

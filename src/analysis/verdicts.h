/* Verdicts on a run: what its series say of conservation, constraints, temperature, kinetic energies and
 * equilibration.
 *
 * A verdict passes, fails, or stays open where the samples cannot decide.  Statistical ones compare with three
 * standard errors, more where the error itself is not well known (Student's t): of a sound run each fails by
 * chance in about 1 of 370, RILL_FALSE_ALARM. */
#ifndef RILL_ANALYSIS_VERDICTS_H
#define RILL_ANALYSIS_VERDICTS_H

#include <stdbool.h>
#include <stddef.h>

#define RILL_FALSE_ALARM 0.0027

/* Beyond these a run of water has left the motion that it began with.  Energy: k T for each degree of freedom, with the
 * temperature of the start or 300 K, whichever is more; a cluster that falls apart gains more than that, while sound
 * errors are a hundredth of it.  Temperature: K, or times that of the start or of the bath. */
#define RILL_ENERGY_CHANGE 0.5
#define RILL_ENERGY_TEMPERATURE 300.0
/* k T of a bath: what eight standard deviations of its noise bring beyond the most of its mean supply
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

/* A run as its series show it.  Columns: [rows]; a half-step quantity is NaN in a row before the first step.  All
 * borrowed. */
struct rill_evidence {
  size_t rows;
  const double *time;                                    /* ps, evenly spaced */
  const double *potential, *total;                       /* kJ/mol */
  const double *temperature;                             /* K, the one to trust */
  const double *translation, *rotation;                  /* K, the same one's parts */
  const double *position_deviation, *velocity_deviation; /* largest of a row; relative */
  const double *momentum[3], *angular_momentum[3];       /* u nm/ps, u nm2/ps */
  double degrees_of_freedom;
  double step; /* ps */
  bool thermostatted;
  double target[2]; /* K: first and last; different in a ramp */
  double supply;    /* kJ/mol in a ps: the most that the bath gives on average */
  bool rigid;
  double bond_limit; /* |d - d0| / d0 of bonds that are springs; 0 of rigid ones */
  bool cut_by_molecules; /* whole molecules cross a cutoff: their charges are a source of drift */
  double position_tolerance, velocity_tolerance;
  bool keeps_momentum, keeps_angular_momentum;
  double momentum_scale, angular_momentum_scale; /* sum |p|, sum m |r| |v| of a typical state */
  /* Standard deviation of what rounding does to a component in one step. */
  double momentum_rounding, angular_momentum_rounding;
  /* What the residuals of nonlinear solves may do in one step, always to the same side; 0 without such solves. */
  double momentum_residual, angular_momentum_residual;
};

enum { RILL_FINDINGS = 14 };

/* Writes up to RILL_FINDINGS findings, returns how many; 0 when memory is short. */
size_t rill_judge(const struct rill_evidence *evidence, struct rill_finding findings[RILL_FINDINGS]);

/* Where a series becomes stationary: the first sample kept, of those tried the one that leaves the most independent
 * samples behind it; Chodera, J. Chem. Theory Comput. 12, 1799 (2016). */
size_t rill_equilibrated_from(const double *values, size_t count);

/* Kolmogorov's probability that `count` independent kinetic energies in units of kT, sorted here, would be at least
 * so far from their distribution, Gamma(freedom / 2); Stephens' correction for few samples, J. R. Stat. Soc. B 32,
 * 115 (1970). */
double rill_kinetic_probability(double *reduced, size_t count, double freedom);

const char *rill_verdict_name(enum rill_verdict verdict);

#endif

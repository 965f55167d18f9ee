#include "analysis/verdicts.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/statistics.h"
#include "base/memory.h"
#include "base/units.h"

enum {
  STARTS = 20,            /* candidates for the end of equilibration, over the first half */
  MOST_FOR_START = 4096,  /* a longer series is averaged down to about this number of samples */
  FEWEST_INDEPENDENT = 30 /* a comparison with fewer independent samples stays open */
};
static const double drift_limit = 0.01; /* kT/ns/dof */
/* Error of a temperature that a step of the usual length has, relative: BAOAB at 2 fs 0.15 % between rotation and
 * translation of liquid water, growing as h^2.  A long run sees it; it fails no run. */
static const double step_error = 0.003;
/* In standard deviations of a random walk with one rounding error per step; methods with many stages reach a few. */
static const double longest_walk = 20;

struct findings {
  struct rill_finding *list;
  size_t count;
  struct rill_evidence_units units;
};

static const struct rill_evidence_units of_water = {"ps", "K"};

/* ---- statistics ---- */

size_t rill_equilibrated_from(const double *values, size_t count) {
  size_t stride = count / MOST_FOR_START + 1, n = count / stride, best = 0;
  double *coarse = rill_allocate(n, sizeof *coarse), most = -1;
  if (coarse == NULL || n < 16) goto done;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < stride; k++) coarse[i] += values[i * stride + k];
    coarse[i] /= (double)stride;
  }
  for (size_t s = 0; s < STARTS; s++) {
    size_t from = s * n / (2 * STARTS);
    double tau = rill_correlation_time(coarse + from, n - from);
    double independent = (double)(n - from) / fmax(1, 2 * tau);
    if (independent > most) {
      most = independent;
      best = from;
    }
  }
done:
  rill_release(coarse);
  return best * stride;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double rill_kinetic_probability(double *reduced, size_t count, double freedom) {
  double n = (double)count, farthest = 0, lambda, p = 0;
  qsort(reduced, count, sizeof *reduced, ascending);
  for (size_t i = 0; i < count; i++) {
    double f = gsl_cdf_gamma_P(reduced[i], freedom / 2, 1);
    farthest = fmax(farthest, fmax(f - (double)i / n, (double)(i + 1) / n - f));
  }
  lambda = (sqrt(n) + 0.12 + 0.11 / sqrt(n)) * farthest;
  if (lambda < 0.3) return 1; /* the sum below converges slowly here, and the probability is 1 within 1e-5 */
  for (int j = 1; j < 100; j++) p += (j % 2 ? 2 : -2) * exp(-2.0 * j * j * lambda * lambda);
  return fmin(1, fmax(0, p));
}

double rill_errors_allowed(double freedom) { return gsl_cdf_tdist_Qinv(RILL_FALSE_ALARM / 2, fmax(1, freedom)); }

/* Whether the mean is known well enough to be compared. */
static bool is_decided(const struct rill_mean *mean) {
  return mean->error > 0 && mean->independent >= FEWEST_INDEPENDENT;
}

/* ---- findings ---- */

__attribute__((format(printf, 7, 8))) static struct rill_finding *add(struct findings *f, const char *what,
                                                                      enum rill_verdict verdict, double value,
                                                                      double error, const char *unit,
                                                                      const char *format, ...) {
  struct rill_finding *finding = &f->list[f->count++];
  va_list arguments;
  *finding = (struct rill_finding){
      .what = what, .verdict = verdict, .value = value, .error = error, .limit = NAN, .unit = unit};
  va_start(arguments, format);
  vsnprintf(finding->text, sizeof finding->text, format, arguments);
  va_end(arguments);
  return finding;
}

/* " K", and "" without a unit; returns text. */
enum { UNIT = 16 };
static const char *spaced(const char *unit, char text[UNIT]) {
  snprintf(text, UNIT, "%s%s", *unit ? " " : "", unit);
  return text;
}

static double largest(const double *values, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    if (values[i] > most || isnan(values[i])) most = values[i];
  return most;
}

static void judge_equilibration(const struct rill_evidence *e, size_t from, struct findings *f) {
  struct rill_mean after = rill_mean_of(e->potential + from, e->rows - from);
  double independent = after.independent < (double)after.samples ? after.independent : (double)after.samples;
  char time[UNIT];
  double begun = e->time[from] - e->time[0], whole = e->time[e->rows - 1] - e->time[0];
  if (after.sampling != RILL_SAMPLING_ENOUGH || independent < FEWEST_INDEPENDENT)
    add(f, "equilibration", RILL_VERDICT_OPEN, after.sampling != RILL_SAMPLING_ENOUGH ? NAN : independent, NAN,
        "independent samples",
        after.sampling == RILL_SAMPLING_UNBOUNDED
            ? "the potential energy has no finite correlation time, so it cannot be decided whether the run is "
              "stationary; run longer"
            : "the potential energy has too few independent samples to decide whether the run is stationary; run "
              "longer");
  else if (begun > 0.4 * whole)
    add(f, "equilibration", RILL_VERDICT_FAILS, begun, NAN, f->units.time,
        "the potential energy still changes in one direction %.4g%s into the run of %.4g%s: run longer, and omit "
        "the beginning from averages",
        begun, spaced(f->units.time, time), whole, time);
  else if (begun > 0)
    add(f, "equilibration", RILL_VERDICT_PASSES, begun, NAN, f->units.time,
        "stationary from %.4g%s on, with about %.0f independent samples of the potential energy after it; omit "
        "earlier samples from averages",
        begun, spaced(f->units.time, time), independent);
  else
    add(f, "equilibration", RILL_VERDICT_PASSES, begun, NAN, f->units.time,
        "stationary from the start, with about %.0f independent samples of the potential energy", independent);
}

/* Temperature of the bath, or of the start, in K. */
static double given_temperature(const struct rill_evidence *e) {
  const double start = e->temperature[0] > 0 ? e->temperature[0] : 0;
  return e->thermostatted ? fmax(start, fmax(e->target[0], e->target[1])) : start;
}

/* Judges the largest change since the start: a jump may hardly show in a fitted drift. */
static void judge_energy_change(const struct rill_evidence *e, struct findings *f) {
  const double kt = RILL_GAS_CONSTANT * fmax(given_temperature(e), RILL_ENERGY_TEMPERATURE);
  double most = 0, change;
  size_t at = 0;
  bool kept;
  for (size_t i = 0; i < e->rows && isfinite(most); i++)
    if (!(fabs(e->total[i] - e->total[0]) <= most)) {
      most = fabs(e->total[i] - e->total[0]);
      at = i;
    }
  change = most / (kt * e->degrees_of_freedom);
  kept = change <= RILL_ENERGY_CHANGE;
  add(f, "energy change", kept ? RILL_VERDICT_PASSES : RILL_VERDICT_FAILS, change, NAN, "kT/dof",
      kept ? "the total energy never differs by more than %.3g kJ/mol from its start, reached at %.4g ps"
           : "the total energy differs by %.3g kJ/mol from its start at %.4g ps: the integration failed; shorten the "
             "step",
      most, e->time[at])
      ->limit = RILL_ENERGY_CHANGE;
}

/* With a bath: judges the largest gain of total energy since any earlier row, beyond what the bath can have
 * supplied. */
static void judge_energy_gain(const struct rill_evidence *e, struct findings *f) {
  const double limit = RILL_ENERGY_CHANGE * e->degrees_of_freedom * RILL_GAS_CONSTANT *
                           fmax(given_temperature(e), RILL_ENERGY_TEMPERATURE) +
                       RILL_BATH_FLUCTUATION * RILL_GAS_CONSTANT * fmax(e->target[0], e->target[1]);
  double most = 0, highest = e->total[0];
  size_t at = 0;
  bool kept;
  for (size_t i = 1; i < e->rows && isfinite(most); i++) {
    highest += e->supply * (e->time[i] - e->time[i - 1]);
    if (!(e->total[i] - highest <= most)) {
      most = e->total[i] - highest;
      at = i;
    }
    highest = fmin(highest, e->total[i]);
  }
  kept = most <= limit;
  add(f, "energy gain", kept ? RILL_VERDICT_PASSES : RILL_VERDICT_FAILS, most, NAN, "kJ/mol",
      kept ? "the total energy gains no more than the bath can supply, within %.4g kJ/mol"
           : "the total energy gains over %.4g kJ/mol more than the bath can have supplied, most at %.4g ps: the "
             "integration failed; shorten the step",
      limit, e->time[at])
      ->limit = limit;
}

static void judge_highest_temperature(const struct rill_evidence *e, struct findings *f) {
  const double limit = fmax(RILL_HIGHEST_TEMPERATURE, RILL_TIMES_TEMPERATURE * given_temperature(e));
  const size_t first = isnan(e->temperature[0]) ? 1U : 0U; /* half-step quantities do not exist at step 0 */
  double most = 0;
  bool kept;
  for (size_t i = first; i < e->rows && !isnan(most); i++)
    if (!(e->temperature[i] <= most)) most = e->temperature[i];
  kept = most <= limit;
  add(f, "temperature peak", kept ? RILL_VERDICT_PASSES : RILL_VERDICT_FAILS, most, NAN, "K",
      kept ? "no sample is hotter than %.4g K"
           : "samples are hotter than %.4g K: the integration failed; shorten the step",
      limit)
      ->limit = limit;
}

/* energy: the total energy, or the effective one of a bath; name: what it is called. */
static void judge_drift(const struct rill_evidence *e, const double *energy, const char *what, const char *name,
                        struct findings *f) {
  /* The temperature is limited, since that of a run that exploded would make its drift look small. */
  double kt = RILL_GAS_CONSTANT * fmin(rill_mean_of(e->temperature + 1, e->rows - 1).mean,
                                       RILL_TIMES_TEMPERATURE * fmax(given_temperature(e), RILL_ENERGY_TEMPERATURE));
  double unit = RILL_NANOSECOND / (kt * e->degrees_of_freedom);
  struct rill_drift drift = rill_drift_of(e->time, energy, e->rows);
  double slope = drift.slope * unit, error = drift.error * unit, allowed;
  struct rill_finding *finding;
  allowed = isfinite(error) ? rill_errors_allowed(drift.freedom) * error : 3 * drift.bound * unit;
  if (!isfinite(slope) ||
      (!isfinite(error) && fabs(slope) <= drift_limit + allowed && fabs(slope) + allowed > drift_limit)) {
    add(f, what, RILL_VERDICT_OPEN, slope, error, "kT/ns/dof", "the drift has no error estimate: %s",
        rill_sampling_name(drift.sampling));
    return;
  }
  if (fabs(slope) > drift_limit + allowed)
    finding = add(f, what, RILL_VERDICT_FAILS, slope, error, "kT/ns/dof",
                  e->cut_by_molecules
                      ? "the %s energy drifts, as it does when whole molecules cross the cutoff: use "
                        "forces.cutoff_by = atom or a smaller forces.accuracy; or shorten the step"
                      : "the %s energy drifts: shorten the step, tighten tolerances, or use a symplectic method",
                  name);
  else if (fabs(slope) + allowed <= drift_limit)
    finding = add(f, what, RILL_VERDICT_PASSES, slope, error, "kT/ns/dof",
                  "the %s energy does not drift by more than %.2g kT/ns/dof", name, drift_limit);
  else
    finding = add(f, what, RILL_VERDICT_OPEN, slope, error, "kT/ns/dof",
                  "no drift is seen, but the run is too short to detect one of %.2g kT/ns/dof: run %.2g times as "
                  "long",
                  drift_limit, ceil(pow(allowed / drift_limit, 2. / 3)) + 1);
  finding->limit = drift_limit;
  finding->statistical = true;
}

static void judge_deviation(const char *what, const double *column, size_t rows, double tolerance, const char *text,
                            const char *reason, struct findings *f) {
  double most = largest(column, rows);
  bool kept = most <= tolerance;
  add(f, what, kept ? RILL_VERDICT_PASSES : RILL_VERDICT_FAILS, most, NAN, "", "%s %s %.2g%s%s", text,
      kept ? "are within" : "exceed", tolerance, kept ? " in all samples" : ": ", kept ? "" : reason)
      ->limit = tolerance;
}

static void judge_temperature(const struct rill_evidence *e, size_t from, double *scratch, struct findings *f) {
  const double share = e->rotation_share;
  const char *unit = f->units.temperature, *which = share > 0 ? "weighted by frictions: " : "";
  char text[UNIT];
  struct rill_mean mean;
  struct rill_finding *finding;
  double off, allowed;
  for (size_t i = from; i < e->rows; i++)
    scratch[i - from] = share > 0 ? share * e->rotation[i] + (1 - share) * e->translation[i] : e->temperature[i];
  mean = rill_mean_of(scratch, e->rows - from);
  off = mean.mean - e->target[0];
  allowed = rill_errors_allowed(mean.freedom) * mean.error;
  if (e->target[0] != e->target[1]) {
    add(f, "temperature", RILL_VERDICT_OPEN, NAN, NAN, unit,
        "the temperature of the bath is a ramp: there is no single target");
    return;
  }
  if (!is_decided(&mean))
    finding = add(f, "temperature", RILL_VERDICT_OPEN, mean.mean, mean.error, unit,
                  "too few independent samples to compare with the target of %g%s", e->target[0], spaced(unit, text));
  else if (fabs(off) <= allowed)
    finding = add(f, "temperature", RILL_VERDICT_PASSES, mean.mean, mean.error, unit,
                  "%sagrees with the target of %g%s, %.1f standard errors away", which, e->target[0],
                  spaced(unit, text), fabs(off) / mean.error);
  else if (fabs(off) <= step_error * e->target[0])
    finding =
        add(f, "temperature", RILL_VERDICT_PASSES, mean.mean, mean.error, unit,
            "%s%.2g %% from the target of %g%s, %.1f standard errors: an error of the step, which a shorter one "
            "reduces (at most %g %% passes)",
            which, 100 * fabs(off) / e->target[0], e->target[0], spaced(unit, text), fabs(off) / mean.error,
            100 * step_error);
  else
    finding =
        add(f, "temperature", RILL_VERDICT_FAILS, mean.mean, mean.error, unit,
            "%s%.1f standard errors from the target of %g%s: not yet equilibrated, too long a step, or friction "
            "too weak for this run",
            which, fabs(off) / mean.error, e->target[0], spaced(unit, text));
  finding->limit = e->target[0];
  finding->statistical = true;
}

/* At constant pressure the mean of N kT/V - dU/dV is the pressure, exactly, whatever the size of the box. */
static void judge_pressure(const struct rill_evidence *e, size_t from, struct findings *f) {
  const size_t settled = rill_equilibrated_from(e->volume, e->rows), first = settled > from ? settled : from;
  const struct rill_mean mean = rill_mean_of(e->pressure + first, e->rows - first);
  const double off = fabs(mean.mean - e->target_pressure);
  struct rill_finding *finding;
  if (!is_decided(&mean))
    finding = add(f, "pressure", RILL_VERDICT_OPEN, mean.mean, mean.error, "bar",
                  "too few independent samples to compare with the barostat's %g bar", e->target_pressure);
  else if (off <= rill_errors_allowed(mean.freedom) * mean.error)
    finding =
        add(f, "pressure", RILL_VERDICT_PASSES, mean.mean, mean.error, "bar",
            "agrees with the barostat's %g bar, %.1f standard errors away", e->target_pressure, off / mean.error);
  else
    finding =
        add(f, "pressure", RILL_VERDICT_FAILS, mean.mean, mean.error, "bar",
            "%.1f standard errors from the barostat's %g bar: the volume is not yet equilibrated, or the step is "
            "too long",
            off / mean.error, e->target_pressure);
  finding->limit = e->target_pressure;
  finding->statistical = true;
}

static void judge_equipartition(const struct rill_evidence *e, size_t from, double *scratch, struct findings *f) {
  static const char *const what = "equipartition";
  const size_t rows = e->rows - from;
  const double scale = e->thermostatted ? e->target[0] : NAN;
  struct rill_mean mean;
  struct rill_finding *finding;
  double off, allowed;
  for (size_t i = 0; i < rows; i++) scratch[i] = e->translation[from + i] - e->rotation[from + i];
  mean = rill_mean_of(scratch, rows);
  if (!isfinite(mean.mean)) return; /* only one kind of motion */
  off = fabs(mean.mean);
  allowed = rill_errors_allowed(mean.freedom) * mean.error;
  if (!is_decided(&mean))
    finding = add(f, what, RILL_VERDICT_OPEN, mean.mean, mean.error, "K",
                  "too few independent samples to compare translation with rotation");
  else if (off <= allowed)
    finding = add(f, what, RILL_VERDICT_PASSES, mean.mean, mean.error, "K",
                  "translation and rotation of the molecules have the same temperature");
  else if (off <= step_error * scale)
    finding = add(f, what, RILL_VERDICT_PASSES, mean.mean, mean.error, "K",
                  "translation and rotation of the molecules differ by %.2g %% in temperature: an error of the step, "
                  "which a shorter one reduces (at most %g %% passes)",
                  100 * off / scale, 100 * step_error);
  else if (e->thermostatted)
    finding =
        add(f, what, RILL_VERDICT_FAILS, mean.mean, mean.error, "K",
            "translation and rotation of the molecules differ in temperature: not yet equilibrated, or too long "
            "a step");
  else
    finding = add(f, what, RILL_VERDICT_OPEN, mean.mean, mean.error, "K",
                  "translation and rotation of the molecules differ in temperature: too long a step, or a few "
                  "molecules that do not share their energy evenly, which is possible without a thermostat");
  finding->statistical = true;
}

/* Samples two autocorrelation times apart are nearly independent.  Where fast motion hides slow motion, samples are
 * thinned to the effective number of samples of the mean. */
static void judge_distribution(const struct rill_evidence *e, size_t from, double *scratch, struct findings *f) {
  size_t rows = e->rows - from, kept = 0, thin;
  double tau = rill_correlation_time(e->temperature + from, rows), p;
  struct rill_mean mean = rill_mean_of(e->temperature + from, rows);
  /* An error of the step is judged with the temperature, and not once more here. */
  const double off = fabs(mean.mean - e->target[0]);
  const double about = e->rotation_share > 0 || off <= step_error * e->target[0] ? mean.mean : e->target[0];
  struct rill_finding *finding;
  if (e->target[0] != e->target[1] || !(e->target[0] > 0) || !(e->degrees_of_freedom > 0)) return;
  thin = rows;
  if (isfinite(tau) && mean.error > 0) thin = (size_t)ceil(fmax(1, fmax(2 * tau, (double)rows / mean.independent)));
  for (size_t i = from; i < e->rows; i += thin)
    scratch[kept++] = e->degrees_of_freedom / 2 * e->temperature[i] / about;
  if (kept < FEWEST_INDEPENDENT) {
    add(f, "kinetic energies", RILL_VERDICT_OPEN, NAN, NAN, "", "too few independent samples for a distribution, %zu",
        kept);
    return;
  }
  p = rill_kinetic_probability(scratch, kept, e->degrees_of_freedom);
  finding = add(f, "kinetic energies", p >= RILL_FALSE_ALARM ? RILL_VERDICT_PASSES : RILL_VERDICT_FAILS, p, NAN, "",
                p >= RILL_FALSE_ALARM
                    ? "%zu samples follow the Maxwell-Boltzmann law of %g degrees of freedom (Kolmogorov's p)"
                    : "%zu samples do not follow the Maxwell-Boltzmann law of %g degrees of freedom (Kolmogorov's p)",
                kept, e->degrees_of_freedom);
  finding->limit = RILL_FALSE_ALARM;
  finding->statistical = true;
}

enum { BLOCKS = 64, FEWEST_BLOCKS = 16 };

/* Largest change of a component over the run, in standard errors of a random walk whose steps, over blocks of
 * samples, are independent with mean zero.  0 when there are too few blocks; *blocks: the number of steps. */
static double drift_of_walk(const double *const column[3], size_t rows, size_t *blocks) {
  double largest = 0;
  const size_t length = (rows - 1) / BLOCKS > 0 ? (rows - 1) / BLOCKS : 1, count = (rows - 1) / length;
  *blocks = count;
  for (int d = 0; d < 3 && count >= FEWEST_BLOCKS; d++) {
    const double mean = (column[d][count * length] - column[d][0]) / (double)count;
    double squares = 0;
    for (size_t b = 0; b < count; b++) squares += pow(column[d][(b + 1) * length] - column[d][b * length] - mean, 2);
    if (squares > 0) largest = fmax(largest, fabs(mean) * sqrt((double)count * (double)(count - 1) / squares));
  }
  return largest;
}

/* Round-off grows as the square root of the number of steps, while residuals of nonlinear solves may add up. */
static void judge_momentum(const char *what, const double *const column[3], const struct rill_evidence *e,
                           double scale, double rounding, double residual, struct findings *f) {
  const double steps = fmax(1, (e->time[e->rows - 1] - e->time[0]) / e->step);
  const double limit = (longest_walk * rounding * sqrt(steps) + residual * steps) / scale;
  double most = 0, errors = 0, errors_most = INFINITY;
  size_t blocks;
  struct rill_finding *finding;
  for (int d = 0; d < 3; d++)
    for (size_t i = 0; i < e->rows; i++) {
      const double change = fabs(column[d][i] - column[d][0]) / scale;
      if (!(change <= most) && !isnan(most)) most = change;
    }
  if (!(residual > 0)) {
    errors = drift_of_walk(column, e->rows, &blocks);
    if (blocks >= FEWEST_BLOCKS) errors_most = gsl_cdf_tdist_Qinv(RILL_FALSE_ALARM / 6, (double)(blocks - 1));
  }
  if (!(most <= limit))
    finding = add(f, what, RILL_VERDICT_FAILS, most, NAN, "",
                  "changes by more than %.1g of the sum of the atoms' contributions, more than %s can cause in %.3g "
                  "steps",
                  limit, residual > 0 ? "round-off and solver residuals" : "round-off", steps);
  else if (errors > errors_most)
    finding = add(f, what, RILL_VERDICT_FAILS, most, NAN, "",
                  "grows in proportion to the time, %.1f standard errors beyond a random walk of round-off: a force "
                  "acts on it, or its rounding is biased",
                  errors);
  else
    finding = add(f, what, RILL_VERDICT_PASSES, most, NAN, "",
                  residual > 0 ? "changes by no more than round-off and solver residuals allow (%.1g of the sum of "
                                 "the atoms' contributions in %.3g steps)"
                               : "walks randomly by round-off, at most %.1g of the sum of the atoms' contributions "
                                 "in %.3g steps",
                  limit, steps);
  finding->limit = limit;
  finding->statistical = isfinite(errors_most);
}

/* Judges equilibration, which sets the first row of the other verdicts; returns their scratch, [rows], or NULL: there
 * are too few rows, which is a finding, or no memory. */
static double *begin(const struct rill_evidence *e, size_t *from, struct findings *f) {
  double *scratch;
  if (e->rows < 16) {
    add(f, "samples", RILL_VERDICT_OPEN, (double)e->rows, NAN, "",
        "%zu samples are too few for any verdict; sample the series more often, or run longer", e->rows);
    return NULL;
  }
  scratch = rill_allocate(e->rows, sizeof *scratch);
  if (scratch == NULL) return NULL;
  *from = rill_equilibrated_from(e->potential, e->rows);
  judge_equilibration(e, *from, f);
  if (*from == 0) *from = 1; /* half-step quantities do not exist at step 0 */
  return scratch;
}

size_t rill_judge(const struct rill_evidence *e, struct rill_finding list[RILL_FINDINGS]) {
  static const char *const not_solved = "the solver did not reach its tolerance";
  struct findings f = {list, 0, of_water};
  size_t from;
  double *scratch = begin(e, &from, &f);
  if (scratch == NULL) return f.count;
  if (!e->thermostatted) {
    judge_energy_change(e, &f);
    judge_drift(e, e->total, "energy drift", "total", &f);
  } else judge_energy_gain(e, &f);
  if (e->effective != NULL) judge_drift(e, e->effective, "effective energy", "effective", &f);
  judge_highest_temperature(e, &f);
  if (e->bond_limit > 0)
    judge_deviation("bond lengths", e->position_deviation, e->rows, e->bond_limit,
                    "deviations of the springs from their lengths",
                    "the springs are overstretched: shorten the "
                    "step",
                    &f);
  if (e->rigid) {
    judge_deviation("bond lengths", e->position_deviation, e->rows, e->position_tolerance, "deviations of the bonds",
                    not_solved, &f);
    judge_deviation("bond velocities", e->velocity_deviation, e->rows, e->velocity_tolerance,
                    "velocities along bonds", not_solved, &f);
  }
  if (e->thermostatted) {
    judge_temperature(e, from, scratch, &f);
    judge_distribution(e, from, scratch, &f);
  }
  if (e->pressure != NULL) judge_pressure(e, from, &f);
  judge_equipartition(e, from, scratch, &f);
  if (e->keeps_momentum)
    judge_momentum("momentum", e->momentum, e, e->momentum_scale, e->momentum_rounding, e->momentum_residual, &f);
  if (e->keeps_angular_momentum)
    judge_momentum("angular momentum", e->angular_momentum, e, e->angular_momentum_scale,
                   e->angular_momentum_rounding, e->angular_momentum_residual, &f);
  rill_release(scratch);
  return f.count;
}

size_t rill_judge_bath(const struct rill_evidence *e, const struct rill_evidence_units *units,
                       struct rill_finding list[RILL_FINDINGS]) {
  struct findings f = {list, 0, *units};
  size_t from;
  double *scratch = begin(e, &from, &f);
  if (scratch == NULL) return f.count;
  judge_temperature(e, from, scratch, &f);
  judge_distribution(e, from, scratch, &f);
  rill_release(scratch);
  return f.count;
}

bool rill_judge_equipartition(const struct rill_average *share, size_t count, double target, const char *unit,
                              struct rill_finding *finding) {
  const double chance = RILL_FALSE_ALARM / (2 * (double)count); /* of any of them */
  double worst = 0, off = 0, error = NAN;
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    const struct rill_mean mean = rill_average_mean(&share[i]);
    if (!is_decided(&mean)) return false;
    const double allowed = gsl_cdf_tdist_Qinv(chance, fmax(1, mean.freedom)) * mean.error;
    if (fabs(mean.mean - target) / allowed < worst) continue;
    worst = fabs(mean.mean - target) / allowed;
    off = mean.mean;
    error = mean.error;
    at = i;
  }
  *finding = (struct rill_finding){.what = "equipartition",
                                   .verdict = worst <= 1 ? RILL_VERDICT_PASSES : RILL_VERDICT_FAILS,
                                   .statistical = true,
                                   .value = off,
                                   .error = error,
                                   .limit = target,
                                   .unit = unit};
  snprintf(finding->text, sizeof finding->text,
           worst <= 1 ? "all %zu momenta have the temperature of the bath; the farthest from it is number %zu"
                      : "of %zu momenta number %zu has another temperature: not yet equilibrated, or too long a step",
           count, at + 1);
  return count > 0;
}

const char *rill_verdict_name(enum rill_verdict verdict) {
  switch (verdict) {
  case RILL_VERDICT_PASSES: return "passes";
  case RILL_VERDICT_FAILS: return "fails";
  case RILL_VERDICT_OPEN: return "open";
  }
  return "?";
}

#include "simulation/water_warnings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "simulation/stable_steps.h"
#include "simulation/water.h"
#include "simulation/water_start.h"
#include "water/penalty/penalty.h"

static void warn_of_friction(const struct rill_simulation *sim) {
  const struct rill_deck *deck = &sim->deck;
  double product = deck->thermostat.friction * deck->integrator.step / sim->model.mass[1];
  if (deck->thermostat.method == RILL_NO_BATH || deck->thermostat.friction_law != RILL_FRICTION_PER_MASS) return;
  if (product > 0.01 && !rill_constraint_solver_is_of_bodies(deck->constraints.solver))
    rill_note(sim->notes,
              "note: friction gamma h / m_H = %.2g: mass-dependent friction with constraints shifts the kinetic "
              "temperature "
              "by about this fraction; a rate (/ps) does not",
              product);
}

/* Warns of statistics that begin after the end of the run. */
static void warn_of_late_statistics(const struct rill_simulation *sim) {
  const struct rill_deck *deck = &sim->deck;
  const double end = (double)deck->integrator.steps * deck->integrator.step, allowed = end * (1 + 1e-12);
  if (deck->output.means_from > allowed)
    rill_note(
        sim->notes,
        "warning: [output] means_from = %g ps is beyond the end of the run, %g ps: the summary will have no means",
        deck->output.means_from, end);
  if (deck->rdf.on && deck->rdf.from > allowed)
    rill_note(sim->notes,
              "warning: [rdf] from = %g ps is beyond the end of the run, %g ps: there will be no distribution",
              deck->rdf.from, end);
}

/* Warns of settings of penalised water that are known to fail or to mislead.  The numbers for the third-derivative
 * form are those of seven waters in akma units. */
static void warn_of_penalty(const struct rill_simulation *sim) {
  const struct rill_deck *deck = &sim->deck;
  const struct rill_filter *filter = sim->method->filter;
  const double h = deck->integrator.step, beta = deck->integrator.options.beta;
  struct rill_penalty penalty;
  struct rill_error unused;
  double turn, third;
  if (!(deck->penalty.stiffness > 0) ||
      rill_penalty_create(&sim->model, deck->penalty.stiffness, &penalty, &unused) != RILL_OK)
    return;
  turn = rill_penalty_frequency(&penalty) * h;
  third = deck->penalty.stiffness * beta * h * h * RILL_ANGSTROM * RILL_ANGSTROM / sqrt(RILL_KCAL) /
          (RILL_AKMA_TIME * RILL_AKMA_TIME);
  if (filter != NULL && filter->kind == RILL_FILTER_IDENTITY && turn > 2)
    rill_note(sim->notes,
              "note: the phase of the bonds' fastest vibration advances by %.3g in a step; an explicit method is "
              "unstable above 2: shorten the step to %.3g fs, or use zss-simplified",
              turn, 2 / turn * h * 1e3);
  if ((deck->integrator.reads & RILL_READS_BETA) && beta < 0.25 && turn * turn * (0.25 - beta) > 1)
    rill_note(sim->notes,
              "note: beta = %g is below 1/4: with this stiffness and step the method is unstable; use 0.4", beta);
  else if ((deck->integrator.reads & RILL_READS_BETA) && beta < 0.25)
    rill_note(sim->notes, "note: beta = %g is below 1/4: the method is stable for short steps only; 0.4 is usual",
              beta);
  /* Seven waters, runs of 50 ps: stable up to 0.007 (w = 80) and 0.013 (w = 20) at 10 K, up to 0.002 and 0.007 at 300
   * K. */
  if (filter != NULL && filter->kind == RILL_FILTER_THIRD && third > 0.005)
    rill_note(sim->notes,
              "note: w beta h^2 = %.2g in akma: the third-derivative term makes the method unstable above about 0.01 "
              "at 10 K and 0.003 at 300 K, and earlier for stiffer bonds%s",
              third, third > 0.015 ? "; use zss-simplified" : "");
}

/* The length of a bond, computed from its ends or from their values in single precision. */
static double bond_length(const double *oxygen, const double *hydrogen, bool single) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    const double x = single ? (double)(float)hydrogen[k] - (double)(float)oxygen[k] : hydrogen[k] - oxygen[k];
    square += x * x;
  }
  return sqrt(square);
}

/* Warns of positions far from the origin, where a trajectory in single precision visibly rounds bonds. */
static void warn_of_single_precision(const struct rill_simulation *sim) {
  static const double notice = 3e-5; /* of a bond length: some 50 nm from the origin */
  const struct rill_deck *deck = &sim->deck;
  double worst = 0, farthest = 0;
  if (deck->output.trajectory[0] == '\0' || deck->output.double_precision) return;
  for (size_t i = 0; i < 3 * sim->structure.molecules; i++) {
    const double *atom = sim->structure.positions + 3 * i, *oxygen = atom - 3 * (i % 3);
    for (int k = 0; k < 3; k++) farthest = fmax(farthest, fabs(atom[k]));
    if (i % 3 > 0) worst = fmax(worst, fabs(bond_length(oxygen, atom, true) / bond_length(oxygen, atom, false) - 1));
  }
  if (worst > notice)
    rill_note(sim->notes,
              "note: coordinates up to %.4g nm from the origin: the trajectory, in single precision, changes bonds "
              "by up to %.2g of their length; use output.precision = double, or move the molecules to the origin",
              farthest, worst);
}

/* Noise is a function of seed, step and molecule: a run that starts from the last frame of a run with the same seed
 * draws the same noise. */
static void note_same_noise(const struct rill_simulation *sim) {
  const struct rill_deck *deck = &sim->deck;
  const char *mark = strstr(sim->structure.title, RILL_TITLE_SEED);
  uint64_t seed, steps;
  double time;
  if (deck->thermostat.method == RILL_NO_BATH || deck->system.structure[0] == '\0' || mark == NULL ||
      sscanf(mark, RILL_TITLE_SEED "%" SCNu64 ", t= %lf step= %" SCNu64, &seed, &time, &steps) != 3 ||
      seed != deck->thermostat.seed || steps == 0)
    return;
  rill_note(sim->notes,
            "note: %s is the last frame, step %" PRIu64 ", of a run with thermostat.seed = %" PRIu64
            ", and this run has the same seed: it draws exactly the same noise again; give it another "
            "thermostat.seed",
            deck->system.structure, steps, seed);
}

void rill_warn_of_water(const struct rill_simulation *sim) {
  if (sim->notes == NULL) return;
  if (sim->continued == NULL) note_same_noise(sim);
  warn_of_late_statistics(sim);
  warn_of_friction(sim);
  rill_stable_step_warn(sim);
  warn_of_penalty(sim);
  warn_of_single_precision(sim);
}

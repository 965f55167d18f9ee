#include "simulation/stable_steps.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* From `rill compare --stability 100ps` for seven waters under gla at 10 K and at 300 K:
 * docs/choosing-an-integrator.md.  Steps in fs were tried in ratios of 2^(1/4).  The rows of a method are sorted by
 * stiffness, in akma; 0: rigid. */
static const struct measured {
  const char *method;
  bool rotor, full;
  double stiffness, cold, hot;
} measured[] = {
    {"verlet", false, false, 0, 11, 8},
    {"verlet", true, false, 0, 11, 11},
    {"dvp", false, false, 0, 13, 9.5},
    {"verlet", false, false, 20, 1, 0.84},
    {"verlet", false, false, 80, 0.25, 0.25},
    {"zss-simplified", false, false, 20, 8, 5.7},
    {"zss-simplified", false, false, 80, 8, 4},
    {"zss-simplified", false, false, 500, 8, 3.4},
    {"zss-simplified", false, true, 20, 4, 2},
    {"zss-simplified", false, true, 80, 1, 0.59},
    {"zs", false, false, 20, 2, 1.4},
    {"zs", false, false, 80, 0.71, 0.42},
    {"newmark-pushforward", false, false, 20, 13, 9.5},
    {"newmark-pushforward", false, false, 80, 13, 8},
    {"implicit-midpoint", false, false, 20, 16, 5.7},
    {"implicit-midpoint", false, false, 80, 9.5, 2.8},
};
enum { MEASURED = sizeof measured / sizeof measured[0] };
static const double cold = 10, hot = 300; /* K */

/* The method of a row.  Options with the identity filter are velocity Verlet with other step lengths; with springs
 * instead of constraints the discrete variational principle is the implicit midpoint rule. */
static const char *base_of(const struct rill_simulation *sim) {
  const struct rill_filter *filter = sim->method->filter;
  if (sim->deck.penalty.stiffness > 0 && strcmp(sim->method->name, "dvp") == 0) return "implicit-midpoint";
  return filter != NULL && filter->kind == RILL_FILTER_IDENTITY ? "verlet" : sim->method->name;
}

/* The longest step of the base within a step of the composition, as a fraction of it. */
static double longest_part(const struct rill_splitting *word, const struct rill_deck *deck) {
  double longest = 0;
  if (word == NULL || word->kind == RILL_SPLITTING_PLAIN) return 1;
  if (word->kind == RILL_SPLITTING_NESTED)
    return longest_part(word->base, deck) / (double)deck->integrator.options.substeps;
  for (size_t i = 0; i < word->factor_count; i++) longest = fmax(longest, fabs(word->factors[i]));
  return longest * longest_part(word->base, deck);
}

/* Interpolates linearly in the logarithms; outside the range the value of the nearer end. */
static double between(double x, double x0, double x1, double y0, double y1) {
  const double part = fmin(fmax(log(x / x0) / log(x1 / x0), 0), 1);
  return y0 * pow(y1 / y0, part);
}

/* The temperature as far as it is known: the bath's, or that of drawn velocities; otherwise the lowest. */
static double temperature_of(const struct rill_deck *deck) {
  if (deck->thermostat.method != RILL_NO_BATH)
    return fmax(deck->thermostat.temperature[0], deck->thermostat.temperature[1]);
  return deck->start.velocities == RILL_VELOCITIES_MAXWELL ? deck->start.temperature : cold;
}

static double at_temperature(const struct measured *row, double temperature) {
  return between(fmax(temperature, cold), cold, hot, row->cold, row->hot);
}

/* The limit of rigid molecules is the fastest libration, about the axis of the least moment of inertia: its period
 * over that of the molecule without a changed hydrogen_mass. */
static double libration(const struct rill_simulation *sim) {
  const struct rill_water_species *usual;
  struct rill_water_model model;
  struct rill_error unused = {0};
  double now[3], then[3];
  if (!(sim->deck.system.hydrogen_mass > 0) ||
      rill_water_species_find(sim->deck.system.model, &usual, &unused) != RILL_OK)
    return 1;
  model = rill_water_model_make(usual, sim->deck.system.coulomb_constant);
  rill_water_inertia(&sim->model, now);
  rill_water_inertia(&model, then);
  return sqrt(now[0] / then[0]);
}

double rill_stable_step(const struct rill_simulation *sim) {
  const struct rill_deck *deck = &sim->deck;
  const double stiffness = deck->penalty.stiffness * RILL_ANGSTROM * RILL_ANGSTROM / sqrt(RILL_KCAL);
  const double temperature = temperature_of(deck);
  const bool rotor = !(stiffness > 0) && deck->constraints.solver == RILL_BODIES_ROTOR;
  const bool full =
      (deck->integrator.reads & RILL_READS_HESSIAN) && deck->integrator.options.hessian == RILL_HESSIAN_STIFF;
  const struct measured *softer = NULL, *stiffer = NULL;
  double step;
  for (size_t i = 0; i < MEASURED; i++) {
    const struct measured *row = &measured[i];
    if (strcmp(row->method, base_of(sim)) != 0 || row->rotor != rotor || row->full != full ||
        (row->stiffness > 0) != (stiffness > 0))
      continue;
    if (softer == NULL || row->stiffness <= stiffness) softer = row;
    if (stiffer == NULL || stiffer->stiffness < stiffness) stiffer = row;
  }
  if (softer == NULL) return NAN;
  step = at_temperature(softer, temperature);
  if (stiffer != softer)
    step = between(stiffness, softer->stiffness, stiffer->stiffness, step, at_temperature(stiffer, temperature));
  if (!(stiffness > 0)) step *= libration(sim);
  return step * 1e-3 / longest_part(sim->method->splitting, deck);
}

void rill_stable_step_warn(const struct rill_simulation *sim) {
  const struct rill_deck *deck = &sim->deck;
  const double largest = rill_stable_step(sim);
  if (!(deck->integrator.step > 1.01 * largest)) return; /* the steps that were tried are 1.19 times apart */
  rill_note(
      sim->notes,
      "warning: step = %g fs is longer than %.2g fs, the longest step at which %s%s was stable with 7 water "
      "molecules at such a temperature (docs/choosing-an-integrator.md): the run will probably heat up and "
      "fail",
      deck->integrator.step * 1e3, largest * 1e3, deck->integrator.method,
      !(deck->penalty.stiffness > 0) && deck->constraints.solver == RILL_BODIES_ROTOR ? " with solver rotor" : "");
}

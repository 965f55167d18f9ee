#include "simulation/limits.h"

#include <math.h>

#include "analysis/verdicts.h"
#include "base/units.h"
#include "simulation/kind.h"
#include "simulation/small.h"
#include "simulation/water.h"

/* For water, besides those of analysis/verdicts.h.  A cluster that condenses from a gas reaches some 1600 K, one that
 * starts 0.22 nm apart 7000 K; the kinetic energy of six degrees of freedom reaches ten times its mean once in 1e12.
 * A molecule's binding energy in a cluster is 5 to 13 kJ/mol for each of its degrees of freedom, 0.5 k T at 300 K is
 * 1.2 kJ/mol. */
/* Ten times the loosest tolerance of constraints.  Stiff bonds may double, soft ones stretch by ten
 * thermal widths. */
static const double rigid_bond = 1e-3, thermal_widths = 10;
/* For small systems: relative to the start's energy scale; relative to the length of a penalised bar, which may be
 * arbitrarily soft. */
static const double small_energy_change = 20, small_bond = 10;

static double given_or(double given, double otherwise) { return given > 0 ? given : otherwise; }

/* The highest temperature of the bath; 0 without a bath. */
static double hottest_bath(const struct rill_deck *deck) {
  if (deck->thermostat.method == RILL_NO_BATH) return 0;
  return fmax(deck->thermostat.temperature[0], deck->thermostat.temperature[1]);
}

static double hottest(const struct rill_deck *deck, const struct rill_guard_start *start) {
  const double first = start->temperature > 0 ? start->temperature : 0; /* NaN without degrees of freedom */
  return fmax(first, hottest_bath(deck));
}

double rill_stop_stretch(double stiffness, double length, double temperature, double before) {
  const double width = sqrt(RILL_GAS_CONSTANT * temperature) / (stiffness * length * length);
  return sqrt(before * before + thermal_widths * width) - 1;
}

/* Friction by gamma has the rate gamma / m: at most that of the hydrogens.  v-rescale supplies as much energy as a
 * friction of 1 / (2 tau). */
double rill_stop_supply(const struct rill_deck *deck, const struct rill_water_model *model, double freedom) {
  const bool by_mass = deck->thermostat.friction_law == RILL_FRICTION_PER_MASS;
  const double rate =
      deck->thermostat.method == RILL_V_RESCALE
          ? 0.5 / deck->thermostat.tau
          : fmax(deck->thermostat.friction, deck->thermostat.rotation_friction) / (by_mass ? model->mass[1] : 1);
  if (deck->thermostat.method == RILL_NO_BATH) return 0;
  return rate * freedom * RILL_GAS_CONSTANT * hottest_bath(deck);
}

static struct rill_guard_bath bath_of_water(const struct rill_simulation *sim) {
  const struct rill_deck *deck = &sim->deck;
  return (struct rill_guard_bath){
      .on = deck->thermostat.method != RILL_NO_BATH,
      .supply = rill_stop_supply(deck, &sim->model, rill_simulation_degrees_of_freedom(sim)) * deck->integrator.step};
}

static struct rill_limits limits_of_water(const struct rill_simulation *sim, const struct rill_guard_start *start) {
  const struct rill_deck *deck = &sim->deck;
  const double temperature = hottest(deck, start), floor = fmax(temperature, RILL_ENERGY_TEMPERATURE);
  return (struct rill_limits){
      .temperature =
          given_or(deck->stop.max_temperature, fmax(RILL_HIGHEST_TEMPERATURE, RILL_TIMES_TEMPERATURE * temperature)),
      .energy_change = given_or(deck->stop.max_energy_change, RILL_ENERGY_CHANGE) *
                           rill_simulation_degrees_of_freedom(sim) * RILL_GAS_CONSTANT * floor +
                       RILL_BATH_FLUCTUATION * RILL_GAS_CONSTANT * hottest_bath(deck),
      .bond =
          given_or(deck->stop.max_bond, deck->penalty.stiffness > 0
                                            ? rill_stop_stretch(deck->penalty.stiffness, sim->model.bond[0], floor, 2)
                                            : rigid_bond),
  };
}

/* The temperature of a bath is the energy k T. */
static struct rill_guard_bath bath_of_small(const struct rill_simulation *sim) {
  const struct rill_deck *deck = &sim->deck;
  double least, most;
  if (deck->thermostat.method == RILL_NO_BATH) return (struct rill_guard_bath){0};
  sim->system.thermal->rates(sim->system.self, &least, &most);
  return (struct rill_guard_bath){
      .on = true,
      .supply = most * rill_simulation_degrees_of_freedom(sim) * hottest_bath(deck) * deck->integrator.step};
}

/* A system without energy at the start cannot gain a multiple of it: any gain is an error of the method, unless a
 * bath supplies it, whose k T for each degree of freedom belongs to the scale. */
static struct rill_limits limits_of_small(const struct rill_simulation *sim, const struct rill_guard_start *start) {
  const struct rill_deck *deck = &sim->deck;
  /* Given forces may supply any energy. */
  const double usual = deck->force.on || deck->control.on ? INFINITY : small_energy_change;
  const double factor = given_or(deck->stop.max_energy_change, usual), heat = hottest_bath(deck),
               scale = start->energy_scale + rill_simulation_degrees_of_freedom(sim) * heat;
  return (struct rill_limits){
      .temperature = INFINITY,
      .energy_change = scale > 0 ? factor * scale + RILL_BATH_FLUCTUATION * heat : INFINITY,
      .bond = given_or(deck->stop.max_bond, small_bond),
  };
}

void rill_water_limit(struct rill_simulation *sim) {
  sim->guard.limits = limits_of_water(sim, &sim->guard.start);
  sim->guard.bath = bath_of_water(sim);
}

void rill_small_limit(struct rill_simulation *sim) {
  sim->guard.limits = limits_of_small(sim, &sim->guard.start);
  sim->guard.bath = bath_of_small(sim);
}

static enum rill_status refuse_start(const struct rill_deck *deck, struct rill_error *error) {
  error->status = RILL_ERROR_INPUT;
  return rill_error_prefix(error, "%s: the run would stop at its start", deck->path);
}

static enum rill_status read_start(struct rill_simulation *sim, struct rill_error *error) {
  struct rill_guard *guard = &sim->guard;
  if (rill_guard_begin(guard, &sim->system, error) != RILL_OK)
    return error->status == RILL_ERROR_NOT_FINITE ? refuse_start(&sim->deck, error) : error->status;
  if (sim->continued == NULL) return RILL_OK;
  rill_archive_enter(sim->continued, "stop");
  rill_guard_archive(guard, sim->continued);
  RILL_TRY(rill_archive_status(sim->continued, error));
  rill_archive_leave(sim->continued);
  return RILL_OK;
}

enum rill_status rill_simulation_watch_limits(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_guard *guard = &sim->guard;
  if (sim->kind->watch != NULL) return sim->kind->watch(sim, error);
  RILL_TRY(read_start(sim, error));
  sim->kind->limit(sim);
  if (sim->continued != NULL || rill_guard_judge(guard, &guard->observation, 0, error) == RILL_OK) return RILL_OK;
  return refuse_start(&sim->deck, error);
}

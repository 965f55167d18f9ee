#include "cli/stop.h"

#include <math.h>

#include "analysis/verdicts.h"
#include "base/units.h"

/* Of water, beside those of analysis/verdicts.h.  A cluster that condenses from a gas reaches some 1600 K, one that
 * starts 0.22 nm apart 7000 K; the kinetic energy of six degrees of freedom gets to ten times its mean once in 1e12.
 * A molecule's binding energy in a cluster is 5 to 13 kJ/mol for each of its degrees of freedom, 0.5 k T at 300 K is
 * 1.2 kJ/mol. */
/* Ten times the loosest tolerance of constraints.  Stiff bonds may double, soft ones stretch by ten
 * thermal widths. */
static const double rigid_bond = 1e-3, thermal_widths = 10;
/* Small systems: of the start's energy scale; of a penalised bar, which may be as soft as one likes. */
static const double small_energy_change = 20, small_bond = 10;

static double given_or(double given, double otherwise) { return given > 0 ? given : otherwise; }

/* K; 0 without a bath. */
static double hottest_bath(const struct rill_deck *deck) {
  if (deck->thermostat.method == RILL_THERMOSTAT_NONE) return 0;
  return fmax(deck->thermostat.temperature[0], deck->thermostat.temperature[1]);
}

static double hottest(const struct rill_deck *deck, const struct rill_guard_start *start) {
  const double first = start->temperature > 0 ? start->temperature : 0; /* NaN: one that has no degree of freedom */
  return fmax(first, hottest_bath(deck));
}

double rill_stop_stretch(double stiffness, double length, double temperature, double before) {
  const double width = sqrt(RILL_GAS_CONSTANT * temperature) / (stiffness * length * length);
  return sqrt(before * before + thermal_widths * width) - 1;
}

static double freedom_of(const struct rill_setup *setup) {
  return setup->system.ops->degrees_of_freedom(setup->system.self);
}

/* Friction by gamma is a rate gamma / m: at most that of the hydrogens. */
double rill_stop_supply(const struct rill_deck *deck, const struct rill_water_model *model, double freedom) {
  const bool by_mass = deck->thermostat.friction_kind == RILL_FRICTION_GAMMA;
  const double rate = deck->thermostat.friction / (by_mass ? model->mass[1] : 1);
  if (deck->thermostat.method == RILL_THERMOSTAT_NONE) return 0;
  return rate * freedom * RILL_GAS_CONSTANT * hottest_bath(deck);
}

static struct rill_guard_bath bath_of_water(const struct rill_setup *setup) {
  const struct rill_deck *deck = &setup->deck;
  return (struct rill_guard_bath){
      .on = deck->thermostat.method != RILL_THERMOSTAT_NONE,
      .supply = rill_stop_supply(deck, &setup->model, freedom_of(setup)) * deck->integrator.step};
}

static struct rill_limits limits_of_water(const struct rill_setup *setup, const struct rill_guard_start *start) {
  const struct rill_deck *deck = &setup->deck;
  const double temperature = hottest(deck, start), floor = fmax(temperature, RILL_ENERGY_TEMPERATURE);
  return (struct rill_limits){
      .temperature =
          given_or(deck->stop.max_temperature, fmax(RILL_HIGHEST_TEMPERATURE, RILL_TIMES_TEMPERATURE * temperature)),
      .energy_change = given_or(deck->stop.max_energy_change, RILL_ENERGY_CHANGE) * freedom_of(setup) *
                           RILL_GAS_CONSTANT * floor + RILL_BATH_FLUCTUATION * RILL_GAS_CONSTANT * hottest_bath(deck),
      .bond = given_or(deck->stop.max_bond,
                       deck->penalty.stiffness > 0
                           ? rill_stop_stretch(deck->penalty.stiffness, setup->model.bond[0], floor, 2)
                           : rigid_bond),
  };
}

/* A system that has no energy at the start cannot gain a multiple of it: any gain is an error of its method. */
static struct rill_limits limits_of_small(const struct rill_deck *deck, const struct rill_guard_start *start) {
  const double factor = given_or(deck->stop.max_energy_change, small_energy_change);
  return (struct rill_limits){
      .temperature = INFINITY,
      .energy_change = start->energy_scale > 0 ? factor * start->energy_scale : INFINITY,
      .bond = given_or(deck->stop.max_bond, small_bond),
  };
}

static enum rill_status refuse_start(const struct rill_deck *deck, struct rill_error *error) {
  error->status = RILL_ERROR_INPUT;
  return rill_error_prefix(error, "%s: the run would stop at its start", deck->path);
}

static enum rill_status read_start(struct rill_guard *guard, const struct rill_system *system,
                                   const struct rill_deck *deck, struct rill_archive *continued,
                                   struct rill_error *error) {
  if (rill_guard_begin(guard, system, error) != RILL_OK)
    return error->status == RILL_ERROR_NOT_FINITE ? refuse_start(deck, error) : error->status;
  if (continued == NULL) return RILL_OK;
  rill_archive_enter(continued, "stop");
  rill_guard_archive(guard, continued);
  RILL_TRY(rill_archive_status(continued, error));
  rill_archive_leave(continued);
  return RILL_OK;
}

static enum rill_status judge_start(const struct rill_guard *guard, const struct rill_deck *deck,
                                    const struct rill_archive *continued, struct rill_error *error) {
  if (continued != NULL || rill_guard_judge(guard, &guard->observation, 0, error) == RILL_OK) return RILL_OK;
  return refuse_start(deck, error);
}

enum rill_status rill_stop_begin_water(const struct rill_setup *setup, struct rill_guard *guard,
                                       struct rill_error *error) {
  RILL_TRY(read_start(guard, &setup->system, &setup->deck, setup->continued, error));
  guard->limits = limits_of_water(setup, &guard->start);
  guard->bath = bath_of_water(setup);
  return judge_start(guard, &setup->deck, setup->continued, error);
}

enum rill_status rill_stop_begin_small(const struct rill_small *small, const struct rill_deck *deck,
                                       struct rill_archive *continued, struct rill_guard *guard,
                                       struct rill_error *error) {
  RILL_TRY(read_start(guard, &small->system, deck, continued, error));
  guard->limits = limits_of_small(deck, &guard->start);
  return judge_start(guard, deck, continued, error);
}

static void put(FILE *stream, bool *any, const char *format, double limit, const char *unit) {
  if (isinf(limit)) return;
  fputs(*any ? ", " : "when ", stream);
  fprintf(stream, format, limit, unit);
  *any = true;
}

void rill_stop_describe(const struct rill_guard *guard, const struct rill_deck *deck, FILE *stream) {
  const struct rill_limits *limits = &guard->limits;
  const char *unit = deck->units == RILL_UNITS_MOLECULAR ? " kJ/mol" : deck->units == RILL_UNITS_SI ? " J" : "";
  bool any = false;
  fputs("  stop         ", stream);
  put(stream, &any, "T > %.4g%s", limits->temperature, " K");
  put(stream, &any, guard->bath.on ? "E gains %.4g%s beyond what the bath supplies" : "|E - E0| > %.4g%s",
      limits->energy_change, unit);
  if (!isnan(guard->observation.bond_deviation)) put(stream, &any, "a bond is off by %.3g%s", limits->bond, " of its length");
  fputs(any ? "\n" : "only when a number is not finite\n", stream);
}

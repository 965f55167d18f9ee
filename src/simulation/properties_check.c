/* Refuses properties that a run cannot give, by name and with the reason. */
#include <math.h>
#include <string.h>

#include "deck/deck.h"
#include "simulation/properties.h"

struct fault {
  bool found;
  unsigned words;
  const char *what;
};

/* The first of the words that the deck names. */
static const char *word_of(unsigned words, unsigned compute) {
  for (const struct rill_choice *choice = rill_property_choices; choice->word != NULL; choice++)
    if (choice->value & words & compute) return choice->word;
  return "";
}

static enum rill_status check_interval(const struct rill_deck *deck, const char *key, uint64_t interval,
                                       struct rill_error *error) {
  char place[RILL_DECK_PLACE];
  if (!rill_deck_gives(deck, "properties", key) || interval % deck->properties.interval == 0) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_INPUT, "%s: [properties] %s = %g fs is no multiple of interval = %g fs; expected one",
      rill_deck_place(deck, "properties", key, place), key, (double)interval * deck->integrator.step * 1e3,
      (double)deck->properties.interval * deck->integrator.step * 1e3);
}

static enum rill_status check_times(const struct rill_deck *deck, struct rill_error *error) {
  const double interval = (double)deck->properties.motion_interval * deck->integrator.step;
  char place[RILL_DECK_PLACE];
  RILL_TRY(check_interval(deck, "motion_interval", deck->properties.motion_interval, error));
  RILL_TRY(check_interval(deck, "energy_interval", deck->properties.energy_interval, error));
  RILL_TRY(check_interval(deck, "bond_interval", deck->properties.bond_interval, error));
  if (deck->properties.window >= 10 * interval && deck->properties.window <= 1e5 * interval) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [properties] window = %g ps: expected 10 to 100000 times motion_interval, %g ps",
                        rill_deck_place(deck, "properties", "window", place), deck->properties.window, interval);
}

/* Defaults that are no multiple of the interval are rounded up to one. */
static void round_default(struct rill_deck *deck, const char *key, uint64_t *steps) {
  const uint64_t of = deck->properties.interval;
  if (!rill_deck_gives(deck, "properties", key)) *steps = (*steps + of - 1) / of * of;
}

void rill_properties_round(struct rill_deck *deck) {
  if (!deck->properties.on) return;
  round_default(deck, "motion_interval", &deck->properties.motion_interval);
  round_default(deck, "energy_interval", &deck->properties.energy_interval);
  round_default(deck, "bond_interval", &deck->properties.bond_interval);
}

enum rill_status rill_properties_check(const struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  const double *t = deck->thermostat.temperature;
  const bool bath = deck->thermostat.method != RILL_NO_BATH, barostat = deck->barostat.method != RILL_NO_BAROSTAT;
  const unsigned volume = RILL_PROPERTY_EXPANSION | RILL_PROPERTY_COMPRESSIBILITY,
                 dynamics = RILL_PROPERTY_DIFFUSION | RILL_PROPERTY_VISCOSITY | RILL_PROPERTY_DIPOLE |
                            RILL_PROPERTY_VELOCITY,
                 all = ~0u;
  const struct fault faults[] = {
      {deck->field.on, all, "in a field or a trap, where the liquid is not isotropic: run it without [field]"},
      {deck->ensemble.on, all, "of an ensemble: run one system"},
      {bath && t[0] != t[1], all, "while the bath's temperature changes: a property belongs to one temperature"},
      {bath && !(t[0] > 0), all, "at 0 K: fluctuations are divided by the temperature"},
      {deck->thermostat.method == RILL_GHMC, dynamics,
       "of a run with ghmc, which has no dynamics: momenta are reversed where trials are rejected; use no "
       "thermostat, or a weak one"},
      {!bath, RILL_PROPERTY_HEAT_CAPACITY | RILL_PROPERTY_FLUCTUATIONS,
       "at constant energy, which does not fluctuate; use a thermostat"},
      {!barostat, volume, "at constant volume; use a barostat"},
      {deck->forces.coulomb != RILL_COULOMB_EWALD, RILL_PROPERTY_DIELECTRIC,
       "with a cutoff of Coulomb's forces: the formula is that of a conducting boundary; use forces.coulomb = pme"},
  };
  char place[RILL_DECK_PLACE];
  if (!deck->properties.on) return RILL_OK;
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    if (faults[i].found && (faults[i].words & deck->properties.compute))
      return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "%s: [properties] compute: no %s %s",
                            rill_deck_place(deck, "properties", "compute", place),
                            word_of(faults[i].words, deck->properties.compute), faults[i].what);
  return check_times(deck, error);
}

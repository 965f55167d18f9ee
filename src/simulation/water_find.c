/* Looks up what a water deck names, and refuses incompatible keys. */
#include "simulation/water.h"

#include <inttypes.h>
#include <string.h>

#include "simulation/properties.h"
#include "water/model/site.h"

/* Smallest tolerance of nonlinear solves with forces in single precision, relative to 10 nm. */
static const double mixed_tolerance = 1e-11;

bool rill_water_is_periodic(const struct rill_deck *deck) { return deck->system.boundary == RILL_BOUNDARY_PERIODIC; }

bool rill_water_has_electric(const struct rill_deck *deck) {
  const double *field = deck->field.electric;
  return deck->field.on && (field[0] != 0 || field[1] != 0 || field[2] != 0);
}

/* Kernels other than instruction sets use the widest available vectors. */
static enum rill_isa isa_of(enum rill_kernel kernel) {
  return kernel < RILL_KERNEL_PORTABLE ? rill_isa_best() : (enum rill_isa)(kernel - RILL_KERNEL_PORTABLE);
}

struct boundary_fault {
  bool wanted;
  const char *section, *key, *what;
};

static enum rill_status refuse(const struct rill_deck *deck, const struct boundary_fault *faults, size_t count,
                               const char *boundary, struct rill_error *error) {
  char place[RILL_DECK_PLACE];
  for (size_t i = 0; i < count; i++)
    if (faults[i].wanted)
      return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "%s: [%s] %s is incompatible with %s: %s",
                            rill_deck_place(deck, faults[i].section, faults[i].key, place), faults[i].section,
                            faults[i].key, boundary, faults[i].what);
  return RILL_OK;
}

/* Whether single precision is too coarse for the nonlinear solves of the method. */
static bool solves_too_tightly(const struct rill_deck *deck) {
  return (deck->integrator.reads & RILL_READS_SOLVER) && deck->forces.precision == RILL_PRECISION_MIXED &&
         deck->integrator.options.tolerance < mixed_tolerance;
}
static const char mixed_solves[] =
    "with forces in single precision its nonlinear solves converge only to 1e-11 nm; use forces.precision = double, "
    "or an integrator.tolerance of at least 1e-11";

/* Refuses what is not supported in boxes. */
static enum rill_status check_periodic(const struct rill_deck *deck, struct rill_error *error) {
  const struct boundary_fault faults[] = {
      {deck->forces.coulomb == RILL_COULOMB_ALL, "forces", "coulomb",
       "a box has infinitely many pairs; use pme, reaction-field or cut"},
      {deck->start.remove == RILL_REMOVE_ALL_MOMENTA, "start", "remove",
       "angular momentum is not conserved in a box; use linear"},
      {deck->penalty.stiffness > 0 && deck->start.minimize, "start", "minimize",
       "stiff bonds are relaxed in vacuum only; relax rigid molecules first, with rill minimize"},
      {deck->confine.on, "confine", "radius", "molecules cannot leave a box"},
      {solves_too_tightly(deck), "integrator", "method", mixed_solves},
      {deck->rdf.on && deck->ensemble.on && deck->rdf.pairs != RILL_DISTANCES_OO, "rdf", "pair",
       "distances of hydrogens are not counted in an ensemble; use O-O"},
  };
  return refuse(deck, faults, sizeof faults / sizeof faults[0], "boundary = periodic", error);
}

static enum rill_status check_vacuum(const struct rill_deck *deck, struct rill_error *error) {
  const struct boundary_fault of_vacuum[] = {
      {deck->rdf.on && deck->rdf.pairs != RILL_DISTANCES_OO, "rdf", "pair",
       "distances of hydrogens are counted in boxes; use O-O"},
      {deck->forces.coulomb == RILL_COULOMB_EWALD, "forces", "coulomb",
       "a mesh needs a box; use all, reaction-field or cut"},
  };
  const struct boundary_fault of_mixed[] = {
      {deck->forces.precision == RILL_PRECISION_MIXED && deck->forces.kernel == RILL_KERNEL_REFERENCE, "forces",
       "kernel", "the reference is in double precision"},
      {solves_too_tightly(deck), "integrator", "method", mixed_solves},
  };
  RILL_TRY(refuse(deck, of_vacuum, sizeof of_vacuum / sizeof of_vacuum[0], "boundary = vacuum", error));
  return refuse(deck, of_mixed, sizeof of_mixed / sizeof of_mixed[0], "forces.precision = mixed", error);
}

/* Below 1e-6 fs positions do not change even in their last digits; in 1 ps a hydrogen rotates several times. */
static enum rill_status check_step(const struct rill_deck *deck, struct rill_error *error) {
  const double step = deck->integrator.step, rounding = 1e-12; /* ps */
  const double shortest = 1e-9 * (1 - rounding), longest = 1 + rounding;
  char place[RILL_DECK_PLACE];
  if (step >= shortest && step <= longest) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [integrator] step = %.6g fs: a step for water is expected to be 1e-6 to 1000 fs, and is "
                        "usually 1 to 4 fs; is the unit right?",
                        rill_deck_place(deck, "integrator", "step", place), step * 1e3);
}

/* A trial is accepted at one temperature, which the states between trials keep. */
static enum rill_status check_trials(const struct rill_deck *deck, struct rill_error *error) {
  const double *t = deck->thermostat.temperature;
  char place[RILL_DECK_PLACE];
  if (deck->thermostat.method != RILL_GHMC) return RILL_OK;
  if (t[0] != t[1])
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%s: [thermostat] temperature = %g K -> %g K is incompatible with method = ghmc, which "
                          "samples the ensemble of one temperature; use gla or baoab for a ramp",
                          rill_deck_place(deck, "thermostat", "temperature", place), t[0], t[1]);
  if (t[0] > 0) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_INPUT,
      "%s: [thermostat] temperature = %g K: method = ghmc divides energies by it; expected more than "
      "0 K (gla and baoab take 0 K)",
      rill_deck_place(deck, "thermostat", "temperature", place), t[0]);
}

static struct rill_water_species custom_species(const struct rill_deck *deck) {
  return (struct rill_water_species){.name = RILL_WATER_CUSTOM,
                                     .title = "the numbers of the deck",
                                     .r_oh = deck->system.custom.r_oh,
                                     .angle = deck->system.custom.angle,
                                     .charge_h = deck->system.custom.charge_h,
                                     .r_om = deck->system.custom.r_om,
                                     .sigma = deck->system.custom.sigma,
                                     .epsilon = deck->system.custom.epsilon,
                                     .mass_o = deck->system.custom.mass_o,
                                     .mass_h = deck->system.custom.mass_h,
                                     .citation = ""};
}

enum rill_status rill_water_model_of_deck(const struct rill_deck *deck, struct rill_water_species *species,
                                          struct rill_water_model *model, struct rill_error *error) {
  const struct rill_water_species *row;
  enum rill_status status = RILL_OK;
  char place[RILL_DECK_PLACE];
  if (strcmp(deck->system.model, RILL_WATER_CUSTOM) == 0) {
    *species = custom_species(deck);
  } else {
    status = rill_water_species_find(deck->system.model, &row, error);
    if (status == RILL_OK) *species = *row;
  }
  if (status == RILL_OK && deck->system.hydrogen_mass > 0) {
    species->mass_o -= 2 * (deck->system.hydrogen_mass - species->mass_h);
    species->mass_h = deck->system.hydrogen_mass;
  }
  if (status == RILL_OK) status = rill_water_model_of(species, deck->system.coulomb_constant, model, error);
  if (status == RILL_OK) return RILL_OK;
  return rill_error_prefix(error, "%s: [system] model", rill_deck_place(deck, "system", "model", place));
}

/* The energy of a barostat's move and the pressure of its drift must belong to one potential, of which a bare cutoff
 * is none: the virial does not see the pairs that cross it.  (A reaction field ends at zero for atoms, but not for
 * the atoms of a molecule that is cut as a whole.) */
static enum rill_status check_barostat(const struct rill_deck *deck, struct rill_error *error) {
  const double *t = deck->thermostat.temperature;
  const char *method = rill_choice_word(rill_barostat_choices, deck->barostat.method);
  const double between = (double)deck->barostat.interval * deck->integrator.step;
  char place[RILL_DECK_PLACE], of[64];
  const struct boundary_fault faults[] = {
      {deck->ensemble.on, "ensemble", "replicas", "exchanges take the energies of one volume; run one system"},
      {deck->thermostat.method == RILL_NO_BATH || deck->thermostat.method == RILL_GHMC, "thermostat", "method",
       "the momenta need a heat bath; use baoab, gla or v-rescale"},
      {deck->field.on && deck->field.trap > 0, "field", "trap",
       "the trap does not scale with the cell; remove it, or use constant volume"},
      {deck->thermostat.method != RILL_NO_BATH && !(t[0] > 0 && t[1] > 0), "thermostat", "temperature",
       "energies are divided by it; expected more than 0 K"},
      {deck->forces.lj == RILL_LJ_CUT, "forces", "lj",
       "the energy of a bare cutoff jumps, which the pressure does not see; use shift or switch"},
      {deck->forces.coulomb == RILL_COULOMB_CUT, "forces", "coulomb",
       "the energy of a bare cutoff jumps, which the pressure does not see; use pme"},
      {deck->forces.coulomb == RILL_COULOMB_REACTION_FIELD && deck->forces.cutoff_by != RILL_CUTOFF_ATOM, "forces",
       "cutoff_by",
       "the energy jumps where whole molecules cross the cutoff of a reaction field; use atom, or "
       "coulomb = pme"},
      {!deck->forces.tail, "forces", "tail", "without the tail the density is too low; use yes"},
  };
  if (deck->barostat.method == RILL_NO_BAROSTAT) return RILL_OK;
  snprintf(of, sizeof of, "barostat.method = %s", method);
  RILL_TRY(refuse(deck, faults, sizeof faults / sizeof faults[0], of, error));
  if (deck->barostat.tau < between)
    return rill_error_set(
        error, RILL_ERROR_INPUT,
        "%s: [barostat] tau = %g ps is shorter than the time between two moves, %g ps: the proposals "
        "would be rejected; expected ten times that time or more",
        rill_deck_place(deck, "barostat", "tau", place), deck->barostat.tau, between);
  if (deck->barostat.interval <= deck->integrator.steps) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_INPUT,
      "%s: [barostat] interval = %" PRIu64 " steps, and the run has %" PRIu64 ": the cell would not move",
      rill_deck_place(deck, "barostat", "interval", place), deck->barostat.interval, deck->integrator.steps);
}

/* One factor for all velocities scales the momentum of the whole and, in vacuum, its angular momentum, but does not
 * turn them: they have to be zero, and conserved. */
static enum rill_status check_rescaling(const struct rill_deck *deck, struct rill_error *error) {
  const bool vacuum = !rill_water_is_periodic(deck), electric = rill_water_has_electric(deck);
  const enum rill_momentum_removal remove = deck->start.remove;
  const struct boundary_fault faults[] = {
      {remove == RILL_KEEP_MOMENTUM || (vacuum && remove == RILL_REMOVE_LINEAR_MOMENTUM), "start", "remove",
       "momenta that are conserved would keep their directions, and are removed; use auto"},
      {vacuum && electric, "field", "electric",
       "the angular momentum along the field is conserved, and would keep its direction; use gla or baoab"},
      {deck->field.on && deck->field.trap > 0, "field", "trap",
       "the motion of the whole in the trap exchanges no energy with the rest; use gla or baoab"},
  };
  if (deck->thermostat.method != RILL_V_RESCALE) return RILL_OK;
  return refuse(deck, faults, sizeof faults / sizeof faults[0], "thermostat.method = v-rescale", error);
}

static enum rill_status check_field(const struct rill_deck *deck, struct rill_error *error) {
  const struct boundary_fault faults[] = {
      {deck->ensemble.quench_interval > 0, "ensemble", "quench_interval",
       "minima are those of molecules without a field; remove one of them"},
  };
  return deck->field.on ? refuse(deck, faults, sizeof faults / sizeof faults[0], "[field]", error) : RILL_OK;
}

/* Checks what src/deck cannot. */
enum rill_status rill_water_find(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  char place[RILL_DECK_PLACE];
  RILL_TRY(check_step(deck, error));
  RILL_TRY(check_trials(deck, error));
  RILL_TRY(check_barostat(deck, error));
  RILL_TRY(check_rescaling(deck, error));
  RILL_TRY(check_field(deck, error));
  rill_properties_round(&sim->deck);
  RILL_TRY(rill_properties_check(sim, error));
  RILL_TRY(rill_water_is_periodic(deck) ? check_periodic(deck, error) : check_vacuum(deck, error));
  RILL_TRY(rill_water_model_of_deck(deck, &sim->species, &sim->model, error));
  rill_site_effective_charges(&sim->model, sim->atom_charge);
  sim->isa = isa_of(deck->forces.kernel);
  if (!rill_isa_available(sim->isa))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: [forces] kernel = %s: this processor does not support it; use auto",
                          rill_deck_place(deck, "forces", "kernel", place), rill_isa_name(sim->isa));
  return rill_find_method(deck, &sim->method, error);
}

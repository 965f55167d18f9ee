#include "show/plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "deck/kind.h"
#include "deck/schema.h"
#include "show/ensemble.h"
#include "show/model.h"
#include "simulation/simulation.h"
#include "simulation/water.h"

void rill_describe_accuracy(const struct rill_force_accuracy *measured, FILE *stream) {
  fprintf(stream, "error of the forces %.2g, relative to ", measured->error);
  if (measured->scale > measured->rms_force)
    fprintf(stream, "%.4g kJ/mol/nm, kT/nm at 300 K, since their rms, %.3g, is smaller", measured->scale,
            measured->rms_force);
  else fprintf(stream, "their rms, %.4g kJ/mol/nm", measured->scale);
  fprintf(stream, "; measured on %zu molecule%s against a direct Ewald sum", measured->molecules,
          measured->molecules == 1 ? "" : "s");
  if (isfinite(measured->energy_error))
    fprintf(stream, "; error of the Coulomb energy %.2g kJ/mol per molecule", measured->energy_error);
}

static void describe_options(const struct rill_deck *deck, FILE *stream) {
  size_t count;
  const struct rill_key *keys = rill_keys(&count);
  for (size_t i = 0; i < count; i++) {
    if (!rill_key_is_read_option(&keys[i], deck)) continue;
    fprintf(stream, ", %s ", keys[i].name);
    rill_kind_write(&keys[i], deck, stream);
  }
}

/* The units of a bath: of its temperature, and of its friction by law. */
static const char *unit_of_temperature(const struct rill_deck *deck) {
  return deck->units == RILL_UNITS_MOLECULAR ? " K" : deck->units == RILL_UNITS_SI ? " J" : "";
}

static const char *unit_of_friction(const struct rill_deck *deck) {
  const bool by_mass = deck->thermostat.friction_law == RILL_FRICTION_PER_MASS;
  if (deck->units == RILL_UNITS_NONE) return by_mass ? " (gamma)" : "";
  if (deck->units == RILL_UNITS_SI) return by_mass ? " kg/s" : " /s";
  return by_mass ? " u/ps" : " /ps";
}

static void describe_thermostat(const struct rill_deck *deck, FILE *stream) {
  const char *unit = unit_of_temperature(deck);
  if (deck->thermostat.method == RILL_NO_BATH) {
    fputs("none (constant energy)\n", stream);
    return;
  }
  fputs(rill_choice_word(rill_thermostat_choices, deck->thermostat.method), stream);
  if (deck->ensemble.temperatures.count == 0)
    fprintf(stream, ", %s%g%s", deck->units == RILL_UNITS_MOLECULAR ? "" : "k T = ", deck->thermostat.temperature[0],
            unit);
  if (deck->thermostat.temperature[1] != deck->thermostat.temperature[0])
    fprintf(stream, " -> %g%s", deck->thermostat.temperature[1], unit);
  if (deck->thermostat.method == RILL_V_RESCALE) fprintf(stream, ", tau %g ps", deck->thermostat.tau);
  else fprintf(stream, ", friction %g%s", deck->thermostat.friction, unit_of_friction(deck));
  if (deck->thermostat.rotation_friction > 0)
    fprintf(stream, " (rotation %g /ps)", deck->thermostat.rotation_friction);
  fprintf(stream, ", seed %" PRIu64, deck->thermostat.seed);
  if (deck->thermostat.method == RILL_GHMC)
    fprintf(stream, ", trials of %" PRIu64 " step%s", deck->thermostat.trial_steps,
            deck->thermostat.trial_steps == 1 ? "" : "s");
  if (deck->thermostat.measure != RILL_MEASURE_CONSTRAINED)
    fprintf(stream, ", measure %s", rill_choice_word(rill_measure_choices, deck->thermostat.measure));
  fputc('\n', stream);
}

static void describe_barostat(const struct rill_deck *deck, FILE *stream) {
  fprintf(stream,
          "  barostat     %s, %.10g bar, %s, tau %g ps, compressibility %.4g /bar, a move in %" PRIu64 " steps\n",
          rill_choice_word(rill_barostat_choices, deck->barostat.method), deck->barostat.pressure / RILL_BAR,
          rill_choice_word(rill_shape_choices, deck->barostat.shape), deck->barostat.tau,
          deck->barostat.compressibility * RILL_BAR, deck->barostat.interval);
}

static void describe_penalty(const struct rill_simulation *sim, FILE *stream) {
  double w = sim->deck.penalty.stiffness, d2 = sim->model.bond[0] * sim->model.bond[0], k = 4 * d2 * w * w;
  fprintf(
      stream,
      "  bonds        stiff springs, w = %g sqrt(kJ/mol)/nm2 = %g akma: O-H like %.6g kJ/mol/nm2 = %.4g kcal/mol/A2",
      w, w * RILL_ANGSTROM * RILL_ANGSTROM / sqrt(RILL_KCAL), k, k * RILL_ANGSTROM * RILL_ANGSTROM / RILL_KCAL);
}

static double density_of(const struct rill_simulation *sim, double volume) {
  const double *mass = sim->model.mass;
  return (double)sim->structure.molecules * (mass[0] + mass[1] + mass[2]) / (volume * RILL_GRAM_PER_CM3);
}

static const char *kernel_of(const struct rill_simulation *sim) {
  return sim->deck.forces.kernel == RILL_KERNEL_REFERENCE ? "reference" : rill_isa_name(sim->isa);
}

static void describe_work(const struct rill_simulation *sim, FILE *stream) {
  fprintf(stream, ", %s precision, %s kernel, %d thread%s\n",
          rill_choice_word(rill_precision_choices, sim->deck.forces.precision), kernel_of(sim), sim->threads,
          sim->threads == 1 ? "" : "s");
}

static void describe_box(const struct rill_simulation *sim, FILE *stream) {
  const double(*box)[3] = (const double(*)[3])sim->structure.box;
  const double volume = box[0][0] * box[1][1] * box[2][2];
  fprintf(stream, "  box          (%g, %g, %g), (%g, %g, %g), (%g, %g, %g) nm: %.4g nm3, %.4g g/cm3\n", box[0][0],
          box[0][1], box[0][2], box[1][0], box[1][1], box[1][2], box[2][0], box[2][1], box[2][2], volume,
          density_of(sim, volume));
}

/* Forces within a cutoff. */
static void describe_cutoff(const struct rill_simulation *sim, FILE *stream) {
  static const char *const lj[] = {[RILL_LJ_CUT] = "cut", [RILL_LJ_SHIFT] = "shifted", [RILL_LJ_SWITCH] = "switched"};
  const struct rill_deck *deck = &sim->deck;
  struct rill_periodic_counts counts;
  fprintf(stream, "  forces       within %g nm by %s, Lennard-Jones %s%s, Coulomb %s", deck->forces.cutoff,
          deck->forces.cutoff_by == RILL_CUTOFF_ATOM ? "atoms" : "molecules", lj[deck->forces.lj],
          deck->forces.tail ? " with its tail" : "", rill_choice_word(rill_coulomb_choices, deck->forces.coulomb));
  describe_work(sim, stream);
  if (deck->forces.coulomb == RILL_COULOMB_EWALD)
    fprintf(stream, "  mesh         beta %.4g /nm, splines of order %d, grid %zu x %zu x %zu%s\n", sim->mesh.beta,
            sim->mesh.order, sim->mesh.grid[0], sim->mesh.grid[1], sim->mesh.grid[2],
            deck->forces.precision != RILL_PRECISION_MIXED || sim->mesh.precision != RILL_MESH_DOUBLE ? ""
            : sim->mesh.order > rill_pme_order_max(RILL_MESH_SINGLE)
                ? ", in double precision, since single precision has no such order"
                : ", in double precision, since single precision does not reach the accuracy");
  if (sim->accuracy.molecules > 0) {
    fputs("  accuracy     ", stream);
    rill_describe_accuracy(&sim->accuracy, stream);
    fputs(", at the start\n", stream);
  }
  if (deck->forces.kernel == RILL_KERNEL_REFERENCE) return;
  rill_water_list_counts(rill_simulation_first_system(sim), &counts);
  fprintf(stream,
          "  lists        buffer %.3g nm, pruned to %.3g nm; rebuilt before any two molecules have together moved "
          "further: no pair is missed\n",
          counts.buffer, counts.inner_buffer);
}

static void describe_field(const struct rill_deck *deck, FILE *stream) {
  const double *electric = deck->field.electric, *centre = deck->field.centre;
  fprintf(stream, "  field        electric (%g, %g, %g) V/nm", electric[0] / RILL_VOLT, electric[1] / RILL_VOLT,
          electric[2] / RILL_VOLT);
  if (deck->field.trap > 0)
    fprintf(stream, ", trap %g kJ/mol/nm2 at (%g, %g, %g) nm", deck->field.trap, centre[0], centre[1], centre[2]);
  fputc('\n', stream);
}

static void describe_water(const struct rill_simulation *sim, FILE *stream) {
  const struct rill_deck *deck = &sim->deck;
  fprintf(stream, "  system       %zu water molecule%s (%s) in %s, %g degrees of freedom\n", sim->structure.molecules,
          sim->structure.molecules == 1 ? "" : "s", sim->model.name,
          rill_water_is_periodic(deck) ? "a periodic box" : "vacuum",
          sim->system.ops->degrees_of_freedom(sim->system.self));
  if (deck->confine.on)
    fprintf(stream, "  confined     within %g nm of the centre, %g kJ/mol/nm2\n", deck->confine.radius,
            deck->confine.stiffness);
  if (deck->field.on) describe_field(deck, stream);
  fprintf(stream, "  integrator   %s", rill_simulation_method(sim));
  describe_options(deck, stream);
  fprintf(stream, ", step %g fs, %" PRIu64 " steps = %g ps\n", deck->integrator.step * 1e3, deck->integrator.steps,
          (double)deck->integrator.steps * deck->integrator.step);
  if (deck->penalty.stiffness > 0) {
    describe_penalty(sim, stream);
  } else {
    fprintf(stream, "  constraints  %s", rill_choice_word(rill_constraint_solver_choices, deck->constraints.solver));
    if (rill_constraint_solver_is_of_bodies(deck->constraints.solver))
      fputs(": none, molecules are rigid bodies", stream);
    else if (deck->constraints.solver != RILL_SETTLE) fprintf(stream, ", tolerance %g", deck->constraints.tolerance);
  }
  fputs("\n  thermostat   ", stream);
  describe_thermostat(deck, stream);
  if (sim->ensemble != NULL) rill_describe_ensemble(sim, stream);
  if (deck->barostat.method != RILL_NO_BAROSTAT) describe_barostat(deck, stream);
  if (rill_water_is_periodic(deck)) describe_box(sim, stream);
  if (deck->forces.coulomb != RILL_COULOMB_ALL) {
    describe_cutoff(sim, stream);
    return;
  }
  fputs("  forces       all pairs, exact Coulomb", stream);
  describe_work(sim, stream);
}

/* "constant, a sinusoid of angular frequency 1.7, friction with the rate 0.1; by d'Alembert's principle" */
static void describe_forces(const struct rill_simulation *sim, FILE *stream) {
  const struct rill_deck *deck = &sim->deck;
  const bool alembert = sim->method->one_step != NULL || deck->integrator.options.forces == RILL_FORCED_ALEMBERT;
  const char *before_control = deck->force.on ? ", " : "",
             *before_friction = deck->force.on || deck->control.on ? ", " : "";
  if (sim->forcing == NULL) return;
  fprintf(stream, "  forces       %s", deck->force.on ? "constant" : "");
  if (sim->forcing->rows > 0) fprintf(stream, "%sa table of %zu times", before_control, sim->forcing->rows);
  else if (deck->control.on)
    fprintf(stream, "%sa sinusoid of angular frequency %g", before_control, deck->control.omega);
  if (deck->friction.on)
    fprintf(stream, "%sfriction with %s %g", before_friction,
            deck->friction.law == RILL_FRICTION_UNIFORM ? "the rate" : "gamma", deck->friction.coefficient);
  fprintf(stream, "; %s\n",
          alembert ? "by d'Alembert's principle" : "by their flow, half before and half after a step");
}

static void describe_small(const struct rill_simulation *sim, FILE *stream) {
  const struct rill_deck *deck = &sim->deck;
  const struct rill_state *state = rill_simulation_first_system(sim)->state;
  const char *unit = rill_deck_time_unit(deck), *space = unit[0] != '\0' ? " " : "";
  fprintf(stream, "  system       %s: %zu coordinate%s, %zu constraint%s, %g degrees of freedom, %s\n",
          sim->type->name, state->n, state->n == 1 ? "" : "s", state->m, state->m == 1 ? "" : "s",
          sim->system.ops->degrees_of_freedom(sim->system.self), sim->type->si ? "SI units" : "dimensionless");
  fprintf(stream, "  integrator   %s", rill_simulation_method(sim));
  if (sim->composition != NULL) fprintf(stream, ", composed by %s", sim->composition->name);
  describe_options(deck, stream);
  fprintf(stream, "\n  run          %" PRIu64 " steps of %g%s%s = %g%s%s\n", deck->integrator.steps,
          deck->integrator.step, space, unit, (double)deck->integrator.steps * deck->integrator.step, space, unit);
  if (deck->thermostat.method != RILL_NO_BATH) {
    fputs("  thermostat   ", stream);
    describe_thermostat(deck, stream);
  }
  describe_forces(sim, stream);
  if (sim->ensemble != NULL) rill_describe_ensemble(sim, stream);
}

static void put(FILE *stream, bool *any, const char *format, double limit, const char *unit) {
  if (isinf(limit)) return;
  fputs(*any ? ", " : "when ", stream);
  fprintf(stream, format, limit, unit);
  *any = true;
}

static void describe_limits(const struct rill_simulation *sim, FILE *stream) {
  const struct rill_guard *guard = rill_simulation_first_guard(sim);
  const struct rill_limits *limits = &guard->limits;
  const struct rill_deck *deck = &sim->deck;
  const char *unit = deck->units == RILL_UNITS_MOLECULAR ? " kJ/mol" : deck->units == RILL_UNITS_SI ? " J" : "";
  bool any = false;
  fputs("  stop         ", stream);
  put(stream, &any, "T > %.4g%s", limits->temperature, " K");
  put(stream, &any, guard->bath.on ? "E gains %.4g%s beyond what the bath supplies" : "|E - E0| > %.4g%s",
      limits->energy_change, unit);
  if (!isnan(guard->observation.bond_deviation))
    put(stream, &any, "a bond deviates by %.3g%s", limits->bond, " of its length");
  fputs(any ? "\n" : "only when a number is not finite\n", stream);
}

void rill_describe_simulation(const struct rill_simulation *sim, FILE *stream) {
  (sim->type == NULL ? describe_water : describe_small)(sim, stream);
  describe_limits(sim, stream);
}

static void put_bytes(FILE *stream, double bytes) {
  static const char *const units[] = {"kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  for (bytes /= 1e3; bytes >= 999.5 && unit + 1 < sizeof units / sizeof units[0]; unit++) bytes /= 1e3;
  fprintf(stream, "%.3g %s", bytes, units[unit]);
}

static void describe_resources(const struct rill_resources *resources, FILE *stream) {
  fputs("  takes        ", stream);
  if (resources->memory >= 0) {
    put_bytes(stream, resources->memory);
    fputs(" of memory, whatever the length of the run, and ", stream);
  }
  put_bytes(stream, resources->disk);
  fputs(" on disk", stream);
  if (resources->free >= 0) {
    fputs(", where ", stream);
    put_bytes(stream, resources->free);
    fputs(resources->disk > resources->free ? " are free: TOO LITTLE" : " are free", stream);
  }
  fputc('\n', stream);
}

/* ---- JSON ---- */

void rill_put_mesh(struct rill_json *json, const char *name, const struct rill_pme_parameters *mesh,
                   const struct rill_force_accuracy *measured) {
  const double grid[3] = {(double)mesh->grid[0], (double)mesh->grid[1], (double)mesh->grid[2]};
  rill_json_object(json, name);
  rill_json_number(json, "beta_per_nm", mesh->beta);
  rill_json_number(json, "order", mesh->order);
  rill_json_numbers(json, "grid", grid, 3);
  rill_json_number(json, "measured_force_error", measured->error);
  rill_json_number(json, "force_scale_kJ_mol_nm", measured->scale);
  rill_json_number(json, "rms_force_kJ_mol_nm", measured->rms_force);
  rill_json_count(json, "measured_on_molecules", measured->molecules);
  rill_json_number(json, "coulomb_error_per_molecule_kJ_mol", measured->energy_error);
  rill_json_close(json);
}

static void put_water(struct rill_json *json, const struct rill_simulation *sim) {
  const struct rill_deck *deck = &sim->deck;
  const double(*box)[3] = rill_water_is_periodic(deck) ? (const double(*)[3])sim->structure.box : NULL;
  const double volume = box != NULL ? box[0][0] * box[1][1] * box[2][2] : NAN;
  rill_json_string(json, "system", "water");
  rill_json_count(json, "molecules", sim->structure.molecules);
  rill_json_count(json, "atoms", 3 * sim->structure.molecules);
  rill_json_string(json, "model", sim->model.name);
  rill_json_object(json, "water_model");
  rill_put_model(json, &sim->species);
  rill_json_close(json);
  rill_json_string(json, "boundary", box != NULL ? "periodic" : "vacuum");
  rill_json_number(json, "degrees_of_freedom", sim->system.ops->degrees_of_freedom(sim->system.self));
  rill_json_matrix(json, "box_nm", box);
  rill_json_number(json, "volume_nm3", volume);
  rill_json_number(json, "density_g_cm3", density_of(sim, volume));
}

static void put_forces(struct rill_json *json, const struct rill_simulation *sim) {
  struct rill_periodic_counts lists;
  rill_water_list_counts(rill_simulation_first_system(sim), &lists);
  rill_json_string(json, "kernel", kernel_of(sim));
  rill_json_count(json, "threads", (uint64_t)sim->threads);
  if (sim->mesh.order > 0) rill_put_mesh(json, "mesh", &sim->mesh, &sim->accuracy);
  if (lists.buffer > 0) rill_json_number(json, "list_buffer_nm", lists.buffer);
  if (lists.buffer > 0) rill_json_number(json, "list_inner_buffer_nm", lists.inner_buffer);
}

/* The ending of a key. */
static const char *name_of_friction(const struct rill_deck *deck) {
  const bool by_mass = deck->thermostat.friction_law == RILL_FRICTION_PER_MASS;
  if (deck->units == RILL_UNITS_NONE) return by_mass ? "gamma" : "";
  if (deck->units == RILL_UNITS_SI) return by_mass ? "kg/s" : "per_s";
  return by_mass ? "u/ps" : "per_ps";
}

static void put_thermostat(struct rill_json *json, const struct rill_deck *deck) {
  const bool on = deck->thermostat.method != RILL_NO_BATH;
  rill_json_object(json, "thermostat");
  rill_json_string(json, "method", rill_choice_word(rill_thermostat_choices, deck->thermostat.method));
  if (on && deck->ensemble.temperatures.count == 0)
    rill_json_numbers(json,
                      deck->units == RILL_UNITS_MOLECULAR ? "temperature_K"
                      : deck->units == RILL_UNITS_SI      ? "temperature_J"
                                                          : "temperature",
                      deck->thermostat.temperature, 2);
  if (deck->thermostat.method == RILL_V_RESCALE) rill_json_number(json, "tau_ps", deck->thermostat.tau);
  else if (on) rill_json_quantity(json, "friction", name_of_friction(deck), deck->thermostat.friction);
  if (deck->thermostat.rotation_friction > 0)
    rill_json_number(json, "rotation_friction_per_ps", deck->thermostat.rotation_friction);
  if (on) rill_json_count(json, "seed", deck->thermostat.seed);
  if (on && deck->units != RILL_UNITS_MOLECULAR)
    rill_json_string(json, "measure", rill_choice_word(rill_measure_choices, deck->thermostat.measure));
  if (deck->thermostat.method == RILL_GHMC) rill_json_count(json, "trial_steps", deck->thermostat.trial_steps);
  rill_json_close(json);
}

static void put_barostat(struct rill_json *json, const struct rill_deck *deck) {
  if (deck->barostat.method == RILL_NO_BAROSTAT) return;
  rill_json_object(json, "barostat");
  rill_json_string(json, "method", rill_choice_word(rill_barostat_choices, deck->barostat.method));
  rill_json_number(json, "pressure_bar", deck->barostat.pressure / RILL_BAR);
  rill_json_number(json, "tau_ps", deck->barostat.tau);
  rill_json_number(json, "compressibility_per_bar", deck->barostat.compressibility * RILL_BAR);
  rill_json_count(json, "interval_steps", deck->barostat.interval);
  rill_json_string(json, "shape", rill_choice_word(rill_shape_choices, deck->barostat.shape));
  rill_json_close(json);
}

static void put_small(struct rill_json *json, const struct rill_simulation *sim) {
  const struct rill_state *state = rill_simulation_first_system(sim)->state;
  rill_json_string(json, "system", sim->type->name);
  rill_json_string(json, "units", sim->type->si ? "SI" : "none");
  rill_json_count(json, "coordinates", state->n);
  rill_json_count(json, "constraints", state->m);
  rill_json_number(json, "degrees_of_freedom", sim->system.ops->degrees_of_freedom(sim->system.self));
  if (sim->system.nonholonomic != NULL) rill_json_count(json, "velocity_constraints", sim->system.nonholonomic->k);
}

/* The lines of an expanded deck as texts: "settings": {"integrator": {"method": "rattle", ...}, ...}. */
static void put_settings(struct rill_json *json, const char *expanded) {
  bool open = false;
  rill_json_object(json, "settings");
  for (const char *line = expanded; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
    const int length = (int)strcspn(line, "\n");
    const char *equals = strstr(line, " = ");
    char key[64], value[4096];
    if (line[0] == '[') {
      if (open) rill_json_close(json);
      snprintf(key, sizeof key, "%.*s", (int)strcspn(line + 1, "]"), line + 1);
      rill_json_object(json, key);
      open = true;
    } else if (open && equals != NULL && equals < line + length) {
      snprintf(key, sizeof key, "%.*s", (int)(equals - line), line);
      snprintf(value, sizeof value, "%.*s", (int)(line + length - equals - 3), equals + 3);
      rill_json_string(json, key, value);
    }
  }
  if (open) rill_json_close(json);
  rill_json_close(json);
}

/* Null: no limit. */
static void put_stop(struct rill_json *json, const struct rill_simulation *sim) {
  const struct rill_guard *guard = rill_simulation_first_guard(sim);
  const struct rill_limits *limits = &guard->limits;
  rill_json_object(json, "stop");
  rill_json_number(json, "max_temperature_K", limits->temperature);
  rill_json_quantity(json, "max_energy_change", rill_simulation_energy_unit(sim), limits->energy_change);
  rill_json_number(json, "max_bond", isnan(guard->observation.bond_deviation) ? NAN : limits->bond);
  rill_json_close(json);
}

static void put_start(struct rill_json *json, const struct rill_simulation *sim) {
  const struct rill_observation *o = &rill_simulation_first_guard(sim)->observation;
  const char *unit = rill_simulation_energy_unit(sim);
  rill_json_object(json, "start");
  rill_json_quantity(json, "kinetic", unit, o->kinetic);
  rill_json_quantity(json, "potential", unit, o->potential);
  if (sim->type == NULL) rill_json_number(json, "temperature_K", o->temperature);
  rill_json_close(json);
}

static void put_simulation(struct rill_json *json, const struct rill_simulation *sim, const char *expanded) {
  const struct rill_deck *deck = &sim->deck;
  const char *unit = rill_deck_time_unit(deck);
  (sim->type == NULL ? put_water : put_small)(json, sim);
  rill_json_string(json, "method", rill_simulation_method(sim));
  rill_json_string(json, "composition", sim->composition != NULL ? sim->composition->name : NULL);
  rill_json_quantity(json, "step", unit, deck->integrator.step);
  rill_json_count(json, "steps", deck->integrator.steps);
  rill_json_quantity(json, "time", unit, (double)deck->integrator.steps * deck->integrator.step);
  if (sim->type == NULL || deck->thermostat.method != RILL_NO_BATH) put_thermostat(json, deck);
  put_barostat(json, deck);
  if (sim->ensemble != NULL) rill_put_ensemble(json, sim);
  if (sim->type == NULL) put_forces(json, sim);
  put_settings(json, expanded);
  put_stop(json, sim);
  put_start(json, sim);
}

/* Null: unknown. */
static void put_resources(struct rill_json *json, const struct rill_resources *resources) {
  rill_json_object(json, "resources");
  rill_json_number(json, "memory_bytes", resources->memory >= 0 ? resources->memory : NAN);
  rill_json_number(json, "disk_bytes", resources->disk);
  rill_json_number(json, "free_bytes", resources->free >= 0 ? resources->free : NAN);
  rill_json_close(json);
}

/* ---- both ---- */

static void print_start(const struct rill_simulation *sim, FILE *stream) {
  const struct rill_observation *o = &rill_simulation_first_guard(sim)->observation;
  if (sim->type == NULL)
    fprintf(stream, "  start        potential energy %.8g kJ/mol, temperature %.4g K\n", o->potential,
            o->temperature);
  else
    fprintf(stream, "  start        kinetic energy %.10g, potential %.10g%s%s\n", o->kinetic + 0.0,
            o->potential + 0.0, sim->type->si ? " " : "", rill_simulation_energy_unit(sim));
}

static void describe_model(const struct rill_water_species *species, FILE *stream) {
  fprintf(stream, "  model        %s\n", species->name);
  rill_describe_model(stream, "               ", species);
}

/* How a kernel that the deck leaves to rill was chosen. */
static void describe_choice(const struct rill_simulation *sim, FILE *stream) {
  const struct rill_processor processor = rill_processor();
  const enum rill_isa fastest = rill_isa_fastest(&processor);
  if (sim->deck.forces.kernel != RILL_KERNEL_AUTO) return;
  fprintf(stream, "  kernel       %s, ", rill_isa_name(sim->isa));
  if (fastest == sim->isa) fputs("the fastest of those measured on this processor", stream);
  else if (fastest == RILL_ISA_COUNT) fputs("the widest vectors; this processor has not been measured", stream);
  else fprintf(stream, "taken by this build; the fastest on this processor is %s", rill_isa_name(fastest));
  if (processor.vendor[0] != '\0')
    fprintf(stream, " (%s, family %u, model %u)", processor.vendor, processor.family, processor.model);
  fputs("\n", stream);
}

void rill_show_plan(struct rill_page *page, const struct rill_simulation *sim, const struct rill_resources *resources,
                    const char *expanded) {
  struct rill_json *json = &page->json;
  if (page->text != NULL) {
    fprintf(page->text, "%s is valid and would run\n", sim->deck.path);
    rill_describe_simulation(sim, page->text);
    if (sim->type == NULL) {
      describe_choice(sim, page->text);
      describe_model(&sim->species, page->text);
    }
    describe_resources(resources, page->text);
    print_start(sim, page->text);
    fprintf(page->text, "\nthe deck in full\n\n%s", expanded);
    return;
  }
  rill_json_object(json, NULL);
  rill_json_string(json, "deck", sim->deck.path);
  put_simulation(json, sim, expanded);
  put_resources(json, resources);
  rill_json_string(json, "deck_in_full", expanded);
}

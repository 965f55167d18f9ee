#include "deck/schema.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

#define TEXT(value) #value
#define TEXT_OF(macro) TEXT(macro)

#define FIELD(member) .offset = offsetof(struct rill_deck, member), .size = sizeof((struct rill_deck *)0)->member
#define ABOVE(value) .least = (value), .most = INFINITY, .above = true
#define FROM(value) .least = (value), .most = INFINITY
#define CHOICE(name) .words = rill_##name##_choices
#define BETWEEN(low, high) .least = (low), .most = (high)

/* Words of switches, and of a name, without explanations. */
#define WORD(value, word)                                                                                            \
  { value, word, NULL, NULL }
#define END                                                                                                          \
  { 0, NULL, NULL, NULL }
static const struct rill_choice no_yes[] = {WORD(0, "no"), WORD(1, "yes"), END};
static const struct rill_choice precisions[] = {WORD(0, "single"), WORD(1, "double"), END};
static const struct rill_choice records[] = {WORD(0, "none"), WORD(1, "multipliers"), END};
static const struct rill_choice friction_laws[] = {
    {RILL_FRICTION_UNIFORM, "rate", "a rate, the same for all momenta", NULL},
    {RILL_FRICTION_PER_MASS, "gamma", "a coefficient gamma, for the rate gamma/m", NULL},
    END};

static bool draws_velocities(const struct rill_deck *deck) {
  return deck->start.velocities == RILL_VELOCITIES_MAXWELL;
}
static bool draws(const struct rill_deck *deck) { return draws_velocities(deck) || deck->system.molecules > 0; }
static bool is_rigid(const struct rill_deck *deck) { return !(deck->penalty.stiffness > 0); }
static bool iterates(const struct rill_deck *deck) {
  return is_rigid(deck) && (deck->constraints.solver == RILL_MSHAKE || deck->constraints.solver == RILL_RATTLE_SHAKE);
}
static bool is_of_bodies(const struct rill_deck *deck) {
  return is_rigid(deck) &&
         (deck->constraints.solver == RILL_BODIES_LGVI || deck->constraints.solver == RILL_BODIES_ROTOR);
}
static bool is_thermostatted(const struct rill_deck *deck) { return deck->thermostat.method != RILL_NO_BATH; }
static bool rescales(const struct rill_deck *deck) { return deck->thermostat.method == RILL_V_RESCALE; }
static bool has_friction(const struct rill_deck *deck) { return is_thermostatted(deck) && !rescales(deck); }
static bool exchanges(const struct rill_deck *deck) {
  return deck->ensemble.on && deck->ensemble.exchange != RILL_NO_EXCHANGE;
}
static bool quenches(const struct rill_deck *deck) { return deck->ensemble.quench_interval > 0; }
static bool has_geodesic_steps(const struct rill_deck *deck) {
  return deck->thermostat.method == RILL_BAOAB && !is_of_bodies(deck);
}
static bool makes_trials(const struct rill_deck *deck) { return deck->thermostat.method == RILL_GHMC; }
static bool has_barostat(const struct rill_deck *deck) { return deck->barostat.method != RILL_NO_BAROSTAT; }
static bool is_water(const struct rill_deck *deck) { return deck->units == RILL_UNITS_MOLECULAR; }
static bool is_small(const struct rill_deck *deck) { return !is_water(deck); }
static bool writes_trajectory(const struct rill_deck *deck) { return deck->output.trajectory[0] != '\0'; }

static const struct rill_condition drawn_velocities = {draws_velocities, 0, "start.velocities = maxwell"};
static const struct rill_condition drawn = {draws, 0, "start.velocities = maxwell or system.molecules"};
static const struct rill_condition iterative = {iterates, 0, "constraints.solver = mshake or shake"};
static const struct rill_condition thermostatted = {is_thermostatted, 0,
                                                    "thermostat.method = gla, baoab, ghmc or v-rescale"};
static const struct rill_condition with_friction = {has_friction, 0, "thermostat.method = gla, baoab or ghmc"};
static const struct rill_condition rescaling = {rescales, 0, "thermostat.method = v-rescale"};
static const struct rill_condition exchanging = {exchanges, 0, "ensemble.exchange = neighbours"};
static const struct rill_condition quenching = {quenches, 0, "ensemble.quench_interval"};
static const struct rill_condition geodesic = {
    has_geodesic_steps, 0, "thermostat.method = baoab, with constraints (rigid bodies have no manifold to follow)"};
static const struct rill_condition trials = {makes_trials, 0, "thermostat.method = ghmc"};
static const struct rill_condition barostatted = {has_barostat, 0, "barostat.method = rescale or mc"};
static const struct rill_condition water = {is_water, 0, "system.kind = water"};
static bool is_custom(const struct rill_deck *deck) {
  return is_water(deck) && strcmp(deck->system.model, "custom") == 0;
}
static bool has_named_model(const struct rill_deck *deck) { return is_water(deck) && !is_custom(deck); }
static const struct rill_condition named_model = {has_named_model, 0,
                                                  "a model of the table (for model = custom give mass_o and mass_h)"};
static bool has_trap(const struct rill_deck *deck) { return deck->field.on && deck->field.trap > 0; }
static const struct rill_condition trapped = {has_trap, 0, "field.trap"};
static const struct rill_condition custom = {is_custom, 0, "system.model = custom"};
static const struct rill_condition rigid = {is_rigid, 0, "rigid molecules: no penalty.stiffness"};
static bool records_multipliers(const struct rill_deck *deck) { return is_water(deck) && deck->penalty.record; }
static const struct rill_condition recording = {records_multipliers, 0, "penalty.record = multipliers"};
static bool has_friction_without_unit(const struct rill_deck *deck) {
  return deck->units == RILL_UNITS_NONE && has_friction(deck);
}
static const struct rill_condition without_unit = {
    has_friction_without_unit, 0,
    "a thermostat and a dimensionless system: elsewhere the unit of the friction decides"};
static bool has_rotation_friction(const struct rill_deck *deck) {
  return is_water(deck) && has_friction(deck) && deck->thermostat.friction_law == RILL_FRICTION_UNIFORM;
}
static const struct rill_condition with_rotation_friction = {
    has_rotation_friction, 0, "water, thermostat.method = gla, baoab or ghmc, and a rate as thermostat.friction"};
static bool has_measure(const struct rill_deck *deck) { return is_small(deck) && is_thermostatted(deck); }
static const struct rill_condition with_measure = {
    has_measure, 0, "a thermostat, and a small system: for rigid water det(Dg M^-1 Dg^T) is constant"};
static bool samples(const struct rill_deck *deck) { return is_water(deck) || is_thermostatted(deck); }
static const struct rill_condition sampling = {samples, 0, "system.kind = water, or a thermostat"};
static const struct rill_condition small = {is_small, 0, "a small system (rill list systems)"};
static bool is_forced(const struct rill_deck *deck) { return is_small(deck) && rill_deck_is_forced(deck); }
static const struct rill_condition forced = {is_forced, 0, "[force], [control] or [friction], of a small system"};
static bool swings(const struct rill_deck *deck) { return deck->control.amplitude.count > 0; }
static const struct rill_condition swinging = {swings, 0, "control.amplitude"};
static bool has_friction_law(const struct rill_deck *deck) {
  return deck->units == RILL_UNITS_NONE && deck->friction.on;
}
static const struct rill_condition with_friction_law = {
    has_friction_law, 0, "[friction] of a dimensionless system: elsewhere the unit of the coefficient decides"};
static const struct rill_condition with_beta = {NULL, RILL_READS_BETA,
                                                "a method with Newmark's parameter (rill list integrators)"};
static const struct rill_condition with_hessian = {
    NULL, RILL_READS_HESSIAN, "a method that uses a part of the Hessian (rill list integrators)"};
static const struct rill_condition with_substeps = {NULL, RILL_READS_SUBSTEPS, "integrator.method = respa"};
static const struct rill_condition with_newton_start = {NULL, RILL_READS_NEWTON_START,
                                                        "integrator.method = newmark-onestep"};
static const struct rill_condition with_rotation = {NULL, RILL_READS_ROTATION, "integrator.method = lgvi"};
static const struct rill_condition with_degree = {NULL, RILL_READS_DEGREE,
                                                  "a Galerkin method (rill list integrators)"};
static const struct rill_condition with_quadrature = {
    NULL, RILL_READS_QUADRATURE, "a method with a quadrature of the action (rill list integrators)"};
static const struct rill_condition with_base = {NULL, RILL_READS_BASE, "a shooting method (rill list integrators)"};
static bool solves_for_water(const struct rill_deck *deck) {
  return is_water(deck) && (deck->integrator.reads & RILL_READS_SOLVER);
}
static const struct rill_condition with_nonlinear = {solves_for_water, RILL_READS_SOLVER,
                                                     "water and a method that solves nonlinear equations"};
static const struct rill_condition with_solver = {NULL, RILL_READS_SOLVER,
                                                  "a method that solves nonlinear equations (rill list integrators)"};
static bool writes_water_trajectory(const struct rill_deck *deck) {
  return is_water(deck) && writes_trajectory(deck);
}
static bool is_periodic(const struct rill_deck *deck) {
  return is_water(deck) && deck->system.boundary == RILL_BOUNDARY_PERIODIC;
}
static bool has_mesh(const struct rill_deck *deck) {
  return is_periodic(deck) && deck->forces.coulomb == RILL_COULOMB_EWALD;
}
static bool has_cutoff(const struct rill_deck *deck) {
  return is_periodic(deck) || (is_water(deck) && (deck->forces.coulomb == RILL_COULOMB_REACTION_FIELD ||
                                                  deck->forces.coulomb == RILL_COULOMB_CUT));
}
static bool switches(const struct rill_deck *deck) { return has_cutoff(deck) && deck->forces.lj == RILL_LJ_SWITCH; }
static bool builds_box(const struct rill_deck *deck) { return is_periodic(deck) && deck->system.molecules > 0; }
static const struct rill_condition box_built = {builds_box, 0, "system.boundary = periodic and system.molecules"};
static const struct rill_condition periodic = {is_periodic, 0, "system.boundary = periodic"};
static bool is_liquid(const struct rill_deck *deck) { return is_periodic(deck) && is_rigid(deck); }
static const struct rill_condition liquid = {is_liquid, 0,
                                             "system.boundary = periodic, and rigid molecules: no penalty.stiffness"};
static const struct rill_condition with_mesh = {has_mesh, 0, "system.boundary = periodic and forces.coulomb = pme"};
static const struct rill_condition with_cutoff = {
    has_cutoff, 0, "system.boundary = periodic, or forces.coulomb = reaction-field or cut"};
static const struct rill_condition switched = {switches, 0, "a cutoff and forces.lj = switch"};
static const struct rill_condition water_trajectory = {writes_water_trajectory, 0,
                                                       "system.kind = water and output.trajectory"};

static const struct rill_condition checkpointed = {rill_deck_writes_checkpoint, 0,
                                                   "a checkpoint: output.trajectory, or output.checkpoint"};

static const char floor_of_doubles[] = "doubles cannot reach less";

static const struct rill_section sections[] = {
    {"system", RILL_NO_OFFSET, NULL,
     "the system; a small system has its own keys here, listed by `rill list systems NAME`"},
    {"penalty", RILL_NO_OFFSET, NULL, "bonds or bars as springs instead of constraints"},
    {"start", RILL_NO_OFFSET, &water, "the start of the run"},
    {"integrator", RILL_NO_OFFSET, NULL, "method, step and length of the run"},
    {"constraints", RILL_NO_OFFSET, &water, "how molecules are kept rigid"},
    {"thermostat", RILL_NO_OFFSET, NULL, "coupling to a heat bath"},
    {"barostat", RILL_NO_OFFSET, &periodic, "constant pressure, of a box in a heat bath"},
    {"force", offsetof(struct rill_deck, force.on), &small,
     "a constant force on a small system, beside that of its Lagrangian"},
    {"control", offsetof(struct rill_deck, control.on), &small,
     "a force on a small system that is a given function of time: a sinusoid, or a table"},
    {"friction", offsetof(struct rill_deck, friction.on), &small, "friction of a small system, without a heat bath"},
    {"forces", RILL_NO_OFFSET, &water, "how forces are evaluated"},
    {"confine", offsetof(struct rill_deck, confine.on), &water,
     "a half-harmonic wall on molecular centres about the cluster's centre; on if the section is present"},
    {"field", offsetof(struct rill_deck, field.on), &water,
     "forces on each molecule from outside: a uniform electric field, a harmonic trap; on if the section is present"},
    {"output", RILL_NO_OFFSET, NULL, "the output, and how often it is written"},
    {"rdf", offsetof(struct rill_deck, rdf.on), &water,
     "radial distribution function computed during the run; on if the section is present"},
    {"properties", offsetof(struct rill_deck, properties.on), &liquid,
     "properties of the liquid computed during the run, with errors; on if the section is present"},
    {"ensemble", offsetof(struct rill_deck, ensemble.on), NULL,
     "replicas of the system in one run, each with its own seed and temperature; on if the section is present"},
    {"stop", RILL_NO_OFFSET, NULL,
     "limits whose violation ends a run, with exit status 1 and the last state before it saved; checked every 1000 "
     "steps, before output, and at the end. A state that is not finite always ends a run"},
};
enum { SECTION_COUNT = sizeof sections / sizeof sections[0] };

static const struct rill_key keys[] = {
    {"system", "kind", RILL_KIND_NAME, FIELD(system.kind), .initial = "water",
     .help = "the system, one of `rill list systems`"},
    {"system", "model", RILL_KIND_NAME, FIELD(system.model), .initial = "tip3p", .condition = &water,
     .help = "the water model, one of `rill list models`, or custom, whose numbers are the keys below"},
    {"system", "r_oh", RILL_KIND_QUANTITY, RILL_DIMENSION_LENGTH, FIELD(system.custom.r_oh), BETWEEN(0.08, 0.12),
     .condition = &custom, .help = "distance of oxygen and hydrogen"},
    {"system", "angle", RILL_KIND_QUANTITY, RILL_DIMENSION_ANGLE, FIELD(system.custom.angle), BETWEEN(90, 120),
     .condition = &custom, .help = "angle H-O-H"},
    {"system", "charge_h", RILL_KIND_QUANTITY, RILL_DIMENSION_CHARGE, FIELD(system.custom.charge_h), BETWEEN(0.05, 1),
     .condition = &custom, .help = "charge of a hydrogen; the oxygen, or the site M, has -2 times as much"},
    {"system", "r_om", RILL_KIND_QUANTITY, RILL_DIMENSION_LENGTH, FIELD(system.custom.r_om), BETWEEN(0, 0.05),
     .initial = "0 nm", .condition = &custom,
     .help = "distance from the oxygen to a fourth, massless site M on the bisector, which has its charge; 0: three "
             "sites"},
    {"system", "sigma", RILL_KIND_QUANTITY, RILL_DIMENSION_LENGTH, FIELD(system.custom.sigma), BETWEEN(0.2, 0.5),
     .condition = &custom, .help = "Lennard-Jones's sigma, between oxygens: 4 epsilon ((sigma/r)^12 - (sigma/r)^6)"},
    {"system", "epsilon", RILL_KIND_QUANTITY, RILL_DIMENSION_ENERGY, FIELD(system.custom.epsilon), BETWEEN(0.05, 5),
     .condition = &custom, .help = "Lennard-Jones's epsilon, the depth of the well"},
    {"system", "mass_o", RILL_KIND_QUANTITY, RILL_DIMENSION_MASS, FIELD(system.custom.mass_o), BETWEEN(4, 40),
     .initial = "15.9994 u", .condition = &custom, .help = "mass of the oxygen"},
    {"system", "mass_h", RILL_KIND_QUANTITY, RILL_DIMENSION_MASS, FIELD(system.custom.mass_h), BETWEEN(0.5, 10),
     .initial = "1.008 u", .condition = &custom, .help = "mass of a hydrogen"},
    {"system", "hydrogen_mass", RILL_KIND_QUANTITY, RILL_DIMENSION_MASS, FIELD(system.hydrogen_mass), BETWEEN(0.5, 8),
     .initial = "", .absent = "that of the model", .condition = &named_model,
     .help =
         "mass of a hydrogen, which is taken from the oxygen: the molecule's mass is kept. Heavier hydrogens turn "
         "more slowly, and allow longer steps; averages of positions do not depend on masses, dynamics does"},
    {"system", "coulomb_constant", RILL_KIND_QUANTITY, RILL_DIMENSION_COULOMB, FIELD(system.coulomb_constant),
     ABOVE(0), .initial = TEXT_OF(RILL_COULOMB_CONSTANT) " kJ*nm/mol/e2", .condition = &water,
     .help = "the default is that of CODATA 2018; others serve for comparison with published numbers"},
    {"system", "structure", RILL_KIND_INPUT_PATH, FIELD(system.structure), .instead = "molecules",
     .condition = &water, .help = "GRO, PDB or XYZ file with the positions, relative to the deck"},
    {"system", "molecules", RILL_KIND_INTEGER, FIELD(system.molecules), BETWEEN(1, UINT32_MAX),
     .instead = "structure", .condition = &water,
     .help = "builds a relaxed cluster of this number of molecules, or a cube filled with them if boundary = "
             "periodic"},
    {"system", "boundary", RILL_KIND_WORD, FIELD(system.boundary), CHOICE(boundary), .initial = "vacuum",
     .condition = &water, .help = "the surroundings of the molecules."},
    {"system", "density", RILL_KIND_QUANTITY, RILL_DIMENSION_DENSITY, FIELD(system.density),
     BETWEEN(0.01 * RILL_GRAM_PER_CM3, 1.5 * RILL_GRAM_PER_CM3), .initial = "0.989 g/cm3", .condition = &box_built,
     .help = "density of the box built for system.molecules"},

    {"penalty", "stiffness", RILL_KIND_QUANTITY, RILL_DIMENSION_PENALTY, FIELD(penalty.stiffness), FROM(0),
     .initial = "", .absent = "none", .condition = &water,
     .help = "w of the papers, V = (w^2/2) |g|^2. For water, bonds are springs with g = |r|^2 - d^2, or rigid with 0 "
             "akma. For a small system, a pure number; `rill list systems NAME` shows the default if there is one"},
    {"penalty", "record", RILL_KIND_SWITCH, FIELD(penalty.record), .words = records, .initial = "none",
     .condition = &water,
     .help = "multipliers: those of a molecule's bonds, also of rigid ones, are written to a CSV file named after "
             "the deck, at the series' interval: estimates at x and at the physical position q, and their averages"},
    {"penalty", "molecule", RILL_KIND_INTEGER, FIELD(penalty.molecule), BETWEEN(1, UINT32_MAX), .initial = "1",
     .condition = &recording, .help = "the molecule whose multipliers are recorded, from 1"},
    {"penalty", "window", RILL_KIND_INTERVAL, RILL_DIMENSION_TIME, FIELD(penalty.window), BETWEEN(1, 1e6),
     .initial = "10 fs", .small = "", .condition = &recording,
     .help = "time before each row over which multipliers are averaged; a whole number of steps"},

    {"start", "velocities", RILL_KIND_WORD, FIELD(start.velocities), CHOICE(start_velocities), .initial = "maxwell",
     .help = "the initial velocities."},
    {"start", "temperature", RILL_KIND_QUANTITY, RILL_DIMENSION_TEMPERATURE, FIELD(start.temperature), FROM(0),
     .initial = "@thermostat.temperature", .condition = &drawn_velocities,
     .help = "temperature of the drawn velocities"},
    {"start", "seed", RILL_KIND_INTEGER, FIELD(start.seed), BETWEEN(0, (double)UINT64_MAX),
     .initial = "@thermostat.seed", .condition = &drawn, .help = "seed of drawn velocities and of built clusters"},
    {"start", "remove", RILL_KIND_WORD, FIELD(start.remove), CHOICE(momentum_removal), .initial = "auto",
     .help = "momenta removed at the start."},
    {"start", "minimize", RILL_KIND_SWITCH, FIELD(start.minimize), .words = no_yes, .initial = "no",
     .help = "first relax the molecules, rigid or with the penalty, to a minimum of the energy"},

    {"integrator", "method", RILL_KIND_NAME, FIELD(integrator.method), .initial = "rattle",
     .help = "the method, one of `rill list integrators`"},
    {"integrator", "step", RILL_KIND_QUANTITY, RILL_DIMENSION_TIME, FIELD(integrator.step), BETWEEN(1e-12, 1e6),
     .floor = "is the unit right? usual for water are 1 to 4 fs", .help = "length of a step"},
    {"integrator", "time", RILL_KIND_DURATION, RILL_DIMENSION_TIME, FIELD(integrator.steps), BETWEEN(0, 9e15),
     .instead = "steps", .help = "length of the run, a whole number of steps"},
    {"integrator", "steps", RILL_KIND_INTEGER, FIELD(integrator.steps), BETWEEN(0, 9e15), .instead = "time",
     .help = "number of steps of the run; the limit keeps them exact in the series, where numbers are doubles"},
    {"integrator", "composition", RILL_KIND_NAME, FIELD(integrator.composition), .initial = "none",
     .condition = &small,
     .help =
         "composition of a symmetric method of order 2: yoshida4, yoshida6 or yoshida8 raise the order to 4, 6 or 8"},
    {"integrator", "beta", RILL_KIND_NUMBER, FIELD(integrator.options.beta), BETWEEN(0, 10), .initial = "0.4",
     .condition = &with_beta, .help = "Newmark's parameter of implicit methods and filters"},
    {"integrator", "hessian", RILL_KIND_WORD, FIELD(integrator.options.hessian), CHOICE(hessian),
     .initial = "gauss-newton", .condition = &with_hessian, .help = "the part of the Hessian that is used."},
    {"integrator", "newton_start", RILL_KIND_WORD, FIELD(integrator.options.newton_start), CHOICE(newton_start),
     .initial = "B", .condition = &with_newton_start,
     .help = "where the single Newton iteration starts, and which acceleration is kept."},
    {"integrator", "degree", RILL_KIND_INTEGER, FIELD(integrator.options.degree), BETWEEN(1, 63), .initial = "2",
     .condition = &with_degree, .help = "degree of the polynomials over which the action is made stationary"},
    {"integrator", "base", RILL_KIND_WORD, FIELD(integrator.options.base), CHOICE(shooting_base), .initial = "rk4",
     .condition = &with_base,
     .help = "the one-step method that generates the curve along which the action is evaluated."},
    {"integrator", "quadrature", RILL_KIND_NAME, FIELD(integrator.quadrature), .initial = "auto",
     .condition = &with_quadrature,
     .help = "quadrature of the action: gauss or lobatto, followed by a number of nodes (lobatto4) or with as many "
             "as the order of the method needs; trapezoid, simpson; for shooting also euler-maclaurin, with the end "
             "correction; auto: gauss, for shooting trapezoid or simpson, with base = prolongation euler-maclaurin"},
    {"integrator", "nonlinear", RILL_KIND_WORD, FIELD(integrator.options.nonlinear), CHOICE(nonlinear),
     .initial = "anderson", .condition = &with_nonlinear, .help = "how nonlinear equations are solved."},
    {"integrator", "tolerance", RILL_KIND_NUMBER, FIELD(integrator.options.tolerance), BETWEEN(1e-15, 1e-3),
     .initial = "1e-13", .condition = &with_solver,
     .help = "tolerance of nonlinear solves: largest change of the unknowns, relative to their size; to 10 nm for "
             "positions of water"},
    {"integrator", "max_iterations", RILL_KIND_INTEGER, FIELD(integrator.options.max_iterations), BETWEEN(1, 1000000),
     .initial = "50", .condition = &with_solver, .help = "iterations after which the run stops with an error"},
    {"integrator", "rotation", RILL_KIND_WORD, FIELD(integrator.options.rotation), CHOICE(rotation),
     .initial = "cayley", .condition = &with_rotation,
     .help = "the unknown of the equation for the rotation of a step; the rotation is the same with all."},
    {"integrator", "compensated", RILL_KIND_SWITCH, FIELD(integrator.options.compensated), .words = no_yes,
     .initial = "no", .condition = &with_rotation,
     .help =
         "yes: the increments of the rotation matrix are added by Kahan's algorithm, so that R^T R = 1 to the last "
         "digit for any number of steps"},
    {"integrator", "substeps", RILL_KIND_INTEGER, FIELD(integrator.options.substeps), BETWEEN(1, 100), .initial = "2",
     .condition = &with_substeps,
     .help = "substeps in a step of respa: the forces of the mesh are evaluated once in a step, the others once in "
             "each substep"},

    {"integrator", "forces", RILL_KIND_WORD, FIELD(integrator.options.forces), CHOICE(forced_form), .initial = "auto",
     .condition = &forced, .help = "how the forces of [force], [control] and [friction] enter a step."},

    {"constraints", "solver", RILL_KIND_WORD, FIELD(constraints.solver), CHOICE(constraint_solver),
     .initial = "settle", .condition = &rigid,
     .help =
         "settle: analytic; mshake: Newton's iteration for each molecule; shake: bond by bond; lgvi and rotor move "
         "molecules as rigid bodies, with a Lie group variational integrator, or turns about the principal axes"},
    {"constraints", "tolerance", RILL_KIND_NUMBER, FIELD(constraints.tolerance), BETWEEN(1e-14, 1e-4),
     .floor = floor_of_doubles, .initial = "1e-10", .condition = &iterative,
     .help = "largest relative deviation of a bond, |d - d0| / d0"},
    {"constraints", "velocity_tolerance", RILL_KIND_NUMBER, FIELD(constraints.velocity_tolerance),
     BETWEEN(1e-14, 1e-4), .floor = floor_of_doubles, .initial = "1e-10", .condition = &iterative,
     .help = "largest velocity along a bond, |v.r| / (|r| v_thermal)"},
    {"constraints", "max_iterations", RILL_KIND_INTEGER, FIELD(constraints.max_iterations), BETWEEN(1, 1000000),
     .initial = "500", .condition = &iterative, .help = "iterations after which the run stops with an error"},

    {"thermostat", "method", RILL_KIND_WORD, FIELD(thermostat.method), CHOICE(thermostat), .initial = "none",
     .help =
         "gla: the Ornstein-Uhlenbeck flow after each step; baoab: inside the splitting; ghmc: before each trial; "
         "v-rescale: one factor for all velocities after each step"},
    {"thermostat", "temperature", RILL_KIND_RAMP, RILL_DIMENSION_TEMPERATURE, FIELD(thermostat.temperature), FROM(0),
     .initial = "300 K", .small = "", .condition = &thermostatted,
     .help =
         "temperature of the bath; `300 K -> 10 K` is a ramp, linear over the run. For a small system the energy k "
         "T, a pure number or in J, which must be given"},
    {"thermostat", "friction_law", RILL_KIND_WORD, FIELD(thermostat.friction_law), .words = friction_laws,
     .initial = "rate", .condition = &without_unit, .help = "the meaning of `friction`, which is a number there."},
    {"thermostat", "friction", RILL_KIND_QUANTITY, RILL_DIMENSION_RATE, RILL_DIMENSION_FRICTION,
     FIELD(thermostat.friction), FROM(0), .choice = offsetof(struct rill_deck, thermostat.friction_law),
     .initial = "1 /ps", .small = "", .condition = &with_friction,
     .help = "a rate, the same for all atoms, or a coefficient gamma (u/ps), which gives atoms of mass m the rate "
             "gamma/m. For a small system a pure number, or in /s or kg/s, which must be given"},
    {"thermostat", "rotation_friction", RILL_KIND_QUANTITY, RILL_DIMENSION_RATE, FIELD(thermostat.rotation_friction),
     ABOVE(0), .initial = "", .absent = "friction", .condition = &with_rotation_friction,
     .help =
         "rate of the friction on the rotation of molecules (and on stiff bonds); `friction` is then that of their "
         "translation. With long steps their temperatures differ by order h^2, and the bath keeps the mean weighted "
         "by these rates: a lower one here makes translation more accurate (see the manual on longer steps)"},
    {"thermostat", "tau", RILL_KIND_QUANTITY, RILL_DIMENSION_TIME, FIELD(thermostat.tau), ABOVE(0), .initial = "1 ps",
     .small = "", .condition = &rescaling, .help = "the time in which the kinetic energy relaxes to its law"},
    {"thermostat", "seed", RILL_KIND_INTEGER, FIELD(thermostat.seed), BETWEEN(0, (double)UINT64_MAX), .initial = "1",
     .condition = &thermostatted, .help = "seed of the noise"},
    {"thermostat", "measure", RILL_KIND_WORD, FIELD(thermostat.measure), CHOICE(measure), .initial = "constrained",
     .condition = &with_measure, .help = "the law of the positions of a small system with constraints."},
    {"thermostat", "geodesic_steps", RILL_KIND_INTEGER, FIELD(thermostat.geodesic_steps), BETWEEN(1, 1000),
     .initial = "1", .condition = &geodesic, .help = "constrained sub-steps of each drift"},
    {"thermostat", "trial_steps", RILL_KIND_INTEGER, FIELD(thermostat.trial_steps), BETWEEN(1, 1000), .initial = "1",
     .condition = &trials, .help = "steps of a trial, after which it is accepted or rejected"},

    {"force", "constant", RILL_KIND_NUMBERS, FIELD(force.constant),
     .help = "the force, a number for each coordinate, in units of momentum over time"},

    {"control", "amplitude", RILL_KIND_NUMBERS, FIELD(control.amplitude), .instead = "table",
     .help = "amplitude of the force, a number for each coordinate: amplitude sin(omega t + phase)"},
    {"control", "omega", RILL_KIND_QUANTITY, RILL_DIMENSION_RATE, FIELD(control.omega), FROM(-INFINITY),
     .condition = &swinging, .help = "angular frequency of the force"},
    {"control", "phase", RILL_KIND_NUMBER, FIELD(control.phase), FROM(-INFINITY), .initial = "0",
     .condition = &swinging, .help = "phase of the force at the start, in radians"},
    {"control", "table", RILL_KIND_INPUT_PATH, FIELD(control.table), .instead = "amplitude",
     .help = "text file with a line for each time: the time, and the force, a number for each coordinate; linear in "
             "between.  The times increase, and cover the run"},

    {"friction", "law", RILL_KIND_WORD, FIELD(friction.law), .words = friction_laws, .initial = "rate",
     .condition = &with_friction_law, .help = "the meaning of `coefficient`, which is a number there."},
    {"friction", "coefficient", RILL_KIND_QUANTITY, RILL_DIMENSION_RATE, RILL_DIMENSION_FRICTION,
     FIELD(friction.coefficient), FROM(0), .choice = offsetof(struct rill_deck, friction.law),
     .help = "a rate c, for the force -c p of the momentum p of a velocity, or a coefficient gamma, for the force "
             "-gamma v of the coordinates' velocities; a pure number, or in /s or kg/s"},

    {"barostat", "method", RILL_KIND_WORD, FIELD(barostat.method), CHOICE(barostat), .initial = "none",
     .condition = &periodic, .help = "how the cell moves."},
    {"barostat", "pressure", RILL_KIND_QUANTITY, RILL_DIMENSION_PRESSURE, FIELD(barostat.pressure), FROM(-INFINITY),
     .initial = "1 bar", .condition = &barostatted, .help = "the pressure"},
    {"barostat", "tau", RILL_KIND_QUANTITY, RILL_DIMENSION_TIME, FIELD(barostat.tau), ABOVE(0), .initial = "2 ps",
     .small = "", .condition = &barostatted,
     .help = "the time in which the volume relaxes, if the compressibility is right; with mc it sets the size of "
             "moves"},
    {"barostat", "interval", RILL_KIND_INTERVAL, RILL_DIMENSION_TIME, FIELD(barostat.interval), BETWEEN(1, 1e18),
     .initial = "50 steps", .condition = &barostatted,
     .help = "time between moves of the cell, a whole number of steps; each costs an evaluation of the forces"},
    {"barostat", "compressibility", RILL_KIND_QUANTITY, RILL_DIMENSION_COMPRESSIBILITY,
     FIELD(barostat.compressibility), ABOVE(0), .initial = "4.5e-5 /bar", .condition = &barostatted,
     .help = "an estimate: it sets the speed of the volume's relaxation, and no average depends on it"},
    {"barostat", "shape", RILL_KIND_WORD, FIELD(barostat.shape), CHOICE(shape), .initial = "isotropic",
     .condition = &barostatted, .help = "which edges of the box are scaled together; a skew box is isotropic."},

    {"forces", "kernel", RILL_KIND_WORD, FIELD(forces.kernel), CHOICE(kernel), .initial = "auto",
     .help =
         "auto takes the fastest on the processor, by a table of measurements, or the widest vectors that it has; a "
         "resumed run keeps the kernel that it began with; reference is a plain loop, against which the others are "
         "tested"},
    {"forces", "coulomb", RILL_KIND_WORD, FIELD(forces.coulomb), CHOICE(coulomb), .initial = "pme", .vacuum = "all",
     .help = "electrostatics."},
    {"forces", "cutoff", RILL_KIND_QUANTITY, RILL_DIMENSION_LENGTH, FIELD(forces.cutoff), ABOVE(0),
     .initial = "0.9 nm", .condition = &with_cutoff,
     .help = "pairs within this distance interact directly; at most half of the box's shortest lattice vector"},
    {"forces", "cutoff_by", RILL_KIND_WORD, FIELD(forces.cutoff_by), CHOICE(cutoff), .initial = "molecule",
     .condition = &with_cutoff,
     .help = "the pairs to which the cutoff applies; atom is more accurate where Coulomb is cut, and slower (the "
             "manual has both measured)."},
    {"forces", "buffer", RILL_KIND_QUANTITY, RILL_DIMENSION_LENGTH, FIELD(forces.buffer), BETWEEN(1e-3, 0.25),
     .initial = "", .absent = "auto", .condition = &with_cutoff,
     .help = "how far neighbour lists reach beyond the cutoff; chosen automatically by default. They are rebuilt "
             "before any two molecules together have moved by more, so that no pair is missed: it changes the speed, "
             "but not the results"},
    {"forces", "lj", RILL_KIND_WORD, FIELD(forces.lj), CHOICE(lj), .initial = "cut", .condition = &with_cutoff,
     .help = "Lennard-Jones within the cutoff."},
    {"forces", "switch_from", RILL_KIND_QUANTITY, RILL_DIMENSION_LENGTH, FIELD(forces.switch_from), ABOVE(0),
     .initial = "0.8 nm", .condition = &switched, .help = "distance where the switch begins, below the cutoff"},
    {"forces", "tail", RILL_KIND_SWITCH, FIELD(forces.tail), .words = no_yes, .initial = "no", .condition = &periodic,
     .help = "corrects energy and pressure for Lennard-Jones beyond the cutoff, as for a uniform liquid"},
    {"forces", "accuracy", RILL_KIND_NUMBER, FIELD(forces.accuracy), BETWEEN(1e-10, 1e-2), .initial = "5e-4",
     .condition = &with_mesh,
     .help = "largest root mean square error of the forces, measured at the start, relative to their root mean "
             "square or kT/nm at 300 K, whichever is larger; Ewald's parameter, grid and order follow"},
    {"forces", "mesh_order", RILL_KIND_INTEGER, FIELD(forces.mesh_order), BETWEEN(4, 12), .initial = "",
     .absent = "auto", .condition = &with_mesh,
     .help =
         "order of the mesh's splines; by default that of the fastest mesh, in large boxes of a coarser one that is "
         "about as fast. A higher order has a coarser grid; "
         "above 8 the mesh is in double precision"},
    {"forces", "mesh_grid", RILL_KIND_GRID, FIELD(forces.mesh_grid), BETWEEN(4, 4096), .initial = "",
     .absent = "auto", .condition = &with_mesh,
     .help = "points of the mesh along the box vectors a, b, c; along c an even number. It is refused if it is too "
             "coarse for the accuracy"},
    {"forces", "precision", RILL_KIND_WORD, FIELD(forces.precision), CHOICE(precision), .initial = "mixed",
     .vacuum = "double",
     .help = "precision of the forces; with mixed also of the thermostat's random numbers (24 bits)."},
    {"forces", "threads", RILL_KIND_INTEGER, FIELD(forces.threads), BETWEEN(1, 1024), .initial = "",
     .absent = "all cores",
     .help = "at most this many threads, unless the option `--threads` says otherwise; results do not depend on it"},

    {"confine", "radius", RILL_KIND_QUANTITY, RILL_DIMENSION_LENGTH, FIELD(confine.radius), ABOVE(0),
     .help = "distance from the cluster's centre at which the wall begins"},
    {"confine", "stiffness", RILL_KIND_QUANTITY, RILL_DIMENSION_STIFFNESS, FIELD(confine.stiffness), ABOVE(0),
     .initial = "1000 kJ/mol/nm2", .help = "k of the wall's energy, k (r - radius)^2 / 2 beyond the radius"},

    {"field", "electric", RILL_KIND_VECTOR, RILL_DIMENSION_FIELD, FIELD(field.electric), FROM(-INFINITY),
     .initial = "0, 0, 0 V/nm",
     .help = "components of the electric field; in a box with a mesh it is the mean field in the liquid, because the "
             "surroundings conduct"},
    {"field", "trap", RILL_KIND_QUANTITY, RILL_DIMENSION_STIFFNESS, FIELD(field.trap), FROM(0),
     .initial = "0 kJ/mol/nm2",
     .help = "k of the energy k |R - centre|^2 / 2 of each molecule's centre of mass R, which in a box is unwrapped"},
    {"field", "centre", RILL_KIND_VECTOR, RILL_DIMENSION_LENGTH, FIELD(field.centre), FROM(-INFINITY),
     .initial = "0, 0, 0 nm", .condition = &trapped, .help = "the centre of the trap"},

    {"output", "trajectory", RILL_KIND_OUTPUT_PATH, FIELD(output.trajectory), .initial = "", .absent = "none",
     .help = "H5MD file (.h5md), relative to the output directory; for a small system an HDF5 file (.h5)"},
    {"output", "interval", RILL_KIND_INTERVAL, RILL_DIMENSION_TIME, FIELD(output.interval), BETWEEN(1, 1e18),
     .initial = "1 ps", .small = "1 step", .help = "time between frames, a whole number of steps"},
    {"output", "precision", RILL_KIND_SWITCH, FIELD(output.double_precision), .words = precisions,
     .initial = "single", .condition = &water_trajectory,
     .help = "precision of the numbers in the trajectory; single rounds bonds by up to 3e-7 of their length 1 nm "
             "from the origin, and by 3e-4 at 500 nm"},
    {"output", "velocities", RILL_KIND_SWITCH, FIELD(output.velocities), .words = no_yes, .initial = "no",
     .condition = &water_trajectory, .help = "write velocities with each frame"},
    {"output", "series", RILL_KIND_OUTPUT_PATH, FIELD(output.series), .initial = "", .absent = "none",
     .help = "CSV file of energies, temperatures, deviations and momenta, relative to the output directory"},
    {"output", "series_interval", RILL_KIND_INTERVAL, RILL_DIMENSION_TIME, FIELD(output.series_interval),
     BETWEEN(1, 1e18), .initial = "@output.interval",
     .help = "time between samples of the series, a whole number of steps"},
    {"output", "means_from", RILL_KIND_QUANTITY, RILL_DIMENSION_TIME, FIELD(output.means_from), FROM(0),
     .initial = "0 ps", .small = "", .condition = &sampling,
     .help = "the time from which samples count in the means of the summary; earlier ones belong to equilibration"},
    {"output", "checkpoint", RILL_KIND_OUTPUT_PATH, FIELD(output.checkpoint), .initial = "",
     .help = "file from which the run can be resumed, relative to the output directory; without the key a run with a "
             "trajectory writes DECK.checkpoint; `none`: no checkpoint"},
    {"output", "checkpoint_interval", RILL_KIND_PACE, RILL_DIMENSION_TIME, FIELD(output.checkpoint_interval),
     BETWEEN(1, 1e18), .initial = "15 min", .condition = &checkpointed,
     .help = "interval of checkpoints: minutes or hours of wall time (`15 min`, `2 h`), or simulated time, a whole "
             "number of steps; one is always written at the end of a run"},

    {"rdf", "pair", RILL_KIND_SET, FIELD(rdf.pairs), CHOICE(distances), .initial = "O-O",
     .help = "the pairs of atoms, of different molecules, whose distances are counted"},
    {"rdf", "max", RILL_KIND_QUANTITY, RILL_DIMENSION_LENGTH, FIELD(rdf.max), ABOVE(0), .initial = "1 nm",
     .help = "largest distance"},
    {"rdf", "bins", RILL_KIND_INTEGER, FIELD(rdf.bins), BETWEEN(1, 100000), .initial = "200",
     .help = "number of bins up to the largest distance"},
    {"rdf", "from", RILL_KIND_QUANTITY, RILL_DIMENSION_TIME, FIELD(rdf.from), FROM(0),
     .initial = "@output.means_from", .help = "samples before this time are ignored"},
    {"rdf", "interval", RILL_KIND_INTERVAL, RILL_DIMENSION_TIME, FIELD(rdf.interval), BETWEEN(1, 1e18),
     .initial = "@output.interval", .help = "time between samples, a whole number of steps"},

    {"properties", "compute", RILL_KIND_SET, FIELD(properties.compute), CHOICE(property),
     .help = "the properties, separated by commas."},
    {"properties", "from", RILL_KIND_QUANTITY, RILL_DIMENSION_TIME, FIELD(properties.from), FROM(0),
     .initial = "@output.means_from", .help = "samples before this time are ignored"},
    {"properties", "interval", RILL_KIND_INTERVAL, RILL_DIMENSION_TIME, FIELD(properties.interval), BETWEEN(1, 1e18),
     .initial = "24 fs", .help = "time between samples of velocities and stress"},
    {"properties", "motion_interval", RILL_KIND_INTERVAL, RILL_DIMENSION_TIME, FIELD(properties.motion_interval),
     BETWEEN(1, 1e18), .initial = "48 fs",
     .help = "time between samples of positions and dipoles, a multiple of the interval"},
    {"properties", "energy_interval", RILL_KIND_INTERVAL, RILL_DIMENSION_TIME, FIELD(properties.energy_interval),
     BETWEEN(1, 1e18), .initial = "1920 fs",
     .help = "time between samples of energy and volume, a multiple of the interval"},
    {"properties", "bond_interval", RILL_KIND_INTERVAL, RILL_DIMENSION_TIME, FIELD(properties.bond_interval),
     BETWEEN(1, 1e18), .initial = "1920 fs",
     .help = "time between counts of hydrogen bonds, a multiple of the interval"},
    {"properties", "window", RILL_KIND_QUANTITY, RILL_DIMENSION_TIME, FIELD(properties.window), ABOVE(0),
     .initial = "20 ps",
     .help = "the longest time at which correlations are known: diffusion is fitted from a tenth to half of it"},

    {"ensemble", "replicas", RILL_KIND_INTEGER, FIELD(ensemble.replicas), BETWEEN(1, 100000),
     .help = "number of replicas, a multiple of the number of temperatures: each such group is a ladder of its own"},
    {"ensemble", "temperatures", RILL_KIND_LADDER, RILL_DIMENSION_TEMPERATURE, FIELD(ensemble.temperatures),
     .initial = "", .absent = "none", .condition = &thermostatted,
     .help =
         "temperatures of a ladder, `60 K -> 250 K, 12` (in geometric progression) or `60 K, 80 K, 110 K`; without "
         "them all replicas have the thermostat's"},
    {"ensemble", "exchange", RILL_KIND_WORD, FIELD(ensemble.exchange), CHOICE(exchange), .initial = "none",
     .condition = &thermostatted, .help = "how temperatures are exchanged between the replicas of a ladder."},
    {"ensemble", "exchange_interval", RILL_KIND_INTERVAL, RILL_DIMENSION_TIME, FIELD(ensemble.exchange_interval),
     BETWEEN(1, 1e18), .initial = "1 ps", .small = "100 steps", .condition = &exchanging,
     .help = "time between exchanges, a whole number of steps"},
    {"ensemble", "on_failure", RILL_KIND_WORD, FIELD(ensemble.on_failure), CHOICE(on_failure), .initial = "stop",
     .help = "what happens when a replica fails; leave-out needs exchange = none."},
    {"ensemble", "quench_interval", RILL_KIND_INTERVAL, RILL_DIMENSION_TIME, FIELD(ensemble.quench_interval),
     BETWEEN(1, 1e18), .initial = "", .absent = "none",
     .help = "time between minimisations of copies of all replicas, a whole number of steps: the distinct minima "
             "are written with their counts at each temperature"},
    {"ensemble", "minima", RILL_KIND_INTEGER, FIELD(ensemble.minima), BETWEEN(1, 100000), .initial = "1000",
     .condition = &quenching, .help = "the most minima that are kept, the lowest ones"},

    {"stop", "max_temperature", RILL_KIND_QUANTITY, RILL_DIMENSION_TEMPERATURE, FIELD(stop.max_temperature), ABOVE(0),
     .or_none = true, .initial = "", .condition = &water,
     .help = "temperature of the velocities of a step. By default 5000 K, or ten times the highest temperature of "
             "the bath or of the start when that is higher"},
    {"stop", "max_energy_change", RILL_KIND_NUMBER, FIELD(stop.max_energy_change), ABOVE(0), .or_none = true,
     .initial = "",
     .help = "change of the total energy since the start; with a thermostat the gain beyond the most that the bath "
             "can have supplied, friction times k T for each degree of freedom and unit of time, and 32 k T for its "
             "fluctuations. For water in k T for each degree of freedom, with the highest temperature of the start "
             "or of the bath, or 300 K if that is higher; by default 0.5. For a small system in units of the start's "
             "K + |V| + |grad V| |q| (on a rotation group, with the torque in place of the last), with a thermostat "
             "and k T for each degree of freedom; by default 20"},
    {"stop", "max_bond", RILL_KIND_NUMBER, FIELD(stop.max_bond), ABOVE(0), .or_none = true, .initial = "",
     .help = "|d - d0| / d0 of any bond. By default 0.001 for rigid molecules; for penalised water sqrt(4 + 10 "
             "sqrt(kT) / (w d0^2)) - 1, which is 1 or a little more for stiff bonds; for penalised bars 10"},
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

const struct rill_section *rill_sections(size_t *count) {
  *count = SECTION_COUNT;
  return sections;
}

const struct rill_key *rill_keys(size_t *count) {
  *count = KEY_COUNT;
  return keys;
}

int rill_section_find(const char *section) {
  for (int i = 0; i < SECTION_COUNT; i++)
    if (strcmp(sections[i].name, section) == 0) return i;
  return -1;
}

int rill_key_find(const char *section, const char *name) {
  for (int i = 0; i < KEY_COUNT; i++)
    if (strcmp(keys[i].section, section) == 0 && strcmp(keys[i].name, name) == 0) return i;
  return -1;
}

bool rill_condition_holds(const struct rill_condition *condition, const struct rill_deck *deck) {
  return condition->holds != NULL ? condition->holds(deck) : (deck->integrator.reads & condition->reads) != 0;
}

const struct rill_condition *rill_key_without_effect(const struct rill_key *key, const struct rill_deck *deck) {
  const struct rill_condition *of_section = sections[rill_section_find(key->section)].condition;
  if (of_section != NULL && !rill_condition_holds(of_section, deck)) return of_section;
  return key->condition != NULL && !rill_condition_holds(key->condition, deck) ? key->condition : NULL;
}

const char *rill_key_initial(const struct rill_key *key, const struct rill_deck *deck) {
  if (is_small(deck) && key->small != NULL) return key->small;
  return is_water(deck) && !is_periodic(deck) && key->vacuum != NULL ? key->vacuum : key->initial;
}

void *rill_key_field(const struct rill_key *key, struct rill_deck *deck) { return (char *)deck + key->offset; }

const void *rill_key_value(const struct rill_key *key, const struct rill_deck *deck) {
  return (const char *)deck + key->offset;
}

bool rill_section_on(const char *section, const struct rill_deck *deck) {
  int index = rill_section_find(section);
  if (index < 0) return false;
  return sections[index].on == RILL_NO_OFFSET || *(const bool *)((const char *)deck + sections[index].on);
}

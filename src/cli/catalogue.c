#include "cli/catalogue.h"

#include "integrators/registry.h"
#include "water/water_system.h"

#define CATALOGUE(entries) {entries, sizeof entries / sizeof entries[0]}

static const struct rill_entry systems[] = {
    {"water", "rigid TIP3P water in vacuum or in a periodic box: nm, ps, u, kJ/mol, K",
     "Jorgensen et al., J. Chem. Phys. 79, 926 (1983)"}};
const struct rill_catalogue rill_systems = CATALOGUE(systems);

static const struct rill_entry thermostats[] = {
    {"none", "constant energy", "-"},
    {"gla",
     "geometric Langevin: a step of the method, the exact Ornstein-Uhlenbeck flow, projection; trust the on-step "
     "temperature",
     "Bou-Rabee & Owhadi, SIAM J. Numer. Anal. 48, 278 (2010); Tao & Owhadi 2016, section 4.3"},
    {"baoab",
     "geodesic BAOAB: the Ornstein-Uhlenbeck flow in the middle of the drift; trust the half-step temperature",
     "Leimkuhler & Matthews, Proc. R. Soc. A 472, 20160138 (2016)"}};
const struct rill_catalogue rill_thermostats = CATALOGUE(thermostats);

static const struct rill_entry constraint_solvers[] = {
    {"settle", "analytic, exact to round-off; for molecules with two equal hydrogens",
     "Miyamoto & Kollman, J. Comput. Chem. 13, 952 (1992)"},
    {"mshake", "Newton's method for a molecule's three multipliers together, to a tolerance",
     "Kraeutler, van Gunsteren & Huenenberger, J. Comput. Chem. 22, 501 (2001)"},
    {"shake", "Gauss-Seidel sweeps over the bonds, to a tolerance, for positions and velocities",
     "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977); Andersen, J. Comput. Phys. 52, 24 (1983)"},
    {"lgvi",
     "no constraints: molecules are rigid bodies, and the drift's free rotor is the Lie group variational integrator, which "
     "conserves the energy and angular momentum of a free body",
     "Lee, Leok & McClamroch, Comput. Methods Appl. Mech. Engrg. 196, 2907 (2007); Leok & Shingel, Front. Math. China 7, 273 "
     "(2012)"},
    {"rotor", "no constraints: molecules are rigid bodies, turned about their principal axes in the order x y z y x",
     "Dullweber, Leimkuhler & McLachlan, J. Chem. Phys. 107, 5840 (1997)"}};
const struct rill_catalogue rill_constraint_solvers = CATALOGUE(constraint_solvers);

static const struct rill_entry force_kernels[] = {
    {"auto", "the widest vectors of the processor: in vacuum all pairs, or those within a cutoff; in a box pairs of lists", "-"},
    {"reference", "all pairs in plain loops: the judge of the others", "-"},
    {"portable", "the compiler's generic vectors", "-"},
    {"avx2", "AVX2 and FMA", "-"},
    {"avx512", "AVX-512", "-"}};
const struct rill_catalogue rill_force_kernels = CATALOGUE(force_kernels);

enum rill_status rill_combinations_each(rill_combination_visit *visit, void *context, struct rill_error *error) {
  static const struct { const char *name; enum rill_thermostat insertion; } insertions[] = {
      {"none", RILL_NO_BATH}, {"gla", RILL_GLA}, {"baoab", RILL_BAOAB}};
  static const struct { const char *name; double stiffness; enum rill_constraint_solver solver; bool periodic; }
      formulations[] = {{"water", 0, RILL_SETTLE, false},
                        {"water/bodies", 0, RILL_BODIES_LGVI, false},
                        {"water/penalised", 4000, RILL_SETTLE, false},
                        {"water/box", 0, RILL_SETTLE, true},
                        {"water/box/bodies", 0, RILL_BODIES_LGVI, true},
                        {"water/box/penalised", 4000, RILL_SETTLE, true}};
  const double molecule[9] = {0, 0, 0, 0.07569503272636612, 0.05858822760456832, 0,
                              -0.07569503272636612, 0.05858822760456832, 0};
  struct rill_water_options options = {.molecules = 1,
                                       .positions = molecule,
                                       .constraints = {RILL_SETTLE, 1e-10, 1e-10, 1, 100},
                                       .thermostat = true,
                                       .isa = RILL_ISA_PORTABLE,
                                       .threads = 1};
  struct rill_system system;
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  RILL_TRY(rill_water_model_find("tip3p", 0, &options.model, error));
  options.box = (struct rill_periodic_options){
      .box = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, .cutoff = 0.9, .coulomb = RILL_COULOMB_CUT};
  for (size_t f = 0; f < sizeof formulations / sizeof formulations[0]; f++) {
    options.stiffness = formulations[f].stiffness;
    options.constraints.solver = formulations[f].solver;
    options.periodic = formulations[f].periodic;
    RILL_TRY(rill_water_create(&options, &system, error));
    for (size_t i = 0; i < count; i++)
      for (size_t k = 0; k < sizeof insertions / sizeof insertions[0]; k++)
        visit(context, formulations[f].name, methods[i], insertions[k].name,
              rill_method_refusal(methods[i], &system, insertions[k].insertion));
    system.ops->destroy(system.self);
  }
  return RILL_OK;
}

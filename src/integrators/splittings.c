/* Methods that are splittings: tables, each with its citation.  K is a kick, D a drift. */
#include "integrators/splittings.h"

#include <string.h>

/* K(1/2) D(1) K(1/2).  With constraints inside the flows this splitting is RATTLE: Andersen, J. Comput. Phys. 52, 24
 * (1983). */
static const struct rill_splitting_stage kick_drift_kick[] = {
    {RILL_KICK, 0.5, 0}, {RILL_DRIFT, 1.0, 0}, {RILL_KICK, 0.5, 0}};
const struct rill_splitting rill_splitting_verlet = {RILL_SPLITTING_PLAIN, kick_drift_kick, 3, NULL, NULL, 0};

const struct rill_method rill_method_verlet = {
    .name = "verlet",
    .alias = "rattle",
    .summary = "velocity Verlet, kick-drift-kick; with constraints it is RATTLE",
    .citation = "Swope et al., J. Chem. Phys. 76, 637 (1982); Andersen, J. Comput. Phys. 52, 24 (1983)",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW,
    .filter = &rill_filter_identity,
    .splitting = &rill_splitting_verlet,
};

/* Ryckaert's position form in one-step variables: the multipliers correct positions only, the half-step velocity is
 * the difference quotient (x' - x) / h.  In exact arithmetic the positions are RATTLE's. */
static const struct rill_splitting_stage kick_difference_kick[] = {
    {RILL_KICK, 0.5, 0}, {RILL_DRIFT, 1.0, RILL_FLOW_DIFFERENCE}, {RILL_KICK, 0.5, 0}};
static const struct rill_splitting shake = {RILL_SPLITTING_PLAIN, kick_difference_kick, 3, NULL, NULL, 0};

const struct rill_method rill_method_position_shake = {
    .name = "position-shake", /* not "shake", which is a constraint solver */
    .former = "shake",
    .summary = "SHAKE in position form: multipliers correct positions, velocities are difference quotients",
    .citation = "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977)",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW,
    .filter = &rill_filter_identity,
    .splitting = &shake,
};

/* K_slow(1/2) [K_fast(1/2n) D(1/n) K_fast(1/2n)]^n K_slow(1/2): the slow forces are evaluated once per step of n
 * substeps.  The kicks at the end of one step and at the start of the next act at the same position, where each part
 * is evaluated once. */
static const struct rill_splitting_stage fast_drift_fast[] = {
    {RILL_KICK, 0.5, RILL_FLOW_FAST}, {RILL_DRIFT, 1.0, 0}, {RILL_KICK, 0.5, RILL_FLOW_FAST}};
static const struct rill_splitting fast_verlet = {RILL_SPLITTING_PLAIN, fast_drift_fast, 3, NULL, NULL, 0};
static const struct rill_splitting_stage slow_inner_slow[] = {
    {RILL_KICK, 0.5, RILL_FLOW_SLOW}, {RILL_INNER, 1.0, 0}, {RILL_KICK, 0.5, RILL_FLOW_SLOW}};
static const struct rill_splitting respa = {RILL_SPLITTING_NESTED, slow_inner_slow, 3, &fast_verlet, NULL, 0};

const struct rill_method rill_method_respa = {
    .name = "respa",
    .alias = NULL,
    .summary =
        "r-RESPA: the mesh's forces once in a step, the others at each of its substeps of velocity Verlet or RATTLE",
    .citation = "Tuckerman, Berne & Martyna, J. Chem. Phys. 97, 1990 (1992)",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW,
    .filter = &rill_filter_identity,
    .splitting = &respa,
};

/* --- compositions of the symmetric base: neighbouring kicks act at one position, and share its forces --- */

/* The triple jump 1 / (2 - 2^(1/3)), -2^(1/3) / (2 - 2^(1/3)), 1 / (2 - 2^(1/3)). */
static const double triple_jump[] = {1.3512071919596576340, -1.7024143839193152681, 1.3512071919596576340};

static const double seven[] = {0.78451361047755726382, 0.23557321335935813368,  -1.17767998417887100695,
                               1.31518632068391121889, -1.17767998417887100695, 0.23557321335935813368,
                               0.78451361047755726382};

static const double fifteen[] = {0.74167036435061295345,  -0.40910082580003159400, 0.19075471029623837995,
                                 -0.57386247111608226666, 0.29906418130365592384,  0.33462491824529818378,
                                 0.31529309239676659663,  -0.79688793935291635402, 0.31529309239676659663,
                                 0.33462491824529818378,  0.29906418130365592384,  -0.57386247111608226666,
                                 0.19075471029623837995,  -0.40910082580003159400, 0.74167036435061295345};

#define YOSHIDA "Yoshida, Phys. Lett. A 150, 262 (1990)"
#define SUZUKI                                                                                                       \
  YOSHIDA                                                                                                            \
  "; coefficients of Suzuki & Umeno (1993), in Hairer, Lubich & Wanner, Geometric Numerical "                        \
  "Integration, V.(3.12)"

static const struct rill_composition compositions[] = {
    {"yoshida4", "triple jump, order 4", YOSHIDA ", eq. (2.8)", 4, triple_jump, 3},
    {"yoshida6", "seven stages, order 6", YOSHIDA ", table 1, solution A", 6, seven, 7},
    {"yoshida8", "fifteen stages, order 8", SUZUKI, 8, fifteen, 15},
};

const struct rill_composition *rill_compositions(size_t *count) {
  *count = sizeof compositions / sizeof compositions[0];
  return compositions;
}

const struct rill_composition *rill_composition_find(const char *name) {
  for (size_t i = 0; i < sizeof compositions / sizeof compositions[0]; i++)
    if (strcmp(compositions[i].name, name) == 0) return &compositions[i];
  return NULL;
}

static const struct rill_splitting yoshida4 = {RILL_SPLITTING_COMPOSITION, NULL,        0,
                                               &rill_splitting_verlet,     triple_jump, 3};
static const struct rill_splitting yoshida6 = {RILL_SPLITTING_COMPOSITION, NULL, 0, &rill_splitting_verlet, seven, 7};
static const struct rill_splitting yoshida8 = {RILL_SPLITTING_COMPOSITION, NULL,    0,
                                               &rill_splitting_verlet,     fifteen, 15};

const struct rill_method rill_method_yoshida4 = {
    .name = "yoshida4",
    .alias = NULL,
    .summary = "fourth-order triple jump of velocity Verlet (of RATTLE with constraints)",
    .citation = YOSHIDA ", eq. (2.8)",
    .order = 4,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW,
    .filter = &rill_filter_identity,
    .splitting = &yoshida4,
};

const struct rill_method rill_method_yoshida6 = {
    .name = "yoshida6",
    .summary = "sixth-order composition of seven steps of velocity Verlet (of RATTLE with constraints)",
    .citation = YOSHIDA ", table 1, solution A",
    .order = 6,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW,
    .filter = &rill_filter_identity,
    .splitting = &yoshida6,
};

const struct rill_method rill_method_yoshida8 = {
    .name = "yoshida8",
    .summary = "eighth-order composition of fifteen steps of velocity Verlet (of RATTLE with constraints)",
    .citation = SUZUKI,
    .order = 8,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW,
    .filter = &rill_filter_identity,
    .splitting = &yoshida8,
};

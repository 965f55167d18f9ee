/* Methods that are words in flows: tables, each with its citation.  K kick, D drift. */
#include "integrators/words.h"

/* K(1/2) D(1) K(1/2).  With constraints inside the flows this word is RATTLE: Andersen, J. Comput. Phys. 52, 24 (1983). */
static const struct rill_syllable kick_drift_kick[] = {{RILL_KICK, 0.5, 0}, {RILL_DRIFT, 1.0, 0}, {RILL_KICK, 0.5, 0}};
const struct rill_word rill_word_verlet = {RILL_WORD_SPLITTING, kick_drift_kick, 3, NULL, NULL, 0};

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
    .word = &rill_word_verlet,
};

/* Ryckaert's position form in one-step variables: the multipliers correct positions only, the velocity of the half step is
 * the difference quotient (x' - x) / h.  In exact arithmetic the positions are RATTLE's. */
static const struct rill_syllable kick_difference_kick[] = {
    {RILL_KICK, 0.5, 0}, {RILL_DRIFT, 1.0, RILL_FLOW_DIFFERENCE}, {RILL_KICK, 0.5, 0}};
static const struct rill_word shake = {RILL_WORD_SPLITTING, kick_difference_kick, 3, NULL, NULL, 0};

const struct rill_method rill_method_shake = {
    .name = "shake",
    .alias = NULL,
    .summary = "SHAKE in position form: multipliers correct positions, velocities are difference quotients",
    .citation = "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977)",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW,
    .filter = &rill_filter_identity,
    .word = &shake,
};

/* The triple jump 1 / (2 - 2^(1/3)), -2^(1/3) / (2 - 2^(1/3)), 1 / (2 - 2^(1/3)) of the symmetric base; neighbouring kicks
 * meet at the same position, neighbouring drifts never do. */
static const double triple_jump[] = {1.3512071919596576340, -1.7024143839193152681, 1.3512071919596576340};
static const struct rill_word yoshida4 = {RILL_WORD_COMPOSITION, NULL, 0, &rill_word_verlet, triple_jump, 3};

const struct rill_method rill_method_yoshida4 = {
    .name = "yoshida4",
    .alias = NULL,
    .summary = "fourth-order triple jump of velocity Verlet (of RATTLE with constraints)",
    .citation = "Yoshida, Phys. Lett. A 150, 262 (1990), eq. (2.8)",
    .order = 4,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW,
    .filter = &rill_filter_identity,
    .word = &yoshida4,
};

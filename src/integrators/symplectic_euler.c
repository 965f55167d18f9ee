/* The two first-order splittings: drift then kick, and kick then drift.  They are adjoint to each other. */
#include "integrators/conserving.h"

static const struct rill_splitting_stage drift_kick[] = {{RILL_DRIFT, 1.0, 0}, {RILL_KICK, 1.0, 0}};
static const struct rill_splitting drift_then_kick = {RILL_SPLITTING_PLAIN, drift_kick, 2, NULL, NULL, 0};

const struct rill_method rill_method_symplectic_euler = {
    .name = "symplectic-euler",
    .summary = "drift, then kick: the explicit first-order symplectic scheme (16) of Marsden & Wendlandt",
    .citation = "Marsden & Wendlandt, in Current and Future Directions in Applied Mathematics (1997), eq. (16)",
    .order = 1,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW,
    .filter = &rill_filter_identity,
    .splitting = &drift_then_kick,
};

/* F = G o H of Example 5: H, the kick, acts first. */
static const struct rill_splitting_stage kick_drift[] = {{RILL_KICK, 1.0, 0}, {RILL_DRIFT, 1.0, 0}};
static const struct rill_splitting kick_then_drift = {RILL_SPLITTING_PLAIN, kick_drift, 2, NULL, NULL, 0};

const struct rill_method rill_method_lie_trotter = {
    .name = "lie-trotter",
    .summary = "kick, then drift: the Lie-Trotter splitting of Marsden & Wendlandt's Example 5",
    .citation =
        "Marsden & Wendlandt, in Current and Future Directions in Applied Mathematics (1997), eq. (15), Example 5",
    .order = 1,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW,
    .filter = &rill_filter_identity,
    .splitting = &kick_then_drift,
};

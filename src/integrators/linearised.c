/* The variational linearised integrators of Tao & Owhadi 2016, section 4.5, (4.14)-(4.15): discrete actions in which
 * the penalty acts through the Zhang-Skeel modified potential.  Their trapezoidal form, p+ = p + (h/2) f(R),
 * R' = R + 2 h p+, p' = p+ + (h/2) f(R') (printed with p and p' in place of p+), is method zs on the body
 * penalised in R^9, where M = 1/2; the first-order form, p' = p + h f(R), R' = R + 2 h p', is kick-drift
 * with the same filter.
 *
 * With a the paper's force, (1 + beta h^2 H) a = -grad V, the correction derived from the action is
 *   f = a - 2 w^2 beta^2 h^4 (a a^T R + a R^T a + R a^T a);
 * the printed one, a plus sign and a transpose, is not a gradient and breaks the conservation of momentum.  The
 * paper's beta is twice Newmark's beta, which the methods here take, because its M is 1/2 where (4.14) has a^T a
 * / 2. */
#include "integrators/linearised.h"

static const struct rill_filter third = {.name = "third-derivative",
                                         .citation = "Zhang & Skeel, Appl. Numer. Math. 25, 297 (1997), (1.3)",
                                         .kind = RILL_FILTER_THIRD,
                                         .hessian = RILL_HESSIAN_FULL};

static const struct rill_splitting_stage kick_drift[] = {{RILL_KICK, 1.0, 0}, {RILL_DRIFT, 1.0, 0}};
static const struct rill_splitting kick_then_drift = {RILL_SPLITTING_PLAIN, kick_drift, 2, NULL, NULL, 0};

const struct rill_method rill_method_zs_euler = {
    .name = "zs-euler",
    .summary = "kick, then drift, with Zhang & Skeel's filtered force: first-order variational linearised integrator",
    .citation = "Tao & Owhadi 2016, (4.14)-(4.15), corrected",
    .order = 1,
    .symmetric = false,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW | RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
    .filter = &third,
    .splitting = &kick_then_drift,
};

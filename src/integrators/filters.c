/* The Zhang-Skeel family: kick-drift-kick with the filtered acceleration f(x; h), one row per method. */
#include "integrators/filters.h"

#include "integrators/splittings.h"

#define ZHANG_SKEEL "Zhang & Skeel, Appl. Numer. Math. 25, 297 (1997); Tao & Owhadi 2016, "

static const struct rill_filter third = {.name = "third-derivative",
                                         .citation = ZHANG_SKEEL "(1.3)",
                                         .kind = RILL_FILTER_THIRD,
                                         .hessian = RILL_HESSIAN_FULL};
static const struct rill_filter linear = {
    .name = "linear", .citation = ZHANG_SKEEL "(2.7)", .kind = RILL_FILTER_LINEAR, .hessian = RILL_HESSIAN_FULL};
static const struct rill_filter simplified = {.name = "linear, stiff part",
                                              .citation = "Tao & Owhadi 2016, (2.8) and theorem 2.7",
                                              .kind = RILL_FILTER_LINEAR,
                                              .hessian = RILL_HESSIAN_GAUSS_NEWTON,
                                              .takes_hessian = true};
static const struct rill_filter pushforward = {.name = "pushforward",
                                               .citation = "Tao & Owhadi 2016, (2.3)",
                                               .kind = RILL_FILTER_PUSHFORWARD,
                                               .hessian = RILL_HESSIAN_FULL};

const struct rill_method rill_method_zs = {
    .name = "zs",
    .summary = "Zhang & Skeel's linearly implicit method with the third-derivative term: symplectic",
    .citation = ZHANG_SKEEL "(1.3)",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW | RILL_NEEDS_NO_CONSTRAINTS,
    .filter = &third,
    .splitting = &rill_splitting_verlet,
};

const struct rill_method rill_method_zss = {
    .name = "zss",
    .summary =
        "Zhang & Skeel's method without the third-derivative term: one linear solve with M + beta h^2 H a step",
    .citation = ZHANG_SKEEL "(2.7)",
    .order = 2,
    .symmetric = true,
    .symplectic = false,
    .needs = RILL_NEEDS_FLOW | RILL_NEEDS_NO_CONSTRAINTS,
    .filter = &linear,
    .splitting = &rill_splitting_verlet,
};

const struct rill_method rill_method_zss_simplified = {
    .name = "zss-simplified",
    .summary = "the same with the Hessian of the stiff part only: Gauss-Newton, or full",
    .citation = "Tao & Owhadi 2016, (2.8)",
    .order = 2,
    .symmetric = true,
    .symplectic = false,
    .needs = RILL_NEEDS_FLOW | RILL_NEEDS_NO_CONSTRAINTS | RILL_NEEDS_PENALTY,
    .filter = &simplified,
    .splitting = &rill_splitting_verlet,
};

const struct rill_method rill_method_newmark_pushforward = {
    .name = "newmark-pushforward",
    .summary = "Newmark's method in x = q - beta h^2 a, solved to round-off: symplectic in x",
    .citation =
        "Zhang & Skeel 1997; Kane, Marsden, Ortiz & West, Int. J. Numer. Meth. Engng 49, 1295 (2000); Tao & "
        "Owhadi 2016, (2.3)",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_FLOW | RILL_NEEDS_NO_CONSTRAINTS,
    .filter = &pushforward,
    .splitting = &rill_splitting_verlet,
};

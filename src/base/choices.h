/* Choices that are selected by a word, each defined once: the values of an enumeration, their words in decks and
 * options, and for each value a sentence and a citation.  The schema, listings, the manual and the parsers of options
 * use the tables that are generated from the lists here; a choice has the same value in a deck, in the library and in
 * a file.
 *
 * Words are shown in the order of the list.  Checkpoints store values (of filters): never renumber them. */
#ifndef RILL_BASE_CHOICES_H
#define RILL_BASE_CHOICES_H

#include <stddef.h>

struct rill_choice {
  unsigned value;      /* the enumerator's value */
  const char *word;    /* NULL ends a table */
  const char *summary; /* NULL: the word explains itself */
  const char *source;  /* a citation; NULL: none */
};

/* The row with this word, or with this value; NULL when there is none. */
const struct rill_choice *rill_choice_find(const struct rill_choice *choices, const char *word);
const struct rill_choice *rill_choice_of(const struct rill_choice *choices, unsigned value);

/* The word of a value; "unknown" for an unknown value. */
const char *rill_choice_word(const struct rill_choice *choices, unsigned value);

/* Writes "a, b or c" to text, truncated at size; before_last: the separator before the last word, such as " or ".
 * Returns text. */
const char *rill_choice_list(const struct rill_choice *choices, const char *before_last, char *text, size_t size);

/* X(enumerator, value, word, summary, source) */
#define RILL_CHOICE_ENUMERATOR(enumerator, value, word, summary, source) enumerator = value,

/* ---- the system and its start ---- */

#define RILL_BOUNDARY_LIST(X)                                                                                        \
  X(RILL_BOUNDARY_VACUUM, 0, "vacuum", "no box", NULL)                                                               \
  X(RILL_BOUNDARY_PERIODIC, 1, "periodic", "the box of the structure, or a box that is built", NULL)
enum rill_boundary { RILL_BOUNDARY_LIST(RILL_CHOICE_ENUMERATOR) };

#define RILL_START_VELOCITIES_LIST(X)                                                                                \
  X(RILL_VELOCITIES_MAXWELL, 0, "maxwell", "drawn from Maxwell's distribution", NULL)                                \
  X(RILL_VELOCITIES_FILE, 1, "file", "read from the structure file", NULL)                                           \
  X(RILL_VELOCITIES_ZERO, 2, "zero", "at rest", NULL)
enum rill_start_velocities { RILL_START_VELOCITIES_LIST(RILL_CHOICE_ENUMERATOR) };

#define RILL_MOMENTUM_REMOVAL_LIST(X)                                                                                \
  X(RILL_REMOVE_AUTO, 3, "auto",                                                                                     \
    "linear+angular in vacuum, linear in a box or an electric field, none for one molecule or in a trap", NULL)      \
  X(RILL_KEEP_MOMENTUM, 0, "none", "velocities are kept as they are", NULL)                                          \
  X(RILL_REMOVE_LINEAR_MOMENTUM, 1, "linear", "the total momentum", NULL)                                            \
  X(RILL_REMOVE_ALL_MOMENTA, 2, "linear+angular",                                                                    \
    "the total momentum, and the angular momentum about the centre of mass", NULL)
enum rill_momentum_removal { RILL_MOMENTUM_REMOVAL_LIST(RILL_CHOICE_ENUMERATOR) };

/* ---- the motion of molecules ---- */

/* The last two solve no constraints: they move molecules as rigid bodies (water/bodies/bodies.h). */
#define RILL_CONSTRAINT_SOLVER_LIST(X)                                                                               \
  X(RILL_SETTLE, 0, "settle", "analytic, exact to round-off; for molecules with two equal hydrogens",                \
    "Miyamoto & Kollman, J. Comput. Chem. 13, 952 (1992)")                                                           \
  X(RILL_MSHAKE, 1, "mshake", "Newton's method for a molecule's three multipliers together, to a tolerance",         \
    "Kraeutler, van Gunsteren & Huenenberger, J. Comput. Chem. 22, 501 (2001)")                                      \
  X(RILL_RATTLE_SHAKE, 2, "shake",                                                                                   \
    "Gauss-Seidel sweeps over the bonds, to a tolerance, for positions and velocities",                              \
    "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977); Andersen, J. Comput. Phys. 52, 24 (1983)")     \
  X(RILL_BODIES_LGVI, 3, "lgvi",                                                                                     \
    "no constraints: molecules are rigid bodies, and the drift rotates each by the Lie group variational "           \
    "integrator, which conserves the energy and angular momentum of a free body",                                    \
    "Lee, Leok & McClamroch, Comput. Methods Appl. Mech. Engrg. 196, 2907 (2007); Leok & Shingel, Front. Math. "     \
    "China 7, 273 (2012)")                                                                                           \
  X(RILL_BODIES_ROTOR, 4, "rotor",                                                                                   \
    "no constraints: molecules are rigid bodies, rotated about their principal axes in the order x y z y x",         \
    "Dullweber, Leimkuhler & McLachlan, J. Chem. Phys. 107, 5840 (1997)")
enum rill_constraint_solver { RILL_CONSTRAINT_SOLVER_LIST(RILL_CHOICE_ENUMERATOR) };
enum { RILL_CONSTRAINT_SOLVERS = RILL_BODIES_ROTOR + 1 };

/* Where the Ornstein-Uhlenbeck flow is applied: nowhere, after each step, in the middle of each drift, or before each
 * trial; or, after each step, one factor for all velocities in its place. */
#define RILL_THERMOSTAT_LIST(X)                                                                                      \
  X(RILL_NO_BATH, 0, "none", "constant energy", NULL)                                                                \
  X(RILL_GLA, 1, "gla",                                                                                              \
    "geometric Langevin: a step of the method, the exact Ornstein-Uhlenbeck flow, a projection; trust the on-step "  \
    "temperature",                                                                                                   \
    "Bou-Rabee & Owhadi, SIAM J. Numer. Anal. 48, 278 (2010); Tao & Owhadi 2016, section 4.3")                       \
  X(RILL_BAOAB, 2, "baoab",                                                                                          \
    "geodesic BAOAB: the Ornstein-Uhlenbeck flow in the middle of the drift; trust the half-step temperature",       \
    "Leimkuhler & Matthews, Proc. R. Soc. A 472, 20160138 (2016)")                                                   \
  X(RILL_GHMC, 3, "ghmc",                                                                                            \
    "generalised hybrid Monte Carlo: the Ornstein-Uhlenbeck flow, then a trial of some steps, accepted or rejected " \
    "by its total energy: averages have no error of the step; trust either temperature",                             \
    "Horowitz, Phys. Lett. B 268, 247 (1991); Lelievre, Rousset & Stoltz, Math. Comput. 81, 2071 (2012)")            \
  X(RILL_V_RESCALE, 4, "v-rescale",                                                                                  \
    "stochastic velocity rescaling: after each step all velocities are scaled by one factor, which gives the "       \
    "kinetic energy its law and hardly disturbs the dynamics; trust the on-step temperature",                        \
    "Bussi, Donadio & Parrinello, J. Chem. Phys. 126, 014101 (2007)")
enum rill_thermostat { RILL_THERMOSTAT_LIST(RILL_CHOICE_ENUMERATOR) };

/* Depends on the unit of the friction: a rate (1/ps), the same for all atoms, or a coefficient gamma (u/ps), for
 * which an atom of mass m has the rate gamma / m (Tao & Owhadi 2016, section 4.3). */
enum rill_friction_law { RILL_FRICTION_UNIFORM, RILL_FRICTION_PER_MASS };

/* The law of the positions of rods in a heat bath. */
#define RILL_MEASURE_LIST(X)                                                                                         \
  X(RILL_MEASURE_CONSTRAINED, 0, "constrained", "that of rods, whose velocities along them are zero", NULL)          \
  X(RILL_MEASURE_STIFF_LIMIT, 1, "stiff-limit",                                                                      \
    "that of springs in the limit of large stiffness: Fixman's potential (k T/2) ln det(Dg M^-1 Dg^T) is added",     \
    "Fixman, Proc. Natl. Acad. Sci. USA 71, 3050 (1974)")
enum rill_measure { RILL_MEASURE_LIST(RILL_CHOICE_ENUMERATOR) };

#define RILL_BAROSTAT_LIST(X)                                                                                        \
  X(RILL_NO_BAROSTAT, 0, "none", "constant volume", NULL)                                                            \
  X(RILL_BAROSTAT_RESCALE, 1, "rescale",                                                                             \
    "stochastic cell rescaling, whose steps are accepted or rejected by Metropolis's rule",                          \
    "Bernetti & Bussi, J. Chem. Phys. 153, 114107 (2020)")                                                           \
  X(RILL_BAROSTAT_MC, 2, "mc", "Monte Carlo: the same moves without their drift",                                    \
    "McDonald, Mol. Phys. 23, 41 (1972)")
enum rill_barostat_kind { RILL_BAROSTAT_LIST(RILL_CHOICE_ENUMERATOR) };

#define RILL_SHAPE_LIST(X)                                                                                           \
  X(RILL_SHAPE_ISOTROPIC, 0, "isotropic", "all edges are scaled by one factor", NULL)                                \
  X(RILL_SHAPE_SEMI, 1, "semi", "a and b by one factor, c by another", NULL)                                         \
  X(RILL_SHAPE_ANISOTROPIC, 2, "anisotropic", "each edge by its own factor", NULL)
enum rill_barostat_shape { RILL_SHAPE_LIST(RILL_CHOICE_ENUMERATOR) };

/* ---- ensembles of replicas ---- */

#define RILL_EXCHANGE_LIST(X)                                                                                        \
  X(RILL_NO_EXCHANGE, 0, "none", "replicas keep their temperatures", NULL)                                           \
  X(RILL_EXCHANGE_NEIGHBOURS, 1, "neighbours",                                                                       \
    "neighbouring temperatures are exchanged between replicas, even and odd pairs alternately",                      \
    "Syed, Bouchard-Cote, Deligiannidis & Doucet, J. R. Stat. Soc. B 84, 321 (2022)")
enum rill_exchange_kind { RILL_EXCHANGE_LIST(RILL_CHOICE_ENUMERATOR) };

#define RILL_ON_FAILURE_LIST(X)                                                                                      \
  X(RILL_FAILURE_STOPS, 0, "stop", "the run stops", NULL)                                                            \
  X(RILL_FAILURE_LEAVES_OUT, 1, "leave-out", "the replica is left out from then on, and reported", NULL)
enum rill_on_failure { RILL_ON_FAILURE_LIST(RILL_CHOICE_ENUMERATOR) };

/* ---- forces ---- */

#define RILL_ISA_LIST(X)                                                                                             \
  X(PORTABLE, "portable", "the compiler's generic vectors")                                                          \
  X(NEON, "neon", "Advanced SIMD of AArch64")                                                                        \
  X(AVX2, "avx2", "AVX2 and FMA")                                                                                    \
  X(AVX512, "avx512", "AVX-512")                                                                                     \
  X(AVX512VL, "avx512vl",                                                                                            \
    "AVX-512, with vectors of 256 bits for pairs in a box, or within a cutoff, in single precision")
enum rill_isa {
#define X(name, word, summary) RILL_ISA_##name,
  RILL_ISA_LIST(X)
#undef X
      RILL_ISA_COUNT
};
/* The instruction sets, plus `auto` and `reference`. */
enum rill_kernel {
  RILL_KERNEL_AUTO,
  RILL_KERNEL_REFERENCE,
#define X(name, word, summary) RILL_KERNEL_##name,
  RILL_ISA_LIST(X)
#undef X
};

#define RILL_COULOMB_LIST(X)                                                                                         \
  X(RILL_COULOMB_EWALD, 0, "pme", "smooth particle-mesh Ewald, in a box",                                            \
    "Essmann et al., J. Chem. Phys. 103, 8577 (1995)")                                                               \
  X(RILL_COULOMB_REACTION_FIELD, 1, "reaction-field", "of a conductor beyond the cutoff",                            \
    "Barker & Watts, Mol. Phys. 26, 789 (1973)")                                                                     \
  X(RILL_COULOMB_CUT, 2, "cut", "truncated at the cutoff", NULL)                                                     \
  X(RILL_COULOMB_ALL, 3, "all", "all pairs of a cluster in vacuum, without a cutoff for Lennard-Jones either", NULL)
enum rill_coulomb_kind { RILL_COULOMB_LIST(RILL_CHOICE_ENUMERATOR) };

#define RILL_LJ_LIST(X)                                                                                              \
  X(RILL_LJ_CUT, 0, "cut", "unmodified up to the cutoff", NULL)                                                      \
  X(RILL_LJ_SHIFT, 1, "shift", "shifted to zero at the cutoff", NULL)                                                \
  X(RILL_LJ_SWITCH, 2, "switch", "with the force switched smoothly to zero at the cutoff", NULL)
enum rill_lj_kind { RILL_LJ_LIST(RILL_CHOICE_ENUMERATOR) };

#define RILL_CUTOFF_LIST(X)                                                                                          \
  X(RILL_CUTOFF_MOLECULE, 0, "molecule", "whole molecules, by the distance of their oxygens", NULL)                  \
  X(RILL_CUTOFF_ATOM, 1, "atom", "each pair of atoms", NULL)
enum rill_cutoff { RILL_CUTOFF_LIST(RILL_CHOICE_ENUMERATOR) };

#define RILL_PRECISION_LIST(X)                                                                                       \
  X(RILL_PRECISION_MIXED, 1, "mixed", "pairs and mesh in single precision, all sums and the state in double", NULL)  \
  X(RILL_PRECISION_DOUBLE, 0, "double", "all in double precision", NULL)
enum rill_precision { RILL_PRECISION_LIST(RILL_CHOICE_ENUMERATOR) };

/* ---- options of methods ---- */

/* The part of a potential whose Hessian is taken.  The Hessian of the whole V has no word: methods choose it
 * themselves. */
#define RILL_HESSIAN_LIST(X)                                                                                         \
  X(RILL_HESSIAN_GAUSS_NEWTON, 2, "gauss-newton", "w^2 Dg^T Dg alone", NULL)                                         \
  X(RILL_HESSIAN_STIFF, 1, "full", "the whole stiff part, w^2 (Dg^T Dg + g D2g)", NULL)
enum rill_hessian_part {
  RILL_HESSIAN_FULL = 0, /* all of V */
  RILL_HESSIAN_LIST(RILL_CHOICE_ENUMERATOR)
};

/* Where the single Newton iteration starts, and which acceleration is kept. */
#define RILL_NEWTON_START_LIST(X)                                                                                    \
  X(RILL_START_A, 'A', "A", "at q_k, recomputed", NULL)                                                              \
  X(RILL_START_B, 'B', "B", "at q_k, from the linear model", NULL)                                                   \
  X(RILL_START_C, 'C', "C", "at q_k + h v + h^2/2 (1 - 2 beta) a, recomputed", NULL)                                 \
  X(RILL_START_D, 'D', "D", "at q_k + h v + h^2/2 (1 - 2 beta) a, from the linear model", NULL)                      \
  X(RILL_START_E, 'E', "E", "at q_k + h v + h^2/2 a, recomputed", NULL)
enum rill_newton_start { RILL_NEWTON_START_LIST(RILL_CHOICE_ENUMERATOR) };

/* The solvers of large systems of nonlinear equations. */
#define RILL_NONLINEAR_LIST(X)                                                                                       \
  X(RILL_ANDERSON, 0, "anderson", "Anderson acceleration of a fixed-point iteration",                                \
    "Anderson, J. ACM 12, 547 (1965)")                                                                               \
  X(RILL_NEWTON_KRYLOV, 1, "newton-krylov", "Newton's method with GMRES on the exact derivative",                    \
    "Hindmarsh et al., ACM Trans. Math. Softw. 31, 363 (2005)")
enum rill_nonlinear_kind { RILL_NONLINEAR_LIST(RILL_CHOICE_ENUMERATOR) };

/* The unknown that represents a rotation in the equations of a method: its coordinates under one of two maps.  The
 * rotation is the same with either. */
#define RILL_ROTATION_LIST(X)                                                                                        \
  X(RILL_ROTATION_CAYLEY, 0, "cayley", "its coordinates under the Cayley map", NULL)                                 \
  X(RILL_ROTATION_EXPONENTIAL, 1, "exponential", "its rotation vector", NULL)                                        \
  X(RILL_ROTATION_QUATERNION, 2, "quaternion", "its unit quaternion: the discrete Euler-Poincare equation", NULL)
enum rill_rotation_map { RILL_ROTATION_LIST(RILL_CHOICE_ENUMERATOR) };

/* How forces beside those of the Lagrangian enter a step. */
#define RILL_FORCED_FORM_LIST(X)                                                                                     \
  X(RILL_FORCED_AUTO, 0, "auto", "as the method takes them: splittings by their flow, others by d'Alembert", NULL)   \
  X(RILL_FORCED_PRODUCT, 1, "product", "half of their flow before and after the step, exact for friction",           \
    "Strang, SIAM J. Numer. Anal. 5, 506 (1968)")                                                                    \
  X(RILL_FORCED_ALEMBERT, 2, "d-alembert", "in the discrete Lagrange-d'Alembert principle",                          \
    "Kane, Marsden, Ortiz & West, Int. J. Numer. Meth. Eng. 49, 1295 (2000)")
enum rill_forced_form { RILL_FORCED_FORM_LIST(RILL_CHOICE_ENUMERATOR) };

/* The one-step method that generates the curves of a shooting method. */
#define RILL_SHOOTING_BASE_LIST(X)                                                                                   \
  X(RILL_BASE_RK4, 0, "rk4", "the classical Runge-Kutta method of order 4", NULL)                                    \
  X(RILL_BASE_EXPLICIT_MIDPOINT, 1, "explicit-midpoint", "order 2", NULL)                                            \
  X(RILL_BASE_IMPLICIT_MIDPOINT, 2, "implicit-midpoint", "order 2, symmetric", NULL)                                 \
  X(RILL_BASE_PROLONGATION, 3, "prolongation",                                                                       \
    "collocation of the second and third derivatives at both ends, order 4, symmetric; separable systems",           \
    "Leok & Shingel, IMA J. Numer. Anal. 32, 1194 (2012)")
enum rill_shooting_base { RILL_SHOOTING_BASE_LIST(RILL_CHOICE_ENUMERATOR) };

/* ---- properties of the liquid, as bits ---- */
#define RILL_PROPERTY_LIST(X)                                                                                        \
  X(RILL_PROPERTY_DIFFUSION, 1, "diffusion", "self-diffusion from mean squared displacements",                       \
    "Yeh & Hummer, J. Phys. Chem. B 108, 15873 (2004)")                                                              \
  X(RILL_PROPERTY_VISCOSITY, 2, "viscosity", "shear viscosity from the autocorrelation of the stress",               \
    "Daivis & Evans, J. Chem. Phys. 100, 541 (1994)")                                                                \
  X(RILL_PROPERTY_DIELECTRIC, 4, "dielectric", "the dielectric constant, from the dipole of the box",                \
    "Neumann & Steinhauser, Chem. Phys. Lett. 95, 417 (1983)")                                                       \
  X(RILL_PROPERTY_DIPOLE, 8, "dipole", "reorientation times of the molecules' dipoles", NULL)                        \
  X(RILL_PROPERTY_ROTATION, 8, "rotation", "the same as dipole", NULL)                                               \
  X(RILL_PROPERTY_VELOCITY, 16, "velocity",                                                                          \
    "autocorrelation of the velocities of the centres of mass, its integral and spectrum", NULL)                     \
  X(RILL_PROPERTY_HYDROGEN_BONDS, 32, "hydrogen-bonds",                                                              \
    "mean number a molecule, with O-O below 0.35 nm and the angle H-O...O below 30 degrees",                         \
    "Luzar & Chandler, Nature 379, 55 (1996)")                                                                       \
  X(RILL_PROPERTY_HEAT_CAPACITY, 64, "heat-capacity", "at constant volume, or pressure with a barostat", NULL)       \
  X(RILL_PROPERTY_EXPANSION, 128, "expansion", "thermal expansion", NULL)                                            \
  X(RILL_PROPERTY_COMPRESSIBILITY, 256, "compressibility", "isothermal compressibility", NULL)                       \
  X(RILL_PROPERTY_VAPORISATION, 512, "vaporisation", "heat of vaporisation", NULL)                                   \
  X(RILL_PROPERTY_FLUCTUATIONS, 1024, "fluctuations",                                                                \
    "heat capacity, with a barostat expansion and compressibility too", NULL)
enum rill_property_word { RILL_PROPERTY_LIST(RILL_CHOICE_ENUMERATOR) };

/* Pairs of atoms of different molecules, as bits. */
#define RILL_DISTANCES_LIST(X)                                                                                       \
  X(RILL_DISTANCES_OO, 1, "O-O", "oxygens", NULL)                                                                    \
  X(RILL_DISTANCES_OH, 2, "O-H", "oxygens and hydrogens", NULL)                                                      \
  X(RILL_DISTANCES_HH, 4, "H-H", "hydrogens", NULL)
enum rill_distances_word { RILL_DISTANCES_LIST(RILL_CHOICE_ENUMERATOR) };

/* Each table ends with a row whose word is NULL. */
extern const struct rill_choice rill_boundary_choices[], rill_start_velocities_choices[],
    rill_momentum_removal_choices[], rill_constraint_solver_choices[], rill_thermostat_choices[],
    rill_measure_choices[], rill_barostat_choices[], rill_shape_choices[], rill_exchange_choices[],
    rill_on_failure_choices[], rill_kernel_choices[], rill_coulomb_choices[], rill_lj_choices[],
    rill_cutoff_choices[], rill_precision_choices[], rill_hessian_choices[], rill_newton_start_choices[],
    rill_nonlinear_choices[], rill_rotation_choices[], rill_shooting_base_choices[], rill_forced_form_choices[],
    rill_property_choices[], rill_distances_choices[];

#endif

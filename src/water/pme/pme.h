/* Smooth particle-mesh Ewald (Essmann et al., J. Chem. Phys. 103, 8577 (1995)) for water: the reciprocal part of the
 * Coulomb sum of a periodic box, tin-foil boundary.
 *
 *   E = 1/2 sum over pairs and images of k q q / r  =  real (erfc, by the caller)  +  reciprocal + self + excluded
 *
 * `excluded` subtracts the pairs within a molecule from the reciprocal part, -k q q erf(beta r) / r; the caller's
 * real part omits these pairs.  Units nm, e, kJ/mol.  Coordinates [9][stride] as in water/forces/forces.h: molecules
 * are whole, at any image.  In a four-site model the oxygen's charge is at the site M (water/model/site.h); q and f
 * are those of the atoms. */
#ifndef RILL_WATER_PME_PME_H
#define RILL_WATER_PME_PME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/status.h"
#include "base/team.h"
#include "water/help.h"
#include "water/model/model.h"
#include "water/pme/counts.h"
#include "water/pme/division.h"
#include "water/pme/parameters.h"

struct rill_pme_energies {
  double reciprocal, self, excluded;
  /* W[i][j] = sum r_i f_j, kJ/mol, of reciprocal and excluded part: over atoms, and over molecules (r the centre of
   * mass, f the force on the molecule; this one is for the pressure of rigid molecules). */
  double virial_atomic[3][3], virial_molecular[3][3];
};

/* The largest accepted beta, 1/nm: beyond it the series of the excluded pairs would lose digits. */
double rill_pme_beta_max(const struct rill_water_model *model);

struct rill_pme;

/* Box vectors a, b, c are the rows of a lower triangular matrix with a positive diagonal (GROMACS's convention). All
 * workspace is allocated here.  The team, which may be NULL, is kept, not owned; forces and energies are the same
 * bytes for any number of threads. Errors: RILL_ERROR_INPUT for sizes, box, parameters, or a molecule that is not
 * neutral (an infinite system of net charge has no energy); RILL_ERROR_UNSUPPORTED for an isa that this machine
 * lacks. */
enum rill_status rill_pme_create(const struct rill_water_model *model, size_t molecules, size_t stride,
                                 const double box[3][3], const struct rill_pme_parameters *parameters,
                                 enum rill_isa isa, struct rill_team *team, struct rill_pme **pme,
                                 struct rill_error *error);

/* The same over ranks, for the molecules of this rank, of which there may be none; one rank, or NULL, is alone.
 * Forces and energies are the same bytes for any number of ranks; energies are those of the whole box, on every rank.
 * All ranks return the same status.  RILL_ERROR_UNSUPPORTED also for a skew box, and for ranks whose Fourier
 * transforms differ, as on different processors. */
enum rill_status rill_pme_create_divided(const struct rill_water_model *model, size_t molecules, size_t stride,
                                         const double box[3][3], const struct rill_pme_parameters *parameters,
                                         enum rill_isa isa, struct rill_team *team,
                                         const struct rill_pme_division *division, struct rill_pme **pme,
                                         struct rill_error *error);

/* Another number of molecules on this rank, and stride.  Errors as above, on this rank alone; memory that suffices is
 * kept.  To be called between evaluations. */
enum rill_status rill_pme_set_molecules(struct rill_pme *pme, size_t molecules, size_t stride,
                                        struct rill_error *error);

/* Whether an atom of this rank was further than the margin from its brick in the last begin: the forces are then
 * wrong, on other ranks too. */
bool rill_pme_is_outside(const struct rill_pme *pme);

/* The failure of a message, after which a mesh computes nothing any more; RILL_OK if there is none. */
enum rill_status rill_pme_failure(const struct rill_pme *pme, struct rill_error *error);

/* What this rank has sent to others since creation. */
struct rill_pme_traffic rill_pme_traffic(const struct rill_pme *pme, enum rill_pme_traffic_kind kind);

/* Another box, with the same grid and beta; forces are then, to the byte, those of a mesh made for it.
 * RILL_ERROR_INPUT as above; RILL_ERROR_UNSUPPORTED for a skew box in place of a rectangular one, or the reverse.
 * Nothing has changed then.  RILL_ERROR_MEMORY over ranks, on one of them. */
enum rill_status rill_pme_set_box(struct rill_pme *pme, const double box[3][3], struct rill_error *error);

/* Adds the forces of the reciprocal and excluded part to f; columns >= molecules are not touched.  places,
 * [molecules], is a permutation into spatial order, or NULL; it affects only the speed.  energies may be NULL
 * (faster; the same forces).  Forces do not sum to zero exactly: splines do not conserve momentum.  Forces are not
 * finite for a molecule whose positions are not. */
void rill_pme_evaluate(struct rill_pme *pme, const double *q, const uint32_t *places, double *f,
                       struct rill_pme_energies *energies);

/* The same in steps.  begin computes the potential at the atoms, also for energies if they are requested; then, with
 * the same arguments, the forces of molecules first ... last-1, multiples of RILL_LANES except the end, are computed;
 * and when all have theirs, the energies.  alone: on the caller's thread, which may be one of the team's at work.
 * part: the number of the calling thread in the team. */
void rill_pme_begin(struct rill_pme *pme, const double *q, const uint32_t *places, bool wanted, bool alone);
/* Over ranks, in place of begin: work that all threads share, beside other work, while messages are on their way.
 * `prepare` is called by one thread; then all call `help`, again and again, until it returns RILL_HELP_OVER, where
 * the potential is known, or a message has failed.  sends: the caller is the thread that prepared it. */
bool rill_pme_is_divided(const struct rill_pme *pme);
void rill_pme_prepare(struct rill_pme *pme, const double *q, const uint32_t *places, bool wanted);
enum rill_help rill_pme_help(struct rill_pme *pme, bool sends);
void rill_pme_finish(struct rill_pme *pme, const double *q, const uint32_t *places, bool wanted, size_t part,
                     size_t first, size_t last, double *f);
void rill_pme_energies(struct rill_pme *pme, struct rill_pme_energies *energies);

/* Seconds since creation, by phase. */
const double *rill_pme_seconds(const struct rill_pme *pme);

const char *rill_pme_phase_name(enum rill_pme_phase phase);

void rill_pme_destroy(struct rill_pme *pme);

#endif

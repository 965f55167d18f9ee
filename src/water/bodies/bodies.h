/* Molecules as rigid bodies: an alternative to constraints for keeping molecules rigid.
 *
 * The state of a molecule is its centre of mass x and momentum p in space, its attitude as a unit quaternion (w, x,
 * y, z) that rotates body vectors into spatial ones, and its angular momentum Pi about the centre of mass in the body
 * frame.  The body axes are the principal axes: the inertia is diagonal, z is along the dipole, x in the plane of the
 * atoms, y normal to it.  A quaternion instead of a matrix needs four numbers instead of nine, has one rounding error
 * (of its length, removed in each drift) instead of six, and makes the Cayley map of f a product with (1, f).  Atom
 * positions follow from the state: x + R s with s = (s_x, 0, s_z).  Forces are computed at the atoms.
 *
 * Flows act on a range of molecules: vector bodies, one table for each instruction set, as in water/flows/flows.h. */
#ifndef RILL_WATER_BODIES_BODIES_H
#define RILL_WATER_BODIES_BODIES_H

#include <stddef.h>

#include "water/flows/flows.h"
#include "water/model/model.h"

/* The free rotor inside the drift.
 *
 * LGVI: F from F J_d - J_d F^T = h Pi^ by Newton on its Cayley form; conserves energy and R Pi exactly.  Lee,
 * Leok & McClamroch, Comput. Methods Appl. Mech. Engrg. 196, 2907 (2007); Leok & Shingel, Front. Math. China 7, 273
 * (2012), (5)-(9).
 *
 * Axes: exact rotations about the principal axes, x y z y x.  Dullweber, Leimkuhler & McLachlan, J. Chem. Phys. 107,
 * 5840 (1997). */
enum rill_rotor { RILL_ROTOR_LGVI, RILL_ROTOR_AXES };

struct rill_body {
  enum rill_rotor rotor;
  double mass, inverse_mass;
  double atom_mass[RILL_ATOMS];
  double site[RILL_ATOMS][2];            /* s_x, s_z, nm */
  double inertia[3], inverse_inertia[3]; /* u nm2 */
};

/* The state's columns: [rows][stride] each, in one block of RILL_BODY_ROWS rows. */
enum { RILL_BODY_ROWS = 13 };
struct rill_bodies {
  size_t stride;
  double *centre, *momentum; /* [3] nm, u nm/ps */
  double *attitude;          /* [4] */
  double *spin;              /* [3] Pi, u nm2/ps */
  const uint64_t *number;    /* as in struct rill_columns */
};

static inline struct rill_bodies rill_bodies_of(double *block, size_t stride) {
  return (struct rill_bodies){stride, block, block + 3 * stride, block + 6 * stride, block + 10 * stride, NULL};
}

/* The Ornstein-Uhlenbeck flow of (p, Pi) with the friction matrix Gamma: y = E y + S xi with E = exp(-Gamma M^-1 h)
 * and S S^T = k T (M - E M E^T).
 *
 * Uniform friction is one rate for momenta and one for spins: E = decay[0][0][0] and decay[1][1][1] for their
 * components, and S is diagonal.
 *
 * Otherwise friction acts on each atom with the coefficient gamma (u/ps), and couples momentum and spin, because the
 * hydrogens' drag does not act at the centre of mass.  In the body frame Gamma splits into two blocks, (p_x, p_z,
 * Pi_y) and (p_y, Pi_x, Pi_z). */
struct rill_body_ou {
  bool uniform;
  bool single; /* normal numbers in single precision */
  double decay[2][3][3], amplitude[2][3][3];
  struct rill_noise noise;
};

struct rill_body_table {
  /* Moves the centres by h p / m and the attitudes by the rotor for a time h, then computes the atoms' positions
   * q. */
  struct rill_drift_result (*drift)(const struct rill_body *body, struct rill_range range, struct rill_bodies x,
                                    double h, double *q);
  /* p += h F, Pi += h M, with force F and torque M from the atoms' forces f. */
  void (*kick)(const struct rill_body *body, struct rill_range range, struct rill_bodies x, const double *f,
               double h);
  /* molecules: the number of real ones; the padding stays at rest. */
  void (*ou)(const struct rill_body *body, struct rill_range range, struct rill_bodies x,
             const struct rill_body_ou *ou, uint64_t step, uint32_t use, size_t molecules);
  /* Computes the atoms' positions and velocities; either may be NULL. */
  void (*place)(const struct rill_body *body, struct rill_range range, struct rill_bodies x, double *q, double *v);
};

/* RILL_ERROR_INPUT if the atoms are collinear, or a mass is not positive. */
enum rill_status rill_body_create(const struct rill_water_model *model, enum rill_rotor rotor, struct rill_body *body,
                                  struct rill_error *error);

/* Computes bodies from atoms that form the model's triangles: the attitude is the nearest one; p and Pi are sums over
 * the atoms, which projects the velocities onto rigid motions. */
void rill_bodies_adopt(const struct rill_body *body, struct rill_range range, struct rill_columns atoms,
                       struct rill_bodies x);

/* Computes the coefficients of the flow for a time h at a temperature.  friction: a rate, or gamma if `uniform` is
 * false; rotation_friction: the rate of spins, 0 for the same, if `uniform`. */
void rill_body_prepare_ou(const struct rill_body *body, bool uniform, double friction, double rotation_friction,
                          double temperature, double h, struct rill_body_ou *ou);

/* Returns the largest | |quaternion|^2 - 1 |. */
double rill_bodies_deviation(struct rill_bodies x, size_t molecules);

extern const struct rill_body_table rill_bodies_portable, rill_bodies_neon, rill_bodies_avx2, rill_bodies_avx512;

/* isa must be available. */
const struct rill_body_table *rill_body_table(enum rill_isa isa);

#endif

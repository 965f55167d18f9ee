/* Shared by bodies that rotate about a fixed point: attitude R in SO(3), body momentum J Omega, L = Omega.J Omega / 2
 * - V, with V = U(z) a function of the height z = e_3.R rho of one point rho of the body.  The torque in body axes is
 * U'(z) gamma cross rho, gamma = R^T e_3.  These systems offer the `group` capability, and a heat bath for the body
 * momentum, whose masses are the moments of inertia.
 *
 * Observed: as linear momentum the body's J Omega, as angular momentum the spatial R J Omega; as deviation of
 * positions the entries of R^T R - 1. */
#ifndef RILL_SYSTEMS_ATTITUDE_SYSTEM_H
#define RILL_SYSTEMS_ATTITUDE_SYSTEM_H

#include "mech/system.h"
#include "systems/types.h"

struct rill_attitude_model {
  const char *name, *summary;
  const double *inertia;  /* [3] principal moments, copied, as are the others */
  const double *attitude; /* [9] row by row */
  const double *rates;    /* [3] Omega at the start */
  double momentum_step;   /* unless 0: momentum of a step of this length that ends at the start with velocity Omega */
  bool exponential;       /* the retraction; if false, Cayley's map */
  const double *point;    /* [3] rho; NULL without a potential */
  double strength;
  /* U, U' and U'' at z.  NULL: a free body. */
  void (*potential)(double strength, double z, double u[3]);
};

/* RILL_ERROR_INPUT if the attitude is not a rotation. */
enum rill_status rill_attitude_system_create(const struct rill_attitude_model *model, struct rill_system *system,
                                             struct rill_error *error);

/* Checks that R is a rotation to 9 digits; RILL_ERROR_INPUT says what is wrong with the attitude of the system
 * `name`. */
enum rill_status rill_attitude_check(const char *name, const double attitude[9], struct rill_error *error);

/* Largest and root mean square entry of R^T R - 1. */
void rill_attitude_orthogonality(const double attitude[9], double *largest, double *rms);

extern const char *const rill_attitude_retractions[]; /* words of a parameter: cayley, exponential */

/* Parameters that all these systems have, as initialisers of struct rill_parameter. */
#define RILL_ATTITUDE_INERTIA(initial)                                                                               \
  {                                                                                                                  \
    .name = "inertia", .kind = RILL_PARAMETER_VECTOR, .length = 3, .fallback = initial, .least = 1e-150,             \
    .most = 1e150, .help = "principal moments of inertia"                                                            \
  }
#define RILL_ATTITUDE_START                                                                                          \
  {                                                                                                                  \
    .name = "attitude", .kind = RILL_PARAMETER_VECTOR, .length = 9, .fallback = "1 0 0 0 1 0 0 0 1", .least = -2,    \
    .most = 2, .help = "initial rotation matrix R, row by row, from body to space"                                   \
  }
#define RILL_ATTITUDE_RATES(initial)                                                                                 \
  {                                                                                                                  \
    .name = "rates", .kind = RILL_PARAMETER_VECTOR, .length = 3, .fallback = initial, .least = 1, .most = 0,         \
    .help = "initial angular velocity Omega about the body's axes"                                                   \
  }
#define RILL_ATTITUDE_RETRACTION                                                                                     \
  {                                                                                                                  \
    .name = "retraction", .kind = RILL_PARAMETER_WORD, .fallback = "cayley", .words = rill_attitude_retractions,     \
    .help = "map from rotation vectors to rotations, of hamilton-pontryagin and lie-verlet"                          \
  }

#endif

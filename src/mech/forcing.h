/* Forces on a small system beside those of its Lagrangian: given functions of time, and friction,
 *
 *   f(q, v, t) = constant + amplitude sin(omega t + phase) + table(t) - friction,
 *
 * friction = c L_v(q, v) for a rate c, gamma v for a coefficient.  Lagrange-d'Alembert: (d/dt) L_v - L_q = f.
 *
 * Splittings take them as a flow of the momenta at fixed positions, which is exact for the friction and has the given
 * functions of time at one instant; one-step methods evaluate them along their discrete curves. */
#ifndef RILL_MECH_FORCING_H
#define RILL_MECH_FORCING_H

#include <stddef.h>

#include "base/choices.h"
#include "mech/lagrangian.h"

struct rill_forcing {
  size_t n;
  const double *constant;      /* [n]; NULL: none; likewise the others */
  const double *amplitude;     /* [n] */
  double omega, phase;         /* rad per unit of time, rad */
  size_t rows;                 /* of the table, which is linear in between; at least 2, or 0 */
  const double *times, *table; /* [rows], increasing; [rows][n] */
  enum rill_friction_law law;
  double friction; /* rate, or gamma; 0: none */
  double time;     /* at the start of the present step, or sub-step of a composition; set by the integrator */
  double *now;     /* [n] scratch */
};

/* The given functions of time at t: [n].  Outside its times the table has its first or last row. */
void rill_forcing_given(const struct rill_forcing *forcing, double t, double *force);

/* Adds f to values->dq and its derivative by q to values->dqq; by_v: [n][n], its derivative by v, overwritten.  The
 * other members of values are the Lagrangian's at (q, v): dv is needed, and with dqq also dqv and dvv.  values->dqq
 * and by_v may be NULL. */
void rill_forcing_add(const struct rill_forcing *forcing, double t, const double *v,
                      struct rill_lagrangian_values *values, double *by_v);

/* How momenta move in a time h at fixed positions, p' = f: the flow for the force at t; or, as in the discrete
 * Lagrange-d'Alembert form of Verlet, with the friction of the velocity after it (implicit Euler) or before it. */
enum rill_push { RILL_PUSH_EXACT, RILL_PUSH_IMPLICIT, RILL_PUSH_EXPLICIT };

/* mass: [n], diagonal; moves p: [n]. */
void rill_forcing_push(const struct rill_forcing *forcing, enum rill_push push, const double *mass, double h,
                       double t, double *p);

#endif

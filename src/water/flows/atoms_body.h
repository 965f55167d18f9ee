/* The atoms of RILL_WIDTH molecules in vector code: what the bodies of flows share. */
#ifndef RILL_WATER_FLOWS_ATOMS_BODY_H
#define RILL_WATER_FLOWS_ATOMS_BODY_H

#include <stdbool.h>

#include "water/constraints/constraints_body.h"

static inline void load_atoms(const double *columns, size_t stride, size_t m, struct vec x[RILL_ATOMS]) {
  for (size_t a = 0; a < RILL_ATOMS; a++) x[a] = vec_load(columns + 3 * a * stride + m, stride);
}

static inline void store_atoms(double *columns, size_t stride, size_t m, const struct vec x[RILL_ATOMS]) {
  for (size_t a = 0; a < RILL_ATOMS; a++) vec_store(columns + 3 * a * stride + m, stride, x[a]);
}

static inline bool project_atoms(const struct rill_rigid *rigid, const struct vec q[RILL_ATOMS],
                                 struct vec v[RILL_ATOMS]) {
  struct vec r[RILL_BONDS];
  bonds_of(q, r);
  if (rigid->solver == RILL_RATTLE_SHAKE) return project_sweeps(rigid, r, v);
  project_direct(rigid, r, v);
  return true;
}

/* v = decay v + amplitude z: the Ornstein-Uhlenbeck flow. */
static inline void damp_atoms(const vreal decay[RILL_ATOMS], const vreal amplitude[RILL_ATOMS], const vreal z[9],
                              struct vec v[RILL_ATOMS]) {
  for (int a = 0; a < RILL_ATOMS; a++) {
    v[a].x = v_fma(amplitude[a], z[3 * a], decay[a] * v[a].x);
    v[a].y = v_fma(amplitude[a], z[3 * a + 1], decay[a] * v[a].y);
    v[a].z = v_fma(amplitude[a], z[3 * a + 2], decay[a] * v[a].z);
  }
}

/* The flow of the centre of mass where it has a friction of its own; share: of the atoms in the molecule's mass. */
struct centre_damping {
  vreal decay, amplitude[RILL_ATOMS], share[RILL_ATOMS];
};

static inline struct vec centre_of(const vreal share[RILL_ATOMS], const struct vec x[RILL_ATOMS]) {
  return vec_axpy(vec_axpy(vec_scale(share[0], x[0]), share[1], x[1]), share[2], x[2]);
}

/* The same, but the velocity of the centre of mass, which is orthogonal to the others in the metric of the masses,
 * has its own flow, with the same noise. */
static inline void damp_parts(const vreal decay[RILL_ATOMS], const vreal amplitude[RILL_ATOMS],
                              const struct centre_damping *centre, const vreal z[9], struct vec v[RILL_ATOMS]) {
  const struct vec before = centre_of(centre->share, v);
  struct vec noise[RILL_ATOMS], change;
  for (int a = 0; a < RILL_ATOMS; a++)
    noise[a] = vec_scale(centre->amplitude[a], (struct vec){z[3 * a], z[3 * a + 1], z[3 * a + 2]});
  damp_atoms(decay, amplitude, z, v);
  change = vec_sub(vec_axpy(centre_of(centre->share, noise), centre->decay, before), centre_of(centre->share, v));
  for (int a = 0; a < RILL_ATOMS; a++) v[a] = vec_add(v[a], change);
}

#endif

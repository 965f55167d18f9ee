/* Shared by systems that offer only a Lagrangian: the state and its saving, energy and momenta from (q, p), and a
 * heat bath whose noise has the covariance k T M(q), M = L_vv.
 *
 * A system's own struct begins with a struct rill_lagrangian_system; its Lagrangian's self is that struct. */
#ifndef RILL_SYSTEMS_LAGRANGIAN_SYSTEM_H
#define RILL_SYSTEMS_LAGRANGIAN_SYSTEM_H

#include "mech/hamiltonian.h"
#include "mech/legendre.h"
#include "mech/system.h"
#include "systems/heat_bath.h"

struct rill_lagrangian_system {
  struct rill_heat_bath bath; /* first: see heat_bath.h */
  struct rill_lagrangian lagrangian;
  struct rill_state state, saved;
  struct rill_legendre legendre;
  struct rill_legendre_hamiltonian hamiltonian; /* without constraints */
  double *noise, *root, *jacobian;              /* of the bath: [n], [n][n], [m][n] */
  /* Momentum maps; NULL: not defined (NaN). */
  void (*momenta)(const void *self, const double *q, const double *p, double linear[3], double angular[3]);
};

/* Allocates size bytes for the system's struct, with a state of n coordinates and m constraints; ops as in
 * struct rill_lagrangian, L = v.M(q) v / 2 - V(q).  The caller then sets parameters and state.q, and ends with
 * _start. */
enum rill_status rill_lagrangian_system_allocate(size_t size, size_t n, size_t m,
                                                 const struct rill_lagrangian_ops *ops,
                                                 struct rill_lagrangian_system **out, struct rill_error *error);

/* Sets the momenta L_v(q, v), v: [n] tangent, and fills the system, which then owns `base`. */
void rill_lagrangian_system_start(struct rill_lagrangian_system *base, const double *v,
                                  const struct rill_system_ops *ops, struct rill_system *system);

/* The shared entries of a system's struct rill_system_ops. */
double rill_lagrangian_system_dof(const void *self);
enum rill_status rill_lagrangian_system_begin(void *self, uint64_t step, double h, struct rill_error *error);
enum rill_status rill_lagrangian_system_observe(void *self, struct rill_observation *observation,
                                                struct rill_error *error);
void rill_lagrangian_system_save(void *self);
void rill_lagrangian_system_restore(void *self);
void rill_lagrangian_system_archive(void *self, struct rill_archive *archive);
void rill_lagrangian_system_destroy(void *self);

#define RILL_LAGRANGIAN_SYSTEM_OPS                                                                                   \
  .degrees_of_freedom = rill_lagrangian_system_dof, .begin_step = rill_lagrangian_system_begin,                      \
  .observe = rill_lagrangian_system_observe, .save = rill_lagrangian_system_save,                                    \
  .restore = rill_lagrangian_system_restore, .archive = rill_lagrangian_system_archive,                              \
  .destroy = rill_lagrangian_system_destroy

#endif

/* A system: its state and the capabilities it offers; the interface between models and integrators. */
#ifndef RILL_MECH_SYSTEM_H
#define RILL_MECH_SYSTEM_H

#include <stdint.h>

#include "base/archive.h"
#include "base/status.h"
#include "base/timers.h"
#include "mech/barostat.h"
#include "mech/flow.h"
#include "mech/followers.h"
#include "mech/forcing.h"
#include "mech/group.h"
#include "mech/hamiltonian.h"
#include "mech/implicit.h"
#include "mech/lagrangian.h"
#include "mech/lanes.h"
#include "mech/mechanical.h"
#include "mech/nonholonomic.h"
#include "mech/state.h"
#include "mech/thermal.h"
#include "mech/trial.h"

enum rill_capability {
  RILL_NEEDS_FLOW = 1,
  RILL_NEEDS_MECHANICAL = 2, /* separable, diagonal mass; with or without constraints */
  RILL_NEEDS_LAGRANGIAN = 4,
  RILL_NEEDS_GROUP = 8,
  RILL_NEEDS_NO_CONSTRAINTS = 16,
  RILL_NEEDS_PENALTY = 32,     /* a stiff part of the potential */
  RILL_NEEDS_CHART = 64,       /* generalised coordinates as a chart of a constraint manifold */
  RILL_NEEDS_IMPLICIT = 128,   /* large systems: forces at given positions, solves with a stiff part */
  RILL_NEEDS_ROTATIONS = 1024, /* the group is SO(3) */
  RILL_NEEDS_SPHERE = 2048,    /* the only constraints are those of spheres in R^3, as of rods in a row */
  RILL_NEEDS_NONHOLONOMIC = 4096,
  RILL_NEEDS_STEP_SIZE = 8192, /* of a mechanical system: how long steps should be where */
  RILL_NEEDS_HAMILTONIAN = 16384,
  RILL_NEEDS_REGULAR = 32768 /* of a Hamiltonian: velocities determine momenta */
};

enum { RILL_ENERGY_PARTS = 5 };

/* Observables of any system after a step, in the system's units; NaN where a quantity has no meaning. */
struct rill_observation {
  double kinetic, potential;
  double part[RILL_ENERGY_PARTS]; /* of the potential; named by the system */
  double effective;        /* kinetic + potential less what a bath that scales velocities supplied; NaN elsewhere */
  double temperature;      /* from the velocities at the end of the step */
  double temperature_half; /* from the velocities of the middle of the last step; NaN before the first */
  double temperature_translation, temperature_rotation;           /* its translational and rotational parts */
  double temperature_half_translation, temperature_half_rotation; /* the same in the middle of the last step */
  double pressure, pressure_tensor[3][3]; /* of water in a box, kJ/mol/nm3; NaN in vacuum, elsewhere unused */
  double pressure_bath;                   /* the pressure with the mean kinetic energy of the bath; NaN without one */
  double volume, edge[3], density;        /* of the box: nm3, a.x b.y c.z in nm, u/nm3; NaN in vacuum */
  double enthalpy;                        /* kinetic + potential + P0 V at constant pressure P0; NaN elsewhere */
  double momentum[3], angular_momentum[3]; /* angular: about the centre of mass */
  double position_deviation_max, position_deviation_rms;
  double velocity_deviation_max, velocity_deviation_rms;
  double bond_deviation;     /* largest |d - d0| / d0 of rigid or stiff bonds or bars; NaN without */
  double attitude_deviation; /* of rigid bodies of water: largest | |quaternion|^2 - 1 |; NaN elsewhere */
  double iterations;         /* of the position solver in the last step: largest over its solves */
  double evaluations;        /* of forces and their derivatives by nonlinear solves, in the last step */
  double residual;           /* of the nonlinear solves, in positions; NaN without one */
  double correction;         /* of the measure of rods: the part of the potential that is proportional to k T */
};

/* The potential of the Boltzmann factor exp(-V / k T) at any temperature: the correction is a factor without k T. */
static inline double rill_uncorrected_potential(const struct rill_observation *observation) {
  return observation->potential - observation->correction;
}

struct rill_system_ops {
  const char *name;
  const char *summary;
  const char *part_name[RILL_ENERGY_PARTS];

  double (*degrees_of_freedom)(const void *self);

  /* Called before each step: time-dependent parameters, re-centring.  step is the step about to be made; h its
   * length. */
  enum rill_status (*begin_step)(void *self, uint64_t step, double h, struct rill_error *error);

  enum rill_status (*observe)(void *self, struct rill_observation *observation, struct rill_error *error);

  /* One saved state inside the system; restore returns to the last save. */
  void (*save)(void *self);
  void (*restore)(void *self);

  /* Writes to the archive, or reads from it, everything that a step changes and a later step or observation depends
   * on.  Derived quantities (forces, lists) are not included; after reading they are stale.  A new system that reads
   * the archive continues bit for bit. */
  void (*archive)(void *self, struct rill_archive *archive);

  void (*destroy)(void *self);
};

struct rill_system {
  const struct rill_system_ops *ops;
  const struct rill_flow_ops *flow; /* NULL: not offered; likewise the others */
  const struct rill_mechanical *mechanical;
  const struct rill_lagrangian *lagrangian;
  const struct rill_nonholonomic *nonholonomic; /* constraints on velocities, beside those of the others */
  const struct rill_hamiltonian *hamiltonian;   /* of systems without constraints */
  const struct rill_group *group;
  const struct rill_implicit *implicit;
  const struct rill_thermal_ops *thermal;
  const struct rill_lanes_ops *lanes;
  const struct rill_trial_ops *trial;
  struct rill_trials *trials; /* with `trial`: the system's counts */
  const struct rill_barostat_ops *barostat;
  const struct rill_cell_moves *cell_moves;   /* with `barostat`: the system's counts */
  struct rill_forcing *forcing;               /* forces beside those of the Lagrangian; borrowed; NULL: none */
  const struct rill_followers_ops *followers; /* NULL: all of the system is here */
  struct rill_state *state;
  struct rill_timers *timers; /* of the run; borrowed; may be NULL */
  void *self;
};

#endif

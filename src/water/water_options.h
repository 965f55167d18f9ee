/* The options of a water system. */
#ifndef RILL_WATER_WATER_OPTIONS_H
#define RILL_WATER_WATER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/choices.h"
#include "base/cpu.h"
#include "base/notes.h"
#include "base/timers.h"
#include "water/barostat/barostat.h"
#include "water/constraints/rigid.h"
#include "water/forces/external.h"
#include "water/forces/periodic_options.h"
#include "water/model/model.h"
#include "water/pme/parameters.h"

struct rill_water_options {
  bool bare; /* without molecules, forces and steps: a method is bound to it before ranks share the box */
  struct rill_water_model model;
  size_t molecules;
  const double *positions;  /* [molecules][3][3], nm; borrowed during creation */
  const double *velocities; /* the same shape, nm/ps, or NULL for rest; projected at creation */
  struct rill_constraint_options constraints;
  double stiffness;      /* of penalised water: w, sqrt(kJ/mol)/nm2; 0: rigid, by constraints */
  bool thermostat;       /* offers an OU flow */
  bool trials;           /* offers trials, whose counts are part of its state */
  double rescale_time;   /* ps: tau of a bath that scales all velocities in place of friction and noise; 0: none */
  double temperature[2]; /* K, at the first and at the last step; linear between */
  uint64_t steps;        /* of the whole run, for the ramp */
  enum rill_friction_law friction_law;
  double friction;
  double rotation_friction;      /* 1/ps, of uniform friction: of all but the centres of mass; 0: the same for all */
  uint64_t seed;                 /* of the thermostat's noise */
  struct rill_barostat barostat; /* in a box; its noise has the seed of the thermostat's */
  uint64_t barostat_interval;    /* steps between moves of the cell */
  double accuracy;               /* of a mesh that is chosen anew, as in rill_water_choose_mesh */
  bool confined;
  double confine_radius, confine_stiffness; /* nm, kJ/mol/nm2 */
  struct rill_external external;            /* zeros: none */
  bool periodic;
  struct rill_periodic_options box; /* of a periodic system, with mesh, or of an open one; as in rill_field_options */
  struct rill_pme_parameters mesh;
  bool reference_kernel;
  enum rill_isa isa;
  int threads;
  struct rill_timers *timers;     /* of the run; borrowed; may be NULL */
  const struct rill_notes *notes; /* borrowed; may be NULL */
};

#endif

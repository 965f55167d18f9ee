/* The parts of a simulation. */
#ifndef RILL_SIMULATION_PARTS_H
#define RILL_SIMULATION_PARTS_H

#include <stdbool.h>

#include "base/notes.h"
#include "deck/fields.h"
#include "ensemble/ensemble.h"
#include "mech/guard.h"
#include "mech/integrator.h"
#include "structure/molecules.h"
#include "systems/registry.h"
#include "water/relax/build.h"
#include "water/water_accuracy.h"
#include "water/water_system.h"

/* Zeroed before its first use.  Must not be moved: the system borrows the timers. */
struct rill_simulation {
  struct rill_deck deck;
  const struct rill_simulation_kind *kind;
  const struct rill_method *method;
  const struct rill_composition *composition; /* of steps of the method; NULL: none */
  struct rill_system system;
  struct rill_timers timers;
  struct rill_integrator *integrator;
  struct rill_guard guard;
  struct rill_archive *continued; /* the state of a resumed run; borrowed; NULL for a new run */
  const struct rill_notes *notes; /* borrowed; NULL: none */
  int threads;                    /* 0: as many as the machine and OMP_NUM_THREADS offer */
  /* Receives the progress of building a start; may be NULL.  As in rill_build_options. */
  bool (*watch_build)(void *context, const struct rill_build_progress *progress);
  void *watch_context;

  /* Ranks are to share its box, and receive its start: its system has no molecules before that.  Set by whoever
   * divides it. */
  bool divided;
  struct rill_field_elsewhere *elsewhere; /* then they measure its forces; borrowed */
  int mesh_ranks;                         /* that transform its mesh; 0: all */

  /* An ensemble, which owns its replicas; `system` is then all of them together. */
  struct rill_ensemble *ensemble;
  bool without_lanes;                 /* replicas are advanced one by one; results are the same */
  bool is_replica;                    /* its system is moved */
  const struct rill_structure *given; /* its start, borrowed; NULL: read or built as the deck says */

  /* Water. */
  struct rill_structure structure; /* at the start: whole, rigid */
  struct rill_water_species species;
  struct rill_water_model model;
  double atom_charge[RILL_ATOMS]; /* e, for files: rill_site_effective_charges */
  enum rill_isa isa;
  struct rill_pme_parameters mesh;     /* of a periodic system with coulomb = pme */
  struct rill_force_accuracy accuracy; /* of its forces, measured at the start */

  /* A small system. */
  const struct rill_system_type *type;
  struct rill_parameter_value values[RILL_PARAMETERS];
  struct rill_forcing *forcing; /* forces beside those of its Lagrangian; NULL: none */
};

#endif

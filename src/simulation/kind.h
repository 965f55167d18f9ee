/* Kinds of systems, one row each.  To add a kind: write a file with a row, and add it to `kinds` in simulation.c. */
#ifndef RILL_SIMULATION_KIND_H
#define RILL_SIMULATION_KIND_H

#include "mech/driver.h"
#include "simulation/sink.h"

struct rill_simulation_kind {
  const char *name;
  bool (*is_of)(const struct rill_deck *deck);
  /* Finds what the deck names, and checks what the deck room cannot. */
  enum rill_status (*find)(struct rill_simulation *sim, struct rill_error *error);
  /* Makes the system at its start, or from sim->continued; then binds the method. */
  enum rill_status (*create)(struct rill_simulation *sim, struct rill_error *error);
  void (*clear)(struct rill_simulation *sim);
  /* Saves the state of the simulation to a checkpoint; and restores it, unless create does (then NULL). */
  void (*save)(struct rill_simulation *sim, struct rill_archive *archive);
  enum rill_status (*restore)(struct rill_simulation *sim, struct rill_error *error);
  /* Sets the guard's limits from the deck and the start. */
  void (*limit)(struct rill_simulation *sim);
  /* Does all of rill_simulation_watch_limits in its own way; NULL: does not. */
  enum rill_status (*watch)(struct rill_simulation *sim, struct rill_error *error);
  /* Sets what makes many steps at a time, in place of an integrator; NULL: nothing. */
  void (*drive)(struct rill_simulation *sim, struct rill_driver *driver);

  /* For runs. */
  const struct rill_sink *const *sinks; /* in their order in a checkpoint; NULL-terminated */
  double (*checkpoint_bytes)(const struct rill_simulation *sim);
  bool seeded;                                              /* tables name the noise's seed */
  bool timed;                                               /* phases of some steps are timed */
  const char *(*kernel)(const struct rill_simulation *sim); /* the instruction set, for checkpoints; "": none */
  /* Reports after an error where the run stopped and which files exist. */
  void (*explain_stop)(const struct rill_run *run, struct rill_error *error);
};

/* Names all files that a run of the deck writes, by its sinks.  RILL_ERROR_INPUT, RILL_ERROR_OUTPUT. */
enum rill_status rill_simulation_plan(const struct rill_simulation *sim, struct rill_outputs *outputs,
                                      struct rill_error *error);

extern const struct rill_simulation_kind rill_water_kind, rill_small_kind, rill_ensemble_kind,
    rill_small_ensemble_kind;

#endif

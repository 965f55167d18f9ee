/* Kinds of systems: a row each.  To add a kind: a file with a row, and its place in `kinds` of simulation.c. */
#ifndef RILL_SIMULATION_KIND_H
#define RILL_SIMULATION_KIND_H

#include "simulation/sink.h"

struct rill_simulation_kind {
  const char *name;
  bool (*is_of)(const struct rill_deck *deck);
  /* Finds what the deck names, and judges what only other rooms than the deck's can. */
  enum rill_status (*find)(struct rill_simulation *sim, struct rill_error *error);
  /* The system at its start, or from sim->continued; then bound to the method. */
  enum rill_status (*create)(struct rill_simulation *sim, struct rill_error *error);
  void (*clear)(struct rill_simulation *sim);
  /* The state of the simulation, to a checkpoint; and back, where create does not take it from there (else NULL). */
  void (*save)(struct rill_simulation *sim, struct rill_archive *archive);
  enum rill_status (*restore)(struct rill_simulation *sim, struct rill_error *error);
  /* The limits that the guard judges by, from the deck and the start. */
  void (*limit)(struct rill_simulation *sim);

  /* Runs. */
  enum rill_status (*plan)(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error);
  const struct rill_sink *const *sinks; /* in the order in which they stand in a checkpoint; NULL-ended */
  double (*disk)(const struct rill_simulation *sim, const struct rill_outputs *outputs); /* bytes */
  bool seeded;                          /* tables name the seed of the noise */
  bool timed;                           /* phases of some steps are timed */
  const char *(*kernel)(const struct rill_simulation *sim); /* the instruction set, for checkpoints; "": none */
  /* Says after a fault where the run stopped and what is there. */
  void (*explain_stop)(const struct rill_run *run, struct rill_error *error);
};

extern const struct rill_simulation_kind rill_water_kind, rill_small_kind;

#endif

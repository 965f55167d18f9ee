/* From a deck to a system bound to an integrator: what `run` and `check` share. */
#ifndef RILL_CLI_SETUP_H
#define RILL_CLI_SETUP_H

#include <stdbool.h>

#include "deck/deck.h"
#include "integrators/registry.h"
#include "mech/integrator.h"
#include "structure/structure.h"
#include "water/relax/minimize.h"
#include "water/water_accuracy.h"
#include "water/water_system.h"

/* What stands in the title of the last frame of a thermostatted run, before GROMACS's ", t= 1.5 step= 750": its seed. */
#define RILL_TITLE_SEED ", seed "

struct rill_setup {
  struct rill_deck deck;
  struct rill_structure structure;    /* as it starts: whole, rigid */
  struct rill_water_model model;
  const struct rill_method *method;
  struct rill_system system;
  struct rill_timers timers;          /* the setup must stay where it is */
  struct rill_integrator *integrator;
  enum rill_isa isa;
  struct rill_pme_parameters mesh;    /* of a periodic system with coulomb = pme */
  struct rill_force_accuracy accuracy; /* of its forces, measured at the start */
  int threads;
  struct rill_archive *continued;     /* a run goes on: where its state is; borrowed; NULL for one that begins */
};

/* Reads the deck and finds what it names; nothing else is read, built or written yet. */
enum rill_status rill_setup_read(const char *deck_path, const char *const *overrides, size_t override_count,
                                 struct rill_setup *setup, struct rill_error *error);
/* The rest: structure, system, velocities, integrator.  Notes to the user (geometry put right, a box not used, ...)
 * go to `notes` as they come, a line each, "note: ..."; NULL for none.  threads 0: what the machine and
 * OMP_NUM_THREADS offer. */
enum rill_status rill_setup_create(struct rill_setup *setup, int threads, FILE *notes, struct rill_error *error);
/* The start, so that it need not be made again, and the state of the system, for a setup that is `continued` from them. */
void rill_setup_save(struct rill_setup *setup, struct rill_archive *archive);
/* The deck's method; RILL_ERROR_INPUT with the nearest for an unknown one. */
enum rill_status rill_setup_find_method(const struct rill_deck *deck, const struct rill_method **method,
                                        struct rill_error *error);
/* Accepts what is zeroed or half-built. */
void rill_setup_release(struct rill_setup *setup);

/* Puts molecules to the model's geometry; a note says by how much, a deviation above 10 % is refused. */
enum rill_status rill_setup_rigidify(const struct rill_water_model *model, struct rill_structure *structure,
                                     const char *path, FILE *notes, struct rill_error *error);

/* Pushes overlapping molecules apart; a note says how far. */
enum rill_status rill_setup_separate(struct rill_structure *structure, const char *path, FILE *notes,
                                     struct rill_error *error);

/* Minimises the rigid molecules of what path names; a start that cannot be minimised is unusable input.  A note says
 * how far overlapping molecules were pushed apart. */
enum rill_status rill_setup_minimize(const struct rill_water_model *model,
                                     const struct rill_minimize_options *options, struct rill_structure *structure,
                                     const char *path, FILE *notes, struct rill_minimize_report *report,
                                     struct rill_error *error);

/* Lines that say what would run. */
void rill_setup_describe(const struct rill_setup *setup, FILE *stream);

const char *rill_thermostat_name(enum rill_thermostat thermostat);

#endif

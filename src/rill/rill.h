/* rill: molecular dynamics of rigid and constrained water, and small mechanical systems, as a library.
 *
 *   struct rill_error error = {0};
 *   rill_simulation *sim;
 *   if (rill_open("inputs/water7.ini", NULL, &sim, &error) != RILL_OK) { puts(error.text); return 1; }
 *   rill_step(sim, 1000, &error);
 *   rill_close(sim);
 *
 * Nothing here prints, exits, catches signals or changes settings of the process.  Several simulations may live in
 * one process, on several threads; each is used by one thread at a time (rill_stop alone may be called by any, and in
 * a signal handler). Every function that can fail returns a status and, when that is not RILL_OK, has written one
 * message into *error.
 *
 * Units of water: nm, ps, u, e, K, kJ/mol; those of small systems: none, or SI (rill_time_unit says which).
 * Arrays of water are [molecules][3][3]: molecule; O, H, H; x, y, z.  Those of small systems are [n]. */
#ifndef RILL_RILL_H
#define RILL_RILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rill/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RILL_API __attribute__((visibility("default")))

typedef struct rill_open_simulation rill_simulation;

/* "0.1.0" */
RILL_API const char *rill_version(void);

/* ---- opening ---- */

/* Zeroed: all defaults.  Borrowed for the call; the context of `note` is borrowed for the simulation's life. */
struct rill_open_options {
  const char *const *overrides; /* [override_count]: "section.key=value", as for the program's --set */
  size_t override_count;
  int threads; /* 0: as many as the machine and OMP_NUM_THREADS offer; results do not depend on it */
  /* Called with a line, "note: ..." or "warning: ...", for the user; NULL: none. */
  void (*note)(void *context, const char *text);
  void *context;
};

/* Opens a deck, and creates its system in its initial state.  options: NULL for defaults.  *sim: released by
 * rill_close. RILL_ERROR_INPUT: the message lists all faults of the deck; RILL_ERROR_UNSUPPORTED: the method does not
 * bind to the system. */
RILL_API enum rill_status rill_open(const char *deck_path, const struct rill_open_options *options,
                                    rill_simulation **sim, struct rill_error *error);
/* The same for a deck's text.  name: for messages; files in the deck are relative to the folder in it. */
RILL_API enum rill_status rill_open_text(const char *name, const char *text, const struct rill_open_options *options,
                                         rill_simulation **sim, struct rill_error *error);
/* Accepts NULL. */
RILL_API void rill_close(rill_simulation *sim);

/* ---- properties ---- */

RILL_API size_t rill_molecules(const rill_simulation *sim);   /* 0 for a small system */
RILL_API size_t rill_coordinates(const rill_simulation *sim); /* 9 per molecule, or n */
RILL_API uint64_t rill_steps_done(const rill_simulation *sim);
RILL_API uint64_t rill_steps_planned(const rill_simulation *sim); /* of the deck */
RILL_API double rill_step_length(const rill_simulation *sim);
RILL_API const char *rill_time_unit(const rill_simulation *sim); /* "ps", "s" or "" */
/* Converts "100 ps", "2.5" (for a dimensionless system) or "500 steps" to a number of steps, which must be a whole
 * one. */
RILL_API enum rill_status rill_steps_of(const rill_simulation *sim, const char *text, uint64_t *steps,
                                        struct rill_error *error);
/* The expanded deck, with all defaults.  Borrowed from the simulation; NULL when out of memory. */
RILL_API const char *rill_deck_text(rill_simulation *sim);

/* ---- steps ---- */

/* Takes steps.  On failure the state is that before the failed step. */
RILL_API enum rill_status rill_step(rill_simulation *sim, uint64_t steps, struct rill_error *error);

/* Called before the first step of a run, after each `every` steps, and after the last one.  A return value other
 * than 0 ends the run with RILL_INTERRUPTED.  It may read the simulation, but not step, change or close it. */
struct rill_watcher {
  uint64_t every; /* steps, counted from the deck's start; 0: 1 */
  int (*watch)(void *context, rill_simulation *sim, uint64_t step, double time);
  void *context;
};

/* Takes steps until `until` steps are done since the deck's start (0: to the deck's end), under the limits of [stop];
 * writes no files.  Samples are added to the means at the deck's series interval (rill_mean). */
RILL_API enum rill_status rill_run(rill_simulation *sim, uint64_t until, const struct rill_watcher *watchers,
                                   size_t count, struct rill_error *error);

enum rill_run_flags { RILL_RUN_REPLACE = 1, RILL_RUN_RESUME = 2 };
/* As `rill run`: runs from the deck's start, or with RILL_RUN_RESUME from its checkpoint, to its end, and writes all
 * files that the deck names, in that folder (NULL: the current one).  For a simulation that has made no step. */
RILL_API enum rill_status rill_run_files(rill_simulation *sim, const char *folder, unsigned flags,
                                         const struct rill_watcher *watchers, size_t count, struct rill_error *error);

/* Ends the present run after the present step, with RILL_INTERRUPTED.  May be called from any thread or signal
 * handler. */
RILL_API void rill_stop(rill_simulation *sim);

/* ---- state ---- */

/* Positions (for the Zhang-Skeel family the physical ones, q) and velocities (for small systems the canonical
 * momenta); unwrapped.  out, in: arrays of the caller, as above. */
RILL_API void rill_get_positions(const rill_simulation *sim, double *out);
RILL_API void rill_get_velocities(const rill_simulation *sim, double *out);
/* Forces on the atoms at the present positions, without constraint forces; -grad V for a small system, which must be
 * mechanical (RILL_ERROR_UNSUPPORTED). */
RILL_API enum rill_status rill_get_forces(rill_simulation *sim, double *out, struct rill_error *error);
/* Sets them unchanged: the caller ensures that molecules are rigid.  RILL_ERROR_NOT_FINITE: nothing is changed. */
RILL_API enum rill_status rill_set_positions(rill_simulation *sim, const double *in, struct rill_error *error);
RILL_API enum rill_status rill_set_velocities(rill_simulation *sim, const double *in, struct rill_error *error);
/* [3][3], rows a, b, c; false in vacuum. */
RILL_API bool rill_get_box(const rill_simulation *sim, double box[9]);
/* Potential energy, and forces unless NULL, at given positions; the state does not change. */
RILL_API enum rill_status rill_energy_at(rill_simulation *sim, const double *positions, double *potential,
                                         double *forces, struct rill_error *error);

/* Saves everything that a step depends on to a file, and restores it into a simulation of the same deck.  replace: an
 * existing file. */
RILL_API enum rill_status rill_save(rill_simulation *sim, const char *path, bool replace, struct rill_error *error);
RILL_API enum rill_status rill_load(rill_simulation *sim, const char *path, struct rill_error *error);

/* ---- observables ---- */

RILL_API size_t rill_observable_count(const rill_simulation *sim);
/* Names as in the series' columns: "potential", "temperature", ...; and units.  NULL beyond the count. */
RILL_API const char *rill_observable_name(const rill_simulation *sim, size_t index);
RILL_API const char *rill_observable_unit(const rill_simulation *sim, size_t index);
/* Observables of the present state; values: [rill_observable_count].  NaN: not defined here. */
RILL_API enum rill_status rill_observe(rill_simulation *sim, double *values, struct rill_error *error);

struct rill_mean_value {
  size_t samples;
  double mean, error; /* standard error; NaN with too few independent samples, and for a conserved total energy */
};
/* The mean over the samples of rill_run. */
RILL_API struct rill_mean_value rill_mean(const rill_simulation *sim, size_t index);

/* ---- user-defined methods, for this simulation alone ---- */

/* A splitting: drifts and kicks in order, with their fractions of the step.  order, symmetric: its claimed
 * properties; with a drift that is projected onto constraints the order is at most 2, and a higher claim is refused.
 * RILL_ERROR_UNSUPPORTED. */
struct rill_stage {
  bool kick; /* otherwise a drift */
  double coefficient;
};
RILL_API enum rill_status rill_use_splitting(rill_simulation *sim, const char *name, int order, bool symmetric,
                                             const struct rill_stage *stages, size_t count, struct rill_error *error);

/* A user-defined step, for a mechanical system without constraints, H = p M^-1 p / 2 + V(q). */
struct rill_step_state {
  size_t n;
  double *q, *p;      /* [n]: changed in place */
  const double *mass; /* [n] */
  const void *system; /* for rill_gradient */
};
RILL_API void rill_gradient(const struct rill_step_state *state, const double *q, double *gradient); /* of V: [n] */
/* step: a return value other than 0 means that it failed, and restores the state.  context: borrowed for the
 * simulation's life. */
RILL_API enum rill_status rill_use_step(rill_simulation *sim, const char *name, int order,
                                        int (*step)(void *context, struct rill_step_state *state, double h),
                                        void *context, struct rill_error *error);

/* ---- files ---- */

/* Borrowed for the call; NULL for data that the file does not have. */
struct rill_frame {
  size_t index;  /* from 0 */
  uint64_t step; /* 0 in files of structures */
  double time;   /* ps; NaN: none */
  size_t molecules;
  const double *positions;  /* [molecules][3][3], nm: O, H, H, whole */
  const double *velocities; /* nm/ps */
  const double *box;        /* [3][3], nm */
};
/* Visits all frames of a trajectory (.h5md) or of structures (.gro, .pdb, .xyz), in order; take returns a number
 * other than 0 to stop.  RILL_ERROR_INPUT: a file or frame that cannot be read. */
RILL_API enum rill_status rill_read_frames(const char *path,
                                           int (*take)(void *context, const struct rill_frame *frame), void *context,
                                           struct rill_error *error);

/* ---- energies of structures: without a deck ---- */

/* Zeroed: TIP3P in vacuum.  NULL for a word, and 0 for a number, mean the default. */
struct rill_energy_settings {
  const char *model;       /* "tip3p", "spce", ..., as listed by RILL_LIST_MODELS */
  double coulomb_constant; /* kJ nm/mol/e2; default CODATA 2018 */
  double stiffness;        /* of stiff bonds, sqrt(kJ/mol)/nm2, with their energy and forces; default none */
  bool rigid;              /* fits molecules to the model's geometry first */
  const char *boundary;    /* "vacuum", the default, or "periodic"; required for a file with a box */
  /* For a periodic box; defaults: "pme" to 1e-6 within 0.9 nm; "cut"; switched from nine tenths of the cutoff. */
  const char *coulomb, *lj;   /* "pme", "ewald", "reaction-field", "cut"; "cut", "shift", "switch" */
  double cutoff, switch_from; /* nm */
  double accuracy;            /* largest relative error of the forces, with "pme" */
};
/* kJ/mol, nm, bar. */
struct rill_structure_energies {
  size_t molecules;
  double potential, lj, coulomb, penalty; /* potential: the sum of the others, without lj_tail */
  double lj_tail;                         /* beyond the cutoff, in a box */
  double virial;                          /* in vacuum over atoms, sum of r . f; in a box over molecules */
  double pressure, pressure_tail;         /* in a box, at zero velocities; NaN in vacuum */
  double largest_force;                   /* component */
  double deviation;                       /* of the geometry as read, relative to a bond length */
  double *forces;                         /* [molecules][3][3], without constraint forces; owned */
};
/* Energies of the first frame of a GRO, PDB or XYZ file.  settings: NULL for defaults.  *energies: released by the
 * second function, zeroed on failure.  RILL_ERROR_USAGE: an invalid setting; RILL_ERROR_INPUT: the file, or
 * its box. */
RILL_API enum rill_status rill_structure_energy(const char *path, const struct rill_energy_settings *settings,
                                                struct rill_structure_energies *energies, struct rill_error *error);
RILL_API void rill_structure_energies_release(struct rill_structure_energies *energies);

/* ---- listings and comparisons ---- */

enum rill_listing { RILL_LIST_METHODS, RILL_LIST_SYSTEMS, RILL_LIST_KEYS, RILL_LIST_MODELS };
/* Calls take for each entry; source: a citation, or a key's default; "" for none. */
RILL_API void rill_list(enum rill_listing listing,
                        void (*take)(void *context, const char *name, const char *summary, const char *source),
                        void *context);

/* Compares methods and steps on the deck's system, as `rill compare` does: "rattle,zs/full", "1 fs,2 fs"; NULL: all
 * that bind, the deck's.  take: called for each row, with the numbers of its columns; failure: "" on success. */
struct rill_compared {
  const char *method, *failure;
  double step;
  uint64_t steps;
  size_t count;
  const char *const *names; /* [count] */
  const double *values;     /* [count]; NaN: not defined */
};
RILL_API enum rill_status rill_compare_methods(const char *deck_path, const struct rill_open_options *options,
                                               const char *methods, const char *steps,
                                               void (*take)(void *context, const struct rill_compared *compared),
                                               void *context, struct rill_error *error);

#ifdef __cplusplus
}
#endif

#endif

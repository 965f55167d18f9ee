/* Builds a relaxed vacuum cluster of a given number of molecules: the start of `molecules = N` and of `rill build
 * water N`.
 *
 * Up to 30 molecules: basin hopping (Wales & Doye, J. Phys. Chem. A 101, 5111 (1997)): random rigid moves, each
 * followed by minimisation, accepted by Metropolis' rule with falling temperature; the best is minimised tightly.
 * Several independent trials can be requested; the lowest result is returned.  Up to seven molecules a trial finds
 * the putative global minimum; for larger clusters it finds a low one, and the lowest known one only by luck:
 * docs/clusters.md.  From eight molecules on, some moves reverse rings of hydrogen bonds (water/relax/network.h).
 * More molecules: a droplet cut from a face-centred cubic lattice at the liquid's density, jittered, randomly
 * rotated, minimised loosely: a start for equilibration.
 *
 * The result depends only on the seed: the same seed gives the same bytes, for any number of threads (on one kind of
 * processor). */
#ifndef RILL_WATER_RELAX_BUILD_H
#define RILL_WATER_RELAX_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "water/relax/minimize.h"

enum { RILL_BUILD_HOPPING_LIMIT = 30 };

struct rill_build_progress {
  size_t done, planned; /* minimisations, of all trials */
  size_t iteration;     /* of the current minimisation; 0 between trials of basin hopping */
  double energy;        /* kJ/mol: the lowest so far; for a droplet, its current energy */
};

struct rill_build_options {
  uint64_t seed;
  size_t trials;  /* of basin hopping, independent: each on its own thread if there are several */
  size_t hops;    /* minimisations of a trial; 0: chosen by the number of molecules */
  bool reference; /* the plain force loops */
  enum rill_isa isa;
  int threads;
  /* Called after each minimisation of basin hopping, by one thread at a time, and after each iteration for a droplet;
   * if it returns false, the search ends with the best so far.  May be NULL. */
  bool (*observe)(void *context, const struct rill_build_progress *progress);
  void *context;
};

/* Seed 1, one trial, the widest vectors, one thread. */
struct rill_build_options rill_build_defaults(void);

struct rill_build_report {
  bool hopping;                        /* basin hopping, otherwise a droplet */
  size_t trials;                       /* number that were run */
  size_t found;                        /* how many of them ended at the lowest energy */
  size_t best_trial;                   /* the first of these, from 1: the result */
  size_t minimisations, accepted;      /* total, and how many were accepted as the current cluster of their trial */
  size_t evaluations;                  /* of forces, total */
  double force_tolerance;              /* kJ/mol/nm, of the last minimisation */
  size_t copies;                       /* of a smaller box that fill the box; 1: it was not filled with copies */
  double closest_oxygens;              /* nm; 0 for one molecule */
  struct rill_minimize_report minimum; /* the last minimisation */
};

/* positions: [molecules][3][3] nm, out; in the model's geometry, with the centre of mass at the origin.  On error
 * they are unchanged; RILL_ERROR_USAGE for 0 molecules. */
enum rill_status rill_water_build_cluster(const struct rill_water_model *model, size_t molecules,
                                          const struct rill_build_options *options, double *positions,
                                          struct rill_build_report *report, struct rill_error *error);

#endif

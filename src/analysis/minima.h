/* A catalogue of the distinct local minima (inherent structures) of a cluster, in bounded memory; Stillinger & Weber,
 * Phys. Rev. A 25, 978 (1982).
 *
 * Two minima are the same when their energies differ by at most RILL_MINIMA_ENERGY, and the root mean square
 * difference of their sorted O-O distances is at most RILL_MINIMA_DISTANCE.  These do not change when the cluster is
 * turned or reflected, or its molecules are renumbered: mirror images are one minimum.
 *
 * The catalogue holds the lowest minima up to a number that is given.  When a lower one is found, the highest is
 * dropped, with its counts; it can never come back, so that the counts of all that are left are complete. */
#ifndef RILL_ANALYSIS_MINIMA_H
#define RILL_ANALYSIS_MINIMA_H

#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"

#define RILL_MINIMA_ENERGY 1e-4   /* kJ/mol */
#define RILL_MINIMA_DISTANCE 1e-3 /* nm */
/* Molecules whose oxygens are closer are counted as neighbours: at a hydrogen bond they are 0.27 to 0.30 nm apart. */
#define RILL_MINIMA_CONTACT 0.33 /* nm */

struct rill_minimum {
  double energy;     /* kJ/mol */
  double *positions; /* [molecules][3][3] nm, their mean at the origin */
  double *distances; /* [pairs], O-O, increasing; nm */
  uint64_t *counts;  /* [rungs]: how often it was found at each temperature */
  uint64_t replica;  /* that found it first, and when */
  double time;       /* ps */
};

struct rill_minima {
  size_t molecules, pairs, rungs, most, count;
  struct rill_minimum *of;        /* [most], the first `count` in the order of their energies */
  uint64_t *dropped, *unfinished; /* [rungs]: minima that were dropped; minimisations that did not end at one */
  double *distances;              /* [pairs]: scratch */
};

/* most: at least 1.  RILL_ERROR_MEMORY. */
enum rill_status rill_minima_create(size_t molecules, size_t rungs, size_t most, struct rill_minima *minima,
                                    struct rill_error *error);

/* Counts a minimum that was reached from a configuration at a rung.  positions: [molecules][3][3] nm, copied.
 * RILL_ERROR_MEMORY. */
enum rill_status rill_minima_add(struct rill_minima *minima, double energy, const double *positions, size_t rung,
                                 uint64_t replica, double time, struct rill_error *error);

/* Sum over the rungs. */
uint64_t rill_minima_sum(const struct rill_minima *minima, const uint64_t *counts);

/* Pairs of oxygens closer than RILL_MINIMA_CONTACT; mean and largest distance of all pairs, nm (NaN for one
 * molecule). */
struct rill_minimum_shape {
  size_t contacts;
  double mean, largest;
};
struct rill_minimum_shape rill_minima_shape(const struct rill_minima *minima, size_t rank);

/* Reading: into a catalogue that was just created.  RILL_ERROR_INPUT for one that holds too many, or not in the order
 * of their energies. */
void rill_minima_archive(struct rill_minima *minima, struct rill_archive *archive);

void rill_minima_release(struct rill_minima *minima);

#endif

/* The rungs of ladders of temperatures: the seeds of replicas there, and how often neighbours are exchanged. */
#ifndef RILL_ENSEMBLE_RUNGS_H
#define RILL_ENSEMBLE_RUNGS_H

#include <stddef.h>
#include <stdint.h>

/* The seed of a replica (from 0): the first 53 bits of the Philox numbers with key (seed, stream 5) and counter
 * (replica, 0, 0).  53 bits, so that every program reads it exactly from JSON. */
uint64_t rill_replica_seed(uint64_t seed, uint64_t replica);

/* Mean acceptance of an exchange between two temperatures whose ratio is `ratio` > 1, for `freedom` harmonic degrees
 * of freedom of the potential: 2 I_x(d/2, d/2), x = 1 / (1 + ratio).  Predescu, Predescu & Ciobanu, J. Chem. Phys.
 * 120, 4119 (2004). */
double rill_harmonic_acceptance(double freedom, double ratio);

/* The number of temperatures, at least 2, of a geometric series from `first` to `last` whose exchanges are accepted
 * with that probability or a higher one. */
size_t rill_harmonic_rungs(double freedom, double acceptance, double first, double last);

#endif

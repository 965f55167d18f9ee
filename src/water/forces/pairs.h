/* The interface between the force object and its kernels.
 *
 * Circulant pairing.  Molecule i interacts with i + s, counted around the ring of molecules, for the shifts s = 1 ...
 * (N-1)/2; when N is even, s = N/2 closes the ring and belongs to i < N/2 alone.  So every pair is computed once, all
 * i have the same work, and a block of consecutive i interacts with a block of consecutive j: plain vector loads, no
 * broadcast, no horizontal sum.  The ring is unrolled: column m + N of the extended arrays holds molecule m again. */
#ifndef RILL_WATER_FORCES_PAIRS_H
#define RILL_WATER_FORCES_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "base/simd/lanes.h"
#include "water/forces/energies.h"
#include "water/forces/oxygens.h"
#include "water/model/model.h"

/* Pairs of sites, by their charges. */
enum rill_site_pair { RILL_PAIR_OO, RILL_PAIR_OH, RILL_PAIR_HH, RILL_PAIR_COUNT };

enum { RILL_SERIES_CAPACITY = 6 };

/* Constants in all lanes, so that they can be memory operands.
 *
 * With y an estimate of 1/r and e = 1 - r2 y2:  1/r3 = y3 (1 - e)^(-3/2), a short series in e.  series[kind][k] is
 * the coefficient of e^k, times the Coulomb constant and the charges for OH and HH.  Between oxygens the plain series
 * gives r-3, which Lennard-Jones needs too, and the charges are multiplied in afterwards. */
struct rill_pair_constants {
  double series[RILL_PAIR_COUNT][RILL_SERIES_CAPACITY][RILL_LANES];
  double charge[RILL_LANES];                            /* Coulomb constant times the oxygens' charges */
  double repulsion[RILL_LANES], attraction[RILL_LANES]; /* 12 c12 and -6 c6 */
  uint64_t turn[RILL_LANES][RILL_LANES]; /* for at most RILL_LANES molecules: turn[s][i] is s positions after i */
};

/* The constants for a kernel whose estimate of 1/r has this relative error, with powers of e up to series_terms. */
void rill_pair_constants_find(const struct rill_water_model *model, double estimate_error, int series_terms,
                              size_t molecules, struct rill_pair_constants *constants);

/* What a kernel sums over pairs: r-12, r-6 between oxygens, and the Coulomb energy. */
enum { RILL_SUM_R12, RILL_SUM_R6, RILL_SUM_COULOMB, RILL_SUM_COUNT };

/* Smaller systems have one part, whatever the number of threads. */
enum { RILL_ONE_PART_BELOW = 192 };

/* A part of the work: all pairs with i in [first, end). */
struct rill_pair_work {
  const struct rill_pair_constants *constants;
  double *x;      /* [9][columns], extended, aligned; for mixed precision see pairs_mixed_body.h */
  double *f;      /* [9][columns], aligned */
  float *scratch; /* for mixed precision: [9][columns], zero between uses */
  size_t columns, molecules;
  size_t first, end;           /* of i, multiples of the kernel's block; end may exceed molecules */
  size_t touched;              /* end of the columns of f, from first, that are cleared and added to */
  double sums[RILL_SUM_COUNT]; /* out, with energies */
};

struct rill_pair_kernel {
  size_t width; /* a ring of at most this many molecules is small */
  size_t block; /* parts begin at its multiples; a multiple of RILL_LANES */
  int mixed;
  double estimate_error; /* largest relative error of the estimate of 1/r */
  int series_terms;      /* highest power of e */
  /* For at most `width` molecules: q to f, both [9][stride]. */
  void (*small_ring)(struct rill_pair_work *work, const double *q, double *f, size_t stride, int energies);
  /* Extends rows row ... row_end - 1 of [9][stride] to x: column c is molecule c mod N. */
  void (*extend)(const double *q, size_t stride, double *x, size_t columns, size_t molecules, size_t row,
                 size_t row_end);
  /* Computes a part's pairs into its f, and into its sums if energies are requested. */
  void (*work)(struct rill_pair_work *work, int energies);
  /* Rows row ... row_end - 1 of f [9][stride]: sums over the parts, with the ring closed; zero beyond the
   * molecules. */
  void (*gather)(const struct rill_pair_work *work, int parts, size_t row, size_t row_end, double *f, size_t stride);
  rill_oxygens_add *add_oxygens; /* in double precision too */
};

extern const struct rill_pair_kernel rill_pairs_portable, rill_pairs_neon, rill_pairs_avx2, rill_pairs_avx512;
extern const struct rill_pair_kernel rill_pairs_mixed_portable, rill_pairs_mixed_neon, rill_pairs_mixed_avx2,
    rill_pairs_mixed_avx512;

/* The plain loops: the reference for the kernels. */
void rill_pairs_reference(const struct rill_water_model *model, size_t molecules, size_t stride, const double *q,
                          double *f, struct rill_water_energies *energies);

#endif

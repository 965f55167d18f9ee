/* The interface between the forces in a box and their kernels.
 *
 * A record is twelve numbers in rows of four: the oxygen's position in quanta (integers), then the hydrogens'
 * positions relative to the oxygen, nm.  The fourth number of the first row is added to the distance along x: 0 for
 * molecules, a large number for the dummy; those of the other rows are unused.  Forces are returned in records too,
 * as integers in units of 1/scale kJ/mol/nm.  Sums of integers do not depend on their order, so that any division of
 * the work among threads gives the same bytes.
 *
 * The operations on a pair of molecules are symmetric in the two (only signs change), so that its contribution does
 * not depend on which of the two has it on its list. */
#ifndef RILL_WATER_FORCES_BOX_PAIRS_H
#define RILL_WATER_FORCES_BOX_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "water/forces/energies.h"
#include "water/forces/smooth.h"
#include "water/neighbours/neighbours.h"

enum { RILL_RECORD = 16, RILL_BOX_DEGREE_ROWS = 4, RILL_BOX_DEGREE_MAX = 21 /* in single precision */ };

/* What is summed as integers: energies; the virial of forces between oxygens' positions, (O_j - O_i) (x) F_ij for
 * each pair; and the rest of the molecular virial, which the kernels leave to their caller: the vectors from oxygens
 * to centres of mass (x) the forces on molecules. */
enum {
  RILL_BOX_LJ,
  RILL_BOX_COULOMB,
  RILL_BOX_VIRIAL,
  RILL_BOX_ARMS = RILL_BOX_VIRIAL + 9,
  RILL_BOX_SUMS = RILL_BOX_ARMS + 9
};

/* Pairs of charges; O is the oxygen's, wherever it stands. */
enum { RILL_BOX_OO, RILL_BOX_OH, RILL_BOX_HH, RILL_BOX_KINDS };

struct rill_box_constants {
  double quantum[3]; /* nm */
  double scale;      /* of the forces */
  double sum_scale;  /* of energies: units in a kJ/mol */
  double virial_scale;
  double cutoff2;
  double charges[RILL_BOX_KINDS]; /* with the Coulomb constant */
  double c12, c6, lj_constant;
  double switch_from, switch_quadratic, switch_cubic; /* quadratic = cubic = 0: none */
  double site_weight;                                 /* of the model */
  /* The nearest distance is found from these times r2: of oxygens; of sites M. */
  double oxygen_weight, site_pair_weight;
  /* The smooth part's polynomials by kind: in powers of u = r2 - centre, or in Chebyshev's of u = r2 / centre - 1;
   * coefficients beyond the degree are 0. */
  int degree[RILL_BOX_KINDS]; /* of forces, ascending */
  int energy_degree;          /* of all energies */
  double centre[RILL_BOX_KINDS];
  double force[RILL_BOX_KINDS][RILL_SMOOTH_DEGREE_MAX + 1], energy[RILL_BOX_KINDS][RILL_SMOOTH_DEGREE_MAX + 1];
};

struct rill_box_work {
  const struct rill_box_constants *constants;
  const struct rill_neighbours *neighbours;
  const void *records;         /* [slots] */
  void *forces;                /* [slots] records that forces are added to; zero before the first pairs */
  size_t first, last;          /* slots of molecules */
  double nearest2;             /* out: smallest r2 found, weighted for oxygens */
  int64_t sums[RILL_BOX_SUMS]; /* with energies; added to */
};

struct rill_box_kernel {
  size_t record_bytes;
  double scale;        /* of the forces, initially */
  double virial_scale; /* of the virial, initially */
  double largest;      /* a pair's force times the scale must stay below */
  int powers;          /* polynomials in powers of u; otherwise in Chebyshev's polynomials */
  /* Degrees by kind that are available, each row ascending, and so are the rows; the first 0: any. */
  int degrees[RILL_BOX_DEGREE_ROWS][RILL_BOX_KINDS];
  /* Packs molecules first ... last-1 and their images into records; returns false if a hydrogen is further from its
   * oxygen than the bond, or is NaN. */
  bool (*pack)(const struct rill_neighbours *n, const double *q, double bond, size_t first, size_t last,
               void *records);
  void (*work)(struct rill_box_work *work, int by_atom, enum rill_wanted sums);
  /* Sums `parts` force arrays, adding images to their molecules, into f [9][stride]; clears the arrays. */
  void (*unpack)(const struct rill_neighbours *n, void *const *forces, int parts, double scale, size_t first,
                 size_t last, double *f);
};
extern const struct rill_box_kernel rill_box_mixed_portable, rill_box_mixed_neon, rill_box_mixed_avx2,
    rill_box_mixed_avx512, rill_box_mixed_avx512vl;
extern const struct rill_box_kernel rill_box_double_portable, rill_box_double_neon, rill_box_double_avx2,
    rill_box_double_avx512;
/* For models with a site M: records are the same, M is found from them, and its forces are spread to the atoms. */
extern const struct rill_box_kernel rill_box_site_mixed_portable, rill_box_site_mixed_neon, rill_box_site_mixed_avx2,
    rill_box_site_mixed_avx512, rill_box_site_mixed_avx512vl;
extern const struct rill_box_kernel rill_box_site_double_portable, rill_box_site_double_neon,
    rill_box_site_double_avx2, rill_box_site_double_avx512;

/* Bits that positions in double precision have in addition to the lists' quanta. */
enum { RILL_FINE_BITS = 16 };

#endif

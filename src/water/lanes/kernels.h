/* Water clusters of one size in the lanes of a vector: pairs, wall and thermostat, one table for each instruction
 * set. The other flows are those of water/flows and water/bodies, which do not care what a lane is.
 *
 * A group of `width` clusters of N molecules is an array [9][N][width]: molecule m of the cluster in lane l is at
 * column m width + l.  Every sum has the order of additions that one cluster alone has, so results are the same
 * bytes. */
#ifndef RILL_WATER_LANES_KERNELS_H
#define RILL_WATER_LANES_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/simd/lanes.h"
#include "water/bodies/bodies.h"
#include "water/flows/flows.h"
#include "water/forces/pairs.h"

/* The pairs of a group: sizes and workspace. */
struct rill_lane_pairs {
  const struct rill_pair_constants *constants;
  size_t molecules, stride; /* stride = molecules width */
  double *own;              /* [molecules][9][width] */
  double *beyond; /* [9][room]: forces on columns beyond the first turn of the ring; aligned, as the others */
  /* For mixed precision: extended positions, in which column (m + molecules) width is molecule m again, and forces on
   * others of one block of molecules, zero between uses.  Of at most `width` molecules there are hydrogens and forces
   * alone, in the order of lanes_mixed_small_ring. */
  double *oxygen;  /* [3][room] */
  float *hydrogen; /* [6][room], relative to the oxygen */
  float *scratch;  /* [9][room] */
  size_t room;
};

struct rill_lane_wall {
  size_t molecules, stride;
  double radius, stiffness, mass[RILL_ATOMS];
};

/* Keys and amplitudes belong to the lanes; aligned to RILL_ALIGNMENT. */
struct rill_lane_keys {
  uint64_t word[2][RILL_LANES];
};
struct rill_lane_ou {
  struct rill_lane_keys keys;
  double amplitude[RILL_ATOMS][RILL_LANES], centre_amplitude[RILL_ATOMS][RILL_LANES];
  double decay[RILL_ATOMS], centre_decay, share[RILL_ATOMS];
  bool centre_apart; /* as in struct rill_ou */
  bool single;
};
struct rill_lane_body_ou {
  struct rill_lane_keys keys;
  double amplitude[2][3][3][RILL_LANES];
  double decay[2][3][3];
  bool uniform, single;
};

struct rill_lanes_kernel {
  size_t width;      /* lanes of doubles */
  size_t block;      /* molecules of a block in mixed precision */
  size_t worthwhile; /* the largest clusters that gain by it, in double and in mixed precision */
  size_t worthwhile_mixed;
  double estimate_error, mixed_estimate_error; /* as in struct rill_pair_kernel */
  int series_terms, mixed_series_terms;
  /* q to f, both [9][stride]. */
  void (*pairs)(const struct rill_lane_pairs *pairs, const double *q, double *f);
  void (*mixed_pairs)(const struct rill_lane_pairs *pairs, const double *q, double *f);
  rill_oxygens_add *add_oxygens; /* in both precisions */
  /* Adds the wall's forces at q to f. */
  void (*confine)(const struct rill_lane_wall *wall, const double *q, double *f);
  /* The OU flow and projection (none if rigid is NULL); false if the projection did not converge. */
  bool (*ou)(const struct rill_rigid *rigid, size_t molecules, struct rill_columns x, const struct rill_lane_ou *ou,
             uint64_t step, uint32_t use);
  void (*body_ou)(size_t molecules, struct rill_bodies x, const struct rill_lane_body_ou *ou, uint64_t step,
                  uint32_t use);
};

extern const struct rill_lanes_kernel rill_lanes_portable, rill_lanes_neon, rill_lanes_avx2, rill_lanes_avx512;

/* isa must be available. */
const struct rill_lanes_kernel *rill_lanes_kernel(enum rill_isa isa);

#endif

/* The flows of rigid water over a range of molecules: vector bodies, one table for each instruction set.
 *
 * Arrays are [9][stride] as in water/forces/forces.h.  Ranges [first, last) begin at multiples of RILL_LANES and are
 * processed in whole vectors, so that a range is the unit of threading.  Columns beyond the molecules hold inert
 * molecules. */
#ifndef RILL_WATER_FLOWS_FLOWS_H
#define RILL_WATER_FLOWS_FLOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/random.h"
#include "mech/filter.h"
#include "water/constraints/rigid.h"
#include "water/penalty/penalty.h"

struct rill_range {
  size_t first, last;
};

struct rill_columns {
  size_t stride;
  double *q, *v;
  const uint64_t *number; /* [stride] of the molecule in a column, for its noise; NULL: the column's own */
};

struct rill_drift_result {
  unsigned iterations; /* of the slowest molecule */
  bool failed;         /* some molecule has no solution, or did not converge */
};

/* The Ornstein-Uhlenbeck flow: v = decay v + amplitude xi, for each kind of atom.  The centre of mass may have a
 * decay and amplitudes of its own. */
struct rill_ou {
  double decay[RILL_ATOMS];
  double amplitude[RILL_ATOMS]; /* nm/ps */
  bool centre_apart;
  double centre_decay, centre_amplitude[RILL_ATOMS];
  double share[RILL_ATOMS]; /* of the molecule's mass */
  bool single;              /* normal numbers in single precision */
  struct rill_noise noise;
};

/* How the kick of penalised water filters the soft force: identity, linear or third; the Hessian is the stiff
 * part's. */
struct rill_stiff_filter {
  enum rill_filter_kind kind;
  bool full;    /* the full stiff Hessian, else Gauss-Newton's */
  double scale; /* beta h^2 */
};

struct rill_water_flow_table {
  /* Moves positions along v for a time h, on the constraints; v receives the impulses, or with `difference` becomes
   * (q' - q) / h. */
  struct rill_drift_result (*drift)(const struct rill_rigid *rigid, struct rill_range range, struct rill_columns x,
                                    double h, bool difference);
  /* v += h f / m, then projection if requested.  Both return false if the projection did not converge. */
  bool (*kick)(const struct rill_rigid *rigid, struct rill_range range, struct rill_columns x, const double *f,
               double h, bool project);
  /* The OU flow and projection (none if rigid is NULL); molecules: the number of real ones; the padding stays at
   * rest. */
  bool (*ou)(const struct rill_rigid *rigid, struct rill_range range, struct rill_columns x, const struct rill_ou *ou,
             uint64_t step, uint32_t use, size_t molecules);
  /* Projects the velocities only. */
  bool (*project)(const struct rill_rigid *rigid, struct rill_range range, struct rill_columns x);

  /* to = from, [9][stride], for data that is seldom read again: with non-temporal stores if it exceeds the caches. */
  void (*copy_aside)(struct rill_range range, size_t stride, const double *from, double *to);

  /* Penalised water.  x += h y: a drift of positions or a kick by accelerations. */
  void (*advance)(struct rill_range range, size_t stride, double h, const double *y, double *x);
  /* Computes the filtered acceleration a from soft forces f and the stiff part at q; 0 beyond the molecules.  Returns
   * false if it is not finite, or absurdly large. */
  bool (*filter)(const struct rill_penalty *penalty, struct rill_range range, size_t stride,
                 const struct rill_stiff_filter *filter, const double *q, const double *f, double *a,
                 size_t molecules);
  /* Solves (M + scale H(q)) out = b; 0 beyond the molecules.  out may be b. */
  void (*stiff_solve)(const struct rill_penalty *penalty, struct rill_range range, size_t stride, bool full,
                      double scale, const double *q, const double *b, double *out, size_t molecules);
  /* out = H(q) u; if u is NULL, out = the stiff force at q.  0 beyond the molecules. */
  void (*stiff_product)(const struct rill_penalty *penalty, struct rill_range range, size_t stride, bool full,
                        const double *q, const double *u, double *out, size_t molecules);
};

extern const struct rill_water_flow_table rill_water_flows_portable, rill_water_flows_neon, rill_water_flows_avx2,
    rill_water_flows_avx512;

/* isa must be available. */
const struct rill_water_flow_table *rill_water_flow_table(enum rill_isa isa);

#endif

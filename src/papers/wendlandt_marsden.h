/* Wendlandt & Marsden, Mechanical integrators derived from a discrete variational principle, Physica D 106, 223
 * (1997): the two tables, the quoted energies and momenta, and the data of figures 2 to 12. */
#ifndef RILL_PAPERS_WENDLANDT_MARSDEN_H
#define RILL_PAPERS_WENDLANDT_MARSDEN_H

#include "papers/result.h"
#include "systems/registry.h"

/* wendlandt-marsden-table-1, -table-2, -figure-2 ... -figure-12; *count gets their number. */
const struct rill_result *rill_wendlandt_marsden_results(size_t *count);

/* The runs behind them, for tests and other settings: 30 s, a sample every 0.1 s with t = 0. */
enum { RILL_WM_SAMPLES = 301 };

struct rill_wm_sample {
  double q[6];
  double energy;        /* DVP: of the pair (q_n, q_n+1), v.L_v - L at its midpoint; EM: H(q, p) */
  double momentum[3];   /* the momentum map; of the pair for DVP */
  double multiplier[2]; /* DVP: lambda_n of (4.5); NaN at t = 0.  EM: NaN */
};

struct rill_wm_run {
  double h;
  unsigned long steps_per_sample;
  double cpu_time, iterations;                               /* seconds; Newton iterations per step */
  double energy_min, energy_max, momentum_min, momentum_max; /* over samples; momentum: its z component */
  double standard_energy, standard_momentum[3];              /* rigid body: of the pair after the first Euler step */
  struct rill_wm_sample sample[RILL_WM_SAMPLES];
};

enum rill_wm_start {
  RILL_WM_PAPER, /* the second point as the paper makes it */
  RILL_WM_EXACT  /* from the exact solution; of the pendulum: from yoshida4 with h/64, good to round-off */
};

/* DVP of the rigid body.  0.1 s must be a whole number of steps, and h of steps of 1e-5 s with the paper's start. */
enum rill_status rill_wm_rigid_body(double h, enum rill_wm_start start, struct rill_wm_run *run,
                                    struct rill_error *error);

/* method: "dvp", whose second point the paper takes from the energy-momentum run of h = 1e-4 s, or "energy-momentum",
 * which needs none.  data: x1 y1 x2 y2 and their rates at t = 0, NULL for the printed ones. */
enum rill_status rill_wm_double_spherical(const char *method, double h, enum rill_wm_start start, const double *data,
                                          struct rill_wm_run *run, struct rill_error *error);

/* (5.10), with m the number of components: 4 or 6. */
double rill_wm_position_error(const struct rill_wm_run *run, const struct rill_wm_run *standard, int m);

#endif

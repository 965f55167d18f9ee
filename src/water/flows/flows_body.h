/* The implementation behind struct rill_water_flow_table, included by one small file for each instruction set. */
#include <string.h>

#include "water/flows/atoms_body.h"
#include "water/flows/flows.h"
#include "water/penalty/penalty_body.h"
#include "water/thermostat/noise_body.h"

/* Vectors whose bonds are solved together: measured with bench/lanes, two or three are best. */
enum { TOGETHER = 2 };

/* `count` vectors of molecules from m on. */
SPECIALISED void drift_vectors(const struct rill_rigid *rigid, size_t m, const int count, struct rill_columns x,
                               double h, bool difference, struct rill_drift_result *result) {
  const vreal step = v_set(h), rate = v_set(1.0 / h);
  struct vec q[SETTLE_MOST][RILL_ATOMS], v[SETTLE_MOST][RILL_ATOMS], r[SETTLE_MOST][RILL_BONDS],
      s[SETTLE_MOST][RILL_BONDS];
  vreal g[SETTLE_MOST][RILL_BONDS];
  unsigned iterations = 1;
  for (int k = 0; k < count; k++) {
    struct vec w[RILL_BONDS];
    load_atoms(x.q, x.stride, m + (size_t)k * RILL_WIDTH, q[k]);
    load_atoms(x.v, x.stride, m + (size_t)k * RILL_WIDTH, v[k]);
    bonds_of(q[k], r[k]);
    bonds_of(v[k], w);
    for (int c = 0; c < RILL_BONDS; c++) s[k][c] = vec_axpy(r[k][c], step, w[c]);
  }
  if (rigid->solver == RILL_SETTLE) settle(rigid, count, r, s, g);
  for (int k = 0; k < count; k++) {
    const size_t at = m + (size_t)k * RILL_WIDTH;
    vreal size;
    if (rigid->solver == RILL_MSHAKE) iterations = mshake(rigid, r[k], s[k], g[k]);
    else if (rigid->solver != RILL_SETTLE) iterations = shake(rigid, r[k], s[k], g[k]);
    if (difference) {
      struct vec old[RILL_ATOMS] = {q[k][0], q[k][1], q[k][2]};
      for (int a = 0; a < RILL_ATOMS; a++) q[k][a] = vec_axpy(q[k][a], step, v[k][a]);
      apply_impulses(rigid, r[k], g[k], v_set(1.0), q[k]);
      for (int a = 0; a < RILL_ATOMS; a++) v[k][a] = vec_scale(rate, vec_sub(q[k][a], old[a]));
    } else {
      apply_impulses(rigid, r[k], g[k], rate, v[k]);
      for (int a = 0; a < RILL_ATOMS; a++) q[k][a] = vec_axpy(q[k][a], step, v[k][a]);
    }
    store_atoms(x.q, x.stride, at, q[k]);
    store_atoms(x.v, x.stride, at, v[k]);
    size = v_abs(g[k][0]) + v_abs(g[k][1]) + v_abs(g[k][2]);
    /* the sweeps pass over bonds that are not finite */
    if (rigid->solver == RILL_RATTLE_SHAKE)
      size = v_fma(v_set(0.0), vec_dot(s[k][0], s[k][0]) + vec_dot(s[k][1], s[k][1]), size);
    size = v_select(v_less(size, v_set(1e30)), v_set(0.0), v_set(1.0)); /* also 1 if NaN */
    if (v_any(v_less(v_set(0.5), size))) result->failed = true;
    if (iterations > result->iterations) result->iterations = iterations;
  }
}

static struct rill_drift_result drift(const struct rill_rigid *rigid, struct rill_range range, struct rill_columns x,
                                      double h, bool difference) {
  struct rill_drift_result result = {0, false};
  size_t m = range.first;
  for (; m + TOGETHER * RILL_WIDTH <= range.last; m += TOGETHER * RILL_WIDTH)
    drift_vectors(rigid, m, TOGETHER, x, h, difference, &result);
  for (; m < range.last; m += RILL_WIDTH) drift_vectors(rigid, m, 1, x, h, difference, &result);
  if (rigid->solver != RILL_SETTLE && result.iterations >= rigid->max_iterations) result.failed = true;
  return result;
}

static bool kick(const struct rill_rigid *rigid, struct rill_range range, struct rill_columns x, const double *f,
                 double h, bool project) {
  const vreal step = v_set(h);
  vreal inverse_mass[RILL_ATOMS];
  bool converged = true;
  for (int a = 0; a < RILL_ATOMS; a++) inverse_mass[a] = v_set(rigid->inverse_mass[a]);
  for (size_t m = range.first; m < range.last; m += RILL_WIDTH) {
    struct vec q[RILL_ATOMS], v[RILL_ATOMS], force[RILL_ATOMS];
    load_atoms(x.v, x.stride, m, v);
    load_atoms(f, x.stride, m, force);
    for (int a = 0; a < RILL_ATOMS; a++) v[a] = vec_axpy(v[a], inverse_mass[a], vec_scale(step, force[a]));
    if (project) {
      load_atoms(x.q, x.stride, m, q);
      if (!project_atoms(rigid, q, v)) converged = false;
    }
    store_atoms(x.v, x.stride, m, v);
  }
  return converged;
}

static bool ou(const struct rill_rigid *rigid, struct rill_range range, struct rill_columns x,
               const struct rill_ou *flow, uint64_t step, uint32_t use, size_t molecules) {
  const struct noise_key key = noise_key(&flow->noise);
  struct centre_damping centre = {.decay = v_set(flow->centre_decay)};
  vreal decay[RILL_ATOMS], amplitude[RILL_ATOMS];
  bool converged = true;
  for (int a = 0; a < RILL_ATOMS; a++) {
    decay[a] = v_set(flow->decay[a]);
    amplitude[a] = v_set(flow->amplitude[a]);
    centre.amplitude[a] = v_set(flow->centre_amplitude[a]);
    centre.share[a] = v_set(flow->share[a]);
  }
  for (size_t m = range.first; m < range.last; m += RILL_WIDTH) {
    struct vec q[RILL_ATOMS], v[RILL_ATOMS];
    vreal z[NOISE_ROOM];
    noise_nine(key, step, noise_molecules(x.number, m), use, flow->single, z);
    load_atoms(x.v, x.stride, m, v);
    if (m + RILL_WIDTH > molecules) {
      vmask real = v_mask_first(molecules > m ? molecules - m : 0);
      for (int k = 0; k < 9; k++) z[k] = v_and_mask(z[k], real);
    }
    if (flow->centre_apart) damp_parts(decay, amplitude, &centre, z, v);
    else damp_atoms(decay, amplitude, z, v);
    if (rigid != NULL) {
      load_atoms(x.q, x.stride, m, q);
      if (!project_atoms(rigid, q, v)) converged = false;
    }
    store_atoms(x.v, x.stride, m, v);
  }
  return converged;
}

static bool project(const struct rill_rigid *rigid, struct rill_range range, struct rill_columns x) {
  bool converged = true;
  for (size_t m = range.first; m < range.last; m += RILL_WIDTH) {
    struct vec q[RILL_ATOMS], v[RILL_ATOMS];
    load_atoms(x.q, x.stride, m, q);
    load_atoms(x.v, x.stride, m, v);
    if (!project_atoms(rigid, q, v)) converged = false;
    store_atoms(x.v, x.stride, m, v);
  }
  return converged;
}

/* A state of this many molecules exceeds the caches. */
enum { LARGE = 1 << 14 };

static void copy_aside(struct rill_range range, size_t stride, const double *from, double *to) {
  for (size_t at = range.first; at < RILL_COORDINATES * stride; at += stride) {
    const size_t end = at + (range.last - range.first);
    if (stride < LARGE)
      for (size_t m = at; m < end; m += RILL_WIDTH) v_store(to + m, v_load(from + m));
    else
      for (size_t m = at; m < end; m += RILL_WIDTH) v_stream(to + m, v_load(from + m));
  }
  if (stride >= LARGE) v_stream_end(); /* it would wait for all stores before */
}

/* ---- penalised water ---- */

static void advance(struct rill_range range, size_t stride, double h, const double *y, double *x) {
  const vreal step = v_set(h);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = range.first; m < range.last; m += RILL_WIDTH)
      v_store(x + k * stride + m, v_fma(step, v_load(y + k * stride + m), v_load(x + k * stride + m)));
}

/* Stores the atoms of real molecules, and 0 for the padding. */
static inline void store_real(double *columns, size_t stride, size_t m, struct vec x[RILL_ATOMS], size_t molecules) {
  if (m + RILL_WIDTH > molecules) {
    vmask real = v_mask_first(molecules > m ? molecules - m : 0);
    for (int a = 0; a < RILL_ATOMS; a++)
      x[a] = (struct vec){v_and_mask(x[a].x, real), v_and_mask(x[a].y, real), v_and_mask(x[a].z, real)};
  }
  store_atoms(columns, stride, m, x);
}

static bool filter(const struct rill_penalty *penalty, struct rill_range range, size_t stride,
                   const struct rill_stiff_filter *how, const double *q, const double *f, double *a,
                   size_t molecules) {
  vreal unsound = v_set(0.0);
  for (size_t m = range.first; m < range.last; m += RILL_WIDTH) {
    struct vec x[RILL_ATOMS], y[RILL_ATOMS];
    struct shape shape;
    load_atoms(q, stride, m, x);
    load_atoms(f, stride, m, y);
    shape = shape_of(penalty, x);
    if (how->kind != RILL_FILTER_IDENTITY && !how->full) {
      gauss_newton(penalty, &shape, how->scale, y);
    } else {
      stiff_force(penalty, &shape, y);
      if (how->kind == RILL_FILTER_IDENTITY) divide_by_masses(penalty, y);
      else solve_stiff(penalty, &shape, how->scale, true, y);
    }
    if (how->kind == RILL_FILTER_THIRD) third_derivative(penalty, &shape, how->scale, y);
    store_real(a, stride, m, y, molecules);
    for (int i = 0; i < RILL_ATOMS; i++) { /* a size that is NaN is not less either */
      vreal size = v_abs(y[i].x) + v_abs(y[i].y) + v_abs(y[i].z);
      unsound = v_select(v_less(size, v_set(1e15)), unsound, v_set(1.0));
    }
  }
  return !v_any(v_less(v_set(0.5), unsound));
}

static void stiff_solve(const struct rill_penalty *penalty, struct rill_range range, size_t stride, bool full,
                        double scale, const double *q, const double *b, double *out, size_t molecules) {
  for (size_t m = range.first; m < range.last; m += RILL_WIDTH) {
    struct vec x[RILL_ATOMS], y[RILL_ATOMS];
    struct shape shape;
    load_atoms(q, stride, m, x);
    load_atoms(b, stride, m, y);
    shape = shape_of(penalty, x);
    solve_stiff(penalty, &shape, scale, full, y);
    store_real(out, stride, m, y, molecules);
  }
}

static void stiff_product(const struct rill_penalty *penalty, struct rill_range range, size_t stride, bool full,
                          const double *q, const double *u, double *out, size_t molecules) {
  for (size_t m = range.first; m < range.last; m += RILL_WIDTH) {
    struct vec x[RILL_ATOMS], y[RILL_ATOMS], z[RILL_ATOMS];
    struct shape shape;
    load_atoms(q, stride, m, x);
    shape = shape_of(penalty, x);
    if (u != NULL) {
      load_atoms(u, stride, m, y);
      multiply_stiff(penalty, &shape, full, y, z);
    } else {
      for (int a = 0; a < RILL_ATOMS; a++) z[a] = (struct vec){v_set(0.0), v_set(0.0), v_set(0.0)};
      stiff_force(penalty, &shape, z);
    }
    store_real(out, stride, m, z, molecules);
  }
}

#define RILL_WATER_FLOWS                                                                                             \
  { drift, kick, ou, project, copy_aside, advance, filter, stiff_solve, stiff_product }

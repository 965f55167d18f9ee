/* The implementation behind struct rill_body_table, included by one small file for each instruction set. */
#include "water/bodies/damping_body.h"
#include "water/thermostat/noise_body.h"

/* q_a = x + s_x e_x + s_z e_z */
static inline void place_atoms(const struct rill_body *body, size_t stride, size_t m, struct vec centre,
                               const struct vec axis[3], double *q) {
  for (size_t i = 0; i < RILL_ATOMS; i++)
    vec_store(q + 3 * i * stride + m, stride,
              vec_axpy(vec_axpy(centre, v_set(body->site[i][0]), axis[0]), v_set(body->site[i][1]), axis[2]));
}

static struct rill_drift_result drift(const struct rill_body *body, struct rill_range range, struct rill_bodies x,
                                      double h, double *q) {
  struct rill_drift_result result = {0, false};
  const vreal step = v_set(h), speed = v_set(h * body->inverse_mass);
  const size_t stride = x.stride;
  for (size_t m = range.first; m < range.last; m += RILL_WIDTH) {
    struct vec centre = vec_axpy(vec_load(x.centre + m, stride), speed, vec_load(x.momentum + m, stride));
    struct vec spin = vec_load(x.spin + m, stride), axis[3];
    struct attitude attitude = attitude_load(x.attitude + m, stride);
    unsigned iterations = 1;
    if (body->rotor == RILL_ROTOR_LGVI) iterations = rotor_lgvi(body, step, &attitude, &spin);
    else rotor_axes(body, step, &attitude, &spin);
    vec_store(x.centre + m, stride, centre);
    vec_store(x.spin + m, stride, spin);
    attitude_store(x.attitude + m, stride, attitude);
    axes_of(attitude, axis);
    place_atoms(body, stride, m, centre, axis, q);
    if (v_any(v_less(v_set(0.5), v_select(v_less(v_abs(attitude.w), v_set(2.0)), v_set(0.0), v_set(1.0)))))
      result.failed = true; /* also if NaN */
    if (iterations > result.iterations) result.iterations = iterations;
  }
  if (result.iterations > ROTOR_ITERATIONS) result.failed = true;
  return result;
}

/* M = sum s x R^T f with s = (s_x, 0, s_z), from A = sum s_x f and B = sum s_z f. */
static void kick(const struct rill_body *body, struct rill_range range, struct rill_bodies x, const double *f,
                 double h) {
  const vreal step = v_set(h), zero = v_set(0.0);
  const size_t stride = x.stride;
  for (size_t m = range.first; m < range.last; m += RILL_WIDTH) {
    struct vec axis[3], force = {zero, zero, zero}, a = force, b = force;
    struct vec momentum = vec_load(x.momentum + m, stride), spin = vec_load(x.spin + m, stride);
    axes_of(attitude_load(x.attitude + m, stride), axis);
    for (size_t i = 0; i < RILL_ATOMS; i++) {
      struct vec of_atom = vec_load(f + 3 * i * stride + m, stride);
      force = vec_add(force, of_atom);
      a = vec_axpy(a, v_set(body->site[i][0]), of_atom);
      b = vec_axpy(b, v_set(body->site[i][1]), of_atom);
    }
    spin.x = v_fnma(step, vec_dot(axis[1], b), spin.x);
    spin.y = v_fma(step, vec_dot(axis[0], b) - vec_dot(axis[2], a), spin.y);
    spin.z = v_fma(step, vec_dot(axis[1], a), spin.z);
    vec_store(x.momentum + m, stride, vec_axpy(momentum, step, force));
    vec_store(x.spin + m, stride, spin);
  }
}

static void ou(const struct rill_body *body, struct rill_range range, struct rill_bodies x,
               const struct rill_body_ou *flow, uint64_t step, uint32_t use, size_t molecules) {
  const struct noise_key key = noise_key(&flow->noise);
  vreal amplitude[2][3][3];
  (void)body;
  for (int block = 0; block < 2; block++)
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) amplitude[block][i][k] = v_set(flow->amplitude[block][i][k]);
  for (size_t m = range.first; m < range.last; m += RILL_WIDTH) {
    vreal z[NOISE_ROOM];
    noise_six(key, step, noise_molecules(x.number, m), use, flow->single, z);
    if (m + RILL_WIDTH > molecules) {
      vmask real = v_mask_first(molecules > m ? molecules - m : 0);
      for (int k = 0; k < 6; k++) z[k] = v_and_mask(z[k], real);
    }
    if (flow->uniform) damp_evenly(flow->decay, amplitude, z, x, m);
    else damp_by_atoms(flow->decay, amplitude, z, x, m);
  }
}

/* v_a = p / m + R (Omega x s_a) */
static void place(const struct rill_body *body, struct rill_range range, struct rill_bodies x, double *q, double *v) {
  const size_t stride = x.stride;
  for (size_t m = range.first; m < range.last; m += RILL_WIDTH) {
    struct vec axis[3], velocity, spin, along_x, along_z;
    axes_of(attitude_load(x.attitude + m, stride), axis);
    if (q != NULL) place_atoms(body, stride, m, vec_load(x.centre + m, stride), axis, q);
    if (v == NULL) continue;
    velocity = vec_scale(v_set(body->inverse_mass), vec_load(x.momentum + m, stride));
    spin = vec_load(x.spin + m, stride);
    spin = (struct vec){v_set(body->inverse_inertia[0]) * spin.x, v_set(body->inverse_inertia[1]) * spin.y,
                        v_set(body->inverse_inertia[2]) * spin.z};
    along_x = vec_sub(vec_scale(spin.z, axis[1]), vec_scale(spin.y, axis[2]));
    along_z = vec_sub(vec_scale(spin.y, axis[0]), vec_scale(spin.x, axis[1]));
    for (size_t i = 0; i < RILL_ATOMS; i++)
      vec_store(v + 3 * i * stride + m, stride,
                vec_axpy(vec_axpy(velocity, v_set(body->site[i][0]), along_x), v_set(body->site[i][1]), along_z));
  }
}

#define RILL_BODIES                                                                                                  \
  { drift, kick, ou, place }

/* The Ornstein-Uhlenbeck flow of rigid bodies for noise z, at column m: shared by kernels of different layouts. */
#ifndef RILL_WATER_BODIES_DAMPING_BODY_H
#define RILL_WATER_BODIES_DAMPING_BODY_H

#include "water/bodies/bodies.h"
#include "water/bodies/rotor_body.h"

/* One 3 x 3 block of the general flow: y = E y + S z. */
static inline void damp_block(const double decay[3][3], const vreal amplitude[3][3], vreal *y[3], const vreal z[3]) {
  const vreal old[3] = {*y[0], *y[1], *y[2]};
  for (int i = 0; i < 3; i++) {
    vreal sum = v_set(0.0);
    for (int k = 0; k < 3; k++) sum = v_fma(v_set(decay[i][k]), old[k], v_fma(amplitude[i][k], z[k], sum));
    *y[i] = sum;
  }
}

/* Uniform friction on momenta, and on spins. */
static inline void damp_evenly(const double decay[2][3][3], const vreal amplitude[2][3][3], const vreal z[6],
                               struct rill_bodies x, size_t m) {
  const vreal rate = v_set(decay[0][0][0]), rate_of_spin = v_set(decay[1][1][1]), of_momentum = amplitude[0][0][0];
  struct vec p = vec_load(x.momentum + m, x.stride), spin = vec_load(x.spin + m, x.stride);
  p = (struct vec){v_fma(of_momentum, z[0], rate * p.x), v_fma(of_momentum, z[1], rate * p.y),
                   v_fma(of_momentum, z[2], rate * p.z)};
  spin = (struct vec){v_fma(amplitude[1][1][1], z[3], rate_of_spin * spin.x),
                      v_fma(amplitude[0][2][2], z[4], rate_of_spin * spin.y),
                      v_fma(amplitude[1][2][2], z[5], rate_of_spin * spin.z)};
  vec_store(x.momentum + m, x.stride, p);
  vec_store(x.spin + m, x.stride, spin);
}

/* Friction on each atom. */
static inline void damp_by_atoms(const double decay[2][3][3], const vreal amplitude[2][3][3], const vreal z[6],
                                 struct rill_bodies x, size_t m) {
  struct vec p = vec_load(x.momentum + m, x.stride), spin = vec_load(x.spin + m, x.stride), axis[3], in_body;
  axes_of(attitude_load(x.attitude + m, x.stride), axis);
  in_body = (struct vec){vec_dot(axis[0], p), vec_dot(axis[1], p), vec_dot(axis[2], p)};
  damp_block(decay[0], amplitude[0], (vreal *[3]){&in_body.x, &in_body.z, &spin.y},
             (const vreal[3]){z[0], z[2], z[4]});
  damp_block(decay[1], amplitude[1], (vreal *[3]){&in_body.y, &spin.x, &spin.z}, (const vreal[3]){z[1], z[3], z[5]});
  vec_store(x.momentum + m, x.stride,
            vec_axpy(vec_axpy(vec_scale(in_body.x, axis[0]), in_body.y, axis[1]), in_body.z, axis[2]));
  vec_store(x.spin + m, x.stride, spin);
}

#endif

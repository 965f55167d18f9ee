/* The implementation behind struct rill_lanes_kernel, included by one small file for each instruction set. */
#include "water/bodies/damping_body.h"
#include "water/flows/atoms_body.h"
#include "water/forces/oxygens_body.h"
#include "water/lanes/pairs_body.h"
#include "water/lanes/pairs_mixed_body.h"
#include "water/lanes/wall_body.h"
#include "water/thermostat/noise_body.h"

static inline struct noise_key keys_of(const struct rill_lane_keys *keys) {
  return (struct noise_key){{v_load_int(keys->word[0]), v_load_int(keys->word[1])}};
}

static bool ou(const struct rill_rigid *rigid, size_t molecules, struct rill_columns x,
               const struct rill_lane_ou *flow, uint64_t step, uint32_t use) {
  const struct noise_key key = keys_of(&flow->keys);
  struct centre_damping centre = {.decay = v_set(flow->centre_decay)};
  vreal decay[RILL_ATOMS], amplitude[RILL_ATOMS];
  bool converged = true;
  for (int a = 0; a < RILL_ATOMS; a++) {
    decay[a] = v_set(flow->decay[a]);
    amplitude[a] = v_load(flow->amplitude[a]);
    centre.amplitude[a] = v_load(flow->centre_amplitude[a]);
    centre.share[a] = v_set(flow->share[a]);
  }
  for (size_t m = 0; m < molecules; m++) {
    const size_t at = m * RILL_WIDTH;
    struct vec q[RILL_ATOMS], v[RILL_ATOMS];
    vreal z[NOISE_ROOM];
    noise_nine(key, step, v_int(m), use, flow->single, z);
    load_atoms(x.v, x.stride, at, v);
    if (flow->centre_apart) damp_parts(decay, amplitude, &centre, z, v);
    else damp_atoms(decay, amplitude, z, v);
    if (rigid != NULL) {
      load_atoms(x.q, x.stride, at, q);
      if (!project_atoms(rigid, q, v)) converged = false;
    }
    store_atoms(x.v, x.stride, at, v);
  }
  return converged;
}

static void body_ou(size_t molecules, struct rill_bodies x, const struct rill_lane_body_ou *flow, uint64_t step,
                    uint32_t use) {
  const struct noise_key key = keys_of(&flow->keys);
  vreal amplitude[2][3][3];
  for (int block = 0; block < 2; block++)
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) amplitude[block][i][k] = v_load(flow->amplitude[block][i][k]);
  for (size_t m = 0; m < molecules; m++) {
    vreal z[NOISE_ROOM];
    noise_six(key, step, v_int(m), use, flow->single, z);
    if (flow->uniform) damp_evenly(flow->decay, amplitude, z, x, m * RILL_WIDTH);
    else damp_by_atoms(flow->decay, amplitude, z, x, m * RILL_WIDTH);
  }
}

#define RILL_LANES_KERNEL                                                                                            \
  {                                                                                                                  \
    RILL_WIDTH, RILL_FLOAT_WIDTH, WORTHWHILE, WORTHWHILE_MIXED, RILL_ESTIMATE_ERROR, RILL_FLOAT_ESTIMATE_ERROR,      \
        RILL_ESTIMATE_TERMS, RILL_FLOAT_ESTIMATE_TERMS, lanes_pairs, lanes_mixed_pairs, add_oxygens, confine, ou,    \
        body_ou                                                                                                      \
  }

#include "water/barostat/barostat.h"

#include <math.h>

/* Axes that are scaled together, and how many of them. */
static const struct groups {
  int count, of_axis[3];
  double axes[3];
} groups_of[] = {
    [RILL_SHAPE_ISOTROPIC] = {1, {0, 0, 0}, {3.0}},
    [RILL_SHAPE_SEMI] = {2, {0, 0, 1}, {2.0, 1.0}},
    [RILL_SHAPE_ANISOTROPIC] = {3, {0, 1, 2}, {1.0, 1.0, 1.0}},
};

/* Of molecules with the mean kinetic energy of the bath, along the axes of a group. */
static double pressure_of(const struct groups *groups, int group, const struct rill_barostat_bath *bath,
                          const struct rill_barostat_state *state) {
  double virial = 0.0;
  for (int c = 0; c < 3; c++)
    if (groups->of_axis[c] == group) virial += state->virial[c];
  return (bath->molecules * bath->kt + virial / groups->axes[group]) / state->volume;
}

/* ---- one degree of freedom: the root of the volume, whose noise does not depend on the volume ---- */

static double root_diffusion(const struct rill_barostat *b, const struct rill_barostat_bath *bath) {
  return bath->kt * b->compressibility * bath->time / (4.0 * b->tau);
}

static double root_drift(const struct rill_barostat *b, const struct rill_barostat_bath *bath,
                         const struct rill_barostat_state *state) {
  const double pressure = pressure_of(&groups_of[RILL_SHAPE_ISOTROPIC], 0, bath, state);
  const double excess = pressure - b->pressure + bath->kt / (2.0 * state->volume);
  if (b->kind == RILL_BAROSTAT_MC) return 0.0;
  return b->compressibility * sqrt(state->volume) / (2.0 * b->tau) * excess * bath->time;
}

static void propose_root(const struct rill_barostat *b, const struct rill_barostat_bath *bath,
                         const struct rill_barostat_state *from, double normal, double scale[3]) {
  const double root = sqrt(from->volume);
  const double next = root + root_drift(b, bath, from) + sqrt(2.0 * root_diffusion(b, bath)) * normal;
  for (int c = 0; c < 3; c++) scale[c] = next > 0.0 ? pow(next / root, 2.0 / 3.0) : 0.0;
}

static double root_ratio(const struct rill_barostat *b, const struct rill_barostat_bath *bath,
                         const struct rill_barostat_state *from, const struct rill_barostat_state *to) {
  const double move = sqrt(to->volume) - sqrt(from->volume), diffusion = root_diffusion(b, bath);
  const double forth = move - root_drift(b, bath, from), back = -move - root_drift(b, bath, to);
  return 0.5 * log(to->volume / from->volume) - (back * back - forth * forth) / (4.0 * diffusion);
}

/* ---- several: the logarithms of the factors of the volume ---- */

static double log_diffusion(const struct rill_barostat *b, const struct rill_barostat_bath *bath, double axes,
                            const struct rill_barostat_state *state) {
  return bath->kt * b->compressibility * axes / 3.0 * bath->time / (b->tau * state->volume);
}

static double log_drift(const struct rill_barostat *b, const struct rill_barostat_bath *bath, int group,
                        const struct rill_barostat_state *state) {
  const struct groups *groups = &groups_of[b->shape];
  const double excess = pressure_of(groups, group, bath, state) - b->pressure;
  if (b->kind == RILL_BAROSTAT_MC) return 0.0;
  return b->compressibility * groups->axes[group] / 3.0 * bath->time / b->tau * excess;
}

static void propose_logs(const struct rill_barostat *b, const struct rill_barostat_bath *bath,
                         const struct rill_barostat_state *from, const double normal[3], double scale[3]) {
  const struct groups *groups = &groups_of[b->shape];
  for (int c = 0; c < 3; c++) {
    const int group = groups->of_axis[c];
    const double axes = groups->axes[group], diffusion = log_diffusion(b, bath, axes, from);
    scale[c] = exp((log_drift(b, bath, group, from) + sqrt(2.0 * diffusion) * normal[group]) / axes);
  }
}

/* The proposals' normal densities, whose variances change with the volume. */
static double log_ratio(const struct rill_barostat *b, const struct rill_barostat_bath *bath,
                        const struct rill_barostat_state *from, const struct rill_barostat_state *to,
                        const double scale[3]) {
  const struct groups *groups = &groups_of[b->shape];
  double ratio = (1.0 + 0.5 * groups->count) * log(to->volume / from->volume);
  for (int group = 0; group < groups->count; group++) {
    const double axes = groups->axes[group];
    double move = 0.0, forth, back;
    for (int c = 0; c < 3; c++)
      if (groups->of_axis[c] == group) move += log(scale[c]);
    forth = move - log_drift(b, bath, group, from);
    back = -move - log_drift(b, bath, group, to);
    ratio += forth * forth / (4.0 * log_diffusion(b, bath, axes, from)) -
             back * back / (4.0 * log_diffusion(b, bath, axes, to));
  }
  return ratio;
}

/* ---- all shapes ---- */

void rill_barostat_propose(const struct rill_barostat *barostat, const struct rill_barostat_bath *bath,
                           const struct rill_barostat_state *from, const double normal[3], double scale[3]) {
  if (barostat->shape == RILL_SHAPE_ISOTROPIC) propose_root(barostat, bath, from, normal[0], scale);
  else propose_logs(barostat, bath, from, normal, scale);
}

double rill_barostat_ratio(const struct rill_barostat *barostat, const struct rill_barostat_bath *bath,
                           const struct rill_barostat_state *from, const struct rill_barostat_state *to,
                           const double scale[3]) {
  const double work = to->potential - from->potential + barostat->pressure * (to->volume - from->volume);
  const double law = bath->molecules * log(to->volume / from->volume) - work / bath->kt;
  return law + (barostat->shape == RILL_SHAPE_ISOTROPIC ? root_ratio(barostat, bath, from, to)
                                                        : log_ratio(barostat, bath, from, to, scale));
}

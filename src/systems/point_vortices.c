/* Point vortices in the plane, Kirchhoff's equations:
 *
 *   G_i x_i' = dW/dy_i,   G_i y_i' = -dW/dx_i,   W = -(1 / 4 pi) sum_{i<j} G_i G_j ln |r_i - r_j|^2.
 *
 * The canonical variables are q_i = x_i and p_i = G_i y_i, with H = W.  H is degenerate: H is the same when all
 * vortices are shifted along y, so that H_pp G = 0 for the vector G of circulations, and velocities do not determine
 * momenta.  There is no Lagrangian L(q, v), nor a discrete one. */
#include "systems/point_vortices.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mech/hamiltonian.h"
#include "systems/types.h"

enum { CIRCULATIONS, X, Y, COUNT, MOST = 50 };

static const double PI = 3.14159265358979323846;

static const struct rill_parameter parameters[COUNT] = {
    [CIRCULATIONS] = {.name = "circulations",
                      .kind = RILL_PARAMETER_VECTOR,
                      .fallback = "1 2",
                      .least = -1e100,
                      .most = 1e100,
                      .help = "circulations of the vortices, not 0; their number is that of the vortices, up to 50"},
    [X] = {.name = "x",
           .kind = RILL_PARAMETER_VECTOR,
           .fallback = "1 -1",
           .least = -1e100,
           .most = 1e100,
           .help = "x of each vortex at the start"},
    [Y] = {.name = "y",
           .kind = RILL_PARAMETER_VECTOR,
           .fallback = "0 0",
           .least = -1e100,
           .most = 1e100,
           .help = "y of each vortex at the start"},
};

struct vortices {
  struct rill_hamiltonian hamiltonian;
  struct rill_state state, saved;
  size_t n;
  double circulation[MOST];
  double q[MOST], p[MOST], saved_q[MOST], saved_p[MOST];
};

void rill_two_vortices_at(const double g[2], double t, double x[2], double y[2]) {
  const double dx = x[1] - x[0], dy = y[1] - y[0], square = dx * dx + dy * dy, total = g[0] + g[1];
  if (total == 0) { /* the velocity of each is that by the other */
    const double speed = g[1] * t / (2 * PI * square);
    for (int i = 0; i < 2; i++) x[i] += speed * dy, y[i] -= speed * dx;
    return;
  }
  const double centre[2] = {(g[0] * x[0] + g[1] * x[1]) / total, (g[0] * y[0] + g[1] * y[1]) / total},
               angle = total * t / (2 * PI * square), c = cos(angle), s = sin(angle);
  for (int i = 0; i < 2; i++) {
    const double a = x[i] - centre[0], b = y[i] - centre[1];
    x[i] = centre[0] + c * a - s * b;
    y[i] = centre[1] + s * a + c * b;
  }
}

/* Adds the pair's term. With u = x_i - x_j, w = y_i - y_j and f = -(G_i G_j / 4 pi) ln(u^2 + w^2). */
static void add_pair(const struct vortices *v, size_t i, size_t j, const double *q, const double *p,
                     struct rill_hamiltonian_values *values) {
  const size_t n = v->n, at[2] = {i, j};
  const double gi = v->circulation[i], gj = v->circulation[j], u = q[i] - q[j], w = p[i] / gi - p[j] / gj,
               square = u * u + w * w, strength = -gi * gj / (2 * PI), fu = strength * u / square,
               fw = strength * w / square, fuu = strength * (w * w - u * u) / (square * square),
               fuw = -2 * strength * u * w / (square * square);
  const double by_q[2] = {1, -1}, by_p[2] = {1 / gi, -1 / gj};
  values->value += 0.5 * strength * log(square);
  for (int a = 0; values->dq != NULL && a < 2; a++) {
    values->dq[at[a]] += by_q[a] * fu;
    values->dp[at[a]] += by_p[a] * fw;
  }
  for (int a = 0; values->dqq != NULL && a < 2; a++)
    for (int b = 0; b < 2; b++) {
      values->dqq[at[a] * n + at[b]] += by_q[a] * by_q[b] * fuu;
      values->dqp[at[a] * n + at[b]] += by_q[a] * by_p[b] * fuw;
      values->dpp[at[a] * n + at[b]] -= by_p[a] * by_p[b] * fuu; /* f is harmonic: f_ww = -f_uu */
    }
}

static enum rill_status evaluate(void *self, const double *q, const double *p, struct rill_hamiltonian_values *values,
                                 struct rill_error *error) {
  const struct vortices *v = self;
  const size_t n = v->n;
  double *const firsts[] = {values->dq, values->dp}, *const seconds[] = {values->dqq, values->dqp, values->dpp};
  (void)error;
  values->value = 0;
  for (int k = 0; k < 2 && values->dq != NULL; k++) memset(firsts[k], 0, n * sizeof(double));
  for (int k = 0; k < 3 && values->dqq != NULL; k++) memset(seconds[k], 0, n * n * sizeof(double));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) add_pair(v, i, j, q, p, values);
  return RILL_OK;
}

/* --- the system --- */

static double degrees_of_freedom(const void *self) { return (double)((const struct vortices *)self)->n; }

static enum rill_status begin_step(void *self, uint64_t step, double h, struct rill_error *error) {
  (void)self, (void)step, (void)h, (void)error;
  return RILL_OK;
}

/* All of H is potential.  The momenta are the impulses of translations, (sum G y, -sum G x), and of rotations,
 * -(1/2) sum G (x^2 + y^2). */
static enum rill_status observe(void *self, struct rill_observation *observation, struct rill_error *error) {
  struct vortices *v = self;
  struct rill_hamiltonian_values values = {0};
  RILL_TRY(evaluate(v, v->q, v->p, &values, error));
  *observation = (struct rill_observation){.potential = values.value,
                                           .part = {NAN, NAN, NAN, NAN, NAN},
                                           .temperature = NAN,
                                           .temperature_half = NAN,
                                           .temperature_translation = NAN,
                                           .temperature_rotation = NAN,
                                           .temperature_half_translation = NAN,
                                           .temperature_half_rotation = NAN,
                                           .position_deviation_max = NAN,
                                           .position_deviation_rms = NAN,
                                           .velocity_deviation_max = NAN,
                                           .velocity_deviation_rms = NAN,
                                           .bond_deviation = NAN,
                                           .iterations = v->state.iterations};
  for (size_t i = 0; i < v->n; i++) {
    const double g = v->circulation[i];
    observation->momentum[0] += v->p[i];
    observation->momentum[1] -= g * v->q[i];
    observation->angular_momentum[2] -= 0.5 * (g * v->q[i] * v->q[i] + v->p[i] * v->p[i] / g);
  }
  return RILL_OK;
}

static void copy(const struct rill_state *from, struct rill_state *to) {
  memcpy(to->q, from->q, from->n * sizeof *to->q);
  memcpy(to->p, from->p, from->n * sizeof *to->p);
  to->residual = from->residual;
  to->iterations = from->iterations;
}

static void save(void *self) { copy(&((struct vortices *)self)->state, &((struct vortices *)self)->saved); }
static void restore(void *self) { copy(&((struct vortices *)self)->saved, &((struct vortices *)self)->state); }

static void archive_state(void *self, struct rill_archive *archive) {
  struct vortices *v = self;
  rill_archive_reals(archive, "q", v->q, v->n);
  rill_archive_reals(archive, "p", v->p, v->n);
  rill_archive_reals(archive, "residual", &v->state.residual, 1);
  rill_archive_count(archive, "iterations", &v->state.iterations);
}

static const struct rill_system_ops ops = {
    .name = "point-vortices",
    .summary = "point vortices in the plane",
    .degrees_of_freedom = degrees_of_freedom,
    .begin_step = begin_step,
    .observe = observe,
    .save = save,
    .restore = restore,
    .archive = archive_state,
    .destroy = rill_release,
};

static enum rill_status check(const struct rill_parameter_value *values, struct rill_error *error) {
  const double *g = values[CIRCULATIONS].number, *x = values[X].number, *y = values[Y].number;
  const size_t n = values[CIRCULATIONS].count;
  if (n < 2 || n > MOST)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "system point-vortices: circulations has %zu number%s; 2 to %d are expected, one of each "
                          "vortex",
                          n, n == 1 ? "" : "s", MOST);
  for (int k = X; k <= Y; k++)
    if (values[k].count != n)
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "system point-vortices: %s has %zu number%s, and circulations %zu: one of each vortex is "
                            "expected",
                            parameters[k].name, values[k].count, values[k].count == 1 ? "" : "s", n);
  for (size_t i = 0; i < n; i++) {
    if (g[i] == 0)
      return rill_error_set(
          error, RILL_ERROR_INPUT,
          "system point-vortices: the circulation of vortex %zu is 0; leave it out, or give another "
          "number",
          i + 1);
    for (size_t j = 0; j < i; j++)
      if (x[i] == x[j] && y[i] == y[j])
        return rill_error_set(error, RILL_ERROR_INPUT,
                              "system point-vortices: vortices %zu and %zu are at the same point; their velocities "
                              "would be infinite",
                              j + 1, i + 1);
  }
  return RILL_OK;
}

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  struct vortices *v;
  RILL_TRY(check(values, error));
  v = rill_allocate(1, sizeof *v);
  if (v == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for point vortices");
  v->n = values[CIRCULATIONS].count;
  memcpy(v->circulation, values[CIRCULATIONS].number, v->n * sizeof *v->circulation);
  for (size_t i = 0; i < v->n; i++) {
    v->q[i] = values[X].number[i];
    v->p[i] = v->circulation[i] * values[Y].number[i];
  }
  v->state = (struct rill_state){.n = v->n, .q = v->q, .p = v->p};
  v->saved = (struct rill_state){.n = v->n, .q = v->saved_q, .p = v->saved_p};
  v->hamiltonian = (struct rill_hamiltonian){.evaluate = evaluate, .n = v->n, .degenerate = true, .self = v};
  *system = (struct rill_system){.ops = &ops, .hamiltonian = &v->hamiltonian, .state = &v->state, .self = v};
  return RILL_OK;
}

const struct rill_system_type rill_system_point_vortices = {
    .name = "point-vortices",
    .summary = "point vortices in the plane, whose Hamiltonian is degenerate: q = x, p = circulation times y",
    .source = "Kirchhoff, Vorlesungen ueber mathematische Physik, lecture 20 (1876)",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

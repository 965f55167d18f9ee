#include "systems/linkage.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "systems/mechanical_system.h"

/* Two bars, possibly the same one, that share a particle; sign: the product of that particle's signs in the two. */
struct joint {
  size_t bar, other, particle;
  double sign;
};

struct linkage {
  size_t dimension, particles, bar_count, bend_count, joint_count;
  double gravity, stiffness2;
  bool penalised;
  double *mass; /* [particles] */
  struct rill_bar *bars;
  struct rill_bend *bends;
  struct joint *joints; /* both orders; for Dg W Dg^T */
};

/* r = q_i - q_j; the third component is 0 in the plane. */
static inline void bar_vector(const struct linkage *l, const struct rill_bar *bar, const double *q, double r[3]) {
  size_t d = l->dimension;
  const double *qi = q + (size_t)bar->i * d;
  r[0] = qi[0], r[1] = qi[1], r[2] = d == 3 ? qi[2] : 0;
  if (bar->j < 0) return;
  const double *qj = q + (size_t)bar->j * d;
  r[0] -= qj[0], r[1] -= qj[1];
  if (d == 3) r[2] -= qj[2];
}

static inline double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline double excess(const struct rill_bar *bar, const double r[3]) {
  return dot(r, r) - bar->length * bar->length;
}

/* out_i += scale r, out_j -= scale r. */
static inline void add_pair(const struct linkage *l, const struct rill_bar *bar, double scale, const double *r,
                            double *out) {
  size_t d = l->dimension;
  double *oi = out + (size_t)bar->i * d;
  for (size_t k = 0; k < d; k++) oi[k] += scale * r[k];
  if (bar->j < 0) return;
  double *oj = out + (size_t)bar->j * d;
  for (size_t k = 0; k < d; k++) oj[k] -= scale * r[k];
}

static double potential(const void *self, const double *q) {
  const struct linkage *l = self;
  size_t d = l->dimension;
  double r[3], sum = 0;
  for (size_t a = 0; a < l->particles; a++) sum += l->gravity * l->mass[a] * q[a * d + d - 1];
  for (size_t c = 0; l->penalised && c < l->bar_count; c++) {
    double g;
    bar_vector(l, &l->bars[c], q, r);
    g = excess(&l->bars[c], r);
    sum += 0.5 * l->stiffness2 * g * g;
  }
  for (size_t b = 0; b < l->bend_count; b++) sum += rill_bend_potential(&l->bends[b], d, q);
  return sum;
}

static void gradient(const void *self, const double *q, double *out) {
  const struct linkage *l = self;
  size_t d = l->dimension;
  for (size_t a = 0; a < l->particles; a++) {
    for (size_t k = 0; k + 1 < d; k++) out[a * d + k] = 0;
    out[a * d + d - 1] = l->gravity * l->mass[a];
  }
  for (size_t c = 0; l->penalised && c < l->bar_count; c++) {
    double r[3];
    bar_vector(l, &l->bars[c], q, r);
    add_pair(l, &l->bars[c], 2 * l->stiffness2 * excess(&l->bars[c], r), r, out);
  }
  for (size_t b = 0; b < l->bend_count; b++) rill_bend_add_gradient(&l->bends[b], d, q, out);
}

/* The 2x2 blocks K (x) [[1, -1], [-1, 1]] of a bar, K = outer r r^T + diagonal I. */
static void add_blocks(const struct linkage *l, const struct rill_bar *bar, double outer, double diagonal,
                       const double *r, struct rill_band *matrix) {
  size_t d = l->dimension, i = (size_t)bar->i * d, j = (size_t)bar->j * d;
  for (size_t a = 0; a < d; a++)
    for (size_t b = 0; b < d; b++) {
      double k = outer * r[a] * r[b] + (a == b ? diagonal : 0);
      *rill_band_at(matrix, i + a, i + b) += k;
      if (bar->j < 0) continue;
      *rill_band_at(matrix, j + a, j + b) += k;
      *rill_band_at(matrix, i + a, j + b) -= k;
      *rill_band_at(matrix, j + a, i + b) -= k;
    }
}

/* K = w^2 (4 r r^T + 2 g I); Gauss-Newton drops 2 g I.  Gravity has no second derivative. */
static void add_hessian(const void *self, enum rill_hessian_part part, double scale, const double *q,
                        struct rill_band *hessian) {
  const struct linkage *l = self;
  for (size_t c = 0; l->penalised && c < l->bar_count; c++) {
    double r[3], g;
    bar_vector(l, &l->bars[c], q, r);
    g = part == RILL_HESSIAN_GAUSS_NEWTON ? 0 : excess(&l->bars[c], r);
    add_blocks(l, &l->bars[c], 4 * scale * l->stiffness2, 2 * scale * l->stiffness2 * g, r, hessian);
  }
  for (size_t b = 0; part == RILL_HESSIAN_FULL && b < l->bend_count; b++)
    rill_bend_add_hessian(&l->bends[b], l->dimension, scale, q, hessian);
}

/* w^2 (4 |d|^2 r + 8 (r . d) d), d = a_i - a_j. */
static void third(const void *self, const double *q, const double *a, double *out) {
  const struct linkage *l = self;
  memset(out, 0, l->particles * l->dimension * sizeof *out);
  for (size_t c = 0; l->penalised && c < l->bar_count; c++) {
    double r[3], d[3];
    bar_vector(l, &l->bars[c], q, r);
    bar_vector(l, &l->bars[c], a, d);
    add_pair(l, &l->bars[c], 4 * l->stiffness2 * dot(d, d), r, out);
    add_pair(l, &l->bars[c], 8 * l->stiffness2 * dot(r, d), d, out);
  }
  for (size_t b = 0; b < l->bend_count; b++) rill_bend_add_third(&l->bends[b], l->dimension, q, a, out);
}

static void constraint(const void *self, const double *q, double *g) {
  const struct linkage *l = self;
  for (size_t c = 0; c < l->bar_count; c++) {
    double r[3];
    bar_vector(l, &l->bars[c], q, r);
    g[c] = excess(&l->bars[c], r);
  }
}

static void add_constraint_force(const void *self, const double *q, const double *multiplier, double *out) {
  const struct linkage *l = self;
  for (size_t c = 0; c < l->bar_count; c++) {
    double r[3];
    bar_vector(l, &l->bars[c], q, r);
    add_pair(l, &l->bars[c], 2 * multiplier[c], r, out);
  }
}

static void constraint_rate(const void *self, const double *q, const double *u, double *out) {
  const struct linkage *l = self;
  for (size_t c = 0; c < l->bar_count; c++) {
    double r[3], s[3];
    bar_vector(l, &l->bars[c], q, r);
    bar_vector(l, &l->bars[c], u, s);
    out[c] = 2 * dot(r, s);
  }
}

static void add_constraint_product(const void *self, const double *q, const double *weight, const double *q0,
                                   struct rill_band *product) {
  const struct linkage *l = self;
  size_t d = l->dimension;
  for (size_t k = 0; k < l->joint_count; k++) {
    const struct joint *joint = &l->joints[k];
    const double *w = weight + joint->particle * d;
    double r[3], r0[3], sum = 0;
    bar_vector(l, &l->bars[joint->bar], q, r);
    bar_vector(l, &l->bars[joint->other], q0, r0);
    for (size_t a = 0; a < d; a++) sum += w[a] * r[a] * r0[a];
    *rill_band_at(product, joint->bar, joint->other) += 4 * joint->sign * sum;
  }
}

/* Each joint is an entry 4 sign w r . r0 of the product, and the two orders of a pair of bars have equal parts in the
 * gradient of the trace. */
static void add_product_gradient(const void *self, const double *q, const double *weight, const struct rill_band *s,
                                 double scale, double *out) {
  const struct linkage *l = self;
  for (size_t k = 0; k < l->joint_count; k++) {
    const struct joint *joint = &l->joints[k];
    const double entry = *rill_band_at(s, joint->bar, joint->other);
    double r0[3];
    bar_vector(l, &l->bars[joint->other], q, r0);
    add_pair(l, &l->bars[joint->bar], 8 * scale * entry * joint->sign * weight[joint->particle * l->dimension], r0,
             out);
  }
}

static void add_constraint_hessian(const void *self, const double *multiplier, const double *q,
                                   struct rill_band *hessian) {
  const struct linkage *l = self;
  const double none[3] = {0};
  (void)q;
  for (size_t c = 0; c < l->bar_count; c++) add_blocks(l, &l->bars[c], 0, 2 * multiplier[c], none, hessian);
}

static void jacobian(const void *self, const double *q, double *out) {
  const struct linkage *l = self;
  size_t n = l->particles * l->dimension;
  memset(out, 0, l->bar_count * n * sizeof *out);
  for (size_t c = 0; c < l->bar_count; c++) {
    double r[3];
    bar_vector(l, &l->bars[c], q, r);
    add_pair(l, &l->bars[c], 2, r, out + c * n);
  }
}

static const struct rill_mechanical_ops constrained_ops = {
    .potential = potential,
    .gradient = gradient,
    .add_hessian = add_hessian,
    .third = third,
    .constraint = constraint,
    .add_constraint_force = add_constraint_force,
    .constraint_rate = constraint_rate,
    .add_constraint_product = add_constraint_product,
    .add_product_gradient = add_product_gradient,
    .add_constraint_hessian = add_constraint_hessian,
    .jacobian = jacobian,
};

static const struct rill_mechanical_ops penalised_ops = {
    .potential = potential, .gradient = gradient, .add_hessian = add_hessian, .third = third};

static void momenta(const void *self, const double *q, const double *p, double linear[3], double angular[3]) {
  const struct linkage *l = self;
  size_t d = l->dimension;
  for (int k = 0; k < 3; k++) linear[k] = angular[k] = 0;
  for (size_t a = 0; a < l->particles; a++) {
    double x[3] = {0}, y[3] = {0};
    for (size_t k = 0; k < d; k++) {
      x[k] = q[a * d + k];
      y[k] = p[a * d + k];
      linear[k] += y[k];
    }
    angular[0] += x[1] * y[2] - x[2] * y[1];
    angular[1] += x[2] * y[0] - x[0] * y[2];
    angular[2] += x[0] * y[1] - x[1] * y[0];
  }
}

/* For penalised bars: g and Dg v, and the deviations of their lengths. */
static void deviations(const void *self, const double *q, const double *v, struct rill_observation *observation) {
  const struct linkage *l = self;
  double positions = 0, velocities = 0;
  observation->bond_deviation = 0;
  for (size_t c = 0; c < l->bar_count; c++) {
    double r[3], s[3], g, rate, length = l->bars[c].length;
    bar_vector(l, &l->bars[c], q, r);
    bar_vector(l, &l->bars[c], v, s);
    g = excess(&l->bars[c], r);
    rate = 2 * dot(r, s);
    if (length > 0)
      observation->bond_deviation = fmax(observation->bond_deviation, fabs(sqrt(dot(r, r)) - length) / length);
    observation->position_deviation_max = fmax(observation->position_deviation_max, fabs(g));
    observation->velocity_deviation_max = fmax(observation->velocity_deviation_max, fabs(rate));
    positions += g * g;
    velocities += rate * rate;
  }
  observation->position_deviation_rms = sqrt(positions / (double)l->bar_count);
  observation->velocity_deviation_rms = sqrt(velocities / (double)l->bar_count);
}

/* For penalised bars: -w^2 (g(q) + Dg(q) u). */
static void multipliers(const void *self, const double *q, const double *u, double *multiplier) {
  const struct linkage *l = self;
  for (size_t c = 0; c < l->bar_count; c++) {
    double r[3], s[3];
    bar_vector(l, &l->bars[c], q, r);
    bar_vector(l, &l->bars[c], u, s);
    multiplier[c] = -l->stiffness2 * (excess(&l->bars[c], r) + 2 * dot(r, s));
  }
}

static void destroy(void *self) {
  struct linkage *l = self;
  if (l == NULL) return;
  rill_release(l->mass);
  rill_release(l->bars);
  rill_release(l->bends);
  rill_release(l->joints);
  rill_release(l);
}

/* The particle's sign in the bar: +1, -1 or 0. */
static double sign_in(const struct rill_bar *bar, int particle) {
  return particle < 0 ? 0 : bar->i == particle ? 1 : bar->j == particle ? -1 : 0;
}

static void find_joints(struct linkage *l, size_t bar, size_t other, bool store) {
  const int ends[2] = {l->bars[bar].i, l->bars[bar].j};
  for (int e = 0; e < 2; e++) {
    double sign = sign_in(&l->bars[bar], ends[e]) * sign_in(&l->bars[other], ends[e]);
    if (sign == 0) continue;
    if (store) l->joints[l->joint_count] = (struct joint){bar, other, (size_t)ends[e], sign};
    l->joint_count++;
  }
}

static size_t distance(size_t a, size_t b) { return a > b ? a - b : b - a; }

/* Bars that share a particle are searched for within `span` of each other in the list, so that the cost is linear for
 * a chain. */
static enum rill_status join(struct linkage *l, size_t *bandwidth, size_t *reach, struct rill_error *error) {
  size_t *first = rill_allocate(l->particles, sizeof *first), *last = rill_allocate(l->particles, sizeof *last);
  size_t span = 0, d = l->dimension, widest = 0;
  enum rill_status status = RILL_OK;
  if (first == NULL || last == NULL) goto memory;
  for (size_t c = l->bar_count; c-- > 0;) {
    first[l->bars[c].i] = c;
    if (l->bars[c].j >= 0) first[l->bars[c].j] = c;
  }
  for (size_t c = 0; c < l->bar_count; c++) {
    last[l->bars[c].i] = c;
    if (l->bars[c].j < 0) continue;
    last[l->bars[c].j] = c;
    if (distance((size_t)l->bars[c].i, (size_t)l->bars[c].j) > widest)
      widest = distance((size_t)l->bars[c].i, (size_t)l->bars[c].j);
  }
  for (size_t b = 0; b < l->bend_count; b++)
    if (distance(l->bends[b].i, l->bends[b].k) > widest) widest = distance(l->bends[b].i, l->bends[b].k);
  for (size_t a = 0; a < l->particles; a++)
    if (last[a] - first[a] > span) span = last[a] - first[a];
  for (int store = 0; store < 2; store++) {
    if (store && (l->joints = rill_allocate(l->joint_count, sizeof *l->joints)) == NULL) goto memory;
    l->joint_count = 0;
    for (size_t c = 0; c < l->bar_count; c++)
      for (size_t e = c > span ? c - span : 0; e <= c + span && e < l->bar_count; e++) find_joints(l, c, e, store);
  }
  *reach = span;
  *bandwidth = d * (widest + 1) - 1;
  goto done;
memory:
  status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a linkage of %zu particles", l->particles);
done:
  rill_release(first);
  rill_release(last);
  return status;
}

/* Rigid rods in space, the first from the origin, each of the others from the end of the one before. */
static bool rods_in_a_row(const struct rill_linkage *linkage) {
  if (linkage->dimension != 3 || linkage->penalised || linkage->bar_count != linkage->particles) return false;
  for (int a = 0; a < (int)linkage->bar_count; a++)
    if (linkage->bars[a].i != a || linkage->bars[a].j != (a == 0 ? RILL_LINKAGE_ORIGIN : a - 1)) return false;
  return linkage->bar_count <= RILL_SPHERES_MOST;
}

enum rill_status rill_linkage_create(const struct rill_linkage *linkage, struct rill_system *system,
                                     struct rill_error *error) {
  size_t d = linkage->dimension, n = linkage->particles * d;
  struct linkage *l = rill_allocate(1, sizeof *l);
  double *mass = rill_allocate(n, sizeof *mass);
  struct rill_mechanical_model model = {
      .name = linkage->name,
      .summary = linkage->summary,
      .ops = linkage->penalised ? &penalised_ops : &constrained_ops,
      .n = n,
      .m = linkage->penalised ? 0 : linkage->bar_count,
      .stiff = linkage->penalised,
      .constant_measure = linkage->bar_count == 1,
      .mass = mass,
      .q = linkage->q,
      .v = linkage->v,
      .self = l,
      .destroy = destroy,
      .momenta = momenta,
      .deviations = linkage->penalised ? deviations : NULL,
      .multipliers = linkage->penalised ? multipliers : NULL,
      .penalties = linkage->penalised ? linkage->bar_count : 0,
  };
  enum rill_status status;
  if (l == NULL || mass == NULL) goto memory;
  if (rods_in_a_row(linkage)) {
    model.spheres = linkage->bar_count;
    for (size_t a = 0; a < linkage->bar_count; a++) model.radius[a] = linkage->bars[a].length;
  }
  *l = (struct linkage){.dimension = d,
                        .particles = linkage->particles,
                        .bar_count = linkage->bar_count,
                        .bend_count = linkage->bend_count,
                        .gravity = linkage->gravity,
                        .stiffness2 = linkage->stiffness * linkage->stiffness,
                        .penalised = linkage->penalised};
  l->mass = rill_allocate(l->particles, sizeof *l->mass);
  l->bars = rill_allocate(l->bar_count, sizeof *l->bars);
  l->bends = rill_allocate(l->bend_count, sizeof *l->bends);
  if (l->mass == NULL || l->bars == NULL || l->bends == NULL) goto memory;
  if (l->bend_count > 0) memcpy(l->bends, linkage->bends, l->bend_count * sizeof *l->bends);
  memcpy(l->mass, linkage->mass, l->particles * sizeof *l->mass);
  memcpy(l->bars, linkage->bars, l->bar_count * sizeof *l->bars);
  for (size_t i = 0; i < n; i++) mass[i] = linkage->mass[i / d];
  status = join(l, &model.bandwidth, &model.reach, error);
  if (status != RILL_OK) {
    destroy(l);
    goto done;
  }
  status = rill_mechanical_system_create(&model, system, error);
  goto done;
memory:
  destroy(l);
  status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a linkage of %zu particles", linkage->particles);
done:
  rill_release(mass);
  return status;
}

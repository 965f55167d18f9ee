/* Waters as a small system, in plain loops of their own: a dense separable Lagrangian with constraints, or with their
 * penalty.  Coordinates [molecules][3][3], nm, ps, u. */
#ifndef RILL_TESTS_BRIDGE_TWO_WATERS_H
#define RILL_TESTS_BRIDGE_TWO_WATERS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "systems/mechanical_system.h"
#include "water/model/model.h"

struct waters {
  struct rill_water_model model;
  size_t molecules, n;
  double stiffness2; /* w^2; 0: constraints */
};

static const size_t bond_ends[3][2] = {{0, 1}, {0, 2}, {1, 2}};

/* Bond c of all: its atoms' first coordinates and vector; returns g. */
static double bond_at(const struct waters *w, size_t c, const double *q, size_t *first, size_t *second, double r[3]) {
  double g = -w->model.bond[c % 3] * w->model.bond[c % 3];
  *first = 9 * (c / 3) + 3 * bond_ends[c % 3][0];
  *second = 9 * (c / 3) + 3 * bond_ends[c % 3][1];
  for (size_t k = 0; k < 3; k++) {
    r[k] = q[*second + k] - q[*first + k];
    g += r[k] * r[k];
  }
  return g;
}

/* Of a pair of sites: phi, phi'/r and (1/r) (phi'/r)'. */
static void pair_at(const struct waters *w, size_t a, size_t b, double r, double phi[3]) {
  double k = w->model.coulomb_constant * w->model.charge[a] * w->model.charge[b];
  phi[0] = k / r;
  phi[1] = -k / pow(r, 3);
  phi[2] = 3 * k / pow(r, 5);
  if (a != 0 || b != 0) return;
  phi[0] += w->model.c12 / pow(r, 12) - w->model.c6 / pow(r, 6);
  phi[1] += -12 * w->model.c12 / pow(r, 14) + 6 * w->model.c6 / pow(r, 8);
  phi[2] += 168 * w->model.c12 / pow(r, 16) - 48 * w->model.c6 / pow(r, 10);
}

/* Energy of the pairs, their gradient added, and scale times their Hessian; the last two may be NULL. */
static double add_pairs(const struct waters *w, const double *q, double *gradient, double scale,
                        struct rill_band *hessian) {
  double energy = 0;
  for (size_t i = 0; i < w->n / 3; i++)
    for (size_t j = 0; j < i / 3 * 3; j++) {
      double d[3], phi[3], r = 0;
      for (size_t k = 0; k < 3; k++) {
        d[k] = q[3 * i + k] - q[3 * j + k];
        r += d[k] * d[k];
      }
      r = sqrt(r);
      pair_at(w, i % 3, j % 3, r, phi);
      energy += phi[0];
      for (size_t k = 0; k < 3; k++) {
        if (gradient != NULL) {
          gradient[3 * i + k] += phi[1] * d[k];
          gradient[3 * j + k] -= phi[1] * d[k];
        }
        for (size_t l = 0; hessian != NULL && l < 3; l++) {
          double h = scale * (phi[2] * d[k] * d[l] + (k == l ? phi[1] : 0));
          *rill_band_at(hessian, 3 * i + k, 3 * i + l) += h;
          *rill_band_at(hessian, 3 * j + k, 3 * j + l) += h;
          *rill_band_at(hessian, 3 * i + k, 3 * j + l) -= h;
          *rill_band_at(hessian, 3 * j + k, 3 * i + l) -= h;
        }
      }
    }
  return energy;
}

static double waters_potential(const void *self, const double *q) {
  const struct waters *w = self;
  double energy = add_pairs(w, q, NULL, 0, NULL), r[3];
  size_t first, second;
  for (size_t c = 0; c < 3 * w->molecules; c++)
    energy += 0.5 * w->stiffness2 * pow(bond_at(w, c, q, &first, &second, r), 2);
  return energy;
}

static void waters_add_force(const void *self, const double *q, const double *multiplier, double *out) {
  const struct waters *w = self;
  for (size_t c = 0; c < 3 * w->molecules; c++) {
    size_t first, second;
    double r[3];
    (void)bond_at(w, c, q, &first, &second, r);
    for (size_t k = 0; k < 3; k++) {
      out[first + k] -= 2 * multiplier[c] * r[k];
      out[second + k] += 2 * multiplier[c] * r[k];
    }
  }
}

static void waters_constraint(const void *self, const double *q, double *g) {
  const struct waters *w = self;
  for (size_t c = 0; c < 3 * w->molecules; c++) {
    size_t first, second;
    double r[3];
    g[c] = bond_at(w, c, q, &first, &second, r);
  }
}

static void waters_gradient(const void *self, const double *q, double *gradient) {
  const struct waters *w = self;
  double g[12];
  memset(gradient, 0, w->n * sizeof *gradient);
  (void)add_pairs(w, q, gradient, 0, NULL);
  waters_constraint(w, q, g);
  for (size_t c = 0; c < 3 * w->molecules; c++) g[c] *= w->stiffness2;
  waters_add_force(w, q, g, gradient);
}

/* scale (sum_c outer_c 4 r r^T + inner_c 2 I) in the pattern of the bond */
static void add_bonds(const struct waters *w, const double *q, const double *outer, const double *inner,
                      struct rill_band *hessian) {
  for (size_t c = 0; c < 3 * w->molecules; c++) {
    size_t first, second;
    double r[3];
    (void)bond_at(w, c, q, &first, &second, r);
    for (size_t k = 0; k < 3; k++)
      for (size_t l = 0; l < 3; l++) {
        double h = 4 * outer[c] * r[k] * r[l] + (k == l ? 2 * inner[c] : 0);
        *rill_band_at(hessian, first + k, first + l) += h;
        *rill_band_at(hessian, second + k, second + l) += h;
        *rill_band_at(hessian, first + k, second + l) -= h;
        *rill_band_at(hessian, second + k, first + l) -= h;
      }
  }
}

static void waters_add_hessian(const void *self, enum rill_hessian_part part, double scale, const double *q,
                               struct rill_band *hessian) {
  const struct waters *w = self;
  double outer[12], inner[12];
  if (part == RILL_HESSIAN_FULL) (void)add_pairs(w, q, NULL, scale, hessian);
  waters_constraint(w, q, inner);
  for (size_t c = 0; c < 3 * w->molecules; c++) {
    outer[c] = scale * w->stiffness2;
    inner[c] *= part == RILL_HESSIAN_GAUSS_NEWTON ? 0 : scale * w->stiffness2;
  }
  add_bonds(w, q, outer, inner, hessian);
}

static void waters_add_constraint_hessian(const void *self, const double *multiplier, const double *q,
                                          struct rill_band *hessian) {
  static const double none[12] = {0};
  add_bonds(self, q, none, multiplier, hessian);
}

static void waters_jacobian(const void *self, const double *q, double *jacobian) {
  const struct waters *w = self;
  memset(jacobian, 0, 3 * w->molecules * w->n * sizeof *jacobian);
  for (size_t c = 0; c < 3 * w->molecules; c++) {
    size_t first, second;
    double r[3];
    (void)bond_at(w, c, q, &first, &second, r);
    for (size_t k = 0; k < 3; k++) {
      jacobian[c * w->n + first + k] = -2 * r[k];
      jacobian[c * w->n + second + k] = 2 * r[k];
    }
  }
}

static void waters_rate(const void *self, const double *q, const double *u, double *out) {
  const struct waters *w = self;
  double jacobian[12 * 36];
  waters_jacobian(w, q, jacobian);
  for (size_t c = 0; c < 3 * w->molecules; c++) {
    out[c] = 0;
    for (size_t i = 0; i < w->n; i++) out[c] += jacobian[c * w->n + i] * u[i];
  }
}

static void waters_product(const void *self, const double *q, const double *weight, const double *q0,
                           struct rill_band *product) {
  const struct waters *w = self;
  double here[12 * 36], there[12 * 36];
  waters_jacobian(w, q, here);
  waters_jacobian(w, q0, there);
  for (size_t c = 0; c < 3 * w->molecules; c++)
    for (size_t e = 0; e < 3 * w->molecules; e++)
      for (size_t i = 0; i < w->n; i++)
        *rill_band_at(product, c, e) += here[c * w->n + i] * weight[i] * there[e * w->n + i];
}

static const struct rill_mechanical_ops constrained_waters = {
    .potential = waters_potential,
    .gradient = waters_gradient,
    .add_hessian = waters_add_hessian,
    .constraint = waters_constraint,
    .add_constraint_force = waters_add_force,
    .constraint_rate = waters_rate,
    .add_constraint_product = waters_product,
    .add_constraint_hessian = waters_add_constraint_hessian,
    .jacobian = waters_jacobian,
};
static const struct rill_mechanical_ops penalised_waters = {
    .potential = waters_potential, .gradient = waters_gradient, .add_hessian = waters_add_hessian};

/* stiffness 0: constrained. */
static inline enum rill_status waters_create(const struct rill_water_model *model, size_t molecules, double stiffness,
                                             const double *q, const double *v, struct rill_system *system,
                                             struct rill_error *error) {
  struct waters *w = malloc(sizeof *w);
  double mass[36];
  *w = (struct waters){*model, molecules, 9 * molecules, stiffness * stiffness};
  for (size_t i = 0; i < w->n; i++) mass[i] = model->mass[i / 3 % 3];
  return rill_mechanical_system_create(
      &(struct rill_mechanical_model){.name = "waters",
                                      .summary = "waters in plain loops",
                                      .ops = stiffness > 0 ? &penalised_waters : &constrained_waters,
                                      .n = w->n,
                                      .m = stiffness > 0 ? 0 : 3 * molecules,
                                      .bandwidth = w->n - 1,
                                      .reach = 3 * molecules - 1,
                                      .stiff = stiffness > 0,
                                      .mass = mass,
                                      .q = q,
                                      .v = v,
                                      .self = w,
                                      .destroy = free},
      system, error);
}

#endif

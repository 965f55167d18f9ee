#include "systems/heat_bath.h"

#include <math.h>

#include "mech/system.h"

/* ---- the flow ---- */

void rill_heat_bath_begin_step(struct rill_heat_bath *bath, uint64_t step) {
  const double *t = bath->bath.temperature;
  if (t[0] != t[1]) bath->temperature = t[0] + (t[1] - t[0]) * ((double)(step + 1) / (double)bath->bath.steps);
}

struct rill_heat_bath_coefficients rill_heat_bath_coefficients(const struct rill_heat_bath *bath, double mass,
                                                               double h) {
  const double rate = bath->bath.law == RILL_FRICTION_PER_MASS ? bath->bath.friction / mass : bath->bath.friction;
  return (struct rill_heat_bath_coefficients){exp(-rate * h), sqrt(-expm1(-2 * rate * h) * bath->temperature)};
}

enum { TOGETHER = 4 }; /* normal numbers of one counter */

void rill_heat_bath_noise(const struct rill_heat_bath *bath, uint64_t step, uint32_t use, double *xi, size_t count) {
  for (size_t i = 0; i < count; i += TOGETHER) {
    double z[TOGETHER];
    rill_noise_normal(&bath->noise, step, (uint32_t)(i / TOGETHER), use, z);
    for (size_t k = 0; k < TOGETHER && i + k < count; k++) xi[i + k] = z[k];
  }
}

void rill_heat_bath_flow(struct rill_heat_bath *bath, double h, uint64_t step, uint32_t use) {
  struct rill_heat_bath_coefficients of_mass = {0};
  for (size_t i = 0; i < bath->n; i += TOGETHER) {
    double z[TOGETHER];
    rill_noise_normal(&bath->noise, step, (uint32_t)(i / TOGETHER), use, z);
    for (size_t k = i; k < i + TOGETHER && k < bath->n; k++) {
      if (k == 0 || bath->mass[k] != bath->mass[k - 1]) of_mass = rill_heat_bath_coefficients(bath, bath->mass[k], h);
      bath->p[k] = of_mass.decay * bath->p[k] + of_mass.amplitude * sqrt(bath->mass[k]) * z[k - i];
    }
  }
}

double rill_heat_bath_kinetic_temperature(const struct rill_heat_bath *bath, double kinetic, double freedom) {
  return bath->on && freedom > 0 ? 2 * kinetic / freedom : NAN;
}

/* ---- the thermal capability ---- */

static double temperature(const void *self) { return ((const struct rill_heat_bath *)self)->temperature; }

static void set_temperature(void *self, double temperature) {
  struct rill_heat_bath *bath = self;
  bath->bath.temperature[0] = bath->bath.temperature[1] = bath->temperature = temperature;
}

static void scale_velocities(void *self, double factor) {
  struct rill_heat_bath *bath = self;
  for (size_t i = 0; i < bath->n; i++) bath->p[i] *= factor;
}

static enum rill_status couple(void *self, const struct rill_bath *bath, struct rill_error *error) {
  struct rill_heat_bath *own = self;
  if (bath->law == RILL_FRICTION_PER_MASS && own->mass == NULL)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "system %s: its masses depend on the positions, and friction by gamma has no exact flow "
                          "there; a rate has one",
                          own->system);
  own->bath = *bath;
  own->on = true;
  own->temperature = bath->temperature[0];
  own->noise = rill_noise_create(bath->seed, RILL_STREAM_THERMOSTAT);
  return RILL_OK;
}

static void rates(const void *self, double *least, double *most) {
  const struct rill_heat_bath *own = self;
  *least = *most = own->bath.friction;
  if (own->bath.law != RILL_FRICTION_PER_MASS) return;
  *least = INFINITY;
  *most = 0;
  for (size_t i = 0; i < own->n; i++) {
    *least = fmin(*least, own->bath.friction / own->mass[i]);
    *most = fmax(*most, own->bath.friction / own->mass[i]);
  }
}

const struct rill_thermal_ops rill_heat_bath_thermal = {.boltzmann = 1,
                                                        .temperature = temperature,
                                                        .set_temperature = set_temperature,
                                                        .scale_velocities = scale_velocities,
                                                        .couple = couple,
                                                        .rates = rates};

/* The types of small systems: what each offers with its parameters, and one line each; registry.c lists them. */
#ifndef RILL_SYSTEMS_TYPES_H
#define RILL_SYSTEMS_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "mech/system.h"

enum rill_parameter_kind { RILL_PARAMETER_NUMBER, RILL_PARAMETER_COUNT, RILL_PARAMETER_VECTOR, RILL_PARAMETER_WORD };
enum { RILL_PARAMETER_LENGTH = 64, RILL_PARAMETERS = 24 };

struct rill_parameter {
  const char *name; /* the deck's key in [system] (or in [penalty]: stiffness) */
  enum rill_parameter_kind kind;
  size_t length;                /* of a vector: number of components */
  const char *fallback;         /* the default as deck text; the paper's value */
  const char *unit;             /* SI systems: m, s, kg, m/s, 1/s, ... ; NULL: a pure number */
  bool unit_optional;           /* a pure number is accepted too, in that unit */
  double least, most;           /* inclusive range of every number; least > most: no range */
  const char *const *words;     /* of a word: the choices, NULL-ended */
  const char *with, *with_word; /* only used if this other parameter has this word; NULL: always */
  const char *help;
};

/* A parsed value; numbers in SI or dimensionless. */
struct rill_parameter_value {
  bool given; /* in the deck; if false, the default */
  double number[RILL_PARAMETER_LENGTH];
  size_t count; /* numbers there are; a COUNT's value is number[0] */
  int word;
};

struct rill_system_type {
  const char *name;                            /* the deck's system.kind, such as double-spherical-pendulum */
  const char *summary, *source;                /* a sentence; paper and equation */
  bool si;                                     /* SI units; otherwise dimensionless */
  const char *coordinate_unit, *momentum_unit; /* of q and p in SI units; NULL: pure numbers */
  const struct rill_parameter *parameters;
  size_t parameter_count;
  /* values: [parameter_count].  The system owns copies of everything. */
  enum rill_status (*create)(const struct rill_parameter_value *values, struct rill_system *system,
                             struct rill_error *error);
};

extern const struct rill_system_type rill_system_planar_pendulum;
extern const struct rill_system_type rill_system_spherical_pendulum;
extern const struct rill_system_type rill_system_double_spherical_pendulum;
extern const struct rill_system_type rill_system_double_pendulum;
extern const struct rill_system_type rill_system_pendulum_chain;
extern const struct rill_system_type rill_system_dna;
extern const struct rill_system_type rill_system_harmonic_oscillator;
extern const struct rill_system_type rill_system_simple_pendulum;
extern const struct rill_system_type rill_system_rigid_body;
extern const struct rill_system_type rill_system_spherical_pendulum_angles;
extern const struct rill_system_type rill_system_double_pendulum_angles;
extern const struct rill_system_type rill_system_magnetic_rigid_body;
extern const struct rill_system_type rill_system_free_body;
extern const struct rill_system_type rill_system_pendulum_3d;
extern const struct rill_system_type rill_system_quartic_body;
extern const struct rill_system_type rill_system_ellipsoid_particle;

#endif

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

/* All types, in the order in which they are listed: rill_system_NAME. */
/* clang-format off */
#define RILL_SYSTEM_TYPES(X)                                                                                         \
  X(planar_pendulum)                                                                                                 \
  X(spherical_pendulum)                                                                                              \
  X(double_spherical_pendulum)                                                                                       \
  X(double_pendulum)                                                                                                 \
  X(pendulum_chain)                                                                                                  \
  X(planar_triatomic)                                                                                                \
  X(dna)                                                                                                             \
  X(harmonic_oscillator)                                                                                             \
  X(simple_pendulum)                                                                                                 \
  X(rigid_body)                                                                                                      \
  X(spherical_pendulum_angles)                                                                                       \
  X(double_pendulum_angles)                                                                                          \
  X(magnetic_rigid_body)                                                                                             \
  X(free_body)                                                                                                       \
  X(pendulum_3d)                                                                                                     \
  X(quartic_body)                                                                                                    \
  X(ellipsoid_particle)                                                                                              \
  X(rolling_disk)                                                                                                    \
  X(chaplygin_sleigh)                                                                                                \
  X(nonholonomic_particle)                                                                                           \
  X(kepler)                                                                                                          \
  X(point_vortices)
/* clang-format on */

#define RILL_SYSTEM_TYPE_DECLARATION(name) extern const struct rill_system_type rill_system_##name;
RILL_SYSTEM_TYPES(RILL_SYSTEM_TYPE_DECLARATION)

#endif

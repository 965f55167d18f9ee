/* A triatomic molecule, free in the plane: two bonds that share the middle mass, as rods or as stiff springs.
 *
 * It is the standard example of what rods sample in a heat bath, and what stiff springs do (fixman.h): van Kampen &
 * Lodder, Am. J. Phys. 52, 419 (1984); Frenkel & Smit, Understanding Molecular Simulation, 2nd ed., section 11.2.1.
 * With masses m and the angle a between the bonds, rods have the law
 *   ((1/m_1 + 1/m_2) (1/m_2 + 1/m_3) - cos^2 a / m_2^2)^(1/2) da,
 * and springs da.  A light middle mass makes the difference large. */
#include <math.h>

#include "systems/linkage.h"
#include "systems/types.h"

static const char *const formulations[] = {"constrained", "penalised", NULL};

enum { MASSES, LENGTHS, ANGLE, RATES, BENDING, BENDING_ANGLE, FORMULATION, STIFFNESS, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [MASSES] = {.name = "masses",
                .kind = RILL_PARAMETER_VECTOR,
                .length = 3,
                .fallback = "16 1 16",
                .least = 1e-150,
                .most = 1e150,
                .help = "masses; the second is the middle one"},
    [LENGTHS] = {.name = "lengths",
                 .kind = RILL_PARAMETER_VECTOR,
                 .length = 2,
                 .fallback = "1 1",
                 .least = 1e-75,
                 .most = 1e75,
                 .help = "lengths of the bonds"},
    [ANGLE] = {.name = "angle",
               .fallback = "1.5707963267948966",
               .least = 1,
               .most = 0,
               .help = "initial angle between the bonds"},
    [RATES] = {.name = "rates",
               .kind = RILL_PARAMETER_VECTOR,
               .length = 2,
               .fallback = "1 -1",
               .least = 1,
               .most = 0,
               .help = "initial angular velocities of the bonds; the total momentum is 0"},
    [BENDING] = {.name = "bending",
                 .fallback = "0",
                 .least = 0,
                 .most = 1e150,
                 .help = "k of the potential (k/2) (cos a - cos a0)^2 of the angle a, with r1.r2/(L1 L2) for cos a"},
    [BENDING_ANGLE] = {.name = "bending_angle",
                       .fallback = "1.5707963267948966",
                       .least = 1,
                       .most = 0,
                       .help = "a0 of that potential"},
    [FORMULATION] = {.name = "formulation",
                     .kind = RILL_PARAMETER_WORD,
                     .fallback = "constrained",
                     .words = formulations,
                     .help = "bonds as constraints, or as the penalty (w^2/2) sum (|r|^2 - L^2)^2"},
    [STIFFNESS] = {.name = "stiffness",
                   .with = "formulation",
                   .with_word = "penalised",
                   .fallback = "20",
                   .least = 0,
                   .most = 1e150,
                   .help = "w of the penalty"},
};

/* Subtracts the mean over the masses from three vectors in the plane. */
static void remove_mean(const double mass[3], double x[6]) {
  for (int k = 0; k < 2; k++) {
    const double mean = (mass[0] * x[k] + mass[1] * x[2 + k] + mass[2] * x[4 + k]) / (mass[0] + mass[1] + mass[2]);
    for (int a = 0; a < 3; a++) x[2 * a + k] -= mean;
  }
}

/* The bonds open downward, symmetrically about the vertical axis. */
static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  const double *mass = values[MASSES].number, *length = values[LENGTHS].number, *rate = values[RATES].number;
  const double half = 0.5 * values[ANGLE].number[0];
  const struct rill_bar bars[2] = {{0, 1, length[0]}, {2, 1, length[1]}};
  const struct rill_bend bend = {.i = 0,
                                 .j = 1,
                                 .k = 2,
                                 .lengths = length[0] * length[1],
                                 .stiffness = values[BENDING].number[0],
                                 .cosine = cos(values[BENDING_ANGLE].number[0])};
  double q[6] = {-length[0] * sin(half), -length[0] * cos(half), 0, 0, length[1] * sin(half), -length[1] * cos(half)};
  double v[6] = {-rate[0] * q[1], rate[0] * q[0], 0, 0, -rate[1] * q[5], rate[1] * q[4]};
  remove_mean(mass, q);
  remove_mean(mass, v);
  return rill_linkage_create(
      &(struct rill_linkage){
          .name = rill_system_planar_triatomic.name,
          .summary = rill_system_planar_triatomic.summary,
          .dimension = 2,
          .particles = 3,
          .mass = mass,
          .bar_count = 2,
          .bars = bars,
          .bend_count = bend.stiffness > 0 ? 1 : 0,
          .bends = &bend,
          .penalised = values[FORMULATION].word == 1,
          .stiffness = values[STIFFNESS].number[0],
          .q = q,
          .v = v,
      },
      system, error);
}

const struct rill_system_type rill_system_planar_triatomic = {
    .name = "planar-triatomic",
    .summary = "three masses free in the plane, joined by two bonds, constrained or penalised",
    .source = "van Kampen & Lodder, Am. J. Phys. 52, 419 (1984)",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

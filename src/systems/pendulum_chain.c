/* A chain of n pendula in the plane: Tao & Owhadi 2016, section 4.2; the chain starts straight, mass i at i times
 * `spacing`.
 *
 * Gravity pulls along -y; the printed potential has the other sign, with which the motion is chaotic and no two
 * methods agree for long. */
#include <math.h>

#include "base/memory.h"
#include "systems/linkage.h"
#include "systems/types.h"

static const char *const formulations[] = {"constrained", "penalised", NULL};

enum { SIZE, MASS, GRAVITY, SPACING, RATE, FORMULATION, STIFFNESS, COUNT };

static const struct rill_parameter parameters[COUNT] = {
    [SIZE] = {.name = "count",
              .kind = RILL_PARAMETER_COUNT,
              .fallback = "10",
              .least = 1,
              .most = 1e7,
              .help = "number of pendula"},
    [MASS] = {.name = "mass", .fallback = "1", .least = 1e-300, .most = 1e300, .help = "of each point"},
    [GRAVITY] = {.name = "gravity", .fallback = "1", .least = 1, .most = 0, .help = "gravity, downward (along -y)"},
    [SPACING] = {.name = "spacing",
                 .kind = RILL_PARAMETER_VECTOR,
                 .length = 2,
                 .fallback = "1 -2",
                 .least = 1,
                 .most = 0,
                 .help = "from one point to the next at the start; its length is that of every rod"},
    [RATE] = {.name = "rate",
              .fallback = "0",
              .least = 1,
              .most = 0,
              .help = "initial angular velocity of the straight chain about its support"},
    [FORMULATION] = {.name = "formulation",
                     .kind = RILL_PARAMETER_WORD,
                     .fallback = "constrained",
                     .words = formulations,
                     .help = "rods as constraints, or as the penalty (w^2/2) sum (|r|^2 - L^2)^2"},
    [STIFFNESS] = {.name = "stiffness",
                   .with = "formulation",
                   .with_word = "penalised",
                   .fallback = "20",
                   .least = 0,
                   .most = 1e150,
                   .help = "w of the penalty"},
};

static enum rill_status create(const struct rill_parameter_value *values, struct rill_system *system,
                               struct rill_error *error) {
  size_t count = (size_t)values[SIZE].number[0];
  const double *spacing = values[SPACING].number, rate = values[RATE].number[0];
  double *mass = rill_allocate(count, sizeof *mass), *q = rill_allocate(2 * count, sizeof *q),
         *v = rill_allocate(2 * count, sizeof *v);
  struct rill_bar *bars = rill_allocate(count, sizeof *bars);
  enum rill_status status;
  if (!(hypot(spacing[0], spacing[1]) >= 1e-150)) {
    status = rill_error_set(error, RILL_ERROR_INPUT,
                            "system %s: spacing is the vector of a rod, whose length may not be 0",
                            rill_system_pendulum_chain.name);
    goto done;
  }
  if (mass == NULL || q == NULL || v == NULL || bars == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a chain of %zu pendula", count);
    goto done;
  }
  for (size_t i = 0; i < count; i++) {
    double x = (double)(i + 1) * spacing[0], y = (double)(i + 1) * spacing[1];
    mass[i] = values[MASS].number[0];
    q[2 * i] = x;
    q[2 * i + 1] = y;
    v[2 * i] = -rate * y;
    v[2 * i + 1] = rate * x;
    bars[i] = (struct rill_bar){(int)i, (int)i - 1, hypot(spacing[0], spacing[1])};
  }
  status = rill_linkage_create(
      &(struct rill_linkage){
          .name = rill_system_pendulum_chain.name,
          .summary = rill_system_pendulum_chain.summary,
          .dimension = 2,
          .particles = count,
          .mass = mass,
          .gravity = values[GRAVITY].number[0],
          .bar_count = count,
          .bars = bars,
          .penalised = values[FORMULATION].word == 1,
          .stiffness = values[STIFFNESS].number[0],
          .q = q,
          .v = v,
      },
      system, error);
done:
  rill_release(mass);
  rill_release(q);
  rill_release(v);
  rill_release(bars);
  return status;
}

const struct rill_system_type rill_system_pendulum_chain = {
    .name = "pendulum-chain",
    .summary =
        "any number of point masses joined by rods in the plane, constrained or penalised; cost linear in the number",
    .source = "Tao & Owhadi 2016, section 4.2, with the sign of gravity corrected",
    .parameters = parameters,
    .parameter_count = COUNT,
    .create = create,
};

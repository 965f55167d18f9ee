/* Time of one evaluation of the forces in a box (real space): every instruction set and precision of this machine, 1
 * and 2 threads, of molecules that move as a liquid's do.
 *
 *   liquid_kernel [MOLECULES [STEPS [KERNEL]]]
 *
 * Molecules begin on a lattice at the density of water and are then moved by steady small amounts, so that lists are
 * built and pruned as in a run.  Prints the mean and minimum microseconds of a call, and of a call that finds
 * its lists good (least) the cycles per molecule and per useful pair of atoms (nine for each pair of molecules within
 * the cutoff).  Ewald parameters: with 3.47 /nm the error of the real part is 1e-5 at the cutoff; the deck of 900
 * molecules has 3.73 /nm.  The clock is found from a chain of integer multiplications, three cycles each on today's
 * processors.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/timers.h"
#include "base/units.h"
#include "clock.h"
#include "water/forces/periodic.h"

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (double)(*state >> 11) * 0x1p-53;
}

/* On a cubic lattice, each turned by another angle and a little off its place. */
static void place(const struct rill_water_model *model, size_t molecules, size_t stride, double edge, double *q) {
  const double half = 0.5 * model->bond[2], height = sqrt(model->bond[0] * model->bond[0] - half * half);
  const size_t side = (size_t)ceil(cbrt((double)molecules) - 1e-9);
  const double spacing = edge / (double)side;
  uint64_t seed = 1;
  for (size_t m = 0; m < molecules; m++) {
    const double angle = 2.4 * (double)m, cosine = cos(angle), sine = sin(angle);
    const size_t site[3] = {m % side, m / side % side, m / side / side};
    for (size_t c = 0; c < 3; c++)
      q[c * stride + m] = q[(3 + c) * stride + m] = q[(6 + c) * stride + m] =
          spacing * ((double)site[c] + 0.1 * (uniform(&seed) - 0.5));
    q[3 * stride + m] += height * cosine - half * sine;
    q[4 * stride + m] += height * sine + half * cosine;
    q[6 * stride + m] += height * cosine + half * sine;
    q[7 * stride + m] += height * sine - half * cosine;
  }
}

/* 2 fs at the speeds of 300 K, in directions of their own: 20 steps there and 20 back. */
static void move(size_t molecules, size_t stride, int step_number, double *q) {
  const double speed = sqrt(RILL_GAS_CONSTANT * 300.0 / 18.0154);
  const double distance = step_number / 20 % 2 == 0 ? 2e-3 * speed : -2e-3 * speed;
  uint64_t seed = 2;
  for (size_t m = 0; m < molecules; m++)
    for (size_t c = 0; c < 3; c++) {
      const double step = distance * 1.7320508 * (2.0 * uniform(&seed) - 1.0);
      for (size_t a = 0; a < 3; a++) q[(3 * a + c) * stride + m] += step;
    }
}

static enum rill_status measure(const struct rill_water_model *model, size_t molecules, int steps, double clock_rate,
                                struct rill_periodic_options options, struct rill_error *error) {
  const size_t stride = rill_padded(molecules);
  const double edge = options.box[0][0];
  const double density = (double)molecules / (edge * edge * edge),
               sphere = 4.0 / 3.0 * 3.14159265 * pow(options.cutoff, 3.0);
  const double useful = 9.0 * 0.5 * (double)molecules * density * sphere;
  double *q = rill_allocate(RILL_COORDINATES * stride, sizeof *q),
         *f = rill_allocate(RILL_COORDINATES * stride, sizeof *f);
  struct rill_periodic *periodic = NULL;
  enum rill_status status = RILL_ERROR_MEMORY;
  if (q == NULL || f == NULL) goto done;
  place(model, molecules, stride, edge, q);
  status = rill_periodic_create(model, molecules, stride, &options, &periodic, error);
  if (status != RILL_OK) goto done;
  for (int energies = 0; energies <= !(options.beta > 3.5) && status == RILL_OK; energies++) {
    struct rill_periodic_energies e;
    struct rill_periodic_counts before = rill_periodic_counts(periodic), after;
    double total = 0.0, least = INFINITY;
    for (int k = 0; k < steps && status == RILL_OK; k++) {
      double start = rill_clock(), seconds;
      status = rill_periodic_evaluate(periodic, q, f, energies ? &e : NULL, error);
      seconds = rill_clock() - start;
      total += seconds;
      least = fmin(least, seconds);
      move(molecules, stride, k, q);
    }
    after = rill_periodic_counts(periodic);
    printf("%-9s %-7s %-6s %5.2f %7d %8s %9.1f %9.1f %10.0f %8.2f %7.1f %7.1f %6.1f %6.1f\n",
           rill_isa_name(options.isa), options.precision == RILL_PRECISION_MIXED ? "mixed" : "double",
           options.by_atom ? "atoms" : "mols", options.beta, options.threads, energies ? "yes" : "no",
           total / steps * 1e6, least * 1e6, least * clock_rate / (double)molecules, least * clock_rate / useful,
           steps / (double)(after.builds - before.builds + 1), steps / (double)(after.prunes - before.prunes + 1),
           after.outer, after.inner);
  }
done:
  rill_periodic_destroy(periodic);
  rill_release(q);
  rill_release(f);
  return status;
}

int main(int count, char **argument) {
  static struct rill_error error;
  const size_t molecules = count > 1 ? strtoul(argument[1], NULL, 10) : 884;
  const int steps = count > 2 ? atoi(argument[2]) : 200;
  const double edge = cbrt((double)molecules / 32.74), clock_rate = bench_clock();
  struct rill_water_model model;
  if (rill_water_model_find("tip3p", 0.0, &model, &error) != RILL_OK) goto failed;
  printf("clock %.2f GHz, %zu molecules in a cube of %.3f nm, cutoff 0.9 nm\n", clock_rate * 1e-9, molecules, edge);
  printf("%-9s %-7s %-6s %5s %7s %8s %9s %9s %10s %8s %7s %7s %6s %6s\n", "kernel", "pairs", "cutoff", "beta",
         "threads", "energies", "us mean", "us least", "cycles/mol", "cyc/pair", "build/", "prune/", "outer",
         "inner");
  for (int isa = RILL_ISA_COUNT - 1; isa >= 0; isa--)
    for (int kind = 0; kind < 4; kind++)
      for (int threads = 1; threads <= 2; threads++) {
        struct rill_periodic_options options = {.box = {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}},
                                                .cutoff = 0.9,
                                                .coulomb = RILL_COULOMB_EWALD,
                                                .beta = kind == 1 ? 3.732 : 3.4705,
                                                .by_atom = kind == 2,
                                                .precision = kind < 3 ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE,
                                                .isa = (enum rill_isa)isa,
                                                .threads = threads};
        if (!rill_isa_available((enum rill_isa)isa)) continue;
        if (count > 3 && strcmp(argument[3], rill_isa_name((enum rill_isa)isa)) != 0) continue;
        if (measure(&model, molecules, steps, clock_rate, options, &error) != RILL_OK) goto failed;
      }
  return EXIT_SUCCESS;
failed:
  fprintf(stderr, "%s\n", error.text);
  return EXIT_FAILURE;
}

/* Time of one force evaluation: every instruction set of this machine (or the one named), double and mixed precision,
 * 1 and 2 threads, with and without energies.
 *
 * Prints the minimum of short repeats, in nanoseconds per call and in cycles per atom pair (nine per molecule pair).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/timers.h"
#include "clock.h"
#include "water/forces/forces.h"

static const double repeat_seconds = 2e-4, total_seconds = 0.15;

/* Molecules on a cubic lattice at the density of water, each turned by another angle. */
static void place(const struct rill_water_model *model, size_t molecules, size_t stride, double *q) {
  const double spacing = 0.31, half = 0.5 * model->bond[2];
  const double height = sqrt(model->bond[0] * model->bond[0] - half * half);
  const size_t side = (size_t)ceil(cbrt((double)molecules) - 1e-9);
  for (size_t m = 0; m < molecules; m++) {
    const double angle = 2.4 * (double)m, cosine = cos(angle), sine = sin(angle);
    const double o[3] = {spacing * (double)(m % side), spacing * (double)(m / side % side),
                         spacing * (double)(m / side / side)};
    for (size_t c = 0; c < 3; c++) q[c * stride + m] = q[(3 + c) * stride + m] = q[(6 + c) * stride + m] = o[c];
    q[3 * stride + m] += height * cosine - half * sine;
    q[4 * stride + m] += height * sine + half * cosine;
    q[6 * stride + m] += height * cosine + half * sine;
    q[7 * stride + m] += height * sine - half * cosine;
  }
}

static double find_seconds(struct rill_water_forces *forces, const double *q, double *f,
                           struct rill_water_energies *energies) {
  double best = INFINITY, begin = rill_clock();
  int calls = 1;
  do {
    double start = rill_clock(), seconds;
    for (int k = 0; k < calls; k++) rill_water_forces_evaluate(forces, q, f, energies);
    seconds = rill_clock() - start;
    if (seconds / calls < best) best = seconds / calls;
    if (seconds < repeat_seconds) calls *= 2;
  } while (rill_clock() - begin < total_seconds);
  return best;
}

int main(int count, char **argument) {
  static const size_t sizes[] = {2, 7, 20, 100, 1000};
  static struct rill_error error;
  struct rill_water_model model;
  const double clock_rate = bench_clock();
  if (rill_water_model_find("tip3p", 0.0, &model, &error) != RILL_OK) goto failed;
  printf("clock %.2f GHz\n", clock_rate * 1e-9);
  printf("%-9s %-9s %7s %9s %8s %12s %14s\n", "kernel", "precision", "threads", "molecules", "energies", "ns a call",
         "cycles a pair");
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
    for (int threads = 1; threads <= 2; threads++)
      for (size_t n = 0; n < 2 * (sizeof sizes / sizeof *sizes); n++) {
        const int mixed = n % 2 == 1;
        const size_t molecules = sizes[n / 2], stride = (molecules + RILL_LANES - 1) / RILL_LANES * RILL_LANES;
        const double pairs = 4.5 * (double)(molecules * (molecules - 1));
        struct rill_water_forces *forces;
        enum rill_status status;
        double *q, *f;
        if (!rill_isa_available((enum rill_isa)isa)) continue;
        if (count > 1 && strcmp(argument[1], rill_isa_name((enum rill_isa)isa)) != 0) continue;
        status = mixed ? rill_water_forces_create_mixed(&model, molecules, stride, (enum rill_isa)isa, threads,
                                                        &forces, &error)
                       : rill_water_forces_create(&model, molecules, stride, 0, (enum rill_isa)isa, threads, &forces,
                                                  &error);
        if (status != RILL_OK) goto failed;
        q = rill_allocate(RILL_COORDINATES * stride, sizeof *q);
        f = rill_allocate(RILL_COORDINATES * stride, sizeof *f);
        if (q == NULL || f == NULL) return EXIT_FAILURE;
        place(&model, molecules, stride, q);
        for (int with_energies = 0; with_energies <= 1; with_energies++) {
          struct rill_water_energies energies;
          const double seconds = find_seconds(forces, q, f, with_energies ? &energies : NULL);
          printf("%-9s %-9s %7d %9zu %8s %12.1f %14.2f\n", rill_isa_name((enum rill_isa)isa),
                 mixed ? "mixed" : "double", threads, molecules, with_energies ? "yes" : "no", seconds * 1e9,
                 seconds * clock_rate / pairs);
        }
        rill_release(q);
        rill_release(f);
        rill_water_forces_destroy(forces);
      }
  return EXIT_SUCCESS;
failed:
  fprintf(stderr, "%s\n", error.text);
  return EXIT_FAILURE;
}

/* Time of one pass over the mesh, by phase: every instruction set of this machine (or the one named), float mesh, 1
 * and 2 threads, with and without energies.  Water on a lattice at the density of the liquid, beta of GROMACS's
 * ewald-rtol 1e-5 at 0.9 nm, spacing 0.12 nm.
 *
 *   pme [ISA [MOLECULES GRID ORDER]]
 *
 * Prints the fastest pass of many, in microseconds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/timers.h"
#include "water/pme/pme.h"

static const double total_seconds = 0.3, beta = 3.4705, density = 33.0; /* 1/nm, 1/nm3 */

/* Molecules on a cubic lattice, each moved a little and turned by another angle, in columns along c as the neighbour
 * lists sort them. */
static double place(const struct rill_water_model *model, size_t molecules, size_t stride, double *q) {
  const double edge = cbrt((double)molecules / density), half = 0.5 * model->bond[2];
  const double height = sqrt(model->bond[0] * model->bond[0] - half * half);
  const size_t side = (size_t)ceil(cbrt((double)molecules) - 1e-9);
  const double spacing = edge / (double)side;
  for (size_t m = 0; m < molecules; m++) {
    const double angle = 2.4 * (double)m, cosine = cos(angle), sine = sin(angle);
    const double o[3] = {spacing * (double)(m / side / side) + 0.05 * sin(17.0 * angle),
                         spacing * (double)(m / side % side) + 0.05 * sin(19.0 * angle),
                         spacing * (double)(m % side) + 0.05 * sin(23.0 * angle)};
    for (size_t c = 0; c < 3; c++) q[c * stride + m] = q[(3 + c) * stride + m] = q[(6 + c) * stride + m] = o[c];
    q[3 * stride + m] += height * cosine - half * sine;
    q[4 * stride + m] += height * sine + half * cosine;
    q[6 * stride + m] += height * cosine + half * sine;
    q[7 * stride + m] += height * sine - half * cosine;
  }
  return edge;
}

static void time_passes(struct rill_pme *pme, const double *q, double *f, struct rill_pme_energies *energies,
                        double best[RILL_PME_PHASES + 1]) {
  const double begin = rill_clock();
  best[RILL_PME_PHASES] = INFINITY;
  do {
    double before[RILL_PME_PHASES], start = rill_clock(), seconds;
    memcpy(before, rill_pme_seconds(pme), sizeof before);
    rill_pme_evaluate(pme, q, NULL, f, energies);
    seconds = rill_clock() - start;
    if (seconds >= best[RILL_PME_PHASES]) continue;
    for (int k = 0; k < RILL_PME_PHASES; k++) best[k] = rill_pme_seconds(pme)[k] - before[k];
    best[RILL_PME_PHASES] = seconds;
  } while (rill_clock() - begin < total_seconds);
}

int main(int count, char **argument) {
  static const struct {
    size_t molecules, grid;
    int order;
  } cases[] = {
      {884, 20, 4},  {884, 24, 4},  {884, 32, 4},  {884, 20, 6},
      {7029, 48, 4}, {7029, 50, 4}, {7029, 64, 4}, {7029, 40, 6},
  };
  static struct rill_error error;
  struct rill_water_model model;
  const size_t number = count > 4 ? 1 : sizeof cases / sizeof *cases;
  if (rill_water_model_find("tip3p", 0.0, &model, &error) != RILL_OK) goto failed;
  printf("%-9s %7s %9s %5s %5s %8s", "kernel", "threads", "molecules", "grid", "order", "energies");
  for (int k = 0; k < RILL_PME_PHASES; k++) printf(" %10s", rill_pme_phase_name((enum rill_pme_phase)k));
  printf(" %8s us\n", "all");
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
    for (size_t n = 0; n < number; n++)
      for (int threads = 1; threads <= 2; threads++) {
        const size_t molecules = count > 4 ? strtoul(argument[2], NULL, 10) : cases[n].molecules;
        const size_t grid = count > 4 ? strtoul(argument[3], NULL, 10) : cases[n].grid;
        const int order = count > 4 ? (int)strtol(argument[4], NULL, 10) : cases[n].order;
        const struct rill_pme_parameters parameters = {beta, order, {grid, grid, grid}, RILL_MESH_SINGLE};
        const size_t stride = rill_padded(molecules);
        double box[3][3] = {{0.0}}, edge, *q, *f;
        struct rill_team *team = NULL;
        struct rill_pme *pme;
        if (!rill_isa_available((enum rill_isa)isa)) continue;
        if (count > 1 && strcmp(argument[1], rill_isa_name((enum rill_isa)isa)) != 0) continue;
        q = rill_allocate(RILL_COORDINATES * stride, sizeof *q);
        f = rill_allocate(RILL_COORDINATES * stride, sizeof *f);
        if (q == NULL || f == NULL) return EXIT_FAILURE;
        edge = place(&model, molecules, stride, q);
        for (int i = 0; i < 3; i++) box[i][i] = edge;
        if (rill_team_create(threads, &team, &error) != RILL_OK ||
            rill_pme_create(&model, molecules, stride, (const double(*)[3])box, &parameters, (enum rill_isa)isa, team,
                            &pme, &error) != RILL_OK)
          goto failed;
        for (int wanted = 0; wanted <= 1; wanted++) {
          struct rill_pme_energies energies;
          double best[RILL_PME_PHASES + 1];
          time_passes(pme, q, f, wanted ? &energies : NULL, best);
          printf("%-9s %7d %9zu %5zu %5d %8s", rill_isa_name((enum rill_isa)isa), threads, molecules, grid, order,
                 wanted ? "yes" : "no");
          for (int k = 0; k <= RILL_PME_PHASES; k++)
            printf(k < RILL_PME_PHASES ? " %10.1f" : " %8.1f", best[k] * 1e6);
          printf("\n");
        }
        rill_release(q);
        rill_release(f);
        rill_pme_destroy(pme);
        rill_team_destroy(team);
      }
  return EXIT_SUCCESS;
failed:
  fprintf(stderr, "%s\n", error.text);
  return EXIT_FAILURE;
}

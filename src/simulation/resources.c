#include "simulation/resources.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "output/series_file.h"
#include "simulation/kind.h"
#include "simulation/small.h"
#include "simulation/water.h"

enum { NUMBER = 20 /* bytes, with a comma */, MULTIPLIERS = 14 /* columns */ };
/* Bytes: HDF5 and the buffers of files; contents of a checkpoint besides the state; per atom, with the
 * guard's copy. */
static const double of_output = 6e6, of_checkpoint = 1e5, of_atom = 400;

/* The number of records in a run of that many steps: at its start, at each interval, and at its end. */
static double samples(uint64_t steps, uint64_t interval) {
  return (double)(steps / interval) + 1 + (steps % interval != 0);
}

/* Bytes of a line of the series; half-step quantities are missing at the start. */
static double line_of_series(const struct rill_observation *observation) {
  double row[RILL_SERIES_COLUMNS], length = 0;
  rill_series_row(0, 0, observation, row);
  row[RILL_SERIES_temperature_half] = row[RILL_SERIES_temperature];
  row[RILL_SERIES_temperature_half_translation] = row[RILL_SERIES_temperature_translation];
  row[RILL_SERIES_temperature_half_rotation] = row[RILL_SERIES_temperature_rotation];
  for (int c = 0; c < RILL_SERIES_COLUMNS; c++) length += snprintf(NULL, 0, "%.17g", row[c]) + 1;
  return length + NUMBER / 2; /* the first two columns get longer */
}

/* Accurate to about a tenth: frames, series, and two checkpoints. */
double rill_water_disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  const struct rill_deck *deck = &sim->deck;
  const double atoms = 3 * (double)sim->structure.molecules;
  const double frames = samples(deck->integrator.steps, deck->output.interval),
               rows = samples(deck->integrator.steps, deck->output.series_interval);
  const double frame = 3 * atoms * (deck->output.double_precision ? 8 : 4) * (deck->output.velocities ? 2 : 1) + 16 +
                       (sim->structure.has_box ? 72 : 0);
  double disk = 70 * atoms; /* the last frame */
  if (outputs->trajectory[0] != '\0') disk += frames * frame + rows * RILL_SERIES_COLUMNS * sizeof(double);
  if (outputs->series[0] != '\0') disk += rows * line_of_series(&sim->guard.observation);
  if (outputs->multipliers[0] != '\0') disk += rows * MULTIPLIERS * NUMBER;
  if (outputs->checkpoint[0] != '\0') disk += 2 * (of_checkpoint + of_atom * atoms);
  return disk;
}

/* Bytes of the HDF5 file, the CSV and two checkpoints. */
double rill_small_disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  const struct rill_deck *deck = &sim->deck;
  const struct rill_state *state = sim->system.state;
  const double n = (double)state->n, m = (double)rill_small_multipliers(state), number = 18;
  const double frame = 8 * (2 * n + m + (rill_small_moves_other_coordinates(sim) ? n : 0) + RILL_SERIES_ENERGY +
                            RILL_SERIES_MOMENTUM + RILL_SERIES_RESIDUAL + 3);
  const double line =
      number * (RILL_SMALL_SERIES_FIXED + (state->n <= RILL_SMALL_SERIES_COORDINATES ? 2 * n + m : 0));
  double disk = 0;
  if (outputs->trajectory[0] != '\0') disk += frame * samples(deck->integrator.steps, deck->output.interval);
  if (outputs->series[0] != '\0') disk += line * samples(deck->integrator.steps, deck->output.series_interval);
  return outputs->checkpoint[0] != '\0' ? disk + 2 * (1e4 + 50 * n) : disk;
}

/* Free space of the folder of the first output, or of its nearest existing parent; below 0 when unknown. */
static double free_space(const struct rill_outputs *outputs) {
  const char *path = outputs->trajectory[0] != '\0' ? outputs->trajectory : outputs->series;
  char folder[RILL_PATH + 2];
  struct statvfs space;
  snprintf(folder, sizeof folder, "%s%s", path[0] == '/' ? "" : "./", path);
  for (char *slash = strrchr(folder, '/'); slash != NULL; slash = strrchr(folder, '/')) {
    slash[slash == folder] = '\0';
    if (statvfs(folder, &space) == 0) return (double)space.f_bavail * (double)space.f_frsize;
    if (slash == folder) break;
  }
  return -1;
}

struct rill_resources rill_resources_of(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  struct rusage usage = {0};
  const bool known = getrusage(RUSAGE_SELF, &usage) == 0;
  return (struct rill_resources){.memory = known ? 1024 * (double)usage.ru_maxrss + of_output : -1,
                                 .disk = sim->kind->disk(sim, outputs),
                                 .free = free_space(outputs)};
}

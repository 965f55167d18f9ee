#include "cli/resources.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "cli/series_columns.h"

enum { NUMBER = 20 /* bytes, with a comma */, MULTIPLIERS = 14 /* columns */ };
/* Bytes: HDF5 and the buffers of files; what a checkpoint holds beside the state; of an atom, with the guard's copy. */
static const double of_output = 6e6, of_checkpoint = 1e5, of_atom = 400;

double rill_resources_samples(uint64_t steps, uint64_t interval) {
  return (double)(steps / interval) + 1 + (steps % interval != 0);
}

/* Bytes of a line of the series, in which half-step quantities are not there at the start. */
static double line_of_series(const struct rill_observation *observation) {
  double row[RILL_SERIES_COLUMNS], length = 0;
  rill_series_row(0, 0, observation, row);
  row[RILL_SERIES_temperature_half] = row[RILL_SERIES_temperature];
  row[RILL_SERIES_temperature_half_translation] = row[RILL_SERIES_temperature_translation];
  row[RILL_SERIES_temperature_half_rotation] = row[RILL_SERIES_temperature_rotation];
  for (int c = 0; c < RILL_SERIES_COLUMNS; c++) length += snprintf(NULL, 0, "%.17g", row[c]) + 1;
  return length + NUMBER / 2; /* the first two columns grow */
}

double rill_resources_disk(const struct rill_setup *setup, const struct rill_outputs *outputs,
                           const struct rill_observation *observation) {
  const struct rill_deck *deck = &setup->deck;
  const double atoms = 3 * (double)setup->structure.molecules;
  const double frames = rill_resources_samples(deck->integrator.steps, deck->output.interval),
               rows = rill_resources_samples(deck->integrator.steps, deck->output.series_interval);
  const double frame = 3 * atoms * (deck->output.double_precision ? 8 : 4) * (deck->output.velocities ? 2 : 1) + 16 +
                       (setup->structure.has_box ? 72 : 0);
  double disk = 70 * atoms; /* the last frame */
  if (outputs->trajectory[0] != '\0') disk += frames * frame + rows * RILL_SERIES_COLUMNS * sizeof(double);
  if (outputs->series[0] != '\0') disk += rows * line_of_series(observation);
  if (outputs->multipliers[0] != '\0') disk += rows * MULTIPLIERS * NUMBER;
  if (outputs->checkpoint[0] != '\0') disk += 2 * (of_checkpoint + of_atom * atoms);
  return disk;
}

static void put_bytes(FILE *stream, double bytes) {
  static const char *const units[] = {"kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  for (bytes /= 1e3; bytes >= 999.5 && unit + 1 < sizeof units / sizeof units[0]; unit++) bytes /= 1e3;
  fprintf(stream, "%.3g %s", bytes, units[unit]);
}

/* Of the folder that the first output goes to, or of the nearest one above it that is there; below 0 when unknown. */
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

void rill_resources_describe(double disk, const struct rill_outputs *outputs, FILE *stream) {
  struct rusage usage = {0};
  const double space = free_space(outputs);
  fputs("  takes        ", stream);
  if (getrusage(RUSAGE_SELF, &usage) == 0) {
    put_bytes(stream, 1024 * (double)usage.ru_maxrss + of_output);
    fputs(" of memory, however long it is, and ", stream);
  }
  put_bytes(stream, disk);
  fputs(" on the disk", stream);
  if (space >= 0) {
    fputs(", where ", stream);
    put_bytes(stream, space);
    fputs(disk > space ? " are free: TOO LITTLE" : " are free", stream);
  }
  fputc('\n', stream);
}

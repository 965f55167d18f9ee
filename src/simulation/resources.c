#include "simulation/resources.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "simulation/kind.h"
#include "simulation/properties.h"
#include "simulation/water.h"

/* Bytes: HDF5 and the buffers of files; contents of a checkpoint besides the state; per atom, with the
 * guard's copy. */
static const double of_output = 6e6, of_checkpoint = 1e5, of_atom = 400;

double rill_resources_samples(uint64_t steps, uint64_t interval) {
  return (double)(steps / interval) + 1 + (steps % interval != 0);
}

double rill_water_checkpoint_bytes(const struct rill_simulation *sim) {
  return of_checkpoint + of_atom * 3 * (double)sim->structure.molecules + rill_properties_bytes(sim);
}

/* All outputs, and two checkpoints. */
static double disk(const struct rill_simulation *sim, const struct rill_outputs *outputs) {
  double bytes = outputs->checkpoint[0] != '\0' ? 2 * sim->kind->checkpoint_bytes(sim) : 0;
  for (const struct rill_sink *const *sink = sim->kind->sinks; *sink != NULL; sink++)
    if ((*sink)->disk != NULL) bytes += (*sink)->disk(sim, outputs);
  return bytes;
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
  return (struct rill_resources){
      .memory = known ? 1024 * (double)usage.ru_maxrss + of_output + rill_properties_bytes(sim) : -1,
      .disk = disk(sim, outputs),
      .free = free_space(outputs)};
}

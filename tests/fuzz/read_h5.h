/* The readers of HDF5 files, trajectories and series, held to their promises on one file. */
#include <math.h>

#include "base/memory.h"
#include "fuzz.h"
#include "output/sandbox.h"
#include "output/series_file.h"
#include "output/trajectory.h"

static struct rill_error error;

/* Memory in proportion to the file: deflate, the strongest of HDF5's filters, gives at most 1032 bytes for one. */
static void read_trajectory(const char *path, size_t size) {
  struct rill_trajectory_reader *reader;
  double *positions, *velocities = NULL, box[9], time;
  uint64_t step;
  size_t frames, numbers;
  enum rill_status status;
  rill_error_clear(&error);
  status = rill_trajectory_open(path, &reader, &error);
  if (status != RILL_OK) {
    fuzz_require_refusal(status, &error);
    FUZZ_REQUIRE(reader == NULL && strncmp(error.text, path, strlen(path)) == 0);
    return;
  }
  FUZZ_REQUIRE(error.status == RILL_OK);
  frames = rill_trajectory_frames(reader);
  numbers = 9 * rill_trajectory_molecules(reader);
  FUZZ_REQUIRE(numbers > 0 && (frames == 0 || numbers <= 1100 * size));
  FUZZ_REQUIRE(strlen(rill_trajectory_deck(reader)) <= 1100 * size);
  FUZZ_REQUIRE(strlen(rill_trajectory_creator(reader)) < 1024);
  positions = rill_allocate(frames > 0 ? numbers : 0, sizeof *positions);
  if (frames > 0 && rill_trajectory_has_velocities(reader)) velocities = rill_allocate(numbers, sizeof *velocities);
  FUZZ_REQUIRE(positions != NULL);
  for (int last = 0; last < (frames > 0 ? 2 : 0); last++) {
    status = rill_trajectory_read(reader, last ? frames - 1 : 0, &step, &time, positions, velocities, box, &error);
    if (status != RILL_OK) fuzz_require_refusal(status, &error);
  }
  FUZZ_REQUIRE(rill_trajectory_read(reader, frames, &step, &time, positions, NULL, box, &error) == RILL_ERROR_USAGE);
  rill_release(positions);
  rill_release(velocities);
  rill_trajectory_reader_close(reader);
}

static void read_series(const char *path) {
  struct rill_series_file_info info;
  enum rill_status status;
  bool series;
  if (rill_series_file_is(path, &series, &error) != RILL_OK || !series) return;
  rill_error_clear(&error);
  status = rill_series_file_describe(path, &info, &error);
  if (status != RILL_OK) {
    fuzz_require_refusal(status, &error);
    return;
  }
  FUZZ_REQUIRE(strlen(info.system) < sizeof info.system && strlen(info.time_unit) < sizeof info.time_unit);
  rill_series_file_info_release(&info);
}

/* Sinks: the outputs of a run, one row of a table each.  To add an output: write a file in sinks/ with a row, and add
 * it to the lists of sinks/list.h. */
#ifndef RILL_SIMULATION_SINK_H
#define RILL_SIMULATION_SINK_H

#include "mech/driver.h"
#include "simulation/run_parts.h"

/* Files are created; compared with a checkpoint before any of them is changed; or truncated to it and appended to. */
enum rill_opening { RILL_OPEN_NEW, RILL_OPEN_CHECK, RILL_OPEN_RESUME };

/* Each may be NULL.  self is what open stored, NULL where the run does not have the output. */
struct rill_sink {
  const char *group; /* of the checkpoint, entered around calls that get an archive; NULL: none */
  bool closes_last;  /* HDF5 files, which add to the archive while they are closed */
  /* Names the files that the deck has it write. */
  enum rill_status (*plan)(struct rill_outputs *outputs, const struct rill_deck *deck, struct rill_error *error);
  /* Bytes that it will write, to about a tenth, when its files are planned. */
  double (*disk)(const struct rill_simulation *sim, const struct rill_outputs *outputs);
  /* *self is NULL before RILL_OPEN_NEW and RILL_OPEN_CHECK; RILL_OPEN_RESUME finds what RILL_OPEN_CHECK stored.
   * archive: the checkpoint's; an empty one for a new run. */
  enum rill_status (*open)(struct rill_run *run, enum rill_opening opening, struct rill_archive *archive, void **self,
                           struct rill_error *error);
  /* Called once all files of a new run are open. */
  enum rill_status (*begin)(struct rill_run *run, void *self, struct rill_error *error);
  struct rill_observer (*observer)(struct rill_run *run, void *self);
  /* Steps between states whose energy, or virial, the observer takes; 0: none. */
  uint64_t (*energy_interval)(const struct rill_run *run, const void *self);
  uint64_t (*virial_interval)(const struct rill_run *run, const void *self);
  /* Writes to a checkpoint. */
  enum rill_status (*keep)(struct rill_run *run, void *self, struct rill_archive *archive, struct rill_error *error);
  /* Called after the last step, before anything is reported and while all files are open; adds the checksums of files
   * to the checkpoint of the end. */
  void (*conclude)(struct rill_run *run, void *self);
  enum rill_status (*finish)(struct rill_run *run, void *self, struct rill_error *error);
  enum rill_status (*seal)(struct rill_run *run, void *self, struct rill_archive *archive, struct rill_error *error);
  /* Closes and releases; also after open failed. */
  enum rill_status (*close)(struct rill_run *run, void *self, struct rill_error *error);
  /* Writes the last state of the run, after all files are closed. */
  enum rill_status (*leave)(struct rill_run *run, struct rill_error *error);
};

#endif

/* Time series of a small system in HDF5:
 *
 *   /series/t          [frames]            written last: a frame exists once t has its row
 *   /series/step       [frames]            steps done
 *   /series/q, p       [frames][n]         the state; also position [frames][n] where the method moves another point
 *   /series/energy     [frames][3]         kinetic, potential, total
 *   /series/momentum   [frames][6]         linear, angular
 *   /series/residual   [frames][2]         largest deviation of constraints: of positions, of velocities
 *   /series/temperature [frames][2]        in a heat bath: kinetic temperature, an energy, on the step and in its
 * middle /series/multiplier [frames][m]         where there are constraints /series/iterations [frames]            of
 * the nonlinear solver in the last step
 *
 * Attributes of /series: deck, system, method, units, version, step.  Attributes of datasets: columns where they have
 * names, and in SI units unit (of momentum one for each column). An undefined quantity is NaN.  Frames are written
 * together, when there are many or some time has passed: first the rows, then by one flush the lengths of all
 * datasets.  The file of a killed run has all frames but the last of them. */
#ifndef RILL_OUTPUT_SERIES_FILE_H
#define RILL_OUTPUT_SERIES_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/status.h"

enum { RILL_SERIES_ENERGY = 3, RILL_SERIES_MOMENTUM = 6, RILL_SERIES_RESIDUAL = 2, RILL_SERIES_TEMPERATURE = 2 };

/* Borrowed for the call of rill_series_file_create only. */
struct rill_series_file_header {
  size_t n, m;
  bool positions;    /* position is written as well */
  bool temperatures; /* and temperature */
  const char *system, *method, *version, *deck;
  size_t deck_room;                            /* as in the header of a trajectory */
  const char *units;                           /* "SI" or "none" */
  const char *time_unit;                       /* "s" or "" */
  const char *coordinate_unit, *momentum_unit; /* of q and position, and of p; NULL or "": pure numbers */
  double step;
  bool replace; /* an existing file is replaced; otherwise it is an error */
};

struct rill_series_frame {
  uint64_t step;
  double time;
  const double *q, *p;      /* [n] */
  const double *position;   /* [n]; read when the header has positions */
  const double *multiplier; /* [m] */
  double energy[RILL_SERIES_ENERGY], momentum[RILL_SERIES_MOMENTUM], residual[RILL_SERIES_RESIDUAL],
      temperature[RILL_SERIES_TEMPERATURE]; /* the last: read when the header has temperatures */
  double iterations;
};

struct rill_series_file;

/* RILL_ERROR_OUTPUT when the file exists or cannot be created. */
enum rill_status rill_series_file_create(const char *path, const struct rill_series_file_header *header,
                                         struct rill_series_file **file, struct rill_error *error);
/* RILL_ERROR_WRITE when the disk is full or the limit on file sizes is reached: frames written before stay
 * readable. */
enum rill_status rill_series_file_append(struct rill_series_file *file, const struct rill_series_frame *frame,
                                         struct rill_error *error);
/* Resuming, as for a trajectory (output/trajectory.h); _keep first writes the buffered frames. */
enum rill_status rill_series_file_keep(struct rill_series_file *file, struct rill_archive *archive,
                                       struct rill_error *error);
enum rill_status rill_series_file_resume(const char *path, const struct rill_series_file_header *header,
                                         struct rill_archive *archive, struct rill_series_file **file,
                                         struct rill_error *error);
/* Whether _resume can succeed: the file has all the numbers that it had, in the shape of the header.  Nothing is
 * changed. */
enum rill_status rill_series_file_check(const char *path, const struct rill_series_file_header *header,
                                        struct rill_archive *archive, struct rill_error *error);
/* As rill_trajectory_seal; for checking use rill_trajectory_check. */
enum rill_status rill_series_file_seal(struct rill_series_file *file, struct rill_archive *archive,
                                       struct rill_error *error);
/* Writes buffered frames and releases; accepts NULL. */
enum rill_status rill_series_file_close(struct rill_series_file *file, struct rill_error *error);

/* The facts that `rill info` shows.  RILL_ERROR_INPUT for a file that is no such series. */
struct rill_series_file_info {
  char system[64], method[64], version[32], units[16], time_unit[8];
  size_t frames, n, m;
  double first, last; /* times; NaN without frames */
  char *deck;         /* released by rill_series_file_info_release */
};

/* The columns that verdicts use, of all frames. */
struct rill_series_file_rows {
  size_t frames;
  double *time;        /* [frames] */
  double *energy;      /* [frames][RILL_SERIES_ENERGY] */
  double *momentum;    /* [frames][RILL_SERIES_MOMENTUM] */
  double *residual;    /* [frames][RILL_SERIES_RESIDUAL] */
  double *temperature; /* [frames][RILL_SERIES_TEMPERATURE]; NaN in a file without */
};

/* RILL_ERROR_INPUT when a column is missing or of another shape.  Release with rill_series_file_rows_release, also
 * after an error. */
enum rill_status rill_series_file_read(const char *path, struct rill_series_file_rows *rows,
                                       struct rill_error *error);
void rill_series_file_rows_release(struct rill_series_file_rows *rows);

/* All reading is done in a sandbox (output/sandbox.h).
 *
 * Whether the file contains /series; also false for a file that cannot be read.  RILL_ERROR_MEMORY. */
enum rill_status rill_series_file_is(const char *path, bool *is, struct rill_error *error);
enum rill_status rill_series_file_describe(const char *path, struct rill_series_file_info *info,
                                           struct rill_error *error);
void rill_series_file_info_release(struct rill_series_file_info *info);

#endif

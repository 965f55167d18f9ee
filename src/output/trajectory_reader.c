/* Reads trajectories.  HDF5 is called in a sandbox, which returns frames in batches; the frames are checked here. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/atom_order.h"
#include "output/h5.h"
#include "output/h5md_file.h"
#include "output/sandbox.h"
#include "output/trajectory.h"

enum { BATCH_BYTES = 1 << 20, NAMES_MOST = 4096, AXES_NUMBERS = 2, BOX_NUMBERS = 9 };

/* The requests to the sandbox.  The numbers of a reply are doubles and 64-bit integers, each of 8 bytes. */
enum what { OPEN, AXES, FRAMES, COLUMNS, TABLE };

struct request {
  enum what what;
  bool velocities;
  size_t first, count;    /* frames, or columns */
  char names[NAMES_MOST]; /* names of the table and its columns, each terminated by a zero */
};

/* Frames that were received together: their steps, then their times; for FRAMES also boxes, positions and
 * velocities. */
struct batch {
  size_t first, count, capacity; /* capacity: in numbers */
  bool velocities;
  double *numbers;
};

/* For the process in the sandbox. */
struct work {
  const char *path;
  int descriptor;
  struct rill_h5md *file;
};

struct rill_trajectory_reader {
  char *path;
  struct work work;
  struct rill_sandbox *sandbox;
  struct rill_sandbox_mark opened; /* the file, when the sandbox was started */
  struct rill_h5md_facts facts;
  bool selected;    /* frames are those of one replica */
  size_t replica;   /* that one */
  size_t *at_frame; /* [frames]: which one; NULL: the same in all frames */
  char *deck;
  struct request request;
  struct batch axes, frames;
};

/* --- inside the sandbox ----------------------------------------------------------------------------------------- */

static size_t frame_numbers(const struct rill_h5md_facts *facts, enum what what, bool velocities) {
  return AXES_NUMBERS + (what == FRAMES ? BOX_NUMBERS + 9 * facts->molecules * (velocities ? 2 : 1) : 0);
}

static enum rill_status serve_opening(struct work *work, void **reply, size_t *reply_size, struct rill_error *error) {
  const char *deck;
  RILL_TRY(rill_h5md_open(work->path, work->descriptor, &work->file, error));
  deck = rill_h5md_deck(work->file);
  *reply_size = sizeof(struct rill_h5md_facts) + strlen(deck) + 1;
  *reply = rill_allocate(*reply_size, 1);
  if (*reply == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", work->path);
  memcpy(*reply, rill_h5md_facts(work->file), sizeof(struct rill_h5md_facts));
  strcpy((char *)*reply + sizeof(struct rill_h5md_facts), deck);
  return RILL_OK;
}

static enum rill_status load(struct work *work, const struct request *request, size_t count, double *numbers,
                             struct rill_error *error) {
  double *times = numbers + count, *edges = times + count, *positions = edges + BOX_NUMBERS * count;
  double *velocities = positions + 9 * rill_h5md_facts(work->file)->molecules * count;
  rill_sandbox_more_time(frame_numbers(rill_h5md_facts(work->file), request->what, request->velocities) * count *
                         sizeof *numbers);
  RILL_TRY(rill_h5md_read_axes(work->file, request->first, count, (int64_t *)(void *)numbers, times, error));
  if (request->what == AXES) return RILL_OK;
  return rill_h5md_read_frames(work->file, request->first, count, edges, positions,
                               request->velocities ? velocities : NULL, error);
}

/* If not all of the frames can be read, returns only the first one. */
static enum rill_status serve_frames(struct work *work, const struct request *request, void **reply,
                                     size_t *reply_size, struct rill_error *error) {
  const size_t frame = frame_numbers(rill_h5md_facts(work->file), request->what, request->velocities);
  size_t count = request->count;
  enum rill_status status;
  *reply = rill_allocate(count, frame * sizeof(double));
  if (*reply == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", work->path);
  status = load(work, request, count, *reply, error);
  if (status != RILL_OK && count > 1) status = load(work, request, count = 1, *reply, error);
  *reply_size = count * frame * sizeof(double);
  return status;
}

static enum rill_status serve_columns(struct work *work, const struct request *request, void **reply,
                                      size_t *reply_size, struct rill_error *error) {
  const char *name = request->names, *names[NAMES_MOST / 2];
  size_t rows;
  for (size_t i = 0; i < request->count; i++) names[i] = name += strlen(name) + 1;
  RILL_TRY(rill_h5md_read_columns(work->file, request->names, request->count, names, &rows, (double **)reply, error));
  *reply_size = request->count * rows * sizeof(double);
  return RILL_OK;
}

/* The number of columns, then the rows. */
static enum rill_status serve_table(struct work *work, const struct request *request, void **reply,
                                    size_t *reply_size, struct rill_error *error) {
  size_t rows, columns;
  double *values, *numbers;
  RILL_TRY(rill_h5md_read_table(work->file, request->names, &rows, &columns, &values, error));
  *reply_size = (1 + rows * columns) * sizeof(double);
  numbers = *reply = rill_allocate(1 + rows * columns, sizeof(double));
  if (numbers != NULL) {
    numbers[0] = (double)columns;
    memcpy(numbers + 1, values, rows * columns * sizeof *values);
  }
  rill_release(values);
  return numbers != NULL ? RILL_OK : rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", work->path);
}

static enum rill_status serve(void *context, const void *request, size_t size, void **reply, size_t *reply_size,
                              struct rill_error *error) {
  struct work *work = context;
  const struct request *wanted = request;
  (void)size;
  switch (wanted->what) {
  case OPEN: return serve_opening(work, reply, reply_size, error);
  case COLUMNS: return serve_columns(work, wanted, reply, reply_size, error);
  case TABLE: return serve_table(work, wanted, reply, reply_size, error);
  default: return serve_frames(work, wanted, reply, reply_size, error);
  }
}

/* --- opening ---------------------------------------------------------------------------------------------------- */

static enum rill_status ask(struct rill_trajectory_reader *reader, const void **reply, size_t *size,
                            struct rill_error *error) {
  return rill_sandbox_ask(reader->sandbox, &reader->request, sizeof reader->request, reply, size, error);
}

static enum rill_status broke_off(const struct rill_trajectory_reader *reader, struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: is damaged: reading it broke off", reader->path);
}

/* Data from the sandbox are not trusted either. */
static enum rill_status ask_facts(struct rill_trajectory_reader *reader, struct rill_h5md_facts *facts,
                                  struct rill_error *error) {
  const void *reply;
  size_t size;
  reader->request.what = OPEN;
  RILL_TRY(ask(reader, &reply, &size, error));
  if (size <= sizeof *facts || ((const char *)reply)[size - 1] != '\0') return broke_off(reader, error);
  memcpy(facts, reply, sizeof *facts);
  facts->creator[sizeof facts->creator - 1] = facts->note[sizeof facts->note - 1] = '\0';
  if (facts->molecules < 1 || facts->molecules > SIZE_MAX / 1024 || facts->replicas < 1 ||
      facts->molecules % facts->replicas != 0 || facts->frames > SIZE_MAX / 2)
    return broke_off(reader, error);
  if (reader->deck != NULL) return RILL_OK;
  reader->deck = rill_allocate(size - sizeof *facts, 1);
  if (reader->deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", reader->path);
  strcpy(reader->deck, (const char *)reply + sizeof *facts);
  return RILL_OK;
}

/* Opens the file again, in a new sandbox. */
static enum rill_status start(struct rill_trajectory_reader *reader, struct rill_h5md_facts *facts,
                              struct rill_error *error) {
  rill_sandbox_stop(reader->sandbox);
  reader->sandbox = NULL;
  rill_h5md_close(reader->work.file);
  reader->work.file = NULL;
  reader->axes.count = reader->frames.count = 0;
  reader->opened = rill_sandbox_mark(reader->work.descriptor);
  RILL_TRY(rill_sandbox_start(reader->path, reader->work.descriptor, serve, &reader->work, &reader->sandbox, error));
  return ask_facts(reader, facts, error);
}

static bool has_changed(const struct rill_trajectory_reader *reader) {
  return rill_sandbox_file_changed(reader->work.descriptor, &reader->opened);
}

/* If the file has grown since it was opened, opens it again and returns true: what could not be read may have been
 * new in one place and old in another.  The number of frames stays that of the first opening. */
static bool is_renewed(struct rill_trajectory_reader *reader) {
  struct rill_h5md_facts facts;
  struct rill_error ignored = {0};
  for (int again = RILL_SANDBOX_READ_AGAIN; again > 0 && has_changed(reader); again--)
    if (start(reader, &facts, &ignored) == RILL_OK)
      return facts.molecules == reader->facts.molecules && facts.frames >= reader->facts.frames;
  return false;
}

static enum rill_status start_growing(struct rill_trajectory_reader *reader, struct rill_error *error) {
  int again = RILL_SANDBOX_READ_AGAIN;
  enum rill_status status;
  while ((status = start(reader, &reader->facts, error)) != RILL_OK && again-- > 0 && has_changed(reader))
    rill_error_clear(error);
  return status;
}

enum rill_status rill_trajectory_open(const char *path, struct rill_trajectory_reader **result,
                                      struct rill_error *error) {
  RILL_H5_SECTION;
  struct rill_trajectory_reader *reader = rill_allocate(1, sizeof *reader);
  enum rill_status status;
  *result = NULL;
  if (reader != NULL) {
    reader->work.descriptor = -1;
    reader->path = rill_allocate(strlen(path) + 1, 1);
  }
  if (reader == NULL || reader->path == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  } else {
    strcpy(reader->path, path);
    reader->work.path = reader->path;
    status = rill_sandbox_open_file(path, &reader->work.descriptor, error);
  }
  if (status == RILL_OK) status = start_growing(reader, error);
  if (status == RILL_OK) *result = reader;
  else rill_trajectory_reader_close(reader);
  return status;
}

void rill_trajectory_reader_close(struct rill_trajectory_reader *reader) {
  RILL_H5_SECTION;
  if (reader == NULL) return;
  rill_sandbox_stop(reader->sandbox);
  rill_h5md_close(reader->work.file);
  if (reader->work.descriptor >= 0) close(reader->work.descriptor);
  rill_release(reader->axes.numbers);
  rill_release(reader->frames.numbers);
  rill_release(reader->at_frame);
  rill_release(reader->deck);
  rill_release(reader->path);
  rill_release(reader);
}

size_t rill_trajectory_frames(const struct rill_trajectory_reader *reader) { return reader->facts.frames; }
size_t rill_trajectory_replicas(const struct rill_trajectory_reader *reader) { return reader->facts.replicas; }
bool rill_trajectory_is_selected(const struct rill_trajectory_reader *reader) { return reader->selected; }
size_t rill_trajectory_molecules(const struct rill_trajectory_reader *reader) {
  return reader->facts.molecules / (reader->selected ? reader->facts.replicas : 1);
}
size_t rill_trajectory_replica(const struct rill_trajectory_reader *reader, size_t frame) {
  return reader->at_frame != NULL ? reader->at_frame[frame] : reader->replica;
}
bool rill_trajectory_has_velocities(const struct rill_trajectory_reader *reader) { return reader->facts.velocities; }
bool rill_trajectory_is_periodic(const struct rill_trajectory_reader *reader) { return reader->facts.periodic; }
const char *rill_trajectory_deck(const struct rill_trajectory_reader *reader) { return reader->deck; }
const char *rill_trajectory_note(const struct rill_trajectory_reader *reader) { return reader->facts.note; }
const char *rill_trajectory_creator(const struct rill_trajectory_reader *reader) { return reader->facts.creator; }
double rill_trajectory_degrees_of_freedom(const struct rill_trajectory_reader *reader) {
  return reader->facts.degrees_of_freedom;
}
double rill_trajectory_step(const struct rill_trajectory_reader *reader) { return reader->facts.step_length; }

/* --- frames ----------------------------------------------------------------------------------------------------- */

/* Sequential reading gets increasingly large batches. */
static size_t batch_count(const struct rill_trajectory_reader *reader, const struct batch *batch, size_t frame,
                          size_t numbers) {
  const size_t most = BATCH_BYTES / sizeof(double) / numbers, left = reader->facts.frames - frame;
  size_t count = batch->count > 0 && frame == batch->first + batch->count ? 2 * batch->count : 1;
  if (count > most) count = most > 0 ? most : 1;
  return count < left ? count : left;
}

/* Makes sure that the batch contains a frame. */
static enum rill_status fetch(struct rill_trajectory_reader *reader, enum what what, size_t frame, bool velocities,
                              struct rill_error *error) {
  struct batch *batch = what == AXES ? &reader->axes : &reader->frames;
  const size_t numbers = frame_numbers(&reader->facts, what, velocities);
  const void *reply;
  size_t size, count;
  if (frame >= batch->first && frame - batch->first < batch->count && (batch->velocities || !velocities))
    return RILL_OK;
  reader->request.what = what;
  reader->request.velocities = velocities;
  reader->request.first = frame;
  reader->request.count = batch_count(reader, batch, frame, numbers);
  batch->count = 0;
  RILL_TRY(ask(reader, &reply, &size, error));
  count = size / sizeof(double) / numbers;
  if (count < 1 || count > reader->request.count || size != count * numbers * sizeof(double))
    return broke_off(reader, error);
  if (batch->capacity < count * numbers) {
    rill_release(batch->numbers);
    batch->capacity = 0;
    batch->numbers = rill_allocate(count * numbers, sizeof(double));
    if (batch->numbers == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", reader->path);
    batch->capacity = count * numbers;
  }
  memcpy(batch->numbers, reply, size);
  batch->first = frame;
  batch->count = count;
  batch->velocities = velocities;
  return RILL_OK;
}

/* rill computes times from steps: if they disagree, the file is damaged. */
static enum rill_status check_own_time(const struct rill_trajectory_reader *reader, size_t frame, double step,
                                       double time, struct rill_error *error) {
  const double expected = step * reader->facts.step_length, round_off = 1e-12;
  if (!reader->facts.own || !reader->facts.times || !isfinite(time) ||
      fabs(time - expected) <= round_off * fabs(expected))
    return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu: is damaged: step %.0f at %g ps; expected %g ps",
                        reader->path, frame, step, time, expected);
}

static enum rill_status take_axes(const struct rill_trajectory_reader *reader, const struct batch *batch,
                                  size_t frame, uint64_t *step, double *time, struct rill_error *error) {
  const size_t i = frame - batch->first;
  int64_t number;
  memcpy(&number, batch->numbers + i, sizeof number);
  *time = batch->numbers[batch->count + i];
  if (number < 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu has the step %lld; expected 0 or more",
                          reader->path, frame, (long long)number);
  *step = (uint64_t)number;
  return check_own_time(reader, frame, (double)number, *time, error);
}

static enum rill_status check_frame_number(const struct rill_trajectory_reader *reader, size_t frame,
                                           struct rill_error *error) {
  if (frame < reader->facts.frames) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE, "%s: frame %zu of %zu (counted from 0)", reader->path, frame,
                        reader->facts.frames);
}

static enum rill_status check_time(const struct rill_trajectory_reader *reader, size_t frame, double time,
                                   struct rill_error *error) {
  if (!reader->facts.times || isfinite(time)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu: the time is not finite (%g)", reader->path, frame,
                        time);
}

static enum rill_status load_time(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step, double *time,
                                  struct rill_error *error) {
  RILL_TRY(check_frame_number(reader, frame, error));
  RILL_TRY(fetch(reader, AXES, frame, false, error));
  RILL_TRY(take_axes(reader, &reader->axes, frame, step, time, error));
  return check_time(reader, frame, *time, error);
}

enum rill_status rill_trajectory_time(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step,
                                      double *time, struct rill_error *error) {
  RILL_H5_SECTION;
  int again = RILL_SANDBOX_READ_AGAIN;
  enum rill_status status;
  while ((status = load_time(reader, frame, step, time, error)) != RILL_OK && again-- > 0 && is_renewed(reader))
    rill_error_clear(error);
  return status;
}

/* Loads a frame without checking that it is finite. */
static enum rill_status load_frame(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step, double *time,
                                   double *positions, double *velocities, double edges[9], struct rill_error *error) {
  const size_t all = 9 * reader->facts.molecules, numbers = 9 * rill_trajectory_molecules(reader);
  const struct batch *batch = &reader->frames;
  const double *boxes, *vectors;
  RILL_TRY(check_frame_number(reader, frame, error));
  RILL_TRY(fetch(reader, FRAMES, frame, velocities != NULL, error));
  RILL_TRY(take_axes(reader, batch, frame, step, time, error));
  boxes = batch->numbers + AXES_NUMBERS * batch->count;
  vectors = boxes + BOX_NUMBERS * batch->count + numbers * rill_trajectory_replica(reader, frame);
  memcpy(edges, boxes + BOX_NUMBERS * (frame - batch->first), BOX_NUMBERS * sizeof *edges);
  memcpy(positions, vectors + all * (frame - batch->first), numbers * sizeof *positions);
  if (velocities != NULL)
    memcpy(velocities, vectors + all * (batch->count + frame - batch->first), numbers * sizeof *velocities);
  return RILL_OK;
}

static bool are_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

/* Reports the first vector that is not finite as a fault of the frame. */
static enum rill_status check_vectors(const struct rill_trajectory_reader *reader, const char *what, size_t frame,
                                      const double *vectors, struct rill_error *error) {
  static const char *const atoms[] = {"O", "the first H", "the second H"};
  for (size_t i = 0; i < 9 * rill_trajectory_molecules(reader); i++)
    if (!isfinite(vectors[i]))
      return rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu: the %s of %s of molecule %zu is not finite (%g)",
                            reader->path, frame, what, atoms[i % 9 / 3], i / 9 + 1, vectors[i]);
  return RILL_OK;
}

/* Detects data that were overwritten with zeros: two atoms of a molecule never coincide. */
static enum rill_status check_distinct(const struct rill_trajectory_reader *reader, size_t frame,
                                       const double *positions, struct rill_error *error) {
  for (size_t m = 0; m < rill_trajectory_molecules(reader); m++) {
    const double *x = positions + 9 * m;
    if (memcmp(x, x + 3, 3 * sizeof *x) == 0 || memcmp(x, x + 6, 3 * sizeof *x) == 0 ||
        memcmp(x + 3, x + 6, 3 * sizeof *x) == 0)
      return rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu: is damaged: two atoms of molecule %zu coincide",
                            reader->path, frame, m + 1);
  }
  return RILL_OK;
}

/* Limits that no run of water exceeds, but damage or a run that exploded without [stop] does: a metre (beyond which
 * the precision of coordinates is too low for bonds), a hydrogen at 4e7 K, ten times the length of a bond. */
static const double farthest = 1e9, fastest = 1000, longest_bond = 1; /* nm, nm/ps, nm */
static const double shortest_edge = 0.01, largest_tilt = 0.505;       /* nm; of the edge */

static enum rill_status check_sizes(const struct rill_trajectory_reader *reader, const char *what, const char *unit,
                                    size_t frame, const double *vectors, double most, struct rill_error *error) {
  static const char *const atoms[] = {"O", "the first H", "the second H"};
  for (size_t i = 0; i < 9 * rill_trajectory_molecules(reader); i++)
    if (fabs(vectors[i]) > most)
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "%s: frame %zu: is impossible: the %s of %s of molecule %zu is %g %s, beyond %g %s",
                            reader->path, frame, what, atoms[i % 9 / 3], i / 9 + 1, vectors[i], unit, most, unit);
  return RILL_OK;
}

/* positions: of whole molecules. */
static enum rill_status check_bonds(const struct rill_trajectory_reader *reader, size_t frame,
                                    const double *positions, struct rill_error *error) {
  for (size_t i = 0; i < 2 * rill_trajectory_molecules(reader); i++) {
    const double *o = positions + 9 * (i / 2), *h = o + 3 * (1 + i % 2);
    const double length = hypot(hypot(h[0] - o[0], h[1] - o[1]), h[2] - o[2]);
    if (length > longest_bond)
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "%s: frame %zu: is impossible: an O-H bond of molecule %zu is %g nm long, beyond %g nm",
                            reader->path, frame, i / 2 + 1, length, longest_bond);
  }
  return RILL_OK;
}

/* Of a periodic system: a lower triangle with a positive diagonal, tilted by at most about half an edge. */
static enum rill_status check_box(const struct rill_trajectory_reader *reader, size_t frame, const double edges[9],
                                  struct rill_error *error) {
  if (!are_finite(edges, 9))
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu: the box is not finite", reader->path, frame);
  for (int i = 0; i < 9; i++)
    if (fabs(edges[i]) > farthest)
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "%s: frame %zu: is impossible: an edge of the box is %g nm, beyond %g nm", reader->path,
                            frame, edges[i], farthest);
  for (int i = 0; i < 9 && reader->facts.periodic; i++) {
    const int row = i / 3, column = i % 3;
    const bool possible = row == column  ? edges[i] > shortest_edge
                          : row < column ? fabs(edges[i]) <= 1e-6 * edges[4 * row]
                                         : fabs(edges[i]) <= largest_tilt * edges[4 * column];
    if (!possible)
      return rill_error_set(
          error, RILL_ERROR_INPUT,
          "%s: frame %zu: is impossible: box vector %c has %c = %g nm; expected a.x, b.y and c.z of "
          "%g nm or more, nothing above them, and tilts of at most half an edge",
          reader->path, frame, "abc"[row], "xyz"[column], edges[i], shortest_edge);
  }
  return RILL_OK;
}

/* Checks a frame, and makes broken molecules whole. */
static enum rill_status check_frame(const struct rill_trajectory_reader *reader, size_t frame, double time,
                                    double *positions, const double *velocities, const double edges[9],
                                    struct rill_error *error) {
  RILL_TRY(check_time(reader, frame, time, error));
  RILL_TRY(check_vectors(reader, "position", frame, positions, error));
  RILL_TRY(check_distinct(reader, frame, positions, error));
  if (velocities != NULL) RILL_TRY(check_vectors(reader, "velocity", frame, velocities, error));
  RILL_TRY(check_box(reader, frame, edges, error));
  RILL_TRY(check_sizes(reader, "position", "nm", frame, positions, farthest, error));
  if (velocities != NULL) RILL_TRY(check_sizes(reader, "velocity", "nm/ps", frame, velocities, fastest, error));
  if (reader->facts.periodic && !reader->facts.own)
    rill_atoms_make_whole(positions, rill_trajectory_molecules(reader), edges);
  return check_bonds(reader, frame, positions, error);
}

/* Loads and checks a frame; damage: its fault. */
static enum rill_status examine_frame(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step,
                                      double *time, double *positions, double *velocities, double edges[9],
                                      struct rill_error *damage, struct rill_error *error) {
  int again = RILL_SANDBOX_READ_AGAIN;
  enum rill_status status;
  do {
    rill_error_clear(damage);
    rill_error_clear(error);
    status = load_frame(reader, frame, step, time, positions, velocities, edges, error);
    if (status == RILL_OK && check_frame(reader, frame, *time, positions, velocities, edges, damage) == RILL_OK)
      return RILL_OK;
  } while (again-- > 0 && is_renewed(reader));
  return status;
}

enum rill_status rill_trajectory_read(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step,
                                      double *time, double *positions, double *velocities, double *box,
                                      struct rill_error *error) {
  RILL_H5_SECTION;
  struct rill_error damage = {0};
  double edges[9];
  if (velocities != NULL && !reader->facts.velocities)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: has no velocities", reader->path);
  RILL_TRY(examine_frame(reader, frame, step, time, positions, velocities, edges, &damage, error));
  if (damage.status != RILL_OK) {
    *error = damage;
    return damage.status;
  }
  if (box != NULL) memcpy(box, edges, sizeof edges);
  return RILL_OK;
}

enum rill_status rill_trajectory_survey(struct rill_trajectory_reader *reader, struct rill_trajectory_survey *survey,
                                        struct rill_error *error) {
  RILL_H5_SECTION;
  const size_t numbers = 9 * rill_trajectory_molecules(reader);
  double *positions = rill_allocate(2 * numbers, sizeof *positions), time = NAN, before = NAN, box[9], first[9];
  double *velocities = positions != NULL && reader->facts.velocities ? positions + numbers : NULL;
  enum rill_status status = RILL_OK;
  uint64_t step = 0, last = 0;
  memset(survey, 0, sizeof *survey);
  if (positions == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", reader->path);
  for (size_t frame = 0; frame < reader->facts.frames && status == RILL_OK; frame++) {
    struct rill_error damage = {0};
    status = examine_frame(reader, frame, &step, &time, positions, velocities, box, &damage, error);
    if (status != RILL_OK) break;
    if (damage.status != RILL_OK && survey->damaged++ == 0) survey->first_damage = damage;
    if (frame > 0 && (step <= last || time < before) && survey->disordered++ == 0) survey->first_disordered = frame;
    if (frame == 0) memcpy(first, box, sizeof box);
    survey->box_changes = survey->box_changes || memcmp(first, box, sizeof box) != 0;
    last = step;
    before = time;
  }
  rill_release(positions);
  return status;
}

/* --- tables ----------------------------------------------------------------------------------------------------- */

/* Appends a name to those of the request. */
static bool put_name(struct request *request, size_t *end, const char *name) {
  const size_t length = strlen(name) + 1;
  if (length > NAMES_MOST - *end) return false;
  memcpy(request->names + *end, name, length);
  *end += length;
  return true;
}

enum rill_status rill_trajectory_read_table(struct rill_trajectory_reader *reader, const char *table, size_t *rows,
                                            size_t *columns, double **values, struct rill_error *error) {
  RILL_H5_SECTION;
  const void *reply;
  size_t size, end = 0;
  double width = 0;
  *values = NULL;
  (void)put_name(&reader->request, &end, table);
  reader->request.what = TABLE;
  RILL_TRY(ask(reader, &reply, &size, error));
  if (size >= sizeof width) memcpy(&width, reply, sizeof width);
  if (!(width >= 1) || width > (double)size) return broke_off(reader, error);
  *columns = (size_t)width;
  *rows = (size / sizeof(double) - 1) / *columns;
  *values = rill_allocate(*rows * *columns, sizeof **values);
  if (*values == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", reader->path);
  memcpy(*values, (const char *)reply + sizeof width, *rows * *columns * sizeof **values);
  return RILL_OK;
}

enum rill_status rill_trajectory_read_columns(struct rill_trajectory_reader *reader, const char *table, size_t count,
                                              const char *const *names, size_t *rows, double **values,
                                              struct rill_error *error) {
  RILL_H5_SECTION;
  const void *reply;
  size_t size, end = 0;
  bool fit = put_name(&reader->request, &end, table);
  *values = NULL;
  *rows = 0;
  for (size_t i = 0; i < count; i++) fit = fit && put_name(&reader->request, &end, names[i]);
  if (!fit || count < 1)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: cannot look for %zu columns", reader->path, count);
  reader->request.what = COLUMNS;
  reader->request.count = count;
  RILL_TRY(ask(reader, &reply, &size, error));
  *rows = size / sizeof(double) / count;
  *values = rill_allocate(count * *rows, sizeof **values);
  if (*values == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory for %zu rows", reader->path, *rows);
  memcpy(*values, reply, count * *rows * sizeof **values);
  return RILL_OK;
}

/* --- replicas --------------------------------------------------------------------------------------------------- */

enum rill_status rill_trajectory_select_replica(struct rill_trajectory_reader *reader, size_t replica,
                                                struct rill_error *error) {
  if (replica >= reader->facts.replicas)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has %zu replica%s (0 to %zu); replica %zu is not among them",
                          reader->path, reader->facts.replicas, reader->facts.replicas == 1 ? "" : "s",
                          reader->facts.replicas - 1, replica);
  reader->selected = true;
  reader->replica = replica;
  return RILL_OK;
}

/* The rung whose temperature is that, but for rounding in what was typed. */
static enum rill_status find_rung(struct rill_trajectory_reader *reader, double temperature, size_t *rungs,
                                  size_t *rung, struct rill_error *error) {
  static const double rounding = 5e-3;
  double *ladder;
  size_t columns, nearest = 0;
  RILL_TRY(rill_trajectory_read_table(reader, "ladder", rungs, &columns, &ladder, error));
  for (size_t i = 1; i < *rungs; i++)
    if (fabs(ladder[i * columns] - temperature) < fabs(ladder[nearest * columns] - temperature)) nearest = i;
  if (*rungs == 0 || !(fabs(ladder[nearest * columns] - temperature) <= rounding * temperature))
    rill_error_set(error, RILL_ERROR_INPUT, "%s has no temperature of %g K; the nearest is %.6g K", reader->path,
                   temperature, *rungs > 0 ? ladder[nearest * columns] : NAN);
  rill_release(ladder);
  *rung = nearest;
  return error->status;
}

/* Finds the replica that has the temperature at each frame. */
static enum rill_status follow_rung(struct rill_trajectory_reader *reader, size_t first, size_t rungs, size_t rung,
                                    struct rill_error *error) {
  double *table;
  size_t rows, columns;
  RILL_TRY(rill_trajectory_read_table(reader, "rung", &rows, &columns, &table, error));
  rill_release(reader->at_frame);
  reader->at_frame = rill_allocate(reader->facts.frames, sizeof *reader->at_frame);
  if (reader->at_frame == NULL) rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", reader->path);
  else if (rows < reader->facts.frames || columns != reader->facts.replicas) (void)broke_off(reader, error);
  for (size_t f = 0; error->status == RILL_OK && f < reader->facts.frames; f++) {
    size_t r = first;
    while (r < first + rungs && table[f * columns + r] != (double)rung) r++;
    if (r < first + rungs) reader->at_frame[f] = r;
    else
      rill_error_set(error, RILL_ERROR_INPUT, "%s: frame %zu: no replica of ladder %zu is at that temperature",
                     reader->path, f, first / rungs);
  }
  rill_release(table);
  return error->status;
}

enum rill_status rill_trajectory_ladders(struct rill_trajectory_reader *reader, size_t *ladders,
                                         struct rill_error *error) {
  RILL_H5_SECTION;
  size_t rungs, columns;
  double *ladder;
  *ladders = 1;
  if (reader->facts.replicas == 1) return RILL_OK;
  RILL_TRY(rill_trajectory_read_table(reader, "ladder", &rungs, &columns, &ladder, error));
  rill_release(ladder);
  if (rungs == 0 || reader->facts.replicas % rungs != 0) return broke_off(reader, error);
  *ladders = reader->facts.replicas / rungs;
  return RILL_OK;
}

enum rill_status rill_trajectory_select_temperature(struct rill_trajectory_reader *reader, double temperature,
                                                    size_t ladder, struct rill_error *error) {
  RILL_H5_SECTION;
  size_t rungs, rung;
  RILL_TRY(find_rung(reader, temperature, &rungs, &rung, error));
  if ((ladder + 1) * rungs > reader->facts.replicas)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has %zu ladder%s (0 to %zu); ladder %zu is not among them",
                          reader->path, reader->facts.replicas / rungs,
                          reader->facts.replicas / rungs == 1 ? "" : "s", reader->facts.replicas / rungs - 1, ladder);
  RILL_TRY(follow_rung(reader, ladder * rungs, rungs, rung, error));
  reader->selected = true;
  return RILL_OK;
}

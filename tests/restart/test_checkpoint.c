/* Checkpoints as files: what is written comes back; what is damaged, cut off or of another program is refused; the
 * one before stands in.  Output files: killed at every single write after a checkpoint, they are put back and end as
 * the same bytes. Cases E03, E05, E06, F01. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "base/archive.h"
#include "base/memory.h"
#include "output/checkpoint.h"
#include "output/series.h"
#include "output/series_file.h"
#include "output/trajectory.h"
#include "suite.h"

static struct rill_error error;
static char directory[256];

static const char *in_directory(const char *name) {
  static char paths[8][512];
  static unsigned at;
  char *path = paths[at++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", directory, name);
  return path;
}

static void assert_ok(enum rill_status status) { ck_assert_msg(status == RILL_OK, "%s", error.text); }
static void assert_says(enum rill_status status, const char *fragment) {
  ck_assert_int_eq(status, RILL_ERROR_INPUT);
  ck_assert_msg(strstr(error.text, fragment) != NULL, "no '%s' in: %s", fragment, error.text);
}

static unsigned char *read_bytes(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  unsigned char *bytes;
  ck_assert_msg(file != NULL, "%s", path);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  bytes = malloc(*length + 1);
  ck_assert_uint_eq(fread(bytes, 1, *length, file), *length);
  fclose(file);
  return bytes;
}

static void write_bytes(const char *path, const void *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
  ck_assert_int_eq(fclose(file), 0);
}

static bool same_files(const char *a, const char *b) {
  size_t length, other;
  unsigned char *one = read_bytes(a, &length), *two = read_bytes(b, &other);
  bool same = length == other && memcmp(one, two, length) == 0;
  free(one);
  free(two);
  return same;
}

/* --- archives
 * -------------------------------------------------------------------------------------------------------- */

struct thing {
  double q[5];
  uint64_t big;
  unsigned few;
  size_t size;
  bool on;
};

static void archive_thing(struct thing *thing, struct rill_archive *archive) {
  rill_archive_enter(archive, "outer");
  rill_archive_enter(archive, "inner");
  rill_archive_reals(archive, "q", thing->q, 5);
  rill_archive_leave(archive);
  rill_archive_integers(archive, "big", &thing->big, 1);
  rill_archive_leave(archive);
  rill_archive_count(archive, "few", &thing->few);
  rill_archive_size(archive, "size", &thing->size);
  rill_archive_switch(archive, "on", &thing->on);
}

START_TEST(arrays_come_back) {
  struct thing thing = {{1, -0.0, 1e-310, 3, 0.1}, UINT64_MAX, 7, 1u << 20, true}, back = {{0}, 0, 0, 0, false};
  struct rill_archive written = {0}, read;
  double other[4];
  unsigned few;
  size_t count;
  archive_thing(&thing, &written);
  assert_ok(rill_archive_status(&written, &error));
  assert_ok(rill_archive_open(written.bytes, written.length, &read, &error));
  archive_thing(&back, &read);
  assert_ok(rill_archive_status(&read, &error));
  ck_assert_mem_eq(thing.q, back.q, sizeof thing.q);
  ck_assert(back.big == thing.big && back.few == thing.few && back.size == thing.size && back.on);
  ck_assert_ptr_nonnull(rill_archive_find(&read, "outer/inner/q", RILL_ARCHIVE_REALS, &count));
  ck_assert_uint_eq(count, 5);
  ck_assert_ptr_null(rill_archive_find(&read, "outer/inner/q", RILL_ARCHIVE_INTEGERS, &count));
  /* The first fault is reported, and stops all else. */
  rill_archive_reals(&read, "outer/inner/q", other, 4);
  rill_archive_count(&read, "nothing", &few);
  assert_says(rill_archive_status(&read, &error), "outer/inner/q has 5 numbers where 4 are expected");
  rill_archive_release(&read);
  assert_ok(rill_archive_open(written.bytes, written.length, &read, &error));
  rill_archive_enter(&read, "outer");
  rill_archive_count(&read, "big", &few);
  assert_says(rill_archive_status(&read, &error), "outer/big is 18446744073709551615; expected at most");
  rill_archive_release(&read);
  rill_archive_release(&written);
}
END_TEST

/* Arrays that are filled in place are those that are copied, in archives that grow beyond their first memory. */
START_TEST(arrays_are_filled_in_place) {
  enum { COUNT = 5000, ROWS = 7 };
  static double rows[ROWS][COUNT];
  struct rill_archive copied = {0}, filled = {0};
  unsigned char *items;
  for (size_t k = 0; k < ROWS; k++)
    for (size_t i = 0; i < COUNT; i++) rows[k][i] = (double)(COUNT * k + i);
  rill_archive_enter(&copied, "group");
  rill_archive_enter(&filled, "group");
  for (int copy = 0; copy < 3; copy++) {
    rill_archive_reals(&copied, "rows", &rows[0][0], COUNT * ROWS);
    items = rill_archive_reserve_reals(&filled, "rows", COUNT * ROWS);
    ck_assert_ptr_nonnull(items);
    for (size_t k = ROWS; k-- > 0;) memcpy(items + k * sizeof rows[k], rows[k], sizeof rows[k]);
  }
  ck_assert_uint_eq(filled.length, copied.length);
  ck_assert_mem_eq(filled.bytes, copied.bytes, copied.length);
  rill_archive_fail(&filled, RILL_ERROR_INPUT, "a fault");
  ck_assert_ptr_null(rill_archive_reserve_reals(&filled, "rows", 1));
  ck_assert_uint_eq(filled.length, copied.length);
  rill_archive_release(&copied);
  rill_archive_release(&filled);
}
END_TEST

/* Each byte of an archive changed to some others: what is opened is safe to look through. */
START_TEST(hostile_archives) {
  struct thing thing = {{0}, 1, 2, 3, true};
  struct rill_archive written = {0}, read;
  size_t refused = 0, count;
  unsigned char *bytes;
  archive_thing(&thing, &written);
  bytes = malloc(written.length); /* its own, so that a sanitizer sees reads behind it */
  for (size_t i = 0; i < written.length; i++)
    for (int change = 1; change < 256; change *= 2) {
      memcpy(bytes, written.bytes, written.length);
      bytes[i] ^= (unsigned char)change;
      if (rill_archive_open(bytes, written.length, &read, &error) != RILL_OK) {
        refused++;
        continue;
      }
      const double *q = rill_archive_find(&read, "outer/inner/q", RILL_ARCHIVE_REALS, &count);
      ck_assert(q == NULL || (const unsigned char *)q + 8 * count <= bytes + written.length);
      archive_thing(&thing, &read);
      (void)rill_archive_status(&read, &error);
      rill_archive_release(&read);
    }
  ck_assert_uint_gt(refused, 100);
  for (size_t length = 0; length < written.length; length++) {
    unsigned char *cut = malloc(length + 1);
    memcpy(cut, written.bytes, length);
    if (rill_archive_open(cut, length, &read, &error) == RILL_OK) rill_archive_release(&read);
    free(cut);
  }
  free(bytes);
  rill_archive_release(&written);
}
END_TEST

/* --- checkpoints
 * ----------------------------------------------------------------------------------------------------- */

static void write_checkpoint(const char *path, uint64_t step, size_t numbers) {
  struct rill_checkpoint facts = {.version = "1.2.3",
                                  .kind = "water",
                                  .kernel = "avx2",
                                  .deck = "[system]\nkind = water\n",
                                  .step = step,
                                  .step_length = 0.002};
  struct rill_archive archive;
  double *values = rill_allocate(numbers, sizeof *values);
  for (size_t i = 0; i < numbers; i++) values[i] = (double)i + (double)step;
  rill_checkpoint_begin(&archive, &facts);
  rill_archive_reals(&archive, "values", values, numbers);
  assert_ok(rill_checkpoint_write(path, true, &archive, step == 3, &error));
  rill_archive_release(&archive);
  rill_release(values);
}

static uint64_t step_of(const char *path, bool *stands_in) {
  struct rill_checkpoint checkpoint;
  struct rill_error fault;
  bool missing;
  uint64_t step;
  assert_ok(rill_checkpoint_load(path, &checkpoint, &missing, &fault, &error));
  step = checkpoint.step;
  *stands_in = checkpoint.stands_in;
  rill_checkpoint_release(&checkpoint);
  return step;
}

START_TEST(checkpoints_come_back) {
  struct rill_checkpoint checkpoint;
  const char *path = in_directory("back.checkpoint");
  double values[10];
  write_checkpoint(path, UINT64_C(18446744073709551557), 10);
  ck_assert(rill_checkpoint_is(path));
  assert_ok(rill_checkpoint_read(path, &checkpoint, &error));
  ck_assert_str_eq(checkpoint.version, "1.2.3");
  ck_assert_str_eq(checkpoint.kind, "water");
  ck_assert_str_eq(checkpoint.kernel, "avx2");
  ck_assert_str_eq(checkpoint.deck, "[system]\nkind = water\n");
  ck_assert_uint_eq(checkpoint.step, UINT64_C(18446744073709551557));
  ck_assert_double_eq(checkpoint.step_length, 0.002);
  ck_assert(!checkpoint.complete);
  rill_archive_reals(&checkpoint.archive, "values", values, 10);
  assert_ok(rill_archive_status(&checkpoint.archive, &error));
  rill_checkpoint_release(&checkpoint);
}
END_TEST

/* Every bit of the file turned, and every length: nothing passes, and each has a message. */
START_TEST(damaged_checkpoints_are_refused) {
  const char *path = in_directory("damaged.checkpoint");
  struct rill_checkpoint checkpoint;
  size_t length;
  unsigned char *bytes;
  write_checkpoint(path, 5, 20);
  bytes = read_bytes(path, &length);
  assert_ok(rill_checkpoint_parse(bytes, length, &checkpoint, &error));
  rill_checkpoint_release(&checkpoint);
  for (size_t i = 0; i < length; i++)
    for (int bit = 0; bit < 8; bit++) {
      bytes[i] ^= (unsigned char)(1 << bit);
      if (rill_checkpoint_parse(bytes, length, &checkpoint, &error) != RILL_ERROR_INPUT || error.length < 10)
        ck_abort_msg("byte %zu, bit %d: %s", i, bit, error.text);
      bytes[i] ^= (unsigned char)(1 << bit);
    }
  for (size_t cut = 0; cut < length; cut++) {
    unsigned char *part = malloc(cut + 1);
    memcpy(part, bytes, cut);
    ck_assert_int_eq(rill_checkpoint_parse(part, cut, &checkpoint, &error), RILL_ERROR_INPUT);
    free(part);
  }
  write_bytes(path, "hello", 5);
  assert_says(rill_checkpoint_read(path, &checkpoint, &error), "not a checkpoint");
  ck_assert(!rill_checkpoint_is(path));
  assert_says(rill_checkpoint_read(directory, &checkpoint, &error), "checkpoint ");
  assert_says(rill_checkpoint_read(in_directory("nowhere"), &checkpoint, &error), "No such file");
  free(bytes);
}
END_TEST

/* With a checksum that fits: lengths that lie are found before any of them is believed. */
START_TEST(lying_checkpoints_are_refused) {
  const char *path = in_directory("lying.checkpoint");
  struct rill_checkpoint checkpoint;
  size_t length, refused = 0;
  unsigned char *bytes;
  write_checkpoint(path, 5, 4);
  bytes = read_bytes(path, &length);
  for (size_t i = 16; i < length; i++)
    for (int change = 1; change < 256; change = 2 * change + 1) {
      uint64_t sum;
      if (i >= 32 && i < 40) continue;
      bytes[i] ^= (unsigned char)change;
      sum = crc32_z(crc32_z(0, bytes, 32), bytes + 40, length - 40);
      memcpy(bytes + 32, &sum, sizeof sum);
      if (rill_checkpoint_parse(bytes, length, &checkpoint, &error) != RILL_OK) refused++;
      else rill_checkpoint_release(&checkpoint);
      bytes[i] ^= (unsigned char)change;
    }
  ck_assert_uint_gt(refused, 500);
  /* Another format is named as such. */
  bytes[16] = 99;
  assert_says(rill_checkpoint_parse(bytes, length, &checkpoint, &error), "its format is 99");
  free(bytes);
}
END_TEST

/* E05.  The one before the newest is kept, each time anew; a torn newest falls back to it, whatever is left of it. */
START_TEST(the_one_before_stands_in) {
  const char *path = in_directory("two.checkpoint");
  bool stands_in;
  size_t length;
  unsigned char *bytes;
  for (uint64_t step = 1; step <= 3; step++) write_checkpoint(path, step, 100);
  ck_assert_uint_eq(step_of(path, &stands_in), 3);
  ck_assert(!stands_in);
  bytes = read_bytes(path, &length);
  for (size_t cut = 0; cut < length; cut += 1 + cut / 7) {
    write_bytes(path, bytes, cut);
    ck_assert_uint_eq(step_of(path, &stands_in), 2);
    ck_assert(stands_in);
  }
  unlink(path);
  ck_assert_uint_eq(step_of(path, &stands_in), 2);
  ck_assert(stands_in);
  free(bytes);
}
END_TEST

/* A disk that is full: a message, and everything is as before. */
START_TEST(full_disks_keep_the_old_one) {
  glob_t left;
  const char *path = in_directory("full.checkpoint");
  struct rill_checkpoint facts = {.deck = "", .step = 9};
  struct rill_archive archive;
  struct rlimit limit, small;
  enum rill_status status;
  bool stands_in;
  static double values[10000];
  signal(SIGXFSZ, SIG_IGN);
  write_checkpoint(path, 7, 10);
  rill_checkpoint_begin(&archive, &facts);
  rill_archive_reals(&archive, "values", values, 10000);
  getrlimit(RLIMIT_FSIZE, &limit);
  small = limit;
  small.rlim_cur = 20000;
  setrlimit(RLIMIT_FSIZE, &small);
  status = rill_checkpoint_write(path, true, &archive, false, &error);
  setrlimit(RLIMIT_FSIZE, &limit);
  rill_archive_release(&archive);
  ck_assert_int_eq(status, RILL_ERROR_WRITE);
  ck_assert_msg(strstr(error.text, "File too large") != NULL && strstr(error.text, "is kept") != NULL, "%s",
                error.text);
  ck_assert_uint_eq(step_of(path, &stands_in), 7);
  ck_assert(!stands_in);
  ck_assert_int_ne(glob(in_directory("full.checkpoint.*.part"), 0, NULL, &left), 0);
}
END_TEST

/* --- files that are put back
 * ----------------------------------------------------------------------------------------- */

/* The linker puts this in the place of the library's pwrite: after this many writes the process is killed in the
 * midst of one, or, when they are not torn, before it. */
static long writes_left = -1;
static bool torn = true;
ssize_t __real_pwrite(int descriptor, const void *bytes, size_t size, off_t address);
ssize_t __wrap_pwrite(int descriptor, const void *bytes, size_t size, off_t address);
ssize_t __wrap_pwrite(int descriptor, const void *bytes, size_t size, off_t address) {
  if (writes_left == 0) {
    if (torn) (void)!__real_pwrite(descriptor, bytes, size / 2, address);
    kill(getpid(), SIGKILL);
  }
  if (writes_left > 0) writes_left--;
  return __real_pwrite(descriptor, bytes, size, address);
}

/* A job that writes rows, and can be saved after some and resumed: a trajectory with a table, a series of a small
 * system, or a CSV. */
struct job {
  const char *file;
  void *(*open)(const struct job *job, const char *path, struct rill_archive *archive, const char *deck);
  void (*write)(void *writer, size_t row);
  void (*keep)(void *writer, struct rill_archive *archive);
  void (*close)(void *writer);
  size_t molecules, kept, rows;
};

enum { MOLECULES_MOST = 1900, COLUMNS = 40 };
static const double mass[3] = {16, 1, 1}, charge[3] = {-1, 0.5, 0.5};
static double positions[9 * MOLECULES_MOST], velocities[9 * MOLECULES_MOST];
static const char *const words[COLUMNS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n",
                                           "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z", "1", "2",
                                           "3", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D", "E"};

static struct rill_table table_of(size_t rows, const double *values) {
  return (struct rill_table){.name = "series",
                             .rows = rows,
                             .columns = COLUMNS,
                             .column_names = words,
                             .column_units = words,
                             .values = values,
                             .description = "numbers"};
}

static void *open_trajectory(const struct job *job, const char *path, struct rill_archive *archive,
                             const char *deck) {
  struct rill_trajectory_header header = {.molecules = job->molecules,
                                          .mass = mass,
                                          .charge = charge,
                                          .periodic = true,
                                          .version = "1",
                                          .deck = deck,
                                          .deck_room = 100,
                                          .step = 0.5,
                                          .velocities = true,
                                          .replace = true};
  struct rill_table table = table_of(0, NULL);
  struct rill_trajectory_writer *writer = NULL;
  if (archive != NULL) {
    assert_ok(rill_trajectory_resume(path, &header, archive, &writer, &error));
    return writer;
  }
  assert_ok(rill_trajectory_create(path, &header, &writer, &error));
  assert_ok(rill_trajectory_append_table(writer, &table, &error));
  return writer;
}

static void write_trajectory(void *writer, size_t row) {
  static double values[16 * COLUMNS];
  const double box[9] = {2 + (double)row, 0, 0, 0, 3, 0, 0, 0, 4};
  struct rill_trajectory_frame frame = {row, 0.5 * (double)row, positions, velocities, box};
  struct rill_table table = table_of(16, values);
  for (size_t i = 0; i < 63; i++) positions[i] = velocities[62 - i] = (double)(row * 63 + i);
  assert_ok(rill_trajectory_append(writer, &frame, &error));
  if (row % 16 != 15) return;
  for (size_t i = 0; i < 16 * COLUMNS; i++) values[i] = (double)(row + i);
  assert_ok(rill_trajectory_append_table(writer, &table, &error));
}

static void keep_trajectory(void *writer, struct rill_archive *archive) {
  assert_ok(rill_trajectory_keep(writer, archive, &error));
}

/* As a run does at its end: what is left of the table. */
static void close_trajectory(void *writer) {
  static const double values[3 * COLUMNS] = {1};
  struct rill_table table = table_of(3, values);
  assert_ok(rill_trajectory_append_table(writer, &table, &error));
  assert_ok(rill_trajectory_close(writer, &error));
}

static void *open_small(const struct job *job, const char *path, struct rill_archive *archive, const char *deck) {
  struct rill_series_file_header header = {.n = job->molecules,
                                           .m = 3,
                                           .positions = true,
                                           .system = "s",
                                           .method = "m",
                                           .version = "1",
                                           .deck = deck,
                                           .deck_room = 100,
                                           .units = "SI",
                                           .time_unit = "s",
                                           .step = 0.5,
                                           .replace = true};
  struct rill_series_file *file = NULL;
  assert_ok(archive != NULL ? rill_series_file_resume(path, &header, archive, &file, &error)
                            : rill_series_file_create(path, &header, &file, &error));
  return file;
}

static void write_small(void *file, size_t row) {
  struct rill_series_frame frame = {.step = row,
                                    .time = 0.5 * (double)row,
                                    .q = positions,
                                    .p = velocities,
                                    .position = positions,
                                    .multiplier = velocities,
                                    .energy = {(double)row},
                                    .iterations = 2};
  positions[0] = (double)row;
  assert_ok(rill_series_file_append(file, &frame, &error));
}

static void keep_small(void *file, struct rill_archive *archive) {
  assert_ok(rill_series_file_keep(file, archive, &error));
}
static void close_small(void *file) { assert_ok(rill_series_file_close(file, &error)); }

static void *open_csv(const struct job *job, const char *path, struct rill_archive *archive, const char *deck) {
  struct rill_series *series = NULL;
  (void)job;
  assert_ok(archive != NULL ? rill_series_resume(path, deck, 3, words, words, NULL, 0, archive, &series, &error)
                            : rill_series_create(path, true, deck, 3, words, words, &series, &error));
  return series;
}

static void write_csv(void *series, size_t row) {
  const double values[3] = {(double)row, 1.0 / (double)(row + 1), -(double)row};
  assert_ok(rill_series_append(series, values, &error));
}

static void keep_csv(void *series, struct rill_archive *archive) {
  assert_ok(rill_series_keep(series, 0, archive, &error));
}
static void close_csv(void *series) { assert_ok(rill_series_close(series, &error)); }

static const struct job jobs[] = {
    {"frames.h5md", open_trajectory, write_trajectory, keep_trajectory, close_trajectory, 7, 37, 300},
    /* A chunk a frame, so that index nodes split behind the checkpoint. */
    {"large.h5md", open_trajectory, write_trajectory, keep_trajectory, close_trajectory, MOLECULES_MOST, 62, 70},
    {"small.h5", open_small, write_small, keep_small, close_small, 4, 37, 3000},
    {"rows.csv", open_csv, write_csv, keep_csv, close_csv, 0, 37, 100},
};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

static void run_on(const struct job *job, void *writer, size_t from, size_t to) {
  for (size_t row = from; row < to; row++) job->write(writer, row);
}

/* The whole job in one go, kept after `kept` rows into an archive file; killed at a write after that when kill_at >=
 * 0. */
static void run_whole(const struct job *job, const char *path, const char *deck, size_t rows, long kill_at) {
  struct rill_archive archive = {0};
  void *writer = job->open(job, path, NULL, deck);
  run_on(job, writer, 0, job->kept);
  job->keep(writer, &archive);
  assert_ok(rill_archive_status(&archive, &error));
  write_bytes(in_directory("archive"), archive.bytes, archive.length);
  rill_archive_release(&archive);
  writes_left = kill_at;
  run_on(job, writer, job->kept, rows);
  job->close(writer);
  writes_left = -1;
}

static void go_on(const struct job *job, const char *path, const char *deck, size_t rows) {
  struct rill_archive archive;
  size_t length;
  unsigned char *bytes = read_bytes(in_directory("archive"), &length);
  void *writer;
  assert_ok(rill_archive_open(bytes, length, &archive, &error));
  writer = job->open(job, path, &archive, deck);
  run_on(job, writer, job->kept, rows);
  job->close(writer);
  rill_archive_release(&archive);
  free(bytes);
}

static const char *path_of(const struct job *job, const char *prefix) {
  char name[64];
  snprintf(name, sizeof name, "%s-%s", prefix, job->file);
  return in_directory(name);
}

/* Killed at a write after the checkpoint: every one of the first hundred, then some.  The run that goes on ends with
 * the same file.  What a kill leaves behind the checkpoint, torn index nodes too, does not matter. */
START_TEST(killed_files_are_put_back) {
  const struct job *job = &jobs[_i];
  size_t kills = 0;
  int result = 1;
  run_whole(job, path_of(job, "whole"), "deck", job->rows, -1);
  for (long kill_at = 0; result != 0; kill_at += kill_at < 100 ? 1 : 41) {
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
      run_whole(job, path_of(job, "cut"), "deck", job->rows, kill_at);
      _exit(0);
    }
    waitpid(child, &result, 0);
    ck_assert(result == 0 || (WIFSIGNALED(result) && WTERMSIG(result) == SIGKILL));
    go_on(job, path_of(job, "cut"), "deck", job->rows);
    if (!same_files(path_of(job, "whole"), path_of(job, "cut")))
      ck_abort_msg("%s: killed at write %ld", job->file, kill_at);
    kills += result != 0;
  }
  if (job->molecules > 0) ck_assert_uint_gt(kills, 20);
}
END_TEST

/* A continuation with another deck that is killed before its first checkpoint: the same archive has to do once more.
 */
START_TEST(twice_gone_on_with) {
  const struct job *job = &jobs[_i];
  const char *whole = path_of(job, "once"), *parts = path_of(job, "twice");
  run_whole(job, whole, "steps = 1000 and more", job->rows, -1);
  run_whole(job, parts, "steps = 10", job->kept + 5, -1);
  go_on(job, parts, "steps = 1000 and more", job->kept + 3);
  go_on(job, parts, "steps = 1000 and more", job->rows);
  ck_assert(same_files(whole, parts));
}
END_TEST

/* Reads a dataset, and takes the least and the largest number of rows of particles' or a series' that grow. */
static herr_t read_dataset(hid_t file, const char *name, const H5O_info_t *info, void *range) {
  const bool counts = strncmp(name, "particles/", 10) == 0 || strncmp(name, "series/", 7) == 0;
  hsize_t *rows = range, extent[4], most[4];
  hid_t dataset, space, type;
  void *values;
  if (info->type != H5O_TYPE_DATASET) return 0;
  dataset = H5Dopen2(file, name, H5P_DEFAULT);
  space = H5Dget_space(dataset);
  type = H5Dget_type(dataset);
  if (H5Sget_simple_extent_dims(space, extent, most) > 0 && most[0] == H5S_UNLIMITED) {
    values = malloc((size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type) + 1);
    ck_assert_ptr_nonnull(values);
    ck_assert_msg(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, "%s: %d rows", name,
                  (int)extent[0]);
    free(values);
    if (counts && extent[0] < rows[0]) rows[0] = extent[0];
    if (counts && extent[0] > rows[1]) rows[1] = extent[0];
  }
  H5Tclose(type);
  H5Sclose(space);
  return H5Dclose(dataset);
}

static hsize_t rows_of(hid_t file, const char *name) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  const hssize_t rows = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  H5Dclose(dataset);
  return (hsize_t)rows;
}

/* Killed at each write while a file is put back to what the checkpoint holds: all rows that the checkpoint counts can
 * be read, and those that are left behind them.  Those of frames change at once; a series has no more times than
 * rows. */
START_TEST(files_are_readable_while_they_are_put_back) {
  const struct job *job = &jobs[_i];
  const char *later = path_of(job, "later"), *cut = path_of(job, "back");
  size_t length, tried = 0;
  unsigned char *bytes;
  int result = 1;
  if (job->molecules == 0) return; /* a CSV is cut at once */
  run_whole(job, later, "deck", job->rows, -1);
  bytes = read_bytes(later, &length);
  for (long kill_at = 0; result != 0; kill_at++, tried++) {
    hsize_t rows[2] = {UINT64_MAX, 0};
    pid_t child;
    hid_t file;
    write_bytes(cut, bytes, length);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
      torn = false; /* a page is written whole, or not */
      writes_left = kill_at;
      go_on(job, cut, "deck", job->kept);
      _exit(0);
    }
    waitpid(child, &result, 0);
    ck_assert(result == 0 || (WIFSIGNALED(result) && WTERMSIG(result) == SIGKILL));
    file = H5Fopen(cut, H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_msg(file >= 0, "killed at write %ld", kill_at);
    ck_assert_int_ge(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, read_dataset, rows), 0);
    ck_assert_uint_ge(rows[0], job->kept);
    ck_assert_uint_le(rows[1], job->rows);
    if (H5Lexists(file, "series", H5P_DEFAULT) > 0) rows[1] = rows_of(file, "series/t");
    ck_assert_msg(rows[0] == rows[1], "killed at write %ld: from %d to %d rows", kill_at, (int)rows[0], (int)rows[1]);
    H5Fclose(file);
  }
  ck_assert_uint_gt(tried, 3);
  free(bytes);
}
END_TEST

/* Whatever a killed run left behind what the checkpoint names is cut off, and does not show in gaps that nobody
 * writes. */
START_TEST(what_was_written_later_is_cut) {
  enum { LATER = 100000 };
  const struct job *job = &jobs[_i];
  const char *whole = path_of(job, "clean"), *parts = path_of(job, "longer-cut");
  size_t length;
  unsigned char *bytes;
  run_whole(job, whole, "deck", job->rows, -1);
  run_whole(job, parts, "deck", job->kept + 1, -1);
  bytes = read_bytes(parts, &length);
  bytes = realloc(bytes, length + LATER);
  ck_assert_ptr_nonnull(bytes);
  memset(bytes + length, 0xaa, LATER);
  write_bytes(parts, bytes, length + LATER);
  free(bytes);
  go_on(job, parts, "deck", job->rows);
  ck_assert(same_files(whole, parts));
}
END_TEST

/* A complete file, with all that its end brings, is resumed as if it had not ended; the deck may have changed a
 * little. */
START_TEST(ended_files_are_gone_on_with) {
  const struct job *job = &jobs[_i];
  const char *whole = path_of(job, "longer"), *parts = path_of(job, "parts");
  run_whole(job, whole, "steps = 1000", job->rows + 20, -1);
  run_whole(job, parts, "steps = 100", job->rows, -1);
  ck_assert(!same_files(whole, parts));
  go_on(job, parts, "steps = 1000", job->rows + 20);
  ck_assert(same_files(whole, parts));
}
END_TEST

/* E06.  A file that lost its end, or is another one, is refused and left alone. */
START_TEST(other_files_are_refused) {
  const struct job *job = &jobs[_i];
  const char *path = path_of(job, "other");
  struct rill_archive archive;
  size_t length, size;
  unsigned char *bytes, *file;
  pid_t child;
  int result;
  run_whole(job, path, "deck", job->rows, -1);
  bytes = read_bytes(in_directory("archive"), &length);
  file = read_bytes(path, &size);
  for (int fault = 0; fault < 3; fault++) {
    if (fault == 0) write_bytes(path, file, 20);
    if (fault == 1) unlink(path);
    if (fault == 2) {
      if (strstr(path, ".csv") != NULL) continue;
      memset(file + 200, 0, 4000); /* heaps and groups of HDF5 */
      write_bytes(path, file, size);
    }
    fflush(NULL);
    child = fork();
    if (child == 0) {
      enum rill_status status;
      struct rill_trajectory_writer *writer;
      struct rill_series_file *small;
      struct rill_series *series;
      struct rill_trajectory_header header = {.molecules = job->molecules,
                                              .mass = mass,
                                              .charge = charge,
                                              .periodic = true,
                                              .version = "1",
                                              .deck = "",
                                              .velocities = true};
      struct rill_series_file_header small_header = {.n = 4, .m = 3, .positions = true, .deck = ""};
      if (rill_archive_open(bytes, length, &archive, &error) != RILL_OK) _exit(2);
      status = strstr(path, ".h5md") != NULL ? rill_trajectory_resume(path, &header, &archive, &writer, &error)
               : strstr(path, ".csv") != NULL
                   ? rill_series_resume(path, "", 3, words, words, NULL, 0, &archive, &series, &error)
                   : rill_series_file_resume(path, &small_header, &archive, &small, &error);
      _exit(status == RILL_ERROR_INPUT && strstr(error.text, path) != NULL ? 0 : 1);
    }
    waitpid(child, &result, 0);
    ck_assert_msg(WIFEXITED(result) && WEXITSTATUS(result) == 0, "%s, fault %d: %x", job->file, fault,
                  (unsigned)result);
    if (fault == 2) {
      size_t now;
      unsigned char *there = read_bytes(path, &now);
      ck_assert(now == size && memcmp(there, file, size) == 0);
      free(there);
    }
  }
  free(bytes);
  free(file);
}
END_TEST

static void make_directory(void) {
  snprintf(directory, sizeof directory, "/tmp/rill-checkpoint-XXXXXX");
  if (mkdtemp(directory) == NULL) exit(99);
}

static void remove_directory(void) {
  char command[300];
  snprintf(command, sizeof command, "rm -rf %s", directory);
  if (system(command) != 0) exit(99);
}

int main(void) {
  Suite *suite = suite_create("checkpoint");
  TCase *longer = rill_long_cases(suite, 120);
  TCase *cases = tcase_create("files");
  int result;
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, arrays_come_back);
  tcase_add_test(cases, arrays_are_filled_in_place);
  tcase_add_test(cases, hostile_archives);
  tcase_add_test(cases, checkpoints_come_back);
  tcase_add_test(cases, damaged_checkpoints_are_refused);
  tcase_add_test(cases, lying_checkpoints_are_refused);
  tcase_add_test(cases, the_one_before_stands_in);
  tcase_add_test(cases, full_disks_keep_the_old_one);
  tcase_add_loop_test(cases, twice_gone_on_with, 0, JOBS);
  tcase_add_loop_test(cases, files_are_readable_while_they_are_put_back, 0, JOBS);
  tcase_add_loop_test(cases, what_was_written_later_is_cut, 0, JOBS);
  tcase_add_loop_test(cases, ended_files_are_gone_on_with, 0, JOBS);
  tcase_add_loop_test(cases, other_files_are_refused, 0, JOBS);
  tcase_add_loop_test(longer, killed_files_are_put_back, 0, JOBS);
  suite_add_tcase(suite, cases);
  make_directory();
  result = rill_run_suite(suite);
  remove_directory();
  return result;
}

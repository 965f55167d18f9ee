/* output: trajectories and series.  Faults that other programs had carry their id: E03, E09, E11, F01, F06, F09, F13,
 * G15, I01. */
#include "config.h" /* _GNU_SOURCE, for memmem */

#include <fcntl.h>
#include <hdf5.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/atom_order.h"
#include "output/h5.h"
#include "output/ordered_driver.h"
#include "output/sample.h"
#include "output/series.h"
#include "output/trajectory.h"
#include "suite.h"

#define PARTICLES "/particles/trajectory/"

static char directory[32];
static struct rill_error error;

static void make_directory(void) {
  strcpy(directory, "test_output_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void remove_directory(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", directory);
  ck_assert_int_eq(system(command), 0);
}

/* The same string for the same name, for as long as a test lasts. */
static const char *in_directory(const char *name) {
  static char paths[32][256];
  char path[256];
  int i = 0;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  while (i < 31 && paths[i][0] != '\0' && strcmp(paths[i], path) != 0) i++;
  strcpy(paths[i], path);
  return paths[i];
}

#define assert_ok(call) ck_assert_msg((call) == RILL_OK, "%s", error.text)
#define assert_refused(call, expected, words)                                                                        \
  do {                                                                                                               \
    rill_error_clear(&error);                                                                                        \
    ck_assert_int_eq((call), (expected));                                                                            \
    ck_assert_msg(strstr(error.text, words) != NULL, "'%s' lacks '%s'", error.text, words);                          \
    ck_assert_msg(strchr(error.text, '\n') == NULL, "more than one line: %s", error.text);                           \
  } while (0)

static struct rill_trajectory_writer *create(const char *path, const struct rill_trajectory_header *header) {
  struct rill_trajectory_writer *writer;
  assert_ok(rill_trajectory_create(path, header, &writer, &error));
  return writer;
}

static void append(struct rill_trajectory_writer *writer, size_t from, size_t to) {
  static struct sample sample;
  for (size_t f = from; f < to; f++) assert_ok(rill_trajectory_append(writer, sample_frame(&sample, f), &error));
}

static void write_sample(const char *path, const struct rill_trajectory_header *header, size_t frames) {
  struct rill_trajectory_writer *writer = create(path, header);
  append(writer, 0, frames);
  assert_ok(rill_trajectory_close(writer, &error));
}

static struct rill_trajectory_reader *open_reader(const char *path) {
  struct rill_trajectory_reader *reader;
  assert_ok(rill_trajectory_open(path, &reader, &error));
  return reader;
}

/* Every number of every committed frame, exactly; returns how many frames there are. */
static size_t check_frames(const char *path, bool velocities, bool periodic) {
  struct rill_trajectory_reader *reader = open_reader(path);
  double x[SAMPLE_NUMBERS], v[SAMPLE_NUMBERS], box[9], time;
  uint64_t step;
  size_t frames = rill_trajectory_frames(reader);
  ck_assert_uint_eq(rill_trajectory_molecules(reader), SAMPLE_MOLECULES);
  ck_assert_int_eq(rill_trajectory_has_velocities(reader), velocities);
  ck_assert_int_eq(rill_trajectory_is_periodic(reader), periodic);
  for (size_t f = 0; f < frames; f++) {
    assert_ok(rill_trajectory_read(reader, f, &step, &time, x, velocities ? v : NULL, box, &error));
    ck_assert_uint_eq(step, sample_step(f));
    ck_assert_double_eq(time, sample_time(f));
    for (size_t i = 0; i < SAMPLE_NUMBERS; i++) ck_assert_double_eq(x[i], sample_position(f, i));
    for (size_t i = 0; velocities && i < SAMPLE_NUMBERS; i++) ck_assert_double_eq(v[i], sample_velocity(f, i));
    for (size_t i = 0; i < 9; i++) ck_assert_double_eq(box[i], periodic ? sample_edge(f, i) : 0.0);
  }
  assert_refused(rill_trajectory_read(reader, frames, &step, &time, x, NULL, NULL, &error), RILL_ERROR_USAGE,
                 "counted from 0");
  rill_trajectory_reader_close(reader);
  return frames;
}

static char *read_bytes(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  struct stat information;
  char *bytes;
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fstat(fileno(file), &information), 0);
  *length = (size_t)information.st_size;
  bytes = calloc(*length + 1, 1);
  ck_assert_uint_eq(fread(bytes, 1, *length, file), *length);
  fclose(file);
  return bytes;
}

static void write_bytes(const char *path, const void *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
  fclose(file);
}

/* --- writing and reading back ------------------------------------------------------------------------------------
 */

/* 0 and 1 frames (F06); across the ends of chunks of 256 frames and 1024 steps. */
START_TEST(frames_come_back) {
  static const size_t frames[] = {0, 1, 2, 255, 256, 257, 1300};
  for (int form = 0; form < 8; form++)
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
      struct rill_trajectory_header header = sample_header();
      const char *path = in_directory("back.h5md");
      header.velocities = form & 1;
      header.periodic = form & 2;
      header.double_precision = form & 4;
      header.replace = true;
      write_sample(path, &header, frames[i]);
      ck_assert_uint_eq(check_frames(path, header.velocities, header.periodic), frames[i]);
    }
}
END_TEST

START_TEST(facts_come_back) {
  struct rill_trajectory_header header = sample_header();
  struct rill_trajectory_reader *reader;
  write_sample(in_directory("facts.h5md"), &header, 1);
  reader = open_reader(in_directory("facts.h5md"));
  ck_assert_str_eq(rill_trajectory_deck(reader), header.deck);
  ck_assert_str_eq(rill_trajectory_creator(reader), "rill 1.2.3");
  ck_assert_double_eq(rill_trajectory_degrees_of_freedom(reader), 36);
  ck_assert_double_eq(rill_trajectory_step(reader), 0.002);
  rill_trajectory_reader_close(reader);
}
END_TEST

/* Double precision keeps every bit; single precision rounds once. */
START_TEST(precision_is_as_asked) {
  for (int wide = 0; wide < 2; wide++) {
    struct rill_trajectory_header header = sample_header();
    struct rill_trajectory_frame frame = {.step = 1, .time = 1.0 / 3};
    struct rill_trajectory_writer *writer;
    struct rill_trajectory_reader *reader;
    const char *path = in_directory("precision.h5md");
    double x[SAMPLE_NUMBERS], y[SAMPLE_NUMBERS], time;
    uint64_t step;
    for (size_t i = 0; i < SAMPLE_NUMBERS; i++) x[i] = (double)(i + 1) / 300;
    frame.positions = x;
    header.step = frame.time;
    header.double_precision = wide;
    header.replace = true;
    writer = create(path, &header);
    assert_ok(rill_trajectory_append(writer, &frame, &error));
    assert_ok(rill_trajectory_close(writer, &error));
    reader = open_reader(path);
    assert_ok(rill_trajectory_read(reader, 0, &step, &time, y, NULL, NULL, &error));
    rill_trajectory_reader_close(reader);
    ck_assert_double_eq(time, 1.0 / 3);
    for (size_t i = 0; i < SAMPLE_NUMBERS; i++) ck_assert_double_eq(y[i], wide ? x[i] : (double)(float)x[i]);
  }
}
END_TEST

/* Two runs at different seconds of the clock give the same bytes (E03), and none of them is the path's. */
START_TEST(equal_runs_give_equal_bytes) {
  struct rill_trajectory_header header = sample_header();
  const char *names[] = {"time"}, *units[] = {"ps"};
  const double values[] = {1, 2, 3};
  struct rill_table table = {"series", 3, 1, names, units, values, "\xc3\x85ngstr\xc3\xb6m", NULL, 0};
  char *bytes[2];
  size_t length[2];
  header.velocities = header.periodic = true;
  for (int run = 0; run < 2; run++) {
    const char *path = in_directory(run == 0 ? "first_name.h5md" : "second_name.h5md");
    struct rill_trajectory_writer *writer = create(path, &header);
    append(writer, 0, 300);
    assert_ok(rill_trajectory_append_table(writer, &table, &error));
    if (run == 0) nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 100000000}, NULL);
    append(writer, 300, 600);
    assert_ok(rill_trajectory_append_table(writer, &table, &error));
    assert_ok(rill_trajectory_close(writer, &error));
    bytes[run] = read_bytes(path, &length[run]);
  }
  ck_assert_uint_eq(length[0], length[1]);
  ck_assert_mem_eq(bytes[0], bytes[1], length[0]);
  ck_assert_ptr_null(memmem(bytes[0], length[0], "_name", 5));
  ck_assert_ptr_null(memmem(bytes[0], length[0], directory, strlen(directory)));
  free(bytes[0]);
  free(bytes[1]);
}
END_TEST

START_TEST(outputs_are_guarded) {
  struct rill_trajectory_header header = sample_header();
  struct rill_trajectory_writer *writer;
  const char *path = in_directory("guarded.h5md");
  write_sample(path, &header, 3);
  assert_refused(rill_trajectory_create(path, &header, &writer, &error), RILL_ERROR_OUTPUT, "--force"); /* F09 */
  ck_assert_ptr_null(writer);
  ck_assert_uint_eq(check_frames(path, false, false), 3);
  header.replace = true;
  write_sample(path, &header, 2);
  ck_assert_uint_eq(check_frames(path, false, false), 2);

  assert_refused(rill_trajectory_create(in_directory("no/such.h5md"), &header, &writer, &error), RILL_ERROR_OUTPUT,
                 "No such file or directory");
  assert_refused(rill_trajectory_create(directory, &header, &writer, &error), RILL_ERROR_OUTPUT, "folder");
  assert_refused(rill_trajectory_create("/dev/null", &header, &writer, &error), RILL_ERROR_OUTPUT, "regular file");
  ck_assert_int_eq(symlink("nowhere.h5md", in_directory("link.h5md")), 0);
  for (int replace = 0; replace < 2; replace++) {
    header.replace = replace;
    assert_refused(rill_trajectory_create(in_directory("link.h5md"), &header, &writer, &error), RILL_ERROR_OUTPUT,
                   "symbolic link to nowhere.h5md");
  }
  ck_assert_int_ne(access(in_directory("nowhere.h5md"), F_OK), 0);
  header.molecules = 0;
  assert_refused(rill_trajectory_create(in_directory("zero.h5md"), &header, &writer, &error), RILL_ERROR_USAGE,
                 "0 molecules");
  ck_assert_int_ne(access(in_directory("zero.h5md"), F_OK), 0);
}
END_TEST

/* While a process writes, another can read what is committed, and cannot replace the file under its feet. */
START_TEST(files_are_shared_with_care) {
  struct rill_trajectory_header header = sample_header();
  struct rill_trajectory_writer *writer;
  const char *path = in_directory("shared.h5md");
  int ready[2], go[2], result;
  char byte;
  pid_t child;
  ck_assert_int_eq(pipe(ready), 0);
  ck_assert_int_eq(pipe(go), 0);
  child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    writer = create(path, &header);
    append(writer, 0, 5);
    if (write(ready[1], "", 1) != 1 || read(go[0], &byte, 1) != 1) _exit(1);
    append(writer, 5, 7);
    assert_ok(rill_trajectory_close(writer, &error));
    _exit(0);
  }
  ck_assert_int_eq(read(ready[0], &byte, 1), 1);
  header.replace = true;
  assert_refused(rill_trajectory_create(path, &header, &writer, &error), RILL_ERROR_OUTPUT, "in use");
  ck_assert_uint_eq(check_frames(path, false, false), 5);
  ck_assert_int_eq(write(go[1], "", 1), 1);
  waitpid(child, &result, 0);
  ck_assert_int_eq(result, 0);
  ck_assert_uint_eq(check_frames(path, false, false), 7);
}
END_TEST

START_TEST(half_a_frame_is_refused) {
  struct rill_trajectory_header header = sample_header();
  struct rill_trajectory_writer *writer;
  static struct sample sample;
  struct rill_trajectory_frame frame;
  header.velocities = header.periodic = true;
  writer = create(in_directory("half.h5md"), &header);
  append(writer, 0, 1);
  frame = *sample_frame(&sample, 1);
  frame.velocities = NULL;
  assert_refused(rill_trajectory_append(writer, &frame, &error), RILL_ERROR_USAGE, "lacks");
  frame = *sample_frame(&sample, 1);
  frame.box = NULL;
  assert_refused(rill_trajectory_append(writer, &frame, &error), RILL_ERROR_USAGE, "lacks");
  append(writer, 1, 2);
  assert_ok(rill_trajectory_close(writer, &error));
  ck_assert_uint_eq(check_frames(in_directory("half.h5md"), true, true), 2);
}
END_TEST

START_TEST(tables_grow) {
  struct rill_trajectory_header header = sample_header();
  struct rill_trajectory_writer *writer = create(in_directory("tables.h5md"), &header);
  const char *names[] = {"time", "energy", "T"}, *units[] = {"ps", "kJ/mol", "K"};
  static double values[700][3], back[1401][3];
  struct rill_table table = {"series", 700, 3, names, units, &values[0][0], "energies", NULL, 0};
  hsize_t extent[2];
  hid_t file, dataset, space;
  for (size_t i = 0; i < 2100; i++) values[i / 3][i % 3] = (double)i / 7;
  assert_ok(rill_trajectory_append_table(writer, &table, &error));
  append(writer, 0, 10);
  table.rows = 1;
  assert_ok(rill_trajectory_append_table(writer, &table, &error));
  table.rows = 0;
  assert_ok(rill_trajectory_append_table(writer, &table, &error));
  table.rows = 700;
  assert_ok(rill_trajectory_append_table(writer, &table, &error));
  table.columns = 2;
  assert_refused(rill_trajectory_append_table(writer, &table, &error), RILL_ERROR_USAGE, "2 columns");
  table.name = "deck";
  assert_refused(rill_trajectory_append_table(writer, &table, &error), RILL_ERROR_USAGE, "deck");
  table.name = "a/b";
  assert_refused(rill_trajectory_append_table(writer, &table, &error), RILL_ERROR_USAGE, "a/b");
  append(writer, 10, 20);
  assert_ok(rill_trajectory_close(writer, &error));
  ck_assert_uint_eq(check_frames(in_directory("tables.h5md"), false, false), 20);

  file = H5Fopen(in_directory("tables.h5md"), H5F_ACC_RDONLY, H5P_DEFAULT);
  dataset = H5Dopen2(file, "/parameters/rill/series/values", H5P_DEFAULT);
  space = H5Dget_space(dataset);
  ck_assert_int_eq(H5Sget_simple_extent_dims(space, extent, NULL), 2);
  ck_assert_uint_eq(extent[0], 1401);
  ck_assert_uint_eq(extent[1], 3);
  ck_assert_int_ge(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, back), 0);
  ck_assert_mem_eq(back[0], values, sizeof values);
  ck_assert_mem_eq(back[700], values[0], sizeof values[0]);
  ck_assert_mem_eq(back[701], values, sizeof values);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
}
END_TEST

/* Read in pieces of some thousand rows. */
START_TEST(columns_of_long_tables) {
  enum { ROWS = 10000, COLUMNS = 8 };
  const char *path = in_directory("long.h5md"), *names[COLUMNS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  const char *units[COLUMNS] = {"", "", "", "", "", "", "", ""};
  struct rill_trajectory_header header = sample_header();
  struct rill_trajectory_writer *writer = create(path, &header);
  struct rill_trajectory_reader *reader;
  double *values = rill_allocate(ROWS, COLUMNS * sizeof *values), *read;
  struct rill_table table = {"series", ROWS, COLUMNS, names, units, values, "numbers", NULL, 0};
  size_t rows;
  for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) values[i] = (double)i;
  assert_ok(rill_trajectory_append_table(writer, &table, &error));
  append(writer, 0, 1);
  assert_ok(rill_trajectory_close(writer, &error));
  assert_ok(rill_trajectory_open(path, &reader, &error));
  assert_ok(rill_trajectory_read_columns(reader, "series", 2, names + 3, &rows, &read, &error));
  ck_assert_uint_eq(rows, ROWS);
  for (size_t i = 0; i < ROWS; i++)
    ck_assert(read[i] == (double)(COLUMNS * i + 3) && read[ROWS + i] == (double)(COLUMNS * i + 4));
  rill_release(read);
  rill_release(values);
  rill_trajectory_reader_close(reader);
}
END_TEST

/* The soft limit on file sizes; RLIM_INFINITY takes it away again, before many assertions are made: Check keeps a
 * file. */
static void limit_files(rlim_t bytes) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* --- what a killed or a hindered run leaves ------------------------------------------------------------------------
 */

/* F01.  A child writes and counts, and is killed at some moment: whatever append had returned for is there and right,
 * and so is every frame that the file counts. */
START_TEST(killed_runs_keep_their_frames) {
  volatile size_t *counted = mmap(NULL, sizeof *counted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  size_t total = 0;
  ck_assert_ptr_ne((void *)counted, MAP_FAILED);
  for (int round = 0; round < 24; round++) {
    struct rill_trajectory_header header = sample_header();
    const char *path = in_directory("killed.h5md");
    size_t frames;
    pid_t child;
    header.replace = true;
    header.velocities = round & 1;
    header.periodic = round & 2;
    *counted = 0;
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
      static struct sample sample;
      struct rill_trajectory_writer *writer;
      if (rill_trajectory_create(path, &header, &writer, &error) != RILL_OK) _exit(1);
      for (size_t f = 0; rill_trajectory_append(writer, sample_frame(&sample, f), &error) == RILL_OK; f++)
        *counted = f + 1;
      _exit(1);
    }
    while (*counted == 0 && waitpid(child, NULL, WNOHANG) == 0) usleep(100);
    usleep((useconds_t)(1000 + 1234 * round));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    ck_assert_uint_gt(*counted, 0);
    frames = check_frames(path, header.velocities, header.periodic);
    ck_assert_uint_ge(frames, *counted);
    ck_assert_uint_le(frames, *counted + 1);
    total += frames;
  }
  ck_assert_uint_gt(total, 1024); /* chunks of every dataset have come to an end on the way */
  munmap((void *)counted, sizeof *counted);
}
END_TEST

/* The linker puts these in the place of the library's pwrite and ftruncate: after this many writes the process is
 * killed in the midst of one, which got as far as the end of its first page.  A change of length counts as one.
 * Negative: no limit. */
ssize_t __real_pwrite(int descriptor, const void *bytes, size_t size, off_t address);
ssize_t __wrap_pwrite(int descriptor, const void *bytes, size_t size, off_t address);
static long writes_left = -1;

ssize_t __wrap_pwrite(int descriptor, const void *bytes, size_t size, off_t address) {
  const size_t first_page = 4096 - (size_t)(address % 4096);
  if (writes_left == 0) {
    if (first_page < size && __real_pwrite(descriptor, bytes, first_page, address) < 0) _exit(9);
    raise(SIGKILL);
  }
  if (writes_left > 0) writes_left--;
  return __real_pwrite(descriptor, bytes, size, address);
}

int __real_ftruncate(int descriptor, off_t length);
int __wrap_ftruncate(int descriptor, off_t length);

int __wrap_ftruncate(int descriptor, off_t length) {
  if (writes_left == 0) raise(SIGKILL);
  if (writes_left > 0) writes_left--;
  return __real_ftruncate(descriptor, length);
}

/* Appends rows of one number, each a chunk of its own, to /x, with a flush after each; makes the file when it is not
 * there.  splits: the rows for which the file grew by a node of the index, up to `most` of them; returns how many. */
static size_t grow_chunks(const char *path, hsize_t rows, hsize_t *splits, size_t most) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_DATASET_CREATE), file, dataset, space, memory;
  hsize_t extent = 0, unlimited = H5S_UNLIMITED, one = 1;
  hsize_t before = 0, after;
  size_t count = 0;
  rill_ordered_driver_set(access);
  H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
  H5Pset_alignment(access, 2048, 4096);
  H5Pset_chunk(creation, 1, &one);
  memory = H5Screate_simple(1, &one, NULL);
  if (stat(path, &(struct stat){0}) == 0) {
    file = H5Fopen(path, H5F_ACC_RDWR, access);
    dataset = H5Dopen2(file, "x", H5P_DEFAULT);
    space = H5Dget_space(dataset);
    H5Sget_simple_extent_dims(space, &extent, NULL);
  } else {
    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    space = H5Screate_simple(1, &extent, &unlimited);
    dataset = H5Dcreate2(file, "x", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  }
  H5Sclose(space);
  for (hsize_t row = extent; row < rows; row++) {
    double value = (double)row + 0.5;
    extent = row + 1;
    if (H5Dset_extent(dataset, &extent) < 0) _exit(8);
    space = H5Dget_space(dataset);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &row, NULL, &one, NULL);
    if (H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value) < 0) _exit(8);
    H5Sclose(space);
    if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0) _exit(8);
    H5Fget_filesize(file, &after);
    if (splits != NULL && after > before + 1024 && count < most) splits[count++] = row;
    before = after;
  }
  H5Sclose(memory);
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Pclose(access);
  H5Fclose(file);
  return count;
}

/* F01, exhaustively.  A kill at every single write, torn at the page's end too, while a row is appended for which the
 * index grows by nodes: all rows of before are there, and a row that is counted besides may not disturb them.  The
 * index of 4400 chunks has three levels. */
START_TEST(every_write_may_be_the_last) {
  enum { CHUNKS = 4400, SPLITS = 256 };
  static hsize_t splits[SPLITS];
  static double values[CHUNKS + 1];
  const char *grown = in_directory("grown.h5"), *base = in_directory("base.h5"), *cut = in_directory("cut.h5");
  size_t count = grow_chunks(grown, CHUNKS, splits, SPLITS), tried = 0;
  ck_assert_uint_gt(count, 64); /* the root has split again */
  ck_assert_uint_lt(count, SPLITS);
  for (size_t i = 1; i < count; i += i < 3 || i + 16 > count ? 1 : 7) { /* the first node is the empty file's */
    size_t length;
    char *bytes;
    int result = 0;
    grow_chunks(base, splits[i], NULL, 0);
    bytes = read_bytes(base, &length);
    for (long kill_at = 0; result != 0 || kill_at == 0; kill_at++, tried++) {
      hid_t file, dataset, space;
      hsize_t rows = 0;
      pid_t child;
      write_bytes(cut, bytes, length);
      child = fork();
      ck_assert_int_ge(child, 0);
      if (child == 0) {
        writes_left = kill_at;
        grow_chunks(cut, splits[i] + 1, NULL, 0);
        _exit(0);
      }
      waitpid(child, &result, 0);
      ck_assert(result == 0 || (WIFSIGNALED(result) && WTERMSIG(result) == SIGKILL));
      file = H5Fopen(cut, H5F_ACC_RDONLY, H5P_DEFAULT);
      ck_assert_int_ge(file, 0);
      dataset = H5Dopen2(file, "x", H5P_DEFAULT);
      space = H5Dget_space(dataset);
      H5Sget_simple_extent_dims(space, &rows, NULL);
      ck_assert_uint_ge(rows, splits[i]);
      ck_assert_uint_le(rows, splits[i] + 1);
      ck_assert_int_ge(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
      for (hsize_t row = 0; row < splits[i]; row++)
        if (values[row] != (double)row + 0.5)
          ck_abort_msg("row %d of %d is %g", (int)row, (int)splits[i], values[row]);
      H5Sclose(space);
      H5Dclose(dataset);
      H5Fclose(file);
    }
    free(bytes);
  }
  ck_assert_uint_gt(tried, 100);
}
END_TEST

static hsize_t length_of(hid_t file, const char *path) {
  hsize_t extent[3] = {0};
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(dataset);
  ck_assert_int_ge(H5Sget_simple_extent_dims(space, extent, NULL), 1);
  H5Sclose(space);
  H5Dclose(dataset);
  return extent[0];
}

/* Tables may be made at any time, and get rows later. */
static enum rill_status add_tables(struct rill_trajectory_writer *writer, size_t frame) {
  static const char *const names[] = {"first", "second", "a third, with a longer name", "4", "5", "6", "7", "8",
                                      "9",     "10"};
  static const char *const columns[] = {"x"}, *const units[] = {"nm"};
  const double value = (double)frame;
  const size_t from = frame < 150 ? 0 : 2, to = frame == 299 ? 10 : from + 2;
  if (frame % 50 != 0 && frame != 299) return RILL_OK;
  for (size_t t = from; t < to; t++) {
    const struct rill_table table = {names[t], 1, 1, columns, units, &value, "", NULL, 0};
    RILL_TRY(rill_trajectory_append_table(writer, &table, &error));
  }
  return RILL_OK;
}

/* Shared with the process that writes. */
struct progress {
  bool created;
  long last_frame; /* writes before it */
};

static void write_whole_run(const char *path, volatile struct progress *progress, long writes) {
  static struct sample sample;
  struct rill_trajectory_header header = sample_header();
  struct rill_trajectory_writer *writer;
  header.replace = header.periodic = header.velocities = true;
  progress->created = false;
  writes_left = writes;
  if (rill_trajectory_create(path, &header, &writer, &error) != RILL_OK) _exit(8);
  progress->created = true;
  for (size_t f = 0; f < 300; f++) {
    if (f == 299) progress->last_frame = writes - writes_left;
    if (rill_trajectory_append(writer, sample_frame(&sample, f), &error) != RILL_OK ||
        add_tables(writer, f) != RILL_OK)
      _exit(8);
  }
  _exit(rill_trajectory_close(writer, &error) == RILL_OK ? 0 : 8);
}

/* A kill at every single write of a whole run: from the creation on, every committed frame is right and whole; before
 * that it can be read, or is no HDF5 file yet. */
START_TEST(frames_survive_every_write) {
  volatile struct progress *progress =
      mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const char *path = in_directory("every.h5md");
  size_t rounds = 0;
  int result = 1;
  ck_assert_ptr_ne((void *)progress, MAP_FAILED);
  for (long kill_at = LONG_MAX; rounds < 2 || result != 0; rounds++) {
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) write_whole_run(path, progress, kill_at);
    waitpid(child, &result, 0);
    ck_assert(result == 0 || (WIFSIGNALED(result) && WTERMSIG(result) == SIGKILL));
    if (!progress->created && H5Fis_hdf5(path) > 0) ck_assert_uint_eq(check_frames(path, true, true), 0);
    if (progress->created) {
      hid_t file;
      size_t frames = check_frames(path, true, true);
      file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
      /* All of a frame or nothing: programs raise otherwise, or do not know the format. */
      ck_assert_uint_eq(length_of(file, PARTICLES "position/value"), frames);
      ck_assert_uint_eq(length_of(file, PARTICLES "position/step"), frames);
      ck_assert_uint_eq(length_of(file, PARTICLES "position/time"), frames);
      ck_assert_uint_eq(length_of(file, PARTICLES "velocity/value"), frames);
      ck_assert_uint_eq(length_of(file, PARTICLES "box/edges/value"), frames);
      H5Fclose(file);
      if (result == 0) ck_assert_uint_eq(frames, 300);
    }
    if (kill_at == LONG_MAX) kill_at = 0; /* after a run that was not killed */
    else if (kill_at < 200 || kill_at + 37 >= progress->last_frame) kill_at++;
    else kill_at += 37;
  }
  ck_assert_uint_gt(rounds, 300);
  munmap((void *)(uintptr_t)progress, sizeof *progress);
}
END_TEST

/* I01.  A limit on file sizes ends the run with a message; the file can be closed and holds what was committed. */
START_TEST(full_files_keep_their_frames) {
  struct rill_trajectory_header header = sample_header();
  struct rill_trajectory_writer *writer;
  static struct sample sample;
  const double values[1000] = {0};
  const char *names[] = {"x"}, *units[] = {"nm"};
  struct rill_table table = {"large", 1000, 1, names, units, values, "", NULL, 0};
  struct stat information;
  enum rill_status status;
  size_t frames = 0;
  limit_files(400000);
  writer = create(in_directory("full.h5md"), &header);
  while (rill_trajectory_append(writer, sample_frame(&sample, frames), &error) == RILL_OK && frames < 10000) frames++;
  ck_assert_int_eq(error.status, RILL_ERROR_WRITE);
  ck_assert_ptr_nonnull(strstr(error.text, "ulimit -f"));
  ck_assert_uint_ge(frames, 768); /* 3 chunks of 64 KiB fit */
  assert_refused(rill_trajectory_append_table(writer, &table, &error), RILL_ERROR_WRITE, "ulimit -f");
  assert_ok(rill_trajectory_close(writer, &error));
  limit_files(RLIM_INFINITY);
  ck_assert_uint_eq(check_frames(in_directory("full.h5md"), false, false), frames);
  ck_assert_int_eq(stat(in_directory("full.h5md"), &information), 0);
  ck_assert_int_le(information.st_size, 400000);
  /* No room for the header at all: refused, and nothing is left lying about. */
  limit_files(1000);
  status = rill_trajectory_create(in_directory("tiny.h5md"), &header, &writer, &error);
  limit_files(RLIM_INFINITY);
  ck_assert_int_eq(status, RILL_ERROR_OUTPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "File too large"));
  ck_assert_int_ne(access(in_directory("tiny.h5md"), F_OK), 0);
}
END_TEST

/* Points HDF5's descriptor of the file to a place that takes nothing.  Ours is closed on exec, HDF5's is not. */
static int hinder(const char *path) {
  struct stat wanted, found;
  int count = 0, null = open("/dev/null", O_RDONLY);
  if (stat(path, &wanted) != 0) return 0;
  for (int d = 3; d < 64; d++)
    if (fstat(d, &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev &&
        (fcntl(d, F_GETFD) & FD_CLOEXEC) == 0 && dup2(null, d) == d)
      count++;
  close(null);
  return count;
}

/* A write that fails inside HDF5 is one error, then silence; neither close nor the exit of the process crashes, and
 * the frames before are there. */
START_TEST(broken_files_keep_their_frames) {
  struct rill_trajectory_header header = sample_header();
  const char *path = in_directory("broken.h5md");
  int result;
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    static struct sample sample;
    struct rill_trajectory_writer *writer;
    enum rill_status first, second, closed;
    if (rill_trajectory_create(path, &header, &writer, &error) != RILL_OK) _exit(2);
    for (size_t f = 0; f < 300; f++)
      if (rill_trajectory_append(writer, sample_frame(&sample, f), &error) != RILL_OK) _exit(3);
    if (hinder(path) != 1) _exit(4);
    first = rill_trajectory_append(writer, sample_frame(&sample, 300), &error);
    if (first != RILL_ERROR_WRITE || strstr(error.text, "Bad file descriptor") == NULL) _exit(5);
    second = rill_trajectory_append(writer, sample_frame(&sample, 301), &error);
    if (second != RILL_ERROR_WRITE || strstr(error.text, "after a failure") == NULL) _exit(6);
    closed = rill_trajectory_close(writer, &error);
    exit(closed == RILL_OK ? 0 : 7);
  }
  waitpid(child, &result, 0);
  ck_assert_msg(WIFEXITED(result) && WEXITSTATUS(result) == 0, "status %x", (unsigned)result);
  ck_assert_uint_eq(check_frames(path, false, false), 300);
}
END_TEST

/* --- other programs' files
 * ------------------------------------------------------------------------------------------ */

enum { OTHER_FRAMES = 4, OTHER_ATOMS = 6 };

static void put(hid_t file, const char *path, hid_t type, int rank, const hsize_t *extent, hid_t memory,
                const void *data) {
  hid_t links = H5Pcreate(H5P_LINK_CREATE),
        space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, extent, NULL);
  hid_t dataset;
  H5Pset_create_intermediate_group(links, 1);
  dataset = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert_int_ge(dataset, 0);
  if (data != NULL) ck_assert_int_ge(H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(links);
}

static void put_unit(hid_t file, const char *path, const char *name, const char *unit, int count) {
  hsize_t extent = (hsize_t)count;
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &extent, NULL), attribute;
  char words[3][16] = {{0}};
  if (count == 1) {
    H5Sclose(space);
    space = H5Screate(H5S_SCALAR);
  }
  for (int i = 0; i < count; i++) snprintf(words[i], sizeof words[i], "%s", unit);
  H5Tset_size(type, sizeof words[0]);
  attribute = H5Acreate_by_name(file, path, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert_int_ge(attribute, 0);
  ck_assert_int_ge(H5Awrite(attribute, type, words), 0);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

/* A file in somebody else's manner: group `atoms`, 32-bit steps, double positions.  parts: what is in it. */
enum {
  HAS_VERSION = 1,
  HAS_POSITIONS = 2,
  HAS_UNIT = 4,
  HAS_SPECIES = 8,
  WRONG_SPECIES = 16,
  WRONG_ATOMS = 32,
  IN_NANOMETRES = 64,
  REGULAR_STEP = 128,
  EXTRA_VALUES = 256,
  SPARSE_VELOCITY = 512,
  HAS_BOX = 1024,
  SLAB = 2048
};

static double other_position(size_t frame, size_t i) {
  static const double water[9] = {0, 0, 0, 0.957, 0, 0, -0.24, 0.927, 0};
  return water[i % 9] + 3.0 * (double)(i / 9) + 0.5 * (double)frame;
}

static const char *write_other(int parts) {
  const char *path = in_directory("other.h5md");
  hsize_t frames = OTHER_FRAMES, extent[3] = {OTHER_FRAMES + (parts & EXTRA_VALUES ? 1 : 0), OTHER_ATOMS, 3};
  hsize_t two = 2, atoms = OTHER_ATOMS, half[3] = {OTHER_FRAMES / 2, OTHER_ATOMS, 3}, sides[2] = {OTHER_FRAMES, 3};
  const int32_t version[2] = {1, 0}, steps[OTHER_FRAMES] = {0, 10, 20, 30}, increment = 10;
  const int32_t species[OTHER_ATOMS] = {0, 1, 1, 0, 1, 1}, wrong[OTHER_ATOMS] = {1, 1, 0, 1, 1, 0};
  const float times[OTHER_FRAMES] = {0, 5, 10, 15},
              edges[3 * OTHER_FRAMES] = {20, 30, 40, 20, 30, 40, 20, 30, 40, 20, 30, 40};
  static double x[(OTHER_FRAMES + 1) * OTHER_ATOMS * 3];
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), group, space, attribute;
  if (parts & WRONG_ATOMS) extent[1] = 4;
  for (size_t f = 0; f <= OTHER_FRAMES; f++)
    for (size_t i = 0; i < OTHER_ATOMS * 3; i++)
      x[f * OTHER_ATOMS * 3 + i] = other_position(f, i) * (parts & IN_NANOMETRES ? 0.1 : 1.0);
  group = H5Gcreate2(file, "h5md", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  space = H5Screate_simple(1, &two, NULL);
  if (parts & HAS_VERSION) {
    attribute = H5Acreate2(group, "version", H5T_STD_I16BE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT32, version);
    H5Aclose(attribute);
  }
  H5Sclose(space);
  H5Gclose(group);
  if (parts & HAS_POSITIONS) {
    put(file, "particles/atoms/position/value", H5T_IEEE_F64BE, 3, extent, H5T_NATIVE_DOUBLE, x);
    if (parts & HAS_UNIT) put_unit(file, "particles/atoms/position/value", "unit", "Angstrom", 1);
    if (parts & REGULAR_STEP)
      put(file, "particles/atoms/position/step", H5T_STD_I32LE, 0, NULL, H5T_NATIVE_INT32, &increment);
    else put(file, "particles/atoms/position/step", H5T_STD_I32LE, 1, &frames, H5T_NATIVE_INT32, steps);
    put(file, "particles/atoms/position/time", H5T_IEEE_F32LE, 1, &frames, H5T_NATIVE_FLOAT, times);
    put_unit(file, "particles/atoms/position/time", "unit", "fs", 1);
  }
  if (parts & (HAS_SPECIES | WRONG_SPECIES))
    put(file, "particles/atoms/species", H5T_STD_I8LE, 1, &atoms, H5T_NATIVE_INT32,
        parts & HAS_SPECIES ? species : wrong);
  if (parts & SPARSE_VELOCITY) {
    put(file, "particles/atoms/velocity/value", H5T_IEEE_F32LE, 3, half, H5T_NATIVE_DOUBLE, x);
    put(file, "particles/atoms/velocity/step", H5T_STD_I32LE, 1, half, H5T_NATIVE_INT32, steps);
  }
  if (parts & HAS_BOX) {
    put(file, "particles/atoms/box/edges/value", H5T_IEEE_F32LE, 2, sides, H5T_NATIVE_FLOAT, edges);
    put_unit(file, "particles/atoms/box/edges/value", "unit", "Angstrom", 1);
    put_unit(file, "particles/atoms/box", "boundary", "periodic", parts & SLAB ? 2 : 3);
    if (parts & SLAB) {
      H5Adelete_by_name(file, "particles/atoms/box", "boundary", H5P_DEFAULT);
      put_unit(file, "particles/atoms/box", "boundary", "none", 3);
    }
  }
  ck_assert_int_ge(H5Fclose(file), 0);
  return path;
}

static void check_other(int parts, bool periodic) {
  struct rill_trajectory_reader *reader = open_reader(write_other(parts));
  double x[3 * OTHER_ATOMS], box[9], time;
  uint64_t step;
  ck_assert_uint_eq(rill_trajectory_frames(reader), OTHER_FRAMES);
  ck_assert_uint_eq(rill_trajectory_molecules(reader), 2);
  ck_assert(!rill_trajectory_has_velocities(reader));
  ck_assert_int_eq(rill_trajectory_is_periodic(reader), periodic);
  ck_assert_str_eq(rill_trajectory_deck(reader), "");
  ck_assert_str_eq(rill_trajectory_creator(reader), "");
  ck_assert(isnan(rill_trajectory_degrees_of_freedom(reader)));
  for (size_t f = 0; f < OTHER_FRAMES; f++) {
    assert_ok(rill_trajectory_read(reader, f, &step, &time, x, NULL, box, &error));
    ck_assert_uint_eq(step, 10 * f);
    ck_assert_double_eq_tol(time, 0.005 * (double)f, 1e-15);
    for (size_t i = 0; i < 3 * OTHER_ATOMS; i++) ck_assert_double_eq_tol(x[i], 0.1 * other_position(f, i), 1e-15);
    for (size_t i = 0; i < 9; i++)
      ck_assert_double_eq_tol(box[i], periodic && i % 4 == 0 ? 2 + (double)(i / 4) : 0, 1e-15);
  }
  rill_trajectory_reader_close(reader);
}

/* nm.  What has one bond of the right length, and its hydrogens apart as they should be, is no water in any order. */
START_TEST(both_bonds_tell_the_order) {
  static const double water[9] = {0, 0, 0, 0.0957, 0, 0, -0.024, 0.0927, 0},
                      torn[9] = {0, 0, 0, 0.0957, 0, 0, 0.0957, 0.15, 0};
  enum rill_atom_order order;
  size_t misfit;
  ck_assert(rill_atom_order_find(water, 1, NULL, &order, &misfit));
  ck_assert_int_eq(order, RILL_ATOMS_OHH);
  ck_assert(!rill_atom_order_find(torn, 1, NULL, &order, &misfit));
  ck_assert_uint_eq(misfit, 0);
}
END_TEST

START_TEST(other_programs_files_are_read) {
  const int usual = HAS_VERSION | HAS_POSITIONS | HAS_UNIT;
  check_other(usual, false);
  check_other(usual | HAS_SPECIES, false);
  check_other(usual | REGULAR_STEP, false);
  check_other(usual | EXTRA_VALUES, false); /* a value without its step is not committed */
  check_other(usual | SPARSE_VELOCITY, false);
  check_other(usual | HAS_BOX, true);
  check_other(usual | HAS_BOX | SLAB, false);
  check_other(HAS_VERSION | HAS_POSITIONS | IN_NANOMETRES, false); /* no unit, but the O-H distance says nm */
}
END_TEST

START_TEST(unreadable_files_are_refused) {
  struct rill_trajectory_header header = sample_header();
  struct rill_trajectory_reader *reader;
  const int usual = HAS_VERSION | HAS_POSITIONS | HAS_UNIT;
  const char *path = in_directory("whole.h5md");
  char *bytes;
  size_t length;
#define refused(where, words)                                                                                        \
  assert_refused(rill_trajectory_open(where, &reader, &error), RILL_ERROR_INPUT, words);                             \
  ck_assert_ptr_null(reader)
  refused(in_directory("missing.h5md"), "No such file");
  refused(directory, "directory");
  write_bytes(in_directory("bad.h5md"), "", 0);
  refused(in_directory("bad.h5md"), "empty");
  write_bytes(in_directory("bad.h5md"), "7 waters\n   21\n", 15);
  refused(in_directory("bad.h5md"), "not an HDF5 file");
  refused(write_other(HAS_POSITIONS | HAS_UNIT), "not H5MD");
  refused(write_other(HAS_VERSION), "no positions");
  refused(write_other(usual | WRONG_ATOMS), "4 atoms");
  refused(write_other(usual | WRONG_SPECIES), "O, H, H");
  refused(write_other(HAS_VERSION | HAS_POSITIONS), "Angstrom"); /* G15 */
  write_sample(path, &header, 300);
  bytes = read_bytes(path, &length);
  for (size_t cut = 1; cut < length; cut += length / 23) {
    write_bytes(in_directory("bad.h5md"), bytes, cut);
    refused(in_directory("bad.h5md"), cut < 8 ? "not an HDF5 file" : "truncated");
  }
  free(bytes);
#undef refused
}
END_TEST

/* --- series
 * --------------------------------------------------------------------------------------------------------- */

static const char *const columns[] = {"time", "energy", "T"}, *const column_units[] = {"ps", "kJ/mol", "K"};

START_TEST(series_are_written_exactly) {
  struct rill_series *series;
  const double rows[3][3] = {{0, -1.0 / 3, 300}, {0.1, 6.02214076e23, -0.0}, {1e-300, NAN, -INFINITY}};
  double column[3];
  size_t length;
  char *text;
  const char *path = in_directory("exact.csv");
  assert_ok(rill_series_create(path, false, "rill 1.2.3\n\n[system]\nkind = water\n", 3, columns, column_units,
                               &series, &error));
  for (int r = 0; r < 3; r++) assert_ok(rill_series_append(series, rows[r], &error));
  ck_assert_uint_eq(rill_series_rows(series), 3);
  ck_assert_uint_eq(rill_series_columns(series), 3);
  ck_assert_mem_eq(rill_series_values(series), rows, sizeof rows);
  rill_series_column(series, 1, column);
  ck_assert_double_eq(column[0], -1.0 / 3);
  ck_assert_double_eq(column[1], 6.02214076e23);
  assert_ok(rill_series_close(series, &error));
  text = read_bytes(path, &length);
  ck_assert_str_eq(text,
                   "# rill 1.2.3\n#\n# [system]\n# kind = water\ntime,energy,T\n# units: ps,kJ/mol,K\n"
                   "0,-0.33333333333333331,300\n0.10000000000000001,6.0221407599999999e+23,-0\n"
                   "1e-300,nan,-inf\n");
  free(text);
  assert_refused(rill_series_create(path, false, NULL, 3, columns, column_units, &series, &error), RILL_ERROR_OUTPUT,
                 "--force");
  assert_ok(rill_series_create(path, true, NULL, 3, columns, column_units, &series, &error));
  assert_ok(rill_series_close(series, &error));
  text = read_bytes(path, &length);
  ck_assert_str_eq(text, "time,energy,T\n# units: ps,kJ/mol,K\n");
  free(text);
  assert_refused(
      rill_series_create(in_directory("no/such.csv"), false, NULL, 3, columns, column_units, &series, &error),
      RILL_ERROR_OUTPUT, "No such file or directory");
  assert_refused(rill_series_create("", false, NULL, 1, (const char *const[]){"a,b"}, column_units, &series, &error),
                 RILL_ERROR_USAGE, "a,b");
}
END_TEST

START_TEST(series_live_without_a_file) {
  struct rill_series *series;
  assert_ok(rill_series_create(NULL, false, NULL, 3, columns, column_units, &series, &error));
  for (int r = 0; r < 5000; r++) assert_ok(rill_series_append(series, (const double[]){r, 2.0 * r, 3.0 * r}, &error));
  for (size_t i = 0; i < 15000; i++)
    ck_assert_double_eq(rill_series_values(series)[i], (double)(i % 3 + 1) * (double)(i / 3));
  assert_ok(rill_series_close(series, &error));
  assert_ok(rill_series_close(NULL, &error));
}
END_TEST

/* A locale with a decimal comma changes nothing.  Debian's C.UTF-8 has none, so one that is installed is looked for.
 */
START_TEST(series_ignore_the_locale) {
  static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR", "it_IT.UTF-8", "nl_NL.UTF-8"};
  struct rill_series *series;
  char number[16], *text;
  size_t length;
  for (size_t i = 0; i < sizeof commas / sizeof commas[0] && setlocale(LC_ALL, commas[i]) == NULL; i++) continue;
  assert_ok(rill_series_create(in_directory("locale.csv"), false, NULL, 3, columns, column_units, &series, &error));
  assert_ok(rill_series_append(series, (const double[]){0.5, 1.5, 2.5}, &error));
  snprintf(number, sizeof number, "%g", 0.5); /* and the user's locale is in force again */
  ck_assert_int_eq(number[1], localeconv()->decimal_point[0]);
  assert_ok(rill_series_close(series, &error));
  text = read_bytes(in_directory("locale.csv"), &length);
  ck_assert_ptr_nonnull(strstr(text, "\n0.5,1.5,2.5\n"));
  free(text);
}
END_TEST

static size_t check_lines(const char *path) {
  size_t length, rows = 0;
  char *text = read_bytes(path, &length), *line = strstr(text, "# units: ps,kJ/mol,K\n");
  ck_assert_ptr_nonnull(line);
  ck_assert_int_eq(text[length - 1], '\n');
  for (line = strchr(line, '\n') + 1; *line != '\0'; rows++) {
    double a, b, c;
    ck_assert_int_eq(sscanf(line, "%lf,%lf,%lf", &a, &b, &c), 3);
    ck_assert_double_eq(a, (double)rows);
    ck_assert_double_eq(b, (double)rows / 3);
    ck_assert_double_eq(c, (double)rows / 7);
    line = strchr(line, '\n') + 1;
  }
  free(text);
  return rows;
}

static enum rill_status append_line(struct rill_series *series, size_t row) {
  return rill_series_append(series, (const double[]){(double)row, (double)row / 3, (double)row / 7}, &error);
}

/* F13.  The first row is in the file at once, later ones a twentieth of a second after they came, at the next. */
START_TEST(killed_series_hold_whole_lines) {
  for (int round = 0; round < 2; round++) {
    const char *path = in_directory(round == 0 ? "killed_first.csv" : "killed_later.csv");
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
      struct rill_series *series;
      if (rill_series_create(path, false, NULL, 3, columns, column_units, &series, &error) != RILL_OK) _exit(1);
      for (size_t r = 0; r < (round == 0 ? 1 : 40); r++) {
        if (append_line(series, r) != RILL_OK) _exit(1);
        usleep(10000);
      }
      raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
    ck_assert_uint_ge(check_lines(path), round == 0 ? 1 : 20);
  }
}
END_TEST

START_TEST(full_series_hold_whole_lines) {
  struct rill_series *series;
  enum rill_status status;
  size_t rows = 0, written;
  assert_ok(rill_series_create(in_directory("full.csv"), false, NULL, 3, columns, column_units, &series, &error));
  for (; rows < 10000; rows++) assert_ok(append_line(series, rows));
  nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 10000000}, NULL);
  limit_files(100000);
  status = append_line(series, rows);
  limit_files(RLIM_INFINITY);
  ck_assert_int_eq(status, RILL_ERROR_WRITE);
  assert_refused(append_line(series, rows), RILL_ERROR_WRITE, "after a failure");
  assert_ok(rill_series_close(series, &error));
  written = check_lines(in_directory("full.csv"));
  ck_assert_uint_gt(written, 1500);
  ck_assert_uint_lt(written, rows);
}
END_TEST

int main(void) {
  rill_h5_own_process(); /* as the program does: HDF5 can crash in its clean-up after failed writes */
  Suite *suite = suite_create("output");
  TCase *cases = tcase_create("output"), *exhaustive = rill_long_cases(suite, 120);
  tcase_add_unchecked_fixture(cases, make_directory, remove_directory);
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, frames_come_back);
  tcase_add_test(cases, facts_come_back);
  tcase_add_test(cases, precision_is_as_asked);
  tcase_add_test(cases, equal_runs_give_equal_bytes);
  tcase_add_test(cases, outputs_are_guarded);
  tcase_add_test(cases, files_are_shared_with_care);
  tcase_add_test(cases, half_a_frame_is_refused);
  tcase_add_test(cases, tables_grow);
  tcase_add_test(cases, columns_of_long_tables);
  tcase_add_test(cases, killed_runs_keep_their_frames);
  tcase_add_test(cases, full_files_keep_their_frames);
  tcase_add_test(cases, broken_files_keep_their_frames);
  tcase_add_test(cases, both_bonds_tell_the_order);
  tcase_add_test(cases, other_programs_files_are_read);
  tcase_add_test(cases, unreadable_files_are_refused);
  tcase_add_test(cases, series_are_written_exactly);
  tcase_add_test(cases, series_live_without_a_file);
  tcase_add_test(cases, series_ignore_the_locale);
  tcase_add_test(cases, killed_series_hold_whole_lines);
  tcase_add_test(cases, full_series_hold_whole_lines);
  suite_add_tcase(suite, cases);
  tcase_add_unchecked_fixture(exhaustive, make_directory, remove_directory);
  tcase_add_test(exhaustive, every_write_may_be_the_last);
  tcase_add_test(exhaustive, frames_survive_every_write);
  return rill_run_suite(suite);
}

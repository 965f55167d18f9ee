/* Every call that can fail does, once: for each of the commands below, and for its 1st, 2nd, 3rd ... allocation, call of
 * the file system and call of HDF5, the program runs with that call failing (shim.c).  It must end by itself, with exit
 * status 1 or 2 and one error message, or else have done its work in full; it must not leak (where it is built so that
 * leaks are seen), leave temporary files behind, nor a file that says anything but what the undisturbed run says.
 *
 * `test_faults PROGRAM` tries a sample, `test_faults PROGRAM all [COMMAND]` every call.  Prints how many faults were
 * injected. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output/checkpoint.h"
#include "output/series_file.h"
#include "output/trajectory.h"
#include "structure/structure.h"

enum { WORDS = 32, PATH_LENGTH = 1024 };

/* Commands run in a folder of their own; ../in holds the inputs.  What follows the bar is asked of a clean run: the number
 * of files that it leaves. */
static const struct {
  const char *name, *arguments;
  int files;
} commands[] = {
    {"run", "run ../in/water.ini -o out", 6},
    {"run again", "run ../in/water.ini -o . --force -q", 6},
    {"run periodic", "run ../in/box.ini -o out -q --threads 2", 5},
    {"run penalised", "run ../in/penalised.ini -o out", 6},
    {"run small", "run ../in/small.ini -o out", 3},
    {"check", "check ../in/water.ini", 0},
    {"rdf", "rdf ../in/water.h5md --csv rdf.csv", 1},
    {"info", "info ../in/water.h5md", 0},
    {"info series", "info ../in/small.h5", 0},
    {"energy", "energy ../in/two.gro --forces forces.csv", 1},
    {"energy periodic", "energy ../in/box.xyz --boundary periodic --json", 0},
    {"convert frame", "convert ../in/water.h5md frame.gro", 1},
    {"convert", "convert ../in/two.gro two.pdb", 1},
    {"build", "build water 2 -o built.gro -q", 1},
    {"minimize", "minimize ../in/two.gro -o low.xyz -q", 1},
    {"compare", "compare ../in/small.ini --methods rattle,shake --csv times.csv", 1},
    {"compare water", "compare ../in/water.ini --methods rattle/mshake,rattle/shake --repeats 1 -q", 0},
    {"reproduce", "reproduce wendlandt-marsden-table-2", 0},
    {"list", "list systems", 0},
};

#define TIMED "times.csv" /* a table with timings, never the same */

static const char *program, *scratch;
static long injected, failures;

__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("FAIL: ");
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
  failures++;
}

static void must(bool condition, const char *what) {
  if (condition) return;
  printf("%s: %s\n", what, strerror(errno));
  exit(99);
}

/* A whole file, released by the caller; NULL when it is not there. */
static char *contents(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  struct stat information;
  char *bytes;
  *size = 0;
  if (file == NULL) return NULL;
  must(fstat(fileno(file), &information) == 0, path);
  *size = (size_t)information.st_size;
  bytes = malloc(*size + 1);
  must(bytes != NULL && fread(bytes, 1, *size, file) == *size, path);
  bytes[*size] = '\0';
  fclose(file);
  return bytes;
}

static void empty_folder(const char *path) {
  char command[2 * PATH_LENGTH];
  snprintf(command, sizeof command, "rm -rf '%s'", path);
  must(system(command) == 0 && mkdir(path, 0777) == 0, path);
}

/* Runs the program in the folder, its streams in FOLDER.out and FOLDER.err; returns what wait gives. */
static int run(const char *folder, const char *arguments, const char *fault) {
  char words[PATH_LENGTH], *list[WORDS], *next = words, path[PATH_LENGTH];
  int count = 0, status;
  pid_t child;
  snprintf(words, sizeof words, "rill %s", arguments);
  while (next != NULL && count < WORDS - 1) list[count++] = strsep(&next, " ");
  list[count] = NULL;
  fflush(stdout);
  child = fork();
  must(child >= 0, "fork");
  if (child == 0) {
    snprintf(path, sizeof path, "%s.out", folder);
    if (freopen(path, "w", stdout) == NULL || freopen("/dev/null", "r", stdin) == NULL) _exit(98);
    snprintf(path, sizeof path, "%s.err", folder);
    if (freopen(path, "w", stderr) == NULL || chdir(folder) != 0) _exit(98);
    if (fault != NULL) setenv("RILL_FAULT", fault, 1);
    execv(program, list);
    _exit(97);
  }
  while (waitpid(child, &status, 0) < 0) must(errno == EINTR, "waitpid");
  return status;
}

/* ---- what may be in a file ---- */

static bool same_numbers(const double *a, const double *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(a[i] == b[i])) return false;
  return true;
}

/* Frames: the first ones of the undisturbed run. */
static bool frames_agree(const char *path, const char *reference) {
  static struct rill_error error;
  struct rill_trajectory_reader *ours = NULL, *theirs = NULL;
  double *numbers = NULL;
  bool agree = rill_trajectory_open(path, &ours, &error) == RILL_OK &&
               rill_trajectory_open(reference, &theirs, &error) == RILL_OK &&
               rill_trajectory_molecules(ours) == rill_trajectory_molecules(theirs) &&
               rill_trajectory_frames(ours) <= rill_trajectory_frames(theirs);
  size_t count = agree ? 9 * rill_trajectory_molecules(ours) : 0;
  if (agree) must((numbers = calloc(4 * count + 18, sizeof *numbers)) != NULL, "memory");
  for (size_t f = 0; agree && f < rill_trajectory_frames(ours); f++) {
    bool velocities = rill_trajectory_has_velocities(ours);
    uint64_t steps[2];
    double times[2];
    for (int i = 0; i < 2 && agree; i++)
      agree = rill_trajectory_read(i ? theirs : ours, f, &steps[i], &times[i], numbers + (size_t)(2 * i) * count,
                                   velocities ? numbers + (size_t)(2 * i + 1) * count : NULL, numbers + 4 * count + 9 * i,
                                   &error) == RILL_OK;
    agree = agree && steps[0] == steps[1] && times[0] == times[1] && same_numbers(numbers, numbers + 2 * count, 2 * count) &&
            same_numbers(numbers + 4 * count, numbers + 4 * count + 9, 9);
  }
  free(numbers);
  rill_trajectory_reader_close(ours);
  rill_trajectory_reader_close(theirs);
  return agree;
}

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), end = strlen(ending);
  return length >= end && strcmp(path + length - end, ending) == 0;
}

static bool small_series_is_readable(const char *path) {
  static struct rill_error error;
  struct rill_series_file_info info;
  bool readable = rill_series_file_describe(path, &info, &error) == RILL_OK;
  if (readable) rill_series_file_info_release(&info);
  return readable;
}

static bool checkpoint_is_readable(const char *path) {
  static struct rill_error error;
  struct rill_checkpoint checkpoint;
  bool readable = rill_checkpoint_read(path, &checkpoint, &error) == RILL_OK;
  if (readable) rill_checkpoint_release(&checkpoint);
  return readable;
}

static bool structure_is_readable(const char *path) {
  static struct rill_error error;
  struct rill_structure structure;
  bool readable = rill_structure_read(path, &structure, &error) == RILL_OK;
  rill_structure_release(&structure);
  return readable;
}

/* May a run that was disturbed leave this?  Rows and frames: as many as were reached.  The last state of a run that stopped
 * early is another; it must be one. */
static bool may_be_left(const char *path, const char *reference) {
  size_t size, whole;
  char *bytes = contents(path, &size), *expected = contents(reference, &whole);
  bool fine = bytes != NULL && expected != NULL;
  bool same = fine && size == whole && memcmp(bytes, expected, size) == 0;
  if (fine && !same) {
    if (ends_in(path, TIMED))
      fine = size > 0 && bytes[size - 1] == '\n';
    else if (ends_in(path, ".h5md"))
      fine = frames_agree(path, reference);
    else if (ends_in(path, ".h5"))
      fine = small_series_is_readable(path);
    else if (ends_in(path, ".csv"))
      fine = size <= whole && memcmp(bytes, expected, size) == 0 && (size == 0 || bytes[size - 1] == '\n');
    else if (ends_in(path, ".checkpoint"))
      fine = checkpoint_is_readable(path);
    else
      fine = ends_in(path, "-final.gro") && structure_is_readable(path);
  }
  free(bytes);
  free(expected);
  return fine;
}

/* Compares the files of two folders, out/ in them too.  complete: all must be there and equal.  Returns their number. */
static int compare_folders(const char *folder, const char *reference, bool complete, const char *what) {
  static const char *const parts[] = {"", "/out"};
  int count = 0;
  for (int part = 0; part < 2; part++) {
    char ours[2 * PATH_LENGTH], theirs[2 * PATH_LENGTH];
    struct dirent *entry;
    DIR *open;
    snprintf(ours, sizeof ours, "%s%s", complete ? reference : folder, parts[part]);
    if ((open = opendir(ours)) == NULL) continue;
    while ((entry = readdir(open)) != NULL) {
      struct stat information;
      size_t sizes[2];
      char *bytes[2];
      snprintf(ours, sizeof ours, "%s%s/%.200s", folder, parts[part], entry->d_name);
      snprintf(theirs, sizeof theirs, "%s%s/%.200s", reference, parts[part], entry->d_name);
      if (stat(complete ? theirs : ours, &information) == 0 && S_ISDIR(information.st_mode)) continue;
      count++;
      if (!complete) {
        if (!may_be_left(ours, theirs)) complain("%s: %s is not what it may be", what, entry->d_name);
        continue;
      }
      for (int i = 0; i < 2; i++) bytes[i] = contents(i ? theirs : ours, &sizes[i]);
      if (bytes[0] == NULL ||
          (!ends_in(ours, TIMED) && (sizes[0] != sizes[1] || memcmp(bytes[0], bytes[1], sizes[0]) != 0)))
        complain("%s: exit status 0, but %s is not as it should be", what, entry->d_name);
      free(bytes[0]);
      free(bytes[1]);
    }
    closedir(open);
  }
  return count;
}

/* ---- one fault ---- */

static int occurrences(const char *text, const char *word) {
  int count = 0;
  for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) count++;
  return count;
}

/* Runs a command with its n-th call of a kind failing; false when there is no such call any more. */
static bool inject(size_t c, const char *kind, long n, const char *reference, const char *folder) {
  char fault[64], note[PATH_LENGTH], what[256], path[PATH_LENGTH + 8], *call, *errors;
  size_t size, length;
  int status;
  snprintf(fault, sizeof fault, "%s %ld", kind, n);
  snprintf(note, sizeof note, "%s/note", scratch);
  unlink(note);
  empty_folder(folder);
  status = run(folder, commands[c].arguments, fault);
  call = contents(note, &size);
  if (call == NULL) return false;
  injected++;
  snprintf(what, sizeof what, "%s, %s (%s)", commands[c].name, fault, call);
  snprintf(path, sizeof path, "%s.err", folder);
  errors = contents(path, &length);
  must(errors != NULL, path);
  if (WIFSIGNALED(status)) {
    complain("%s: killed by signal %d", what, WTERMSIG(status));
  } else if (WEXITSTATUS(status) > 2) {
    complain("%s: exit status %d: %.3000s", what, WEXITSTATUS(status), errors);
  } else if (WEXITSTATUS(status) == 0) {
    if (occurrences(errors, "rill: error:") > 0) complain("%s: exit status 0 after %s", what, errors);
    compare_folders(folder, reference, true, what);
  } else {
    if (occurrences(errors, "rill: error:") != 1) complain("%s: not one message: %.1000s", what, errors);
    if (strcmp(kind, "memory") == 0 && (strcasestr(errors, "memory") == NULL ||
                                        (WEXITSTATUS(status) != 1 && strstr(errors, "HDF5") == NULL)))
      complain("%s: exit status %d: %.1000s", what, WEXITSTATUS(status), errors);
    compare_folders(folder, reference, false, what);
  }
  if (getenv("RILL_FAULTS_VERBOSE") != NULL) printf("%s: %d: %.300s\n", what, WEXITSTATUS(status), errors);
  free(errors);
  free(call);
  return true;
}

static void write_text(const char *name, const char *text) {
  char path[PATH_LENGTH];
  FILE *file;
  snprintf(path, sizeof path, "%s/in/%s", scratch, name);
  file = fopen(path, "w");
  must(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0, path);
}

static void copy(const char *source, const char *name) {
  char command[3 * PATH_LENGTH];
  snprintf(command, sizeof command, "cp '%s/%s' '%s/in/%s'", RILL_SOURCE_DIR, source, scratch, name);
  must(system(command) == 0, command);
}

static void make_inputs(void) {
  char folder[PATH_LENGTH];
  snprintf(folder, sizeof folder, "%s/in", scratch);
  empty_folder(folder);
  copy("inputs/water7.gro", "water7.gro");
  copy("tests/data/structures/p216.xyz", "box.xyz");
  copy("tests/data/structures/c002_min_hp.gro", "two.gro");
#define WATER(structure) "[system]\nkind = water\nstructure = " structure "\n"
  write_text("water.ini", WATER("water7.gro") "[integrator]\nmethod = rattle\nstep = 2 fs\nsteps = 12\n"
             "[thermostat]\nmethod = baoab\ntemperature = 10 K\nfriction = 1 /ps\nseed = 1\n"
             "[output]\ntrajectory = water.h5md\ninterval = 4 steps\nvelocities = yes\nseries = water.csv\n[rdf]\npair = O-O\n");
  write_text("box.ini", WATER("box.xyz") "boundary = periodic\n[start]\ntemperature = 300 K\n[integrator]\nmethod = rattle\n"
             "step = 2 fs\nsteps = 4\n[output]\ntrajectory = box.h5md\ninterval = 2 steps\nseries = box.csv\n");
  write_text("penalised.ini", WATER("water7.gro") "[integrator]\nmethod = zss-simplified\nstep = 1 fs\nsteps = 4\n"
             "[penalty]\nstiffness = 100 akma\nrecord = multipliers\n[output]\ntrajectory = pen.h5md\ninterval = 2 steps\nseries = pen.csv\n");
  write_text("small.ini", "[system]\nkind = double-pendulum\n[integrator]\nmethod = rattle\nstep = 0.1\ntime = 2\n"
             "[output]\ntrajectory = small.h5\nseries = small.csv\n");
  must(run(folder, "run water.ini -o .", NULL) == 0, "a trajectory to start from");
  must(run(folder, "run small.ini -o .", NULL) == 0, "a series to start from");
}

int main(int argc, char **argv) {
  static const char *const kinds[] = {"memory", "file", "hdf5"};
  char made[] = "/tmp/test_faults_XXXXXX", reference[PATH_LENGTH], folder[PATH_LENGTH], note[PATH_LENGTH];
  bool all = argc > 2 && strcmp(argv[2], "all") == 0;
  must(argc > 1 && (program = realpath(argv[1], NULL)) != NULL, "the program");
  must((scratch = mkdtemp(made)) != NULL, "a scratch folder");
  snprintf(reference, sizeof reference, "%s/reference", scratch);
  snprintf(folder, sizeof folder, "%s/faulty", scratch);
  snprintf(note, sizeof note, "%s/note", scratch);
  setenv("OMP_NUM_THREADS", "2", 1);
  setenv("RILL_FAULT_NOTE", note, 1);
  make_inputs();
  for (size_t c = 0; c < sizeof commands / sizeof commands[0]; c++) {
    long before = injected;
    int status, files;
    if (argc > 3 && strcmp(argv[3], commands[c].name) != 0) continue;
    empty_folder(reference);
    status = run(reference, commands[c].arguments, NULL);
    files = compare_folders(reference, reference, true, commands[c].name);
    if (status != 0 || files != commands[c].files)
      complain("%s: status %x and %d files without a fault, expected 0 and %d", commands[c].name, (unsigned)status, files,
               commands[c].files);
    for (int k = 0; k < 3; k++)
      for (long n = 1; inject(c, kinds[k], n, reference, folder);) n += all ? 1 : 1 + 2 * n / 3;
    printf("%-16s %5ld faults\n", commands[c].name, injected - before);
  }
  printf("%ld faults injected, %ld failures\n", injected, failures);
  empty_folder(scratch);
  rmdir(scratch);
  return failures > 0;
}

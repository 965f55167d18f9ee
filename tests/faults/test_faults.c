/* Every call that can fail does: for each of the commands below, and for its 1st, 2nd, 3rd ... allocation, call of
 * the file system, call of HDF5, and allocation within a library, the program runs with that call failing (shim.c):
 * alone; with all later ones of its kind; with all later ones of every kind.  It must end by itself, with exit status
 * 1 or 2 and one error message, or else have done its work in full; it must not leak (where it is built so that leaks
 * are seen), leave temporary files behind, nor a file that says anything but what the undisturbed run says.  A run
 * that resumes must, after any of this, resume once more and end as the undisturbed one.
 *
 * `test_faults PROGRAM` tries a sample, with `few` a small one, `test_faults PROGRAM all [COMMAND]` every call (of
 * the thousands in libraries, and where later ones fail too, a sample as well).  Prints how many faults were
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

/* Commands run in a folder of their own; ../in holds the inputs.  files: how many a clean run leaves.  A command that
 * resumes finds ../in/stopped as its folder out. */
static const struct command {
  const char *name, *arguments;
  int files;
  const char *later; /* kinds of which later calls fail too, and libraries, in the sample of `make check` */
} commands[] = {
    {"run", "run ../in/water.ini -o out", 6, "memory file hdf5"},
    {"run json", "run ../in/water.ini -o out -q --json", 6, NULL},
    {"run again", "run ../in/water.ini -o . --force -q", 6, NULL},
    {"resume", "run ../in/long.ini -o out -q --resume", 5, "memory file hdf5 libhdf5"},
    {"run periodic", "run ../in/box.ini -o out -q --threads 2", 5, "libfftw3"},
    {"run implicit", "run ../in/implicit.ini -o out -q", 4, "libsundials"},
    {"run penalised", "run ../in/penalised.ini -o out", 6, NULL},
    {"run small", "run ../in/small.ini -o out", 3, "libhdf5"},
    {"run ensemble", "run ../in/ensemble.ini -o out -q --threads 1", 8, NULL},
    {"run properties", "run ../in/properties.ini -o out -q --threads 1", 7, NULL},
    {"check", "check ../in/water.ini", 0, NULL},
    {"check json", "check ../in/water.ini --json", 0, NULL},
    {"rdf", "rdf ../in/water.h5md --csv rdf.csv", 1, "memory file hdf5 libhdf5"},
    {"info", "info ../in/water.h5md", 0, NULL},
    {"info series", "info ../in/small.h5", 0, NULL},
    {"energy", "energy ../in/two.gro --forces forces.csv", 1, NULL},
    {"energy periodic", "energy ../in/box.xyz --boundary periodic --json", 0, NULL},
    {"convert frame", "convert ../in/water.h5md frame.gro", 1, NULL},
    {"convert", "convert ../in/two.gro two.pdb", 1, NULL},
    {"build", "build water 2 -o built.gro -q", 1, NULL},
    {"minimize", "minimize ../in/two.gro -o low.xyz -q", 1, NULL},
    {"compare", "compare ../in/small.ini --methods rattle,shake --csv times.csv", 1, NULL},
    {"compare water", "compare ../in/water.ini --methods rattle/mshake,rattle/shake --repeats 1 -q", 0, NULL},
    {"reproduce", "reproduce wendlandt-marsden-table-2", 0, NULL},
    {"list", "list systems", 0, NULL},
    {"info json", "info ../in/water.h5md --json", 0, NULL},
};

static bool resumes(const struct command *command) { return strstr(command->arguments, "--resume") != NULL; }

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
                                   velocities ? numbers + (size_t)(2 * i + 1) * count : NULL,
                                   numbers + 4 * count + 9 * i, &error) == RILL_OK;
    agree = agree && steps[0] == steps[1] && times[0] == times[1] &&
            same_numbers(numbers, numbers + 2 * count, 2 * count) &&
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

/* A table of fewer samples, such as a distribution: the same first line, and as many lines, or fewer where it lists
 * what was found, all whole; or an empty file, of which nothing could be written. */
static bool table_is_whole(const char *bytes, size_t size, const char *reference, bool list) {
  const size_t first = strcspn(reference, "\n") + 1;
  int lines = 0;
  if (size == 0) return true;
  if (size < first || memcmp(bytes, reference, first) != 0 || bytes[size - 1] != '\n') return false;
  for (const char *at = bytes; (at = strchr(at, '\n')) != NULL; at++) lines++;
  for (const char *at = reference; (at = strchr(at, '\n')) != NULL; at++) lines--;
  return lines == 0 || (list && lines < 0);
}

/* May a run that was disturbed leave this?  Rows and frames: as many as were reached; of the last row a part, where
 * cutting it off failed as well.  The last state of a run that stopped early is another; it must be one. */
static bool may_be_left(const char *path, const char *reference, bool compound) {
  size_t size, whole;
  char *bytes = contents(path, &size), *expected = contents(reference, &whole);
  bool fine = bytes != NULL && expected != NULL;
  bool same = fine && size == whole && memcmp(bytes, expected, size) == 0;
  if (fine && !same) {
    if (ends_in(path, TIMED)) fine = size > 0 && bytes[size - 1] == '\n';
    else if (ends_in(path, ".h5md")) fine = frames_agree(path, reference);
    else if (ends_in(path,
                     ".h5")) /* what is left of its creation may be no series yet, when it cannot be taken away */
      fine = compound || small_series_is_readable(path);
    else if (ends_in(path, "-rdf.csv") || ends_in(path, "-ensemble.csv") || ends_in(path, "-minima.csv"))
      fine = table_is_whole(bytes, size, expected, ends_in(path, "-minima.csv"));
    else if (ends_in(path, "-properties.csv")) fine = table_is_whole(bytes, size, expected, true);
    else if (ends_in(path, "-properties.json"))
      fine = size > 2 && bytes[0] == '{' && strcmp(bytes + size - 2, "}\n") == 0;
    else if (ends_in(path, ".csv"))
      fine =
          size <= whole && memcmp(bytes, expected, size) == 0 && (size == 0 || bytes[size - 1] == '\n' || compound);
    else if (ends_in(path, ".checkpoint")) fine = checkpoint_is_readable(path);
    else fine = (ends_in(path, "-final.gro") || ends_in(path, "-minima.gro")) && structure_is_readable(path);
  }
  free(bytes);
  free(expected);
  return fine;
}

/* Compares the files of two folders, out/ in them too; returns their number. */
enum expected { ALL_EQUAL, WHAT_ONE_FAULT_LEAVES, WHAT_MANY_FAULTS_LEAVE, WHAT_A_CRASH_LEAVES };
static int compare_folders(const char *folder, const char *reference, enum expected expected, const char *what) {
  const bool complete = expected == ALL_EQUAL;
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
      if (expected > WHAT_ONE_FAULT_LEAVES && ends_in(ours, ".lock"))
        continue; /* of a dead process: they lock nothing */
      count++;
      if (!complete) {
        if (!may_be_left(ours, theirs, expected > WHAT_ONE_FAULT_LEAVES))
          complain("%s: %s is not what it may be", what, entry->d_name);
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

/* An empty folder, or one with what the command resumes. */
static void make_folder(const struct command *command, const char *folder) {
  char copy[3 * PATH_LENGTH];
  empty_folder(folder);
  if (!resumes(command)) return;
  snprintf(copy, sizeof copy, "cp -p -r '%s/in/stopped' '%s/out'", scratch, folder);
  must(system(copy) == 0, copy);
}

static void remove_copies(const char *folder) { /* the checkpoint before the last is not compared */
  char path[2 * PATH_LENGTH];
  snprintf(path, sizeof path, "%s/out/long.checkpoint.prev", folder);
  unlink(path);
}

/* Without a fault, the resumed run comes to the same end: nothing was lost. */
static void resume_once_more(const struct command *command, const char *folder, const char *reference,
                             const char *what) {
  char path[PATH_LENGTH + 8], *errors;
  size_t length;
  int status = run(folder, command->arguments, NULL);
  snprintf(path, sizeof path, "%s.err", folder);
  errors = contents(path, &length);
  if (status != 0) complain("%s: it cannot be resumed after that: %.1000s", what, errors != NULL ? errors : "");
  free(errors);
  remove_copies(folder);
  compare_folders(folder, reference, ALL_EQUAL, what);
}

static bool has_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = strstr(words, word); at != NULL; at = strstr(at + 1, word))
    if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
  return false;
}

/* After a failure inside a library its own cleaning up may fail, too. */
static bool is_library(const char *kind) { return strncmp(kind, "lib", 3) == 0; }

/* Runs a command with its n-th call of a kind failing, and later ones too; false when there is no such call any more.
 */
static bool inject(size_t c, const char *kind, long n, const char *later, const char *reference, const char *folder) {
  char fault[64], note[PATH_LENGTH], what[256], path[PATH_LENGTH + 8], *call, *errors;
  size_t size, length;
  int status;
  snprintf(fault, sizeof fault, "%s %ld%s", kind, n, later);
  snprintf(note, sizeof note, "%s/note", scratch);
  unlink(note);
  make_folder(&commands[c], folder);
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
    remove_copies(folder);
    compare_folders(folder, reference, ALL_EQUAL, what);
  } else {
    if (occurrences(errors, "rill: error:") != 1) complain("%s: not one message: %.1000s", what, errors);
    /* Where everything fails later, the message may be of something else; HDF5 words its own. */
    if (strcmp(kind, "memory") == 0 && strstr(later, "all") == NULL && strstr(errors, "HDF5") == NULL &&
        (strcasestr(errors, "memory") == NULL || WEXITSTATUS(status) != 1))
      complain("%s: exit status %d: %.1000s", what, WEXITSTATUS(status), errors);
    if (resumes(&commands[c])) resume_once_more(&commands[c], folder, reference, what);
    else
      compare_folders(folder, reference,
                      strstr(errors, " crashed, ") != NULL ? WHAT_A_CRASH_LEAVES
                      : *later != '\0' || is_library(kind) ? WHAT_MANY_FAULTS_LEAVE
                                                           : WHAT_ONE_FAULT_LEAVES,
                      what);
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
             "[output]\ntrajectory = water.h5md\ninterval = 4 steps\nvelocities = yes\nseries = water.csv\n"
             "[rdf]\npair = O-O\n");
  write_text("long.ini", WATER("water7.gro") "[integrator]\nmethod = rattle\nstep = 2 fs\nsteps = 24\n[output]\n"
             "trajectory = long.h5md\ninterval = 3 steps\nseries = long.csv\ncheckpoint_interval = 4 steps\n");
  write_text("implicit.ini", WATER("water7.gro") "[integrator]\nmethod = dvp\nstep = 1 fs\nsteps = 2\n[output]\n"
             "trajectory = implicit.h5md\ninterval = 1 steps\n");
  write_text("box.ini", WATER("box.xyz") "boundary = periodic\n[start]\ntemperature = 300 K\n"
             "[integrator]\nmethod = rattle\n"
             "step = 2 fs\nsteps = 4\n[output]\ntrajectory = box.h5md\ninterval = 2 steps\nseries = box.csv\n");
  write_text("penalised.ini", WATER("water7.gro") "[integrator]\nmethod = zss-simplified\nstep = 1 fs\nsteps = 4\n"
             "[penalty]\nstiffness = 100 akma\nrecord = multipliers\n[output]\ntrajectory = pen.h5md\n"
             "interval = 2 steps\nseries = pen.csv\n");
  write_text("ensemble.ini", WATER("two.gro") "[integrator]\nmethod = rattle\nstep = 2 fs\nsteps = 12\n"
             "[thermostat]\nmethod = baoab\nfriction = 1 /ps\nseed = 1\n"
             "[ensemble]\nreplicas = 4\ntemperatures = 10 K, 20 K\n"
             "exchange = neighbours\nexchange_interval = 4 steps\nquench_interval = 12 steps\n[output]\n"
             "trajectory = ensemble.h5md\ninterval = 4 steps\nseries_interval = 4 steps\n"
             "[rdf]\ninterval = 4 steps\n");
  write_text("properties.ini", WATER("box.xyz") "boundary = periodic\n[start]\ntemperature = 300 K\n[integrator]\n"
             "method = rattle\nstep = 2 fs\nsteps = 8\n[thermostat]\nmethod = baoab\ntemperature = 300 K\n"
             "friction = 1 /ps\nseed = 1\n[barostat]\nmethod = rescale\npressure = 1 bar\ninterval = 4 steps\n"
             "[forces]\ncutoff = 0.8 nm\nlj = shift\ntail = yes\n[properties]\ncompute = dielectric, hydrogen-bonds\n"
             "interval = 2 steps\nenergy_interval = 2 steps\nbond_interval = 2 steps\n"
             "[output]\ntrajectory = properties.h5md\n"
             "interval = 4 steps\nseries = properties.csv\nseries_interval = 2 steps\n");
  write_text("small.ini",
             "[system]\nkind = double-pendulum\n[integrator]\nmethod = rattle\nstep = 0.1\ntime = 2\n"
             "[output]\ntrajectory = small.h5\nseries = small.csv\n");
  must(run(folder, "run water.ini -o .", NULL) == 0, "a trajectory to start from");
  must(run(folder, "run small.ini -o .", NULL) == 0, "a series to start from");
  must(run(folder, "run long.ini -o stopped -q --set integrator.steps=12", NULL) == 0, "a run to resume");
}

enum amount { FEW, SAMPLE, ALL };

/* The fault to inject after the n-th. */
static long next(long n, enum amount amount, bool compound, bool library, bool alone) {
  if (amount == FEW) return 4 * n + 1;
  if (amount == SAMPLE) return (compound ? 3 : 2) * n + 1;
  return n + 1 + (library || !alone ? n / 50 : 0);
}

static void try_command(size_t c, enum amount amount, const char *reference, const char *folder) {
  static const char *const kinds[] = {"memory",    "file",        "hdf5",     "libhdf5",
                                      "liblapack", "libsundials", "libfftw3", "libgsl"};
  static const char *const later[] = {"", " on", " all"};
  long before = injected;
  int status, files;
  make_folder(&commands[c], reference);
  status = run(reference, commands[c].arguments, NULL);
  remove_copies(reference);
  files = compare_folders(reference, reference, ALL_EQUAL, commands[c].name);
  if (status != 0 || files != commands[c].files)
    complain("%s: status %x and %d files without a fault, expected 0 and %d", commands[c].name, (unsigned)status,
             files, commands[c].files);
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    for (int l = 0; l < 3; l++) {
      bool library = k > 2, compound = library || l > 0;
      if (compound && amount == FEW) continue;
      if (compound && amount == SAMPLE && (commands[c].later == NULL || !has_word(commands[c].later, kinds[k])))
        continue;
      /* of a run each fifth: so many allocations in a row hold back the metadata of a frame */
      const bool dense = amount == SAMPLE && c == 0 && k == 0 && l == 1;
      /* of an ensemble all: it may be made in part in many ways */
      const bool all = amount == SAMPLE && strcmp(commands[c].name, "run ensemble") == 0 && k == 0 && l == 0;
      for (long n = 1; inject(c, kinds[k], n, later[l], reference, folder);
           n = all     ? n + 1
               : dense ? n + 5
                       : next(n, amount, compound, library, l == 0)) {}
    }
  printf("%-16s %5ld faults\n", commands[c].name, injected - before);
}

int main(int argc, char **argv) {
  char made[] = "/tmp/test_faults_XXXXXX", reference[PATH_LENGTH], folder[PATH_LENGTH], note[PATH_LENGTH];
  const char *const word = argc > 2 ? argv[2] : "sample";
  const enum amount amount = strcmp(word, "all") == 0 ? ALL : strcmp(word, "few") == 0 ? FEW : SAMPLE;
  must(argc > 1 && (program = realpath(argv[1], NULL)) != NULL, "the program");
  must((scratch = mkdtemp(made)) != NULL, "a scratch folder");
  snprintf(reference, sizeof reference, "%s/reference", scratch);
  snprintf(folder, sizeof folder, "%s/faulty", scratch);
  snprintf(note, sizeof note, "%s/note", scratch);
  setenv("OMP_NUM_THREADS", "2", 1);
  setenv("RILL_FAULT_NOTE", note, 1);
  make_inputs();
  for (size_t c = 0; c < sizeof commands / sizeof commands[0]; c++)
    if (argc <= 3 || strcmp(argv[3], commands[c].name) == 0) try_command(c, amount, reference, folder);
  printf("%ld faults injected, %ld failures\n", injected, failures);
  empty_folder(scratch);
  rmdir(scratch);
  return failures > 0;
}

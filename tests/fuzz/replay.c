/* Runs a target over files and folders of inputs: those given, or else corpus/NAME and the target's own folders under
 * the source folder, and over cuts of each file; or, given a number (and a seed), over this many random inputs, fewer
 * when SIGINT, SIGTERM or SIGUSR1 arrives.  Prints how many inputs there were. */
#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "fuzz.h"

enum { CUTS = 16 };

static size_t inputs;
static volatile sig_atomic_t stopped;

static void stop(int number) {
  (void)number;
  stopped = 1;
}

static void run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  struct stat information;
  uint8_t *bytes;
  size_t size;
  FUZZ_REQUIRE(file != NULL && fstat(fileno(file), &information) == 0);
  size = (size_t)information.st_size;
  bytes = malloc(size + 1);
  FUZZ_REQUIRE(bytes != NULL && fread(bytes, 1, size, file) == size);
  fclose(file);
  for (size_t cut = 0; cut <= CUTS; cut++, inputs++) {
    /* A copy of its own, so that reading beyond it is seen. */
    size_t length = size / CUTS * cut + (cut == CUTS ? size % CUTS : 0);
    uint8_t *copy = malloc(length > 0 ? length : 1);
    FUZZ_REQUIRE(copy != NULL);
    memcpy(copy, bytes, length);
    LLVMFuzzerTestOneInput(copy, length);
    free(copy);
  }
  free(bytes);
}

static void run(const char *path) {
  struct stat information;
  struct dirent *entry;
  DIR *folder;
  if (stat(path, &information) != 0) return;
  if (!S_ISDIR(information.st_mode)) {
    run_file(path);
    return;
  }
  folder = opendir(path);
  FUZZ_REQUIRE(folder != NULL);
  while ((entry = readdir(folder)) != NULL) {
    char inside[4096];
    snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
    if (entry->d_name[0] != '.' && stat(inside, &information) == 0 && S_ISREG(information.st_mode)) run_file(inside);
  }
  closedir(folder);
}

/* Short and long ones; in some, 0, 1 or 255 is frequent, which many formats give a meaning. */
static void run_random(size_t count, unsigned seed) {
  enum { LENGTH_MOST = 400 };
  signal(SIGINT, stop);
  signal(SIGTERM, stop);
  signal(SIGUSR1, stop);
  srandom(seed);
  for (; inputs < count && !stopped; inputs++) {
    const size_t length = (size_t)random() % (random() % 2 != 0 ? 16 : LENGTH_MOST) + 1;
    const long frequent = random() % 4;
    uint8_t *bytes = malloc(length);
    FUZZ_REQUIRE(bytes != NULL);
    for (size_t i = 0; i < length; i++)
      bytes[i] = (uint8_t)(frequent > 0 && random() % 3 == 0 ? (frequent == 1   ? 0
                                                                : frequent == 2 ? 1
                                                                                : 255)
                                                             : random());
    LLVMFuzzerTestOneInput(bytes, length);
    free(bytes);
  }
}

int main(int argc, char **argv) {
  const char *source = getenv("RILL_SOURCE"), *name = strrchr(argv[0], '/');
  name = name == NULL ? argv[0] : name + 1;
  const bool random_ones = argc > 1 && isdigit((unsigned char)argv[1][0]);
  for (int i = 1; i < argc && !random_ones; i++) run(argv[i]);
  if (random_ones) run_random(strtoul(argv[1], NULL, 10), argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1);
  if (argc == 1) {
    char path[4096];
    FUZZ_REQUIRE(source != NULL);
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", source, name);
    run(path);
    for (size_t i = 0; fuzz_folders[i] != NULL; i++) {
      snprintf(path, sizeof path, "%s/%s", source, fuzz_folders[i]);
      run(path);
    }
  }
  printf("%s: %zu inputs\n", name, inputs);
  return inputs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

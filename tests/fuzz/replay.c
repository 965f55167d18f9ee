/* Runs a target over files and folders of inputs: those given, or else corpus/NAME and the target's own folders under
 * the source folder, and over cuts of each file.  Prints how many inputs there were. */
#include <dirent.h>
#include <sys/stat.h>

#include "fuzz.h"

enum { CUTS = 16 };

static size_t inputs;

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

int main(int argc, char **argv) {
  const char *source = getenv("RILL_SOURCE"), *name = strrchr(argv[0], '/');
  name = name == NULL ? argv[0] : name + 1;
  for (int i = 1; i < argc; i++) run(argv[i]);
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

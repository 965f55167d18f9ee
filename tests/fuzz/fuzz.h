/* What the fuzz targets share.  A target takes arbitrary bytes as its reader's file and holds the reader to its
 * promises: no crash, no undefined behaviour, no leak, memory in proportion to the file, and either a result that
 * makes sense or the status of unusable input with one message.  libFuzzer drives a target (configure
 * --enable-fuzzing CC=clang; make check-fuzz), replay.c runs it over the inputs of corpus/NAME and over those of the
 * other tests. */
#ifndef RILL_TESTS_FUZZ_H
#define RILL_TESTS_FUZZ_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Folders of inputs beside corpus/NAME, relative to the source folder; ends with NULL. */
extern const char *const fuzz_folders[];

#define FUZZ_REQUIRE(condition)                                                                                      \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                                 \
      abort();                                                                                                       \
    }                                                                                                                \
  } while (0)

static char fuzz_directory[256];

static inline void fuzz_remove_directory(void) {
  char command[sizeof fuzz_directory + 16];
  snprintf(command, sizeof command, "rm -rf '%s'", fuzz_directory);
  if (system(command) != 0) perror(fuzz_directory);
}

/* A path in a folder of the process's own, in TMPDIR; the same string for the same name. */
static inline const char *fuzz_path(const char *name) {
  static char paths[4][sizeof fuzz_directory + 32];
  static int next;
  char *path = paths[next++ % 4];
  if (fuzz_directory[0] == '\0') {
    const char *base = getenv("TMPDIR");
    snprintf(fuzz_directory, sizeof fuzz_directory, "%.200s/rill-fuzz-XXXXXX", base != NULL ? base : "/tmp");
    FUZZ_REQUIRE(mkdtemp(fuzz_directory) != NULL);
    atexit(fuzz_remove_directory);
  }
  snprintf(path, sizeof paths[0], "%s/%s", fuzz_directory, name);
  return path;
}

/* The bytes as a file of that name. */
static inline const char *fuzz_file(const char *name, const void *bytes, size_t size) {
  const char *path = fuzz_path(name);
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  FUZZ_REQUIRE(file >= 0 && write(file, bytes, size) == (ssize_t)size);
  close(file);
  return path;
}

/* A refusal: of the input, with a message. */
static inline void fuzz_require_refusal(enum rill_status status, const struct rill_error *error) {
  FUZZ_REQUIRE(status == RILL_ERROR_INPUT && error->status == status);
  FUZZ_REQUIRE(error->length > 0 && error->length == strlen(error->text));
}

#endif

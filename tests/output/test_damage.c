/* A trajectory whose sectors are zeroed, one at a time; that is cut at every sector; in which bits are flipped: of
 * each there comes what was written or one message, soon, and never a signal.  test_damage [N [SEED]]: every sector,
 * and N flips. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/sandbox.h"
#include "output/trajectory.h"
#include "sample.h"

enum { FRAMES = 40, SECTOR = 512, ROOM = 1 << 20, STEP_BETWEEN = 10 };
enum { STRUCTURE = 64 }; /* sectors that hold headers, names, heaps, attributes and the deck */

static struct rill_error error;
static uint8_t sound[ROOM], damaged[ROOM];
static size_t size, right, refused, failures;
static char path[64];

#define REQUIRE(condition)                                                                                           \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      fprintf(stderr, "%s:%d: does not hold: %s (%s)\n", __FILE__, __LINE__, #condition, error.text);                \
      exit(EXIT_FAILURE);                                                                                            \
    }                                                                                                                \
  } while (0)

static void positions_of(size_t frame, double *x) {
  for (size_t i = 0; i < SAMPLE_NUMBERS; i++)
    x[i] = (double)(float)(0.1 * sin((double)(i + 7 * frame)) + 0.3 * (double)(i / 9));
}

static void write_sound(void) {
  struct rill_trajectory_header header = sample_header();
  struct rill_trajectory_writer *writer;
  double x[SAMPLE_NUMBERS];
  char deck[2000] = "[system]\nkind = water\n";
  FILE *file;
  while (strlen(deck) < 1500) strcat(deck, "; a deck of some length\n");
  header.deck = deck;
  header.replace = true;
  REQUIRE(rill_trajectory_create(path, &header, &writer, &error) == RILL_OK);
  for (size_t n = 0; n < FRAMES; n++) {
    const uint64_t step = STEP_BETWEEN * n;
    const struct rill_trajectory_frame frame = {step, (double)step * header.step, x, NULL, NULL};
    positions_of(n, x);
    REQUIRE(rill_trajectory_append(writer, &frame, &error) == RILL_OK);
  }
  REQUIRE(rill_trajectory_close(writer, &error) == RILL_OK);
  file = fopen(path, "rb");
  REQUIRE(file != NULL);
  size = fread(sound, 1, ROOM, file);
  fclose(file);
  REQUIRE(size > 0 && size < ROOM);
}

/* Everything that a reader gives, as it was written. */
static bool reads_as_written(struct rill_trajectory_reader *reader, enum rill_status *status) {
  double x[SAMPLE_NUMBERS], y[SAMPLE_NUMBERS], time;
  uint64_t step;
  bool same = rill_trajectory_frames(reader) == FRAMES && rill_trajectory_molecules(reader) == SAMPLE_MOLECULES &&
              strlen(rill_trajectory_deck(reader)) >= 1500 && rill_trajectory_degrees_of_freedom(reader) == 36 &&
              strcmp(rill_trajectory_creator(reader), "rill 1.2.3") == 0 && !rill_trajectory_is_periodic(reader);
  for (size_t n = 0; n < rill_trajectory_frames(reader); n++) {
    *status = rill_trajectory_read(reader, n, &step, &time, y, NULL, NULL, &error);
    if (*status != RILL_OK) return false;
    positions_of(n, x);
    same = same && step == STEP_BETWEEN * n && memcmp(x, y, sizeof x) == 0;
  }
  return same;
}

/* exactly: what is read must be what was written, which single flipped bits of the numbers cannot promise. */
static void try(const char *what, size_t where, size_t length, bool exactly) {
  struct rill_trajectory_reader *reader;
  enum rill_status status;
  bool same = false;
  FILE *file = fopen(path, "wb");
  REQUIRE(file != NULL && fwrite(damaged, 1, length, file) == length && fclose(file) == 0);
  rill_error_clear(&error);
  status = rill_trajectory_open(path, &reader, &error);
  if (status == RILL_OK) same = reads_as_written(reader, &status);
  if (status == RILL_OK) {
    right += same;
    failures += exactly && !same;
    if (exactly && !same) fprintf(stderr, "%s %zu: other numbers, and no message\n", what, where);
  } else {
    refused++;
    if (status != RILL_ERROR_INPUT || error.length == 0 || strchr(error.text, '\n') != NULL) {
      fprintf(stderr, "%s %zu: status %d, \"%s\"\n", what, where, (int)status, error.text);
      failures++;
    }
  }
  if (reader != NULL) rill_trajectory_reader_close(reader);
}

int main(int argc, char **argv) {
  const bool all = argc > 1;
  const unsigned long flips = all ? strtoul(argv[1], NULL, 10) : 100;
  char folder[] = "test_damage_XXXXXX";
  srandom(argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1);
  REQUIRE(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/in.h5md", folder);
  rill_sandbox_seconds = 0.1;
  write_sound();
  memcpy(damaged, sound, size);
  try("sound", 0, size, true);
  REQUIRE(right == 1);
  for (size_t at = 0; at < size; at += SECTOR) {
    const size_t sector = at / SECTOR;
    if (!all && sector >= STRUCTURE && sector % 4 != 0) continue; /* numbers, of which some stand for all */
    memcpy(damaged, sound, size);
    memset(damaged + at, 0, size - at < SECTOR ? size - at : SECTOR);
    try("zeroed sector", sector, size, true);
    if (all || sector % 6 == 0) try("cut at sector", sector, at, true);
  }
  for (unsigned long i = 0; i < flips; i++) {
    memcpy(damaged, sound, size);
    for (int count = 1 + (int)(random() % 4); count > 0; count--) {
      /* mostly in the structure, which lies in front */
      const size_t at = (size_t)random() % (random() % 4 != 0 ? size / 4 : size);
      damaged[at] ^= (uint8_t)(1 << random() % 8);
    }
    try("flipped bits", i, size, false);
  }
  unlink(path);
  rmdir(folder);
  printf("%zu read as written, %zu refused, %zu failures\n", right, refused, failures);
  return failures > 0;
}

/* A target for one format of structures; FUZZ_EXTENSION names it. */
#include <math.h>

#include "fuzz.h"
#include "structure/structure.h"

const char *const fuzz_folders[] = {"tests/data/variants", "tests/data/structures", NULL};

static void require_finite(const struct rill_structure *structure) {
  for (size_t i = 0; i < 9 * structure->molecules; i++) {
    FUZZ_REQUIRE(isfinite(structure->positions[i]));
    FUZZ_REQUIRE(structure->velocities == NULL || isfinite(structure->velocities[i]));
  }
  for (int i = 0; i < 9; i++) FUZZ_REQUIRE(isfinite(structure->box[i / 3][i % 3]));
}

/* Written in the same format it reads back, unless its numbers do not fit the columns. */
static void write_and_read_again(const struct rill_structure *structure, struct rill_error *error) {
  const char *path = fuzz_path("out" FUZZ_EXTENSION);
  struct rill_structure again;
  enum rill_status status = rill_structure_write(path, true, structure, 0, error);
  FUZZ_REQUIRE(status == RILL_OK || status == RILL_ERROR_OUTPUT);
  if (status != RILL_OK) return;
  status = rill_structure_read(path, &again, error);
  /* Rounded to the columns, a molecule or a box may have become unreadable; then the reader says so. */
  if (status == RILL_OK) {
    FUZZ_REQUIRE(again.molecules == structure->molecules);
    require_finite(&again);
  } else {
    fuzz_require_refusal(status, error);
  }
  rill_structure_release(&again);
}

static void require_refusal(enum rill_status status, const struct rill_error *error, const char *path) {
  fuzz_require_refusal(status, error);
  FUZZ_REQUIRE(strncmp(error->text, path, strlen(path)) == 0 && strchr(error->text, '\n') == NULL);
}

/* What has been read, frame by frame, is finite and in proportion to the file. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static struct rill_error error;
  struct rill_structure_reader *reader;
  const char *path = fuzz_file("in" FUZZ_EXTENSION, bytes, size);
  enum rill_status status;
  size_t molecules = 0;
  bool found = true, first = true;
  rill_error_clear(&error);
  status = rill_structure_open(path, &reader, &error);
  if (status != RILL_OK) {
    require_refusal(status, &error, path);
    FUZZ_REQUIRE(reader == NULL);
    return 0;
  }
  for (; found; first = false) {
    struct rill_structure structure;
    status = rill_structure_next(reader, &structure, &found);
    if (status != RILL_OK) require_refusal(status, &error, path);
    FUZZ_REQUIRE(status == RILL_OK || !found);
    FUZZ_REQUIRE(found ||
                 (structure.positions == NULL && structure.velocities == NULL && structure.file_atom == NULL));
    if (!found) break;
    FUZZ_REQUIRE(error.status == RILL_OK && error.length == 0);
    molecules += structure.molecules;
    FUZZ_REQUIRE(structure.molecules > 0 && molecules <= size / 18); /* a line of XYZ has 8 bytes, the last 7 */
    require_finite(&structure);
    if (first) write_and_read_again(&structure, &error);
    rill_error_clear(&error);
    rill_structure_release(&structure);
  }
  FUZZ_REQUIRE(status != RILL_OK || !first);
  rill_structure_close(reader);
  return 0;
}

/* Damaged HDF5 files.  The bytes say what is done to a sound one, which our writer makes: four at a time, a place
 * (three of them) and what is written there; two that are left over, how long it stays; and behind a byte 255, all
 * that follows the signature.  HDF5 itself is not safe against every damaged file (1.10.8 has known faults): that one
 * message comes of it all the same is what this target holds the sandbox to.  What our readers make of sound files
 * with unexpected content is the target h5md. */
#include "read_h5.h"

const char *const fuzz_folders[] = {NULL};

enum { MOLECULES = 2, FRAMES = 2, ROOM = 1 << 17, SIGNATURE = 8 };

static uint8_t sound[ROOM];
static size_t sound_size;

static void make_sound(void) {
  static const double mass[3] = {16, 1, 1}, charge[3] = {-0.8, 0.4, 0.4}, row[2] = {0.5, 1.5};
  static const char *const names[] = {"t", "T"}, *const units[] = {"ps", "K"};
  const struct rill_trajectory_header header = {.molecules = MOLECULES,
                                                .mass = mass,
                                                .charge = charge,
                                                .version = "0",
                                                .deck = "[system]\nkind = water\n",
                                                .deck_room = 100,
                                                .seed = 1,
                                                .degrees_of_freedom = 12,
                                                .step = 0.002,
                                                .velocities = true,
                                                .replace = true};
  const struct rill_table table = {.name = "series",
                                   .rows = 1,
                                   .columns = 2,
                                   .column_names = names,
                                   .column_units = units,
                                   .values = row,
                                   .description = "a row"};
  const char *path = fuzz_path("sound.h5md");
  double positions[9 * MOLECULES] = {0.1, 0.2, 0.3};
  struct rill_trajectory_writer *writer;
  struct rill_trajectory_reader *reader;
  FILE *file;
  FUZZ_REQUIRE(rill_trajectory_create(path, &header, &writer, &error) == RILL_OK);
  for (uint64_t n = 0; n < FRAMES; n++) {
    const struct rill_trajectory_frame frame = {n, 0.002 * (double)n, positions, positions, NULL};
    FUZZ_REQUIRE(rill_trajectory_append(writer, &frame, &error) == RILL_OK);
  }
  FUZZ_REQUIRE(rill_trajectory_append_table(writer, &table, &error) == RILL_OK);
  FUZZ_REQUIRE(rill_trajectory_close(writer, &error) == RILL_OK);
  FUZZ_REQUIRE(rill_trajectory_open(path, &reader, &error) == RILL_OK && rill_trajectory_frames(reader) == FRAMES);
  rill_trajectory_reader_close(reader);
  file = fopen(path, "rb");
  FUZZ_REQUIRE(file != NULL);
  sound_size = fread(sound, 1, ROOM, file);
  fclose(file);
  FUZZ_REQUIRE(sound_size > 0 && sound_size < ROOM);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static uint8_t damaged[ROOM];
  const char *path;
  size_t kept;
  if (sound_size == 0) make_sound();
  rill_sandbox_seconds = 0.05; /* none of these files takes half of it, if it comes to an end at all */
  kept = sound_size;
  memcpy(damaged, sound, sound_size);
  if (size > 0 && bytes[0] == 255) {
    kept = SIGNATURE + size - 1;
    memcpy(damaged + SIGNATURE, bytes + 1, size - 1);
    size = 0;
  }
  for (; size >= 4; bytes += 4, size -= 4)
    damaged[((size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16) % sound_size] = bytes[3];
  if (size == 2) kept = ((size_t)bytes[0] | (size_t)bytes[1] << 8) % sound_size;
  path = fuzz_file("in.h5md", damaged, kept);
  read_trajectory(path, kept);
  read_series(path);
  return 0;
}

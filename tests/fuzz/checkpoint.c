/* The reader of checkpoints.  Most inputs fail at the checksum, so the bytes are read twice: as they are, and behind
 * a head whose length and checksum fit them. */
#include <zlib.h>

#include "fuzz.h"
#include "output/checkpoint.h"

const char *const fuzz_folders[] = {NULL};

static void parse(const uint8_t *bytes, size_t size) {
  static struct rill_error error;
  struct rill_checkpoint checkpoint = {0};
  enum rill_status status;
  rill_error_clear(&error);
  status = rill_checkpoint_parse(bytes, size, &checkpoint, &error);
  if (status != RILL_OK) {
    fuzz_require_refusal(status, &error);
  } else {
    FUZZ_REQUIRE(error.status == RILL_OK);
    FUZZ_REQUIRE(strlen(checkpoint.version) < RILL_CHECKPOINT_WORD && strlen(checkpoint.kind) < RILL_CHECKPOINT_WORD);
    FUZZ_REQUIRE(strlen(checkpoint.deck) < size);
  }
  rill_checkpoint_release(&checkpoint);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  enum { HEAD = 40 };
  const uint32_t format = 1, order = 0x01020304;
  const uint64_t length = size;
  uint8_t *whole = malloc(HEAD + size);
  uint64_t sum;
  FUZZ_REQUIRE(whole != NULL);
  parse(bytes, size);
  memcpy(whole, "rill checkpoint\n", 16);
  memcpy(whole + 16, &format, 4);
  memcpy(whole + 20, &order, 4);
  memcpy(whole + 24, &length, 8);
  memcpy(whole + HEAD, bytes, size);
  sum = crc32(crc32(0, whole, 32), whole + HEAD, (uInt)size);
  memcpy(whole + 32, &sum, 8);
  parse(whole, HEAD + size);
  free(whole);
  return 0;
}

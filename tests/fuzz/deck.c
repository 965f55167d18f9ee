/* The reader of decks.  Bytes behind a byte 1 are overrides, separated by further bytes 1. */
#include "deck/deck.h"
#include "fuzz.h"

enum { OVERRIDES = 8 };

const char *const fuzz_folders[] = {"inputs", "inputs/papers", NULL};

/* Two small systems: a pendulum in SI units and an oscillator without, with keys of their own. */
static enum rill_status look_up_system(const char *kind, enum rill_deck_units *units, struct rill_error *error) {
  *units = RILL_UNITS_MOLECULAR;
  if (strcmp(kind, "water") == 0) return RILL_OK;
  *units = RILL_UNITS_SI;
  if (strcmp(kind, "simple-pendulum") == 0) return RILL_OK;
  *units = RILL_UNITS_NONE;
  if (strcmp(kind, "harmonic-oscillator") == 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "no system '%s'", kind);
}

static enum rill_status check_entry(const char *kind, const char *section, const char *key, const char *value,
                                    bool *known, struct rill_error *error) {
  char *end;
  *known = strcmp(key, "length") == 0 || strcmp(key, "frequency") == 0;
  if (!*known) return rill_error_set(error, RILL_ERROR_INPUT, "%s has no key %s in [%s]", kind, key, section);
  strtod(value, &end);
  if (end == value || *end != '\0') return rill_error_set(error, RILL_ERROR_INPUT, "'%s' is not a number", value);
  return RILL_OK;
}

static unsigned method_reads(const char *method) { return strcmp(method, "rattle") == 0 ? 0 : ~0u; }

/* A deck that has been read can be written in full, and that reads back to the same text. */
static void require_expansion(const struct rill_deck_registry *registry, const struct rill_deck *deck) {
  static struct rill_deck again;
  static struct rill_error error;
  char *text = rill_deck_expand(deck), *second;
  enum rill_status status;
  FUZZ_REQUIRE(text != NULL);
  status = rill_deck_read_with(registry, fuzz_file("full.ini", text, strlen(text)), NULL, 0, &again, &error);
  if (status != RILL_OK) fprintf(stderr, "%s\n%s\n", error.text, text);
  FUZZ_REQUIRE(status == RILL_OK);
  second = rill_deck_expand(&again);
  FUZZ_REQUIRE(second != NULL);
  if (strcmp(text, second) != 0) fprintf(stderr, "%s\n---- reads back as ----\n%s\n", text, second);
  FUZZ_REQUIRE(strcmp(text, second) == 0);
  free(text);
  free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const struct rill_deck_registry registry = {look_up_system, check_entry, method_reads};
  static struct rill_deck deck;
  static struct rill_error error;
  const uint8_t *mark = memchr(bytes, 1, size);
  size_t length = mark != NULL ? (size_t)(mark - bytes) : size, count = 0;
  const char *overrides[OVERRIDES];
  char *texts = NULL;
  const char *path = fuzz_file("in.ini", bytes, length);
  enum rill_status status;
  if (mark != NULL) {
    texts = calloc(size - length, 1);
    FUZZ_REQUIRE(texts != NULL);
    memcpy(texts, mark + 1, size - length - 1);
    for (char *next = texts; next != NULL && count < OVERRIDES;) overrides[count++] = strsep(&next, "\1");
  }
  rill_error_clear(&error);
  status = rill_deck_read_with(&registry, path, overrides, count, &deck, &error);
  if (status != RILL_OK) fuzz_require_refusal(status, &error);
  else require_expansion(&registry, &deck);
  FUZZ_REQUIRE(error.status == status);
  free(texts);
  return 0;
}

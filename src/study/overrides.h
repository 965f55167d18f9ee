/* Overrides of one deck among several that are compared: its own, and those given for all decks that have an effect
 * on it. */
#ifndef RILL_STUDY_OVERRIDES_H
#define RILL_STUDY_OVERRIDES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { RILL_OWN_OVERRIDES = 16, RILL_GIVEN_OVERRIDES = 64 };

/* In the form that rill_deck_read_with takes.  Zeroed before its first use; must not be moved. */
struct rill_overrides {
  const char *list[RILL_GIVEN_OVERRIDES + RILL_OWN_OVERRIDES];
  size_t count;
  char text[RILL_OWN_OVERRIDES][160];
  size_t texts;
  bool without_penalty; /* set by the caller: the given ones of [penalty] do not concern this deck */
};

/* Those that were given for all decks; at most RILL_GIVEN_OVERRIDES. */
struct rill_given_overrides {
  const char *const *list;
  size_t count;
  bool used[RILL_GIVEN_OVERRIDES]; /* it had an effect on a deck */
};

/* "section.key=value", as a printf format. */
void rill_overrides_put(struct rill_overrides *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The given overrides that do not concern the method: for a deck that is read before methods are known. */
void rill_overrides_put_common(const struct rill_given_overrides *given, struct rill_overrides *o);

/* The given overrides, except for keys that o sets itself, and for method, step and length of the run.  Keys that
 * only some methods read are included where they have an effect; the deck is read once without them to find out. */
enum rill_status rill_overrides_put_given(struct rill_given_overrides *given, const char *path,
                                          struct rill_overrides *o, struct rill_error *error);

/* RILL_ERROR_USAGE names an override that had no effect on any deck. */
enum rill_status rill_overrides_check(const struct rill_given_overrides *given, struct rill_error *error);

#endif

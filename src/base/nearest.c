#include "base/nearest.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Damerau-Levenshtein distance (optimal string alignment), three rows. */
static size_t distance(const char *a, size_t la, const char *b, size_t lb) {
  size_t row[3][LONGEST + 1];
  for (size_t j = 0; j <= lb; j++) row[0][j] = j;
  for (size_t i = 1; i <= la; i++) {
    size_t *now = row[i % 3], *before = row[(i + 2) % 3], *twice = row[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= lb; j++) {
      int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
      now[j] = least(before[j - 1] + (ca != cb), least(before[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) && cb == tolower((unsigned char)a[i - 2]))
        now[j] = least(now[j], twice[j - 2] + 1);
    }
  }
  return row[la % 3][lb];
}

const char *rill_nearest(const char *given, const char *const *names, size_t count) {
  const char *nearest = NULL;
  size_t best = (size_t)-1, length = strlen(given);
  if (length == 0 || length > LONGEST) return NULL;
  for (size_t i = 0; i < count; i++) {
    size_t other = strlen(names[i]), limit, d;
    if (other > LONGEST) continue;
    limit = (length > other ? length : other) / 3;
    if (limit < 1) limit = 1;
    d = distance(given, length, names[i], other);
    if (d <= limit && d < best) {
      best = d;
      nearest = names[i];
    }
  }
  return nearest;
}

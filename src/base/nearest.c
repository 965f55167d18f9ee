#include "base/nearest.h"

#include <stdbool.h>
#include <string.h>

enum { WORD_LIMIT = 48 };

static char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter; }

static int least(int a, int b) { return a < b ? a : b; }

int rill_edit_distance(const char *a, const char *b) {
  int rows[3][WORD_LIMIT + 1];
  int *before = rows[0], *last = rows[1], *row = rows[2];
  size_t length_a = strlen(a), length_b = strlen(b);
  if (length_a > WORD_LIMIT || length_b > WORD_LIMIT) return RILL_FAR;
  for (size_t j = 0; j <= length_b; j++) last[j] = (int)j;
  for (size_t i = 1; i <= length_a; i++) {
    int *spare = before;
    row[0] = (int)i;
    for (size_t j = 1; j <= length_b; j++) {
      int differs = lower(a[i - 1]) != lower(b[j - 1]);
      row[j] = least(least(last[j] + 1, row[j - 1] + 1), last[j - 1] + differs);
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = least(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
    row = spare;
  }
  return last[length_b];
}

/* The same characters in another order, such as H-O for O-H. */
static bool is_rearranged(const char *a, const char *b) {
  int surplus[256] = {0};
  for (; *a != '\0'; a++) surplus[(unsigned char)lower(*a)]++;
  for (; *b != '\0'; b++) surplus[(unsigned char)lower(*b)]--;
  for (int c = 0; c < 256; c++)
    if (surplus[c] != 0) return false;
  return true;
}

int rill_slip_distance(const char *written, const char *word) {
  const size_t length_written = strlen(written), length_word = strlen(word);
  const size_t shorter = length_written < length_word ? length_written : length_word;
  const size_t longer = length_written < length_word ? length_word : length_written;
  const bool contained = shorter >= 3 && (strstr(written, word) != NULL || strstr(word, written) != NULL);
  int distance;
  if (is_rearranged(written, word)) return 0;
  if (!contained && longer - shorter > shorter / 3) return RILL_FAR; /* the distance is at least that difference */
  distance = rill_edit_distance(written, word);
  return contained || distance <= (int)(shorter / 3) ? distance : RILL_FAR;
}

const char *rill_nearest(const char *written, const char *const *words, size_t count) {
  const char *nearest = NULL;
  int distance = RILL_FAR;
  for (size_t i = 0; i < count; i++) {
    int far = rill_slip_distance(written, words[i]);
    if (far >= distance) continue;
    distance = far;
    nearest = words[i];
  }
  return nearest;
}

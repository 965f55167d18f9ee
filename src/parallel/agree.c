#include "parallel/agree.h"

#include <string.h>

#include "base/memory.h"

/* The text of the lowest rank with an error. */
static enum rill_status share_error(struct rill_ranks *ranks, enum rill_status status, struct rill_error *error) {
  struct {
    uint64_t status;
    char text[RILL_ERROR_CAPACITY];
  } own = {.status = status}, other;
  if (status != RILL_OK) memcpy(own.text, error->text, sizeof own.text);
  rill_error_clear(error);
  RILL_TRY(ranks->ops->gather(ranks, &own, sizeof own, true, error));
  for (int r = 0; r < ranks->count; r++) {
    memcpy(&other, ranks->gathered[r].bytes, sizeof other);
    if (other.status != RILL_OK) return rill_error_set(error, (enum rill_status)other.status, "%s", other.text);
  }
  return RILL_OK;
}

/* The number of a signal that another rank than 0 has received. */
static uint64_t caught_here(const struct rill_ranks *ranks) {
  return ranks->rank != 0 && ranks->caught != NULL ? (uint64_t)ranks->caught() : 0;
}

enum rill_status rill_agree(struct rill_ranks *ranks, enum rill_status status, uint64_t *words, size_t count,
                            struct rill_error *error) {
  uint64_t all[RILL_AGREED_WORDS + 2] = {status, caught_here(ranks)};
  struct rill_error fault = {0};
  if (ranks->broken) return status != RILL_OK ? status : rill_error_set(error, RILL_ERROR_FAILED, "ranks are lost");
  for (size_t i = 0; i < count; i++) all[i + 2] = words[i];
  if (ranks->ops->largest(ranks, all, count + 2, &fault) != RILL_OK) {
    *error = fault;
    return fault.status;
  }
  for (size_t i = 0; i < count; i++) words[i] = all[i + 2];
  if (all[1] != 0 && ranks->rank == 0 && ranks->hear != NULL) ranks->hear((int)all[1]);
  return all[0] == RILL_OK ? RILL_OK : share_error(ranks, status, error);
}

enum rill_status rill_exact_over_ranks(struct rill_ranks *ranks, struct rill_exact_sum *sums, size_t count,
                                       struct rill_error *error) {
  enum { MOST = 16, WORDS = RILL_EXACT_LIMBS + 1 };
  uint64_t words[MOST * WORDS];
  for (size_t at = 0; at < count; at += MOST) {
    const size_t here = count - at < MOST ? count - at : MOST;
    for (size_t i = 0; i < here; i++) {
      rill_exact_carry(&sums[at + i]);
      memcpy(&words[i * WORDS], sums[at + i].limb, sizeof sums->limb);
      words[i * WORDS + RILL_EXACT_LIMBS] = sums[at + i].invalid;
    }
    RILL_TRY(ranks->ops->sum(ranks, words, here * WORDS, error));
    for (size_t i = 0; i < here; i++) {
      memcpy(sums[at + i].limb, &words[i * WORDS], sizeof sums->limb);
      sums[at + i].invalid = words[i * WORDS + RILL_EXACT_LIMBS] != 0;
      rill_exact_carry(&sums[at + i]);
    }
  }
  return RILL_OK;
}

enum rill_status rill_integers_over_ranks(struct rill_ranks *ranks, const int64_t *integers, size_t count,
                                          double *values, struct rill_error *error) {
  enum { MOST = 32 };
  uint64_t words[2 * MOST];
  for (size_t at = 0; at < count; at += MOST) {
    const size_t here = count - at < MOST ? count - at : MOST;
    for (size_t i = 0; i < here; i++) {
      words[2 * i] = (uint64_t)integers[at + i] & 0xffffffffU;
      words[2 * i + 1] = (uint64_t)(integers[at + i] >> 32);
    }
    RILL_TRY(ranks->ops->sum(ranks, words, 2 * here, error));
    for (size_t i = 0; i < here; i++)
      values[at + i] = (double)((__int128)(int64_t)words[2 * i + 1] * ((__int128)1 << 32) + (__int128)words[2 * i]);
  }
  return RILL_OK;
}

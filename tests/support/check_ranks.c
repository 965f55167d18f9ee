#include "support/check_ranks.h"

#include <string.h>

#include "base/memory.h"
#include "base/random.h"

enum { ROUNDS = 6, MOST_RANKS = 64 };

struct room {
  unsigned char *out, *in, *expected;
  size_t size;
};

/* The same number on all ranks. */
static size_t draw(int round, int a, int b, size_t below) {
  const struct rill_noise noise = rill_noise_create(11, RILL_STREAM_TEST);
  uint32_t bits[4];
  rill_noise_bits(&noise, (uint64_t)round, (uint32_t)a, (uint32_t)b, bits);
  return bits[1] % 4 == 0 ? 0 : bits[0] % below;
}

/* The bytes of a message from rank a to b. */
static void fill(unsigned char *bytes, size_t length, int round, int a, int b) {
  for (size_t k = 0; k < length; k++)
    bytes[k] = (unsigned char)((size_t)(round * 7 + a * 31 + b * 57 + 1) * (k + 13) >> 2);
}

static const char *check_tell(struct rill_ranks *ranks, int round, size_t longest, struct room *room) {
  const size_t length = draw(round, 0, 1, longest);
  struct rill_error error;
  fill(room->out, length, round, ranks->rank, 0);
  fill(room->expected, length, round, 0, 0);
  if (ranks->ops->broadcast(ranks, room->out, length, &error) != RILL_OK) return "broadcast failed";
  return memcmp(room->out, room->expected, length) == 0 ? NULL : "tell: other bytes than those of rank 0";
}

static const char *check_gather(struct rill_ranks *ranks, int round, size_t longest, struct room *room) {
  const size_t length = draw(round, ranks->rank, 2, longest);
  const bool to_all = round % 2 == 0;
  struct rill_error error;
  fill(room->out, length, round, ranks->rank, 0);
  if (ranks->ops->gather(ranks, room->out, length, to_all, &error) != RILL_OK) return "gather failed";
  for (int r = 0; r < ranks->count && (to_all || ranks->rank == 0); r++) {
    const size_t expected = draw(round, r, 2, longest);
    fill(room->expected, expected, round, r, 0);
    if (ranks->gathered[r].length != expected) return "gather: another length";
    if (memcmp(ranks->gathered[r].bytes, room->expected, expected) != 0) return "gather: other bytes";
  }
  return NULL;
}

/* Words of all sizes, so that sums exceed 2^64. */
static uint64_t word(int round, int rank, size_t k) {
  return ((uint64_t)draw(round, rank, 3 + (int)k, UINT32_MAX) << 33) + k * (uint64_t)rank;
}

static const char *check_reductions(struct rill_ranks *ranks, int round, size_t longest, struct room *room) {
  const size_t count = draw(round, 0, 2, longest / 8);
  uint64_t *words = (uint64_t *)(void *)room->out;
  struct rill_error error;
  for (size_t k = 0; k < count; k++) words[k] = word(round, ranks->rank, k);
  if (ranks->ops->sum(ranks, words, count, &error) != RILL_OK) return "sum failed";
  for (size_t k = 0; k < count; k++) {
    uint64_t expected = 0;
    for (int r = 0; r < ranks->count; r++) expected += word(round, r, k);
    if (words[k] != expected) return "sum: another sum";
  }
  for (size_t k = 0; k < count; k++) words[k] = word(round, ranks->rank, k);
  if (ranks->ops->largest(ranks, words, count, &error) != RILL_OK) return "largest failed";
  for (size_t k = 0; k < count; k++) {
    uint64_t expected = 0;
    for (int r = 0; r < ranks->count; r++)
      if (word(round, r, k) > expected) expected = word(round, r, k);
    if (words[k] != expected) return "largest: another word";
  }
  return NULL;
}

/* With each distance along the ring of ranks, 0 included. */
static const char *check_exchange(struct rill_ranks *ranks, int round, size_t longest, struct room *room) {
  for (int distance = 0; distance < ranks->count; distance++) {
    const int to = (ranks->rank + distance) % ranks->count;
    const int from = (ranks->rank + ranks->count - distance) % ranks->count;
    const size_t length = draw(round, ranks->rank, to, longest), expected = draw(round, from, ranks->rank, longest);
    size_t received;
    struct rill_error error;
    fill(room->out, length, round, ranks->rank, to);
    fill(room->expected, expected, round, from, ranks->rank);
    memset(room->in, 0xa5, room->size);
    /* sometimes with no room to spare */
    if (ranks->ops->exchange(ranks, to, room->out, length, from, room->in, round % 2 == 0 ? expected : longest,
                             &received, &error) != RILL_OK)
      return "exchange failed";
    if (received != expected) return "exchange: another length";
    if (memcmp(room->in, room->expected, expected) != 0) return "exchange: other bytes";
    if (room->in[expected] != 0xa5) return "exchange: bytes beyond the message";
  }
  return NULL;
}

/* In two calls, between which others may be slow. */
static enum rill_status transpose_in_parts(struct rill_ranks *ranks, const size_t *out_length,
                                           const size_t *in_length, struct room *room, struct rill_error *error) {
  bool all = false;
  RILL_TRY(ranks->ops->begin(ranks, room->out, out_length, room->in, in_length, error));
  while (!all) RILL_TRY(ranks->ops->arrived(ranks, &all, error));
  return RILL_OK;
}

static const char *check_transpose(struct rill_ranks *ranks, int round, size_t longest, struct room *room) {
  size_t out_length[MOST_RANKS], in_length[MOST_RANKS], out = 0, in = 0;
  struct rill_error error;
  for (int r = 0; r < ranks->count; r++) {
    out_length[r] = draw(round, ranks->rank, r, longest);
    in_length[r] = draw(round, r, ranks->rank, longest);
    fill(room->out + out, out_length[r], round, ranks->rank, r);
    fill(room->expected + in, in_length[r], round, r, ranks->rank);
    out += out_length[r];
    in += in_length[r];
  }
  memset(room->in, 0xa5, room->size);
  if (ranks->ops->transpose(ranks, room->out, out_length, room->in, in_length, &error) != RILL_OK)
    return "transpose failed";
  if (memcmp(room->in, room->expected, in) != 0) return "transpose: other bytes";
  if (room->in[in] != 0xa5) return "transpose: bytes beyond the parts";
  memset(room->in, 0xa5, room->size);
  if (transpose_in_parts(ranks, out_length, in_length, room, &error) != RILL_OK) return "begin failed";
  if (memcmp(room->in, room->expected, in) != 0) return "begin: other bytes";
  return room->in[in] == 0xa5 ? NULL : "begin: bytes beyond the parts";
}

static const char *check_all(struct rill_ranks *ranks, size_t longest, struct room *room) {
  static const char *(*const checks[])(struct rill_ranks *, int, size_t, struct room *) = {
      check_tell, check_gather, check_reductions, check_exchange, check_transpose};
  const char *fault = NULL;
  for (int round = 0; round < ROUNDS; round++)
    for (size_t k = 0; k < sizeof checks / sizeof checks[0] && fault == NULL; k++)
      fault = checks[k](ranks, round, longest, room);
  return fault;
}

const char *rill_check_ranks(struct rill_ranks *ranks, size_t longest) {
  struct room room = {.size = (size_t)ranks->count * longest + 1};
  const char *fault = "no memory";
  if (ranks->count > MOST_RANKS) return "more ranks than these checks are for";
  room.out = rill_allocate(room.size, 1);
  room.in = rill_allocate(room.size, 1);
  room.expected = rill_allocate(room.size, 1);
  if (room.out != NULL && room.in != NULL && room.expected != NULL) fault = check_all(ranks, longest, &room);
  rill_release(room.out);
  rill_release(room.in);
  rill_release(room.expected);
  return fault;
}

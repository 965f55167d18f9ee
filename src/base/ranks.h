/* Ranks: processes, on one machine or several, that make one run together.
 *
 * All ranks make the same calls in the same order; each call waits for the others.  Rank 0 leads: it alone reads
 * checkpoints, writes files and prints.  src/parallel/ implements the functions over MPI; where a pointer to ranks is
 * NULL, this process makes the run alone. */
#ifndef RILL_BASE_RANKS_H
#define RILL_BASE_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { RILL_HOST_NAME = 64 };

struct rill_ranks;

struct rill_ranks_ops {
  /* Copies `length` bytes of rank 0 to all others; the length is the same on all. */
  enum rill_status (*broadcast)(struct rill_ranks *ranks, void *bytes, size_t length, struct rill_error *error);
  /* Brings the bytes of all ranks to all, or to rank 0 alone.  own: [length], which may differ between ranks. */
  enum rill_status (*gather)(struct rill_ranks *ranks, const void *own, size_t length, bool to_all,
                             struct rill_error *error);
  /* Replaces words[0 ... count-1] by the sums over all ranks, modulo 2^64; or by the largest of all ranks. */
  enum rill_status (*sum)(struct rill_ranks *ranks, uint64_t *words, size_t count, struct rill_error *error);
  enum rill_status (*largest)(struct rill_ranks *ranks, uint64_t *words, size_t count, struct rill_error *error);
  /* Sends bytes to one rank, and receives others, at most `room`, from one; either may be this rank itself.  Bytes
   * must not overlap.  *received: how many. */
  enum rill_status (*exchange)(struct rill_ranks *ranks, int to, const void *out, size_t length, int from, void *in,
                               size_t room, size_t *received, struct rill_error *error);
  /* Sends to each rank r its part of `out`, out_length[r] bytes long, and receives one from each, in_length[r] bytes
   * long, which is known beforehand; parts follow each other in order of ranks. */
  enum rill_status (*transpose)(struct rill_ranks *ranks, const void *out, const size_t *out_length, void *in,
                                const size_t *in_length, struct rill_error *error);
  /* The same in two calls, between which this process may compute, but makes no other: `begin` starts it, and
   * `arrived` is called until *all: then all parts have been sent and received.  Bytes must stay in place until
   * then. */
  enum rill_status (*begin)(struct rill_ranks *ranks, const void *out, const size_t *out_length, void *in,
                            const size_t *in_length, struct rill_error *error);
  enum rill_status (*arrived)(struct rill_ranks *ranks, bool *all, struct rill_error *error);
};

/* Of one rank, after a gather; borrowed until the next one. */
struct rill_gathered {
  const unsigned char *bytes;
  size_t length;
};

struct rill_ranks {
  const struct rill_ranks_ops *ops;
  void *self;
  int rank, count;
  int processors;                 /* that this rank may use without taking them from others on its machine */
  char host[RILL_HOST_NAME];      /* of this rank */
  struct rill_gathered *gathered; /* [count] */
  /* A call has failed, so that the ranks cannot come together any more: no further calls, and the program must end
   * the others. */
  bool broken;
  /* Signals, passed on to rank 0 with every gather: `caught` returns the number of one that this process has received
   * (0: none), and is called on the other ranks; `hear` is called on rank 0 for each of these.  Both may be NULL. */
  int (*caught)(void);
  void (*hear)(int number);
};

/* The part [first, end) of `count` things that a rank holds: all parts are contiguous, and differ by one at most. */
static inline size_t rill_ranks_first(const struct rill_ranks *ranks, int rank, size_t count) {
  return (size_t)((uint64_t)count * (uint64_t)rank / (uint64_t)ranks->count);
}

#endif

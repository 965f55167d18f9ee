#include "config.h" /* _GNU_SOURCE, for sched_getaffinity */

#include "parallel/mpi_ranks.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* Counts of MPI are int: long messages are counted in units, or sent in pieces, which a test makes short. */
#ifndef RILL_MPI_PIECE
#define RILL_MPI_PIECE (1 << 30)
#endif
enum { UNIT = 4096, PIECE = RILL_MPI_PIECE, WORDS = PIECE / 8 };

/* Of messages between two ranks. */
enum { TAG_EXCHANGE = 1, TAG_TRANSPOSE = 2 };

/* Sent before a gather. */
struct notice {
  uint64_t length;
  uint64_t caught; /* the number of a signal */
};

struct mpi {
  MPI_Datatype unit;
  struct notice *notices; /* [count] */
  int *counts, *places;   /* [count]: of the bytes of each rank in `all`, in units */
  unsigned char *own, *all;
  size_t own_room, all_room; /* their sizes */
  unsigned char *requests;   /* MPI_Request [] */
  size_t requests_room;
  MPI_Request *pending, *end; /* of a transposition: those that may not have ended, in `requests` */
};

static enum rill_status fail(struct rill_ranks *ranks, const char *what, int code, struct rill_error *error) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  ranks->broken = true;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) text[0] = '\0';
  return rill_error_set(error, RILL_ERROR_FAILED, "rank %d (%s) cannot reach the others: %s: %s", ranks->rank,
                        ranks->host, what, text);
}

static enum rill_status no_memory(struct rill_ranks *ranks, struct rill_error *error) {
  ranks->broken = true;
  return rill_error_set(error, RILL_ERROR_MEMORY, "rank %d (%s): no memory for the messages of %d ranks", ranks->rank,
                        ranks->host, ranks->count);
}

/* Whether the ranks can still come together. */
static enum rill_status check(const struct rill_ranks *ranks, struct rill_error *error) {
  if (!ranks->broken) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_FAILED, "rank %d (%s) cannot reach the others after an earlier failure",
                        ranks->rank, ranks->host);
}

static enum rill_status broadcast(struct rill_ranks *ranks, void *bytes, size_t length, struct rill_error *error) {
  RILL_TRY(check(ranks, error));
  for (size_t at = 0; at < length; at += PIECE) {
    const size_t piece = length - at < PIECE ? length - at : PIECE;
    const int code = MPI_Bcast((unsigned char *)bytes + at, (int)piece, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (code != MPI_SUCCESS) return fail(ranks, "MPI_Bcast", code, error);
  }
  return RILL_OK;
}

/* Makes room for `size` bytes at *memory, whose content is lost when it grows. */
static bool grow(unsigned char **memory, size_t *room, size_t size) {
  *memory = rill_grown(*memory, room, size, 0);
  return *memory != NULL;
}

static size_t in_units(uint64_t length) { return (size_t)((length + UNIT - 1) / UNIT); }

/* Lays out the bytes of all ranks in mpi->all; false when there is no room for them. */
static bool lay_out(struct rill_ranks *ranks, bool receives) {
  struct mpi *mpi = ranks->self;
  size_t units = 0;
  for (int r = 0; r < ranks->count; r++) {
    mpi->places[r] = (int)units;
    mpi->counts[r] = (int)in_units(mpi->notices[r].length);
    units += in_units(mpi->notices[r].length);
  }
  if (units > INT_MAX || !grow(&mpi->all, &mpi->all_room, receives ? units * UNIT : 1)) return false;
  for (int r = 0; r < ranks->count; r++)
    ranks->gathered[r] =
        receives ? (struct rill_gathered){mpi->all + (size_t)mpi->places[r] * UNIT, (size_t)mpi->notices[r].length}
                 : (struct rill_gathered){NULL, 0};
  return true;
}

static void pass_signals_on(const struct rill_ranks *ranks) {
  const struct mpi *mpi = ranks->self;
  if (ranks->rank != 0 || ranks->hear == NULL) return;
  for (int r = 1; r < ranks->count; r++)
    if (mpi->notices[r].caught != 0) ranks->hear((int)mpi->notices[r].caught);
}

static enum rill_status gather(struct rill_ranks *ranks, const void *own, size_t length, bool to_all,
                               struct rill_error *error) {
  struct mpi *mpi = ranks->self;
  const struct notice notice = {length, ranks->rank != 0 && ranks->caught != NULL ? (uint64_t)ranks->caught() : 0};
  const bool receives = to_all || ranks->rank == 0;
  int code;
  RILL_TRY(check(ranks, error));
  code = MPI_Allgather(&notice, sizeof notice, MPI_BYTE, mpi->notices, sizeof notice, MPI_BYTE, MPI_COMM_WORLD);
  if (code != MPI_SUCCESS) return fail(ranks, "MPI_Allgather", code, error);
  pass_signals_on(ranks);
  if (!grow(&mpi->own, &mpi->own_room, in_units(length) * UNIT) || !lay_out(ranks, receives))
    return no_memory(ranks, error);
  if (length > 0) memcpy(mpi->own, own, length);
  if (to_all)
    code = MPI_Allgatherv(mpi->own, (int)in_units(length), mpi->unit, mpi->all, mpi->counts, mpi->places, mpi->unit,
                          MPI_COMM_WORLD);
  else
    code = MPI_Gatherv(mpi->own, (int)in_units(length), mpi->unit, mpi->all, mpi->counts, mpi->places, mpi->unit, 0,
                       MPI_COMM_WORLD);
  return code == MPI_SUCCESS ? RILL_OK : fail(ranks, to_all ? "MPI_Allgatherv" : "MPI_Gatherv", code, error);
}

static enum rill_status reduce(struct rill_ranks *ranks, uint64_t *words, size_t count, MPI_Op operation,
                               struct rill_error *error) {
  RILL_TRY(check(ranks, error));
  for (size_t at = 0; at < count; at += WORDS) {
    const size_t piece = count - at < WORDS ? count - at : WORDS;
    const int code = MPI_Allreduce(MPI_IN_PLACE, words + at, (int)piece, MPI_UINT64_T, operation, MPI_COMM_WORLD);
    if (code != MPI_SUCCESS) return fail(ranks, "MPI_Allreduce", code, error);
  }
  return RILL_OK;
}

static enum rill_status sum(struct rill_ranks *ranks, uint64_t *words, size_t count, struct rill_error *error) {
  return reduce(ranks, words, count, MPI_SUM, error);
}

static enum rill_status largest(struct rill_ranks *ranks, uint64_t *words, size_t count, struct rill_error *error) {
  return reduce(ranks, words, count, MPI_MAX, error);
}

/* A message is whole pieces and a shorter one, which ends it and may be empty. */
static enum rill_status exchange(struct rill_ranks *ranks, int to, const void *out, size_t length, int from, void *in,
                                 size_t room, size_t *received, struct rill_error *error) {
  bool sending = true, receiving = true;
  *received = 0;
  RILL_TRY(check(ranks, error));
  for (size_t at = 0; sending || receiving; at += PIECE) {
    MPI_Request outgoing = MPI_REQUEST_NULL, incoming = MPI_REQUEST_NULL;
    const size_t piece = sending && length - at < PIECE ? length - at : PIECE;
    const size_t place = receiving && room - at < PIECE ? room - at : PIECE;
    MPI_Status status;
    int code = MPI_SUCCESS, count = 0;
    if (receiving)
      code = MPI_Irecv((unsigned char *)in + at, (int)place, MPI_BYTE, from, TAG_EXCHANGE, MPI_COMM_WORLD, &incoming);
    if (sending && code == MPI_SUCCESS)
      code = MPI_Isend((const unsigned char *)out + at, (int)piece, MPI_BYTE, to, TAG_EXCHANGE, MPI_COMM_WORLD,
                       &outgoing);
    if (receiving && code == MPI_SUCCESS) code = MPI_Wait(&incoming, &status);
    if (receiving && code == MPI_SUCCESS) code = MPI_Get_count(&status, MPI_BYTE, &count);
    if (sending && code == MPI_SUCCESS) code = MPI_Wait(&outgoing, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return fail(ranks, "exchange with neighbours", code, error);
    *received += (size_t)count;
    receiving = receiving && count == PIECE;
    sending = sending && piece == PIECE;
  }
  return RILL_OK;
}

static size_t pieces_of(size_t length) { return (length + PIECE - 1) / PIECE; }

/* Starts to send or receive the pieces of one part; empty parts are no messages. */
static int start(unsigned char *bytes, size_t length, int other, bool sends, MPI_Request **next) {
  int code = MPI_SUCCESS;
  for (size_t at = 0; at < length && code == MPI_SUCCESS; at += PIECE) {
    const int piece = (int)(length - at < PIECE ? length - at : PIECE);
    code = sends ? MPI_Isend(bytes + at, piece, MPI_BYTE, other, TAG_TRANSPOSE, MPI_COMM_WORLD, *next)
                 : MPI_Irecv(bytes + at, piece, MPI_BYTE, other, TAG_TRANSPOSE, MPI_COMM_WORLD, *next);
    if (code == MPI_SUCCESS) ++*next;
  }
  return code;
}

/* Messages of their own, not MPI_Alltoallv: its counts are int, and most parts of a remap are empty. */
static enum rill_status begin(struct rill_ranks *ranks, const void *out, const size_t *out_length, void *in,
                              const size_t *in_length, struct rill_error *error) {
  struct mpi *mpi = ranks->self;
  MPI_Request *next;
  size_t messages = 0, place = 0, own = 0;
  int code = MPI_SUCCESS;
  RILL_TRY(check(ranks, error));
  for (int r = 0; r < ranks->count; r++) messages += pieces_of(out_length[r]) + pieces_of(in_length[r]);
  if (!grow(&mpi->requests, &mpi->requests_room, messages * sizeof *next)) return no_memory(ranks, error);
  next = (MPI_Request *)(void *)mpi->requests;
  for (int r = 0; r < ranks->count && code == MPI_SUCCESS; place += in_length[r++]) {
    if (r == ranks->rank) own = place;
    else code = start((unsigned char *)in + place, in_length[r], r, false, &next);
  }
  place = 0;
  for (int r = 0; r < ranks->rank; r++) place += out_length[r];
  if (out_length[ranks->rank] > 0)
    memcpy((unsigned char *)in + own, (const unsigned char *)out + place, out_length[ranks->rank]);
  for (int k = 1; k < ranks->count && code == MPI_SUCCESS; k++) { /* first to the next rank */
    const int to = (ranks->rank + k) % ranks->count;
    place = to == 0 ? 0 : place + out_length[to - 1];
    code = start((unsigned char *)(uintptr_t)out + place, out_length[to], to, true, &next);
  }
  mpi->pending = (MPI_Request *)(void *)mpi->requests;
  mpi->end = next;
  return code == MPI_SUCCESS ? RILL_OK : fail(ranks, "transposition", code, error);
}

/* One look at each request in turn; MPI makes progress in these calls. */
static enum rill_status arrived(struct rill_ranks *ranks, bool *all, struct rill_error *error) {
  struct mpi *mpi = ranks->self;
  int ended = 1, code = MPI_SUCCESS;
  RILL_TRY(check(ranks, error));
  while (mpi->pending < mpi->end && ended && code == MPI_SUCCESS) {
    code = MPI_Test(mpi->pending, &ended, MPI_STATUS_IGNORE);
    mpi->pending += ended != 0;
  }
  *all = mpi->pending == mpi->end;
  return code == MPI_SUCCESS ? RILL_OK : fail(ranks, "transposition", code, error);
}

static enum rill_status transpose(struct rill_ranks *ranks, const void *out, const size_t *out_length, void *in,
                                  const size_t *in_length, struct rill_error *error) {
  struct mpi *mpi = ranks->self;
  int code = MPI_SUCCESS;
  RILL_TRY(begin(ranks, out, out_length, in, in_length, error));
  for (; mpi->pending < mpi->end && code == MPI_SUCCESS; mpi->pending++)
    code = MPI_Wait(mpi->pending, MPI_STATUS_IGNORE);
  return code == MPI_SUCCESS ? RILL_OK : fail(ranks, "transposition", code, error);
}

/* ---- beginning and end ---- */

/* Those to which mpirun has bound this rank, or its share of all. */
static int count_processors(void) {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  int beside = 1, processors;
  cpu_set_t bound;
  MPI_Comm machine;
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) == MPI_SUCCESS) {
    (void)MPI_Comm_size(machine, &beside);
    (void)MPI_Comm_free(&machine);
  }
  processors = (int)online / (beside > 0 ? beside : 1);
  if (sched_getaffinity(0, sizeof bound, &bound) == 0 && CPU_COUNT(&bound) < processors)
    processors = CPU_COUNT(&bound);
  return processors > 0 ? processors : 1;
}

static enum rill_status join(struct rill_ranks *ranks, struct rill_error *error) {
  struct mpi *mpi;
  int code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS) code = MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
  if (code == MPI_SUCCESS) code = MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
  if (code != MPI_SUCCESS) return fail(ranks, "MPI_COMM_WORLD", code, error);
  ranks->self = mpi = rill_allocate(1, sizeof *mpi);
  ranks->gathered = rill_allocate((size_t)ranks->count, sizeof *ranks->gathered);
  if (mpi == NULL || ranks->gathered == NULL) return no_memory(ranks, error);
  mpi->notices = rill_allocate((size_t)ranks->count, sizeof *mpi->notices);
  mpi->counts = rill_allocate((size_t)ranks->count, sizeof *mpi->counts);
  mpi->places = rill_allocate((size_t)ranks->count, sizeof *mpi->places);
  if (mpi->notices == NULL || mpi->counts == NULL || mpi->places == NULL) return no_memory(ranks, error);
  code = MPI_Type_contiguous(UNIT, MPI_BYTE, &mpi->unit);
  if (code == MPI_SUCCESS) code = MPI_Type_commit(&mpi->unit);
  if (code != MPI_SUCCESS) return fail(ranks, "MPI_Type_contiguous", code, error);
  ranks->processors = count_processors();
  return RILL_OK;
}

enum rill_status rill_mpi_begin(int *argc, char ***argv, struct rill_ranks *ranks, struct rill_error *error) {
  static const struct rill_ranks_ops ops = {broadcast, gather, sum, largest, exchange, transpose, begin, arrived};
  int offered, code;
  *ranks = (struct rill_ranks){.ops = &ops, .count = 1};
  if (gethostname(ranks->host, sizeof ranks->host) != 0) ranks->host[0] = '\0';
  ranks->host[sizeof ranks->host - 1] = '\0';
  code = MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &offered);
  if (code != MPI_SUCCESS) return fail(ranks, "MPI_Init_thread", code, error);
  if (offered < MPI_THREAD_FUNNELED)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "this MPI does not support programs with threads");
  return join(ranks, error);
}

void rill_mpi_end(struct rill_ranks *ranks, int exit_status) {
  struct mpi *mpi = ranks->self;
  if (ranks->broken) (void)MPI_Abort(MPI_COMM_WORLD, exit_status);
  if (mpi != NULL) {
    if (!ranks->broken) (void)MPI_Type_free(&mpi->unit);
    rill_release(mpi->notices);
    rill_release(mpi->counts);
    rill_release(mpi->places);
    rill_release(mpi->own);
    rill_release(mpi->all);
    rill_release(mpi->requests);
    rill_release(mpi);
  }
  rill_release(ranks->gathered);
  (void)MPI_Finalize();
}

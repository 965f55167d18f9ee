#include "ensemble/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- messages ---- */

/* Bytes that grow; `failed` once memory has run out. */
struct message {
  unsigned char *bytes;
  size_t length, capacity;
  bool failed;
};

static void put(struct message *message, const void *bytes, size_t length) {
  if (message->failed) return;
  if (message->capacity - message->length < length) {
    const size_t capacity = 2 * message->capacity + length + 4096;
    unsigned char *larger = realloc(message->bytes, capacity);
    message->failed = larger == NULL;
    if (message->failed) return;
    message->bytes = larger;
    message->capacity = capacity;
  }
  if (length > 0) memcpy(message->bytes + message->length, bytes, length);
  message->length += length;
}

/* Takes the next `length` bytes; NULL when there are no more. */
static const unsigned char *take(struct rill_gathered *rest, size_t length) {
  const unsigned char *bytes = rest->bytes;
  if (rest->length < length) return NULL;
  rest->bytes += length;
  rest->length -= length;
  return bytes;
}

/* A rank without memory for its message sends an empty one, so that all learn of it. */
static enum rill_status send(struct rill_ranks *ranks, const struct message *message, bool to_all,
                             struct rill_error *error) {
  return ranks->ops->gather(ranks, message->bytes, message->failed ? 0 : message->length, to_all, error);
}

static enum rill_status incomplete(int rank, struct rill_error *error) {
  return rill_error_set(error, RILL_ERROR_MEMORY, "rank %d: no memory for a message to the others", rank);
}

void rill_share_of(const struct rill_ranks *ranks, int rank, size_t replicas, size_t width, size_t *first,
                   size_t *end) {
  const size_t groups = (replicas + width - 1) / width;
  *first = width * rill_ranks_first(ranks, rank, groups);
  *end = width * rill_ranks_first(ranks, rank + 1, groups);
  if (*end > replicas) *end = replicas;
}

/* ---- findings ---- */

/* Before the findings of a rank; followed by the text. */
struct head {
  uint64_t status, text; /* of an error of the rank itself: its length */
};

/* Of one replica; followed by the text. */
struct finding {
  uint64_t failed, status, text; /* the step, UINT64_MAX: none; of its error */
  uint64_t observed;
  struct rill_observation observation;
};

static void put_finding(struct message *message, const struct rill_shared *replica) {
  const struct rill_guard *guard = replica->guard;
  const struct rill_error *failure = replica->failure->error;
  struct finding finding = {
      .failed = replica->failure->step, .observed = guard->observed, .observation = guard->observation};
  if (failure != NULL) {
    finding.status = failure->status;
    finding.text = failure->length;
  }
  put(message, &finding, sizeof finding);
  if (failure != NULL) put(message, failure->text, failure->length);
}

/* false: the message is too short. */
static bool take_error(struct rill_gathered *rest, uint64_t status, uint64_t length, struct rill_error *error) {
  const unsigned char *text;
  if (length >= sizeof error->text) return false;
  text = take(rest, (size_t)length);
  if (text == NULL) return false;
  error->status = (enum rill_status)status;
  error->length = (size_t)length;
  if (length > 0) memcpy(error->text, text, error->length);
  error->text[error->length] = '\0';
  return true;
}

static bool take_finding(struct rill_gathered *rest, const struct rill_shared *replica) {
  struct rill_guard *guard = replica->guard;
  const unsigned char *bytes = take(rest, sizeof(struct finding));
  struct finding finding;
  struct rill_error unused;
  if (bytes == NULL) return false;
  memcpy(&finding, bytes, sizeof finding);
  guard->observed = finding.observed;
  guard->observation = finding.observation;
  replica->failure->step = finding.failed;
  if (finding.failed == UINT64_MAX) return true;
  replica->failure->error = calloc(1, sizeof *replica->failure->error);
  return take_error(rest, finding.status, finding.text,
                    replica->failure->error != NULL ? replica->failure->error : &unused);
}

/* The findings of another rank, or of this one only its error. */
static enum rill_status read_findings(const struct rill_ranks *ranks, int rank, const struct rill_shared *replica,
                                      size_t first, size_t end, struct rill_error *error) {
  struct rill_gathered rest = ranks->gathered[rank];
  const unsigned char *bytes = take(&rest, sizeof(struct head));
  struct head head;
  if (bytes == NULL) return incomplete(rank, error);
  memcpy(&head, bytes, sizeof head);
  if (!take_error(&rest, head.status, head.text, error)) return incomplete(rank, error);
  if (error->status != RILL_OK) return rill_error_prefix(error, "rank %d", rank);
  if (rank == ranks->rank) return RILL_OK;
  for (size_t r = first; r < end; r++)
    if (!take_finding(&rest, &replica[r])) return incomplete(rank, error);
  return RILL_OK;
}

enum rill_status rill_share_findings(struct rill_ranks *ranks, const struct rill_shared *replica, size_t replicas,
                                     size_t width, const struct rill_error *own, struct rill_error *error) {
  const struct head head = {own->status, own->length};
  struct message message = {0};
  size_t first, end;
  enum rill_status status;
  rill_share_of(ranks, ranks->rank, replicas, width, &first, &end);
  put(&message, &head, sizeof head);
  put(&message, own->text, own->length);
  for (size_t r = first; r < end; r++) put_finding(&message, &replica[r]);
  status = send(ranks, &message, true, error);
  free(message.bytes);
  for (int k = 0; status == RILL_OK && k < ranks->count; k++) {
    rill_share_of(ranks, k, replicas, width, &first, &end);
    status = read_findings(ranks, k, replica, first, end, error);
  }
  return status;
}

/* ---- states ---- */

static void put_state(struct message *message, const struct rill_system *system) {
  struct rill_archive archive = {0};
  uint64_t length;
  system->ops->archive(system->self, &archive);
  message->failed |= archive.status != RILL_OK;
  length = archive.length;
  put(message, &length, sizeof length);
  put(message, archive.bytes, archive.length);
  rill_archive_release(&archive);
}

static enum rill_status take_state(struct rill_gathered *rest, int rank, const struct rill_system *system,
                                   struct rill_error *error) {
  const unsigned char *bytes = take(rest, sizeof(uint64_t));
  struct rill_archive archive;
  uint64_t length;
  if (bytes == NULL) return incomplete(rank, error);
  memcpy(&length, bytes, sizeof length);
  bytes = take(rest, (size_t)length);
  if (bytes == NULL) return incomplete(rank, error);
  RILL_TRY(rill_archive_open(bytes, (size_t)length, &archive, error));
  system->ops->archive(system->self, &archive);
  return rill_archive_status(&archive, error);
}

enum rill_status rill_share_states(struct rill_ranks *ranks, const struct rill_shared *replica, size_t replicas,
                                   size_t width, struct rill_error *error) {
  struct message message = {0};
  size_t first, end;
  enum rill_status status;
  rill_share_of(ranks, ranks->rank, replicas, width, &first, &end);
  for (size_t r = first; ranks->rank != 0 && r < end; r++) put_state(&message, replica[r].system);
  status = send(ranks, &message, false, error);
  free(message.bytes);
  for (int k = 1; status == RILL_OK && ranks->rank == 0 && k < ranks->count; k++) {
    struct rill_gathered rest = ranks->gathered[k];
    rill_share_of(ranks, k, replicas, width, &first, &end);
    for (size_t r = first; status == RILL_OK && r < end; r++) status = take_state(&rest, k, replica[r].system, error);
  }
  return status;
}

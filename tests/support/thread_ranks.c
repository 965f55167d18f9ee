#include "support/thread_ranks.h"

#include <pthread.h>
#include <string.h>

#include "base/memory.h"

/* What a rank shows the others during a call. */
struct shown {
  const void *bytes;
  const size_t *lengths; /* of each rank's part */
  size_t length;
  uint64_t *words;
  int to, caught;
};

struct group {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int count, waiting;
  uint64_t meetings;
  bool broken; /* a rank has failed, or has ended */
  struct shown *shown;
};

struct thread_rank {
  struct rill_ranks ranks;
  struct group *group;
  unsigned char *all; /* what was gathered */
  int looks;          /* at a transposition, until it has arrived */
  void (*body)(struct rill_ranks *ranks, void *context);
  void *context;
  pthread_t thread;
};

static enum rill_status fail(struct rill_ranks *ranks, const char *what, struct rill_error *error) {
  struct group *group = ((struct thread_rank *)ranks->self)->group;
  ranks->broken = true;
  pthread_mutex_lock(&group->lock);
  group->broken = true;
  pthread_cond_broadcast(&group->changed);
  pthread_mutex_unlock(&group->lock);
  return rill_error_set(error, RILL_ERROR_FAILED, "rank %d: %s", ranks->rank, what);
}

/* Waits for all ranks. */
static enum rill_status meet(struct rill_ranks *ranks, struct rill_error *error) {
  struct group *group = ((struct thread_rank *)ranks->self)->group;
  uint64_t meeting;
  bool met;
  pthread_mutex_lock(&group->lock);
  meeting = group->meetings;
  if (++group->waiting == group->count && !group->broken) {
    group->waiting = 0;
    group->meetings++;
    pthread_cond_broadcast(&group->changed);
  }
  while (group->meetings == meeting && !group->broken) pthread_cond_wait(&group->changed, &group->lock);
  met = group->meetings != meeting;
  pthread_mutex_unlock(&group->lock);
  return met ? RILL_OK : fail(ranks, "the others have failed, or ended", error);
}

static enum rill_status show(struct rill_ranks *ranks, struct shown shown, struct rill_error *error) {
  if (ranks->broken) return fail(ranks, "cannot reach the others after an earlier failure", error);
  ((struct thread_rank *)ranks->self)->group->shown[ranks->rank] = shown;
  return meet(ranks, error);
}

static const struct shown *shown_by(const struct rill_ranks *ranks, int rank) {
  return &((const struct thread_rank *)ranks->self)->group->shown[rank];
}

static enum rill_status tell(struct rill_ranks *ranks, void *bytes, size_t length, struct rill_error *error) {
  RILL_TRY(show(ranks, (struct shown){.bytes = bytes, .length = length}, error));
  if (shown_by(ranks, 0)->length != length) return fail(ranks, "another length than on rank 0", error);
  if (ranks->rank != 0 && length > 0) memcpy(bytes, shown_by(ranks, 0)->bytes, length);
  return meet(ranks, error);
}

static enum rill_status gather(struct rill_ranks *ranks, const void *own, size_t length, bool to_all,
                               struct rill_error *error) {
  struct thread_rank *self = ranks->self;
  const bool receives = to_all || ranks->rank == 0;
  const int caught = ranks->rank != 0 && ranks->caught != NULL ? ranks->caught() : 0;
  size_t size = 0;
  RILL_TRY(show(ranks, (struct shown){.bytes = own, .length = length, .caught = caught}, error));
  rill_release(self->all);
  for (int r = 0; r < ranks->count; r++) size += shown_by(ranks, r)->length;
  self->all = rill_allocate(receives ? size : 0, 1);
  if (self->all == NULL) return fail(ranks, "no memory", error);
  size = 0;
  for (int r = 0; r < ranks->count; r++) {
    const struct shown *other = shown_by(ranks, r);
    ranks->gathered[r] =
        receives ? (struct rill_gathered){self->all + size, other->length} : (struct rill_gathered){NULL, 0};
    if (receives && other->length > 0) memcpy(self->all + size, other->bytes, other->length);
    size += other->length;
    if (ranks->rank == 0 && other->caught != 0 && ranks->hear != NULL) ranks->hear(other->caught);
  }
  return meet(ranks, error);
}

static enum rill_status reduce(struct rill_ranks *ranks, uint64_t *words, size_t count, bool add,
                               struct rill_error *error) {
  uint64_t *all = rill_allocate(count, sizeof *all);
  enum rill_status status;
  if (all == NULL) return fail(ranks, "no memory", error);
  status = show(ranks, (struct shown){.words = words, .length = count}, error);
  for (int r = 0; r < ranks->count && status == RILL_OK; r++) {
    const uint64_t *other = shown_by(ranks, r)->words;
    if (shown_by(ranks, r)->length != count) status = fail(ranks, "another number of words than on others", error);
    for (size_t k = 0; k < count && status == RILL_OK; k++) {
      if (add) all[k] += other[k];
      else if (other[k] > all[k]) all[k] = other[k];
    }
  }
  if (status == RILL_OK) status = meet(ranks, error);
  if (status == RILL_OK) memcpy(words, all, count * sizeof *words);
  rill_release(all);
  return status;
}

static enum rill_status sum(struct rill_ranks *ranks, uint64_t *words, size_t count, struct rill_error *error) {
  return reduce(ranks, words, count, true, error);
}

static enum rill_status largest(struct rill_ranks *ranks, uint64_t *words, size_t count, struct rill_error *error) {
  return reduce(ranks, words, count, false, error);
}

static enum rill_status exchange(struct rill_ranks *ranks, int to, const void *out, size_t length, int from, void *in,
                                 size_t room, size_t *received, struct rill_error *error) {
  const struct shown *other;
  *received = 0;
  RILL_TRY(show(ranks, (struct shown){.bytes = out, .length = length, .to = to}, error));
  other = shown_by(ranks, from);
  if (other->to != ranks->rank) return fail(ranks, "expects a message that is sent to another", error);
  if (other->length > room) return fail(ranks, "a message is longer than its room", error);
  if (other->length > 0) memcpy(in, other->bytes, other->length);
  *received = other->length;
  return meet(ranks, error);
}

static enum rill_status transpose(struct rill_ranks *ranks, const void *out, const size_t *out_length, void *in,
                                  const size_t *in_length, struct rill_error *error) {
  unsigned char *to = in;
  RILL_TRY(show(ranks, (struct shown){.bytes = out, .lengths = out_length}, error));
  for (int r = 0; r < ranks->count; r++) {
    const struct shown *other = shown_by(ranks, r);
    size_t place = 0;
    if (other->lengths[ranks->rank] != in_length[r]) return fail(ranks, "a part has another length", error);
    for (int k = 0; k < ranks->rank; k++) place += other->lengths[k];
    if (in_length[r] > 0) memcpy(to, (const unsigned char *)other->bytes + place, in_length[r]);
    to += in_length[r];
  }
  return meet(ranks, error);
}

/* Parts come at once, but are seen only when asked for repeatedly. */
enum { LOOKS = 3 };

static enum rill_status begin(struct rill_ranks *ranks, const void *out, const size_t *out_length, void *in,
                              const size_t *in_length, struct rill_error *error) {
  struct thread_rank *self = ranks->self;
  if (self->looks != 0) return fail(ranks, "a transposition before the last one has ended", error);
  self->looks = LOOKS;
  return transpose(ranks, out, out_length, in, in_length, error);
}

static enum rill_status arrived(struct rill_ranks *ranks, bool *all, struct rill_error *error) {
  struct thread_rank *self = ranks->self;
  if (self->looks == 0) return fail(ranks, "no transposition has begun", error);
  *all = --self->looks == 0;
  return RILL_OK;
}

static void *run(void *argument) {
  struct thread_rank *self = argument;
  struct group *group = self->group;
  self->body(&self->ranks, self->context);
  pthread_mutex_lock(&group->lock);
  group->broken = true;
  pthread_cond_broadcast(&group->changed);
  pthread_mutex_unlock(&group->lock);
  return NULL;
}

bool rill_thread_ranks_run(int count, void (*body)(struct rill_ranks *ranks, void *context), void *context) {
  static const struct rill_ranks_ops ops = {tell, gather, sum, largest, exchange, transpose, begin, arrived};
  struct thread_rank *all = rill_allocate((size_t)count, sizeof *all);
  struct group group = {.count = count, .shown = rill_allocate((size_t)count, sizeof *group.shown)};
  bool made = all != NULL && group.shown != NULL;
  int started = 0;
  pthread_mutex_init(&group.lock, NULL);
  pthread_cond_init(&group.changed, NULL);
  for (int r = 0; r < count && made; r++) {
    all[r] = (struct thread_rank){.group = &group, .body = body, .context = context};
    all[r].ranks = (struct rill_ranks){.ops = &ops, .self = &all[r], .rank = r, .count = count, .processors = 1};
    all[r].ranks.host[0] = 't';
    all[r].ranks.gathered = rill_allocate((size_t)count, sizeof *all[r].ranks.gathered);
    made = all[r].ranks.gathered != NULL;
  }
  while (made && started < count && pthread_create(&all[started].thread, NULL, run, &all[started]) == 0) started++;
  if (started < count) { /* those that have started must not wait for the others */
    pthread_mutex_lock(&group.lock);
    group.broken = true;
    pthread_cond_broadcast(&group.changed);
    pthread_mutex_unlock(&group.lock);
  }
  for (int r = 0; r < started; r++) pthread_join(all[r].thread, NULL);
  for (int r = 0; r < count && all != NULL; r++) {
    rill_release(all[r].ranks.gathered);
    rill_release(all[r].all);
  }
  pthread_cond_destroy(&group.changed);
  pthread_mutex_destroy(&group.lock);
  rill_release(group.shown);
  rill_release(all);
  return started == count;
}

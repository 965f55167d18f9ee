#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/timers.h"

static const double spin_seconds = 3e-5;

struct rill_team {
  size_t helpers;
  pthread_t *thread;
  double spin; /* seconds */

  /* The current loop.  A thread that has taken an index from `left` may read these: they do not change until that
   * index is done. */
  void (*body)(void *context, size_t index);
  void *context;
  size_t count;
  uint64_t loops, own; /* indices of all loops, and those that the caller has done itself; the caller's */

  /* For sleeping threads: changed under the lock, and also read without it. */
  pthread_mutex_t lock;
  pthread_cond_t work, finished;
  _Atomic size_t sleepers;
  _Atomic int waiting, leaving;

  /* The indices that no thread has taken, with the number of the loop above these 32 bits, so that a value read in
   * one loop is never mistaken for that of another.  Each of the two variables on which threads spin has a cache line
   * of its own. */
  _Alignas(RILL_ALIGNMENT) _Atomic uint64_t left;
  _Alignas(RILL_ALIGNMENT) _Atomic size_t done;
};

static const uint64_t index_mask = 0xffffffff;

static void pause_briefly(void) {
#if defined __x86_64__ || defined __i386__
  __asm__ volatile("pause");
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

/* Takes an index that no thread has taken and runs the body for it; false when there is none. */
static bool do_one(struct rill_team *team) {
  uint64_t left = atomic_load(&team->left);
  size_t count;
  while ((left & index_mask) != 0)
    if (atomic_compare_exchange_weak(&team->left, &left, left - 1)) {
      count = team->count;
      team->body(team->context, count - (size_t)(left & index_mask));
      if (atomic_fetch_add(&team->done, 1) + 1 == count && atomic_load(&team->waiting)) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_signal(&team->finished);
        pthread_mutex_unlock(&team->lock);
      }
      return true;
    }
  return false;
}

static bool is_work(struct rill_team *team) { return (atomic_load(&team->left) & index_mask) != 0; }
static bool is_over(struct rill_team *team) { return atomic_load(&team->done) == team->count; }

/* Spins until `ready`, but no longer than is useful; returns whether it became ready. */
static bool spin(struct rill_team *team, bool (*ready)(struct rill_team *)) {
  const double until = rill_clock() + team->spin;
  do {
    for (int k = 0; k < 16; k++) {
      if (ready(team)) return true;
      pause_briefly();
    }
  } while (rill_clock() < until);
  return false;
}

static void *help(void *self) {
  struct rill_team *team = self;
  while (!atomic_load(&team->leaving)) {
    if (do_one(team) || spin(team, is_work)) continue;
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (!is_work(team) && !atomic_load(&team->leaving)) pthread_cond_wait(&team->work, &team->lock);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
  }
  return NULL;
}

static void wake_helpers(struct rill_team *team) {
  if (atomic_load(&team->sleepers) == 0) return;
  pthread_mutex_lock(&team->lock);
  pthread_cond_broadcast(&team->work);
  pthread_mutex_unlock(&team->lock);
}

static void wait_for_helpers(struct rill_team *team) {
  if (is_over(team) || spin(team, is_over)) return;
  pthread_mutex_lock(&team->lock);
  atomic_store(&team->waiting, 1);
  while (!is_over(team)) pthread_cond_wait(&team->finished, &team->lock);
  atomic_store(&team->waiting, 0);
  pthread_mutex_unlock(&team->lock);
}

void rill_team_run(struct rill_team *team, size_t count, bool wake, void (*body)(void *context, size_t index),
                   void *context) {
  if (team == NULL || count < 2 || count > index_mask) {
    for (size_t index = 0; index < count; index++) body(context, index);
    return;
  }
  team->body = body;
  team->context = context;
  team->count = count;
  atomic_store(&team->done, 0);
  atomic_store(&team->left, ((atomic_load(&team->left) >> 32) + 1) << 32 | (count - 1));
  if (wake) wake_helpers(team);
  body(context, 0);
  atomic_fetch_add(&team->done, 1);
  team->loops += count;
  team->own++;
  while (do_one(team)) team->own++;
  wait_for_helpers(team);
}

void rill_team_pause(void) {
  for (int k = 0; k < 16; k++) pause_briefly();
  (void)sched_yield();
}

double rill_team_helped(struct rill_team *team) {
  double helped;
  if (team == NULL || team->loops == 0) return 1.0;
  helped = 1.0 - (double)team->own / (double)team->loops;
  team->loops = team->own = 0;
  return helped;
}

int rill_team_threads(const struct rill_team *team) { return team != NULL ? (int)team->helpers + 1 : 1; }

/* Signals are blocked in helpers: the calling thread handles them. */
static bool start_helpers(struct rill_team *team, size_t helpers) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (team->helpers < helpers && pthread_create(&team->thread[team->helpers], NULL, help, team) == 0)
    team->helpers++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return team->helpers == helpers;
}

enum rill_status rill_team_create(int threads, struct rill_team **team, struct rill_error *error) {
  struct rill_team *made;
  *team = NULL;
  if (threads <= 1) return RILL_OK;
  made = rill_allocate(1, sizeof *made);
  if (made == NULL) goto memory;
  pthread_mutex_init(&made->lock, NULL);
  pthread_cond_init(&made->work, NULL);
  pthread_cond_init(&made->finished, NULL);
  made->spin = threads <= sysconf(_SC_NPROCESSORS_ONLN) ? spin_seconds : 0.0;
  made->thread = rill_allocate((size_t)threads - 1, sizeof *made->thread);
  if (made->thread == NULL || !start_helpers(made, (size_t)threads - 1)) goto memory;
  *team = made;
  return RILL_OK;
memory:
  rill_team_destroy(made);
  return rill_error_set(error, RILL_ERROR_MEMORY, "cannot start %d threads: out of memory, or at this user's limit",
                        threads);
}

void rill_team_destroy(struct rill_team *team) {
  if (team == NULL) return;
  atomic_store(&team->leaving, 1);
  pthread_mutex_lock(&team->lock);
  pthread_cond_broadcast(&team->work);
  pthread_mutex_unlock(&team->lock);
  for (size_t k = 0; k < team->helpers; k++) pthread_join(team->thread[k], NULL);
  rill_release(team->thread);
  pthread_mutex_destroy(&team->lock);
  pthread_cond_destroy(&team->work);
  pthread_cond_destroy(&team->finished);
  rill_release(team);
}

#include "cli/signals.h"

#include <stddef.h>

/* The only place where mutable globals cannot be avoided: a signal handler has no other way to communicate. */
static volatile sig_atomic_t caught, save, interrupted;
static int stopped_status;

static void handler(int number) {
  if (number == SIGUSR1) {
    save = 1;
    return;
  }
  if (caught == 0) caught = number;
  if (number != SIGINT) return;
  if (interrupted) {
    signal(SIGINT, SIG_DFL);
    raise(SIGINT); /* delivered on return, when it is no longer blocked */
  }
  interrupted = 1;
}

/* System calls that a signal interrupts are restarted: a requested checkpoint must not spoil a write. */
void rill_signals_catch(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, given;
  sigfillset(&action.sa_mask); /* one after another: the first one counts */
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (sigaction(numbers[i], NULL, &given) == 0 && given.sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
}

void rill_signals_outlive_pipes(void) { signal(SIGPIPE, SIG_IGN); }

int rill_signal_caught(void) { return caught; }

const volatile sig_atomic_t *rill_signal_stop(void) { return &caught; }

volatile sig_atomic_t *rill_signal_save(void) { return &save; }

int rill_signal_tell(void) {
  if (caught != 0) return caught;
  if (!save) return 0;
  save = 0;
  return SIGUSR1;
}

void rill_signal_hear(int number) {
  if (number == SIGUSR1) save = 1;
  else if (caught == 0) caught = number;
}

void rill_stopped_status_set(int status) { stopped_status = status; }

int rill_stopped_status(void) {
  if (stopped_status != 0) return stopped_status;
  return caught != 0 ? 128 + caught : 0;
}

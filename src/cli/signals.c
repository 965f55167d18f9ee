#include "cli/signals.h"

#include <stddef.h>

/* The one place where a mutable global cannot be avoided: a signal handler has no other way to speak. */
static volatile sig_atomic_t caught;

/* A second one, of whichever kind, has its default effect. */
static void handler(int number) {
  caught = number;
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (number == SIGHUP) signal(SIGHUP, SIG_DFL); /* nohup stands */
}

void rill_signals_catch(void) {
  struct sigaction action = {0}, given;
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (sigaction(SIGHUP, NULL, &given) == 0 && given.sa_handler != SIG_IGN) /* nohup stands */
    sigaction(SIGHUP, &action, NULL);
}

void rill_signals_outlive_pipes(void) { signal(SIGPIPE, SIG_IGN); }

int rill_signal_caught(void) { return caught; }

const volatile sig_atomic_t *rill_signal_flag(void) { return &caught; }

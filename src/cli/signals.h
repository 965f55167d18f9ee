/* Signals of a run.  SIGINT, SIGTERM, SIGHUP (a terminal that is closed) and SIGUSR2 request that it saves and stops
 * after the present step; SIGUSR1 requests a checkpoint.  Each may come any number of times, but a second SIGINT ends
 * the program at once.  Those that were ignored when the program started stay ignored (nohup, a shell's background
 * jobs). */
#ifndef RILL_CLI_SIGNALS_H
#define RILL_CLI_SIGNALS_H

#include <signal.h>

void rill_signals_catch(void);
/* A run continues when the reader of its output goes away; the lost summary is an error at its end. */
void rill_signals_outlive_pipes(void);
/* The number of the signal that requested to stop, or 0. */
int rill_signal_caught(void);
/* Flags for the driver: not 0 to stop; to save, which it clears. */
const volatile sig_atomic_t *rill_signal_stop(void);
volatile sig_atomic_t *rill_signal_save(void);

/* Between processes that make one run together: the signal that requested to stop, or SIGUSR1 once after it came, or
 * 0; and what another process has received. */
int rill_signal_tell(void);
void rill_signal_hear(int number);

/* The exit status of a run that stopped before its end: the one that was set (0: none), otherwise 128 + the signal's
 * number, or 0 at a time limit. */
void rill_stopped_status_set(int status);
int rill_stopped_status(void);

#endif

/* SIGINT, SIGTERM and SIGHUP (a terminal that goes away): the first asks a run to stop after its step, the second ends
 * the program at once. */
#ifndef RILL_CLI_SIGNALS_H
#define RILL_CLI_SIGNALS_H

#include <signal.h>

void rill_signals_catch(void);
/* A run goes on when what reads its output goes away; the summary that is lost is an error at its end. */
void rill_signals_outlive_pipes(void);
/* The number of the signal that was caught, or 0. */
int rill_signal_caught(void);
/* What the driver looks at. */
const volatile sig_atomic_t *rill_signal_flag(void);

#endif

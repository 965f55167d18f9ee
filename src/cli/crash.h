/* Messages about crashes of the program. */
#ifndef RILL_CLI_CRASH_H
#define RILL_CLI_CRASH_H

/* To be called once, at the start.  HDF5, FFTW and SUNDIALS do not handle lack of memory: they follow null pointers,
 * overflow the stack, abort or call exit().  From this call on, the program then ends with a message that names the
 * library, and exit status 1.  A crash in rill itself also gets a message, and remains a crash.  Existing handlers (a
 * sanitizer's) are left in place. */
void rill_crash_prepare(void);

#endif

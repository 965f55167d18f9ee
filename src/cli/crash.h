/* What is said when the program crashes. */
#ifndef RILL_CLI_CRASH_H
#define RILL_CLI_CRASH_H

/* To be called once, at the start.  HDF5, FFTW and SUNDIALS do not bear that memory runs out: they follow null pointers,
 * overflow the stack, abort or call exit().  From here on that ends the program with a message that names the library, and
 * exit status 1.  A crash of rill's own also gets a message, and stays a crash.  Handlers that are there already (of a
 * sanitizer) are left in place. */
void rill_crash_prepare(void);

#endif

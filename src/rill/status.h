/* Statuses and messages: returned by every function of rill that can fail, and set by it. */
#ifndef RILL_STATUS_H
#define RILL_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* name, exit status of the program, meaning */
#define RILL_STATUS_LIST(X)                                                                                          \
  X(OK, 0, "success")                                                                                                \
  X(ERROR_USAGE, 2, "unusable arguments")                                                                            \
  X(ERROR_INPUT, 2, "unusable input: a deck, a structure or a trajectory")                                           \
  X(ERROR_OUTPUT, 2, "an output that cannot be created")                                                             \
  X(ERROR_UNSUPPORTED, 2, "a combination that does not bind")                                                        \
  X(ERROR_MEMORY, 1, "out of memory")                                                                                \
  X(ERROR_WRITE, 1, "writing failed during a run")                                                                   \
  X(ERROR_CONVERGENCE, 1, "an iteration did not converge")                                                           \
  X(ERROR_NOT_FINITE, 1, "a number is not finite")                                                                   \
  X(ERROR_FAILED, 1, "a run or a check failed")                                                                      \
  X(INTERRUPTED, 130, "stopped by a signal")

enum rill_status {
#define X(name, exit_status, meaning) RILL_##name,
  RILL_STATUS_LIST(X)
#undef X
};

enum { RILL_ERROR_CAPACITY = 8192 };

/* One or more messages, a line each, no final newline.  Initialise with {0}.  Owned by the caller. */
struct rill_error {
  enum rill_status status; /* the first status set */
  size_t length;           /* of text, without the terminating zero */
  char text[RILL_ERROR_CAPACITY];
};

#ifdef __cplusplus
}
#endif

#endif

/* Statuses and messages: what a fallible function returns, and where it says why.
 *
 * Every fallible function returns a rill_status and, when that is not RILL_OK, has written one clear message
 * into the struct rill_error it was given.  The library never prints, never exits and never picks another
 * method by itself; the command line maps a status to an exit status (rill_status_exit). */
#ifndef RILL_BASE_STATUS_H
#define RILL_BASE_STATUS_H

#include <stddef.h>

/* name, exit status of the command line, meaning */
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

/* Sets status and message, replacing what was there; returns status.  The message is cut at the capacity. */
enum rill_status rill_error_set(struct rill_error *error, enum rill_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a line to what was there (all faults of a deck are reported together); keeps the first status, returns it. */
enum rill_status rill_error_add(struct rill_error *error, enum rill_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "context: " in front of the message; returns the error's status. */
enum rill_status rill_error_prefix(struct rill_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Forgets all messages. */
void rill_error_clear(struct rill_error *error);

const char *rill_status_name(enum rill_status status);
const char *rill_status_meaning(enum rill_status status);
int rill_status_exit(enum rill_status status);

/* Returns from the calling function when the expression is not RILL_OK. */
#define RILL_TRY(expression)                                                                                         \
  do {                                                                                                               \
    enum rill_status rill_try_status_ = (expression);                                                                \
    if (rill_try_status_ != RILL_OK) return rill_try_status_;                                                        \
  } while (0)

#endif

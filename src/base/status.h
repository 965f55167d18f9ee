/* Statuses and messages: what a fallible function returns, and where it explains a failure.
 *
 * Every fallible function returns a rill_status.  When that is not RILL_OK, the function has written one clear
 * message into the struct rill_error it was given.  The library never prints, never exits and never switches to
 * another method by itself; the command line maps a status to an exit status (rill_status_exit). */
#ifndef RILL_BASE_STATUS_H
#define RILL_BASE_STATUS_H

#include "rill/status.h"

/* Sets status and message, replacing the previous ones; returns status.  The message is truncated at the capacity. */
enum rill_status rill_error_set(struct rill_error *error, enum rill_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a line to the message (all faults of a deck are reported together); keeps the first status and returns it. */
enum rill_status rill_error_add(struct rill_error *error, enum rill_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "context: " in front of the message; returns the error's status. */
enum rill_status rill_error_prefix(struct rill_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends text to the last line of the message; returns the error's status. */
enum rill_status rill_error_append(struct rill_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Clears status and messages. */
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

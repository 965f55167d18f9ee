/* Reading files that nobody vouches for.  HDF5 does not bear every damaged file: it may crash, loop for ever, or ask
 * for all memory.  So it reads in a process of its own, which holds one descriptor of the file, can open no other
 * file and write none, and whose memory and processor time are limited; what it reads comes back through a socket.
 * Whatever happens in there, the caller gets an answer or one message, in bounded time.
 *
 * The process is forked, and uses neither OpenMP nor threads: the caller may have some. */
#ifndef RILL_OUTPUT_SANDBOX_H
#define RILL_OUTPUT_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct rill_sandbox;

/* False: serve is called in the calling process, without protection, for tests that look inside. */
extern bool rill_sandbox_confines;
/* Processor time for a request.  Sound files take milliseconds. */
extern double rill_sandbox_seconds;

/* Answers one request, inside.  *reply: from rill_allocate, or NULL; released by the caller. */
typedef enum rill_status (*rill_sandbox_serve)(void *context, const void *request, size_t size, void **reply,
                                               size_t *reply_size, struct rill_error *error);

/* A regular file, for reading; a FIFO or a device is refused without waiting for it.  *descriptor is the caller's.
 * RILL_ERROR_INPUT. */
enum rill_status rill_sandbox_open_file(const char *path, int *descriptor, struct rill_error *error);

/* Whether another process may have written to the file since the mark was made.  What was read of a file that grows
 * meanwhile is new here and old there (lengths, indices, the end of the file): it is opened and read again, some
 * times at most. */
struct rill_sandbox_mark {
  int64_t size, seconds, nanoseconds;
};
enum { RILL_SANDBOX_READ_AGAIN = 8 };
struct rill_sandbox_mark rill_sandbox_mark(int descriptor);
bool rill_sandbox_file_changed(int descriptor, const struct rill_sandbox_mark *mark);

/* Starts the process; serve, called in there, finds *context as it is now.  path: for messages, copied.  context and
 * descriptor are the caller's until the end.  RILL_ERROR_MEMORY. */
enum rill_status rill_sandbox_start(const char *path, int descriptor, rill_sandbox_serve serve, void *context,
                                    struct rill_sandbox **sandbox, struct rill_error *error);

/* The answer to a request, which is valid until the next one; or the status and message that serve returned; or
 * RILL_ERROR_INPUT when the process died or took too long, after which there is no other answer. */
enum rill_status rill_sandbox_ask(struct rill_sandbox *sandbox, const void *request, size_t size, const void **reply,
                                  size_t *reply_size, struct rill_error *error);

/* Ends the process; accepts NULL. */
void rill_sandbox_stop(struct rill_sandbox *sandbox);

/* Starts, asks once (without a request), stops; the reply, which may be NULL, is released by the caller. */
enum rill_status rill_sandbox_run(const char *path, int descriptor, rill_sandbox_serve serve, void *context,
                                  void **reply, size_t *reply_size, struct rill_error *error);

/* Called inside, between pieces of work whose number is known to be bounded: each has the time of a request, and in
 * addition what handling `bytes` may take.  Does nothing outside. */
void rill_sandbox_more_time(size_t bytes);

#endif

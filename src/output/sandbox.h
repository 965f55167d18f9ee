/* Reading untrusted files.  Damaged files can make HDF5 crash, loop forever, or allocate all memory.  HDF5 therefore
 * reads them in a separate process, which holds one descriptor of the file, can open no other file and write none,
 * and whose memory and processor time are limited; the data come back through a socket.  Whatever happens in that
 * process, the caller gets an answer or one message, in bounded time.
 *
 * The process is forked, and uses neither OpenMP nor threads, because the caller may have threads. */
#ifndef RILL_OUTPUT_SANDBOX_H
#define RILL_OUTPUT_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct rill_sandbox;

/* False: serve is called in the calling process, without protection, for tests that inspect it. */
extern bool rill_sandbox_confines;
/* Limit on processor time for a request.  Intact files take milliseconds. */
extern double rill_sandbox_seconds;

/* Answers one request, in the sandbox.  *reply: from rill_allocate, or NULL; released by the caller. */
typedef enum rill_status (*rill_sandbox_serve)(void *context, const void *request, size_t size, void **reply,
                                               size_t *reply_size, struct rill_error *error);

/* Opens a regular file for reading; a FIFO or a device is refused without waiting for it.  *descriptor is the
 * caller's. RILL_ERROR_INPUT. */
enum rill_status rill_sandbox_open_file(const char *path, int *descriptor, struct rill_error *error);

/* Tells whether another process may have written to the file since the mark was made.  Data read from a growing file
 * may be new in one place and old in another (lengths, indices, the end of the file): then it is opened and read
 * again, a limited number of times. */
struct rill_sandbox_mark {
  int64_t size, seconds, nanoseconds;
};
enum { RILL_SANDBOX_READ_AGAIN = 8 };
struct rill_sandbox_mark rill_sandbox_mark(int descriptor);
bool rill_sandbox_file_changed(int descriptor, const struct rill_sandbox_mark *mark);

/* Starts the process; in it serve gets *context as it is at this moment.  path: for messages, copied.  context and
 * descriptor are the caller's until the end.  RILL_ERROR_MEMORY. */
enum rill_status rill_sandbox_start(const char *path, int descriptor, rill_sandbox_serve serve, void *context,
                                    struct rill_sandbox **sandbox, struct rill_error *error);

/* Returns the answer to a request, valid until the next request; or the status and message that serve returned; or
 * RILL_ERROR_INPUT when the process died or took too long, after which there are no more answers. */
enum rill_status rill_sandbox_ask(struct rill_sandbox *sandbox, const void *request, size_t size, const void **reply,
                                  size_t *reply_size, struct rill_error *error);

/* Ends the process; accepts NULL. */
void rill_sandbox_stop(struct rill_sandbox *sandbox);

/* Starts the process, asks once (without a request), and stops it; the reply, which may be NULL, is released by the
 * caller. */
enum rill_status rill_sandbox_run(const char *path, int descriptor, rill_sandbox_serve serve, void *context,
                                  void **reply, size_t *reply_size, struct rill_error *error);

/* Called in the sandbox, between pieces of work whose number is known to be bounded: each gets the time of a request,
 * plus the time that handling `bytes` may take.  Does nothing outside. */
void rill_sandbox_more_time(size_t bytes);

#endif

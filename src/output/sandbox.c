#include "config.h" /* _GNU_SOURCE, for close_range */

#include "output/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

/* In a build for gcov (make check-coverage) the process writes its counts before it ends, after its limits are
 * lifted. */
#if defined RILL_COVERAGE
#include <gcov.h>
#define LIMITS_FOR_GOOD false
#else
#define LIMITS_FOR_GOOD true
#endif

/* AddressSanitizer reserves more address space than any limit allows. */
#if defined __SANITIZE_ADDRESS__
#define LIMITS_MEMORY false
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define LIMITS_MEMORY false
#endif
#endif
#ifndef LIMITS_MEMORY
#define LIMITS_MEMORY true
#endif

enum {
  BYTES_A_SECOND = 20000000, /* slower than any decompression */
  MEMORY_BYTES = 1 << 30,    /* in addition to the caller's */
  MEMORY_TIMES_FILE = 64,
  REQUEST_MOST = 1 << 20,
  FIRST_CAPACITY = 1 << 14 /* most replies are smaller */
};

bool rill_sandbox_confines = true;
double rill_sandbox_seconds = 2;

struct rill_sandbox {
  char *path; /* for messages */
  rill_sandbox_serve serve;
  void *context;
  pid_t process;
  int socket;
  bool dead;
  char *reply;
  size_t capacity;
};

struct head {
  uint64_t size;   /* number of bytes that follow */
  uint32_t status; /* of an answer; `message` is the length of its message, which follows the bytes */
  uint32_t message;
};

/* --- the socket ------------------------------------------------------------------------------------------------- */

static bool send_all(int socket, const void *bytes, size_t size) {
  for (const char *from = bytes; size > 0;) {
    ssize_t done = send(socket, from, size, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    from += done;
    size -= (size_t)done;
  }
  return true;
}

static bool receive_all(int socket, void *bytes, size_t size) {
  for (char *to = bytes; size > 0;) {
    ssize_t done = recv(socket, to, size, 0);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    to += done;
    size -= (size_t)done;
  }
  return true;
}

/* --- inside ----------------------------------------------------------------------------------------------------- */

static bool inside;

void rill_sandbox_more_time(size_t bytes) {
  const double seconds = rill_sandbox_seconds + (double)bytes / BYTES_A_SECOND;
  struct itimerval end = {.it_value = {.tv_sec = (time_t)seconds}};
  end.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - (double)end.it_value.tv_sec)) + 1;
  if (inside) setitimer(ITIMER_PROF, &end, NULL); /* SIGPROF ends the process */
}

static void limit(unsigned resource, rlim_t most) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0 || (now.rlim_cur != RLIM_INFINITY && now.rlim_cur < most)) return;
  now.rlim_cur = most;
  if (LIMITS_FOR_GOOD) now.rlim_max = most;
  setrlimit(resource, &now);
}

/* The limit is in addition to the present size of the process, which is that of the caller. */
static void limit_memory(int descriptor) {
  unsigned long long pages = 0, bytes;
  struct stat information;
  FILE *sizes = LIMITS_MEMORY ? fopen("/proc/self/statm", "r") : NULL;
  if (sizes == NULL) return;
  if (fscanf(sizes, "%llu", &pages) != 1) pages = 0;
  fclose(sizes);
  if (pages == 0 || fstat(descriptor, &information) != 0) return;
  bytes = pages * (unsigned long long)sysconf(_SC_PAGESIZE) + MEMORY_BYTES;
  bytes += MEMORY_TIMES_FILE * (unsigned long long)information.st_size;
  limit(RLIMIT_AS, (rlim_t)bytes);
}

/* Keeps only these two open: the caller's locks and pipes must not outlive the caller. */
static void close_others(int a, int b) {
  const unsigned low = (unsigned)(a < b ? a : b), high = (unsigned)(a < b ? b : a);
  if (low > 3) close_range(3, low - 1, 0);
  if (high > low + 1) close_range(low + 1, high - 1, 0);
  close_range(high + 1, ~0u, 0);
}

/* The C library and sanitizers report crashes on standard error, but the caller's message reports them already. */
static void silence(void) {
  const int null = open("/dev/null", O_RDWR);
  for (int stream = 0; null >= 0 && stream <= STDERR_FILENO; stream++) dup2(null, stream);
}

static void confine(int descriptor, int socket) {
  static const int with_default[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF, SIGXCPU};
  static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM}; /* left to the caller */
  sigset_t none;
  for (size_t i = 0; i < sizeof with_default / sizeof with_default[0]; i++) signal(with_default[i], SIG_DFL);
  for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) signal(ignored[i], SIG_IGN);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  silence();
  close_others(descriptor, socket);
  limit_memory(descriptor);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NOFILE, 0); /* no further file can be opened, whatever a link or external storage names */
  inside = true;
}

static void write_counts(void) {
#if defined RILL_COVERAGE
  static const unsigned limited[] = {RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_NOFILE};
  const struct itimerval never = {0};
  struct rlimit now;
  for (size_t i = 0; i < sizeof limited / sizeof limited[0]; i++) {
    if (getrlimit(limited[i], &now) != 0) continue;
    now.rlim_cur = now.rlim_max;
    setrlimit(limited[i], &now);
  }
  setitimer(ITIMER_PROF, &never, NULL);
  __gcov_dump();
#endif
}

static bool answer(int socket, enum rill_status status, const void *reply, size_t size,
                   const struct rill_error *error) {
  const struct head head = {size, (uint32_t)status, (uint32_t)(status == RILL_OK ? 0 : error->length)};
  return send_all(socket, &head, sizeof head) && send_all(socket, reply, size) &&
         send_all(socket, error->text, head.message);
}

_Noreturn static void live(int descriptor, int socket, rill_sandbox_serve serve, void *context) {
  static _Thread_local struct rill_error error;
  struct head head;
  confine(descriptor, socket);
  while (receive_all(socket, &head, sizeof head)) {
    void *request = head.size <= REQUEST_MOST ? rill_allocate(head.size, 1) : NULL, *reply = NULL;
    size_t reply_size = 0;
    enum rill_status status;
    if (request == NULL || !receive_all(socket, request, head.size)) break;
    rill_error_clear(&error);
    rill_sandbox_more_time(0);
    status = serve(context, request, head.size, &reply, &reply_size, &error);
    if (!answer(socket, status, reply, status == RILL_OK ? reply_size : 0, &error)) break;
    rill_release(reply);
    rill_release(request);
  }
  write_counts();
  _exit(0);
}

/* --- outside ---------------------------------------------------------------------------------------------------- */

enum rill_status rill_sandbox_open_file(const char *path, int *descriptor, struct rill_error *error) {
  struct stat information = {0};
  *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (*descriptor < 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
  if (fstat(*descriptor, &information) == 0 && S_ISREG(information.st_mode)) return RILL_OK;
  close(*descriptor);
  *descriptor = -1;
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: is %s, expected a regular file", path,
                        S_ISDIR(information.st_mode)    ? "a directory"
                        : S_ISFIFO(information.st_mode) ? "a FIFO"
                                                        : "a device");
}

struct rill_sandbox_mark rill_sandbox_mark(int descriptor) {
  struct stat now = {0};
  (void)fstat(descriptor, &now); /* the reader detects a failure */
  return (struct rill_sandbox_mark){now.st_size, now.st_mtim.tv_sec, now.st_mtim.tv_nsec};
}

bool rill_sandbox_file_changed(int descriptor, const struct rill_sandbox_mark *mark) {
  const struct rill_sandbox_mark now = rill_sandbox_mark(descriptor);
  return now.size != mark->size || now.seconds != mark->seconds || now.nanoseconds != mark->nanoseconds;
}

enum rill_status rill_sandbox_start(const char *path, int descriptor, rill_sandbox_serve serve, void *context,
                                    struct rill_sandbox **result, struct rill_error *error) {
  struct rill_sandbox *sandbox = rill_allocate(1, sizeof *sandbox);
  int ends[2];
  *result = NULL;
  if (sandbox != NULL) sandbox->path = rill_allocate(strlen(path) + 1, 1);
  if (sandbox == NULL || sandbox->path == NULL) {
    rill_release(sandbox);
    return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  }
  strcpy(sandbox->path, path);
  sandbox->serve = serve;
  sandbox->context = context;
  sandbox->dead = !rill_sandbox_confines; /* there is no process to be ended */
  *result = sandbox;
  if (!rill_sandbox_confines) return RILL_OK;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    rill_error_set(error, RILL_ERROR_MEMORY, "%s: no socket for the process that reads the file: %s", path,
                   strerror(errno));
    goto fail;
  }
  sandbox->process = fork();
  if (sandbox->process == 0) live(descriptor, ends[1], serve, context);
  close(ends[1]);
  if (sandbox->process < 0) {
    rill_error_set(error, RILL_ERROR_MEMORY, "%s: the process that reads the file cannot be started: %s", path,
                   strerror(errno));
    close(ends[0]);
    goto fail;
  }
  sandbox->socket = ends[0];
  return RILL_OK;
fail:
  *result = NULL;
  rill_release(sandbox->path);
  rill_release(sandbox);
  return error->status;
}

/* Explains why there is no answer. */
static enum rill_status explain_death(struct rill_sandbox *sandbox, struct rill_error *error) {
  int state = 0, signal_number;
  pid_t ended;
  sandbox->dead = true;
  close(sandbox->socket);
  do ended = waitpid(sandbox->process, &state, 0);
  while (ended < 0 && errno == EINTR);
  signal_number = ended > 0 && WIFSIGNALED(state) ? WTERMSIG(state) : 0;
  if (signal_number == SIGPROF)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is damaged: reading it does not end (aborted after %g s)",
                          sandbox->path, rill_sandbox_seconds);
  if (signal_number == SIGKILL)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: the process that read the file was killed: out of memory, or a damaged file",
                          sandbox->path);
  if (signal_number != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is damaged: HDF5 crashed on it (%s)", sandbox->path,
                          strsignal(signal_number));
  return rill_error_set(error, RILL_ERROR_INPUT, "%s: is damaged: reading it broke off", sandbox->path);
}

/* Memory grows with the data received, not with the announced size. */
static bool receive_reply(struct rill_sandbox *sandbox, uint64_t size) {
  for (uint64_t got = 0;;) {
    const uint64_t room = sandbox->capacity - got, piece = size - got < room ? size - got : room;
    size_t capacity;
    char *larger;
    if (piece > 0 && !receive_all(sandbox->socket, sandbox->reply + got, piece)) return false;
    got += piece;
    if (got == size && sandbox->reply != NULL) return true;
    capacity = sandbox->capacity > 0 ? 2 * sandbox->capacity : FIRST_CAPACITY;
    larger = rill_allocate(capacity, 1);
    if (larger == NULL) return false;
    if (got > 0) memcpy(larger, sandbox->reply, got);
    rill_release(sandbox->reply);
    sandbox->reply = larger;
    sandbox->capacity = capacity;
  }
}

/* Receives the bytes and the message that follow a head; the message replaces *error. */
static bool receive_answer(struct rill_sandbox *sandbox, const struct head *head, struct rill_error *error) {
  if (head->message >= sizeof error->text || head->status > RILL_INTERRUPTED) return false;
  if (!receive_reply(sandbox, head->size)) return false;
  if (head->status == RILL_OK) return true;
  rill_error_clear(error);
  if (!receive_all(sandbox->socket, error->text, head->message)) return false;
  error->status = (enum rill_status)head->status;
  error->length = head->message;
  error->text[head->message] = '\0';
  return strlen(error->text) == error->length;
}

enum rill_status rill_sandbox_ask(struct rill_sandbox *sandbox, const void *request, size_t size, const void **reply,
                                  size_t *reply_size, struct rill_error *error) {
  struct head head = {.size = size};
  *reply = NULL;
  *reply_size = 0;
  if (!rill_sandbox_confines) {
    rill_release(sandbox->reply);
    sandbox->reply = NULL;
    RILL_TRY(sandbox->serve(sandbox->context, request, size, (void **)&sandbox->reply, reply_size, error));
    *reply = sandbox->reply;
    return RILL_OK;
  }
  if (sandbox->dead)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is damaged, and no longer read", sandbox->path);
  if (!send_all(sandbox->socket, &head, sizeof head) || !send_all(sandbox->socket, request, size) ||
      !receive_all(sandbox->socket, &head, sizeof head))
    return explain_death(sandbox, error);
  if (!receive_answer(sandbox, &head, error)) {
    kill(sandbox->process, SIGKILL);
    explain_death(sandbox, error);
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is damaged: reading it broke off", sandbox->path);
  }
  *reply = sandbox->reply;
  *reply_size = head.size;
  return (enum rill_status)head.status;
}

void rill_sandbox_stop(struct rill_sandbox *sandbox) {
  if (sandbox == NULL) return;
  if (!sandbox->dead) {
    close(sandbox->socket); /* the process ends when the socket is closed */
    while (waitpid(sandbox->process, NULL, 0) < 0 && errno == EINTR) continue;
  }
  rill_release(sandbox->reply);
  rill_release(sandbox->path);
  rill_release(sandbox);
}

enum rill_status rill_sandbox_run(const char *path, int descriptor, rill_sandbox_serve serve, void *context,
                                  void **reply, size_t *reply_size, struct rill_error *error) {
  struct rill_sandbox *sandbox;
  const void *answered;
  enum rill_status status;
  *reply = NULL;
  *reply_size = 0;
  RILL_TRY(rill_sandbox_start(path, descriptor, serve, context, &sandbox, error));
  status = rill_sandbox_ask(sandbox, NULL, 0, &answered, reply_size, error);
  if (status == RILL_OK) {
    *reply = sandbox->reply;
    sandbox->reply = NULL;
  }
  rill_sandbox_stop(sandbox);
  return status;
}

#include "config.h" /* first: defines _GNU_SOURCE, for dladdr and on_exit */

#include "cli/crash.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output_lock.h"

enum { FRAMES = 64 };

static void say(const char *text) {
  ssize_t written = write(STDERR_FILENO, text, strlen(text));
  (void)written;
}

static bool begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The library, without its folder, that was running when the caller was entered; NULL: rill itself.  It is that of
 * the innermost frame outside the C library, which always works for a caller. */
static const char *culprit(void) {
  void *frames[FRAMES];
  int count = backtrace(frames, FRAMES);
  Dl_info ours, frame;
  if (dladdr((void *)frames[0], &ours) == 0) return NULL;
  for (int i = 2; i < count; i++) { /* 0 and 1: this function and the caller */
    const char *name;
    if (dladdr(frames[i], &frame) == 0) continue; /* the kernel's return from a signal */
    if (frame.dli_fbase == ours.dli_fbase) return NULL;
    name = strrchr(frame.dli_fname, '/');
    name = name != NULL ? name + 1 : frame.dli_fname;
    if (!begins_with(name, "libc.") && !begins_with(name, "ld-")) return name;
  }
  return NULL;
}

static void end_in_library(const char *library) {
  say("rill: error: ");
  say(library);
  say(" crashed, most likely because memory has run out; what was written before is intact\n");
  rill_output_lock_abandon();
  _exit(EXIT_FAILURE);
}

static void crashed(int number) {
  const char *library = culprit();
  if (library != NULL) end_in_library(library);
  say("rill: error: the program crashed, which is a fault of it; what was written before is intact\n");
  rill_output_lock_abandon();
  raise(number); /* with the default action now, which may leave a core dump */
}

static void left(int status, void *unused) {
  const char *library = status != 0 ? culprit() : NULL;
  (void)unused;
  if (library != NULL) end_in_library(library);
}

void rill_crash_prepare(void) {
  static char stack[1 << 17]; /* the usual stack may be the one that overflowed */
  static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT};
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND}, before;
  void *frame;
  if (sigaction(SIGSEGV, NULL, &before) != 0 || before.sa_handler != SIG_DFL || sigaltstack(&other, NULL) != 0)
    return;
  backtrace(&frame, 1); /* the first call allocates memory */
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) sigaction(signals[i], &action, NULL);
  on_exit(left, NULL);
}

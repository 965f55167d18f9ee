/* The process that reads files which nobody vouches for: whatever happens in it, there is an answer or one
 * message. */
#include "output/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "suite.h"

#if defined __SANITIZE_ADDRESS__
#define LIMITS_MEMORY false
#elif defined __has_feature
#define LIMITS_MEMORY !__has_feature(address_sanitizer)
#else
#define LIMITS_MEMORY true
#endif

enum deed { ANSWER, REFUSE, CRASH, BE_KILLED, LEAVE, LOOP, TAKE_TIME, TAKE_MEMORY, LOOK_AROUND };

struct request {
  enum deed deed;
  size_t size;   /* of the answer */
  int others[3]; /* descriptors that the caller has open: the first, the last, and one between those of the process */
};

struct found {
  size_t memory;
  bool opens, has_others, prints;
};

static struct rill_error error;
static char directory[] = "test_sandbox_XXXXXX";
static const double seconds = 0.05;

/* Processor time. */
static void spin(double duration) {
  const clock_t end = clock() + (clock_t)(duration * CLOCKS_PER_SEC);
  while (clock() < end) continue;
}

/* All that there is to be had, at most 8 GB, in pieces that are not touched. */
static size_t take_memory(void) {
  const size_t piece = (size_t)1 << 26, most = (size_t)8 << 30;
  void *volatile last; /* compilers leave out an allocation that nobody looks at */
  size_t taken = 0;
  while (taken < most && (last = malloc(piece)) != NULL) taken += piece;
  return taken;
}

static struct found look_around(const struct request *request) {
  struct stat output;
  struct found found = {.opens = open("/dev/null", O_RDONLY) >= 0,
                        .prints = fstat(STDOUT_FILENO, &output) != 0 || !S_ISCHR(output.st_mode)};
  for (int i = 0; i < 3; i++)
    found.has_others |= request->others[i] > STDERR_FILENO && fcntl(request->others[i], F_GETFD) >= 0;
  return found;
}

static enum rill_status serve(void *context, const void *bytes, size_t size, void **reply, size_t *reply_size,
                              struct rill_error *fault) {
  const struct request *request = bytes;
  struct found found = {0};
  (void)context, (void)size;
  switch (request->deed) {
  case REFUSE: return rill_error_set(fault, RILL_ERROR_UNSUPPORTED, "this is refused");
  case CRASH: raise(SIGSEGV); break;
  case BE_KILLED: raise(SIGKILL); break;
  case LEAVE: _exit(3);
  case LOOP: spin(100 * seconds); break;
  case TAKE_TIME:
    for (int i = 0; i < 6; i++) {
      rill_sandbox_more_time(0);
      spin(0.4 * seconds);
    }
    break;
  case TAKE_MEMORY: found.memory = take_memory(); break;
  case LOOK_AROUND: found = look_around(request); break;
  case ANSWER: break;
  }
  *reply_size = request->size > sizeof found ? request->size : sizeof found;
  *reply = rill_allocate(*reply_size, 1);
  if (*reply == NULL) return rill_error_set(fault, RILL_ERROR_MEMORY, "no memory");
  memset(*reply, 'x', *reply_size);
  memcpy(*reply, &found, sizeof found);
  return RILL_OK;
}

/* ---- */

static int descriptor, others[3];
static struct rill_sandbox *sandbox;

static void start(void) {
  char path[64];
  FILE *file;
  ck_assert_ptr_nonnull(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/in", directory);
  file = fopen(path, "w");
  ck_assert(file != NULL && fputs("some bytes", file) >= 0 && fclose(file) == 0);
  rill_sandbox_seconds = seconds;
  others[0] = open("/dev/null", O_RDONLY);
  others[1] = fcntl(others[0], F_DUPFD, 200);
  ck_assert_int_eq(rill_sandbox_open_file(path, &descriptor, &error), RILL_OK);
  ck_assert_int_eq(rill_sandbox_start("in", descriptor, serve, NULL, &sandbox, &error), RILL_OK);
}

static void stop(void) {
  char command[64];
  rill_sandbox_stop(sandbox);
  close(descriptor);
  close(others[0]);
  close(others[1]);
  snprintf(command, sizeof command, "rm -r '%s'", directory);
  ck_assert_int_eq(system(command), 0);
}

static enum rill_status ask(enum deed deed, size_t size, struct found *found) {
  const struct request request = {deed, size, {0}};
  const void *reply;
  size_t reply_size, wrong = 0;
  rill_error_clear(&error);
  RILL_TRY(rill_sandbox_ask(sandbox, &request, sizeof request, &reply, &reply_size, &error));
  ck_assert_uint_eq(reply_size, size > sizeof *found ? size : sizeof *found);
  for (size_t i = sizeof *found; i < reply_size; i++) wrong += ((const char *)reply)[i] != 'x';
  ck_assert_uint_eq(wrong, 0);
  memcpy(found, reply, sizeof *found);
  return RILL_OK;
}

/* It answers again after answers of any size, refusals and work that takes its time, piece by piece. */
START_TEST(requests_are_answered) {
  static const size_t sizes[] = {0, 100, 3000000, 10, 5000000};
  struct found found;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    ck_assert_int_eq(ask(ANSWER, sizes[i], &found), RILL_OK);
  ck_assert_int_eq(ask(REFUSE, 0, &found), RILL_ERROR_UNSUPPORTED);
  ck_assert_str_eq(error.text, "this is refused");
  ck_assert_int_eq(ask(TAKE_TIME, 0, &found), RILL_OK);
}
END_TEST

static const struct {
  enum deed deed;
  const char *message;
} deaths[] = {{CRASH, "in: is damaged: HDF5 crashed on it ("},
              {BE_KILLED, "in: the process that read the file was killed: out of memory, or a damaged file"},
              {LEAVE, "in: is damaged: reading it broke off"},
              {LOOP, "in: is damaged: reading it does not end (aborted after 0.05 s)"}};

START_TEST(deaths_are_explained) {
  struct found found;
  ck_assert_int_eq(ask(deaths[_i].deed, 0, &found), RILL_ERROR_INPUT);
  ck_assert_msg(strncmp(error.text, deaths[_i].message, strlen(deaths[_i].message)) == 0, "%s", error.text);
  ck_assert_int_eq(ask(ANSWER, 0, &found), RILL_ERROR_INPUT);
  ck_assert_str_eq(error.text, "in: is damaged, and no longer read");
}
END_TEST

START_TEST(it_is_confined) {
  struct found found;
  ck_assert_int_eq(ask(LOOK_AROUND, 0, &found), RILL_OK);
  ck_assert(!found.opens);
  ck_assert(!found.prints);
  if (!LIMITS_MEMORY) return;
  ck_assert_int_eq(ask(TAKE_MEMORY, 0, &found), RILL_OK);
  ck_assert_uint_lt(found.memory, (size_t)2 << 30);
}
END_TEST

/* Pipes and locks of the caller's do not outlive it in there. */
START_TEST(descriptors_are_closed) {
  struct request request = {.deed = LOOK_AROUND};
  struct rill_sandbox *later;
  const struct found *found;
  const void *reply;
  size_t size;
  others[2] = open("/dev/null", O_RDONLY);
  ck_assert(others[0] > STDERR_FILENO && others[0] < descriptor && descriptor < others[2] && others[2] < others[1]);
  memcpy(request.others, others, sizeof others);
  ck_assert_int_eq(rill_sandbox_start("in", descriptor, serve, NULL, &later, &error), RILL_OK);
  ck_assert_int_eq(rill_sandbox_ask(later, &request, sizeof request, &reply, &size, &error), RILL_OK);
  found = reply;
  ck_assert(!found->has_others);
  rill_sandbox_stop(later);
  close(others[2]);
}
END_TEST

START_TEST(only_regular_files_are_opened) {
  static const struct {
    const char *name, *words;
  } kinds[] = {{".", "is a directory, expected a regular file"},
               {"/dev/null", "is a device, expected a regular file"},
               {"fifo", "is a FIFO, expected a regular file"},
               {"missing", "cannot be read: No such file or directory"}};
  char path[64];
  int file;
  snprintf(path, sizeof path, "%s/fifo", directory);
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    snprintf(path, sizeof path, "%s%s%s", kinds[i].name[0] == '/' ? "" : directory,
             kinds[i].name[0] == '/' ? "" : "/", kinds[i].name);
    rill_error_clear(&error);
    ck_assert_int_eq(rill_sandbox_open_file(path, &file, &error), RILL_ERROR_INPUT);
    ck_assert_msg(strstr(error.text, kinds[i].words) != NULL, "%s", error.text);
    ck_assert_int_eq(file, -1);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("sandbox");
  TCase *cases = tcase_create("sandbox");
  tcase_add_checked_fixture(cases, start, stop);
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, requests_are_answered);
  tcase_add_loop_test(cases, deaths_are_explained, 0, sizeof deaths / sizeof deaths[0]);
  tcase_add_test(cases, it_is_confined);
  tcase_add_test(cases, descriptors_are_closed);
  tcase_add_test(cases, only_regular_files_are_opened);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

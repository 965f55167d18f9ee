/* base: locks of output files, where the file system has flock and where it does not (wrapped here). */
#include "config.h" /* _GNU_SOURCE */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/output_lock.h"
#include "suite.h"

static bool without_flock;

int __real_flock(int descriptor, int operation);
int __wrap_flock(int descriptor, int operation);
int __wrap_flock(int descriptor, int operation) {
  if (!without_flock) return __real_flock(descriptor, operation);
  errno = ENOLCK;
  return -1;
}

static char directory[] = "test_lock_XXXXXX", path[256], name[256];
static struct rill_error error;

static void set_up(void) {
  strcpy(directory, "test_lock_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/out.csv", directory);
  snprintf(name, sizeof name, "%s/.out.csv.lock", directory);
  without_flock = false;
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", directory);
  ck_assert_int_eq(system(command), 0);
}

static enum rill_status take(struct rill_output_lock *lock) {
  int no_flock = 0;
  const enum rill_status status = rill_output_lock_take(path, lock, &no_flock, &error);
  if (status == RILL_OK) ck_assert_int_eq(no_flock, without_flock ? ENOLCK : 0);
  return status;
}

#define assert_taken(lock) ck_assert_msg(take(lock) == RILL_OK, "%s", error.text)
#define assert_refused(lock, words)                                                                                  \
  do {                                                                                                               \
    ck_assert_int_eq(take(lock), RILL_ERROR_OUTPUT);                                                                 \
    ck_assert_msg(strstr(error.text, words) != NULL, "'%s' lacks '%s'", error.text, words);                          \
    ck_assert_ptr_null((lock)->path);                                                                                \
  } while (0)

/* Takes the lock in a process that then waits, or ends without giving it up. */
static pid_t take_elsewhere(bool ends) {
  int ready[2];
  char byte;
  pid_t child;
  ck_assert_int_eq(pipe(ready), 0);
  child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    struct rill_output_lock lock;
    if (take(&lock) != RILL_OK || write(ready[1], "", 1) != 1) _exit(1);
    if (ends) kill(getpid(), SIGKILL);
    pause();
    _exit(2);
  }
  ck_assert_int_eq(read(ready[0], &byte, 1), 1);
  close(ready[0]);
  close(ready[1]);
  return child;
}

START_TEST(locks_exclude_and_are_removed) {
  struct rill_output_lock lock, other;
  char words[64];
  pid_t child;
  without_flock = _i;
  assert_taken(&lock);
  assert_refused(&other, "is in use by another program");
  rill_output_lock_release(&lock);
  ck_assert_int_ne(access(name, F_OK), 0);

  child = take_elsewhere(false);
  snprintf(words, sizeof words, "in use by another program: process %ld on host", (long)child);
  assert_refused(&other, words);
  ck_assert_int_eq(rill_output_lock_check(path, &error), RILL_ERROR_OUTPUT);
  ck_assert_ptr_nonnull(strstr(error.text, words));
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  ck_assert_int_eq(rill_output_lock_check(path, &error), RILL_OK);
  assert_taken(&lock);
  rill_output_lock_release(&lock);
  ck_assert_int_ne(access(name, F_OK), 0);
  rill_output_lock_release(&lock);
}
END_TEST

/* Also one that its parent has not waited for, whose number is taken still. */
START_TEST(killed_owners_do_not_block) {
  struct rill_output_lock lock;
  pid_t child;
  siginfo_t information;
  without_flock = _i;
  child = take_elsewhere(true);
  ck_assert_int_eq(waitid(P_PID, (id_t)child, &information, WEXITED | WNOWAIT), 0);
  assert_taken(&lock);
  rill_output_lock_release(&lock);
  waitpid(child, NULL, 0);
  ck_assert_int_ne(access(name, F_OK), 0);
}
END_TEST

static void put_lock(const char *text) {
  FILE *file = fopen(name, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
}

static void get_lock(char text[512]) {
  FILE *file = fopen(name, "r");
  ck_assert_ptr_nonnull(file);
  text[fread(text, 1, 511, file)] = '\0';
  fclose(file);
}

/* `text` with the words from `from` up to the next blank or comma replaced. */
static void put_changed(const char *text, const char *from, const char *word) {
  char changed[1024];
  const char *at = strstr(text, from) + strlen(from);
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, word, at + strcspn(at, " ,"));
  put_lock(changed);
}

/* Without flock the lock file alone tells: its process must be known to be gone, on this host, since this boot, and
 * not another process with its number. */
START_TEST(owners_are_told_apart) {
  struct rill_output_lock lock, other;
  char text[512];
  without_flock = true;
  assert_taken(&lock);
  get_lock(text);
  rill_output_lock_release(&lock);
  put_lock(text);
  assert_refused(&other, "in use by another program: process ");
  put_changed(text, "on host ", "elsewhere");
  assert_refused(&other, "on host elsewhere; if that has ended, remove ");
  ck_assert_int_eq(rill_output_lock_check(path, &error), RILL_OK); /* it might be gone */
  put_changed(text, " in ", "pid:[1]");
  assert_refused(&other, "if that has ended, remove ");
  put_changed(text, "at tick ", "1");
  assert_taken(&lock);
  rill_output_lock_release(&lock);
  put_changed(text, "of boot ", "another-one");
  assert_taken(&lock);
  rill_output_lock_release(&lock);
  /* Created a moment ago, or left by a loss of power. */
  put_lock("");
  assert_refused(&other, "remove that file if no run is writing there");
  ck_assert_int_eq(utimensat(AT_FDCWD, name, (struct timespec[2]){{time(NULL) - 60, 0}, {time(NULL) - 60, 0}}, 0), 0);
  assert_taken(&lock);
  /* Where flock works such a lock holds, too. */
  put_changed(text, "on host ", "elsewhere");
  without_flock = false;
  assert_refused(&other, "on host elsewhere");
  rill_output_lock_release(&lock);
}
END_TEST

/* Without flock, the lock file of a dead process is removed by one process at a time. */
START_TEST(stale_locks_are_removed_one_at_a_time) {
  const struct timespec old[2] = {{time(NULL) - 60, 0}, {time(NULL) - 60, 0}};
  char text[512], removing[sizeof name + 16];
  struct rill_output_lock lock, other;
  FILE *file;
  without_flock = true;
  waitpid(take_elsewhere(true), NULL, 0);
  get_lock(text);
  snprintf(removing, sizeof removing, "%s.removing", name);
  file = fopen(removing, "w");
  ck_assert_ptr_nonnull(file);
  fclose(file);
  assert_refused(&other, "appears and disappears");
  ck_assert_int_eq(access(name, F_OK), 0);                    /* not removed, and so not given to two */
  ck_assert_int_eq(utimensat(AT_FDCWD, removing, old, 0), 0); /* its process has died */
  assert_taken(&lock);
  ck_assert_int_ne(access(removing, F_OK), 0);
  rill_output_lock_release(&lock);
}
END_TEST

START_TEST(one_of_many_gets_it) {
  enum { ROUNDS = 60, PROCESSES = 8 };
  char text[512];
  struct rill_output_lock lock;
  without_flock = _i;
  waitpid(take_elsewhere(true), NULL, 0);
  get_lock(text); /* of a dead process */
  assert_taken(&lock);
  rill_output_lock_release(&lock);
  for (int round = 0; round < ROUNDS; round++) {
    int go[2], done[2], winners = 0;
    char byte, results[PROCESSES];
    ck_assert_int_eq(pipe(go), 0);
    ck_assert_int_eq(pipe(done), 0);
    if (round % 2 == 1) put_lock(text);
    for (int p = 0; p < PROCESSES; p++) {
      if (fork() != 0) continue;
      close(go[1]);
      if (read(go[0], &byte, 1) != 0) _exit(1); /* all at once, when the parent closes its end */
      byte = take(&lock) == RILL_OK;
      if (write(done[1], &byte, 1) != 1) _exit(1);
      pause();
    }
    close(go[1]);
    for (int p = 0; p < PROCESSES; p++) {
      ck_assert_int_eq(read(done[0], &results[p], 1), 1);
      winners += results[p];
    }
    ck_assert_int_eq(winners, 1);
    signal(SIGTERM, SIG_IGN);
    kill(0, SIGTERM);
    while (wait(NULL) > 0) continue;
    signal(SIGTERM, SIG_DFL);
    unlink(name);
    close(go[0]);
    close(done[0]);
    close(done[1]);
  }
}
END_TEST

START_TEST(what_cannot_be_locked) {
  struct rill_output_lock lock;
  int no_flock = 0;
  ck_assert_int_eq(rill_output_lock_take("none/such/out.csv", &lock, &no_flock, &error), RILL_OK);
  ck_assert_ptr_null(lock.path);
  ck_assert_int_eq(symlink("elsewhere", name), 0);
  assert_refused(&lock, "lock file");
  ck_assert_int_eq(unlink(name), 0);
  ck_assert_int_eq(mkdir(name, 0777), 0);
  assert_refused(&lock, "lock file");
  ck_assert_int_eq(access("elsewhere", F_OK), -1);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("output locks");
  TCase *cases = tcase_create("output locks");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, stale_locks_are_removed_one_at_a_time);
  tcase_add_loop_test(cases, locks_exclude_and_are_removed, 0, 2);
  tcase_add_loop_test(cases, killed_owners_do_not_block, 0, 2);
  tcase_add_test(cases, owners_are_told_apart);
  tcase_add_loop_test(cases, one_of_many_gets_it, 0, 2);
  tcase_add_test(cases, what_cannot_be_locked);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}

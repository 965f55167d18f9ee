#include "base/output_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

enum rill_flock rill_flock_take(int descriptor) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return RILL_FLOCK_TAKEN;
  return errno == EWOULDBLOCK ? RILL_FLOCK_HELD : RILL_FLOCK_UNAVAILABLE;
}

/* ---- owners ---- */

enum { WORD = 128, TEXT = 512 };

/* Identifies a process, as distinct from later processes with the same number (started: in clock ticks after
 * booting), and from processes of other machines and containers that share the folder. */
struct owner {
  long process;
  char host[WORD], processes[WORD], boot[WORD]; /* processes: the namespace of process numbers */
  unsigned long long started;
  bool flocked;
};

#define OWNER_PRINT "process %ld on host %s, started at tick %llu of boot %s, in %s, held by %s\n"
#define OWNER_SCAN "process %ld on host %127[^ ,], started at tick %llu of boot %127[^ ,], in %127[^ ,], held by %15s"

static ssize_t read_text(const char *path, char *text, size_t size) {
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t length = descriptor < 0 ? -1 : read(descriptor, text, size - 1);
  if (descriptor >= 0) close(descriptor);
  text[length > 0 ? length : 0] = '\0';
  return length;
}

/* Clock ticks from booting to the start of a process; 0 for a process that has ended or is unknown. */
static unsigned long long start_of(long process) {
  char path[64], text[1024], state;
  const char *rest;
  unsigned long long started;
  snprintf(path, sizeof path, "/proc/%ld/stat", process);
  if (read_text(path, text, sizeof text) <= 0 || (rest = strrchr(text, ')')) == NULL) return 0;
  /* After the name come the state and further fields, of which the 19th is the start. */
  if (sscanf(rest + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &state,
             &started) != 2)
    return 0;
  return state == 'Z' || state == 'X' ? 0 : started;
}

static void find_myself(struct owner *owner, bool flocked) {
  ssize_t length;
  *owner = (struct owner){.process = (long)getpid(), .flocked = flocked};
  owner->started = start_of(owner->process);
  if (gethostname(owner->host, sizeof owner->host - 1) != 0 || owner->host[0] == '\0') strcpy(owner->host, "unknown");
  length = readlink("/proc/self/ns/pid", owner->processes, sizeof owner->processes - 1);
  if (length <= 0) strcpy(owner->processes, "unknown");
  if (read_text("/proc/sys/kernel/random/boot_id", owner->boot, sizeof owner->boot) <= 0)
    strcpy(owner->boot, "unknown");
  owner->boot[strcspn(owner->boot, "\n")] = '\0';
}

static bool read_owner(int descriptor, struct owner *owner) {
  char text[TEXT], way[16];
  const ssize_t length = pread(descriptor, text, sizeof text - 1, 0);
  text[length > 0 ? length : 0] = '\0';
  *owner = (struct owner){0};
  if (sscanf(text, OWNER_SCAN, &owner->process, owner->host, &owner->started, owner->boot, owner->processes, way) !=
      6)
    return false;
  owner->flocked = strcmp(way, "flock") == 0;
  return true;
}

static bool write_owner(int descriptor, const struct owner *owner) {
  char text[TEXT];
  const int length = snprintf(text, sizeof text, OWNER_PRINT, owner->process, owner->host, owner->started,
                              owner->boot, owner->processes, owner->flocked ? "flock" : "file");
  return ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text, (size_t)length, 0) == length;
}

enum life { ALIVE, DEAD, ELSEWHERE };

static enum life life_of(const struct owner *owner) {
  struct owner me;
  unsigned long long started;
  find_myself(&me, false);
  if (strcmp(owner->host, me.host) != 0) return ELSEWHERE;
  if (strcmp(owner->boot, me.boot) != 0) return DEAD;
  if (strcmp(owner->processes, me.processes) != 0) return ELSEWHERE;
  if (kill((pid_t)owner->process, 0) != 0 && errno == ESRCH) return DEAD;
  started = start_of(owner->process);
  return owner->started == 0 || started == owner->started ? ALIVE : DEAD;
}

/* ---- lock files ---- */

static char *name_lock(const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
  const size_t size = strlen(path) + sizeof "..lock";
  char *name = rill_allocate(size, 1);
  if (name != NULL) snprintf(name, size, "%.*s.%s.lock", (int)(base - path), path, base);
  return name;
}

static enum rill_status refuse_held(const char *path, const char *lock, const struct owner *owner, bool may_be_gone,
                                    struct rill_error *error) {
  if (owner->process == 0)
    return rill_error_set(error, RILL_ERROR_OUTPUT, "%s: is in use by another program, as %s says%s", path, lock,
                          may_be_gone ? "; remove that file if no run is writing there" : "");
  if (may_be_gone)
    return rill_error_set(error, RILL_ERROR_OUTPUT,
                          "%s: is in use by another program: process %ld on host %s; if that has ended, remove %s",
                          path, owner->process, owner->host, lock);
  return rill_error_set(error, RILL_ERROR_OUTPUT, "%s: is in use by another program: process %ld on host %s", path,
                        owner->process, owner->host);
}

static bool has_name(int descriptor, const char *name) {
  struct stat file, named;
  return fstat(descriptor, &file) == 0 && lstat(name, &named) == 0 && file.st_dev == named.st_dev &&
         file.st_ino == named.st_ino;
}

static const time_t moment = 10; /* seconds */

/* Whether the file was created moments ago, by a process that may not have written its number yet. */
static bool is_new(int descriptor) {
  struct stat information;
  return fstat(descriptor, &information) == 0 && time(NULL) - information.st_mtime < moment;
}

/* The state of an existing lock file. */
enum verdict { FREE, HELD, PERHAPS_HELD };

static enum verdict judge(int descriptor, enum rill_flock flocked, struct owner *owner) {
  const bool known = read_owner(descriptor, owner);
  enum life life;
  if (flocked == RILL_FLOCK_HELD) return HELD;
  if (flocked == RILL_FLOCK_TAKEN && (!known || owner->flocked)) return FREE;
  if (!known) return is_new(descriptor) ? PERHAPS_HELD : FREE;
  life = life_of(owner);
  return life == DEAD ? FREE : life == ALIVE ? HELD : PERHAPS_HELD;
}

static int open_existing(const char *name) {
  const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, descriptor = open(name, O_RDWR | flags);
  return descriptor >= 0 || errno != EACCES ? descriptor : open(name, O_RDONLY | flags);
}

/* Without flock: removes the lock file of a dead process.  Only the process that has created NAME.removing does so,
 * after another check: otherwise it could remove the new lock of a faster process instead of the stale one. */
static void remove_stale(const char *name) {
  static const struct timespec pause = {0, 1000000};
  const size_t size = strlen(name) + sizeof ".removing";
  char *removing = rill_allocate(size, 1);
  struct owner owner;
  struct stat left;
  int guard, stale;
  if (removing == NULL) return;
  snprintf(removing, size, "%s.removing", name);
  guard = open(removing, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (guard >= 0) {
    stale = open_existing(name);
    if (stale >= 0 && judge(stale, RILL_FLOCK_UNAVAILABLE, &owner) == FREE) (void)unlink(name);
    if (stale >= 0) close(stale);
    (void)unlink(removing);
    close(guard);
  } else if (lstat(removing, &left) == 0 && time(NULL) - left.st_mtime >= moment) {
    (void)unlink(removing); /* its process died before removing it */
  } else {
    (void)nanosleep(&pause, NULL);
  }
  rill_release(removing);
}

/* Locks that are held, for the handler of a crash.  Locks beyond this number are left to the next run, which finds
 * that their owner has ended. */
enum { HELD_MOST = 32 };
static struct {
  const char *volatile path;
  volatile int descriptor;
} mine[HELD_MOST];

static void remember(const struct rill_output_lock *lock) {
  for (int i = 0; i < HELD_MOST; i++)
    if (mine[i].path == NULL) {
      mine[i].descriptor = lock->descriptor;
      mine[i].path = lock->path;
      return;
    }
}

static void forget(const struct rill_output_lock *lock) {
  for (int i = 0; i < HELD_MOST; i++)
    if (mine[i].path == lock->path) mine[i].path = NULL;
}

/* Async-signal-safe: fstat, lstat and unlink may be called in a signal handler. */
void rill_output_lock_abandon(void) {
  for (int i = 0; i < HELD_MOST; i++)
    if (mine[i].path != NULL && has_name(mine[i].descriptor, mine[i].path)) (void)unlink(mine[i].path);
}

enum attempt { TAKEN, NOTHING_TO_TAKE, REFUSED, AGAIN };

/* Writes this process's identity to the open lock file, which it holds by flock or has created. */
static enum attempt sign(const char *path, const struct rill_output_lock *lock, bool flocked,
                         struct rill_error *error) {
  struct owner myself;
  find_myself(&myself, flocked);
  if (write_owner(lock->descriptor, &myself)) return TAKEN;
  rill_error_set(error, RILL_ERROR_OUTPUT, "%s: its lock file %s cannot be written: %s", path, lock->path,
                 strerror(errno));
  (void)unlink(lock->path);
  return REFUSED;
}

static enum attempt try_lock(const char *path, struct rill_output_lock *lock, int *no_flock,
                             struct rill_error *error) {
  struct owner owner;
  enum rill_flock flocked;
  enum verdict verdict;
  int failure;
  bool created;
  lock->descriptor = open(lock->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  created = lock->descriptor >= 0;
  if (!created && errno == ENOENT) return NOTHING_TO_TAKE;
  if (!created && errno == EEXIST) {
    lock->descriptor = open_existing(lock->path);
    if (lock->descriptor < 0 && errno == ENOENT) return AGAIN;
  }
  if (lock->descriptor < 0) {
    rill_error_set(error, RILL_ERROR_OUTPUT, "%s: its lock file %s cannot be created: %s", path, lock->path,
                   strerror(errno));
    return REFUSED;
  }
  flocked = rill_flock_take(lock->descriptor);
  failure = errno;
  if (created && flocked == RILL_FLOCK_HELD) return AGAIN; /* another process was faster */
  verdict = created ? FREE : judge(lock->descriptor, flocked, &owner);
  if (verdict != FREE) {
    (void)refuse_held(path, lock->path, &owner, verdict == PERHAPS_HELD, error);
    return REFUSED;
  }
  if (!created && flocked == RILL_FLOCK_UNAVAILABLE) {
    remove_stale(lock->path);
    return AGAIN;
  }
  if (!has_name(lock->descriptor, lock->path)) return AGAIN; /* its last owner removed it meanwhile */
  if (flocked == RILL_FLOCK_UNAVAILABLE) *no_flock = failure;
  return sign(path, lock, flocked == RILL_FLOCK_TAKEN, error);
}

enum rill_status rill_output_lock_take(const char *path, struct rill_output_lock *lock, int *no_flock,
                                       struct rill_error *error) {
  enum { ATTEMPTS = 100 };
  enum attempt attempt = AGAIN;
  *lock = (struct rill_output_lock){.path = name_lock(path), .descriptor = -1};
  if (lock->path == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  for (int i = 0; i < ATTEMPTS && attempt == AGAIN; i++) {
    attempt = try_lock(path, lock, no_flock, error);
    if (attempt == TAKEN) {
      remember(lock);
      return RILL_OK;
    }
    if (lock->descriptor >= 0) close(lock->descriptor);
  }
  if (attempt == AGAIN)
    rill_error_set(error, RILL_ERROR_OUTPUT, "%s: its lock file %s appears and disappears", path, lock->path);
  rill_release(lock->path);
  *lock = (struct rill_output_lock){0};
  return attempt == NOTHING_TO_TAKE ? RILL_OK : error->status;
}

enum rill_status rill_output_lock_check(const char *path, struct rill_error *error) {
  char *name = name_lock(path);
  const int descriptor = name != NULL ? open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
  struct owner owner;
  const bool held = descriptor >= 0 && read_owner(descriptor, &owner) && life_of(&owner) == ALIVE;
  if (descriptor >= 0) close(descriptor);
  if (held) (void)refuse_held(path, name, &owner, false, error);
  rill_release(name);
  return held ? RILL_ERROR_OUTPUT : RILL_OK;
}

void rill_output_lock_release(struct rill_output_lock *lock) {
  if (lock->path == NULL) return;
  if (has_name(lock->descriptor, lock->path)) (void)unlink(lock->path);
  forget(lock);
  close(lock->descriptor);
  rill_release(lock->path);
  *lock = (struct rill_output_lock){0};
}

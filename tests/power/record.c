/* Records what rill does to its files, for cuts.py, which replays it as a disk may have seen it: linked in front of
 * the system's calls (-Wl,--wrap), appends to the file that RILL_RECORD names; without that it records nothing.
 *
 * A line for each call, files by their inode numbers, names with a tab behind each:
 *   create INODE NAME   truncate INODE LENGTH   write INODE OFFSET LENGTH, and the bytes   sync INODE
 *   link OLD NEW   rename OLD NEW   unlink NAME   mkdir NAME   syncdir NAME
 * What is written through a stream is recorded as a whole when it is closed.  Files that are opened by an absolute
 * path are left out: those of gcov, in builds for it. */
#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int file, const void *bytes, size_t size);
ssize_t __real_pwrite(int file, const void *bytes, size_t size, off_t place);
int __real_ftruncate(int file, off_t length);
int __real_fsync(int file);
int __real_link(const char *old, const char *new);
int __real_rename(const char *old, const char *new);
int __real_unlink(const char *path);
int __real_mkdir(const char *path, mode_t mode);
int __real_fclose(FILE *stream);

int __wrap_open(const char *path, int flags, ...);
ssize_t __wrap_write(int file, const void *bytes, size_t size);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t place);
int __wrap_ftruncate(int file, off_t length);
int __wrap_fsync(int file);
int __wrap_link(const char *old, const char *new);
int __wrap_rename(const char *old, const char *new);
int __wrap_unlink(const char *path);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_fclose(FILE *stream);

enum { FILES = 256 };
static char folders[FILES][PATH_MAX]; /* by descriptor, of folders that are open */
static bool left_out[FILES];          /* by descriptor */

static void fail(const char *what) {
  perror(what);
  _exit(99);
}

/* -1: nothing is recorded. */
static int record(void) {
  static int file = -2;
  const char *name;
  if (file != -2) return file;
  name = getenv("RILL_RECORD");
  file = name == NULL ? -1 : __real_open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (name != NULL && file < 0) fail(name);
  return file;
}

static void put(const void *bytes, size_t size) {
  if (record() >= 0 && __real_write(record(), bytes, size) != (ssize_t)size) fail("the record cannot be written");
}

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
  char line[2 * PATH_MAX + 64];
  va_list arguments;
  int length;
  va_start(arguments, format);
  length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  put(line, (size_t)length);
}

static uintmax_t inode(int file) {
  struct stat information;
  if (fstat(file, &information) != 0) fail("fstat");
  return (uintmax_t)information.st_ino;
}

static bool is_recorded(int file) {
  struct stat information;
  return fstat(file, &information) == 0 && S_ISREG(information.st_mode) && !(file < FILES && left_out[file]);
}

int __wrap_open(const char *path, int flags, ...) {
  const bool there = access(path, F_OK) == 0;
  mode_t mode = 0;
  va_list arguments;
  int file;
  va_start(arguments, flags);
  if (flags & O_CREAT) mode = va_arg(arguments, mode_t);
  va_end(arguments);
  file = __real_open(path, flags, mode);
  if (file < 0) return file;
  if (file < FILES) left_out[file] = path[0] == '/';
  if (path[0] == '/') return file;
  if (flags & O_DIRECTORY && file < FILES) snprintf(folders[file], PATH_MAX, "%s", path);
  if (flags & O_CREAT && !there) note("create %ju %s\t\n", inode(file), path);
  if (flags & O_TRUNC && there) note("truncate %ju 0\n", inode(file));
  return file;
}

static void note_write(int file, const void *bytes, size_t size, off_t place) {
  note("write %ju %jd %zu\n", inode(file), (intmax_t)place, size);
  put(bytes, size);
}

ssize_t __wrap_write(int file, const void *bytes, size_t size) {
  const off_t place = lseek(file, 0, SEEK_CUR);
  const ssize_t done = __real_write(file, bytes, size);
  if (done > 0 && place >= 0 && is_recorded(file)) note_write(file, bytes, (size_t)done, place);
  return done;
}

ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t place) {
  const ssize_t done = __real_pwrite(file, bytes, size, place);
  if (done > 0 && is_recorded(file)) note_write(file, bytes, (size_t)done, place);
  return done;
}

int __wrap_ftruncate(int file, off_t length) {
  const int result = __real_ftruncate(file, length);
  if (result == 0 && is_recorded(file)) note("truncate %ju %jd\n", inode(file), (intmax_t)length);
  return result;
}

int __wrap_fsync(int file) {
  const int result = __real_fsync(file);
  if (result != 0) return result;
  if (is_recorded(file)) note("sync %ju\n", inode(file));
  else if (file < FILES) note("syncdir %s\t\n", folders[file]);
  return result;
}

int __wrap_link(const char *old, const char *new) {
  const int result = __real_link(old, new);
  if (result == 0) note("link %s\t%s\t\n", old, new);
  return result;
}

int __wrap_rename(const char *old, const char *new) {
  const int result = __real_rename(old, new);
  if (result == 0) note("rename %s\t%s\t\n", old, new);
  return result;
}

int __wrap_unlink(const char *path) {
  const int result = __real_unlink(path);
  if (result == 0) note("unlink %s\t\n", path);
  return result;
}

int __wrap_mkdir(const char *path, mode_t mode) {
  const int result = __real_mkdir(path, mode);
  if (result == 0) note("mkdir %s\t\n", path);
  return result;
}

int __wrap_fclose(FILE *stream) {
  const int file = fileno(stream);
  static char bytes[1 << 20];
  ssize_t size;
  if (record() >= 0 && file >= 0 && is_recorded(file) && (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY) {
    if (fflush(stream) != 0) fail("a stream");
    size = pread(file, bytes, sizeof bytes, 0);
    if (size < 0 || size == sizeof bytes) fail("a stream");
    note("truncate %ju 0\n", inode(file));
    if (size > 0) note_write(file, bytes, (size_t)size, 0);
  }
  return __real_fclose(stream);
}

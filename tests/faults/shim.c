/* Faults on demand: the program `faulty` is rill, linked so that its own calls for memory, of the file system and of
 * HDF5 come here first (--wrap), and so do the calls for memory that libraries make among themselves (malloc and its
 * like, defined here, which the dynamic linker takes for everybody's; the caller's address says whose a call is).
 *
 *   RILL_FAULT="KIND N"        the N-th call of a kind (counted from 1) fails as it would fail in nature
 *   RILL_FAULT="KIND N on"     and so does every later call of that kind: the disk is gone, the memory is used up
 *   RILL_FAULT="KIND N all"    and so does every later call of any kind
 *
 * Kinds are memory, file, hdf5, and for memory of libraries libhdf5, liblapack, libsundials, libfftw3 and libgsl.
 * What the C library and the OpenMP runtime allocate for themselves never fails.  The name of the first call that
 * failed is written to the file RILL_FAULT_NOTE. */
#include "config.h" /* _GNU_SOURCE */

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <link.h>
#include <locale.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { MEMORY, FILES, HDF5, LIBRARIES, KINDS = LIBRARIES + 5 };
static const char *const names[KINDS] = {"memory",    "file",        "hdf5",     "libhdf5",
                                         "liblapack", "libsundials", "libfftw3", "libgsl"};

int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int file, const void *bytes, size_t size);
int __real_close(int file);

/* What RILL_FAULT says. */
static int wanted_kind = KINDS;
static long wanted_call;
static bool of_this_kind, of_all_kinds; /* later calls fail, too */

__attribute__((constructor)) static void read_fault(void) {
  const char *fault = getenv("RILL_FAULT"), *number = fault != NULL ? strchr(fault, ' ') : NULL;
  char *rest;
  if (number == NULL) return;
  for (int k = 0; k < KINDS; k++)
    if (strlen(names[k]) == (size_t)(number - fault) && strncmp(fault, names[k], strlen(names[k])) == 0)
      wanted_kind = k;
  wanted_call = strtol(number, &rest, 10);
  of_all_kinds = strcmp(rest, " all") == 0;
  of_this_kind = of_all_kinds || strcmp(rest, " on") == 0;
}

/* What gcov calls when the program has ended, in builds for it, is none of the program's. */
__attribute__((destructor)) static void forget_fault(void) {
  wanted_kind = KINDS;
  of_this_kind = of_all_kinds = false;
}

/* Does this call fail? */
static bool fails(int kind, const char *call) {
  static atomic_long calls;
  static atomic_bool begun;
  if (kind != wanted_kind) return of_all_kinds && begun;
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (number != wanted_call) return of_this_kind && number > wanted_call;
  begun = true;
  const char *path = getenv("RILL_FAULT_NOTE");
  int note = path != NULL ? __real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
  if (note >= 0) {
    if (__real_write(note, call, strlen(call)) < 0) abort();
    __real_close(note);
  }
  return true;
}

/* ---- memory of libraries ---- */

#if defined __SANITIZE_ADDRESS__
#define RILL_OWN_MALLOC 0
#elif defined __has_feature
#define RILL_OWN_MALLOC !__has_feature(address_sanitizer)
#else
#define RILL_OWN_MALLOC 1
#endif

#if RILL_OWN_MALLOC /* not over the sanitizer's */

enum { SEGMENTS = 64 };
static struct {
  uintptr_t first, end;
  int kind;
} segments[SEGMENTS];
static int segment_count;

/* Which kind a library is, by the name of its file; -1: none of those whose calls fail. */
static int kind_of_library(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  if (strncmp(name, "libblas", 7) == 0 || strncmp(name, "libopenblas", 11) == 0 || strncmp(name, "libtmglib", 9) == 0)
    name = "liblapack";
  for (int k = LIBRARIES; k < KINDS; k++)
    if (strncmp(name, names[k], strlen(names[k])) == 0) return k;
  return -1;
}

static int add_segments(struct dl_phdr_info *library, size_t size, void *unused) {
  int kind = kind_of_library(library->dlpi_name);
  (void)size, (void)unused;
  for (int i = 0; kind >= 0 && i < library->dlpi_phnum && segment_count < SEGMENTS; i++) {
    const ElfW(Phdr) *header = &library->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    segments[segment_count].first = library->dlpi_addr + header->p_vaddr;
    segments[segment_count].end = segments[segment_count].first + header->p_memsz;
    segments[segment_count++].kind = kind;
  }
  return 0;
}

__attribute__((constructor)) static void find_libraries(void) { dl_iterate_phdr(add_segments, NULL); }

static bool library_fails(const void *caller, const char *call) {
  for (int i = 0; i < segment_count; i++)
    if ((uintptr_t)caller >= segments[i].first && (uintptr_t)caller < segments[i].end)
      return fails(segments[i].kind, call);
  return false;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#define OF_A_LIBRARY(call) library_fails(__builtin_return_address(0), call)
#define OR_NONE(call, memory) (OF_A_LIBRARY(call) ? (errno = ENOMEM, (void *)NULL) : (memory))
void *malloc(size_t size) { return OR_NONE("malloc", __libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return OR_NONE("calloc", __libc_calloc(count, size)); }
void *realloc(void *old, size_t size) { return OR_NONE("realloc", __libc_realloc(old, size)); }
void *memalign(size_t alignment, size_t size) { return OR_NONE("memalign", __libc_memalign(alignment, size)); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *taken = OF_A_LIBRARY("posix_memalign") ? NULL : __libc_memalign(alignment, size);
  if (taken == NULL) return ENOMEM;
  *memory = taken;
  return 0;
}

#endif

/* ---- rill's own calls ---- */

#define WRAP(kind, type, failure, reason, name, parameters, arguments)                                               \
  type __real_##name parameters;                                                                                     \
  type __wrap_##name parameters;                                                                                     \
  type __wrap_##name parameters {                                                                                    \
    if (fails(kind, #name)) {                                                                                        \
      errno = reason;                                                                                                \
      return failure;                                                                                                \
    }                                                                                                                \
    return __real_##name arguments;                                                                                  \
  }

#define MEMORY_CALL(type, failure, name, parameters, arguments)                                                      \
  WRAP(MEMORY, type, failure, ENOMEM, name, parameters, arguments)
MEMORY_CALL(void *, NULL, aligned_alloc, (size_t a, size_t b), (a, b))
MEMORY_CALL(void *, NULL, malloc, (size_t a), (a))
MEMORY_CALL(void *, NULL, calloc, (size_t a, size_t b), (a, b))
MEMORY_CALL(void *, NULL, realloc, (void *a, size_t b), (a, b))
MEMORY_CALL(char *, NULL, strdup, (const char *a), (a))
MEMORY_CALL(FILE *, NULL, open_memstream, (char **a, size_t *b), (a, b))
MEMORY_CALL(locale_t, (locale_t)0, newlocale, (int a, const char *b, locale_t c), (a, b, c))

int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **text, const char *format, ...) {
  va_list arguments;
  int length;
  if (fails(MEMORY, "asprintf")) return -1; /* and *text is left undefined, as the manual says */
  va_start(arguments, format);
  length = vasprintf(text, format, arguments);
  va_end(arguments);
  return length;
}

#define FILE_CALL(type, failure, reason, name, parameters, arguments)                                                \
  WRAP(FILES, type, failure, reason, name, parameters, arguments)
FILE_CALL(FILE *, NULL, EACCES, fopen, (const char *a, const char *b), (a, b))
FILE_CALL(FILE *, NULL, EMFILE, fdopen, (int a, const char *b), (a, b))
FILE_CALL(ssize_t, -1, EIO, read, (int a, void *b, size_t c), (a, b, c))
FILE_CALL(ssize_t, -1, EIO, pread, (int a, void *b, size_t c, off_t d), (a, b, c, d))
FILE_CALL(int, -1, EIO, fsync, (int a), (a))
FILE_CALL(int, -1, EACCES, rename, (const char *a, const char *b), (a, b))
FILE_CALL(int, -1, EIO, ftruncate, (int a, off_t b), (a, b))
FILE_CALL(int, -1, ENOSPC, fallocate, (int a, int b, off_t c, off_t d), (a, b, c, d))
FILE_CALL(int, -1, EROFS, mkdir, (const char *a, mode_t b), (a, b))
FILE_CALL(int, -1, EIO, fstat, (int a, struct stat *b), (a, b))
FILE_CALL(int, -1, EACCES, stat, (const char *a, struct stat *b), (a, b))

/* RILL_FAULT="no locks": a file system without them. */
int __real_flock(int file, int operation);
int __wrap_flock(int file, int operation);
int __wrap_flock(int file, int operation) {
  const char *fault = getenv("RILL_FAULT");
  const bool none = fault != NULL && strcmp(fault, "no locks") == 0;
  if (!none && !fails(FILES, "flock")) return __real_flock(file, operation);
  errno = none ? ENOLCK : EWOULDBLOCK;
  return -1;
}

int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
  va_list arguments;
  mode_t mode;
  va_start(arguments, flags);
  mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (fails(FILES, "open")) {
    errno = EMFILE;
    return -1;
  }
  return __real_open(path, flags, mode);
}

/* A disk that fills: half of what was to be written is there. */
ssize_t __wrap_write(int file, const void *bytes, size_t size);
ssize_t __wrap_write(int file, const void *bytes, size_t size) {
  static bool full;
  if (file != STDERR_FILENO && (fails(FILES, "write") || full)) { /* messages are no files */
    bool first = !full;
    full = true;
    if (first && size > 1) return __real_write(file, bytes, size / 2);
    errno = ENOSPC;
    return -1;
  }
  return __real_write(file, bytes, size);
}

/* Within a page a write is done or not done. */
ssize_t __real_pwrite(int file, const void *bytes, size_t size, off_t place);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t place);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t place) {
  static bool full;
  if (fails(FILES, "pwrite") || full) {
    size_t page = 4096 - (size_t)(place % 4096);
    bool first = !full;
    full = true;
    if (first && size > page) return __real_pwrite(file, bytes, page, place);
    errno = ENOSPC;
    return -1;
  }
  return __real_pwrite(file, bytes, size, place);
}

/* Done all the same, so that nothing is lost but what the caller must report. */
int __wrap_close(int file);
int __wrap_close(int file) {
  int result = __real_close(file);
  if (!fails(FILES, "close")) return result;
  errno = EIO;
  return -1;
}

int __real_fclose(FILE *stream);
int __wrap_fclose(FILE *stream);
int __wrap_fclose(FILE *stream) {
  int result = __real_fclose(stream);
  if (!fails(FILES, "fclose")) return result;
  errno = ENOSPC;
  return EOF;
}

int __real_fflush(FILE *stream);
int __wrap_fflush(FILE *stream);
int __wrap_fflush(FILE *stream) {
  if (fails(FILES, "fflush")) {
    errno = ENOSPC;
    return EOF;
  }
  return __real_fflush(stream);
}

#define HDF5_CALL(type, name, parameters, arguments) WRAP(HDF5, type, -1, EIO, name, parameters, arguments)
HDF5_CALL(hid_t, H5Fcreate, (const char *a, unsigned b, hid_t c, hid_t d), (a, b, c, d))
HDF5_CALL(hid_t, H5Fopen, (const char *a, unsigned b, hid_t c), (a, b, c))
HDF5_CALL(herr_t, H5Fflush, (hid_t a, H5F_scope_t b), (a, b))
HDF5_CALL(herr_t, H5Fget_filesize, (hid_t a, hsize_t *b), (a, b))
HDF5_CALL(hid_t, H5FDregister, (const H5FD_class_t *a), (a))
HDF5_CALL(hid_t, H5Gcreate2, (hid_t a, const char *b, hid_t c, hid_t d, hid_t e), (a, b, c, d, e))
HDF5_CALL(hid_t, H5Gopen2, (hid_t a, const char *b, hid_t c), (a, b, c))
HDF5_CALL(hid_t, H5Dcreate2, (hid_t a, const char *b, hid_t c, hid_t d, hid_t e, hid_t f, hid_t g),
          (a, b, c, d, e, f, g))
HDF5_CALL(hid_t, H5Dopen2, (hid_t a, const char *b, hid_t c), (a, b, c))
HDF5_CALL(herr_t, H5Dwrite, (hid_t a, hid_t b, hid_t c, hid_t d, hid_t e, const void *f), (a, b, c, d, e, f))
HDF5_CALL(herr_t, H5Dread, (hid_t a, hid_t b, hid_t c, hid_t d, hid_t e, void *f), (a, b, c, d, e, f))
HDF5_CALL(herr_t, H5Dset_extent, (hid_t a, const hsize_t *b), (a, b))
HDF5_CALL(hid_t, H5Dget_space, (hid_t a), (a))
HDF5_CALL(hid_t, H5Dget_type, (hid_t a), (a))
HDF5_CALL(hid_t, H5Dget_create_plist, (hid_t a), (a))
HDF5_CALL(hid_t, H5Acreate_by_name,
          (hid_t a, const char *b, const char *c, hid_t d, hid_t e, hid_t f, hid_t g, hid_t h),
          (a, b, c, d, e, f, g, h))
HDF5_CALL(herr_t, H5Awrite, (hid_t a, hid_t b, const void *c), (a, b, c))
HDF5_CALL(hid_t, H5Aopen_by_name, (hid_t a, const char *b, const char *c, hid_t d, hid_t e), (a, b, c, d, e))
HDF5_CALL(herr_t, H5Aread, (hid_t a, hid_t b, void *c), (a, b, c))
HDF5_CALL(hid_t, H5Aget_type, (hid_t a), (a))
HDF5_CALL(hid_t, H5Aget_space, (hid_t a), (a))
HDF5_CALL(htri_t, H5Aexists_by_name, (hid_t a, const char *b, const char *c, hid_t d), (a, b, c, d))
HDF5_CALL(htri_t, H5Lexists, (hid_t a, const char *b, hid_t c), (a, b, c))
HDF5_CALL(herr_t, H5Lcreate_hard, (hid_t a, const char *b, hid_t c, const char *d, hid_t e, hid_t f),
          (a, b, c, d, e, f))
HDF5_CALL(hid_t, H5Oopen, (hid_t a, const char *b, hid_t c), (a, b, c))
HDF5_CALL(htri_t, H5Oexists_by_name, (hid_t a, const char *b, hid_t c), (a, b, c))
HDF5_CALL(herr_t, H5Rcreate, (void *a, hid_t b, const char *c, H5R_type_t d, hid_t e), (a, b, c, d, e))
HDF5_CALL(hid_t, H5Screate, (H5S_class_t a), (a))
HDF5_CALL(hid_t, H5Screate_simple, (int a, const hsize_t *b, const hsize_t *c), (a, b, c))
HDF5_CALL(herr_t, H5Sselect_hyperslab,
          (hid_t a, H5S_seloper_t b, const hsize_t *c, const hsize_t *d, const hsize_t *e, const hsize_t *f),
          (a, b, c, d, e, f))
HDF5_CALL(hid_t, H5Tcopy, (hid_t a), (a))
HDF5_CALL(herr_t, H5Tset_size, (hid_t a, size_t b), (a, b))
HDF5_CALL(hid_t, H5Pcreate, (hid_t a), (a))
HDF5_CALL(herr_t, H5Pset_driver, (hid_t a, hid_t b, const void *c), (a, b, c))
HDF5_CALL(herr_t, H5Pset_chunk, (hid_t a, int b, const hsize_t *c), (a, b, c))
HDF5_CALL(herr_t, H5Pset_alignment, (hid_t a, hsize_t b, hsize_t c), (a, b, c))
HDF5_CALL(herr_t, H5Pset_libver_bounds, (hid_t a, H5F_libver_t b, H5F_libver_t c), (a, b, c))

herr_t __real_H5Fclose(hid_t file);
herr_t __wrap_H5Fclose(hid_t file);
herr_t __wrap_H5Fclose(hid_t file) {
  herr_t result = __real_H5Fclose(file);
  return fails(HDF5, "H5Fclose") ? -1 : result;
}

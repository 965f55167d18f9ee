/* Faults on demand: the program `faulty` is rill, linked so that its own calls for memory, of the file system and of HDF5
 * come here first (--wrap).  RILL_FAULT="KIND N" makes the N-th call of a kind (memory, file, hdf5; counted from 1) fail
 * as it would fail in nature; what the C library and HDF5 call among themselves is not counted.   The name of the call that failed is written to the file RILL_FAULT_NOTE. */
#include "config.h" /* _GNU_SOURCE */

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <locale.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { MEMORY, FILES, HDF5 };

int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int file, const void *bytes, size_t size);
int __real_close(int file);

/* Is this the call that is to fail? */
static bool fails(enum kind kind, const char *call) {
  static const char *const names[] = {"memory", "file", "hdf5"};
  static atomic_long calls[3];
  static long wanted[3] = {-1, -1, -1};
  static bool asked;
  if (!asked) {
    const char *fault = getenv("RILL_FAULT");
    asked = true;
    for (int k = 0; fault != NULL && k < 3; k++)
      if (strncmp(fault, names[k], strlen(names[k])) == 0) wanted[k] = atol(fault + strlen(names[k]));
  }
  if (atomic_fetch_add(&calls[kind], 1) + 1 != wanted[kind]) return false;
  const char *path = getenv("RILL_FAULT_NOTE");
  int note = path != NULL ? __real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
  if (note >= 0) {
    if (__real_write(note, call, strlen(call)) < 0) abort();
    __real_close(note);
  }
  return true;
}

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
  if (full || fails(FILES, "write")) {
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
  if (full || fails(FILES, "pwrite")) {
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
HDF5_CALL(hid_t, H5Dcreate2, (hid_t a, const char *b, hid_t c, hid_t d, hid_t e, hid_t f, hid_t g), (a, b, c, d, e, f, g))
HDF5_CALL(hid_t, H5Dopen2, (hid_t a, const char *b, hid_t c), (a, b, c))
HDF5_CALL(herr_t, H5Dwrite, (hid_t a, hid_t b, hid_t c, hid_t d, hid_t e, const void *f), (a, b, c, d, e, f))
HDF5_CALL(herr_t, H5Dread, (hid_t a, hid_t b, hid_t c, hid_t d, hid_t e, void *f), (a, b, c, d, e, f))
HDF5_CALL(herr_t, H5Dset_extent, (hid_t a, const hsize_t *b), (a, b))
HDF5_CALL(hid_t, H5Dget_space, (hid_t a), (a))
HDF5_CALL(hid_t, H5Dget_type, (hid_t a), (a))
HDF5_CALL(hid_t, H5Dget_create_plist, (hid_t a), (a))
HDF5_CALL(hid_t, H5Acreate_by_name, (hid_t a, const char *b, const char *c, hid_t d, hid_t e, hid_t f, hid_t g, hid_t h),
          (a, b, c, d, e, f, g, h))
HDF5_CALL(herr_t, H5Awrite, (hid_t a, hid_t b, const void *c), (a, b, c))
HDF5_CALL(hid_t, H5Aopen_by_name, (hid_t a, const char *b, const char *c, hid_t d, hid_t e), (a, b, c, d, e))
HDF5_CALL(herr_t, H5Aread, (hid_t a, hid_t b, void *c), (a, b, c))
HDF5_CALL(hid_t, H5Aget_type, (hid_t a), (a))
HDF5_CALL(hid_t, H5Aget_space, (hid_t a), (a))
HDF5_CALL(htri_t, H5Aexists_by_name, (hid_t a, const char *b, const char *c, hid_t d), (a, b, c, d))
HDF5_CALL(htri_t, H5Lexists, (hid_t a, const char *b, hid_t c), (a, b, c))
HDF5_CALL(herr_t, H5Lcreate_hard, (hid_t a, const char *b, hid_t c, const char *d, hid_t e, hid_t f), (a, b, c, d, e, f))
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

/* An archive: named arrays of numbers.  One function both writes them to memory and reads them back.
 *
 * An object with a state describes it once, by calls that name its arrays.  The calls write the arrays when the
 * archive is being written, and fill them when it is being read:
 *
 *   void archive(void *self, struct rill_archive *archive) {
 *     rill_archive_reals(archive, "q", self->q, self->n);
 *     rill_archive_count(archive, "iterations", &self->iterations);
 *   }
 *
 * After the first fault (a missing array, an array of another shape, no memory) the calls do nothing, and
 * rill_archive_status reports it.  Entries are found by name, in any order; entries that are never read are ignored.
 *
 * In memory each entry consists of the length of its name (1 byte), its type (1 byte), its count (8 bytes), the name
 * and the items.  Numbers have 8 bytes, in the byte order of the machine. */
#ifndef RILL_BASE_ARCHIVE_H
#define RILL_BASE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum rill_archive_type { RILL_ARCHIVE_REALS = 'r', RILL_ARCHIVE_INTEGERS = 'i', RILL_ARCHIVE_BYTES = 'b' };

enum { RILL_ARCHIVE_NAME = 128, RILL_ARCHIVE_FAULT = 384 };

/* Initialise with {0} to write a new archive. */
struct rill_archive {
  bool reading;
  const unsigned char *bytes; /* all entries: borrowed while reading, owned while writing */
  size_t length, capacity;
  size_t next; /* while reading: where the entry after the last one read begins, which is probably wanted next */
  char group[RILL_ARCHIVE_NAME]; /* prefix of names: "water/", or "" */
  enum rill_status status;       /* the first fault; RILL_OK without one */
  char fault[RILL_ARCHIVE_FAULT];
};

/* Opens an archive over existing bytes, which are borrowed.  All lengths are checked here; RILL_ERROR_INPUT says what
 * is wrong.  A pure function of the bytes. */
enum rill_status rill_archive_open(const unsigned char *bytes, size_t length, struct rill_archive *archive,
                                   struct rill_error *error);
void rill_archive_release(struct rill_archive *archive);

/* Prefixes the names of entries with "NAME/" until rill_archive_leave; groups may be nested. */
void rill_archive_enter(struct rill_archive *archive, const char *name);
void rill_archive_leave(struct rill_archive *archive);

/* values: [count].  An entry may have a count of 0. */
void rill_archive_reals(struct rill_archive *archive, const char *name, double *values, size_t count);
void rill_archive_integers(struct rill_archive *archive, const char *name, uint64_t *values, size_t count);
void rill_archive_bytes(struct rill_archive *archive, const char *name, void *bytes, size_t count);
/* Writes an entry whose items the caller fills in at the address returned, which is not aligned and valid until the
 * next entry is written; NULL after a fault.  Read by rill_archive_reals. */
unsigned char *rill_archive_reserve_reals(struct rill_archive *archive, const char *name, size_t count);
/* One number of another type; RILL_ERROR_INPUT when the stored value does not fit into it. */
void rill_archive_size(struct rill_archive *archive, const char *name, size_t *value);
void rill_archive_count(struct rill_archive *archive, const char *name, unsigned *value);
void rill_archive_switch(struct rill_archive *archive, const char *name, bool *value);

/* Finds an entry of an archive that is being read: returns its items, which are not aligned, and sets their number.
 * NULL, which is no fault, when no entry has that name and type. */
const void *rill_archive_find(const struct rill_archive *archive, const char *name, enum rill_archive_type type,
                              size_t *count);

/* Copies all entries of one archive to another that is being written, except those whose names begin with a prefix in
 * `without`, a list that ends with NULL. */
void rill_archive_copy(struct rill_archive *archive, const struct rill_archive *from, const char *const *without);

/* Records a fault that the caller found in the data read (or to be written). */
void rill_archive_fail(struct rill_archive *archive, enum rill_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The first fault. */
enum rill_status rill_archive_status(const struct rill_archive *archive, struct rill_error *error);

#endif

/* An archive: named arrays of numbers, written to memory and read back by one function.
 *
 * What has a state describes it once, as calls that name its arrays; they write the arrays when the archive is being
 * written, and fill them when it is being read:
 *
 *   void archive(void *self, struct rill_archive *archive) {
 *     rill_archive_reals(archive, "q", self->q, self->n);
 *     rill_archive_count(archive, "iterations", &self->iterations);
 *   }
 *
 * After a first fault (an array that is missing, or of another shape; no memory) the calls do nothing, and
 * rill_archive_status tells it.  Entries are found by name, in any order; those that nobody asks for are passed over.
 *
 * In memory: for each entry the lengths of its name (1 byte), type (1 byte), count (8 bytes), the name, the items.  Numbers
 * have 8 bytes, in the machine's order. */
#ifndef RILL_BASE_ARCHIVE_H
#define RILL_BASE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum rill_archive_type { RILL_ARCHIVE_REALS = 'r', RILL_ARCHIVE_INTEGERS = 'i', RILL_ARCHIVE_BYTES = 'b' };

enum { RILL_ARCHIVE_NAME = 128, RILL_ARCHIVE_FAULT = 384 };

/* Zeroed: one to be written. */
struct rill_archive {
  bool reading;
  const unsigned char *bytes;  /* of all entries: borrowed while reading, owned while writing */
  size_t length, capacity;
  char group[RILL_ARCHIVE_NAME]; /* in front of names: "water/", or "" */
  enum rill_status status;     /* of the first fault; RILL_OK without one */
  char fault[RILL_ARCHIVE_FAULT];
};

/* An archive over bytes that somebody wrote (they are borrowed): all lengths are checked here, and RILL_ERROR_INPUT says what
 * is wrong.  A pure function of the bytes. */
enum rill_status rill_archive_open(const unsigned char *bytes, size_t length, struct rill_archive *archive,
                                   struct rill_error *error);
void rill_archive_release(struct rill_archive *archive);

/* Names of entries get "NAME/" in front until rill_archive_leave; groups lie in one another. */
void rill_archive_enter(struct rill_archive *archive, const char *name);
void rill_archive_leave(struct rill_archive *archive);

/* values: [count].  A count of 0 is an entry, too. */
void rill_archive_reals(struct rill_archive *archive, const char *name, double *values, size_t count);
void rill_archive_integers(struct rill_archive *archive, const char *name, uint64_t *values, size_t count);
void rill_archive_bytes(struct rill_archive *archive, const char *name, void *bytes, size_t count);
/* One number of another type; RILL_ERROR_INPUT when what is read does not fit it. */
void rill_archive_size(struct rill_archive *archive, const char *name, size_t *value);
void rill_archive_count(struct rill_archive *archive, const char *name, unsigned *value);
void rill_archive_switch(struct rill_archive *archive, const char *name, bool *value);

/* An entry of an archive that is being read: its items, not aligned, and how many they are; NULL when there is none of that
 * name and type.  No fault. */
const void *rill_archive_find(const struct rill_archive *archive, const char *name, enum rill_archive_type type,
                              size_t *count);

/* Adds all entries of one archive to another that is being written, but for those whose names begin with one of `without`,
 * which NULL ends. */
void rill_archive_copy(struct rill_archive *archive, const struct rill_archive *from, const char *const *without);

/* A fault that somebody found in what was read (or in what is to be written). */
void rill_archive_fail(struct rill_archive *archive, enum rill_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The first fault. */
enum rill_status rill_archive_status(const struct rill_archive *archive, struct rill_error *error);

#endif

#include "base/archive.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ITEM = 8, HEAD = 1 + 1 + 8, SMALLEST = 1024 };

struct entry {
  const char *name;
  size_t name_length;
  enum rill_archive_type type;
  uint64_t count;
  const unsigned char *items;
  size_t size; /* of the whole entry, its header included */
};

static size_t item_size(enum rill_archive_type type) { return type == RILL_ARCHIVE_BYTES ? 1 : ITEM; }

/* Parses the entry at `bytes`; false when it does not lie within `length`. */
static bool read_entry(const unsigned char *bytes, size_t length, struct entry *entry) {
  size_t room;
  if (length < HEAD || bytes[0] == 0) return false;
  entry->name_length = bytes[0];
  entry->type = (enum rill_archive_type)bytes[1];
  memcpy(&entry->count, bytes + 2, sizeof entry->count);
  if (entry->type != RILL_ARCHIVE_REALS && entry->type != RILL_ARCHIVE_INTEGERS && entry->type != RILL_ARCHIVE_BYTES)
    return false;
  if (length - HEAD < entry->name_length) return false;
  entry->name = (const char *)bytes + HEAD;
  entry->items = bytes + HEAD + entry->name_length;
  room = length - HEAD - entry->name_length;
  if (entry->count > room / item_size(entry->type)) return false;
  entry->size = HEAD + entry->name_length + (size_t)entry->count * item_size(entry->type);
  return memchr(entry->name, '\0', entry->name_length) == NULL;
}

enum rill_status rill_archive_open(const unsigned char *bytes, size_t length, struct rill_archive *archive,
                                   struct rill_error *error) {
  struct entry entry;
  for (size_t at = 0; at < length; at += entry.size)
    if (!read_entry(bytes + at, length - at, &entry))
      return rill_error_set(error, RILL_ERROR_INPUT, "an array at byte %zu does not lie within the %zu bytes", at,
                            length);
  *archive = (struct rill_archive){.reading = true, .bytes = bytes, .length = length};
  return RILL_OK;
}

void rill_archive_release(struct rill_archive *archive) {
  if (!archive->reading) rill_release((void *)(uintptr_t)archive->bytes);
  *archive = (struct rill_archive){0};
}

void rill_archive_fail(struct rill_archive *archive, enum rill_status status, const char *format, ...) {
  va_list arguments;
  if (archive->status != RILL_OK) return;
  archive->status = status;
  va_start(arguments, format);
  vsnprintf(archive->fault, sizeof archive->fault, format, arguments);
  va_end(arguments);
}

enum rill_status rill_archive_status(const struct rill_archive *archive, struct rill_error *error) {
  if (archive->status == RILL_OK) return RILL_OK;
  return rill_error_set(error, archive->status, "%s", archive->fault);
}

void rill_archive_enter(struct rill_archive *archive, const char *name) {
  size_t length = strlen(archive->group);
  snprintf(archive->group + length, sizeof archive->group - length, "%s/", name);
}

void rill_archive_leave(struct rill_archive *archive) {
  char *slash;
  archive->group[strlen(archive->group) - 1] = '\0';
  slash = strrchr(archive->group, '/');
  archive->group[slash == NULL ? 0 : slash + 1 - archive->group] = '\0';
}

/* Looks at the entries from `from` to `to`. */
static bool find_between(const struct rill_archive *archive, const char *name, size_t from, size_t to,
                         struct entry *entry) {
  const size_t group = strlen(archive->group), length = strlen(name);
  for (size_t at = from; at < to; at += entry->size)
    if (!read_entry(archive->bytes + at, archive->length - at, entry)) /* opening has checked this */
      return false;
    else if (entry->name_length == group + length && memcmp(entry->name, archive->group, group) == 0 &&
             memcmp(entry->name + group, name, length) == 0)
      return true;
  return false;
}

static bool find(const struct rill_archive *archive, const char *name, struct entry *entry) {
  return find_between(archive, name, archive->next, archive->length, entry) ||
         find_between(archive, name, 0, archive->next, entry);
}

const void *rill_archive_find(const struct rill_archive *archive, const char *name, enum rill_archive_type type,
                              size_t *count) {
  struct entry entry;
  *count = 0;
  if (!archive->reading || !find(archive, name, &entry) || entry.type != type) return NULL;
  *count = (size_t)entry.count;
  return entry.items;
}

static bool begins_with_one_of(const struct entry *entry, const char *const *prefixes) {
  for (; *prefixes != NULL; prefixes++)
    if (entry->name_length >= strlen(*prefixes) && memcmp(entry->name, *prefixes, strlen(*prefixes)) == 0)
      return true;
  return false;
}

/* Makes room for `size` more bytes at the end and returns their address; NULL without memory. */
static unsigned char *extend(struct rill_archive *archive, size_t size) {
  size_t capacity = archive->capacity > 0 ? archive->capacity : SMALLEST;
  unsigned char *larger;
  while (capacity - archive->length < size && capacity <= SIZE_MAX / 2) capacity *= 2;
  if (capacity != archive->capacity) { /* realloc: room that is not used takes no memory, unlike rill_allocate's */
    larger = capacity - archive->length < size ? NULL : realloc((void *)(uintptr_t)archive->bytes, capacity);
    if (larger == NULL) {
      rill_archive_fail(archive, RILL_ERROR_MEMORY, "no memory to save the state");
      return NULL;
    }
    archive->bytes = larger;
    archive->capacity = capacity;
  }
  larger = (unsigned char *)(uintptr_t)archive->bytes + archive->length;
  archive->length += size;
  return larger;
}

void rill_archive_copy(struct rill_archive *archive, const struct rill_archive *from, const char *const *without) {
  struct entry entry;
  for (size_t at = 0; at < from->length && archive->status == RILL_OK; at += entry.size) {
    unsigned char *to;
    if (!read_entry(from->bytes + at, from->length - at, &entry)) return; /* opening has checked this */
    if (begins_with_one_of(&entry, without)) continue;
    to = extend(archive, entry.size);
    if (to != NULL) memcpy(to, from->bytes + at, entry.size);
  }
}

/* Writes the head of an entry; returns the place of its items, or NULL after a fault. */
static unsigned char *begin_entry(struct rill_archive *archive, const char *name, enum rill_archive_type type,
                                  size_t count) {
  char full[RILL_ARCHIVE_NAME + 64];
  const int length = snprintf(full, sizeof full, "%s%s", archive->group, name);
  const uint64_t number = count;
  unsigned char *to;
  if (length < 1 || length > UINT8_MAX || length >= (int)sizeof full) {
    rill_archive_fail(archive, RILL_ERROR_USAGE, "an array cannot be saved under the name '%s%s'", archive->group,
                      name);
    return NULL;
  }
  to = extend(archive, HEAD + (size_t)length + count * item_size(type));
  if (to == NULL) return NULL;
  to[0] = (unsigned char)length;
  to[1] = (unsigned char)type;
  memcpy(to + 2, &number, sizeof number);
  memcpy(to + HEAD, full, (size_t)length);
  return to + HEAD + length;
}

static void put(struct rill_archive *archive, const char *name, enum rill_archive_type type, const void *items,
                size_t count) {
  unsigned char *to = begin_entry(archive, name, type, count);
  if (to != NULL && count > 0) memcpy(to, items, count * item_size(type));
}

unsigned char *rill_archive_reserve_reals(struct rill_archive *archive, const char *name, size_t count) {
  return archive->status == RILL_OK ? begin_entry(archive, name, RILL_ARCHIVE_REALS, count) : NULL;
}

static void get(struct rill_archive *archive, const char *name, enum rill_archive_type type, void *items,
                size_t count) {
  struct entry entry;
  if (!find(archive, name, &entry) || entry.type != type)
    rill_archive_fail(archive, RILL_ERROR_INPUT, "%s%s is missing", archive->group, name);
  else if (entry.count != count)
    rill_archive_fail(archive, RILL_ERROR_INPUT, "%s%s has %llu numbers where %zu are expected", archive->group, name,
                      (unsigned long long)entry.count, count);
  else {
    if (count > 0) memcpy(items, entry.items, count * item_size(type));
    archive->next = (size_t)(entry.items - archive->bytes) + count * item_size(type);
  }
}

static void transfer(struct rill_archive *archive, const char *name, enum rill_archive_type type, void *items,
                     size_t count) {
  if (archive->status != RILL_OK) return;
  if (archive->reading) get(archive, name, type, items, count);
  else put(archive, name, type, items, count);
}

void rill_archive_reals(struct rill_archive *archive, const char *name, double *values, size_t count) {
  transfer(archive, name, RILL_ARCHIVE_REALS, values, count);
}

void rill_archive_integers(struct rill_archive *archive, const char *name, uint64_t *values, size_t count) {
  transfer(archive, name, RILL_ARCHIVE_INTEGERS, values, count);
}

void rill_archive_bytes(struct rill_archive *archive, const char *name, void *bytes, size_t count) {
  transfer(archive, name, RILL_ARCHIVE_BYTES, bytes, count);
}

/* Returns `value`; a fault of the archive when it is larger than `most`. */
static uint64_t bounded(struct rill_archive *archive, const char *name, uint64_t value, uint64_t most) {
  uint64_t number = value;
  rill_archive_integers(archive, name, &number, 1);
  if (number <= most) return number;
  rill_archive_fail(archive, RILL_ERROR_INPUT, "%s%s is %llu; expected at most %llu", archive->group, name,
                    (unsigned long long)number, (unsigned long long)most);
  return value;
}

void rill_archive_size(struct rill_archive *archive, const char *name, size_t *value) {
  *value = (size_t)bounded(archive, name, *value, SIZE_MAX);
}

void rill_archive_count(struct rill_archive *archive, const char *name, unsigned *value) {
  *value = (unsigned)bounded(archive, name, *value, UINT_MAX);
}

void rill_archive_switch(struct rill_archive *archive, const char *name, bool *value) {
  *value = bounded(archive, name, *value, 1) != 0;
}

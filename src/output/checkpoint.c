#include "output/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/output_file.h"

enum { MAGIC = 16, HEAD = 40, SUMMED = 32, FORMAT = 5 };
static const char magic[MAGIC + 1] = "rill checkpoint\n";
static const uint32_t order = 0x01020304;

struct head {
  uint32_t format, order;
  uint64_t length, sum;
};

static uint64_t sum_of(const unsigned char *head, const unsigned char *body, size_t length) {
  return crc32_z(crc32_z(crc32_z(0, NULL, 0), head, SUMMED), body, length);
}

/* --- writing --------------------------------------------------------------------------------------------------- */

static void put_text(struct rill_archive *archive, const char *name, const char *text) {
  rill_archive_bytes(archive, name, (char *)(uintptr_t)text, strlen(text) + 1);
}

void rill_checkpoint_begin(struct rill_archive *archive, const struct rill_checkpoint *facts) {
  uint64_t step = facts->step;
  double step_length = facts->step_length;
  *archive = (struct rill_archive){0};
  put_text(archive, "version", facts->version);
  put_text(archive, "kind", facts->kind);
  put_text(archive, "kernel", facts->kernel);
  put_text(archive, "deck", facts->deck);
  rill_archive_integers(archive, "step", &step, 1);
  rill_archive_reals(archive, "step_length", &step_length, 1);
}

static bool write_fully(int descriptor, const void *bytes, size_t size) {
  const char *from = bytes;
  while (size > 0) {
    ssize_t done = write(descriptor, from, size);
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = ENOSPC;
    if (done <= 0) return false;
    from += done;
    size -= (size_t)done;
  }
  return true;
}

static enum rill_status name_beside(const char *path, const char *ending, char name[PATH_MAX],
                                    struct rill_error *error) {
  if (snprintf(name, PATH_MAX, "%s%s", path, ending) < PATH_MAX) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_WRITE, "%s: the path of the checkpoint is too long", path);
}

/* At any moment at least one of the two names refers to a complete checkpoint. */
static void keep_previous(const char *path, const char *previous, struct rill_error *fault) {
  if (access(path, F_OK) != 0) return;
  (void)unlink(previous);
  if (link(path, previous) != 0 && rename(path, previous) != 0)
    rill_error_set(fault, RILL_ERROR_WRITE, "%s: %s", previous, strerror(errno));
}

/* previous: new name of the existing checkpoint; NULL: it is replaced, or, without `replace`, an error. */
static enum rill_status write_file(const char *path, bool replace, struct rill_archive *archive, const char *previous,
                                   struct rill_error *error) {
  unsigned char bytes[HEAD];
  struct head head = {FORMAT, order, 0, 0};
  struct rill_part part;
  struct rill_error fault = {0};
  RILL_TRY(rill_archive_status(archive, error));
  head.length = archive->length;
  memcpy(bytes, magic, MAGIC);
  memcpy(bytes + MAGIC, &head, sizeof head);
  head.sum = sum_of(bytes, archive->bytes, archive->length);
  memcpy(bytes + MAGIC, &head, sizeof head);
  if (rill_part_create(path, &part, &fault) != RILL_OK)
    return rill_error_set(error, RILL_ERROR_WRITE, "the checkpoint cannot be written: %s", fault.text);
  if (!write_fully(part.descriptor, bytes, HEAD) || !write_fully(part.descriptor, archive->bytes, archive->length) ||
      fsync(part.descriptor) != 0) {
    rill_error_set(&fault, RILL_ERROR_WRITE, "%s", strerror(errno));
    rill_part_discard(&part);
  } else {
    if (previous != NULL) keep_previous(path, previous, &fault);
    if (fault.status == RILL_OK) (void)rill_part_finish(&part, replace, NULL, &fault);
    rill_part_discard(&part);
  }
  if (fault.status == RILL_OK) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_WRITE, "checkpoint %s cannot be written: %s; the one before is kept", path,
                        fault.text);
}

enum rill_status rill_checkpoint_write(const char *path, bool replace, struct rill_archive *archive, bool complete,
                                       struct rill_error *error) {
  char previous[PATH_MAX];
  rill_archive_switch(archive, "complete", &complete);
  RILL_TRY(name_beside(path, ".prev", previous, error));
  return write_file(path, replace, archive, replace ? previous : NULL, error);
}

enum rill_status rill_checkpoint_unseal(const char *path, const struct rill_checkpoint *checkpoint,
                                        struct rill_error *error) {
  static const char *const without[] = {"sealed", "complete", NULL};
  struct rill_archive archive = {0};
  bool complete = false;
  enum rill_status status;
  if (!checkpoint->sealed || checkpoint->stands_in) return RILL_OK;
  rill_archive_copy(&archive, &checkpoint->archive, without);
  rill_archive_switch(&archive, "complete", &complete);
  status = write_file(path, true, &archive, NULL, error);
  rill_archive_release(&archive);
  return status;
}

/* --- reading --------------------------------------------------------------------------------------------------- */

static enum rill_status read_word(const struct rill_archive *archive, const char *name,
                                  char word[RILL_CHECKPOINT_WORD], struct rill_error *error) {
  size_t count;
  const char *text = rill_archive_find(archive, name, RILL_ARCHIVE_BYTES, &count);
  if (text == NULL || count < 1 || count > RILL_CHECKPOINT_WORD || memchr(text, '\0', count) != text + count - 1)
    return rill_error_set(error, RILL_ERROR_INPUT, "its %s cannot be read", name);
  memcpy(word, text, count);
  return RILL_OK;
}

static enum rill_status read_facts(struct rill_checkpoint *checkpoint, struct rill_error *error) {
  struct rill_archive *archive = &checkpoint->archive;
  enum rill_status status;
  size_t count;
  RILL_TRY(read_word(archive, "version", checkpoint->version, error));
  RILL_TRY(read_word(archive, "kind", checkpoint->kind, error));
  RILL_TRY(read_word(archive, "kernel", checkpoint->kernel, error));
  checkpoint->deck = rill_archive_find(archive, "deck", RILL_ARCHIVE_BYTES, &count);
  if (checkpoint->deck == NULL || count < 1 || memchr(checkpoint->deck, '\0', count) != checkpoint->deck + count - 1)
    return rill_error_set(error, RILL_ERROR_INPUT, "its deck cannot be read");
  rill_archive_integers(archive, "step", &checkpoint->step, 1);
  rill_archive_reals(archive, "step_length", &checkpoint->step_length, 1);
  rill_archive_switch(archive, "complete", &checkpoint->complete);
  checkpoint->sealed = rill_archive_find(archive, "sealed", RILL_ARCHIVE_INTEGERS, &count) != NULL;
  status = rill_archive_status(archive, error);
  if (status != RILL_OK) rill_archive_release(archive);
  return status;
}

enum rill_status rill_checkpoint_parse(const unsigned char *bytes, size_t length, struct rill_checkpoint *checkpoint,
                                       struct rill_error *error) {
  struct head head;
  *checkpoint = (struct rill_checkpoint){0};
  if (length < MAGIC || memcmp(bytes, magic, MAGIC) != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "it is not a checkpoint of rill");
  if (length < HEAD) return rill_error_set(error, RILL_ERROR_INPUT, "it is truncated in its header");
  memcpy(&head, bytes + MAGIC, sizeof head);
  if (head.order != order)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "it was written on a machine with another order of bytes, or is damaged");
  if (head.format != FORMAT)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "its format is %lu, and this program reads %d; it was written by another "
                          "version of rill, or is damaged",
                          (unsigned long)head.format, FORMAT);
  if (head.length != length - HEAD)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "it has %zu bytes, and %llu are expected: it was cut off or is damaged", length,
                          (unsigned long long)head.length + HEAD);
  if (head.sum != sum_of(bytes, bytes + HEAD, length - HEAD))
    return rill_error_set(error, RILL_ERROR_INPUT, "its checksum does not match: it is damaged");
  RILL_TRY(rill_archive_open(bytes + HEAD, length - HEAD, &checkpoint->archive, error));
  return read_facts(checkpoint, error);
}

static enum rill_status read_bytes(const char *path, unsigned char **bytes, size_t *length,
                                   struct rill_error *error) {
  struct stat information;
  size_t done = 0;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  *bytes = NULL;
  if (descriptor < 0 || fstat(descriptor, &information) != 0 || !S_ISREG(information.st_mode)) {
    rill_error_set(error, RILL_ERROR_INPUT, "%s",
                   descriptor < 0 || errno != 0 ? strerror(errno) : "it is not a regular file");
    if (descriptor >= 0) close(descriptor);
    return error->status;
  }
  *length = (size_t)information.st_size;
  *bytes = rill_allocate(*length, 1);
  while (*bytes != NULL && done < *length) {
    ssize_t count = read(descriptor, *bytes + done, *length - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += (size_t)count;
  }
  close(descriptor);
  if (*bytes == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for its %zu bytes", *length);
  if (done == *length) return RILL_OK;
  rill_release(*bytes);
  return rill_error_set(error, RILL_ERROR_INPUT, "it cannot be read");
}

enum rill_status rill_checkpoint_read(const char *path, struct rill_checkpoint *checkpoint,
                                      struct rill_error *error) {
  unsigned char *bytes;
  size_t length = 0;
  enum rill_status status;
  *checkpoint = (struct rill_checkpoint){0};
  errno = 0;
  status = read_bytes(path, &bytes, &length, error);
  if (status == RILL_OK) {
    status = rill_checkpoint_parse(bytes, length, checkpoint, error);
    if (status == RILL_OK) checkpoint->bytes = bytes;
    else rill_release(bytes);
  }
  return status == RILL_OK ? RILL_OK : rill_error_prefix(error, "checkpoint %s", path);
}

enum rill_status rill_checkpoint_load(const char *path, struct rill_checkpoint *checkpoint, bool *missing,
                                      struct rill_error *fault, struct rill_error *error) {
  char previous[PATH_MAX];
  enum rill_status status = rill_checkpoint_read(path, checkpoint, fault);
  *missing = false;
  if (status == RILL_OK) return RILL_OK;
  *missing = access(path, F_OK) != 0;
  RILL_TRY(name_beside(path, ".prev", previous, error));
  if (access(previous, F_OK) != 0) return rill_error_set(error, status, "%s", fault->text);
  *missing = false;
  if (rill_checkpoint_read(previous, checkpoint, error) != RILL_OK)
    return rill_error_add(error, error->status, "%s", fault->text);
  checkpoint->stands_in = true;
  return RILL_OK;
}

bool rill_checkpoint_is(const char *path) {
  char begin[MAGIC];
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool same = descriptor >= 0 && read(descriptor, begin, MAGIC) == MAGIC && memcmp(begin, magic, MAGIC) == 0;
  if (descriptor >= 0) close(descriptor);
  return same;
}

void rill_checkpoint_release(struct rill_checkpoint *checkpoint) {
  rill_archive_release(&checkpoint->archive);
  rill_release(checkpoint->bytes);
  *checkpoint = (struct rill_checkpoint){0};
}

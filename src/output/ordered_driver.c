#include "output/ordered_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/output_lock.h"
#include "output/h5.h"

enum { FIRST_PLACE = 0, LAST_PLACE = 4 + UINT8_MAX, JOINED_MOST = 4096 };

/* A piece of metadata that is held back until the next flush. */
struct held {
  haddr_t address;
  size_t size;
  unsigned char *bytes;
  H5FD_mem_t type;
  int place; /* in the order of writing; found when that begins */
};

/* Where metadata are that may be rewritten. */
struct place {
  haddr_t address;
  size_t size;
};

struct ordered_file {
  H5FD_t public; /* must be first */
  hid_t driver;  /* a reference, because HDF5 releases its own before it calls close */
  int descriptor;
  haddr_t end_allocated, end_written; /* HDF5's EOA and EOF */
  haddr_t end_found;                  /* end of the file when it was opened */
  dev_t device;
  ino_t inode;
  struct held *held;
  size_t count, capacity;
  struct place *known;
  size_t known_count, known_capacity;
  bool incomplete;           /* memory ran out while places were recorded: the file cannot be kept */
  bool lost;                 /* memory ran out for a piece to hold back: without it the others must not be written */
  bool only_read, borrowed;  /* borrowed: the descriptor is not closed */
  struct rill_archive *seal; /* receives the checksum of the file when it is closed; NULL: not requested */
};

static struct ordered_file *ordered(const H5FD_t *file) { return (struct ordered_file *)(uintptr_t)file; }

/* Pushes a message to HDF5's error stack, whose innermost message is shown to the user. */
static herr_t failed(const char *what) {
  H5Epush2(H5E_DEFAULT, __FILE__, what, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_WRITEERROR, "%s: %s", what,
           strerror(errno));
  return -1;
}

static bool write_fully(int descriptor, const unsigned char *bytes, size_t size, haddr_t address) {
  while (size > 0) {
    ssize_t done = pwrite(descriptor, bytes, size, (off_t)address);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    size -= (size_t)done;
    address += (haddr_t)done;
  }
  return true;
}

static bool read_fully(int descriptor, unsigned char *bytes, size_t size, haddr_t address) {
  while (size > 0) {
    ssize_t done = pread(descriptor, bytes, size, (off_t)address);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    size -= (size_t)done;
    address += (haddr_t)done;
  }
  return true;
}

/* Position in the order of writing, lower first, of metadata that are rewritten: the end of the file, heaps, to whose
 * names and strings the others refer, nodes of indices from the root to the leaves, and then object headers, which
 * hold the numbers of rows. */
static int place_of_known(const unsigned char *bytes, size_t size, H5FD_mem_t type) {
  if (type == H5FD_MEM_SUPER) return 1;
  if (type == H5FD_MEM_LHEAP || (size > 4 && (memcmp(bytes, "HEAP", 4) == 0 || memcmp(bytes, "GCOL", 4) == 0)))
    return 2;
  if (size > 6 && memcmp(bytes, "TREE", 4) == 0) return 3 + UINT8_MAX - bytes[5]; /* [5]: level */
  return LAST_PLACE;
}

/* Whether this is a node of a chunk index with a right sibling: appended rows no longer change it. */
static bool is_settled_node(const unsigned char *bytes, size_t size) {
  uint64_t right;
  if (size < 24 || memcmp(bytes, "TREE", 4) != 0 || bytes[4] != 1) return false;
  memcpy(&right, bytes + 16, sizeof right);
  return right != UINT64_MAX;
}

/* Doubles the room of a full list; false without memory. */
static bool grow(void **items, size_t size, size_t count, size_t *capacity) {
  const size_t larger = *capacity == 0 ? 64 : 2 * *capacity;
  void *moved;
  if (count < *capacity) return true;
  errno = ENOMEM;
  moved = rill_allocate(larger, size);
  if (moved == NULL) return false;
  if (count > 0) memcpy(moved, *items, count * size);
  rill_release(*items);
  *items = moved;
  *capacity = larger;
  return true;
}

static bool know(struct ordered_file *file, haddr_t address, size_t size) {
  for (size_t i = file->known_count; i-- > 0;)
    if (file->known[i].address == address) {
      file->known[i].size = size;
      return true;
    }
  if (!grow((void **)&file->known, sizeof *file->known, file->known_count, &file->known_capacity)) return false;
  file->known[file->known_count++] = (struct place){address, size};
  return true;
}

static void forget(struct ordered_file *file, haddr_t address) {
  for (size_t i = 0; i < file->known_count; i++)
    if (file->known[i].address == address) file->known[i--] = file->known[--file->known_count];
}

/* Of a new file only the data: it gets its superblock last, and is no HDF5 file until it is laid out. */
static bool is_bare(const struct ordered_file *file) { return file->end_found == 0 && file->known_count == 0; }

/* New pieces, to which nothing that is written refers yet, go first. */
static int place_of(const struct ordered_file *file, const struct held *piece) {
  if (is_bare(file) && piece->type == H5FD_MEM_SUPER) return LAST_PLACE;
  if (piece->address < file->end_found) return place_of_known(piece->bytes, piece->size, piece->type);
  for (size_t i = 0; i < file->known_count; i++)
    if (file->known[i].address == piece->address) return place_of_known(piece->bytes, piece->size, piece->type);
  return FIRST_PLACE;
}

/* Writes piece i of the given place together with adjacent pieces that follow it, up to a page, so that adjacent
 * headers (of time and of step) change at once.  Returns the number of pieces, 0 on failure. */
static size_t write_joined(struct ordered_file *file, size_t i, int place) {
  unsigned char joined[JOINED_MOST];
  const struct held *first = &file->held[i];
  size_t size = first->size, count = 1;
  if (size > sizeof joined) return write_fully(file->descriptor, first->bytes, size, first->address) ? 1 : 0;
  memcpy(joined, first->bytes, size);
  for (const struct held *next = first + 1; i + count < file->count && next->place == place; next++, count++) {
    if (next->address != first->address + size || size + next->size > sizeof joined) break;
    memcpy(joined + size, next->bytes, next->size);
    size += next->size;
  }
  return write_fully(file->descriptor, joined, size, first->address) ? count : 0;
}

/* Writes all pieces held back, place by place, and within a place in the order of their arrival.  The file is
 * extended first: one that is shorter than its superblock says is refused as truncated.  After a piece was lost
 * nothing is written any more (HDF5 flushes and closes after a failed write, too): the file stays as it was. */
static herr_t settle(struct ordered_file *file) {
  errno = ENOMEM;
  if (file->lost) return failed("metadata are incomplete");
  if (file->count > 0 && file->end_allocated > file->end_written) {
    if (ftruncate(file->descriptor, (off_t)file->end_allocated) != 0) return failed("the file cannot grow");
    file->end_written = file->end_allocated;
  }
  if (is_bare(file) && file->count == 1 && file->held[0].type == H5FD_MEM_SUPER) return 0;
  for (size_t i = 0; i < file->count; i++) file->held[i].place = place_of(file, &file->held[i]);
  for (int place = FIRST_PLACE, next; file->count > 0 && place <= LAST_PLACE; place = next) {
    next = LAST_PLACE + 1;
    for (size_t i = 0, count; i < file->count; i += count) {
      const int own = file->held[i].place;
      count = 1;
      if (own > place && own < next) next = own;
      if (own == place && (count = write_joined(file, i, place)) == 0) return failed("metadata cannot be written");
    }
  }
  for (size_t i = 0; i < file->count; i++) {
    const struct held *piece = &file->held[i];
    if (is_settled_node(piece->bytes, piece->size)) forget(file, piece->address);
    else if (!know(file, piece->address, piece->size)) file->incomplete = true;
    rill_release(piece->bytes);
  }
  file->count = 0;
  return 0;
}

/* Replaces an older piece of the same address; pieces that overlap otherwise are written first. */
static herr_t hold(struct ordered_file *file, H5FD_mem_t type, haddr_t address, size_t size, const void *bytes) {
  unsigned char *copy;
  for (size_t i = 0; i < file->count; i++) {
    struct held *old = &file->held[i];
    if (old->address == address && old->size == size) {
      memcpy(old->bytes, bytes, size);
      return 0;
    }
    if (old->address < address + size && address < old->address + old->size) {
      if (settle(file) < 0) return -1;
      break;
    }
  }
  copy = grow((void **)&file->held, sizeof *file->held, file->count, &file->capacity) ? rill_allocate(size, 1) : NULL;
  file->lost = file->lost || copy == NULL;
  errno = ENOMEM;
  if (copy == NULL) return failed("metadata cannot be stored");
  memcpy(copy, bytes, size);
  file->held[file->count++] = (struct held){address, size, copy, type, 0};
  return 0;
}

/* ---- the state kept of a file ---- */

struct kept {
  uint64_t length;
  const unsigned char *places, *bytes; /* [count][2] integers, not aligned; all bytes, concatenated */
  size_t count, total;
};

static struct place place_at(const struct kept *kept, size_t i) {
  uint64_t numbers[2];
  memcpy(numbers, kept->places + i * sizeof numbers, sizeof numbers);
  return (struct place){numbers[0], (size_t)numbers[1]};
}

static bool find_kept(struct rill_archive *archive, struct kept *kept) {
  size_t size = 0;
  kept->length = 0;
  rill_archive_integers(archive, "length", &kept->length, 1);
  kept->places = rill_archive_find(archive, "places", RILL_ARCHIVE_INTEGERS, &kept->count);
  kept->bytes = rill_archive_find(archive, "metadata", RILL_ARCHIVE_BYTES, &kept->total);
  if (kept->places == NULL || kept->bytes == NULL || kept->count % 2 != 0 || kept->length > INT64_MAX) return false;
  kept->count /= 2;
  for (size_t i = 0; i < kept->count; i++) {
    struct place place = place_at(kept, i);
    if (place.size > kept->total - size || place.address > kept->length || place.size > kept->length - place.address)
      return false;
    size += place.size;
  }
  return size == kept->total;
}

/* Holds the kept metadata, so that they hide the present ones. */
static bool overlay(struct ordered_file *file, struct rill_archive *archive) {
  struct kept kept;
  const unsigned char *bytes;
  if (!find_kept(archive, &kept)) return false;
  bytes = kept.bytes;
  for (size_t i = 0; i < kept.count; i++) {
    const struct place place = place_at(&kept, i);
    if (hold(file, H5FD_MEM_DEFAULT, place.address, place.size, bytes) < 0) return false;
    bytes += place.size;
  }
  file->end_written = file->end_found = kept.length;
  return true;
}

/* ---- the functions that HDF5 calls ---- */

static herr_t driver_write(H5FD_t *self, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *bytes) {
  struct ordered_file *file = ordered(self);
  (void)transfer;
  errno = EROFS;
  if (file->only_read) return failed("a file open for reading only cannot be written");
  if (address + size > file->end_written) file->end_written = address + size;
  if (type != H5FD_MEM_DRAW) return hold(file, type, address, size, bytes);
  return write_fully(file->descriptor, bytes, size, address) ? 0 : failed("data cannot be written");
}

static herr_t driver_read(H5FD_t *self, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *bytes) {
  struct ordered_file *file = ordered(self);
  size_t done = 0;
  (void)type;
  (void)transfer;
  while (done < size) {
    ssize_t step = pread(file->descriptor, (char *)bytes + done, size - done, (off_t)(address + done));
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) return failed("the file cannot be read");
    if (step == 0) break;
    done += (size_t)step;
  }
  memset((char *)bytes + done, 0, size - done); /* beyond the end */
  for (size_t i = 0; i < file->count; i++) {
    const struct held *piece = &file->held[i];
    haddr_t from = piece->address > address ? piece->address : address;
    haddr_t to = piece->address + piece->size < address + size ? piece->address + piece->size : address + size;
    if (from < to)
      memcpy((char *)bytes + (from - address), piece->bytes + (from - piece->address), (size_t)(to - from));
  }
  return 0;
}

static herr_t driver_flush(H5FD_t *self, hid_t transfer, hbool_t closing) {
  (void)transfer;
  (void)closing;
  return ordered(self)->only_read ? 0 : settle(ordered(self));
}

static herr_t driver_truncate(H5FD_t *self, hid_t transfer, hbool_t closing) {
  struct ordered_file *file = ordered(self);
  (void)transfer;
  (void)closing;
  if (file->only_read || file->end_allocated == file->end_written) return 0;
  if (file->end_allocated < file->end_written && settle(file) < 0) return -1;
  if (ftruncate(file->descriptor, (off_t)file->end_allocated) != 0)
    return failed("the length of the file cannot be set");
  file->end_written = file->end_allocated;
  return 0;
}

static bool release(struct ordered_file *file) {
  const bool closed = file->borrowed || close(file->descriptor) == 0;
  for (size_t i = 0; i < file->count; i++) rill_release(file->held[i].bytes);
  rill_release(file->held);
  rill_release(file->known);
  rill_release(file);
  return closed;
}

/* The driver information, which HDF5 copies with a property list. */
struct selection {
  struct rill_archive *kept;
  int descriptor;
};

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most) {
  int mode = (flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY) | (flags & H5F_ACC_TRUNC ? O_TRUNC : 0) |
             (flags & H5F_ACC_CREAT ? O_CREAT : 0) | (flags & H5F_ACC_EXCL ? O_EXCL : 0);
  struct ordered_file *file = rill_allocate(1, sizeof *file);
  const struct selection *selection = H5Pget_driver_info(access);
  struct stat information;
  (void)most;
  errno = ENOMEM;
  if (file == NULL) {
    failed("the file cannot be opened");
    return NULL;
  }
  file->borrowed = selection != NULL && selection->descriptor >= 0;
  file->descriptor = file->borrowed ? selection->descriptor : open(name, mode | O_NOFOLLOW, 0666);
  if (file->descriptor < 0 || fstat(file->descriptor, &information) != 0) {
    failed("the file cannot be opened");
    if (file->descriptor >= 0 && !file->borrowed) close(file->descriptor);
    rill_release(file);
    return NULL;
  }
  file->end_written = (haddr_t)information.st_size;
  file->end_found = flags & H5F_ACC_TRUNC ? 0 : file->end_written;
  file->device = information.st_dev;
  file->inode = information.st_ino;
  file->only_read = !(flags & H5F_ACC_RDWR);
  if (selection != NULL && !overlay(file, selection->kept)) {
    failed("the kept state of the file cannot be used");
    release(file);
    return NULL;
  }
  file->driver = H5Pget_driver(access);
  H5Iinc_ref(file->driver);
  return &file->public;
}

static int by_address(const void *a, const void *b) {
  const struct place *p = a, *q = b;
  return p->address < q->address ? -1 : p->address > q->address;
}

static size_t sort_known(struct ordered_file *file) {
  size_t total = 0;
  qsort(file->known, file->known_count, sizeof *file->known, by_address); /* independent of the order of arrival */
  for (size_t i = 0; i < file->known_count; i++) total += file->known[i].size;
  return total;
}

/* Updates the CRC-32 of metadata. */
static bool add_to_sum(int descriptor, struct place place, uint64_t *sum) {
  unsigned char *bytes = rill_allocate(place.size, 1);
  const bool done = bytes != NULL && read_fully(descriptor, bytes, place.size, place.address);
  if (done) *sum = crc32_z((uLong)*sum, bytes, place.size);
  rill_release(bytes);
  return done;
}

/* Writes the state of the file to the archive, after everything is written. */
static bool seal(struct ordered_file *file, struct rill_archive *archive) {
  uint64_t *places = rill_allocate(2 * file->known_count, sizeof *places), length, sum = 0;
  struct stat information;
  bool done = places != NULL && !file->incomplete && fstat(file->descriptor, &information) == 0;
  (void)sort_known(file);
  for (size_t i = 0; done && i < file->known_count; i++) {
    places[2 * i] = file->known[i].address;
    places[2 * i + 1] = file->known[i].size;
    done = add_to_sum(file->descriptor, file->known[i], &sum);
  }
  if (done) {
    length = (uint64_t)information.st_size;
    rill_archive_integers(archive, "length", &length, 1);
    rill_archive_integers(archive, "places", places, 2 * file->known_count);
    rill_archive_integers(archive, "metadata_sum", &sum, 1);
  }
  rill_release(places);
  return done;
}

static herr_t driver_close(H5FD_t *self) {
  struct ordered_file *file = ordered(self);
  hid_t driver = file->driver;
  herr_t result = file->only_read ? 0 : settle(file);
  if (result >= 0 && file->seal != NULL && !seal(file, file->seal)) result = failed("the file cannot be sealed");
  if (!release(file)) result = failed("the file cannot be closed");
  rill_h5_close(driver);
  return result;
}

static int driver_compare(const H5FD_t *a, const H5FD_t *b) {
  const struct ordered_file *p = ordered(a), *q = ordered(b);
  if (p->device != q->device) return p->device < q->device ? -1 : 1;
  return p->inode == q->inode ? 0 : p->inode < q->inode ? -1 : 1;
}

/* Metadata are not aggregated: to be put in order, pieces must arrive one by one. */
static herr_t driver_query(const H5FD_t *self, unsigned long *flags) {
  (void)self;
  if (flags != NULL)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
             H5FD_FEAT_POSIX_COMPAT_HANDLE | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t driver_get_allocated(const H5FD_t *self, H5FD_mem_t type) {
  (void)type;
  return ordered(self)->end_allocated;
}

static herr_t driver_set_allocated(H5FD_t *self, H5FD_mem_t type, haddr_t address) {
  (void)type;
  ordered(self)->end_allocated = address;
  return 0;
}

static haddr_t driver_get_end(const H5FD_t *self, H5FD_mem_t type) {
  (void)type;
  return ordered(self)->end_written;
}

static herr_t driver_get_handle(H5FD_t *self, hid_t access, void **handle) {
  (void)access;
  *handle = &ordered(self)->descriptor;
  return 0;
}

/* Our own locking instead of HDF5's: it accepts a file system without locks. */
static herr_t driver_lock(H5FD_t *self, hbool_t exclusive) {
  (void)exclusive; /* files are opened for writing */
  if (rill_flock_take(ordered(self)->descriptor) != RILL_FLOCK_HELD) return 0;
  return failed("the file cannot be locked");
}

static herr_t driver_unlock(H5FD_t *self) {
  (void)flock(ordered(self)->descriptor, LOCK_UN);
  return 0;
}

static herr_t set_driver(hid_t access, const struct selection *selection) {
  static const H5FD_class_t driver = {
#ifdef H5FD_CLASS_VERSION
      .version = H5FD_CLASS_VERSION,
      .value = (H5FD_class_value_t)511, /* from the range for tests and private use */
#endif
      .name = "rill-ordered",
      .maxaddr = INT64_MAX,
      .fc_degree = H5F_CLOSE_WEAK,
      .fapl_size = sizeof *selection,
      .open = driver_open,
      .close = driver_close,
      .cmp = driver_compare,
      .query = driver_query,
      .get_eoa = driver_get_allocated,
      .set_eoa = driver_set_allocated,
      .get_eof = driver_get_end,
      .get_handle = driver_get_handle,
      .read = driver_read,
      .write = driver_write,
      .flush = driver_flush,
      .truncate = driver_truncate,
      .lock = driver_lock,
      .unlock = driver_unlock,
      .fl_map = H5FD_FLMAP_DICHOTOMY,
  };
  hid_t identifier = H5FDregister(&driver);
  herr_t result = identifier < 0 ? -1 : H5Pset_driver(access, identifier, selection);
  if (identifier >= 0) H5Idec_ref(identifier); /* the property list keeps its own reference */
  return result;
}

herr_t rill_ordered_driver_set(hid_t access) { return set_driver(access, NULL); }

herr_t rill_ordered_driver_set_kept(hid_t access, struct rill_archive *kept, int descriptor) {
  return set_driver(access, &(struct selection){kept, descriptor});
}

/* ---- restoring ---- */

static struct ordered_file *driver_of(hid_t file) {
  void *handle = NULL;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || handle == NULL) return NULL;
  return (struct ordered_file *)((char *)handle - offsetof(struct ordered_file, descriptor));
}

bool rill_ordered_driver_keep(hid_t identifier, struct rill_archive *archive) {
  struct ordered_file *file = driver_of(identifier);
  uint64_t length, *places;
  unsigned char *bytes, *to;
  struct stat information;
  size_t total;
  bool done;
  if (file == NULL || settle(file) < 0 || fstat(file->descriptor, &information) != 0) return false;
  length = (uint64_t)information.st_size;
  total = sort_known(file);
  places = rill_allocate(2 * file->known_count, sizeof *places);
  to = bytes = rill_allocate(total, 1);
  errno = ENOMEM;
  done = places != NULL && bytes != NULL && !file->incomplete;
  for (size_t i = 0; done && i < file->known_count; to += file->known[i++].size) {
    places[2 * i] = file->known[i].address;
    places[2 * i + 1] = file->known[i].size;
    done = read_fully(file->descriptor, to, file->known[i].size, file->known[i].address);
  }
  if (done) {
    rill_archive_integers(archive, "length", &length, 1);
    rill_archive_integers(archive, "places", places, 2 * file->known_count);
    rill_archive_bytes(archive, "metadata", bytes, total);
  }
  rill_release(places);
  rill_release(bytes);
  return done;
}

/* Heaps and groups do not change after the first checkpoint, before which all tables are made: if they differ,
 * another program wrote to the file. */
static bool never_changes(const unsigned char *bytes, size_t size) {
  return size > 4 &&
         (memcmp(bytes, "HEAP", 4) == 0 || memcmp(bytes, "GCOL", 4) == 0 || memcmp(bytes, "SNOD", 4) == 0);
}

static bool is_same_file(int descriptor, const struct kept *kept, unsigned char *work) {
  const unsigned char *bytes = kept->bytes;
  for (size_t i = 0; i < kept->count; i++) {
    struct place place = place_at(kept, i);
    if (never_changes(bytes, place.size) &&
        (!read_fully(descriptor, work, place.size, place.address) || memcmp(work, bytes, place.size) != 0))
      return false;
    bytes += place.size;
  }
  return true;
}

enum rill_status rill_ordered_driver_check_kept(int descriptor, const char *path, struct rill_archive *archive,
                                                struct rill_error *error) {
  struct kept kept;
  struct stat information;
  unsigned char *work;
  bool same;
  if (!find_kept(archive, &kept))
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the checkpoint does not contain its state", path);
  if (fstat(descriptor, &information) != 0 || (uint64_t)information.st_size < kept.length)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s has %lld bytes, but had %llu when the checkpoint was written: it was truncated, or is "
                          "another file",
                          path, (long long)information.st_size, (unsigned long long)kept.length);
  work = rill_allocate(kept.total, 1);
  if (work == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  same = is_same_file(descriptor, &kept, work);
  rill_release(work);
  if (same) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s is another file than the checkpoint's, or was changed by another program", path);
}

/* Pieces that are written at once: they are adjacent and have the same position in the order. */
struct group {
  struct place where;
  const unsigned char *bytes;
  int order;
};

static size_t group_kept(const struct kept *kept, struct group *groups) {
  const unsigned char *bytes = kept->bytes;
  size_t count = 0;
  for (size_t i = 0; i < kept->count; i++) {
    const struct place place = place_at(kept, i);
    const int order = place_of_known(bytes, place.size, place.address == 0 ? H5FD_MEM_SUPER : H5FD_MEM_DEFAULT);
    struct group *last = count > 0 ? &groups[count - 1] : NULL;
    if (last != NULL && last->order == order && last->where.address + last->where.size == place.address)
      last->where.size += place.size;
    else groups[count++] = (struct group){place, bytes, order};
    bytes += place.size;
  }
  return count;
}

/* Writes in the reverse order of settling, so that the file stays readable if the process is killed in between: first
 * the numbers of rows are reduced, then nodes of indices lose later entries, from the leaves to the root, and last
 * the end of the file moves back. */
static bool write_back(int descriptor, const struct group *groups, size_t count) {
  for (int order = LAST_PLACE, next; order > 0; order = next) {
    next = 0;
    for (size_t i = count; i-- > 0;) {
      const struct group *group = &groups[i];
      if (group->order < order && group->order > next) next = group->order;
      if (group->order != order) continue;
      if (!write_fully(descriptor, group->bytes, group->where.size, group->where.address)) return false;
    }
  }
  return true;
}

enum rill_status rill_ordered_driver_rewind(int descriptor, const char *path, struct rill_archive *archive,
                                            struct rill_error *error) {
  struct kept kept;
  struct group *groups;
  bool done;
  RILL_TRY(rill_ordered_driver_check_kept(descriptor, path, archive, error));
  (void)find_kept(archive, &kept);
  groups = rill_allocate(kept.count, sizeof *groups);
  if (groups == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  done = write_back(descriptor, groups, group_kept(&kept, groups));
  rill_release(groups);
  if (!done) return rill_error_set(error, RILL_ERROR_WRITE, "%s cannot be written: %s", path, strerror(errno));
  if (ftruncate(descriptor, (off_t)kept.length) != 0)
    return rill_error_set(error, RILL_ERROR_WRITE, "%s cannot be truncated to %llu bytes: %s", path,
                          (unsigned long long)kept.length, strerror(errno));
  return RILL_OK;
}

bool rill_ordered_driver_adopt(hid_t identifier, struct rill_archive *archive) {
  struct ordered_file *file = driver_of(identifier);
  struct kept kept;
  if (file == NULL || !find_kept(archive, &kept)) return false;
  for (size_t i = 0; i < kept.count; i++) {
    struct place place = place_at(&kept, i);
    if (!know(file, place.address, place.size)) return false;
  }
  return true;
}

/* ---- sealing ---- */

bool rill_ordered_driver_seal_at_close(hid_t identifier, struct rill_archive *archive) {
  struct ordered_file *file = driver_of(identifier);
  if (file == NULL) return false;
  file->seal = archive;
  return true;
}

enum rill_status rill_ordered_driver_check_sealed(int descriptor, const char *path, struct rill_archive *archive,
                                                  struct rill_error *error) {
  uint64_t length = 0, sum = 0, found = 0;
  struct stat information;
  size_t count;
  const unsigned char *places;
  rill_archive_integers(archive, "length", &length, 1);
  rill_archive_integers(archive, "metadata_sum", &sum, 1);
  RILL_TRY(rill_archive_status(archive, error));
  places = rill_archive_find(archive, "places", RILL_ARCHIVE_INTEGERS, &count);
  if (places == NULL || count % 2 != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: the checkpoint does not contain its state", path);
  if (fstat(descriptor, &information) != 0 || (uint64_t)information.st_size != length)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has %lld bytes, but had %llu when its run ended", path,
                          (long long)information.st_size, (unsigned long long)length);
  for (size_t i = 0; i < count / 2; i++) {
    uint64_t place[2];
    memcpy(place, places + i * sizeof place, sizeof place);
    if (place[0] > length || place[1] > length - place[0] ||
        !add_to_sum(descriptor, (struct place){place[0], (size_t)place[1]}, &found))
      return rill_error_set(error, RILL_ERROR_INPUT, "%s: its metadata cannot be read", path);
  }
  if (found == sum) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: the checksum of its metadata does not match: it was changed or damaged", path);
}

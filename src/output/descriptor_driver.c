#include "output/descriptor_driver.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/h5.h"

struct descriptor_file {
  H5FD_t public; /* must be first */
  hid_t driver;  /* a reference, because HDF5 releases its own before it calls close */
  int descriptor;
  haddr_t end_allocated, end; /* HDF5's EOA and EOF */
};

static struct descriptor_file *own(const H5FD_t *file) { return (struct descriptor_file *)(uintptr_t)file; }

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most) {
  const int *descriptor = H5Pget_driver_info(access);
  struct descriptor_file *file;
  struct stat information;
  (void)name;
  (void)most;
  if (descriptor == NULL || (flags & (H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_TRUNC)) != 0 ||
      fstat(*descriptor, &information) != 0 || information.st_size < 0)
    return NULL;
  file = rill_h5_allocate(1, sizeof *file);
  if (file == NULL) return NULL;
  file->descriptor = *descriptor;
  file->end = (haddr_t)information.st_size;
  file->driver = H5Pget_driver(access);
  H5Iinc_ref(file->driver);
  return &file->public;
}

static herr_t driver_close(H5FD_t *self) {
  const hid_t driver = own(self)->driver;
  rill_release(own(self));
  rill_h5_close(driver);
  return 0;
}

static herr_t driver_query(const H5FD_t *self, unsigned long *flags) {
  (void)self;
  if (flags != NULL) *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE;
  return 0;
}

static haddr_t driver_get_allocated(const H5FD_t *self, H5FD_mem_t type) {
  (void)type;
  return own(self)->end_allocated;
}

static herr_t driver_set_allocated(H5FD_t *self, H5FD_mem_t type, haddr_t address) {
  (void)type;
  own(self)->end_allocated = address;
  return 0;
}

static haddr_t driver_get_end(const H5FD_t *self, H5FD_mem_t type) {
  (void)type;
  return own(self)->end;
}

static herr_t failed(const char *what) {
  H5Epush2(H5E_DEFAULT, __FILE__, "driver_read", __LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR, "%s", what);
  return -1;
}

/* Allocated space that was never written may lie beyond the end of the file: it reads as zeros. */
static herr_t driver_read(H5FD_t *self, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *bytes) {
  const struct descriptor_file *file = own(self);
  size_t done = 0;
  (void)type;
  (void)transfer;
  if (address > INT64_MAX || size > INT64_MAX - address) return failed("an address is too large for any file");
  while (done < size) {
    ssize_t step = pread(file->descriptor, (char *)bytes + done, size - done, (off_t)(address + done));
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) return failed(strerror(errno));
    if (step == 0) break;
    done += (size_t)step;
  }
  memset((char *)bytes + done, 0, size - done);
  return 0;
}

static herr_t driver_write(H5FD_t *self, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *bytes) {
  (void)self;
  (void)type;
  (void)transfer;
  (void)address;
  (void)size;
  (void)bytes;
  return failed("the file is open for reading only");
}

herr_t rill_descriptor_driver_set(hid_t access, int descriptor) {
  static const H5FD_class_t driver = {
#ifdef H5FD_CLASS_VERSION
      .version = H5FD_CLASS_VERSION,
      .value = (H5FD_class_value_t)510, /* from the range for tests and private use */
#endif
      .name = "rill-descriptor",
      .maxaddr = INT64_MAX,
      .fc_degree = H5F_CLOSE_WEAK,
      .fapl_size = sizeof descriptor,
      .open = driver_open,
      .close = driver_close,
      .query = driver_query,
      .get_eoa = driver_get_allocated,
      .set_eoa = driver_set_allocated,
      .get_eof = driver_get_end,
      .read = driver_read,
      .write = driver_write,
      .fl_map = H5FD_FLMAP_DICHOTOMY,
  };
  hid_t identifier = H5FDregister(&driver);
  herr_t result = identifier < 0 ? -1 : H5Pset_driver(access, identifier, &descriptor);
  if (identifier >= 0) H5Idec_ref(identifier); /* the property list keeps its own reference */
  return result;
}

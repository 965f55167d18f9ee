/* Loaded before other libraries, one of which crashes: HDF5, as it creates a file, by using up the stack. */
#include <stdint.h>

__attribute__((visibility("default"))) int64_t H5Fcreate(const char *name, unsigned flags, int64_t creation,
                                                         int64_t access);

#pragma GCC diagnostic ignored "-Winfinite-recursion"
static int64_t deeper(const volatile char *above) {
  volatile char here[4096];
  here[0] = above[0];
  return deeper(here) + here[0];
}

int64_t H5Fcreate(const char *name, unsigned flags, int64_t creation, int64_t access) {
  (void)flags, (void)creation, (void)access;
  return deeper(name);
}

/* HDF5 files of arbitrary bytes.  HDF5 itself is not safe against every damaged file: 1.10.8 has known faults, which this
 * target meets when it is run for long; they are not ours to mend.  What our readers make of sound files with unexpected
 * content is the target h5md. */
#include "read_h5.h"

const char *const fuzz_folders[] = {NULL};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const char *path = fuzz_file("in.h5md", bytes, size);
  read_trajectory(path, size);
  read_series(path);
  return 0;
}

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *rill_allocate(size_t count, size_t size) {
  size_t bytes;
  void *memory;
  if (size != 0 && count > (SIZE_MAX - RILL_ALIGNMENT) / size) return NULL;
  bytes = (count * size + RILL_ALIGNMENT - 1) / RILL_ALIGNMENT * RILL_ALIGNMENT;
  if (bytes == 0) bytes = RILL_ALIGNMENT;
  memory = aligned_alloc(RILL_ALIGNMENT, bytes);
  if (memory != NULL) memset(memory, 0, bytes);
  return memory;
}

void rill_release(void *memory) { free(memory); }

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Requests large pages for large arrays: scattered reads in tens of megabytes are slowed by misses of the TLB with
 * small pages.  This is a hint only; a failure is harmless. */
static void ask_for_large_pages(char *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
  enum { LARGE_PAGE = 1 << 21, PAGE = 4096 };
  const size_t before = (PAGE - (uintptr_t)memory % PAGE) % PAGE;
  if (bytes >= LARGE_PAGE) (void)madvise(memory + before, (bytes - before) / PAGE * PAGE, MADV_HUGEPAGE);
#else
  (void)memory;
  (void)bytes;
#endif
}

void *rill_allocate(size_t count, size_t size) {
  size_t bytes;
  void *memory;
  if (size != 0 && count > (SIZE_MAX - RILL_ALIGNMENT) / size) return NULL;
  bytes = (count * size + RILL_ALIGNMENT - 1) / RILL_ALIGNMENT * RILL_ALIGNMENT;
  if (bytes == 0) bytes = RILL_ALIGNMENT;
  memory = aligned_alloc(RILL_ALIGNMENT, bytes);
  if (memory == NULL) return NULL;
  ask_for_large_pages(memory, bytes);
  memset(memory, 0, bytes);
  return memory;
}

void rill_release(void *memory) { free(memory); }

void *rill_grown(void *memory, size_t *room, size_t size, size_t kept) {
  void *larger;
  if (size <= *room && memory != NULL) return memory;
  *room = size + size / 4 + 64;
  larger = rill_allocate(*room, 1);
  if (larger != NULL && kept > 0) memcpy(larger, memory, kept);
  if (larger == NULL) *room = 0;
  rill_release(memory);
  return larger;
}

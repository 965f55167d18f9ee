/* One allocator: zeroed, aligned to a cache line, overflow-checked. */
#ifndef RILL_BASE_MEMORY_H
#define RILL_BASE_MEMORY_H

#include <stddef.h>

enum { RILL_ALIGNMENT = 64 };

/* Allocates count items of size bytes each, zeroed, 64-byte aligned; NULL when memory is out or count * size
 * overflows. A count of 0 gives a valid pointer.  The caller owns it and releases it with rill_release. */
void *rill_allocate(size_t count, size_t size) __attribute__((malloc));

/* Accepts NULL. */
void rill_release(void *memory);

/* Memory with room for `size` bytes: the same, or a larger one, with the first `kept` bytes, which replaces it.
 * *room: its size.  NULL when memory is out: the old one is released. */
void *rill_grown(void *memory, size_t *room, size_t size, size_t kept);

#endif

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

#endif

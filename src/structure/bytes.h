/* Numbers of binary files in a stated byte order, whatever the processor's. */
#ifndef RILL_STRUCTURE_BYTES_H
#define RILL_STRUCTURE_BYTES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline void rill_put_le32(FILE *stream, uint32_t word) {
  for (unsigned i = 0; i < 4; i++) putc((int)(word >> 8 * i & 0xFF), stream);
}

static inline void rill_put_be32(FILE *stream, uint32_t word) {
  for (unsigned i = 4; i-- > 0;) putc((int)(word >> 8 * i & 0xFF), stream);
}

/* As IEEE single precision. */
static inline uint32_t rill_single_bits(double value) {
  const float single = (float)value;
  uint32_t word;
  memcpy(&word, &single, sizeof word);
  return word;
}
static inline void rill_put_le32f(FILE *stream, double value) { rill_put_le32(stream, rill_single_bits(value)); }
static inline void rill_put_be32f(FILE *stream, double value) { rill_put_be32(stream, rill_single_bits(value)); }

/* As IEEE double precision. */
static inline void rill_put_le64(FILE *stream, double value) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  rill_put_le32(stream, (uint32_t)word);
  rill_put_le32(stream, (uint32_t)(word >> 32));
}

#endif

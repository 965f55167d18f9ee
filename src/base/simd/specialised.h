/* Functions that are compiled separately for each value of their constant arguments, and loops that are unrolled.
 * With RILL_PLAIN_BODIES neither is done: clang takes minutes to instrument so many copies in sanitized builds. */
#ifndef RILL_BASE_SIMD_SPECIALISED_H
#define RILL_BASE_SIMD_SPECIALISED_H

#ifdef RILL_PLAIN_BODIES
#define SPECIALISED static __attribute__((noinline, unused))
#define UNROLLED
#else
#define SPECIALISED static inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 12")
#endif

#endif

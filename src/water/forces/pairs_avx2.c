#define RILL_SIMD_AVX2
#define RILL_PAIR_KERNEL rill_pairs_avx2
/* Four pairs of nine, every second one: measured best, and the balance of a divider that takes about 14 to 17 cycles
 * for root and quotient against two multipliers. */
#define RILL_PAIR_DIVIDED(a, b) (((a) + (b)) % 2 == 1)
#include "water/forces/pairs_body.h"

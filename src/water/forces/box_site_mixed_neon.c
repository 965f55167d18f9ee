#define RILL_SIMD_NEON
#define RILL_BOX_SITE
#define RILL_BOX_DEGREES(X) X(1, 1, 1) X(11, 12, 12) X(13, 14, 14) X(20, 20, 20)
#include <math.h>
#include <string.h>

#include "base/simd/simd.h"
#include "water/forces/box_pairs.h"

#include "water/forces/lanes_mixed.h"

#include "water/forces/box_pairs_body.h"

const struct rill_box_kernel rill_box_site_mixed_neon = RILL_BOX_KERNEL;

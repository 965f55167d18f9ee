#define RILL_SIMD_NEON
#define RILL_BOX_SITE
#define RILL_BOX_DEGREES(X) X(0, 0, 0)
#include <math.h>
#include <string.h>

#include "base/simd/simd.h"
#include "water/forces/box_pairs.h"

#include "water/forces/lanes_double.h"

#include "water/forces/box_pairs_body.h"

const struct rill_box_kernel rill_box_site_double_neon = RILL_BOX_KERNEL;

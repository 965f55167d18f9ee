#include <fftw3.h>

#define FFTW(name) fftw_##name
typedef double real;
#include "water/pme/transform_body.h"

const struct rill_transform_kernel rill_transform_double = RILL_TRANSFORM_KERNEL;

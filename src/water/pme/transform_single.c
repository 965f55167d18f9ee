#include <fftw3.h>

#define FFTW(name) fftwf_##name
typedef float real;
#include "water/pme/transform_body.h"

const struct rill_transform_kernel rill_transform_single = RILL_TRANSFORM_KERNEL;

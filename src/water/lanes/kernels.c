#include "water/lanes/kernels.h"

#include "config.h"

const struct rill_lanes_kernel *rill_lanes_kernel(enum rill_isa isa) {
  switch (isa) {
#ifdef RILL_HAVE_NEON
  case RILL_ISA_NEON: return &rill_lanes_neon;
#endif
#ifdef RILL_HAVE_X86_VECTORS
  case RILL_ISA_AVX2: return &rill_lanes_avx2;
  case RILL_ISA_AVX512:
  case RILL_ISA_AVX512VL: return &rill_lanes_avx512;
#endif
  default: return &rill_lanes_portable;
  }
}

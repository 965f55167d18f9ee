#include "water/flows/flows.h"

#include "config.h"

const struct rill_water_flow_table *rill_water_flow_table(enum rill_isa isa) {
  switch (isa) {
#ifdef RILL_HAVE_NEON
  case RILL_ISA_NEON: return &rill_water_flows_neon;
#endif
#ifdef RILL_HAVE_X86_VECTORS
  case RILL_ISA_AVX2: return &rill_water_flows_avx2;
  case RILL_ISA_AVX512:
  case RILL_ISA_AVX512VL: return &rill_water_flows_avx512;
#endif
  default: return &rill_water_flows_portable;
  }
}

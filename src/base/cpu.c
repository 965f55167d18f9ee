#include "base/cpu.h"

#include "config.h"

int rill_isa_available(enum rill_isa isa) {
  switch (isa) {
  case RILL_ISA_PORTABLE: return 1;
#ifdef RILL_HAVE_X86_VECTORS
  case RILL_ISA_AVX2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#ifndef RILL_WITHOUT_AVX512
  case RILL_ISA_AVX512:
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#endif
#endif
  default: return 0;
  }
}

enum rill_isa rill_isa_best(void) {
  if (rill_isa_available(RILL_ISA_AVX512)) return RILL_ISA_AVX512;
  if (rill_isa_available(RILL_ISA_AVX2)) return RILL_ISA_AVX2;
  return RILL_ISA_PORTABLE;
}

const char *rill_isa_name(enum rill_isa isa) {
  return rill_choice_word(rill_kernel_choices, RILL_KERNEL_PORTABLE + (unsigned)isa);
}

#include "base/cpu.h"

#include <string.h>

#include "config.h"
#ifdef RILL_HAVE_X86_VECTORS
#include <cpuid.h>
#endif

int rill_isa_available(enum rill_isa isa) {
  switch (isa) {
  case RILL_ISA_PORTABLE: return 1;
#ifdef RILL_HAVE_NEON
  case RILL_ISA_NEON: return 1; /* every processor of AArch64 has it */
#endif
#ifdef RILL_HAVE_X86_VECTORS
  case RILL_ISA_AVX2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#ifndef RILL_WITHOUT_AVX512
  case RILL_ISA_AVX512:
  case RILL_ISA_AVX512VL:
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#endif
#endif
  default: return 0;
  }
}

struct rill_processor rill_processor(void) {
  struct rill_processor processor = {.family = 0};
#ifdef RILL_HAVE_X86_VECTORS
  unsigned highest, a, b, c, d;
  if (!__get_cpuid(0, &highest, &b, &c, &d)) return processor;
  memcpy(processor.vendor, &b, 4);
  memcpy(processor.vendor + 4, &d, 4);
  memcpy(processor.vendor + 8, &c, 4);
  if (!__get_cpuid(1, &a, &b, &c, &d)) return processor;
  processor.family = a >> 8 & 0xf;
  processor.model = (a >> 4 & 0xf) | (a >> 12 & 0xf0);
  if (processor.family == 0xf) processor.family += a >> 20 & 0xff;
#endif
  return processor;
}

/* Pairs of 884 molecules in a box, cut by molecules, in single precision, by bench/liquid_kernel.
 *   Intel 6/207 (Emerald Rapids): a call takes 348 us with 512 bits, 491 with 256 bits, 500 with AVX2.
 *   AMD 25/17 (Zen 4, as all of family 25 that have AVX-512), measured with a prototype of these kernels: 3.06 cycles
 * for a pair of atoms with 256 bits, 3.3 to 3.5 with AVX2 and with 512 bits, which take two passes each. */
static const struct {
  const char *vendor;
  unsigned family, first, last; /* models */
  enum rill_isa fastest;
} measured[] = {
    {"GenuineIntel", 6, 207, 207, RILL_ISA_AVX512},
    {"AuthenticAMD", 25, 0, 255, RILL_ISA_AVX512VL},
};

enum rill_isa rill_isa_fastest(const struct rill_processor *processor) {
  for (size_t k = 0; k < sizeof measured / sizeof measured[0]; k++)
    if (strcmp(measured[k].vendor, processor->vendor) == 0 && measured[k].family == processor->family &&
        measured[k].first <= processor->model && processor->model <= measured[k].last)
      return measured[k].fastest;
  return RILL_ISA_COUNT;
}

enum rill_isa rill_isa_best(void) {
  const struct rill_processor processor = rill_processor();
  const enum rill_isa fastest = rill_isa_fastest(&processor);
#ifdef RILL_FIRST_ISA
  if (rill_isa_available(RILL_FIRST_ISA)) return RILL_FIRST_ISA;
#endif
  if (fastest != RILL_ISA_COUNT && rill_isa_available(fastest)) return fastest;
  if (rill_isa_available(RILL_ISA_AVX512)) return RILL_ISA_AVX512;
  if (rill_isa_available(RILL_ISA_AVX2)) return RILL_ISA_AVX2;
  if (rill_isa_available(RILL_ISA_NEON)) return RILL_ISA_NEON;
  return RILL_ISA_PORTABLE;
}

const char *rill_isa_name(enum rill_isa isa) {
  return rill_choice_word(rill_kernel_choices, RILL_KERNEL_PORTABLE + (unsigned)isa);
}

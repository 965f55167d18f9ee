/* The instruction sets that the vector kernels may use, determined once at run time. */
#ifndef RILL_BASE_CPU_H
#define RILL_BASE_CPU_H

#include "base/choices.h"

/* Whether the kernels for it were built (--enable-vector-kernels of configure) and this processor supports it. */
int rill_isa_available(enum rill_isa isa);

/* A kind of x86 processor by the numbers of its CPUID instruction, family and model with their extensions. */
struct rill_processor {
  char vendor[13];
  unsigned family, model;
};

/* This one; vendor "" and zeros where there is no such instruction. */
struct rill_processor rill_processor(void);

/* The fastest instruction set for a kind of processor that has all of them: by a table of measurements, never
 * measured at run time, since results differ by rounding.  RILL_ISA_COUNT: not in the table. */
enum rill_isa rill_isa_fastest(const struct rill_processor *processor);

/* The fastest instruction set that is available; on a processor that is not in the table the one of the widest
 * vectors. */
enum rill_isa rill_isa_best(void);

const char *rill_isa_name(enum rill_isa isa);

#endif

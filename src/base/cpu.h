/* The instruction sets that the vector kernels may use, determined once at run time. */
#ifndef RILL_BASE_CPU_H
#define RILL_BASE_CPU_H

#include "base/choices.h"

/* Whether the kernels for it were built (--enable-vector-kernels of configure) and this processor supports it. */
int rill_isa_available(enum rill_isa isa);

/* The widest instruction set that is available. */
enum rill_isa rill_isa_best(void);

const char *rill_isa_name(enum rill_isa isa);

#endif

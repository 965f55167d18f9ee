/* Which instruction sets the vector kernels may use, found once at run time. */
#ifndef RILL_BASE_CPU_H
#define RILL_BASE_CPU_H

#include "base/choices.h"

/* Built in (see --enable-vector-kernels of configure) and offered by this processor. */
int rill_isa_available(enum rill_isa isa);

/* The widest that is available. */
enum rill_isa rill_isa_best(void);

const char *rill_isa_name(enum rill_isa isa);

#endif

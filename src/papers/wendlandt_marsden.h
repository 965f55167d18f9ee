/* Wendlandt & Marsden, Mechanical integrators derived from a discrete variational principle, Physica D 106, 223 (1997):
 * the two tables, the quoted energies and momenta, and the data of figures 2 to 12. */
#ifndef RILL_PAPERS_WENDLANDT_MARSDEN_H
#define RILL_PAPERS_WENDLANDT_MARSDEN_H

#include "papers/result.h"

/* wendlandt-marsden-table-1, -table-2, -figure-2 ... -figure-12; *count gets their number. */
const struct rill_result *rill_wendlandt_marsden_results(size_t *count);

#endif

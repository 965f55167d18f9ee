/* An OpenBLAS behind LAPACK is kept to one thread while it works for us: with more, its results would depend on their number.
 * The setting is the process's, and is put back when the last of the calls that are under way has returned. */
#ifndef RILL_NUMERICS_BLAS_H
#define RILL_NUMERICS_BLAS_H

void rill_blas_enter(void);
void rill_blas_leave(void);

#endif

/* Restricts OpenBLAS, if LAPACK uses it, to one thread during our calls: otherwise results would depend on the number
 * of threads.  The setting is global to the process, and is restored when the last concurrent call has returned. */
#ifndef RILL_NUMERICS_BLAS_H
#define RILL_NUMERICS_BLAS_H

void rill_blas_enter(void);
void rill_blas_leave(void);

#endif

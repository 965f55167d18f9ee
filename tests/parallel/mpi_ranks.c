/* Checks the functions of base/ranks.h over MPI; started by mpirun.  Prints what is wrong. */
#include <stdio.h>
#include <stdlib.h>

#include "parallel/mpi_ranks.h"
#include "support/check_ranks.h"

int main(int argc, char **argv) {
  struct rill_ranks ranks;
  struct rill_error error = {0};
  const char *fault = NULL;
  if (rill_mpi_begin(&argc, &argv, &ranks, &error) != RILL_OK) fault = error.text;
  if (fault == NULL) fault = rill_check_ranks(&ranks, 3000);
  if (fault != NULL) fprintf(stderr, "rank %d of %d: %s\n", ranks.rank, ranks.count, fault);
  else if (ranks.rank == 0) printf("%d ranks\n", ranks.count);
  if (fault != NULL) ranks.broken = true;
  rill_mpi_end(&ranks, EXIT_FAILURE);
  return fault != NULL ? EXIT_FAILURE : EXIT_SUCCESS;
}

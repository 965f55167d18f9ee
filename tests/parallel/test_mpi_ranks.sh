#!/usr/bin/env bash
# The functions of ranks over MPI, in pieces of 64 bytes where the program takes 2^30.
set -u
program=${RILL:?}-mpi
checks=$(dirname "$RILL")/tests/parallel/mpi_ranks
[ -x "$program" ] || { echo 'rill-mpi was not built (../configure --with-mpi)'; exit 77; }
command -v mpirun >/dev/null || { echo 'no mpirun'; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
unset OMPI_COMM_WORLD_SIZE PMI_SIZE
failed=0
for count in 1 2 3 5; do
  output=$(mpirun -n $count "$checks" 2>&1 </dev/null) && [ "$output" = "$count ranks" ] && continue
  echo "$count ranks: $output"
  failed=1
done
exit $failed

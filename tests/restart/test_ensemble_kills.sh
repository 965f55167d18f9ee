#!/usr/bin/env bash
# An ensemble with exchanges that is killed at random moments (kill -9) and resumed each time with another number of threads,
# and where rill-mpi is built of ranks, until it is done: all files are the same to the byte as those of a run that was
# left alone, the permutation of temperatures in the checkpoint among them.
#
#   test_ensemble_kills.sh [KILLS [SEED]]   number of kills (default: 3)
#
# The last line is the count of kills survived.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
wanted=${1:-3}
RANDOM=${2:-1}
kills=0
unset OMP_NUM_THREADS OMPI_COMM_WORLD_SIZE PMI_SIZE
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
most_ranks=1
[ -x "$RILL-mpi" ] && command -v mpirun >/dev/null && most_ranks=3

cat >ladder.ini <<'DECK'
[system]
structure = water7.gro
[confine]
radius = 0.6 nm
[start]
remove = none
[integrator]
step = 2 fs
steps = 60000
[thermostat]
method = baoab
friction = 2 /ps
seed = 5
[rdf]
bins = 40
[ensemble]
replicas = 24
temperatures = 100 K -> 150 K, 4
exchange = neighbours
exchange_interval = 50 steps
quench_interval = 4000 steps
[output]
trajectory = ladder.h5md
interval = 500 steps
series_interval = 300 steps
checkpoint_interval = 0.001 min
DECK

# begin MODE: the run in the background, in $process; $pause: seconds before it is worth a kill.
begin() {
  local ranks=$((RANDOM % most_ranks + 1)) threads=$((RANDOM % 3 + 1))
  local arguments=(run ladder.ini -q -o killed -t $threads "$1")
  set -m
  if [ $ranks -eq 1 ]; then
    "$RILL" "${arguments[@]}" >.out 2>.err </dev/null &
    process=$! pause=0
  else
    mpirun -n $ranks "$RILL-mpi" "${arguments[@]}" >.out 2>.err </dev/null &
    process=$! pause=1 # MPI takes its time to begin
  fi
  set +m
}

# One of the ranks, whose end ends the others; mpirun itself would leave them behind.
kill_one() {
  local victims=("$process")
  [ $pause -eq 0 ] || mapfile -t victims < <(pgrep -P "$process")
  [ ${#victims[@]} -eq 0 ] || kill -KILL "${victims[RANDOM % ${#victims[@]}]}" 2>/dev/null
}

# The run's status; Open MPI does not always end when a rank is killed that is still connecting: then it is killed as well.
await() {
  local tenths=0 ranks
  while kill -0 $process 2>/dev/null && { [ $pause -eq 0 ] || [ $tenths -lt 300 ] || [ "$kills" -ge "$most" ]; }; do
    sleep 0.1
    tenths=$((tenths + 1))
  done
  if kill -0 $process 2>/dev/null; then
    mapfile -t ranks < <(pgrep -P "$process")
    kill -KILL $process "${ranks[@]}" 2>/dev/null
  fi
  wait $process 2>/dev/null
  status=$?
}

succeeds run ladder.ini -q -o whole --threads 1
while [ "$kills" -lt "$wanted" ] && [ "$failures" -eq 0 ]; do
  rm -rf killed
  most=$((kills + wanted)) # where the machine is busy, a run comes forward little between two kills
  while :; do
    mode=--force
    [ -e killed/ladder.checkpoint ] || [ -e killed/ladder.checkpoint.prev ] && mode=--resume
    begin $mode
    if [ "$kills" -lt "$most" ]; then
      sleep $((pause * (RANDOM % 2 + 1))).$((RANDOM % 4))$((RANDOM % 10))
      kill_one
    fi
    await 2>/dev/null # without the message of the shell
    [ $status -eq 137 ] || break
    kills=$((kills + 1))
  done
  [ $status -eq 0 ] || fail "exit status $status: $(cat .err)"
  rm -f killed/*.prev whole/*.prev killed/*.new
  [ "$(ls killed)" = "$(ls whole)" ] || fail "other files: $(ls killed)"
  for file in whole/*; do same_files "$file" "killed/${file##*/}"; done
done
printf '%d kills survived: resumed ensembles ended with the same bytes in all files\n' "$kills"
finish

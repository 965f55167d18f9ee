# What the tests of rill-mpi share; sourced by bash after lib.sh.  The long run that is stopped is long.ini.
[ -x "$RILL-mpi" ] || { echo 'rill-mpi was not built (../configure --with-mpi)'; exit 77; }
command -v mpirun >/dev/null || { echo 'no mpirun'; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
unset OMPI_COMM_WORLD_SIZE PMI_SIZE

# ranks N ARGUMENT...: rill-mpi run with so many ranks; streams in .stdout and .stderr, the exit status in $status.
ranks() {
  command="mpi run, $*"
  mpirun -n "$1" "$RILL-mpi" run "${@:2}" >.stdout 2>.stderr </dev/null
  status=$?
}
ends() { [ $status -eq "$1" ] || fail "$command: exit status $status, expected $1: $(head -c 900 .stderr)"; }
same_folders() {
  local file
  [ "$(ls "$1")" = "$(ls "$2")" ] || fail "$command: $1 has $(ls "$1"), $2 has $(ls "$2")"
  for file in "$1"/*; do same_files "$file" "$2/${file##*/}"; done
}

# started FOLDER: a long run on three ranks in the background, in $process, with a first checkpoint.
started() {
  folder=$1 command="three ranks, $1"
  set -m
  env --default-signal=HUP,INT,TERM,USR1,USR2 mpirun -n 3 "$RILL-mpi" run long.ini -o "$1" -t 1 \
    >"$1.out" 2>"$1.err" </dev/null &
  process=$!
  set +m
  for _ in $(seq 300); do
    if compgen -G "$1/*.gro" >/dev/null; then
      kill -USR1 $process # mpirun passes it on
      for _ in $(seq 100); do
        [ -e "$1/long.checkpoint" ] && return
        sleep 0.02
      done
    fi
    sleep 0.05
  done
  fail "$command: no checkpoint after 15 seconds: $(cat "$1.err")"
}
ended() { # ended STATUS: within 30 seconds
  for _ in $(seq 600); do
    kill -0 $process 2>/dev/null || break
    sleep 0.05
  done
  kill -KILL $process 2>/dev/null && fail "$command: did not end"
  wait $process
  status=$?
  cp "$folder.err" .stderr
  ends "$1"
}
# resumed FOLDER N: to a little later, on N ranks; and the same without a stop.
resumed() {
  local step
  step=$("$RILL" info "$1/long.checkpoint" | sed -n 's/^  step  *\([0-9]*\),.*/\1/p')
  step=$((step + 137))
  ranks "$2" long.ini -q -o "$1" -t 1 --resume --set integrator.steps=$step
  ends 0
  succeeds run long.ini -q -o whole -t 2 --set integrator.steps=$step
  rm -f "$1"/*.prev whole/*.prev
  same_folders whole "$1"
  rm -rf whole
}
says_err() { grep -q -F -e "$1" "$folder.err" || fail "$command: no \"$1\" in: $(cat "$folder.err")"; }
rejects() { # rejects FRAGMENT COMMAND...
  local fragment=$1 before
  shift
  command=$*
  before=$(listing)
  "$@" >.stdout 2>.stderr </dev/null
  status=$?
  ends 2
  says stderr "$fragment"
  [ "$(grep -c '^rill-mpi: error: ' .stderr)" -eq 1 ] || fail "$command: not one message: $(head -c 900 .stderr)"
  [ "$(listing)" = "$before" ] || fail "$command: refused, but files changed"
}

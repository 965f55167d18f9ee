#!/usr/bin/env bash
# Ensembles over the ranks of MPI: the same bytes in all files for any number of ranks and threads, also after a run was
# stopped, or killed, and resumed on another number; signals and time limits; what is refused.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
# shellcheck source=tests/cli/ranks.sh
. "$RILL_SOURCE/tests/cli/ranks.sh"

# 24 replicas: three groups of eight lanes.
sed -e 's/^time.*/time = 4 ps/; s/^method = gla/method = baoab/; s/^friction.*/friction = 2 \/ps/; s/^temperature.*//' \
  -e 's/^interval.*/interval = 1 ps\nseries_interval = 0.5 ps\nvelocities = yes/; /^series =/d; /^\[rdf\]/,$d' base.ini >ensemble.ini
cat >>ensemble.ini <<'DECK'
[confine]
radius = 0.6 nm
stiffness = 1000 kJ/mol/nm2
[start]
remove = none
[rdf]
bins = 40
[ensemble]
replicas = 24
temperatures = 100 K -> 150 K, 4
exchange = neighbours
exchange_interval = 0.5 ps
quench_interval = 0.7 ps
DECK
sed 's/^time.*/steps = 1000000000000/; s/^interval.*/interval = 200 ps/; s/^series_i.*/series_interval = 200 ps/' ensemble.ini >long.ini

# ---- rill itself does not need MPI ----
! ldd "$RILL" | grep -q libmpi || fail 'rill is linked with MPI'

# ---- any number of ranks and threads ----
succeeds run ensemble.ini -q -o one -t 1
for case in 1:3:auto 2:1:off 2:2:auto 3:1:auto 3:2:off 4:1:auto; do
  IFS=: read -r n t lanes <<<"$case"
  ranks "$n" ensemble.ini -q -o ranks -t "$t" --lanes "$lanes"
  ends 0
  same_folders one ranks
  rm -rf ranks
done
succeeds run ensemble.ini -q -o bodies -t 2 --set constraints.solver=lgvi --set integrator.time=2ps
ranks 3 ensemble.ini -q -o bodies-3 -t 1 --set constraints.solver=lgvi --set integrator.time=2ps
ends 0
same_folders bodies bodies-3

# ---- stopped and resumed, each time on other ranks and threads; also between exchanges ----
ranks 3 ensemble.ini -q -o parts -t 1 --set integrator.time=1.3ps
ends 0
succeeds run ensemble.ini -q -o parts -t 2 --resume --set integrator.time=2.5ps
ranks 2 ensemble.ini -q -o parts -t 3 --resume --set integrator.time=3.1ps
ends 0
ranks 4 ensemble.ini -q -o parts -t 1 --resume
ends 0
rm -f parts/*.prev
same_folders one parts
ranks 2 ensemble.ini -o parts --resume
ends 0
says stdout 'the run is complete'

# ---- replicas that fail: the same report, and the same files ----
fails() { # fails NAME ARGUMENT...: in rill and over ranks
  succeeds_or_not run ensemble.ini -q -o "$1" -t 2 "${@:2}"
  local expected=$status
  sed 's/^rill: //' .stderr >expected
  ranks 3 ensemble.ini -q -o "$1-3" -t 1 "${@:2}"
  ends $expected
  sed -n 's/^rill-mpi: //; /^---*$/q; p' .stderr | sed "s/$1-3\//$1\//g" >found
  same_files expected found
  rm -f "$1"/*.prev "$1-3"/*.prev
  same_folders "$1" "$1-3"
}
succeeds_or_not() {
  command=$*
  run_rill "$@"
}
fails stopped --set start.temperature=50K --set stop.max_temperature=190K
[ $status -eq 1 ] || fail 'the limit of the temperature stopped nothing'
grep -q 'replica [0-9]* (.*: the temperature is' found || fail "no replica is named: $(cat found)"
fails left --set start.temperature=50K --set stop.max_temperature=190K --set ensemble.exchange=none \
  --set ensemble.on_failure=leave-out
if [ -n "${PYTHON-}" ]; then
  "$PYTHON" - left/base.h5md <<'CODE' || fail 'no replica was left out, or all were'
import sys, h5py
last = h5py.File(sys.argv[1])["parameters/rill/rung/values"][-1]
sys.exit(not 0 < (last == -1).sum() < len(last))
CODE
fi

# ---- signals ----
started usr2
kill -0 $process || fail 'SIGUSR1 ended the run'
kill -USR2 $process
ended 140
says_err 'note: checkpoint usr2/long.checkpoint holds step '
says_err 'rill-mpi: error: stopped by a signal after step '
says_err 'rill-mpi run long.ini --output usr2 --threads 1 --resume'
[ "$(grep -c '^rill-mpi: ' usr2.err)" -eq 1 ] || fail "not one message: $(cat usr2.err)"
resumed usr2 2
# A signal to any rank.
started term
kill -TERM "$(pgrep -P $process | tail -n 1)"
ended 143
says_err 'rill-mpi: error: stopped by a signal after step '
# A rank that is killed ends the others; what they leave is resumed.
started killed
kill -KILL "$(pgrep -P $process | tail -n 1)"
ended 137
resumed killed 3

# ---- a time limit ----
ranks 3 long.ini -q -o limit -t 1 --max-time 1s
ends 0
says stderr 'rill-mpi: stopped at the time limit after step '
resumed limit 1
ranks 2 long.ini -q -o limit -t 1 --force --max-time 1s --stopped-status 75
ends 75

# ---- rank 0 cannot write: one message, and the others end as well ----
# A limit on sizes, for rill-mpi alone, which then sends its messages through sockets: shared memory is a file.
command='three ranks, files limited'
timeout 60 env OMPI_MCA_btl=self,tcp mpirun -n 3 bash -c 'ulimit -f 400; exec "$@"' sh "$RILL-mpi" run ensemble.ini -q -o full -t 1 \
  --set output.interval=4fs >.stdout 2>.stderr </dev/null
status=$?
ends 1
says stderr 'rill-mpi: error: '
says stderr 'full/base.h5md'
[ "$(grep -c '^rill-mpi: error: ' .stderr)" -eq 1 ] || fail "$command: not one message: $(head -c 900 .stderr)"

# ---- what is refused, with one message and nothing written ----
mpi=$RILL-mpi
rejects 'a cluster in vacuum (system.boundary = vacuum) is not divided among ranks' mpirun -n 2 "$mpi" run base.ini -q -o bad
rejects 'the only command over ranks is run' mpirun -n 2 "$mpi" energy water7.gro
rejects 'no command given' mpirun -n 2 "$mpi"
rejects 'cannot be opened' mpirun -n 2 "$mpi" run missing.ini
rejects 'one/base.h5md exists' mpirun -n 3 "$mpi" run ensemble.ini -q -o one
rejects 'rank 1 (' mpirun -n 1 "$mpi" run ensemble.ini -q -o bad : -n 1 "$mpi" run ensemble.ini -q -o bad --nonsense
rejects 'rank 2 (' mpirun -n 2 "$mpi" run ensemble.ini -q -o bad : -n 1 "$mpi" --help
says stderr 'has other arguments than rank 0'
rejects 'has read another deck' mpirun -n 1 "$mpi" run ensemble.ini -q -o bad : \
  -n 1 "$mpi" run ensemble.ini -q -o bad --set thermostat.seed=2
if "$RILL" check ensemble.ini | grep -q 'avx.* kernel'; then
  rejects 'has another --lanes' mpirun -n 1 "$mpi" run ensemble.ini -q -o bad : \
    -n 1 "$mpi" run ensemble.ini -q -o bad --lanes off
  rejects 'has portable ones, whose rounding differs' mpirun -n 2 "$mpi" run ensemble.ini -q -o bad : \
    -n 1 "$mpi" run ensemble.ini -q -o bad --set forces.kernel=portable
fi
[ ! -e bad ] || fail "something was left: $(ls -a bad)"
# rill would make the whole run in each process.
mpirun -n 2 "$RILL" run ensemble.ini -q -o bad >.stdout 2>.stderr </dev/null
status=$? command='mpirun rill'
ends 2
says stderr 'started as 2 processes'
mpirun -n 2 "$mpi" --version >.stdout 2>.stderr </dev/null
[ "$(wc -l <.stdout)" -eq 1 ] || fail "--version: not one line: $(cat .stdout)"
finish

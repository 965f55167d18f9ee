#!/usr/bin/env bash
# Two runs at once never write the same file, whichever it is, with and without locks of the file system; a run that was
# killed does not block the next.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
ours=$RILL faulty=${RILL%/*}/tests/faults/faulty
[ -x "$faulty" ] || { echo "$faulty is not there"; exit 99; }
locks() { find . -name '.*.lock'; }

# started PROGRAM ARGUMENT...: a run that goes on until it is ended, in $process.
started() {
  "$@" >.first 2>&1 </dev/null &
  process=$!
  for _ in $(seq 200); do
    [ -s out/base.csv ] && [ -e out/.base.csv.lock ] && return
    sleep 0.02
  done
  fail "$*: no rows after 4 seconds: $(cat .first)"
}
ended() { # ended SIGNAL
  kill -"$1" $process
  wait $process 2>/dev/null
}

# Of the outputs of first/base.ini, one is shared by each of these.
mkdir first second
cp water7.gro first
cp water7.gro second
sed 's/^time.*/steps = 1000000000000/; s/^interval.*/interval = 1000 steps/' base.ini >first/base.ini
cat >second/own.ini <<'DECK'
[system]
structure = water7.gro
[integrator]
step = 2 fs
steps = 20
DECK
cp second/own.ini second/base.ini # the stem: last frame and checkpoint
sharing=(
  'second/base.ini'
  'second/own.ini --set output.series=base.csv'
  'second/own.ini --set output.trajectory=base.h5md'
  'second/own.ini --set output.series=base.gro'
  'second/own.ini --set output.checkpoint=base.checkpoint'
  'second/own.ini --set output.series=base.checkpoint.prev'
  'second/own.ini --set output.checkpoint=../out/./base-rdf.csv'
  'second/own.ini --set output.series=base-final.xyz'
)
for program in "$RILL" "$faulty"; do
  
  [ "$program" = "$faulty" ] && export RILL_FAULT='no locks'
  RILL=$program
  started "$program" run first/base.ini -o out
  for arguments in "${sharing[@]}"; do
    for force in '' --force --resume; do
      [ -z "$force" ] || [ "$arguments" = "${sharing[0]}" ] || continue
      command="run $arguments $force"
      # shellcheck disable=SC2086
      run_rill run $arguments -o out $force
      [ $status -eq 2 ] || fail "$program, $command: exit status $status, expected 2"
      says stderr 'is in use by another program: process '
      says stderr "process $process on host"
    done
  done
  # What shares nothing runs beside it.
  succeeds run second/own.ini -q -o out --set output.series=own.csv
  if [ "$program" = "$faulty" ]; then
    grep -q 'note: files cannot be locked in the folder of the outputs: No locks available' .first ||
      fail "the missing locks are not noted: $(cat .first)"
    [ "$(grep -c 'cannot be locked' .first)" -eq 1 ] || fail "the missing locks are noted more than once"
  fi

  # Killed: its locks are left, and block neither a new start nor a resumed run; at the end they are gone.
  ended KILL
  [ -n "$(locks)" ] || fail "$program: a killed run has left no locks; the test says nothing"
  succeeds run first/base.ini -q -o out --force --set integrator.steps=2000
  [ -z "$(locks)" ] || fail "$program: locks are left: $(locks)"
  started "$program" run first/base.ini -o out --resume
  sleep 0.1
  ended KILL
  [ -n "$(locks)" ] || fail "$program: a killed run has left no locks; the test says nothing"
  succeeds run first/base.ini -q -o out --resume --set integrator.steps=4000
  [ -z "$(locks)" ] || fail "$program: locks are left: $(locks)"
  [ "$(tail -n 1 out/base.csv | cut -d, -f1)" = 4000 ] || fail "$program: the resumed run did not end: $(tail -n 1 out/base.csv)"
  rm -r out
done
unset RILL_FAULT
RILL=$ours

# A lock of another host is not for this one to judge; the message says what to do.
succeeds run first/base.ini -q -o out --set integrator.steps=20
echo 'process 1 on host elsewhere, started at tick 1 of boot 1, in pid:[1], held by file' >out/.base.csv.lock
for force in --force --resume; do
  refuses 'process 1 on host elsewhere; if that has ended, remove out/.base.csv.lock' run first/base.ini -q -o out $force
done
rm out/.base.csv.lock

# What is refused leaves no folder and no lock.
refuses 'unknown key' run first/base.ini -o new/er --set output.nothing=1
refuses 'format' run first/base.ini -o new/er --set system.structure=base.ini
[ -z "$(locks)" ] || fail "locks are left: $(locks)"

# What a run writes can be read meanwhile, whatever the setting of HDF5's own locking, and where there are no locks.
readable() { # readable PROGRAM FILE
  local value
  for value in TRUE BEST_EFFORT FALSE ''; do
    HDF5_USE_FILE_LOCKING=$value "$1" info "$2" >.stdout 2>.stderr || fail "info $2, HDF5_USE_FILE_LOCKING=$value: $(cat .stderr)"
  done
}
rm -r out
started "$RILL" run first/base.ini -o out
readable "$RILL" out/base.h5md
RILL_FAULT='no locks' readable "$faulty" out/base.h5md
ended TERM

# Small systems, too.
sed 's/^time.*/steps = 1000000000000/' "$inputs/papers/tao-owhadi-figure-1-zs.ini" >small.ini
grep -q '^series' small.ini || sed -i 's/^\[output\]/&\nseries = base.csv/' small.ini
sed -i 's/^series = .*/series = base.csv/' small.ini
rm -r out
started "$RILL" run small.ini -o out
run_rill run small.ini -o out --force
command='run small.ini, twice'
[ $status -eq 2 ] || fail "two small runs: exit status $status"
says stderr 'is in use by another program'
ended TERM
[ -z "$(locks)" ] || fail "locks are left: $(locks)"
finish

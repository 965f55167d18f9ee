#!/usr/bin/env bash
# Signals and time limits: which of them stop a run, with everything saved; which exit status says so; a resumed run ends
# with the same bytes.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

sed 's/^time.*/steps = 1000000000000/; s/^interval.*/interval = 1000 steps/' base.ini >long.ini
sed 's/^trajectory.*//' long.ini >bare.ini
sed 's/^time.*/steps = 1000000000000/' "$inputs/papers/tao-owhadi-figure-1-zs.ini" >small.ini
sed -i 's/^\(trajectory\|series\) = .*\.\(h5\|csv\)/\1 = base.\2\ninterval = 100 steps/; /^trajectory/n; /^series/{n;d}' small.ini

# started FOLDER ARGUMENT...: a run in the background, with rows written, in $process; all signals are as they are by
# default, whatever the tests are kept from, unless $ignored names some.
ignored=
started() {
  local folder=$1
  shift
  set -m
  env --default-signal=HUP,INT,TERM,USR1,USR2 ${ignored:+--ignore-signal=$ignored} \
    "$RILL" run "$@" -o "$folder" >"$folder.out" 2>"$folder.err" </dev/null &
  process=$!
  set +m
  for _ in $(seq 400); do
    grep -q '^1000,' "$folder/base.csv" 2>/dev/null && return
    sleep 0.02
  done
  fail "$folder: no rows after 8 seconds: $(cat "$folder.err")"
}
ends_with() { # ends_with STATUS: the run in the background
  wait $process
  status=$?
  [ $status -eq "$1" ] || fail "$command: exit status $status, expected $1: $(cat "$folder.err")"
}
tells() { # tells FRAGMENT: on standard error
  grep -q -F -e "$1" "$folder.err" || fail "$command: no \"$1\" in: $(cat "$folder.err")"
}
step_of() { "$RILL" info "$1" | sed -n 's/^  step  *\([0-9]*\),.*/\1/p'; }
# resumes DECK FOLDER: a step more than it had done; and the same without ever having stopped.
resumes() {
  local steps=$(($(step_of "$2/${1%.ini}.checkpoint") + 1)) row
  row=$(tail -n 1 "$2/base.csv" 2>/dev/null | cut -d, -f1)
  [ "${row:-0}" -lt $steps ] || steps=$((row + 1))
  succeeds run "$1" -q -o "$2" --resume --set integrator.steps=$steps
  succeeds run "$1" -q -o whole --force --set integrator.steps=$steps
  rm -f "$2"/*.prev whole/*.prev
  for file in whole/*; do same_files "$file" "$2/${file##*/}"; done
  rm -r whole
}

# ---- what stops a run ----
for case in TERM:143 USR2:140; do
  folder=${case%:*}
  command="SIG$folder"
  started "$folder" long.ini
  kill -"$folder" $process
  kill -"$folder" $process 2>/dev/null
  ends_with "${case#*:}"
  tells 'rill: error: stopped by a signal after step '
  tells "rill run long.ini --output $folder --resume"
  grep -q 'means of' "$folder.out" || fail "$command: no summary"
done
resumes long.ini USR2

# ---- any number of hangups, together with others; two interrupts end a run at once ----
folder=hangup command='SIGHUP, many times'
started $folder long.ini
for _ in $(seq 20); do kill -HUP $process 2>/dev/null; done
kill -TERM $process 2>/dev/null
ends_with 129
tells 'checkpoint hangup/long.checkpoint holds step '
[ -s hangup/long-final.gro ] || fail 'SIGHUP: no final frame'
# Before the first step: a cluster is built.  One signal of each is waited out, the second interrupt is not.
building() { # building FOLDER MOLECULES
  folder=$1 command="run, building $2 molecules"
  sed "s/^structure.*/molecules = $2/" long.ini >build.ini
  set -m
  env --default-signal=HUP,INT,TERM,USR1,USR2 "$RILL" run build.ini -q -o "$1" >"$1.out" 2>"$1.err" </dev/null &
  process=$!
  set +m
  for _ in $(seq 200); do
    [ -e "$1/.build-final.gro.lock" ] && return
    sleep 0.02
  done
  fail "$command: no lock after 4 seconds"
}
building interrupts 30
kill -INT $process
sleep 0.1
kill -0 $process || fail 'SIGINT ended a run at once'
kill -INT $process
wait $process 2>/dev/null
status=$?
[ $status -eq 130 ] || fail "a second SIGINT: exit status $status"
[ ! -s interrupts.err ] || fail "a second SIGINT was waited out: $(cat interrupts.err)"
building terminated 9
kill -HUP $process
sleep 0.1 # signals that wait together count as one
kill -HUP $process || fail 'SIGHUP ended a run at once'
ends_with 129
tells 'stopped by a signal before the first step; no file was changed'
[ ! -e terminated ] || fail "$command: something was left: $(ls -a terminated)"

# ---- a checkpoint on request ----
folder=request command='SIGUSR1'
started $folder long.ini
kill -USR1 $process
for _ in $(seq 200); do
  [ -e request/long.checkpoint ] && break
  sleep 0.02
done
for _ in $(seq 50); do kill -USR1 $process; done
for _ in $(seq 200); do
  grep -q 'as requested' request.err && break
  sleep 0.02
done
kill -0 $process || fail 'SIGUSR1 ended the run'
kill -KILL $process
wait $process 2>/dev/null
tells 'note: checkpoint request/long.checkpoint holds step '
resumes long.ini request

# ---- ignored from the start: stays ignored ----
folder=ignored command='signals that are ignored'
ignored=HUP,INT,TERM,USR1
started $folder long.ini
for name in HUP INT INT TERM USR1; do kill -$name $process; done
before=$(tail -n 1 $folder/base.csv | cut -d, -f1)
for _ in $(seq 200); do
  [ "$(tail -n 1 $folder/base.csv | cut -d, -f1)" -gt "$before" ] && break
  sleep 0.02
done
kill -USR2 $process
ends_with 140
! grep -q SIGUSR1 $folder.err || fail "$command: $(cat $folder.err)"
ignored=

# ---- a time limit ----
# limited DECK LIMIT ARGUMENT...: ends in time; the status in $status.
limited() {
  local begin end
  begin=$(date +%s%N)
  folder=limit command="run $1 --max-time $2"
  "$RILL" run "$1" -o limit --max-time "$2" "${@:3}" >limit.out 2>limit.err </dev/null
  status=$?
  end=$(date +%s%N)
  [ $((end - begin)) -ge 200000000 ] || fail "$command: ended after $((end - begin)) ns"
  [ $((end - begin)) -le 5000000000 ] || fail "$command: ended after $((end - begin)) ns only"
}
for deck in long bare small; do
  limited $deck.ini 0.4s
  [ $status -eq 0 ] || fail "$command: exit status $status, expected 0: $(cat limit.err)"
  tells 'rill: stopped at the time limit after step '
  tells "checkpoint limit/$deck.checkpoint holds step "
  tells "rill run $deck.ini --output limit --max-time 0.4s --resume"
  [ $deck = bare ] || resumes $deck.ini limit
  if [ $deck = long ]; then
    limited $deck.ini '0.006 min' -q --force --stopped-status 75
    [ $status -eq 75 ] || fail "$command --stopped-status 75: exit status $status"
    tells 'rill: stopped at the time limit after step '
    tells '--max-time '\''0.006 min'\'' --stopped-status 75 --resume'
    # The run that ends by itself, and the one that fails, are told apart from it.
    succeeds run base.ini -q -o limit --force --max-time 1h --stopped-status 75
    printf 'x' >limit-file
    run_rill run base.ini -q -o limit-file --stopped-status 75
    [ $status -eq 2 ] || fail "a failing run: exit status $status"
  fi
  rm -r limit
done
folder=status command='SIGTERM, --stopped-status'
started status long.ini --stopped-status 99
kill -TERM $process
ends_with 99

for bad in '23:a time' '1 day:unknown unit day' '5:the unit is missing: `5s`' '0s:out of range' '-3h:out of range' \
  'h:a wall time is expected' '1e400h:' 'nan s:a wall time' '23 h x:unknown unit h x'; do
  [ "$bad" = '23:a time' ] && bad='23:the unit is missing'
  refuses "${bad#*:}" run base.ini -o bad --max-time "${bad%%:*}"
done
for bad in 0 1 2 126 x ''; do refuses 'from 3 to 125 is expected' run base.ini -o bad --stopped-status "$bad"; done
refuses 'is resumed from its checkpoint, but [output] checkpoint = none' run base.ini -o bad --max-time 1h --set output.checkpoint=none

# A run that writes no checkpoints says so when a signal requests one.
folder=none command='SIGUSR1, checkpoint = none'
started none long.ini --set output.checkpoint=none
kill -USR1 $process
for _ in $(seq 200); do
  grep -q SIGUSR1 none.err && break
  sleep 0.02
done
tells 'a checkpoint was requested, but [output] checkpoint = none'
kill -TERM $process
ends_with 143
finish

#!/usr/bin/env bash
# Runs that end before their time: a blow-up says step, molecule and cause, keeps the good frames and the last good state; a
# signal stops the run after its step; what was written before a kill is there.  Cases A04, A08, F01, F13, I01.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

frames_of() { "$RILL" info "$1" | sed -n 's/^  frames  *//p'; }
last_step() { "$RILL" info "$1" | sed -n 's/^  last frame  *step \([0-9]*\),.*/\1/p'; }

# ---- blow-ups: heated until a molecule turns too far in a step of 4 fs ----
cat >hot.ini <<'DECK'
[system]
structure = water7.gro
[integrator]
step = 4 fs
steps = 1000000
[thermostat]
method = gla
temperature = 10 K -> 100000000 K
friction = 5 /ps
[confine]
radius = 1 nm
[output]
trajectory = hot.h5md
interval = 10 steps
series = hot.csv
DECK
# blows_up ARGUMENT...
blows_up() {
  local failed done frame
  command="run hot.ini -o hot --force $*"
  run_rill run hot.ini -o hot --force "$@"
  [ $status -eq 1 ] || fail "rill $command: exit status $status, expected 1"
  failed=$(sed -n 's/^rill: error: step \([0-9]*\): .* molecule [1-7]; largest force [0-9.e+]* kJ\/mol\/nm, on molecule [1-7]$/\1/p' .stderr)
  done=$(sed -n 's/^the run stopped after step \([0-9]*\) (.* ps, in steps of 4 fs); the last good state is in hot\/hot-final.gro$/\1/p' \
    .stderr)
  frame=$(sed -n 's/^all frames up to step \([0-9]*\) are in hot\/hot.h5md$/\1/p' .stderr)
  says stderr 'nearest pair: molecules'
  says stderr 'usual remedies: '
  says stderr 'resumed, the run fails again in the same way'
  grep -q 'to resume from there' .stderr && fail "rill $command: suggests a resume that fails again"
  if [ -z "$failed" ] || [ "$done" != $((failed - 1)) ] || [ "$frame" != $((done / 10 * 10)) ]; then
    fail "rill $command: failed '$failed', done '$done', last frame '$frame': $(cat .stderr)"
    return
  fi
  [ "$failed" -gt 10 ] || fail "rill $command: the test is to fail between frames, not in step $failed"
  [ "$(last_step hot/hot.h5md)" = "$frame" ] || fail "rill $command: last frame $(last_step hot/hot.h5md), expected $frame"
  [ "$(frames_of hot/hot.h5md)" = $((frame / 10 + 1)) ] || fail "rill $command: $(frames_of hot/hot.h5md) frames"
  [ "$(lines_of hot/hot.csv)" = $((frame / 10 + 1)) ] || fail "rill $command: $(lines_of hot/hot.csv) rows"
  head -n 1 hot/hot-final.gro | grep -q "step= $done\$" || fail "rill $command: last good state: $(head -n 1 hot/hot-final.gro)"
  # The last good state is one: whole molecules, and a run can start from it.
  "$RILL" energy hot/hot-final.gro --json | grep -q '"geometry_deviation": [0-9.]*e-[01][0-9]' || fail "rill $command: geometry"
  succeeds run hot.ini -o on --force -q --set system.structure=hot/hot-final.gro --set start.velocities=file \
    --set integrator.steps=0 --set thermostat.temperature=10K
}
blows_up --set constraints.solver=settle
blows_up --set constraints.solver=mshake --set constraints.tolerance=1e-14 # A04: the lowest tolerance does not spin
blows_up --set constraints.solver=shake
blows_up --set integrator.method=yoshida4

# Two waters that repel each other with 1e5 kJ/mol: the first step fails; the start is kept, the pair is named.
awk 'BEGIN {
  print "two"; print 6
  for (m = 0; m < 2; m++) for (a = 0; a < 3; a++)
    printf "%5d%-5s%5s%5d%15.9f%15.9f%15.9f\n", m + 1, "SOL", a ? "HW" a : "OW", 3 * m + a + 1,
      a == 0 ? 0 : a == 1 ? 0.075695033 : -0.075695033, a ? 0.058588228 : 0, 0.16 * m
  print "0 0 0" }' >close.gro
blow_up='run base.ini -o close --set system.structure=close.gro --set integrator.step=4fs --set output.interval=4fs'
# shellcheck disable=SC2086
run_rill $blow_up --set integrator.time=4ps
command=$blow_up
[ $status -eq 1 ] || fail "rill $command: exit status $status"
says stderr 'rill: error: step 1: '
says stderr 'nearest pair: molecules 1 and 2, oxygens 0.1600 nm apart'
says stderr 'the run stopped after step 0 (0 ps, in steps of 4 fs); the last good state is in close/base-final.gro'
[ "$(frames_of close/base.h5md)" = 1 ] || fail 'close: the first frame is not kept'

# ---- signals ----
sed 's/^time.*/steps = 1000000000000/' base.ini >long.ini
# Without a library at work in its steps: no noise, frame or distribution.
sed '/^\[thermostat\]/,/^seed/d; /^\[rdf\]/,$d; s/^interval.*/interval = 1000000000 steps\nseries_interval = 1000 steps/' \
  long.ini >plain.ini
# started FOLDER: a long run in the background, with frames written; its process in $process.  Job control, for without it
# bash makes what it starts in the background ignore SIGINT; a hangup counts also where the tests are kept from it (nohup).
started() {
  set -m
  env --default-signal=HUP,INT,TERM "$RILL" run "${2-long.ini}" -o "$1" >"$1.out" 2>"$1.err" </dev/null &
  process=$!
  set +m
  for _ in $(seq 200); do
    rows=$(lines_of "$1/base.csv" 2>/dev/null)
    [ "${rows:-0}" -gt 10 ] && return
    sleep 0.05
  done
  fail "$1: no rows after 10 seconds"
}
for case in INT:130 TERM:143 HUP:129; do
  name=${case%:*}
  started $name
  kill -"$name" $process
  wait $process
  status=$?
  [ $status -eq "${case#*:}" ] || fail "SIG$name: exit status $status, expected ${case#*:}: $(cat $name.err)"
  done=$(sed -n 's/^rill: error: stopped by a signal after step \([0-9]*\)$/\1/p' $name.err)
  [ -n "$done" ] || fail "SIG$name: $(cat $name.err)"
  [ "$(last_step $name/base.h5md)" = "$done" ] || fail "SIG$name: last frame $(last_step $name/base.h5md), stopped after $done"
  tail -n 1 $name/base.csv | grep -q "^$done," || fail "SIG$name: last row $(tail -n 1 $name/base.csv)"
  head -n 1 $name/long-final.gro | grep -q "step= $done\$" || fail "SIG$name: $(head -n 1 $name/long-final.gro)"
  [ -s $name/long-rdf.csv ] || fail "SIG$name: no distribution"
  grep -q 'means of' $name.out || fail "SIG$name: no summary"
  grep -q 'half-step  *[0-9]' $name.out || fail "SIG$name: $(grep half-step $name.out), wherever in a step it came"
done

# ---- killed: what was committed is there, F13 ----
started killed
sleep 0.3
kill -KILL $process
wait $process 2>/dev/null
[ "$(lines_of killed/base.csv)" -gt 10 ] || fail 'killed: the series is lost'
tail -c 1 killed/base.csv | od -An -c | grep -q '\\n' || fail 'killed: half a line'
[ "$(frames_of killed/base.h5md)" -gt 10 ] || fail 'killed: the frames are lost'
succeeds convert killed/base.h5md killed.gro
succeeds rdf killed/base.h5md --bins 10

# ---- two runs at once in one folder: the second takes nothing from the first ----
started busy
for change in '' 's/^trajectory.*//'; do
  sed "$change" long.ini >second.ini
  run_rill run second.ini -o busy -q --force
  command='run second.ini -o busy --force'
  [ $status -eq 2 ] || fail "a second run in the folder: exit status $status"
  says stderr 'is in use by another program'
done
kill -TERM $process
wait $process
awk -F, '!/^#/ { if (!columns) columns = NF; if (NF != columns) bad = 1; rows++ } END { exit bad || rows < 10 }' busy/base.csv || fail 'busy: rows are lost'
grep -q '^0,' busy/base.csv || fail 'busy: the first row is lost'

# ---- a crash of our own: a message, and still a crash (a sanitizer reports it itself) ----
started crash plain.ini
kill -SEGV $process
wait $process 2>/dev/null
status=$?
case $status in
  139)
    grep -q '^rill: error: the program crashed' crash.err || fail "a crash: $(cat crash.err)"
    [ -z "$(find crash -name '.*.lock')" ] || fail "a crash leaves locks: $(find crash -name '.*.lock')"
    ;;
  *) grep -q Sanitizer crash.err || fail "a crash: exit status $status: $(cat crash.err)" ;;
esac

# ---- a crash of a library: its name, and a failure (a sanitizer has to be loaded first) ----
crashing=${RILL%/*}/tests/faults/crashing.so
[ -e "$crashing" ] || { echo "$crashing is not there"; exit 99; }
if ! grep -aq __asan_init "$RILL"; then
  LD_PRELOAD=$crashing "$RILL" run plain.ini -q -o library 2>.stderr
  status=$?
  [ $status -eq 1 ] || fail "a library's crash: exit status $status"
  says stderr 'crashing.so crashed, most likely because memory has run out'
  [ -z "$(find library -name '.*.lock')" ] || fail "a library's crash leaves locks: $(find library -name '.*.lock')"
fi

# ---- a limit on file sizes: a plain failure, frames are kept, I01 ----
(ulimit -f 1024; exec "$RILL" run long.ini -o limited --set output.interval=20fs -q) >limited.out 2>limited.err </dev/null
status=$?
[ $status -eq 1 ] || fail "file-size limit: exit status $status: $(cat limited.err)"
grep -q 'File too large\|limit on file sizes' limited.err || fail "file-size limit: $(cat limited.err)"
[ "$(frames_of limited/base.h5md)" -gt 10 ] || fail 'file-size limit: frames are lost'
(ulimit -f 1; exec "$RILL" convert "$data/structures/c020_a.pdb" wide.gro) >limited.out 2>limited.err </dev/null
status=$?
[ $status -eq 1 ] || fail "file-size limit, convert: exit status $status: $(cat limited.err)"
[ ! -e wide.gro ] || fail 'file-size limit, convert: a part of a file stands there'

# ---- closed streams: what is printed does not end up in the files that take their numbers ----
succeeds run base.ini -q -o open
"$RILL" run base.ini -o closed >&- 2>&- <&-
status=$?
[ $status -eq 1 ] || fail "closed streams: exit status $status, expected 1: the summary is lost"
for file in base.h5md base.csv base.gro base-rdf.csv base-final.gro; do same_files open/$file closed/$file; done
finish

#!/usr/bin/env bash
# Checkpoints and --resume from the command line: what is stopped, killed or ended resumes to the same bytes in all files;
# what cannot be resumed is refused, with the reason.  Cases B06, B10, C10, E02, E03, E05, E06, E09, E11, F01.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
python=${PYTHON-}
here=$RILL_SOURCE/tests/restart

# same_folders ONE OTHER: all files of both, but for checkpoints before the last.
same_folders() {
  rm -f "$1"/*.prev "$2"/*.prev
  [ "$(ls "$1")" = "$(ls "$2")" ] || fail "$2 has other files than $1: $(ls "$2")"
  local file
  for file in "$1"/*; do same_files "$file" "$2/${file##*/}"; done
}

# ---- 100 = 37 + 63, of a cluster, a box and a small system ----
sed 's/^time.*/steps = 100/; s/^interval.*/interval = 7 steps/' base.ini >short.ini
printf 'bins = 50\n' >>short.ini
sed 's/^\[output\]/&\nseries_interval = 3 steps\nvelocities = yes/' short.ini >cluster.ini
cp "$data/structures/p216.xyz" .
sed 's/water7.gro/p216.xyz\nboundary = periodic/; s/10 K/300 K/' cluster.ini >box.ini
sed 's/^time.*/steps = 100/' "$inputs/papers/tao-owhadi-figure-1-zs.ini" >small.ini
for deck in cluster box small; do
  succeeds run $deck.ini -q -o $deck-whole --threads 1
  succeeds run $deck.ini -q -o $deck-parts --set integrator.steps=37 --threads 2
  succeeds run $deck.ini -o $deck-parts --resume --threads 2
  says stdout '  resumed      after step 37'
  says stderr 'note: [integrator] steps = 100; it was 37 when the checkpoint was written'
  same_folders $deck-whole $deck-parts
done
# The closing summary is that of the whole run.
succeeds run cluster.ini -q -o cluster-again
sed '/^speed/,/^written/d; /^  [a-zO].*cluster/d' .stdout >whole.txt
succeeds run cluster.ini -q -o cluster-more --set integrator.steps=37
succeeds run cluster.ini -q -o cluster-more --resume
sed '/^speed/,/^written/d; /^  [a-zO].*cluster/d' .stdout >parts.txt
same_files whole.txt parts.txt
grep -q 'means of 35 samples' parts.txt || fail "summary of the whole run: $(cat parts.txt)"

# A run that is complete says so; a longer one goes on, and is as if it had been longer from the start.
before=$(listing)
succeeds run cluster.ini -o cluster-parts --resume
says stdout 'the run is complete: checkpoint cluster-parts/cluster.checkpoint holds its last step, 100'
[ "$(listing)" = "$before" ] || fail 'a complete run was changed'
mkdir longer && cp water7.gro longer
for deck in cluster small; do
  sed 's/^steps.*/steps = 1030/' $deck.ini >longer/$deck.ini # names of some files come from the deck's
  succeeds run longer/$deck.ini -q -o $deck-longer
  succeeds run $deck.ini -q -o $deck-then
  succeeds run $deck.ini -q -o $deck-then --set integrator.steps=1030 --resume
  same_folders $deck-longer $deck-then
done

# ---- the kernel is that of the checkpoint, where the processor has it ----
succeeds check cluster.ini
if [ -n "$python" ] && ! grep -q 'portable kernel' .stdout; then
  for kernel in portable altivec; do
    succeeds run cluster.ini -q -o cluster-$kernel --set integrator.steps=37
    "$python" "$here/kernel.py" cluster-$kernel/cluster.checkpoint $kernel || fail "kernel.py $kernel"
    succeeds run cluster.ini -o cluster-$kernel --resume
    cp .stderr resumed-$kernel
    succeeds info cluster-$kernel/cluster.checkpoint
    cp .stdout info-$kernel
  done
  grep -q '  kernel       portable' info-portable || fail "the kernel was not kept: $(cat info-portable)"
  ! grep -q 'kernels' resumed-portable || fail "a note though the kernel was kept: $(cat resumed-portable)"
  grep -q 'note: the run began with altivec kernels and continues with' resumed-altivec || fail "no note: $(cat resumed-altivec)"
  cmp -s cluster-whole/cluster-final.gro cluster-altivec/cluster-final.gro || fail 'another name is another trajectory'
  ! cmp -s cluster-whole/cluster.csv cluster-portable/cluster.csv || fail 'no other kernel after resuming'
fi

# ---- rill info ----
succeeds info cluster-parts/cluster.checkpoint
for text in 'checkpoint, written by rill' 'step         100, time 0.2' 'frames       15 in the trajectory' 'complete' 'friction = 0.2 /ps'; do
  says stdout "$text"
done

# ---- refused ----
refuses 'there is no checkpoint nowhere/cluster.checkpoint to resume from' run cluster.ini -o nowhere --resume
says stderr 'start the run without --resume'
refuses '[output] has no checkpoint' run cluster.ini -o cluster-parts --resume --set output.checkpoint=none
refuses 'give one of them' run cluster.ini -o cluster-parts --resume --force
refuses '[thermostat] seed = 2; it was 1 when' run cluster.ini -o cluster-parts --resume --set thermostat.seed=2 # B06
says stderr 'start again'
refuses '[integrator] step = 0.001 ps; it was 0.002 ps' run cluster.ini -o cluster-parts --resume --set integrator.step=1fs
refuses '[output] series = other.csv; it was base.csv' run cluster.ini -o cluster-parts --resume --set output.series=other.csv
refuses '[confine] radius = 1 nm; it was (not set)' run cluster.ini -o cluster-parts --resume --set confine.radius=1nm
refuses '[rdf] interval = 14 steps; it was 7 steps' run cluster.ini -o cluster-parts --resume --set output.interval=14steps
refuses '[system] kind = water' run cluster.ini -o small-parts --resume --set output.checkpoint=small.checkpoint
refuses 'but checkpoint cluster-parts/cluster.checkpoint is at step 100' run cluster.ini -o cluster-parts --resume --set integrator.steps=50
refuses 'exists; give --force' run cluster.ini -o cluster-parts # the checkpoint among others
sed 's/10 K$/10 K -> 20 K/' cluster.ini >ramp.ini
succeeds run ramp.ini -q -o ramp
refuses '[integrator] steps = 200' run ramp.ini -o ramp --resume --set integrator.steps=200
says stderr 'the temperature ramp spans all steps'
# Harmless: another interval, the distribution's being kept, and more iterations.
succeeds run box.ini -q -o box-parts --resume --set integrator.steps=120 --set output.interval=2steps --set rdf.interval=7steps --set forces.buffer=0.05nm
succeeds info box-parts/base.h5md
says stdout 'last frame   step 120'
succeeds run cluster.ini -q -o cluster-parts --resume --set integrator.steps=120 --set output.interval=14steps --set rdf.interval=7steps
succeeds info cluster-parts/base.h5md
says stdout 'last frame   step 120'
# Another structure under the same name.
succeeds run box.ini -q -o box-other --set integrator.steps=10
sed '2s/.*/19 0 0 0 19 0 0 0 19/; 2s/^/Lattice="/; 2s/$/"/' p216.xyz >larger.xyz
cp p216.xyz kept.xyz && cp larger.xyz p216.xyz
refuses 'a different box' run box.ini -o box-other --resume
cp kept.xyz p216.xyz

# ---- output that is gone, cut, or another's ----
for fault in 'rm F' 'truncate -s 100 F' 'truncate -s 0 F'; do
  for file in base.h5md base.csv; do
    rm -rf faulty && cp -r cluster-parts faulty
    ${fault//F/faulty\/$file}
    rm -rf before && cp -r faulty before
    run_rill run cluster.ini -o faulty --resume --set integrator.steps=200
    command="run --resume after $fault of $file"
    [ $status -eq 2 ] || fail "$command: exit status $status"
    says stderr "faulty/$file"
    diff -r before faulty >/dev/null || fail "$command: files were changed"
  done
done

# ---- no checkpoint where the deck wants none ----
succeeds run cluster.ini -q -o without --set output.checkpoint=none
[ -z "$(ls without | grep checkpoint)" ] || fail 'a checkpoint against the deck'
printf '[system]\nstructure = water7.gro\n[integrator]\nstep = 1 fs\nsteps = 10\n' >bare.ini
succeeds run bare.ini -q -o bare
[ "$(ls bare)" = bare-final.gro ] || fail "a run without output wrote $(ls bare)"
refuses 'a checkpoint: output.trajectory, or output.checkpoint' check bare.ini --set output.checkpoint_interval=10min
for value in '0 min' '-1 h' 'x min' '3 K' '1.5 steps'; do
  refuses 'checkpoint_interval' check cluster.ini --set "output.checkpoint_interval=$value"
done
refuses 'or wall time: `15 min` or `2 h`' check cluster.ini --set output.checkpoint_interval=15
succeeds check cluster.ini --set 'output.checkpoint_interval=2 h'
says stdout 'checkpoint_interval = 120 min'

# ---- stopped by a signal: the message's own command goes on ----
sed 's/^time.*/steps = 400000/; s/^interval.*/interval = 1000 steps/' base.ini >long.ini
printf 'bins = 50\n' >>long.ini
sed -i 's/^\[output\]/&\ncheckpoint_interval = 20000 steps/' long.ini
succeeds run long.ini -q -o 'long whole'
# started FOLDER ARGUMENT...: a run in the background that has written a checkpoint; its process in $process.
started() {
  set -m
  env --default-signal=INT,TERM "$RILL" run long.ini -o "$@" >.out 2>.stderr </dev/null &
  process=$!
  set +m
  for _ in $(seq 400); do
    [ -e "$1/long.checkpoint" ] && return
    sleep 0.02
  done
  fail "$1: no checkpoint"
}
for case in INT:130 TERM:143; do
  started "by ${case%:*}" --threads 1
  kill -"${case%:*}" $process
  wait $process
  status=$?
  command="run long.ini, stopped by ${case%:*}"
  if [ $status -ne 0 ]; then # it may have been done before the signal
    [ $status -eq "${case#*:}" ] || fail "$command: exit status $status: $(cat .stderr)"
    says stderr 'to resume from there:'
    again=$(sed -n 's/^  rill run/"$RILL" run/p' .stderr)
    eval "$again" >.out 2>.stderr || fail "$command: $again: $(cat .stderr)"
  fi
  same_folders 'long whole' "by ${case%:*}"
done

# ---- killed, and killed again: each time it resumes from the last checkpoint ----
started killed
run_rill run long.ini -q -o killed --resume # while the first one is at it, if it still is
command='run --resume of a run under way'
[ $status -eq 0 ] || says stderr 'is in use by another program'
for round in 1 2 3; do
  sleep 0.0$((RANDOM % 10))
  kill -KILL $process 2>/dev/null
  wait $process 2>/dev/null
  [ $round -eq 3 ] && break
  started killed --resume
done
cp -r killed torn
succeeds run long.ini -q -o killed --resume
same_folders 'long whole' killed
# The newest checkpoint is torn: the one before is used, and a note says so.
if [ -e torn/long.checkpoint.prev ]; then
  truncate -s -100 torn/long.checkpoint
  succeeds run long.ini -o torn --resume
  says stderr 'it was cut off or is damaged; resuming from the previous one, torn/long.checkpoint.prev'
  same_folders 'long whole' torn
fi
# The torn one does not take the place of the one that stood in for it.
rm -rf torn && succeeds run cluster.ini -q -o torn --set integrator.steps=37
succeeds run cluster.ini -q -o torn --resume --set integrator.steps=50
truncate -s -1 torn/cluster.checkpoint
succeeds run cluster.ini -q -o torn --resume
succeeds info torn/cluster.checkpoint.prev
says stdout 'step         37,'
# Killed while a checkpoint takes the place of the one before: both names are of one file.
rm -rf torn && succeeds run cluster.ini -q -o torn --set integrator.steps=37
ln -f torn/cluster.checkpoint torn/cluster.checkpoint.prev
succeeds run cluster.ini -q -o torn --resume
rm -rf torn && cp -r killed torn
truncate -s 50 torn/long.checkpoint
run_rill run long.ini -o torn --resume
[ $status -eq 2 ] || fail "a torn checkpoint without one before: exit status $status"
command='run --resume from a torn checkpoint'
says stderr 'start it again with --force'
# --force takes the old checkpoints away: they are not of this run.
touch killed/long.checkpoint.prev
succeeds run long.ini -q -o killed --force --set integrator.steps=1000
[ ! -e killed/long.checkpoint.prev ] || fail 'an old checkpoint is left'

# ---- a run that fails keeps its last good state ----
sed 's/^steps.*/steps = 1000000/; s/2 fs/4 fs/; s/10 K$/10 K -> 100000000 K/; s/0.2 .ps/5 \/ps/' cluster.ini >hot.ini
run_rill run hot.ini -q -o hot --set 'confine.radius=1 nm'
[ $status -eq 1 ] || fail "a run that blows up: exit status $status"
command='run hot.ini'
says stderr 'checkpoint hot/hot.checkpoint holds step'
done=$(sed -n 's/^the run stopped after step \([0-9]*\) .*/\1/p' .stderr)
"$RILL" info hot/hot.checkpoint | grep -q "step         $done," || fail 'the checkpoint is not of the last good step'

# ---- no room for the checkpoint ----
(ulimit -f 1024; exec "$RILL" run cluster.ini -q -o full --set rdf.bins=10000) >.stdout 2>.stderr </dev/null
status=$?
command='run with a file-size limit'
[ $status -eq 1 ] || fail "$command: exit status $status: $(cat .stderr)"
says stderr 'checkpoint full/cluster.checkpoint cannot be written: File too large'
[ -z "$(ls full | grep checkpoint)" ] || fail "$command: left $(ls full)"

# ---- other versions; steps beyond 2^31 and 2^32 ----
if [ -n "$python" ]; then
  # Another version of the same format is noted; the format decides.
  rm -rf version && cp -r cluster-whole version
  "$python" "$here/at_step.py" version/cluster.checkpoint 100 0.0.9 || fail at_step.py
  succeeds run cluster.ini -o version --resume --set integrator.steps=107
  says stderr 'note: the checkpoint was written by rill 0.0.9, and this is rill'
  for last in 2147483660 4294967310 8999999999999990; do
    for deck in cluster small; do
      rm -rf far && succeeds run $deck.ini -q -o far --set integrator.steps=10
      "$python" "$here/at_step.py" far/$deck.checkpoint $((last - 30)) || fail at_step.py
      succeeds run $deck.ini -q -o far --resume --set integrator.steps=$last
      if [ $deck = cluster ]; then
        "$python" "$here/large_steps.py" far/base.h5md far/base.csv $last 0.002 7 || fail "$deck at step $last"
        head -n 1 far/cluster-final.gro | grep -q "step= $last\$" || fail "$deck: $(head -n 1 far/cluster-final.gro)"
      else
        "$python" "$here/large_steps.py" far/tao-owhadi-figure-1-zs.h5 far/tao-owhadi-figure-1-zs.csv $last 0.1 1 ||
          fail "$deck at step $last"
      fi
    done
  done
fi
finish

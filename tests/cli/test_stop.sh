#!/usr/bin/env bash
# [stop]: a run whose state explodes ends with exit status 1, names step and limit, and leaves the last good state; the same
# with any number of threads, and after a resume.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

# stops LIMIT DECK ARGUMENT...: the run ends after the step in $done; nothing of a later one was recorded.
stops() {
  local limit=$1 deck=$2 failed
  shift 2
  command="run $deck -o out --force $*"
  rm -rf out
  run_rill run "$deck" -o out -q "$@"
  [ $status -eq 1 ] || fail "rill $command: exit status $status, expected 1: $(head -c 300 .stderr)"
  says stderr "([stop] $limit)"
  failed=$(sed -n 's/^rill: error: step \([0-9]*\): .*/\1/p' .stderr)
  done=$(sed -n 's/^the state of step \([0-9]*\) was the last that was found within the limits.*/\1/p' .stderr)
  if [ -z "$failed" ] || [ -z "$done" ] || [ "$done" -ge "$failed" ]; then
    fail "rill $command: failed in '$failed' after '$done': $(cat .stderr)"
    return
  fi
  says stderr "the run stopped after step $done"
  for table in out/*.csv; do
    case $table in *-rdf.csv | *'*'*) continue ;; esac
    [ "$(tail -n 1 "$table" | cut -d, -f1)" -le "$done" ] || fail "rill $command: $table goes beyond step $done"
  done
  "$RILL" info out/*.checkpoint | grep -q "^  step  *$done," || fail "rill $command: the checkpoint is not of step $done"
}

# ---- rigid bodies, 50 fs, at 10 K: 1e6 K in the first steps ----
sed 's/^step = 2 fs/step = 50 fs/; s/^time.*/steps = 100/; s/^interval.*/interval = 3 steps/' base.ini >hot.ini
stops max_temperature hot.ini --set constraints.solver=rotor
head -n 1 out/hot-final.gro | grep -q "step= $done\$" || fail "the last good state is not of step $done: $(head -n 1 out/hot-final.gro)"
# A limit between samples, and one that no sample comes near to: at the end all the same.
stops max_temperature hot.ini --set constraints.solver=rotor --set integrator.steps=5 --set output.interval=100steps
[ "$done" = 0 ] || fail "the only state before the end is that of step 0, not $done"

# ---- penalised bonds that fly apart ----
cat >bonds.ini <<'DECK'
[system]
structure = water7.gro
[penalty]
stiffness = 20 akma
[start]
temperature = 10 K
[integrator]
method = zss-simplified
hessian = full
step = 10 fs
steps = 1000
[output]
trajectory = b.h5md
interval = 20 steps
series = b.csv
DECK
stops max_bond bonds.ini --set stop.max_temperature=none --set stop.max_energy_change=none
stops max_energy_change bonds.ini --set stop.max_temperature=none --set stop.max_energy_change=0.01

# ---- a cluster that is destroyed without any limit of its bonds or temperature being near: its energy tells ----
sed '/^hessian/d' bonds.ini >onestep.ini
cluster="--set integrator.method=newmark-onestep --set penalty.stiffness=80akma --set integrator.step=6fs"
# shellcheck disable=SC2086
stops max_energy_change onestep.ini $cluster --set stop.max_temperature=none --set stop.max_bond=none
stops max_energy_change onestep.ini --set integrator.steps=1000
cp onestep.ini free.ini

# ---- the same in a bath, which cools the fragments: the energy rises by more than the bath can supply ----
cat >>onestep.ini <<'DECK'
[thermostat]
method = gla
temperature = 10 K
friction = 0.2 /ps
DECK
sed -i 's/^step = .*/step = 5 fs/; s/^stiffness = .*/stiffness = 80 akma/; s/zss-simplified/newmark-onestep/' onestep.ini
mv onestep.ini bath.ini && mv free.ini onestep.ini
stops max_energy_change bath.ini
stops max_energy_change bath.ini --set integrator.step=1.5fs --set integrator.steps=10000 --set output.interval=500steps --set output.series_interval=500steps
[ "$done" -ge 1000 ] || fail "the floor that energies are held against has not moved by step $done"
# What a bath does supply is let through: heating by 300 K, all at once and on a ramp, cooling, friction of each kind.
for bath in 'temperature=300K friction=5/ps' 'temperature=1K->400K friction=0.05/ps' 'temperature=300K friction=5u/ps' \
  'temperature=1000K friction=1/ps' 'temperature=0K friction=1/ps'; do
  succeeds run base.ini -q -o warm --force --set start.temperature=10K --set integrator.time=20ps --set output.interval=1ps \
    --set thermostat."${bath% *}" --set thermostat."${bath#* }"
done

# ---- two waters 0.20 nm apart: constant energy, but 28000 K ----
awk 'BEGIN {
  print "two"; print 6
  for (m = 0; m < 2; m++) for (a = 0; a < 3; a++)
    printf "%5d%-5s%5s%5d%15.9f%15.9f%15.9f\n", m + 1, "SOL", a ? "HW" a : "OW", 3 * m + a + 1,
      a == 0 ? 0 : a == 1 ? 0.075695033 : -0.075695033, a ? 0.058588228 : 0, 0.2 * m
  print "0 0 0" }' >close.gro
sed 's/water7.gro/close.gro/; /^\[thermostat\]/,/^seed/d; s/^step = 2 fs/step = 0.2 fs/; s/^time.*/steps = 2000/; s/^interval.*/interval = 50 steps/' base.ini >close.ini
stops max_temperature close.ini --set start.velocities=zero

# ---- small systems: the energy, and penalised bars ----
stops max_energy_change "$inputs/dna.ini" --set integrator.method=verlet --set integrator.step=1
sed 's/^method = zs/method = verlet/; /^beta/d' "$inputs/papers/tao-owhadi-figure-1-zs.ini" >bars.ini
stops max_energy_change bars.ini
stops max_bond bars.ini --set stop.max_energy_change=none

# ---- the same however often it was stopped, and for any number of threads ----
# (The first part ends where everything is recorded anyway: a last frame that a resume cuts leaves its bytes in the file.)
sed -i 's/^step = .*/step = 1.5 fs/; s/^steps = .*/steps = 10000/; s/^interval = .*/interval = 500 steps/; s/^series = .*/&\nseries_interval = 500 steps/' bath.ini
for deck in hot bonds bars bath; do
  set -- $deck.ini --set stop.max_energy_change=none --set output.interval=2steps --set output.series_interval=2steps
  [ $deck = bath ] && set -- bath.ini
  [ $deck = hot ] && set -- hot.ini --set stop.max_energy_change=none --set constraints.solver=rotor --set output.interval=2steps
  rm -rf whole parts
  "$RILL" run "$@" -q -o whole --threads 1 >.stdout 2>.stderr && fail "$deck was to stop"
  last=$(sed -n 's/^the state of step \([0-9]*\) .*/\1/p' .stderr)
  [ "$last" -gt 1 ] || fail "$deck: stops too soon for the test: $(cat .stderr)"
  "$RILL" run "$@" -q -o parts --set integrator.steps=$((last - last % 2 - 2)) >.stdout 2>.stderr || fail "$deck: $(cat .stderr)"
  "$RILL" run "$@" -q -o parts --threads 2 --resume >.stdout 2>.stderr && fail "$deck was to stop after a resume"
  rm -f whole/*.prev parts/*.prev
  diff -r whole parts >/dev/null || fail "$deck: other files after a resume: $(diff -rq whole parts)"
done
# Other limits may be set when resuming: the run then continues as if they had been set from the start.
limits='--set stop.max_temperature=none --set stop.max_energy_change=none --set stop.max_bond=none'
# shellcheck disable=SC2086
succeeds run bonds.ini -q -o on $limits --set integrator.steps=200
stops max_temperature bonds.ini --set integrator.steps=200
# shellcheck disable=SC2086
succeeds run bonds.ini -q -o out --resume $limits --set integrator.steps=200
rm -f on/*.prev out/*.prev
for file in on/*; do same_files "$file" "out/${file##*/}"; done

# ---- check says what holds, and the deck in full what was given ----
succeeds check base.ini
says stdout '  stop         when T > 5000 K, E gains 55.04 kJ/mol beyond what the bath supplies, a bond deviates by 0.001 of its length'
grep -q '^\[stop\]' .stdout && fail 'a deck without limits has a section of them'
succeeds check base.ini --set thermostat.temperature=1000K --set stop.max_bond=none
says stdout '  stop         when T > 1e+04 K, E gains 440.7 kJ/mol beyond what the bath supplies'
grep -A 1 '^\[stop\]' .stdout | grep -q '^max_bond = none' || fail "none is not in the deck in full: $(tail -n 3 .stdout)"
succeeds check bonds.ini --set stop.max_energy_change=2
says stdout '|E - E0| > 284.4 kJ/mol, a bond deviates by 1.1 of its length'
succeeds check "$inputs/papers/tao-owhadi-figure-1-zs.ini" --set stop.max_energy_change=2.5
says stdout '  stop         when |E - E0| > '
refuses 'above 0 K is expected' check base.ini --set stop.max_temperature=0K
succeeds check base.ini --set stop.max_energy_change=none
says stdout '  stop         when T > 5000 K, a bond deviates by 0.001 of its length'
refuses 'it needs system.kind = water' check bars.ini --set stop.max_temperature=300K
refuses 'the run would stop at its start: the temperature is' run base.ini -o cold --set stop.max_temperature=1K

# ---- validate runs a deck by the same limits ----
for deck in bonds.ini bars.ini; do
  run_rill validate $deck -q
  command="validate $deck"
  [ $status -eq 1 ] || fail "rill $command: exit status $status, expected 1"
  says stderr '([stop] max_'
done
# Without limits it is the verdicts that see it, whatever came after the first steps.
for deck in onestep.ini hot.ini; do
  set -- $deck --set integrator.steps=1000
  # shellcheck disable=SC2086
  [ $deck = onestep.ini ] && set -- "$@" $limits
  [ $deck = hot.ini ] && set -- "$@" --set constraints.solver=rotor --set stop.max_temperature=none --set stop.max_bond=none --set stop.max_energy_change=none
  rm -rf out
  succeeds run "$@" -q -o out
  run_rill validate out/*.h5md
  command="validate of $deck"
  [ $status -eq 1 ] || fail "rill $command: exit status $status, expected 1: $(cat .stdout)"
  [ $deck = hot.ini ] || says stdout 'FAILS   energy change'
  [ $deck = hot.ini ] || says stdout 'FAILS   bond lengths'
  [ $deck = onestep.ini ] || says stdout 'FAILS   temperature peak'
  [ $deck = onestep.ini ] || says stdout 'FAILS   energy gain'
done
finish

#!/usr/bin/env bash
# [thermostat] of small systems from outside: refusals, what is printed and written, validate, the same bytes for any
# number of threads and after a resume, and ensembles of them.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

# deck KIND METHOD INSERTION STEP [LINE]...: writes KIND.ini; the lines belong to [system].
deck() {
  printf '[system]\nkind = %s\n' "$1" >"$1.ini"
  printf '%s\n' "${@:5}" >>"$1.ini"
  cat >>"$1.ini" <<DECK
[integrator]
method = $2
step = $4
steps = 400
[thermostat]
method = $3
temperature = 0.5
friction = 2
seed = 4
[output]
trajectory = out.h5
interval = 20 steps
series = out.csv
series_interval = 10 steps
checkpoint = out.checkpoint
checkpoint_interval = 7 steps
DECK
}

# ---- refusals, each with its reason ----
deck pendulum-chain verlet gla 0.02 'count = 10'
refuses 'thermostat.temperature: 300 K: a pure number is expected' check pendulum-chain.ini --set 'thermostat.temperature=300 K'
refuses 'thermostat.friction: 1 /ps: a pure number is expected' check pendulum-chain.ini --set 'thermostat.friction=1 /ps'
refuses 'out of range, not negative is expected' check pendulum-chain.ini --set thermostat.temperature=-1
refuses 'does not offer trials that are accepted by their energy; use gla' check pendulum-chain.ini --set thermostat.method=ghmc
refuses 'inside splittings only; use gla' check pendulum-chain.ini --set thermostat.method=baoab --set integrator.method=dvp
sed '/^temperature/d; /^friction/d' pendulum-chain.ini >bare.ini
refuses '[thermostat] temperature is missing: the energy k T' check bare.ini
says stderr '[thermostat] friction is missing: a rate'
deck double-pendulum-angles dvp gla 0.02
refuses 'friction by gamma has no exact flow there' check double-pendulum-angles.ini --set thermostat.friction_law=gamma
refuses 'the unit is missing: an energy is expected' check "$inputs/spherical-pendulum.ini" --set thermostat.method=gla \
  --set thermostat.temperature=1 --set 'thermostat.friction=1 /s'
refuses 'friction_law has no effect here' check "$inputs/spherical-pendulum.ini" --set thermostat.method=gla \
  --set 'thermostat.temperature=1 J' --set 'thermostat.friction=1 kg/s' --set thermostat.friction_law=gamma
refuses '[output] means_from has no effect here' check "$inputs/double-pendulum.ini" --set output.means_from=1

succeeds compare pendulum-chain.ini --methods verlet --set thermostat.method=none --set integrator.steps=10

# ---- what is printed ----
succeeds check pendulum-chain.ini
says stdout 'thermostat   gla, k T = 0.5, friction 2, seed 4'
says stdout 'beyond what the bath supplies'
succeeds check pendulum-chain.ini --json
says stdout '"temperature": [0.5, 0.5]'
succeeds check "$inputs/spherical-pendulum.ini" --set thermostat.method=gla --set 'thermostat.temperature=20 mJ -> 1 J' \
  --set 'thermostat.friction=1 kg/s'
says stdout 'k T = 0.02 J -> 1 J, friction 1 kg/s'
# friction that depends on the mass: a note with constraints and different masses only
deck double-pendulum verlet gla 0.02 'masses = 1 3' 'formulation = constrained'
succeeds check double-pendulum.ini --set thermostat.friction_law=gamma
says stdout 'shifts the kinetic temperature'
succeeds check pendulum-chain.ini --set thermostat.friction_law=gamma
grep -q 'shifts the kinetic' .stdout && fail 'a note about equal masses'
# a deck without a thermostat does not show one
succeeds check "$inputs/double-pendulum.ini"
grep -q thermostat .stdout && fail 'a thermostat is shown that is not there'

# ---- the same bytes for threads, and after a resume ----
deck dna verlet baoab 0.1 'count = 20'
deck magnetic-rigid-body lie-verlet gla 0.05 'inertia = 1 2 1.5'
for case in pendulum-chain:gla pendulum-chain:baoab double-pendulum:gla double-pendulum:baoab dna:gla dna:baoab \
  double-pendulum-angles:gla magnetic-rigid-body:gla magnetic-rigid-body:baoab; do
  kind=${case%:*}
  set -- --set "thermostat.method=${case#*:}"
  [ "$case" != magnetic-rigid-body:baoab ] ||
    set -- "$@" --set integrator.method=verlet --set system.formulation=constrained
  rm -rf whole parts
  succeeds run "$kind.ini" -q -o whole --threads 1 "$@"
  cp .stdout whole.text
  succeeds run "$kind.ini" -q -o parts --threads 3 "$@" --set integrator.steps=133
  succeeds run "$kind.ini" -q -o parts --threads 2 "$@" --resume
  for file in out.h5 out.csv out.checkpoint; do same_files whole/$file parts/$file; done
  diff <(sed '/^speed/,$d' whole.text) <(sed '/^speed/,$d; /resumed/d' .stdout) >difference || fail "$case: $(head -5 difference)"
done
# means would be said to begin at the new time, with samples from before it
succeeds run pendulum-chain.ini -q -o from --set output.means_from=1 --set integrator.steps=133
refuses '[output] means_from = 2; it was 1 when' run pendulum-chain.ini -o from --set output.means_from=2 --resume

# ---- files and summaries ----
succeeds run pendulum-chain.ini -q -o printed --set thermostat.method=baoab --set output.means_from=1
says stdout 'from 1 on, with standard errors'
says stdout 'temperature, half-step'
says stdout '10 degrees of freedom have the mean kinetic energy 2.5'
succeeds run "$inputs/simple-pendulum.ini" --set integrator.time=1 --set thermostat.method=gla --set thermostat.temperature=1 \
  --set thermostat.friction=1 --set output.trajectory=none --set output.series=none
says stdout '1 degree of freedom has the mean kinetic energy 0.5'
refuses 'increasing temperatures are expected' check "$inputs/simple-pendulum.ini" --set thermostat.method=gla \
  --set thermostat.friction=1 --set ensemble.replicas=16 --set 'ensemble.temperatures=20 -> 0.5, 16'
grep -q 'temperature is missing' .stderr && fail 'misses a temperature that a ladder gives'
grep -q '^step,.*,iterations,temperature,temperature_half,q1,' printed/out.csv || fail 'the series has no temperatures'
awk -F, '/^[1-9]/ { d = $15 - $3 / 5; if (d < 0) d = -d; if (d > most) most = d; n++ } END { exit !(n > 30 && most < 1e-12) }' \
  printed/out.csv || fail 'the temperature of the series is not 2 K / f'
succeeds run pendulum-chain.ini -q -o json --json
[ "$(grep -c '"samples"' .stdout)" -ge 1 ] && says stdout '"temperature": {"mean"'

# ---- validate: of a deck, and of a file; a bath that was not reached is seen ----
for method in gla baoab; do
  succeeds validate pendulum-chain.ini --set thermostat.method=$method --set integrator.steps=40000 --set 'system.spacing=0 -1'
  says stdout 'agrees with the target of 0.5'
  says stdout 'Maxwell-Boltzmann law of 10'
done
succeeds validate dna.ini --set thermostat.method=gla --set integrator.steps=40000
says stdout 'all 20 momenta have the temperature of the bath'
succeeds run pendulum-chain.ini -q -o valid --set integrator.steps=20000 --set 'system.spacing=0 -1'
succeeds validate valid/out.h5
says stdout 'agrees with the target of 0.5'
# near the longest stable step: baoab's half step has no error of the step, and that on the step would fail
deck harmonic-oscillator verlet baoab 1.8
succeeds validate harmonic-oscillator.ini --set integrator.steps=40000
# a bath without friction does not bring the chain to its temperature
run_rill validate pendulum-chain.ini --set integrator.steps=40000 --set thermostat.friction=0 --set system.rate=0.1
[ $status -eq 1 ] || fail "a bath without friction: status $status: $(cat .stdout)"

# ---- ensembles ----
sed 's/^time = .*/steps = 600/; s/^means_from.*/means_from = 2/; s/^exchange_interval.*/exchange_interval = 20 steps/
  s/^series_interval.*/&\ncheckpoint = ladder.checkpoint\ncheckpoint_interval = 50 steps/' "$inputs/chain-ladder.ini" >ladder.ini
refuses '[output] trajectory is for one system' check ladder.ini --set output.trajectory=x.h5
refuses '[output] series is for one system' check ladder.ini --set output.series=x.csv
refuses 'no multiple of the number of temperatures' check ladder.ini --set ensemble.replicas=20
refuses 'temperatures above 0 are expected' check ladder.ini --set 'ensemble.temperatures=0, 1, 2'
refuses 'takes one system' validate ladder.ini
refuses 'takes one system' compare ladder.ini --methods verlet
succeeds check ladder.ini
says stdout '1 ladder of 16 temperatures, 0.5 to 20'
succeeds check ladder.ini --json
says stdout '"temperatures": [0.5, '
succeeds run ladder.ini -q -o whole16 --threads 1
says stdout 'C / k'
succeeds run ladder.ini -q -o parts16 --threads 3 --set integrator.steps=270
succeeds run ladder.ini -q -o parts16 --threads 2 --resume
same_files whole16/ladder-ensemble.csv parts16/ladder-ensemble.csv
same_files whole16/ladder.checkpoint parts16/ladder.checkpoint
refuses '[output] means_from = 4; it was 2 when' run ladder.ini -o parts16 --set output.means_from=4 --resume
awk -F, '/^[0-9]/ { rows++; tried += $14; accepted += $15 } END { exit !(rows == 15 && accepted > 0.4 * tried && tried > 200) }' \
  <(grep -v nan,nan,nan whole16/ladder-ensemble.csv) || fail "exchanges: $(tail -3 whole16/ladder-ensemble.csv)"
awk -F, '/^[0-9]/ && !($11 > 0.5 * $2 && $11 < 2 * $2) { exit 1 }' whole16/ladder-ensemble.csv || fail 'kinetic temperatures'
sed 's/pendulum-chain/double-pendulum/; /^count/d; s/^spacing.*/masses = 1 3\nformulation = constrained/' ladder.ini >two.ini
succeeds check two.ini --set thermostat.friction_law=gamma --set ensemble.exchange=none
says stdout 'shifts the kinetic temperature'
refuses 'friction by gamma, constraints and different masses' check two.ini --set thermostat.friction_law=gamma
finish

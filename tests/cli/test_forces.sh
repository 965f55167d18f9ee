#!/usr/bin/env bash
# Forces, friction, constraints on velocities, steps of varying length: check, run, resume, compare, validate; decks that are refused.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

# ---- what would run, and with what ----
succeeds check "$inputs/forced-pendulum.ini"
says stdout "forces       constant, a sinusoid of angular frequency 1.7, friction with the rate 0.1; by d'Alembert's principle"
succeeds check "$inputs/damped-oscillator.ini"
says stdout 'forces       friction with the rate 0.1; by their flow, half before and half after a step'
succeeds check "$inputs/rolling-disk.ini"
says stdout '4 coordinates, 0 constraints, 2 degrees of freedom'

# ---- the energy falls as exp(-c t), up to the phase; the deck in full, which the series has, makes the same run ----
succeeds run "$inputs/damped-oscillator.ini" -q -o damped
awk -F, '/^0,/ { first = $5 } /^[0-9]/ { last = $5 } END { r = last / first / exp(-6); exit !(r > 0.8 && r < 1.25) }' \
  damped/damped-oscillator.csv || fail 'the oscillator does not decay'
sed -n '/^# \[/,/^# series_interval/s/^# //p' damped/damped-oscillator.csv >damped-oscillator.ini
succeeds run damped-oscillator.ini -q -o again
same_files damped/damped-oscillator.csv again/damped-oscillator.csv

# A driven system may gain any energy.
succeeds run "$inputs/forced-pendulum.ini" -q -o driven --set force.constant=3

# ---- refusals ----
refuses 'the method has no form with forces beside those of the Lagrangian; verlet, dvp, galerkin and shooting' \
  run "$inputs/forced-pendulum.ini" --set integrator.method=implicit-midpoint
refuses 'not by their flow; leave integrator.forces out' run "$inputs/forced-pendulum.ini" --set integrator.forces=product
refuses 'only verlet has a discrete' run "$inputs/damped-oscillator.ini" --set integrator.forces=d-alembert \
  --set integrator.method=zs
refuses 'a heat bath has friction of its own' run "$inputs/damped-oscillator.ini" --set thermostat.method=gla \
  --set thermostat.temperature=1 --set thermostat.friction=1
refuses 'has 2 numbers, and simple-pendulum has 1 coordinate: one for each is expected' run \
  "$inputs/forced-pendulum.ini" --set 'control.amplitude=1 2'
refuses 'force.constant' run "$inputs/forced-pendulum.ini" --set 'force.constant=x'
refuses 'it needs [force], [control] or [friction], of a small system' run "$inputs/simple-pendulum.ini" \
  --set integrator.forces=product
refuses 'it needs a small system' check "$inputs/water7.ini" --set friction.coefficient=1/ps
refuses 'the method has no form for constraints on velocities (nonholonomic); use lagrange-d-alembert' run \
  "$inputs/rolling-disk.ini" --set integrator.method=verlet
refuses 'the system has no constraints on velocities' run "$inputs/simple-pendulum.ini" \
  --set integrator.method=lagrange-d-alembert

# ---- a table; a resumed run has that of its start, which may have grown ----
printf '# t torque\n0 0\n5 0.3\n\n20 -0.2\n' >table.txt
sed -e '/^amplitude/c table = table.txt' -e '/^omega/d;/^phase/d' -e 's/^time = 100/time = 20/' \
  "$inputs/forced-pendulum.ini" >forced-pendulum.ini
succeeds run forced-pendulum.ini -q -o whole
succeeds run forced-pendulum.ini -q -o parts --set integrator.time=10
mv table.txt kept.txt
printf '0 0\n5 1\n20 -0.2\n' >table.txt
refuses "row 2 of [control] table is not that of the run's start, which had 3" run forced-pendulum.ini -q \
  -o parts --resume
{ cat kept.txt; echo '40 1'; } >table.txt
succeeds run forced-pendulum.ini -q -o parts --resume
same_files whole/forced-pendulum.csv parts/forced-pendulum.csv
printf '0 0\n5 1\n' >table.txt
refuses 'the times 0 to 5, and the run goes from 0 to 20' check forced-pendulum.ini
printf '0 0\n5 1 2\n' >table.txt
refuses 'table.txt:2: a time, and a number for each of 1 coordinate' check forced-pendulum.ini
printf '0 0\n5 1\n5 2\n30 1\n' >table.txt
refuses 'table.txt:3: increasing times' check forced-pendulum.ini

# ---- compare and validate ----
succeeds compare "$inputs/forced-pendulum.ini" --set integrator.time=10 --steps 0.1,0.05 \
  --methods verlet,verlet/d-alembert,dvp --csv table.csv
[ "$(grep -c -e '^verlet' -e '^dvp' table.csv)" -eq 6 ] || fail "compare: $(cat table.csv)"
awk -F, '/^(verlet|dvp)/ { e[$1, ++k[$1]] = $4 }
  END { for (m in k) { r = e[m, 1] / e[m, 2]; if (!(r > 3.8 && r < 4.2)) exit 1 } }' table.csv ||
  fail "orders: $(cat table.csv)"
awk -F, '/^(verlet|dvp)/ && $6 != "" { exit 1 }' table.csv || fail "the work of a force taken for an error of the energy: $(cat table.csv)"
run_rill validate "$inputs/forced-pendulum.ini" -q
grep -q 'open *energy change' .stdout || fail "validate judges the energy of a forced run: $(cat .stdout)"
grep -q 'FAILS' .stdout && fail "validate: $(cat .stdout)"

# ---- constraints on velocities ----
succeeds run "$inputs/rolling-disk.ini" -q -o disk
awk -F, '/^[0-9]/ && $13 > 1e-13 { exit 1 }' disk/rolling-disk.csv || fail 'the disk slips'
succeeds run "$inputs/rolling-disk.ini" -q -o rolled --set integrator.time=50
succeeds run "$inputs/rolling-disk.ini" -q -o rolled --resume
same_files disk/rolling-disk.csv rolled/rolling-disk.csv
succeeds validate "$inputs/rolling-disk.ini" -q

# ---- steps of varying length: the clock is in the series and the checkpoint ----
for method in verlet-adaptive verlet-transformed dvp-energy; do
  given="--set integrator.method=$method --set system.eccentricity=0.5"
  # shellcheck disable=SC2086
  succeeds run "$inputs/kepler.ini" -q -o $method $given
  # shellcheck disable=SC2086
  succeeds run "$inputs/kepler.ini" -q -o $method-parts $given --set integrator.time=43
  # shellcheck disable=SC2086
  succeeds run "$inputs/kepler.ini" -q -o $method-parts $given --resume
  same_files $method/kepler.csv $method-parts/kepler.csv
done
awk -F, '/^step,/ { if ($15 != "clock") exit 1 } /^[0-9]/ { if ($15 < last) exit 1; last = $15 } END { exit !(last > 40) }' \
  verlet-adaptive/kepler.csv || fail "the clock: $(grep -v '^#' verlet-adaptive/kepler.csv | head -3)"
succeeds compare "$inputs/kepler.ini" --set integrator.time=0.86 --steps 0.01 --methods verlet,yoshida4
refuses 'its steps vary in length, and a comparison is made at equal times' compare "$inputs/kepler.ini" --steps 0.043 \
  --methods verlet,verlet-adaptive
refuses 'the system does not say how long steps should be where' check "$inputs/simple-pendulum.ini" \
  --set integrator.method=verlet-adaptive
refuses 'steps of varying length have no bath' check "$inputs/kepler.ini" --set thermostat.method=gla \
  --set thermostat.temperature=1 --set thermostat.friction=1

# ---- multistep methods: the history is in the checkpoint, and has no form for what changes velocities ----
for method in verlet-two-step quinlan-tremaine symmetric8; do
  given="--set integrator.method=$method --set system.eccentricity=0.2"
  # shellcheck disable=SC2086
  succeeds run "$inputs/kepler-multistep.ini" -q -o $method $given --set integrator.steps=2400
  # shellcheck disable=SC2086
  succeeds run "$inputs/kepler-multistep.ini" -q -o $method-parts $given --set integrator.steps=1200
  # shellcheck disable=SC2086
  succeeds run "$inputs/kepler-multistep.ini" -q -o $method-parts $given --set integrator.steps=2400 --resume
  same_files $method/kepler-multistep.csv $method-parts/kepler-multistep.csv
  refuses 'takes its velocities from earlier positions' check "$inputs/oscillator-bath.ini" --set integrator.method=$method
  refuses 'has no form for constraints' check "$inputs/planar-pendulum.ini" --set integrator.method=$method
  refuses "a composition's differ" check "$inputs/kepler-multistep.ini" --set integrator.method=$method \
    --set integrator.composition=yoshida4
  refuses 'has no form with forces' check "$inputs/forced-pendulum.ini" --set integrator.method=$method
  refuses 'beta has no effect here' check "$inputs/kepler-multistep.ini" --set integrator.method=$method \
    --set integrator.beta=0.3
  refuses 'mechanical capability' check "$inputs/water7-nve.ini" --set integrator.method=$method
done

# ---- a degenerate Hamiltonian: Type II runs, Type I is refused ----
vortices=$inputs/point-vortices.ini
succeeds run "$vortices" -q -o vortices
succeeds run "$vortices" -q -o vortices-parts --set integrator.time=200
succeeds run "$vortices" -q -o vortices-parts --resume
same_files vortices/point-vortices.csv vortices-parts/point-vortices.csv
succeeds validate "$vortices" -q
succeeds compare "$vortices" --set integrator.time=8 --steps 0.4,0.2 --methods discrete-hamiltonian,hamiltonian-midpoint
for method in shooting hamiltonian-shooting dvp; do
  refuses "it has no Lagrangian, continuous or discrete (Type I); use discrete-hamiltonian" check "$vortices" \
    --set integrator.method=$method
done
refuses 'the circulation of vortex 2 is 0' check "$vortices" --set 'system.circulations=1 0'
refuses 'vortices 1 and 2 are at the same point' check "$vortices" --set 'system.x=1 1'
refuses 'y has 3 numbers, and circulations 2' check "$vortices" --set 'system.y=0 1 2'
refuses 'has no velocities that a heat bath could act on' check "$vortices" --set thermostat.method=gla \
  --set thermostat.temperature=1 --set thermostat.friction=1
refuses '-0.1: out of range' check "$vortices" --set integrator.step=-0.1
refuses 'third derivatives of the Hamiltonian' check "$vortices" --set integrator.quadrature=euler-maclaurin
finish

#!/usr/bin/env bash
# Small systems: check, run, their series in HDF5 and CSV, the summary, info, list; decks that are refused.  Cases A04, A05, F09.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

cat >dp.ini <<'DECK'
[system]
kind = double-pendulum
formulation = penalised
lengths = 1 1.4142135623730951
[penalty]
stiffness = 20
[integrator]
method = zs
step = 0.1
time = 50
beta = 0.4
[output]
trajectory = dp.h5
series = dp.csv
interval = 0.5
series_interval = 1 steps
DECK
cat >rb.ini <<'DECK'
[system]
kind = rigid-body
[integrator]
method = dvp
step = 10 ms
time = 3 s
DECK

# ---- refusals: place, what was found, what is expected; all faults together ----
spoil() {
  local script=$1 deck=$2
  sed "$script" "$deck" >spoilt.ini
  cmp -s "$deck" spoilt.ini && fail "sed '$script' changes nothing"
  shift 2
  refuses "$1" run spoilt.ini -o out
  refuses "$1" check spoilt.ini
  shift
  for fragment; do says stderr "$fragment"; done
}
spoil 's/kind = .*/kind = doubel-pendulum/' dp.ini 'spoilt.ini:2: [system] kind = doubel-pendulum: no such system; did you mean double-pendulum?'
spoil 's/lengths/lenghts/' dp.ini 'spoilt.ini:4: unknown key lenghts in [system]: did you mean lengths?'
spoil 's/lengths.*/structure = water7.gro/' dp.ini 'unknown key structure in [system]; the keys of double-pendulum there are kind, masses'
spoil 's/lengths = 1 .*/lengths = 1 2 3/' dp.ini 'spoilt.ini:4: [system] lengths = 1 2 3: 2 numbers are expected'
spoil 's/lengths = 1 .*/lengths = 1 2 m/' dp.ini 'spoilt.ini:4: [system] lengths = 1 2 m: "m" after the number; pure numbers are expected'
spoil 's/lengths = 1 .*/lengths = 1 -2/' dp.ini 'spoilt.ini:4: [system] lengths = 1 -2' 'outside'
spoil 's/lengths = 1 .*/lengths = 1 nan/' dp.ini '"nan" after the number'
spoil 's/lengths = 1 .*/lengths =/' dp.ini 'a value is expected'
spoil 's/lengths = 1 .*/&\n&/' dp.ini 'spoilt.ini:5: [system] lengths is given twice, first in line 4'
spoil 's/^stiffness/stifness/' dp.ini 'unknown key stifness in [penalty]: did you mean stiffness?'
spoil '/penalty/d' dp.ini 'spoilt.ini:5: unknown key stiffness in [system]: it belongs in [penalty]'
spoil '/formulation/d' dp.ini 'spoilt.ini:5: [penalty] stiffness has no effect here: it needs system.formulation = penalised'
spoil 's/penalised/penalized/' dp.ini 'choose one of: constrained, penalised'
spoil 's/step = 0.1/step = 0.1 fs/' dp.ini '[integrator] step = 0.1 fs: a pure number is expected'
spoil 's/time = 50/time = 50.03/' dp.ini 'not a whole number of steps' 'the nearest times are 50 and 50.1'
spoil 's/step = 10 ms/step = 10/' rb.ini 'the unit is missing' '(s, ms, us)'
spoil 's/step = 10 ms/step = 10 fs/' rb.ini '[integrator] step = 10 fs: the unit `fs` is not used here'
spoil 's/method = zs/method = verlet/' dp.ini "[integrator] beta has no effect here: it needs a method with Newmark's parameter"
spoil 's/beta = 0.4/tolerance = 1e-9/' dp.ini '[integrator] tolerance has no effect here'
spoil 's/beta = 0.4/hessian = full/' dp.ini '[integrator] hessian has no effect here'
spoil 's/beta = 0.4/newton_start = C/' dp.ini '[integrator] newton_start has no effect here: it needs integrator.method = newmark-onestep'
spoil 's/beta = 0.4/composition = yoshida5/' dp.ini 'composition = yoshida5 is not known: did you mean yoshida4?'
spoil 's/method = zs/method = zz/' dp.ini '[integrator] method = zz is not known'
spoil 's/method = dvp/method = zss/' rb.ini 'method zss does not bind to system rigid-body'
spoil 's/dp.h5/dp.h5md/' dp.ini 'expected a name that ends in .h5, from which'
for section in constraints rdf confine start forces; do
  spoil "s/\[output\]/[$section]\n&/" dp.ini "[$section] has no effect here: it needs system.kind = water"
done
spoil 's/\[output\]/&\nprecision = double/' dp.ini '[output] precision has no effect here'
spoil 's/lengths/lenghts/; s/stiffness = 20/stiffness = -1/; s/0.1$/0.1 s/; s/\[output\]/[thermostat]\nmethod = gla\n&/' dp.ini \
  'spoilt.ini:4: unknown key lenghts' 'spoilt.ini:6: [penalty] stiffness = -1' 'spoilt.ini:9: [integrator] step = 0.1 s' \
  'spoilt.ini: [thermostat] temperature is missing'
# starts that cannot be, keys that another key leaves without effect
refuses 'whose length may not be 0' check "$inputs/pendulum-chain.ini" --set 'system.spacing=0 0'
refuses 'on the vertical phi has no meaning' check "$inputs/spherical-pendulum-angles.ini" --set 'system.angles=0 1 rad'
refuses 'the initial positions violate the constraints' check "$inputs/spherical-pendulum.ini" --set 'system.position=1 1 1 m'
refuses 'the initial velocities stretch rod 1' check "$inputs/spherical-pendulum.ini" --set 'system.velocity=1 1 1 m/s'
refuses 'cannot reach x = 0.9' check "$inputs/spherical-pendulum.ini" --set 'system.position=0.9 0.5 m'
refuses '[system] seed has no effect here: it needs system.start = random' check "$inputs/dna.ini" \
  --set system.start=deterministic --set system.seed=3
refuses '[system] retraction has no effect here: it needs system.formulation = group' check "$inputs/magnetic-rigid-body.ini" \
  --set system.formulation=constrained --set integrator.method=rattle --set system.retraction=exponential
# Far down a long chain positions are rounded to more than a solver's tolerance; the dense methods end before.
for method in implicit-midpoint newmark newmark-pushforward; do
  succeeds run "$inputs/pendulum-chain.ini" -o long --force --set system.formulation=penalised --set system.count=20000 \
    --set integrator.method=$method --set integrator.step=0.005 --set integrator.time=0.025 --set output.interval=0.025
done
refuses 'too many coordinates for it' check "$inputs/pendulum-chain.ini" --set system.count=1000 --set integrator.method=dvp
# --set takes the effect of a line away: that line is passed over
succeeds check dp.ini --set system.formulation=constrained --set integrator.method=rattle
sed 's/lengths/[lenghts/' dp.ini >spoilt.ini # a line that is no line of a deck
refuses 'spoilt.ini:4' run spoilt.ini
refuses 'the unit is missing: a penalty' run base.ini --set penalty.stiffness=1 -o out
refuses 'did you mean stiffness' check dp.ini --set penalty.stifness=30
refuses '--set system.masses: 1: 2 numbers are expected' check dp.ini --set system.masses=1
refuses 'given twice on the command line' check dp.ini --set 'system.masses=1 1' --set 'system.masses=1 2'

# ---- check: what would run, the deck in full, which reads back to the same ----
succeeds check dp.ini --set 'system.masses=1 2' --set integrator.hessian=gauss-newton --set integrator.method=zss-simplified
says stdout 'masses = 1 2'
says stdout 'gravity = 1'
sed -n '/^\[system\]/,$p' .stdout >full.ini
succeeds check full.ini
sed -n '/^\[system\]/,$p' .stdout >again.ini
same_files full.ini again.ini
grep -q -e thermostat -e constraints -e forces full.ini && fail 'the deck in full has sections of water'
succeeds check rb.ini
says stdout 'step = 0.01 s'
sed -n '/^\[system\]/,$p' .stdout >full.ini
succeeds check full.ini
sed -n '/^\[system\]/,$p' .stdout >again.ini
same_files full.ini again.ini

# ---- keys of methods whose options decide on their order ----
cat >pendulum.ini <<'DECK'
[system]
kind = simple-pendulum
angle = 0.7
rate = 0.5
[integrator]
method = galerkin
degree = 4
quadrature = lobatto5
step = 0.2
steps = 1
[output]
series = pendulum.csv
DECK
succeeds check pendulum.ini
says stdout 'quadrature = lobatto5'
succeeds run pendulum.ini -o galerkin
grep -q '^1,.*,0.7866486379164[78]' galerkin/pendulum.csv || fail 'one step of degree 4'
succeeds run pendulum.ini -o shooting --set integrator.method=shooting --set integrator.base=rk4 \
  --set integrator.quadrature=euler-maclaurin
grep -q '^1,.*,0.78664736910635' shooting/pendulum.csv || fail 'one step of shooting'
refuses 'quadrature = hermite3: no such quadrature' check pendulum.ini --set integrator.quadrature=hermite3
sed 's/lobatto5/lobatto05/' pendulum.ini >spoilt.ini
refuses 'spoilt.ini:8: [integrator] quadrature = lobatto05: no such quadrature' check spoilt.ini
refuses 'degree has no effect here' check pendulum.ini --set integrator.method=shooting --set integrator.degree=3
refuses 'singular; take at least as many' check pendulum.ini --set integrator.quadrature=gauss3
refuses 'third derivatives' check "$RILL_SOURCE/inputs/double-pendulum-angles.ini" \
  --set integrator.method=shooting --set integrator.quadrature=euler-maclaurin

# ---- rotations: LGVI's keys, one step to all digits, what moves on a sphere ----
cat >body.ini <<'DECK'
[system]
kind = pendulum-3d
[integrator]
method = lgvi
step = 0.1
steps = 1
[output]
series = body.csv
DECK
for choice in cayley exponential; do
  succeeds run body.ini -o body --force --set integrator.rotation=$choice
  grep -q '^1,.*,0.4600289250621[01][0-9]*,-1.35490820311994[0-9]*,0.844016684167[89][0-9]*' body/body.csv ||
    fail "one step of LGVI, $choice"
done
succeeds check body.ini --set integrator.compensated=yes
says stdout 'compensated'
refuses 'rotation has no effect here' check body.ini --set integrator.method=lie-poisson --set integrator.rotation=cayley
refuses 'does not offer the group capability' check dp.ini --set integrator.method=lgvi --set system.formulation=constrained
refuses 'not a sphere in space' check "$inputs/planar-pendulum.ini" --set integrator.method=riemannian-leapfrog
refuses 'the attitude is not a rotation' check body.ini --set 'system.attitude=1 0 0 0 1 0 0 0 1.1'
refuses 'the initial positions violate' check "$inputs/ellipsoid-particle.ini" --set 'system.position=1 0.5 0'
succeeds compare body.ini --set integrator.steps=20 --methods lgvi/exponential,lgvi/compensated,lgvi/yoshida4,lie-galerkin/3/lobatto4
says stdout 'lie-galerkin/3/lobatto4'
refuses 'symmetric base' compare body.ini --methods lie-galerkin/2/yoshida4
refuses 'lie-galerkin/3/gauss2: ' compare body.ini --methods lgvi,lie-galerkin/3/gauss2
# a body has no linear momentum: its own is named for what it is
succeeds run body.ini -o body --force
says stdout "momentum: about the body's axes"
grep -q 'linear momentum' .stdout && fail 'calls the momentum of a body linear'

# ---- what is left of a step's equations does not add up, with the tolerance that a deck has unasked ----
# The energy of a potential linear in R, and the momentum about an axis of symmetry, are kept to round-off: 1e-16 of
# values below 10, times some hundreds of steps.
succeeds run body.ini -o body --force --set integrator.method=ambient-implicit-midpoint --set integrator.steps=300
awk -F, '/^[0-9]/ { if (first == "") first = $5; d = $5 - first; if (d < 0) d = -d; if (d > most) most = d }
  END { exit !(first != "" && most < 5e-13) }' body/body.csv || fail 'the implicit midpoint rule loses energy'
succeeds run "$inputs/ellipsoid-particle.ini" -o particle --set 'system.axes=1.2 1.2 0.8' --set integrator.time=300
awk -F, '/^[0-9]/ { if (first == "") first = $11; d = $11 - first; if (d < 0) d = -d; if (d > most) most = d }
  END { exit !(first != "" && most < 7e-13) }' particle/ellipsoid-particle.csv ||
  fail 'the Riemannian leapfrog loses momentum about the axis'
# A step of Lie-Poisson's fixed point, which converges slowly here: as good as one solved to the last digit.
for tolerance in 1e-13 1e-15; do
  succeeds run "$inputs/free-body.ini" -o body-$tolerance --set integrator.method=lie-poisson \
    --set 'system.inertia=1.1 2.9 1.3' --set 'system.rates=1 -0.9 0.7' --set integrator.step=0.5 --set integrator.time=0.5 \
    --set integrator.tolerance=$tolerance
done
paste -d, body-1e-13/free-body.csv body-1e-15/free-body.csv | awk -F, '/^1,/ { n = NF / 2; steps++
    for (i = 15; i <= n; i++) { d = $i - $(i + n); if (d < 0) d = -d; if (d > most) most = d } }
  END { exit !(steps == 1 && most < 3e-14) }' || fail 'a step of lie-poisson is not solved'
succeeds list combinations --json

# ---- the matrix of combinations says what the lines say, and fits on a page ----
succeeds list combinations
[ "$(wc -l <.stdout)" -le 66 ] || fail "a matrix of $(wc -l <.stdout) lines"
# of water a letter for each thermostat; of small systems one for all that bind
awk '$1 == "columns" { table = 0 }
  table && NF { for (i = 2; i <= NF; i++)
    if (length($i) == 5) { gsub(/[^ngbhv]/, "", $i); n += length($i) } else n += index("ngb", $i) }
  NR == 1 { table = 1 }
  END { print n }' .stdout >matrix
succeeds list combinations all
grep -c ' binds$' .stdout >lines
same_files matrix lines
succeeds list combinations lgvi
[ "$(awk '{ print $2 }' .stdout | sort -u)" = lgvi ] || fail "lgvi: $(head -3 .stdout)"
succeeds list combinations pendulum-chain
[ "$(awk '{ print $1 }' .stdout | sort -u | tr '\n' ' ')" = 'pendulum-chain/constrained pendulum-chain/penalised ' ] ||
  fail "pendulum-chain: $(head -3 .stdout)"
succeeds list combinations water/box --json
[ "$(grep -c '"system": "water/box[/"]' .stdout)" -eq "$(grep -c '"system"' .stdout)" ] || fail 'water/box: other systems'
refuses 'did you mean pendulum-chain' list combinations pendulum-chian


# ---- run: figure 1 of Tao & Owhadi; the numbers of the reference at t = 1 and 10 to 1e-7 ----
succeeds run dp.ini -o run
says stdout 'largest deviation'
[ "$(grep -c '^[0-9]' run/dp.csv)" -eq 501 ] || fail 'not 501 samples'
refuses 'exists; give --force' run dp.ini -o run
succeeds run dp.ini -o again
same_files run/dp.csv again/dp.csv
same_files run/dp.h5 again/dp.h5 # no time, host or path in it
succeeds info run/dp.h5
says stdout 'double-pendulum, dimensionless'
says stdout 'frames       101'
says stdout 'stiffness = 20'
succeeds info run/dp.csv
says stdout 'rows         501'
if [ -n "${PYTHON-}" ]; then
  "$PYTHON" - <<'PYTHON' || fail 'the series in HDF5'
import h5py, numpy as np
with h5py.File("run/dp.h5", "r") as file:
    series = file["series"]
    shapes = {name: series[name].shape for name in series}
    assert shapes == {"t": (101,), "step": (101,), "q": (101, 4), "p": (101, 4), "position": (101, 4), "energy": (101, 3),
                      "momentum": (101, 6), "residual": (101, 2), "multiplier": (101, 2), "iterations": (101,)}, shapes
    t, q, energy = series["t"][:], series["position"][:], series["energy"][:]
    assert np.array_equal(t, 0.1 * series["step"][:]) and t[-1] == 50  # computed, not summed
    assert np.array_equal(energy[:, 2], energy[:, 0] + energy[:, 1]) and energy[0, 2] == -3
    # reference, Z&S, w = 20, beta = 0.4, h = 0.1: tolerances as in its CSV
    x = series["q"][:]
    at = {1: (None, -0.9871689050, 0.7962819289, -2.2618316803),
          10: (0.5284372896, -0.8500550297, 0.7199869721, -2.2522550136)}
    rows = {when: np.argmin(abs(t - when)) for when in at}
    best = [min(abs(v[rows[when], i] - value) for v in (x, q)) for when in at for i, value in enumerate(at[when]) if value is not None]
    assert max(best) < 1e-7, best
    assert series.attrs["system"] == b"double-pendulum" and series.attrs["units"] == b"none", dict(series.attrs)
    assert b"stiffness = 20" in series.attrs["deck"] and series.attrs["step"] == 0.1
PYTHON
fi
# In SI units every column that has one names its unit.
succeeds run "$inputs/spherical-pendulum.ini" --set integrator.steps=2 -o si
sed -n 's/^# units: //p' si/spherical-pendulum.csv |
  grep -q '^,s,J,J,J,kg m/s,kg m/s,kg m/s,kg m2/s,kg m2/s,kg m2/s,,,,m,m,m,kg m/s,kg m/s,kg m/s,' || fail 'units of the series'
if [ -n "${PYTHON-}" ]; then
  "$PYTHON" - <<'PYTHON' || fail 'units of datasets'
import h5py
series = h5py.File("si/spherical-pendulum.h5")["series"]
units = {name: series[name].attrs.get("unit") for name in series}
assert units["q"] in ("m", b"m") and units["p"] in ("kg m/s", b"kg m/s") and units["energy"] in ("J", b"J"), units
assert [str(u) for u in units["momentum"]][3].strip("b'") == "kg m2/s" and len(units["momentum"]) == 6, units
PYTHON
fi
succeeds run rb.ini -o rb # no output asked for: the summary only
[ ! -e rb ] || [ -z "$(ls rb)" ] || fail 'files that the deck does not name'
says stdout 'angular momentum z'
# 3e5 steps a second and more: a summary of energies that are constant to round-off, 33 J
energy=$(awk '/first  / { print $2 }' .stdout)
[ "$energy" = 33 ] || fail "the energy of the rigid body is $energy, not 33"

# ---- a run that fails keeps what it has, and says so ----
sed 's/method = zs/method = verlet/; /beta/d' dp.ini >unstable.ini
run_rill run unstable.ini -o unstable
[ $status -eq 1 ] || fail "an unstable run: exit status $status"
command='run unstable.ini'
says stderr '([stop] max_energy_change)'
says stderr 'all frames up to then are in unstable/dp.h5'
succeeds info unstable/dp.h5

# ---- a kill leaves committed frames (F09): killed as soon as there are some ----
sed 's/time = 50/steps = 40000000/; s/^interval.*/interval = 1 steps/; /series/d' dp.ini >long.ini
"$RILL" run long.ini -o killed -q >.stdout 2>.stderr &
pid=$!
for _ in $(seq 100); do
  sleep 0.05
  [ "$(stat -c %s killed/dp.h5 2>/dev/null || echo 0)" -gt 1000000 ] && break
done
kill -9 $pid
wait $pid 2>/dev/null
succeeds info killed/dp.h5
frames=$(awk '/frames/ { print $2 }' .stdout)
[ "${frames:-0}" -gt 1000 ] || fail "a killed run keeps ${frames:-no} frames"
# SIGTERM: stops after the step, everything written
"$RILL" run long.ini -o stopped -q >.stdout 2>.stderr &
pid=$!
sleep 0.3
kill -TERM $pid
wait $pid
[ $? -eq 143 ] || fail 'SIGTERM: not exit status 143'
command='run long.ini, SIGTERM'
says stderr 'stopped by a signal'
says stdout 'linear drift'

# ---- every deck that is handed out is in order; the shorter ones run ----
for deck in "$inputs"/*.ini "$inputs"/papers/*.ini; do
  grep -q 'kind = water' "$deck" && continue
  succeeds check "$deck"
  head -1 "$deck" | grep -q '^; ' || fail "$deck does not open with what it shows"
done
# ---- compare: the energy's largest deviation is that over all steps ----
# largest COLUMN FILE: largest |value - first value|
largest() {
  awk -F, -v name="$1" '/^step/ { for (i = 1; i <= NF; i++) if ($i == name) at = i }
    /^[0-9]/ { if (!n++) first = $at; d = $at - first; if (d < 0) d = -d; if (d > most) most = d } END { printf "%.9g", most }' "$2"
}
# column NAME FILE: of the first row
column() { awk -F, -v name="$1" '/^method/ { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } !/^#/ { printf "%.9g", $at; exit }' "$2"; }
sed 's/method = zs/method = verlet/; /beta/d; s/step = 0.1/step = 0.003/; s/time = 50/time = 12/; /^trajectory/d; /^interval/d; s/^series_interval.*//; s/^series =/series_interval = 1 step\n&/' dp.ini >all.ini
succeeds run all.ini -q -o all
succeeds compare all.ini --methods verlet --steps 0.003 --csv all.csv
[ "$(largest total all/dp.csv)" = "$(column energy_error all.csv)" ] ||
  fail "the energy is off by $(largest total all/dp.csv) in a run, by $(column energy_error all.csv) in compare"
sed '/^\[thermostat\]/,/^seed/d; s/^time.*/steps = 500/; s/^series =/series_interval = 1 step\n&/; s/^interval.*/interval = 500 steps/' base.ini >nve.ini
succeeds run nve.ini -q -o nve --set start.temperature=50K
succeeds compare nve.ini -q --methods rattle --repeats 1 --csv nve.csv --set start.temperature=50K
[ "$(largest total nve/base.csv | cut -c1-7)" = "$(column energy_change_kJ_mol nve.csv | cut -c1-7)" ] ||
  fail "water's energy is off by $(largest total nve/base.csv) in a run, by $(column energy_change_kJ_mol nve.csv) in compare"

# ---- a pendulum in a turning frame: the period and the phase are those of the shooting that made the deck ----
if [ -n "${PYTHON-}" ]; then
  succeeds run "$inputs/double-spherical-pattern.ini" -o turning --set integrator.time=5s
  "$PYTHON" -B "$RILL_SOURCE/analysis/pattern.py" turning/double-spherical-pattern.h5 -o turning.png >.stdout || fail 'pattern.py'
  says stdout 'period 3.91449'
  says stdout 'phase -1.00732'
fi

finish

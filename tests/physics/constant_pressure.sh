#!/usr/bin/env bash
# Constant pressure, 216 molecules of TIP3P at 298.15 K, 3 ns each (mc 1 ns): the mean pressure is the barostat's; rescale and mc give one
# density; so does constant volume, at whose mean density the pressure comes out; two pressures 600 bar apart give volumes whose
# distributions differ by exp(-(P2 - P1) V / kT), and one compressibility by fluctuations and by the difference; diffusion at
# constant pressure is that at constant volume.  All within three standard errors.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
scale=${RILL_PHYSICS_SCALE:-1}
steps=$(awk -v s="$scale" 'BEGIN { printf "%d", 1530000 * s }')
cat >npt.ini <<DECK
[system]
molecules = 216
boundary = periodic
density = 0.985 g/cm3
[integrator]
step = 2 fs
steps = $steps
[thermostat]
method = baoab
temperature = 298.15 K
[barostat]
method = rescale
tau = 0.5 ps
[forces]
cutoff = 0.85 nm
lj = shift
tail = yes
accuracy = 1e-4
[output]
trajectory = npt.h5md
interval = 200 fs
series = npt.csv
series_interval = 50 fs
means_from = $(awk -v s="$scale" 'BEGIN { print 20 * (s < 1 ? s : 1) }') ps
DECK
make_run() { # make_run FOLDER ARGUMENT...
  succeeds run npt.ini -q -o "$@"
  cat .stdout
}
make_run low --set thermostat.seed=11
make_run high --set 'barostat.pressure=601 bar' --set thermostat.seed=12
make_run mc --set barostat.method=mc --set thermostat.seed=3 --set integrator.steps=$((steps / 3))
density=$(awk '$1 == "density" { print $2 }' <(sed -n '/^means/,/^$/p' .stdout))
sed '/^\[barostat\]/,/^tau/d' npt.ini >nvt.ini
sed -i 's/npt\./nvt./' nvt.ini
succeeds run nvt.ini -q -o nvt --set "system.density=$density g/cm3" --set thermostat.seed=4
cat .stdout
"${PYTHON:-python3}" "$RILL_SOURCE/tests/physics/constant_pressure.py" low/npt high/npt mc/npt nvt/nvt || fail 'a law of constant pressure'
finish

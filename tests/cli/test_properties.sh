#!/usr/bin/env bash
# Properties of the liquid: computed once more from the frames of the run, at constant volume and pressure; the same bytes for any
# number of threads and after a resume in the middle of a correlation; what is refused, and what is printed.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
cp "$data/structures/p216.xyz" .
cat >t.ini <<'DECK'
[system]
structure = p216.xyz
boundary = periodic
[integrator]
step = 2 fs
steps = 600
[thermostat]
method = baoab
temperature = 298.15 K
[forces]
cutoff = 0.85 nm
lj = shift
tail = yes
[output]
trajectory = t.h5md
interval = 20 fs
checkpoint_interval = 230 steps
precision = double
velocities = yes
series = t.csv
[rdf]
pair = O-O, O-H, H-H
max = 0.9 nm
[properties]
compute = diffusion, viscosity, dielectric, dipole, velocity, hydrogen-bonds, fluctuations, vaporisation
interval = 20 fs
motion_interval = 20 fs
energy_interval = 20 fs
bond_interval = 20 fs
window = 0.8 ps
DECK
files='t-properties.csv t-properties.json t-rdf.csv t-rdf-OH.csv t-rdf-HH.csv t.checkpoint'

# ---- the same as from the frames; threads; a run that is continued twice ----
OMP_NUM_THREADS=1 run_rill run t.ini -o one
[ $status -eq 0 ] || fail "run: $(head -c 600 .stderr)"
says stdout 'self-diffusion'
says stdout 'the heat bath slows the dynamics'
says stdout 'H-H distribution'
"${PYTHON:?}" "$RILL_SOURCE/tests/cli/properties.py" one >.stdout 2>&1 || fail "constant volume: $(cat .stdout)"
OMP_NUM_THREADS=2 succeeds run t.ini -o two
succeeds run t.ini -o three --set integrator.steps=335
succeeds run t.ini -o three --set integrator.steps=336 --resume
succeeds run t.ini -o three --resume
for file in $files; do
  same_files "one/$file" "two/$file"
  same_files "one/$file" "three/$file"
done

# ---- positions and dipoles less often than velocities and stress: the same as if all were ----
succeeds run t.ini -o rare --set 'properties.motion_interval=40 fs'
succeeds run t.ini -o rarer --set 'properties.interval=40 fs' --set 'properties.motion_interval=40 fs' \
  --set 'properties.energy_interval=40 fs' --set 'properties.bond_interval=40 fs'
"$PYTHON" - >.stdout 2>&1 <<'END' || fail "motion_interval: $(cat .stdout)"
import csv, json
def curves(run):
    return json.load(open(f"{run}/t-properties.json"))["curves"]
def table(run):
    rows = csv.DictReader(line for line in open(f"{run}/t-properties.csv") if line[0] != "#")
    return {row["property"]: row["value"] for row in rows}
moved = "displacement", "dipole_P1", "dipole_P2"
one, rare, rarer = (curves(run) for run in ("one", "rare", "rarer"))
for name, curve in rare.items():
    assert (curve == rarer[name]) == (name in moved), name
    assert (curve == one[name]) == (name not in moved), name
one, rare, rarer = (table(run) for run in ("one", "rare", "rarer"))
assert rare["dielectric"] == rarer["dielectric"] != one["dielectric"]
END

# ---- constant pressure ----
npt=(--set barostat.method=rescale --set 'barostat.tau=0.2 ps' --set 'barostat.interval=10 steps')
succeeds run t.ini -o npt "${npt[@]}"
grep -q '^expansion,' npt/t-properties.csv || fail 'no expansion at constant pressure'
"$PYTHON" "$RILL_SOURCE/tests/cli/properties.py" npt >.stdout 2>&1 || fail "constant pressure: $(cat .stdout)"
succeeds run t.ini -o npt2 "${npt[@]}" --set integrator.steps=335
succeeds run t.ini -o npt2 "${npt[@]}" --resume
for file in $files; do same_files "npt/$file" "npt2/$file"; done

# ---- the distributions of the run are those of its frames ----
for pair in O-O O-H H-H; do
  ending=-${pair/-/}
  [ $pair != O-O ] || ending=
  succeeds rdf one/t.h5md --pair $pair --max 0.9nm --csv frames$ending.csv
  same_files <(grep -v '^#' frames$ending.csv) <(grep -v '^#' one/t-rdf$ending.csv)
done
grep -q 'of oxygens and hydrogens' frames-OH.csv || fail "the title of O-H: $(head -2 frames-OH.csv)"

# ---- samples leave the run as it is, and other sets of properties, bodies and constant energy work ----
sed '/^\[properties\]/,$d' t.ini >plain.ini
succeeds run plain.ini -o plain
cmp -s <(grep -v '^#' plain/t.csv) <(grep -v '^#' one/t.csv) || fail 'the series depends on the properties'
succeeds run t.ini -o bodies --set constraints.solver=lgvi --set properties.compute=viscosity,velocity --set rdf.pair=O-H
[ ! -e bodies/t-rdf.csv ] && [ -e bodies/t-rdf-OH.csv ] || fail 'a list without O-O'
succeeds run t.ini -o nve --set thermostat.method=none --set 'start.temperature=298 K' --set properties.compute=dielectric,diffusion
grep -q '^dielectric,' nve/t-properties.csv || fail 'no dielectric constant at constant energy'
grep -q 'slows the dynamics' nve/t-properties.csv && fail 'a bath at constant energy'
succeeds run t.ini -o late --set 'properties.from=9 ps' --json
says stdout 'no sample at or after 9 ps'
succeeds run t.ini -o words --set properties.compute=rotation --json
says stdout '"dipole_tau_1"'

# ---- refusals ----
no() { refuses "$1" check t.ini "${@:2}"; }
no 'no expansion at constant volume' --set properties.compute=expansion
no 'no compressibility at constant volume' --set properties.compute=diffusion,compressibility
no 'no heat-capacity at constant energy' --set thermostat.method=none --set properties.compute=heat-capacity
no 'no fluctuations at constant energy' --set thermostat.method=none
no 'no diffusion of a run with ghmc' --set thermostat.method=ghmc --set forces.precision=double
succeeds check t.ini --set thermostat.method=ghmc --set properties.compute=dielectric
# Overrides that leave the section without effect; intervals that are rounded are those that are stated.
succeeds run t.ini -o cluster --set system.boundary=vacuum --set integrator.steps=30 --set rdf.pair=O-O
says stderr 'properties.compute'
[ ! -e cluster/t-properties.csv ] || fail 'properties of a cluster'
sed '/^[a-z]*_interval = 20 fs/d; /^interval = 20 fs/d; s/^window/interval = 26 fs\n&/' t.ini >rounded.ini
sed -i '/^\[output\]/a interval = 20 fs' rounded.ini
succeeds check rounded.ini
says stdout 'motion_interval = 26 steps'
says stdout 'energy_interval = 962 steps'
no 'while the bath' --set 'thermostat.temperature=298 K -> 300 K'
no 'at 0 K' --set 'thermostat.temperature=0 K'
no 'conducting boundary' --set forces.coulomb=reaction-field
no 'in a field or a trap' --set 'field.electric=0, 0, 0.1 V/nm'
no 'no multiple of interval' --set 'properties.energy_interval=30 fs'
no 'no multiple of interval' --set 'properties.motion_interval=30 fs'
no 'no multiple of interval' --set 'properties.bond_interval=30 fs'
no 'expected 10 to 100000 times motion_interval' --set 'properties.window=0.1 ps'
no 'named twice' --set properties.compute=dipole,rotation
no 'did you mean diffusion?' --set properties.compute=difusion
no 'separated by commas' --set 'properties.compute=dipole,'
no 'one of O-O, O-H, H-H is expected' --set rdf.pair=OH
sed '/^trajectory/d; /^series/d; /^checkpoint/d; /^precision/d; /^velocities/d; /^\[rdf\]/,/^max/d; s/^\[properties\]/[ensemble]\nreplicas = 2\n&/' t.ini >replicas.ini
refuses 'of an ensemble' check replicas.ini
sed '/^boundary/d; /^cutoff/d; /^lj/d; /^tail/d; /^\[properties\]/,$d' t.ini >vacuum.ini
refuses 'distances of hydrogens are counted in boxes' check vacuum.ini
printf '[properties]\ncompute = diffusion\n' >>vacuum.ini
refuses 'system.boundary = periodic' check vacuum.ini --set rdf.pair=O-O
finish

#!/usr/bin/env bash
# Constant pressure from outside: what is refused, what is printed and written, and the same bytes for any number of threads and
# after a resume.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
cp "$data/structures/p216.xyz" "$data/structures/p210_dodeca.xyz" .
cat >npt.ini <<'DECK'
[system]
structure = p216.xyz
boundary = periodic
[start]
temperature = 300 K
[integrator]
step = 2 fs
steps = 150
[thermostat]
method = baoab
temperature = 300 K
[barostat]
method = rescale
interval = 10 fs
tau = 0.5 ps
[forces]
cutoff = 0.85 nm
lj = shift
tail = yes
[output]
trajectory = npt.h5md
interval = 20 fs
series = npt.csv
checkpoint_interval = 10 steps
[rdf]
max = 0.9 nm
DECK

# ---- refusals, each with its reason ----
sed 's/^series = .*//; s/^\[rdf\]/[ensemble]\nreplicas = 2\n&/' npt.ini >replicas.ini
refuses 'system.boundary = periodic' run base.ini --set barostat.method=rescale
succeeds check npt.ini --set barostat.method=none
refuses 'energy of a bare cutoff jumps' run npt.ini --set forces.lj=cut
refuses 'use yes' run npt.ini --set forces.tail=no
refuses 'use pme' run npt.ini --set forces.coulomb=cut
refuses 'use atom' run npt.ini --set forces.coulomb=reaction-field
succeeds check npt.ini --set forces.coulomb=reaction-field --set forces.cutoff_by=atom
refuses 'shorter than the time between two moves' run npt.ini --set 'barostat.tau=9 fs'
refuses 'expected at most' run npt.ini --set 'rdf.max=1.8 nm'
refuses 'need a heat bath' run npt.ini --set thermostat.method=ghmc
refuses 'more than 0 K' run npt.ini --set 'thermostat.temperature=300 K -> 0 K'
refuses 'exchanges take the energies of one volume' run replicas.ini
refuses 'the cell would not move' run npt.ini --set integrator.steps=4
refuses 'the method carries more' run npt.ini --set integrator.method=dvp --set forces.precision=double --set thermostat.method=gla
refuses 'a skew box keeps its shape' run npt.ini --set system.structure=p210_dodeca.xyz --set barostat.shape=semi
refuses 'compares methods at one volume' compare npt.ini --methods rattle
refuses 'barostat.pressure' run npt.ini --set 'barostat.pressure=1 nm'
succeeds check npt.ini --set 'barostat.pressure=2 atm'
says stdout 'pressure = 0.12203868'
sed '/^\[thermostat\]/,/^temperature/d' npt.ini >cold.ini
refuses 'need a heat bath' run cold.ini
cat >penalised.ini <<'DECK'
[penalty]
stiffness = 20 akma
DECK
cat npt.ini >>penalised.ini
refuses "a filter's physical positions" run penalised.ini --set integrator.method=zs --set 'integrator.step=0.5 fs'
succeeds check npt.ini --set system.structure=p210_dodeca.xyz

# ---- what is printed ----
succeeds check npt.ini
says stdout 'barostat     rescale, 1 bar, isotropic, tau 0.5 ps, compressibility 4.5e-05 /bar, a move in 5 steps'
succeeds check npt.ini --json
says stdout '"pressure_bar": 1'
succeeds run npt.ini -q -o whole
for line in 'density' 'enthalpy' 'pressure, N kT/V of the bath' 'moves of the cell' '% of 30'; do says stdout "$line"; done

# ---- what is written ----
# The box of the series is that of the frames, and moves; density, volume and box agree; the last frame has the last box.
column() { awk -F, -v name="$1" '/^step/ { for (i = 1; i <= NF; i++) if ($i == name) at = i } /^[0-9]/ { print $at }' whole/npt.csv; }
[ "$(column box_x | sort -u | wc -l)" -gt 10 ] || fail 'the box does not move'
paste -d, <(column box_x) <(column volume) <(column density) <(column enthalpy) <(column total) |
  awk -F, '{ if (($1^3 / $2 - 1)^2 > 1e-18 || ($3 * $2 / (216 * 18.0154 / 602.214076) - 1)^2 > 1e-12 ||
             ($4 - $5 - 0.0602214076 * $2)^2 > 1e-12) exit 1 }' || fail 'volume, density or enthalpy'
awk -v a="$(column box_x | tail -n 1)" -v b="$(tail -n 1 whole/npt-final.gro | awk '{ print $1 }')" \
  'BEGIN { exit !((a - b) ^ 2 < 1e-15) }' || fail 'box of the last frame'
succeeds info whole/npt.h5md
says stdout 'box'
succeeds convert whole/npt.h5md frames.gro --frame all
boxes=$(awk 'NF == 3 && $1 ~ /^1\.[0-9]+$/' frames.gro | sort -u | wc -l)
[ "$boxes" -gt 8 ] || fail "the frames have $boxes boxes"
# h5py and MDAnalysis read them, at the times of the frames.
"${PYTHON:-python3}" -W ignore - <(column box_x) <<'PY' || fail 'the boxes of the trajectory'
import sys

import h5py
import MDAnalysis

edges = [float(line) for line in open(sys.argv[1])]
with h5py.File("whole/npt.h5md") as file:
    box = file["particles/trajectory/box/edges"]
    assert (box["value"][:, 0, 0] == edges).all() and (box["value"][:, 1, 0] == 0).all()
    assert box["step"][-1] == 150 and (box["time"][:] == file["particles/trajectory/position/time"][:]).all()
universe = MDAnalysis.Universe("whole/npt.gro", "whole/npt.h5md")
assert all(abs(frame.dimensions[0] - 10 * edge) < 1e-4 for frame, edge in zip(universe.trajectory, edges))
PY
succeeds rdf whole/npt.h5md --max 0.9nm
# A frame with a box that cannot be.
for wrong in '[[0, 0, 0], [0, 0, 0], [0, 0, 0]]' '[[-1.9, 0, 0], [0, 1.9, 0], [0, 0, 1.9]]' '[[1.9, 0.1, 0], [0, 1.9, 0], [0, 0, 1.9]]' \
  '[[1.9, 0, 0], [1.5, 1.9, 0], [0, 0, 1.9]]'; do
  cp whole/npt.h5md wrong.h5md
  "${PYTHON:-python3}" -c "
import h5py
with h5py.File('wrong.h5md', 'r+') as file:
    file['particles/trajectory/box/edges/value'][3] = $wrong" || fail 'h5py'
  run_rill validate wrong.h5md
  says stdout '1 of 16 frames are damaged'
  refuses 'is impossible: box vector' convert wrong.h5md wrong.gro --frame 3
done
succeeds energy whole/npt-final.gro --boundary periodic --lj shift

# ---- the same bytes ----
succeeds run npt.ini -q -o threads --threads 3
succeeds run npt.ini -q -o parts --set integrator.steps=80
succeeds run npt.ini -q -o parts --resume
for file in npt.csv npt.gro npt-final.gro npt-rdf.csv; do
  same_files whole/$file threads/$file
  same_files whole/$file parts/$file
done
# Solvers, shapes, and a box that leaves the band of its mesh: a note says so, and again the bytes are the same.
for set in constraints.solver=lgvi system.model=opc barostat.shape=anisotropic barostat.method=mc 'barostat.pressure=-15000 bar'; do
  rm -rf whole parts
  succeeds run npt.ini -q -o whole --set "$set" --set rdf.max=0.8nm
  if [ "$set" = 'barostat.pressure=-15000 bar' ]; then
    says stdout 'mesh chosen anew'
    succeeds run npt.ini -o noted --set "$set" --set rdf.max=0.8nm
    says stderr 'its mesh was chosen for'
    same_files whole/npt.csv noted/npt.csv
  fi
  succeeds run npt.ini -q -o parts --set "$set" --set rdf.max=0.8nm --set integrator.steps=70
  succeeds run npt.ini -q -o parts --set "$set" --set rdf.max=0.8nm --resume
  for file in npt.csv npt-final.gro npt-rdf.csv; do same_files whole/$file parts/$file; done
done

# ---- below twice the cutoff ----
command='run npt.ini --set barostat.pressure=20000bar'
run_rill run npt.ini -q -o small --set 'barostat.pressure=20000 bar' --set forces.cutoff=0.93nm --set 'barostat.tau=50 fs' --set rdf.max=0.5nm
[ $status -eq 1 ] || fail "rill $command: exit status $status"
says stderr 'less than twice the cutoff, 0.93 nm'

# ---- judged ----
run_rill validate whole/npt.h5md
says stdout 'pressure'
cp whole/npt.h5md one.h5md
succeeds run npt.ini -q -o other --set 'barostat.pressure=600 bar' --set thermostat.seed=2 --set rdf.max=0.8nm
run_rill validate one.h5md other/npt.h5md
says stdout 'two pressures'
succeeds run npt.ini -q -o warm --set 'barostat.pressure=600 bar' --set thermostat.temperature=310K --set rdf.max=0.8nm
succeeds run npt.ini -q -o fixed --set barostat.method=none
rm -f .stdout .stderr
refuses 'have the same pressure, 600 bar' validate other/npt.h5md other/npt.h5md
refuses 'has another pressure than the files before' rdf one.h5md other/npt.h5md --max 0.8nm
refuses 'the temperatures differ' validate other/npt.h5md warm/npt.h5md
refuses 'the run has no barostat' validate one.h5md fixed/npt.h5md
refuses 'two runs are compared by their trajectories' validate npt.ini other/npt.h5md
finish

#!/usr/bin/env bash
# Runs in a periodic box from the command line: what is written, said and refused.
. "${RILL_SOURCE:?}/tests/cli/lib.sh"
cp "$data/structures/p216.xyz" "$data/structures/p210_dodeca.xyz" .
cat >liquid.ini <<'DECK'
[system]
kind = water
structure = p216.xyz
boundary = periodic
[start]
temperature = 300 K
[integrator]
method = rattle
step = 2 fs
time = 200 fs
[output]
trajectory = liquid.h5md
interval = 50 fs
series = liquid.csv
DECK
succeeds check liquid.ini
for line in 'in a periodic box, 1293 degrees of freedom' '(1.86206, 0, 0)' 'Coulomb pme, mixed precision' 'mesh         beta' \
  'cutoff = 0.9 nm' 'accuracy = 5e-4'; do
  says stdout "$line"
done
# The defaults' error of the forces, measured, is below that of GROMACS's defaults on such boxes, 7e-4 to 9e-4.
for box in p216 p895 p210_dodeca; do
  succeeds check liquid.ini --set system.structure="$data/structures/$box.xyz"
  awk '/^  accuracy / { e = $6 } END { exit !(e > 1e-5 && e < 7e-4) }' .stdout || fail "error of the forces of $box: $(grep accuracy .stdout)"
done
succeeds run liquid.ini -q -o one --threads 1
says stdout '  pressure  '
succeeds run liquid.ini -q -o two --threads 2
for file in liquid.csv liquid-final.gro liquid.gro; do same_files one/$file two/$file; done
# The box is in every file, and a run goes on from its last frame with the energy that it had.
succeeds info one/liquid.h5md
says stdout 'boundary     periodic'
[ "$(tail -n 1 one/liquid-final.gro | tr -s ' ')" = ' 1.862060000 1.862060000 1.862060000' ] || fail 'box of the last frame'
succeeds convert one/liquid.h5md last.gro
column() { # column NAME FILE: its last value
  awk -F, -v name="$1" '/^step/ { for (i = 1; i <= NF; i++) if ($i == name) at = i } /^[0-9]/ { last = $at } END { print last }' "$2"
}
potential=$(column potential one/liquid.csv)
succeeds energy one/liquid-final.gro --boundary periodic --json
awk -v a="$potential" -v b="$(sed -n 's/.*"potential_kJ_mol": \(.*\),/\1/p' .stdout)" \
  'BEGIN { exit !(a < -8500 && (a - b) ^ 2 < 0.01 * a ^ 2 * 1e-4) }' || fail "potential $potential of the run, and of its last frame"
# At zero velocities the pressure of the run is that of the structure; double, and so fine that the cutoff by molecules does not tell.
succeeds run liquid.ini -q -o rest --set start.velocities=zero --set integrator.steps=0 --set forces.precision=double \
  --set forces.accuracy=1e-9 --set 'system.coulomb_constant=332.06371 kcal*A/mol/e2'
awk -v p="$(column pressure rest/liquid.csv)" 'BEGIN { exit !((p - 126.9914) ^ 2 < 0.01 ^ 2) }' ||
  fail "pressure at rest $(column pressure rest/liquid.csv), expected 126.9914 bar"
# Each key has an effect: another energy at the start.
energy_with() {
  succeeds run liquid.ini -q -f -o other --set integrator.steps=0 "$@"
  column potential other/liquid.csv
}
values=$(
  for set in forces.lj=shift forces.lj=switch forces.tail=yes forces.coulomb=cut forces.coulomb=reaction-field \
    forces.cutoff=0.8nm forces.accuracy=1e-5 forces.precision=double; do
    energy_with --set $set
  done
  energy_with --set forces.kernel=auto
)
[ "$(sort -u <<<"$values" | wc -l)" -eq 9 ] || fail "energies of different settings are not different: $values"
succeeds run liquid.ini -q -o dodeca --set system.structure=p210_dodeca.xyz --set thermostat.method=baoab
awk 'END { exit !(NF == 9 && $6 == 0 && $8 == 1.05 && $9 == 1.05) }' dodeca/liquid-final.gro || fail 'box of the dodecahedron'

# r-RESPA: of the mesh in a box; one substep is RATTLE to the digits of the table.
final() { succeeds run liquid.ini -q -f -o other --set forces.precision=double "$@"; column potential other/liquid.csv; }
rattle=$(final) one=$(final --set integrator.method=respa --set integrator.substeps=1)
awk -v a="$rattle" -v b="$one" 'BEGIN { exit !((a - b) ^ 2 <= 1e-12 * a ^ 2) }' || fail "respa with one substep: $one, not $rattle"
[ "$rattle" != "$(final --set integrator.method=respa --set integrator.substeps=2)" ] || fail 'substeps change nothing'
for thermostat in gla baoab; do
  succeeds run liquid.ini -q -f -o other --set integrator.method=respa --set thermostat.method=$thermostat
done
succeeds check liquid.ini --set integrator.method=respa
says stdout 'respa, 2 substeps, step 2 fs'
refuses 'no slow part' check base.ini --set integrator.method=respa
refuses 'no slow part' check liquid.ini --set integrator.method=respa --set forces.coulomb=cut
refuses 'integrator.method = respa' check liquid.ini --set integrator.substeps=2

refuses 'cutoff 0.95 nm is more than half of the box' check liquid.ini --set forces.cutoff=0.95nm
refuses 'has no box' check liquid.ini --set system.structure=water7.gro
refuses 'system.boundary = periodic' check base.ini --set forces.cutoff=0.9nm
refuses 'forces.lj = switch' check liquid.ini --set forces.switch_from=0.7nm
refuses 'accuracy' check liquid.ini --set forces.accuracy=1e-8
refuses '[start] minimize does not go with boundary = periodic' check liquid.ini --set start.minimize=yes
refuses 'does not keep angular momentum' check liquid.ini --set start.remove=linear+angular
refuses 'rigid in this version' check liquid.ini --set penalty.stiffness=20akma
refuses 'not offered by compare' compare liquid.ini --methods rattle,shake
finish

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
pair() { # pair X Y Z: a molecule at the corner of a box of 3 nm, and one there
  printf 'pair\n 6\n'
  printf '    1SOL  %5s%5d%12.7f%12.7f%12.7f\n' OW 1 0 0 0 HW1 2 .075695 .0585882 0 HW2 3 -.075695 .0585882 0
  awk -v x="$1" -v y="$2" -v z="$3" 'BEGIN { form = "    2SOL  %5s%5d%12.7f%12.7f%12.7f\n"
    printf form, "OW", 4, x, y, z; printf form, "HW1", 5, x + .075695, y + .0585882, z
    printf form, "HW2", 6, x - .075695, y + .0585882, z }'
  echo '3 3 3'
}
pair 1.5 1.5 1.5 >one.gro
printf '3\nLattice="6 0 0 0 6 0 0 0 6"\nO 0 0 0\nH 0.7569503 0.5858823 0\nH -0.7569503 0.5858823 0\n' >cell.xyz
printf '[system]\nstructure = cell.xyz\nboundary = periodic\n[integrator]\nstep = 2 fs\nsteps = 1\n' >own.ini
succeeds check liquid.ini
for line in 'in a periodic box, 1293 degrees of freedom' '(1.86206, 0, 0)' 'Coulomb pme, mixed precision' 'mesh         beta' \
  'cutoff = 0.9 nm' 'accuracy = 5e-4'; do
  says stdout "$line"
done
# The mesh of the deck, also of a resumed run; what is too coarse, or has no such mesh, is refused.
order=(-q --set forces.mesh_order=8 --set output.interval=10steps)
succeeds check liquid.ini --set forces.mesh_order=8
says stdout 'splines of order 8, grid 13 x 13 x 14'
succeeds run liquid.ini "${order[@]}" -o whole --set integrator.steps=40
succeeds run liquid.ini "${order[@]}" -o parts --set integrator.steps=20
refuses 'mesh_order' run liquid.ini "${order[@]}" -o parts --resume --set integrator.steps=40 --set forces.mesh_order=7
succeeds run liquid.ini "${order[@]}" -o parts --resume --set integrator.steps=40
for file in liquid.csv liquid.h5md liquid-final.gro; do same_files whole/$file parts/$file; done
succeeds check liquid.ini --set forces.mesh_grid=24,24,26 --set forces.mesh_order=5
says stdout 'splines of order 5, grid 24 x 24 x 26'
succeeds check liquid.ini --set forces.mesh_order=10
says stdout 'order 10, grid 12 x 12 x 12, in double precision, since single precision has no such order'
refuses 'or another mesh' check liquid.ini --set forces.mesh_grid=10,10,10
says stderr '[forces] mesh_grid, accuracy = 0.0005: an error of the forces of 0.0005 cannot be reached'
refuses '21 points along c; expected an even number' check liquid.ini --set forces.mesh_grid=20,20,21
refuses 'forces.coulomb = pme' check liquid.ini --set forces.coulomb=cut --set forces.mesh_order=5
# The defaults' error of the forces, measured, is below that of GROMACS's defaults on such boxes, 7e-4 to 9e-4.
for box in p216 p895 p210_dodeca; do
  succeeds check liquid.ini --set system.structure="$data/structures/$box.xyz"
  awk '/^  accuracy / { e = $6 + 0 } END { exit !(e > 1e-5 && e < 7e-4) }' .stdout || fail "error of the forces of $box: $(grep accuracy .stdout)"
done
succeeds run liquid.ini -q -o one --threads 1
says stdout '  pressure  '
succeeds run liquid.ini -q -o two --threads 2
for file in liquid.csv liquid-final.gro liquid.gro; do same_files one/$file two/$file; done
# The box is in every file, and a run starts from its last frame with the energy that it had.
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
says stdout 'respa, substeps 2, step 2 fs'
refuses 'no slow part' check base.ini --set integrator.method=respa
refuses 'no slow part' check liquid.ini --set integrator.method=respa --set forces.coulomb=cut
refuses 'integrator.method = respa' check liquid.ini --set integrator.substeps=2

refuses 'cutoff 0.95 nm is more than half of the box' check liquid.ini --set forces.cutoff=0.95nm
refuses 'has no box' check liquid.ini --set system.structure=water7.gro
refuses 'system.boundary = periodic' check base.ini --set forces.cutoff=0.9nm
refuses 'forces.lj = switch' check liquid.ini --set forces.switch_from=0.7nm
refuses 'accuracy' check liquid.ini --set forces.accuracy=1e-8
refuses 'angular momentum is not conserved in a box' check liquid.ini --set start.remove=linear+angular
refuses 'molecules cannot leave a box' check liquid.ini --set confine.radius=1nm
refuses 'use forces.precision = double' check liquid.ini --set integrator.method=dvp
refuses 'take nonlinear = anderson' check liquid.ini --set integrator.method=dvp --set forces.precision=double \
  --set integrator.nonlinear=newton-krylov
refuses 'stiff bonds are relaxed in vacuum only' check liquid.ini --set penalty.stiffness=20akma --set start.minimize=yes
refuses 'needs system.boundary = periodic' check base.ini --set forces.cutoff_by=atom

# ---- cutoffs and boxes that are too small: the message names them, the limits, and what to change ----
for cutoff in 0.001 0.05 0.2 0.35; do
  refuses "a cutoff of $cutoff nm is shorter than the distance where Lennard-Jones has its minimum, 0.3536 nm" \
    check liquid.ini --set forces.cutoff=${cutoff}nm
done
refuses 'a cutoff of 0.2 nm is shorter' check base.ini --set forces.coulomb=cut --set forces.cutoff=0.2nm
refuses 'a cutoff of 0.2 nm is shorter' energy p216.xyz --boundary periodic --cutoff 0.2nm
for coulomb in pme cut; do
  refuses 'the box is too small: its shortest lattice vector, 0.6 nm, allows a cutoff of 0.3 nm' \
    check own.ini --set forces.coulomb=$coulomb
done
refuses 'use a box of at least 0.7073 nm across' build water 3 --box 0.6nm -o none.gro
refuses 'use a box of at least 0.7073 nm across' energy cell.xyz --boundary periodic

# ---- molecules far apart: the requested accuracy is met, relative to kT/nm where forces nearly vanish ----
cat >one.ini <<'DECK'
[system]
structure = one.gro
boundary = periodic
[start]
temperature = 300 K
remove = none
[integrator]
step = 2 fs
steps = 100
[output]
trajectory = one.h5md
interval = 20 steps
series = one.csv
series_interval = 20 steps
DECK
succeeds check one.ini
says stdout 'relative to 2.494 kJ/mol/nm, kT/nm at 300 K, since their rms'
cp .stdout dilute.log
awk '/^  accuracy / { e = $6 + 0 } END { exit !(e > 0 && e <= 5e-4) }' .stdout ||
  fail "two molecules: $(grep accuracy .stdout)"
succeeds run one.ini -q -o dilute
succeeds energy dilute/one-final.gro --boundary periodic --coulomb ewald --json
direct=$(sed -n 's/.*"coulomb_kJ_mol": \(.*\),/\1/p' .stdout)
awk -v a="$(column coulomb dilute/one.csv)" -v b="$direct" 'BEGIN { exit !((a - b) ^ 2 < (2 * 5e-4 * 2.494) ^ 2) }' ||
  fail "Coulomb energy of moving molecules $(column coulomb dilute/one.csv), direct sum $direct"
succeeds energy one.gro --boundary periodic
says stdout 'kT/nm at 300 K'
# The mesh is the start's, whatever has become of the file since: a resumed run has the same bytes.
succeeds run one.ini -q -o resumed --set integrator.steps=60
mesh=$(grep '^  mesh' dilute.log)
pair 0 0 0.3 >one.gro
succeeds check one.ini
[ "$(grep '^  mesh' .stdout)" != "$mesh" ] || fail 'molecules that are near one another take the same mesh'
succeeds run one.ini -q -o resumed --resume
for file in one.csv one.h5md one-final.gro; do same_files dilute/$file resumed/$file; done
# What cannot be had is refused, with what can.
refuses 'the least that was measured is' check one.ini --set forces.accuracy=1e-10
says stderr '[forces] accuracy = 1e-10'
refuses 'the least that was measured is' energy one.gro --boundary periodic --accuracy 1e-10 --cutoff 0.4nm

# ---- g(r): of the run, and the same of its trajectory; norm, neighbours, range (H03) ----
cat >>liquid.ini <<'DECK'
[rdf]
max = 0.93 nm
bins = 93
DECK
succeeds run liquid.ini -q -f -o g --set output.precision=double
succeeds rdf g/liquid.h5md --max 0.93nm --bins 93 --csv g.csv
[ "$(grep -v '^#' g.csv)" = "$(grep -v '^#' g/liquid-rdf.csv)" ] || fail 'g(r) of the run and of its trajectory differ'
says stdout '5 frames of 216 molecules'
head -n 1 g.csv | grep -q 'radial distribution' || fail "$(head -n 1 g.csv)"
# The first shell of liquid water: the maximum near 0.28 nm, some 5 neighbours within 0.36 nm.
awk -F, '/^[0-9]/ { if ($2 > top) { top = $2; at = $1 } if ($1 < 0.36) n = $4; sum += $2 * $1 ^ 2; all += $1 ^ 2 }
  END { exit !(at > 0.27 && at < 0.29 && top > 2 && top < 3.5 && n > 4.5 && n < 7 && sum / all > 0.9 && sum / all < 1.1) }' \
  g.csv || fail "g(r) is not that of liquid water: $(cat g.csv)"
succeeds rdf g/liquid.h5md --max 1.8nm --bins 20
says stdout 'beyond 0.93103 nm, half of the shortest lattice vector, molecules are counted in more than one image'
awk -F, '/^[0-9]/ && $1 > 1 { sum += $2; n++ } END { exit !((sum / n - 1) ^ 2 < 0.02 ^ 2) }' .stdout || fail 'no norm beyond half of the box'
refuses 'whose shortest lattice vector is 1.86206 nm' rdf g/liquid.h5md --max 1.9nm
refuses '[rdf] max = 2 nm is more than' check liquid.ini --set rdf.max=2nm
succeeds check liquid.ini --set rdf.max=1nm
says stdout 'counted in more than one image'

# ---- every method that binds runs in a box, and keeps its energy as in vacuum ----
brief=(-q -f -o method --set integrator.steps=10 --set integrator.step=0.5fs --set output.interval=10steps --set rdf.max=0.5nm)
for method in $("$RILL" list combinations water/box | awk '$1 == "water/box" && $3 == "none" && $4 == "binds" { print $2 }'); do
  succeeds run liquid.ini "${brief[@]}" --set integrator.method=$method --set forces.precision=double
done
for method in $("$RILL" list combinations water/box | awk '$1 == "water/box/penalised" && $3 == "gla" && $4 == "binds" { print $2 }'); do
  succeeds run liquid.ini "${brief[@]}" --set integrator.method=$method --set forces.precision=double --set thermostat.method=gla \
    --set penalty.stiffness=20akma --set penalty.record=multipliers
  [ "$(lines_of method/liquid-multipliers.csv)" -gt 0 ] || fail "$method: no multipliers"
done
succeeds run liquid.ini "${brief[@]}" --set integrator.method=dvp --set integrator.tolerance=1e-11
# Atoms or molecules, any buffer: another energy for the one, the same bytes for the other.
succeeds run liquid.ini -q -f -o atoms --set forces.cutoff_by=atom
cmp -s atoms/liquid.csv one/liquid.csv && fail 'a cutoff by atoms changes nothing'
for buffer in 0.001 0.05 0.08 0.25; do
  succeeds run liquid.ini -q -f -o buffer --set forces.buffer=${buffer}nm
  cmp -s <(grep -v '^#' buffer/liquid.csv) <(grep -v '^#' one/liquid.csv) || fail "a buffer of $buffer nm changes the run"
done
# Two molecules that fly at each other, in a box and in vacuum: no step without the pair, whatever the buffer, and the
# energies of the plain loops.
cat >pair.gro <<'GRO'
two molecules flying at each other
6
    1SOL     OW    1   1.000000000   1.000000000   1.000000000   2.000000000   0.000000000   0.000000000
    1SOL    HW1    2   1.000000000   1.075695000   1.058588200   2.000000000   0.000000000   0.000000000
    1SOL    HW2    3   1.000000000   0.924305000   1.058588200   2.000000000   0.000000000   0.000000000
    2SOL     OW    4   2.031000000   1.000000000   1.000000000  -2.000000000   0.000000000   0.000000000
    2SOL    HW1    5   2.031000000   1.075695000   1.058588200  -2.000000000   0.000000000   0.000000000
    2SOL    HW2    6   2.031000000   0.924305000   1.058588200  -2.000000000   0.000000000   0.000000000
4 4 4
GRO
for boundary in periodic vacuum; do
  cat >pair.ini <<DECK
[system]
structure = pair.gro
boundary = $boundary
[start]
velocities = file
remove = none
[integrator]
step = 2 fs
steps = 60
[forces]
coulomb = reaction-field
lj = shift
precision = double
[output]
series = pair.csv
series_interval = 1 step
DECK
  succeeds run pair.ini -q -f -o plain --set forces.kernel=reference
  for buffer in 0.001 0.03 0.05 0.08 0.1 0.13 0.16 0.2 0.25; do
    succeeds run pair.ini -q -f -o pair --set forces.buffer=${buffer}nm
    [ $buffer != 0.001 ] || cp pair/pair.csv first.csv
    cmp -s <(grep -v '^#' pair/pair.csv) <(grep -v '^#' first.csv) || fail "$boundary, a buffer of $buffer nm: another run"
  done
  paste -d, <(grep '^[0-9]' first.csv | cut -d, -f8) <(grep '^[0-9]' plain/pair.csv | cut -d, -f8) |
    awk -F, '{ off += ($1 - $2) ^ 2 > 1e-8 } END { exit !(NR == 61 && off == 0) }' || fail "$boundary: not the energies of the plain loops"
done
succeeds compare liquid.ini -q --methods rattle,yoshida4,zss-simplified/20akma --steps 1fs --repeats 1 --csv compare.csv
[ "$(grep -c ",ok$" compare.csv)" -eq 3 ] || fail "compare in a box: $(cat compare.csv)"

# ---- building: by box, by number, by density; the same again; a deck that builds its own ----
succeeds build water --box 1.9nm -o built.gro
says stdout '227 molecules, 0.99' # 6.859 nm3 at 0.989 g/cm3 hold 226.7
succeeds build water --box 1.9nm -o again.gro --threads 2
same_files built.gro again.gro
succeeds build water --box 1.9nm -o other.gro --seed 2
cmp -s built.gro other.gro && fail 'another seed, but the same box'
succeeds build water --box 1.9nm,2nm,3.1nm --density 0.5g/cm3 -o slab.gro
says stdout 'box           1.9 x 2 x 3.1 nm'
succeeds build water 300 --density 1g/cm3 -o cube.gro
says stdout '300 molecules, 1 g/cm3'
succeeds energy cube.gro --boundary periodic --json
awk -v e="$(sed -n 's/.*"potential_kJ_mol": \(.*\),/\1/p' .stdout)" 'BEGIN { exit !(e / 300 < -36 && e / 300 > -48) }' ||
  fail 'a built box is not near the energy of a liquid'
refuses 'how much?' build water -o none.gro
refuses 'omit one of the three' build water 300 --box 2nm --density 1g/cm3 -o none.gro
refuses 'a density of 1.8697' build water 500 --box 2nm -o none.gro
refuses 'expected one length, or three' build water --box 2nm,3nm -o none.gro
refuses 'the unit is missing' build water --box 3 -o none.gro
cat >own.ini <<'DECK'
[system]
molecules = 220
boundary = periodic
[integrator]
method = rattle
step = 2 fs
steps = 20
DECK
succeeds run own.ini -o own
says stderr 'note: filling a box of 1.88093 nm with 220 molecules'
succeeds run own.ini -q -o own2 --threads 1
same_files own/own-final.gro own2/own-final.gro
succeeds check own.ini --set 'system.density=0.9 g/cm3'
says stdout '1.94099'
refuses 'density has no effect here: it needs system.boundary = periodic and system.molecules' check liquid.ini --set 'system.density=1 g/cm3'
refuses 'cutoff 0.9 nm is more than half' check own.ini --set system.molecules=100

# ---- minimisation in a box ----
refuses 'choose --boundary periodic' minimize built.gro -o minimum.gro
refuses 'has no box' minimize water7.gro --boundary periodic -o minimum.gro
succeeds minimize built.gro --boundary periodic -o minimum.gro --tolerance 5kJ/mol/nm -q
says stdout 'ended because the largest force is below the tolerance'
[ "$(tail -n 1 minimum.gro | tr -s ' ')" = ' 1.900000000 1.900000000 1.900000000' ] || fail 'box of the minimum'
succeeds energy minimum.gro --boundary periodic
succeeds check liquid.ini --set start.minimize=yes
says stdout 'energy minimised from'
finish

#!/usr/bin/env bash
# What is wrong on the command line, in a deck or in a structure is refused: exit status 2, one message that says where, what
# was found and what is expected, and nothing written.  Cases A04, A05, F09, G08, G11, G14, G15, I03.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

# ---- decks: a sed script that spoils base.ini, and fragments of the message ----
spoil() {
  local script=$1
  sed "$script" base.ini >spoilt.ini
  cmp -s base.ini spoilt.ini && fail "sed '$script' changes nothing"
  shift
  refuses "$1" run spoilt.ini -o out
  refuses "$1" check spoilt.ini
  shift
  for fragment; do says stderr "$fragment"; done
}
spoil 's/temperature/tempreature/' 'spoilt.ini:10: unknown key tempreature in [thermostat]: did you mean temperature?'
spoil 's/^step.*/&\n&/' 'spoilt.ini:7: [integrator] step is given twice, first in line 6'
spoil 's/2 fs/2/' 'spoilt.ini:6: [integrator] step = 2: the unit is missing' 'for example `2 fs`'
spoil 's/2 fs/2 nm/' 'spoilt.ini:6: [integrator] step = 2 nm: wrong dimension' '(fs, ps, ns, akma)'
spoil 's/2 fs/2 sf/' 'spoilt.ini:6: [integrator] step = 2 sf: unknown unit'
spoil 's/2 fs/0 fs/' 'spoilt.ini:6: [integrator] step = 0 fs: out of range, 1e-12 to 1000000 ps'
spoil 's/2 fs/-2 fs/' 'spoilt.ini:6: [integrator] step = -2 fs: out of range, 1e-12 to 1000000 ps'
spoil 's/2 fs/nan fs/' 'spoilt.ini:6: [integrator] step = nan fs: not a finite number'
spoil 's/2 fs/2,5 fs/' 'a decimal point is expected'
spoil 's/structure.*/molecules = 0/' 'spoilt.ini:3: [system] molecules = 0: out of range, 1 to'
spoil 's/structure.*/molecules = -7/' 'molecules = -7'
spoil 's/structure.*/molecules = 7.5/' 'a whole number is expected'
spoil 's/structure.*/&\nmolecules = 7/' 'either molecules or structure'
spoil '/structure/d' 'structure or molecules is missing'
spoil '/^time/d' 'time or steps is missing'
spoil 's/1 ps/1.0001 ps/' 'not a whole number of steps'
spoil 's/= gla/= none/' 'spoilt.ini:10: [thermostat] temperature has no effect here: it needs thermostat.method = gla, baoab, ghmc or v-rescale' \
  'spoilt.ini:11: [thermostat] friction has no effect here' 'spoilt.ini:12: [thermostat] seed'
spoil '/method = gla/d' 'temperature has no effect here'
spoil 's/\[output\]/[outputs]/' 'spoilt.ini:13: unknown section [outputs]: did you mean [output]?'
spoil 's/kind = water/kind = pendulum/' 'spoilt.ini:2: [system] kind = pendulum: no such system; did you mean'
spoil 's/= rattle/= ratle/' 'spoilt.ini:5: [integrator] method = ratle is not known: did you mean rattle?'
spoil 's/kind = water/&\nmodel = tip5p/' 'spoilt.ini:3: [system] model'
spoil 's/kind = water/&\nboundary = periodic/' 'boundary = periodic'
spoil 's/water7.gro/missing.gro/' 'spoilt.ini:3: [system] structure: missing.gro cannot be read: No such file or directory (a path in a deck is relative'
spoil 's/base.h5md/base.xyz/' 'spoilt.ini:14: [output] trajectory = base.xyz: expected a name that ends in .h5md'
spoil 's/base.csv/base.h5md/' 'two outputs would have the name'
spoil 's/base.csv/spoilt-rdf.csv/' 'two outputs would have the name'
spoil 's/base.csv/.base.h5md.lock/' 'is kept for lock files'
spoil 's/base.csv/.\/spoilt-rdf.csv/' 'two outputs would have the name'
spoil 's/base.csv/a\/..\/\/spoilt-final.gro/' 'two outputs would have the name'
for tolerance in 0 -1 1e-16 1e-18; do
  spoil "\$a[constraints]\nsolver = shake\ntolerance = $tolerance" "tolerance = $tolerance: out of range, 1e-14 to 1e-4" \
    'doubles cannot reach less'
done
spoil '$a[constraints]\nsolver = mshake\ntolerance = nan' 'tolerance = nan: not a finite number'
spoil '$a[constraints]\nsolver = shake\nvelocity_tolerance = 1e-15' 'velocity_tolerance = 1e-15: out of range' 'doubles cannot reach'
spoil '$a[constraints]\ntolerance = 1e-10' 'it needs constraints.solver = mshake or shake'
# Words and forms of other programs.
spoil 's/= rattle/= leapfrog/' 'spoilt.ini:5: [integrator] method = leapfrog: leapfrog moves as `verlet` does'
spoil 's/= rattle/= settle/' 'method = settle: it is a constraint solver: [constraints] solver'
spoil 's/= gla/= nose-hoover/' 'method = nose-hoover: it is not available: baoab and gla'
spoil 's/^temperature.*/temperature = 300 K - 10 K/' 'a ramp is written with ->: `300 K -> 10 K`'
spoil 's/= rattle/& # the usual one/' 'a comment at the end of a line begins with a blank and ;'
spoil 's/kind = water/kind = triple-pendulum/' 'kind = triple-pendulum: no such system, but pendulum-chain with count = 3 is one'
spoil 's/kind = water/kind = quadruple-pendulum/' 'no such system' 'pendulum-chain' '`rill list systems` describes'
printf '[system]\nkind = triple-pendulum\n[integrator]\nstep = 0.1\ntime = 1\n' >kind.ini
refuses 'kind.ini:2: [system] kind = triple-pendulum' check kind.ini
grep -q 'unit is missing' .stderr && fail 'the unit of a time is judged though the kind of system is not known'
refuses 'expected a cluster of at most 30 molecules' build water 31 -o none.gro --trials 3
refuses 'expected a cluster of at most 30 molecules' build water --box 2nm -o none.gro --trials 3
refuses 'expected a whole number from 1 to 10000' build water 8 -o none.gro --trials 0
# Several faults come together.
spoil 's/2 fs/2/;s/temperature/tempreature/' 'spoilt.ini:6: ' 'spoilt.ini:10: '
refuses 'is it a deck?' check water7.gro
refuses 'missing.ini: cannot be opened' run missing.ini
refuses 'a directory' run .
refuses '--set integrator.stepp: unknown key stepp in [integrator]: did you mean step?' run base.ini --set integrator.stepp=1fs -o out
refuses '--set integrator.method' check base.ini --set integrator.method=verlett
refuses 'a mesh needs a box' check base.ini --set forces.coulomb=pme
refuses 'the reference is in double precision' check base.ini --set forces.precision=mixed --set forces.kernel=reference
refuses 'nonlinear solves' check base.ini --set forces.precision=mixed --set integrator.method=dvp --set thermostat.method=none
refuses '[forces] cutoff has no effect here' check base.ini --set forces.cutoff=0.8nm
refuses '--set start.remove: removing' run base.ini --set system.molecules=1 --set start.remove=linear -o out
succeeds run base.ini -q -o one --set system.molecules=1
says stdout 'none: one molecule has no pair of oxygens'
[ ! -e one/base-rdf.csv ] || fail 'a distribution of one molecule'
refuses 'no pairs of molecules' rdf one/base.h5md
rm -r one

# What is accepted.
sed 's/^time.*/steps = 3000000000/' base.ini >many.ini
succeeds check many.ini
says stdout '3000000000 steps'

# ---- structures ----
# as_run FRAGMENT FILE: every command that reads a structure refuses it.
as_run() {
  sed "s/water7.gro/$2/" base.ini >structure.ini
  refuses "$1" run structure.ini -o out
  refuses "$1" check structure.ini
}
everywhere() {
  as_run "$@"
  refuses "$1" energy "$2" --boundary vacuum
  refuses "$1" info "$2"
  refuses "$1" minimize "$2" -o minimum.gro
  refuses "$1" convert "$2" converted.pdb
}
sed '5s/^\(.\{20\}\).\{16\}/\1             nan/' water7.gro >nan.gro
sed '2s/21/24/' water7.gro >more.gro
sed '2s/21/18/' water7.gro >fewer.gro
head -c 700 water7.gro >cut.gro
: >empty.gro
cp "$data/structures/c007_min.pdb" pdb.gro
printf 'nothing\n0\n   0 0 0\n' >none.gro
printf '0\nnothing\n' >none.xyz
everywhere "nan.gro:5: columns 21-36 (x): '             nan' is not a finite number" nan.gro
everywhere 'more.gro:24: found no atom, expected atom 22 of 24; is the file truncated' more.gro
everywhere 'fewer.gro:21' fewer.gro
everywhere 'cut.gro' cut.gro
everywhere 'empty.gro: the file is empty' empty.gro
everywhere 'the content looks like PDB, the name says GRO; rename the file to end in .pdb' pdb.gro
everywhere "none.gro:2: found '0', expected the number of atoms" none.gro
everywhere "none.xyz:1: found '0', expected the number of atoms" none.xyz

# Two waters whose oxygens are D nm apart along z.
pair() {
  awk -v d="$1" 'BEGIN {
    print "two"; print 6
    for (m = 0; m < 2; m++) for (a = 0; a < 3; a++)
      printf "%5d%-5s%5s%5d%15.9f%15.9f%15.9f\n", m + 1, "SOL", a ? "HW" a : "OW", 3 * m + a + 1,
        a == 0 ? 0 : a == 1 ? 0.075695033 : -0.075695033, a ? 0.058588228 : 0, m * d
    print "0 0 0" }'
}
pair 0 >same.gro
pair 0.1 >near.gro
as_run 'same.gro: molecules 1 and 2 overlap: their oxygens are 0.0000 nm apart' same.gro
as_run 'near.gro: molecules 1 and 2 overlap: their oxygens are 0.1000 nm apart' near.gro
refuses 'same.gro: the energy is not finite: molecules 1 and 2 overlap' energy same.gro
# The advice that these messages give works: start.minimize = yes and rill minimize push overlapping molecules apart.
for overlapping in same near; do
  succeeds minimize $overlapping.gro -o $overlapping-minimum.gro
  says stderr "note: $overlapping.gro: molecules 1 and 2 overlap, with atoms"
  says stderr 'before the minimisation 2 molecules were moved apart, by up to 0.'
  succeeds run base.ini --set system.structure=$overlapping.gro --set start.minimize=yes --set integrator.steps=1 -o $overlapping-out
  says stderr 'were moved apart'
done
"$RILL" energy same-minimum.gro --json | grep -q '"potential_kJ_mol": -27\.' || fail 'not the dimer of TIP3P'
awk 'NR < 3 {print; next} NF == 3 {print; next}
  {printf "%s%12.6f%12.6f%12.6f\n", substr($0, 1, 20), 10 * $4, 10 * $5, 10 * $6}' \
  water7.gro >angstrom.gro
as_run 'the coordinates look like Angstrom, expected nm (GRO); scale them by 0.1' angstrom.gro
sed 's/water7.gro/&\n[start]\nvelocities = file/' base.ini >velocities.ini
refuses 'has no velocities, but start.velocities = file' run velocities.ini -o out
refuses 'choose --boundary' energy "$data/variants/prec6.gro"

printf '\211HDF\r\n\032\n' >frames.h5md
refuses 'rill convert writes a frame of a trajectory' energy frames.h5md
# a third of a step is no whole number of steps, however long the run
refuses 'not a whole number of steps, 666666.667 of 0.003 ps' check base.ini --set integrator.step=3fs --set integrator.time=2ns \
  --set output.interval=3fs --set output.series_interval=3fs
succeeds check base.ini --set integrator.step=3fs --set integrator.time=1999.998ps --set output.interval=3fs \
  --set output.series_interval=3fs

# ---- outputs ----
: >plain
for folder in plain plain/below /proc/none/here; do refuses ' cannot be written: folder ' run base.ini -o "$folder"; done
refuses 'plain/base.h5md cannot be written: folder plain: Not a directory' run base.ini -o plain
[ "$(grep -c 'cannot be written' .stderr)" -eq 1 ] || fail "a folder is refused more than once: $(cat .stderr)"
refuses 'folder ./plain: Not a directory' run base.ini -o . --set output.series=plain/base.csv
mkdir full
succeeds run base.ini -q -o full --set integrator.steps=0
for f in full/base.h5md full/base.gro full/base.csv full/base-rdf.csv full/base-final.gro; do
  [ -s $f ] || fail "$f is not there"
  refuses "$f exists; give --force to replace it" run base.ini -o full
done
rm full/base.h5md full/base.gro full/base.csv full/base-rdf.csv
refuses 'full/base-final.gro exists' run base.ini -o full
cp base.ini water7.ini
refuses "this run's own input" run water7.ini --set output.trajectory=water7.h5md --force
mkdir -p taken/base.h5md
refuses 'taken/base.h5md is a folder' run base.ini -o taken --force
for out in minimum.foo minimum; do refuses 'expected a name that ends in .gro, .pdb or .xyz' minimize water7.gro -o $out; done
for out in plain/m.gro /proc/none/m.gro; do
  refuses 'cannot be written: folder' minimize water7.gro -o $out
  refuses 'cannot be written: folder' convert water7.gro $out
  refuses 'cannot be written: folder' build water 30 -o $out
  refuses 'cannot be written: folder' energy water7.gro --forces $out
done
cp water7.gro old.gro
refuses 'old.gro exists; give --force' minimize water7.gro -o old.gro
refuses 'old.gro exists; give --force' convert water7.gro old.gro
refuses 'old.gro exists; give --force' build water 2 -o old.gro
refuses 'old.gro exists; give --force' energy water7.gro --forces old.gro
refuses 'old.gro is the input itself' energy old.gro --forces ./old.gro --force
succeeds run base.ini -q -o own --set integrator.steps=10
refuses 'base.h5md is the input itself' rdf own/base.h5md --csv own/base.h5md --force
# A full disk is a failure, not a refusal.
if [ -w /dev/full ]; then
  for line in 'check base.ini' 'energy water7.gro' '--help' 'list units'; do
    # shellcheck disable=SC2086
    "$RILL" $line >/dev/full 2>.stderr
    [ $? -eq 1 ] || fail "rill $line >/dev/full: not exit status 1"
    grep -q 'standard output could not be written' .stderr || fail "rill $line >/dev/full: $(cat .stderr)"
  done
fi

# ---- the command line ----
run_rill
[ $status -eq 2 ] || fail "rill alone: exit status $status"
grep -q 'usage: rill COMMAND' .stderr || fail 'rill alone: no usage'
refuses 'unknown command runn; did you mean run?' runn base.ini
refuses 'unknown command --bogus' --bogus
for name in run check energy rdf info list build minimize convert; do
  refuses "missing argument; usage: rill $name" "$name"
  refuses "unknown option --bogus (see: rill $name --help)" "$name" --bogus
  for help in "$name --help" "$name -h" "help $name"; do
    # shellcheck disable=SC2086
    succeeds $help
    says stdout "usage: rill $name"
    [ "$(awk '{ if (length($0) > most) most = length($0) } END { print most }' .stdout)" -le 100 ] || fail "rill $help: wide lines"
  done
done
refuses 'unexpected argument more' run base.ini more
refuses 'unknown option --quite; did you mean --quiet?' run base.ini --quite
refuses '--quiet takes no value (found --quiet=yes)' run base.ini --quiet=yes
refuses '--set needs a value' run base.ini --set
refuses '--threads is given twice' run base.ini --threads 1 --threads 2
for threads in 0 -1 1.5 x '' ' 1' 99999999999999999999999999; do
  refuses 'expected a whole number from 1 to' run base.ini "--threads=$threads" -o out
done
refuses 'section.key=value is expected' run base.ini --set step -o out
for number in 0 1e3 100001 99999999999999999999999999 ''; do
  refuses 'expected a whole number from 1 to 100000' build water "$number" -o built.gro
done
refuses 'expected water' build ice 3 -o built.gro
refuses 'missing -o OUT' build water 3
refuses 'missing -o OUT' minimize water7.gro
refuses 'expected vacuum or periodic' energy water7.gro --boundary cube
refuses 'has no box' energy water7.gro --boundary periodic
refuses 'it has five sites' energy water7.gro --model tip5p
refuses '--coulomb-constant 332: the unit is missing' energy water7.gro --coulomb-constant 332
refuses 'expected a value above 0' energy water7.gro --coulomb-constant 0kJ*nm/mol/e2
refuses '--tolerance 1: the unit is missing' minimize water7.gro -o minimum.gro --tolerance 1
refuses 'did you mean units?' list unit
refuses 'did you mean rattle?' list integrators ratle
refuses 'takes no name' list units nm
refuses 'unknown kind of file' info base.ini
refuses 'is a folder; `rill verify .` looks at the files' info .
refuses 'expected a deck, a checkpoint, or the folder of a run' verify water7.gro
refuses 'no file has as many frames' energy water7.gro --frame 99999999999999999999
refuses 'nofile.txt: No such file' info nofile.txt
cp base.ini text.h5md
refuses 'text.h5md: is not an HDF5 file' info text.h5md
: >empty.h5md
refuses 'empty.h5md: the file is empty' rdf empty.h5md
refuses 'missing.h5md: cannot be read' convert missing.h5md c.gro
refuses '--frame is for structure files' info text.h5md --frame 0
refuses 'O-O, O-H or H-H is expected' rdf text.h5md --pair H-O
refuses 'expected a length above 0' rdf text.h5md --max 0nm
refuses '--replica x: a whole number, from 0, is expected' convert text.h5md c.gro --replica x
refuses 'either --replica, or --temperature with --ladder' convert text.h5md c.gro --replica 1 --temperature 100K
refuses '--ladder needs --temperature' convert text.h5md c.gro --ladder 1
refuses '--replica and --temperature are for trajectories (.h5md); water7.gro is none' convert water7.gro c.pdb --replica 1
PMI_SIZE=3 refuses 'base.ini: started as 3 processes, each of which would make the whole run' run base.ini -o out
{
  printf '6\n\nO 0 0 0\nH 0.9572 0 0\nH -0.24 0.9266 0\nO 3 0 0\nH 3.9572 0 0\nH 2.76 0.9266 0\n'
  printf '3\n\nO 0 0 0\nH 0.9572 0 0\nH -0.24 0.9266 0\n'
} >frames.xyz
refuses 'frame 1: frames.dcd: DCD has one number of atoms' convert frames.xyz frames.dcd
refuses '--box 0nm: expected lengths above 0' build water --box 0nm -o built.gro
refuses 'holds 33060033147 molecules; expected 1 to' build water --box 1000nm -o built.gro
refuses '--accuracy x: not a number' energy water7.gro --boundary periodic --accuracy x
refuses '--boundary square: expected vacuum or periodic' minimize water7.gro --boundary square -o minimum.gro
refuses 'no published result has the name nosuch' reproduce nosuch
refuses 'need a name, or all' reproduce --csv some.csv
refuses 'is not a run: expected a trajectory' validate water7.gro
: >text.csv
refuses 'text.csv: the names of the columns are missing' info text.csv
refuses 'nofile.csv: cannot be opened: No such file' info nofile.csv
mkdir folder.gro
refuses 'folder.gro is a folder; expected a file' convert water7.gro folder.gro --force
long=$(printf 'a%.0s' {1..5000})
refuses '--output: the path is too long' run base.ini -o "$long"
refuses '...: the path is longer than 1023 characters' check "$long"
refuses '--set output.trajectory: the value is longer than 1023 characters' check base.ini --set "output.trajectory=$long.h5md"
refuses 'a name of at most 63 characters is expected' check base.ini --set "system.model=${long:0:400}"
refuses 'text without control characters is expected' check base.ini --set "output.trajectory=$(printf 'a\tb.h5md')"
refuses 'a file name that does not begin with a blank is expected' check base.ini --set 'output.trajectory=x/ b.h5md'
many=()
for _ in {1..65}; do many+=(--set integrator.steps=1); done
refuses '--set is given more than 64 times' check base.ini "${many[@]}"

printf '[system]\nkind = dna\n[output]\ntrajectory = v\tw.h5\n' >tab.ini
refuses 'a file name without control characters is expected' check tab.ini
sed '4s/-0.18771656854/-0.28771656854/' water7.gro >bent.gro
refuses 'bent.gro: molecule 1 deviates from the geometry of tip3p by 0.593 of a bond length (limit 0.2)' check base.ini \
  --set system.structure=bent.gro
refuses 'bent.gro: molecule 1 deviates from the geometry of tip3p by 0.593 of a bond length (limit 0.3)' check base.ini \
  --set system.structure=bent.gro --set penalty.stiffness=20akma --set integrator.method=zs
refuses 'has no checkpoint to compare files with' verify base.ini --set output.checkpoint=none

# ---- comparisons: what a list holds, by the name of its option ----
for deck in base.ini "$inputs/dna.ini"; do
  refuses '--methods: at least one is expected' compare "$deck" --methods ''
  refuses '--steps: at least one is expected' compare "$deck" --methods verlet --steps ''
  refuses '--steps: at most 16 can be compared' compare "$deck" --methods verlet --steps 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
  refuses "--methods verlet/: '' is not an option of a method" compare "$deck" --methods verlet/
  refuses 'method ver let, step ' compare "$deck" --methods 'ver let'
  refuses ', step x: --set integrator.step: x: not a number' compare "$deck" --methods verlet --steps x
  refuses 'verlet is given twice' compare "$deck" --methods verlet,verlet
  refuses 'a comparison needs a run of at least one step' compare "$deck" --methods verlet --set integrator.steps=0
done
refuses "...: the name is too long" compare base.ini --methods "${long:0:300}"
refuses '--threads has no effect on a small system' compare "$inputs/dna.ini" --methods verlet --threads 2
refuses 'too many options' compare "$inputs/dna.ini" --methods verlet/A/B/C/D/E/full/cayley/yoshida4/3/rk4/lobatto4/A/B/C/D

# ---- small systems ----
echo '0 1' >one.csv
printf '0 1\n0.5 1\n' >short.csv
small() { refuses "$1" check "$inputs/$2.ini" "${@:3}"; }
small 'attitude is 0; a quaternion of any other length is expected' rigid-body --set 'system.attitude=0 0 0 0'
small 'unknown key foo in [system]; the keys of rigid-body there are' rigid-body --set system.foo=1
small 'unknown key foo in [penalty]: dna has no keys there' dna --set penalty.foo=1
small '"abc" does not begin with a number' harmonic-oscillator --set system.mass=abc
small 'one number is expected, "1 2" has 2' harmonic-oscillator --set 'system.mass=1 2'
small '"kg" after the number; a pure number is expected' harmonic-oscillator --set 'system.mass=1 kg'
small '"1" has no unit; write for example "1 kg"' spherical-pendulum --set system.mass=1
small '"m" is not a unit for this; "kg" is' spherical-pendulum --set 'system.mass=1 m'
small 'hold x y, or x y z, of 2 masses; found 3 and 4 numbers' double-spherical-pendulum --set 'system.position=1 2 3 m'
small 'each moment of inertia must be less than the sum of the others' magnetic-rigid-body --set system.formulation=constrained \
  --set 'system.inertia=1 1 5'
small 'the attitude is a reflection; its determinant must be 1' free-body --set 'system.attitude=1 0 0 0 1 0 0 0 -1'
small 'rod 1 is horizontal, so that its z velocity does not follow; give x y z' double-spherical-pendulum \
  --set 'system.position=1 0 0 2 0 0 m' --set 'system.velocity=0 1 0 1 m/s'
small 'the run would stop at its start: the energy of the start is not finite' harmonic-oscillator \
  --set system.position=1e300 --set system.stiffness=1e300
small '[control] table has 1 times: at least 2 are expected' harmonic-oscillator --set control.table="$PWD/one.csv"
small '[control] table has the times 0 to 0.5, and the run goes from 0 to 1000' harmonic-oscillator \
  --set control.table="$PWD/short.csv"
small 'replicas of an [ensemble] take no [force], [control] or [friction]' chain-ladder --set force.constant=1
small '--trial-run is for water; of small systems a short run measures the acceptances' chain-ladder --trial-run 1ps
refuses '1 sample, expected at least 2' validate "$inputs/dna.ini" --set integrator.steps=0

# ---- steps that are much too long: the method at work says so, with exit status 1 ----
blows() { # blows FRAGMENT SYSTEM METHOD [UNIT]
  run_rill run "$inputs/$2.ini" -q -o blown --set integrator.method="$3" --set integrator.step="1e5${4-}" --set integrator.steps=40 \
    --set output.interval=10steps --set output.series_interval=10steps --set stop.max_energy_change=none
  command="run $2.ini with $3"
  [ $status -eq 1 ] || fail "rill $command: exit status $status, expected 1"
  says stderr "$1"
  rm -rf blown
}
blows 'a force is not finite; take a smaller step' dna yoshida4
blows 'the matrix M + beta h^2 H is singular or not finite; take a smaller step' dna zs
blows "Newton's method for the acceleration did not converge" dna newmark-pushforward
blows 'the initial momentum of a shooting method did not converge' simple-pendulum shooting
blows "Newton's method did not converge in" magnetic-rigid-body lie-galerkin
blows 'no rotation was found for the angular momentum' magnetic-rigid-body lgvi
blows 'the fixed point of the Riemannian leapfrog is not finite; take a smaller step' double-spherical-pendulum \
  riemannian-leapfrog s
blows "the transformed Hamiltonian's implicit kick has no solution here; take a smaller step" kepler verlet-transformed
blows 'the density of steps has left its range' kepler verlet-adaptive
blows "Newton's method did not converge in 50 iterations" kepler energy-momentum
blows 'no length of the step was found that keeps the discrete energy' kepler dvp-energy
blows 'coordinate 1 or its momentum is not finite; take a smaller step' magnetic-rigid-body ambient-explicit-midpoint
finish

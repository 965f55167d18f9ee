#!/usr/bin/env bash
# Runs: the decks of inputs/, --set, folders, numbers of steps and frames, the same bytes for the same seed.
# Cases B07, C01, E11, E12, E14, F06, F09, F12, G12, I03, I04.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

frames_of() { "$RILL" info "$1" | sed -n 's/^  frames  *//p'; }
last_step() { "$RILL" info "$1" | sed -n 's/^  last frame  *step \([0-9]*\),.*/\1/p'; }
expect() { [ "$2" = "$3" ] || fail "$1: \"$2\", expected \"$3\""; }

# ---- every deck of inputs/, from here, cut short ----
for deck in "$inputs"/*.ini; do
  grep -q '^kind = water' "$deck" || continue
  name=$(basename "$deck" .ini)
  short=(--set integrator.steps=40 --set output.interval=10steps --set output.series_interval=5steps)
  [[ $name != droplet* ]] || short+=(--set system.molecules=40) # thousands take a while to build
  [ "$name" != liquid7000 ] || short+=(--set system.molecules=400)
  if grep -q '^from' "$deck"; then short+=(--set 'rdf.from=0 ps'); fi
  if grep -q '^\[barostat\]' "$deck"; then short+=(--set 'barostat.interval=10 steps'); fi
  if grep -q '^means_from' "$deck"; then short+=(--set 'output.means_from=0 ps'); fi
  succeeds run "$deck" -o "decks/$name" "${short[@]}"
  says stdout 'last frame'
  expect "$name, checkpoint" "$(sed -n 's/^  checkpoint  *//p' .stdout)" "$(ls "decks/$name/"*.checkpoint 2>/dev/null)"
  expect "$name, rows" "$(lines_of "decks/$name/$name.csv")" 9
  [ -s "decks/$name/$name-final.gro" ] || fail "$name: no $name-final.gro"
  if grep -q '^\[rdf\]' "$deck"; then
    [ "$(lines_of "decks/$name/$name-rdf.csv")" -gt 0 ] || fail "$name: no distribution"
  fi
  if ! grep -q '^trajectory' "$deck"; then
    [ ! -e "decks/$name/$name.h5md" ] || fail "$name: a trajectory that was not requested"
    continue
  fi
  expect "$name, frames" "$(frames_of "decks/$name/$name.h5md")" 5
  [ -s "decks/$name/$name.gro" ] || fail "$name: no $name.gro"
  # The GRO beside the trajectory holds the first frame, single precision of the trajectory apart; the last frame the last.
  for pair in "0 $name.gro" "last $name-final.gro"; do
    succeeds convert "decks/$name/$name.h5md" frame.xyz --frame "${pair% *}" --force
    succeeds convert "decks/$name/${pair#* }" first_frame.xyz --force
    paste <(tail -n +3 frame.xyz) <(tail -n +3 first_frame.xyz) |
      awk '{ for (c = 2; c <= 4; c++) { d = $c - $(c + 4); if (d < -4e-6 || d > 4e-6) bad = 1 } } END { exit bad || NR == 0 }' ||
      fail "$name: frame ${pair% *} is not ${pair#* }"
  done
done

# ---- --set reaches every section, and the deck in the file says so ----
succeeds run base.ini -q -o sections --set system.model=tip3p-ac --set start.velocities=zero --set integrator.method=verlet \
  --set constraints.solver=shake --set constraints.tolerance=1e-9 --set thermostat.friction=3u/ps --set forces.kernel=portable \
  --set confine.radius=1nm --set output.precision=double --set rdf.bins=17 --set integrator.steps=7
succeeds info sections/base.h5md
for line in 'model = tip3p-ac' 'velocities = zero' 'method = verlet' 'solver = shake' 'friction = 3 u/ps' 'kernel = portable' \
  'radius = 1 nm' 'precision = double' 'bins = 17' 'steps = 7' 'tolerance = 1e-9' 'structure = water7.gro'; do
  says stdout "$line"
done
grep -q "$scratch" .stdout && fail 'the deck in the trajectory names a folder'
expect 'bins' "$(lines_of sections/base-rdf.csv)" 17
succeeds run base.ini -q -o late --set rdf.from=1.002ps
says stdout 'none: no sample at or after 1.002 ps'
succeeds run base.ini -q -o just --set rdf.from=1ps
grep -q '^# samples: 1$' just/base-rdf.csv || fail 'the sample at `from` does not count'
# The deck that is stored runs again and gives the same.
"$RILL" info sections/base.h5md | sed -n '/^\[system\]/,$p' >again.ini
cp again.ini sections.ini
succeeds run sections.ini -q -o again
same_files sections/base.h5md again/base.h5md

# ---- decks from other folders: the structure beside the deck, the output below -o or here ----
mkdir -p else/where
cp base.ini water7.gro else/where
succeeds run else/where/base.ini -q -o a/b/c
[ -s a/b/c/base.h5md ] || fail 'no a/b/c/base.h5md'
mkdir here
(cd here && "$RILL" run ../else/where/base.ini -q >/dev/null) || fail 'rill run ../else/where/base.ini'
same_files here/base.h5md a/b/c/base.h5md
expect 'beside the deck' "$(ls else/where | paste -s -d ' ')" 'base.ini water7.gro'
succeeds run base.ini -q -o below --set output.series=one/two/base.csv
[ -s below/one/two/base.csv ] || fail 'no below/one/two/base.csv'

# ---- without [output]: the summary and the last frame ----
sed '/^\[output\]/,/^series/d;/rdf/,$d' base.ini >quiet.ini
succeeds run quiet.ini -o quiet
expect 'without [output]' "$(ls quiet)" quiet-final.gro

# ---- numbers of steps ----
succeeds run base.ini -q -o e14 --set integrator.steps=10 --set 'output.interval=10 steps'
expect 'E14, frames' "$(frames_of e14/base.h5md)" 2
expect 'E14, last' "$(last_step e14/base.h5md)" 10
succeeds run base.ini -q -o odd --set integrator.steps=25 --set 'output.interval=10 steps'
expect '25 steps, stride 10' "$(frames_of odd/base.h5md) $(last_step odd/base.h5md)" '4 25'
succeeds check base.ini --set integrator.time=0.3ps --set integrator.step=0.1ps
says stdout '3 steps = 0.3 ps'
succeeds check base.ini --set 'integrator.step = 2 fs' --set integrator.steps=3000000000
says stdout '3000000000 steps'
succeeds run base.ini -o none --set integrator.steps=0
says stdout 'n/a  ns'
expect 'F06, one frame' "$(frames_of none/base.h5md) $(last_step none/base.h5md)" '1 0'
expect 'F06, one row' "$(lines_of none/base.csv)" 1
succeeds rdf none/base.h5md
succeeds convert none/base.h5md none.gro
succeeds run base.ini -o one --set integrator.steps=1
grep -q -i 'inf\|nan' <(sed -n '/^means/,/^written/p' .stdout) && fail "one step: $(cat .stdout)"
# E11: times are step x h, not summed.
succeeds run base.ini -q -o e11 --set integrator.step=1fs --set integrator.steps=1000 --set output.interval=1fs
awk -F, '/^[0-9]/ { if ($2 != $1 * 0.001) bad = 1 } END { exit bad }' e11/base.csv || fail 'E11: a time is not step x h'

# ---- F09: twice in one folder ----
cp e14/base.h5md before.h5md
refuses 'exists; give --force' run base.ini -o e14
same_files e14/base.h5md before.h5md
succeeds run base.ini -q -o e14 --force --set integrator.steps=30 --set 'output.interval=10 steps'
expect 'forced' "$(frames_of e14/base.h5md)" 4
# A forced run leaves nothing of the one before: this one ends before its distribution begins.
succeeds run base.ini -q -o e14 --force --set integrator.steps=30 --set rdf.from=1ns
[ ! -e e14/base-rdf.csv ] || fail 'the distribution of an earlier run is left'

# ---- B07: same seed, same bytes, on any number of threads; another seed, another run ----
for n in 7 40; do
  for case in one:1 two:1 three:2 four:3; do
    succeeds run base.ini -q -o "seed$n/${case%:*}" --threads "${case#*:}" --set system.molecules=$n --set integrator.steps=60 \
      --set output.velocities=yes --set output.interval=20steps
  done
  for file in base.h5md base.gro base.csv base-final.gro base-rdf.csv; do
    for other in two three four; do same_files seed$n/one/$file seed$n/$other/$file; done
  done
done
succeeds run base.ini -q -o seed7/other --set integrator.steps=60 --set thermostat.seed=2
cmp -s seed7/one/base-final.gro seed7/other/base-final.gro && fail 'another seed, the same run'

# ---- C01: degrees of freedom ----
for case in 'gla 1 6' 'gla 2 12' 'gla 7 42' 'none 1 6' 'none 2 6' 'none 7 36'; do
  read -r thermostat molecules freedom <<<"$case"
  off=()
  [ "$thermostat" = gla ] || off=(--set thermostat.method=none)
  succeeds check base.ini --set system.molecules="$molecules" "${off[@]}"
  says stdout "in vacuum, $freedom degrees of freedom"
done
succeeds check base.ini --set thermostat.method=none --set start.remove=linear
says stdout '39 degrees of freedom'
says stdout 'note: without effect in this run, because of overrides: thermostat.temperature, thermostat.friction, thermostat.seed'
succeeds check base.ini --set thermostat.temperature=20K
grep -q 'without effect' .stdout && fail 'an override that replaces a value is said to leave keys without effect'

# ---- far apart: what the columns of GRO cannot hold goes to XYZ ----
sed '/\[thermostat\]/,/seed/d;s/= 2 fs/= 4 fs/;s/^time.*/steps = 10/' base.ini >far.ini
awk 'BEGIN { print "far"; print 6
  for (m = 0; m < 2; m++) for (a = 0; a < 3; a++)
    printf "%5d%-5s%5s%5d%8.3f%8.3f%8.3f%8.4f%8.4f%8.4f\n", m + 1, "SOL", a ? "HW" a : "OW", 3 * m + a + 1,
      (m ? 9998 : -998) + (a == 0 ? 0 : a == 1 ? 0.0757 : -0.0757), a ? 0.0586 : 0, 0, m ? 90 : -90, 0, 0
  print "0 0 0" }' >far.gro
succeeds run far.ini -o far --set system.structure=far.gro --set start.velocities=file --set start.remove=none
says stderr 'far/far-final.xyz'
says stdout 'far/far-final.xyz'
expect 'far' "$(sed -n 1p far/far-final.xyz)" 6
[ ! -e far/far-final.gro ] || fail 'far: a GRO, too'
# ---- said, and not done silently: velocities that rigid molecules cannot have, the same noise again, a hopeless step ----
awk 'BEGIN {
  print "along bonds"; print 6
  for (m = 0; m < 2; m++) for (a = 0; a < 3; a++)
    printf "%5d%-5s%5s%5d%12.7f%12.7f%12.7f%12.7f%12.7f%12.7f\n", m + 1, "SOL", a ? "HW" a : "OW", 3 * m + a + 1,
      a == 0 ? 0 : a == 1 ? 0.09572 : -0.0239987, a == 2 ? 0.0926627 : 0, 0.3 * m, a == 1, 0, 0
  print "0 0 0" }' >along.gro
printf '[system]\nstructure = along.gro\n[start]\nvelocities = file\nremove = none\n[integrator]\nstep = 0.5 fs\nsteps = 10\n' >along.ini
succeeds run along.ini -o along
says stderr 'note: along.gro: 94.3 % of the kinetic energy of its velocities (0.9501 of 1.008 kJ/mol) is motion along bonds'
says stderr '0.05794 kJ/mol is left, 1.161 K'
succeeds run along.ini -o whole --set start.remove=linear --set constraints.solver=lgvi
says stderr 'is motion along bonds'
says stderr 'is motion of the whole system, which start.remove removes'
succeeds run along.ini -o again --set system.structure=along/along-final.gro # its own last frame loses nothing
grep -q 'kinetic energy of its velocities' .stderr && fail 'velocities of our own last frame are reported as projected'

succeeds run base.ini -q -o stage1 --set integrator.steps=50
head -n 1 stage1/base-final.gro | grep -q ', seed 1, t= 0.1 step= 50$' || fail "title of the last frame: $(head -n 1 stage1/base-final.gro)"
stage2='run base.ini -o stage2 --force --set integrator.steps=5 --set output.interval=1step --set system.structure=stage1/base-final.gro'
# shellcheck disable=SC2086
succeeds $stage2 --set start.velocities=file
says stderr 'it draws exactly the same noise again; give it another thermostat.seed'
head -n 1 stage2/base-final.gro | grep -q ', seed 1, t= 0.01 step= 5$' || fail "title of the second stage: $(head -n 1 stage2/base-final.gro)"
# A frame of the trajectory has the seed in its title, too.
succeeds convert stage1/base.h5md middle.gro --frame 1
succeeds run base.ini -o middle --set integrator.steps=5 --set output.interval=1step --set system.structure=middle.gro
says stderr 'it draws exactly the same noise again; give it another thermostat.seed'
for other in thermostat.seed=2 thermostat.method=none; do
  # shellcheck disable=SC2086
  succeeds $stage2 --set $other
  grep -q 'same noise' .stderr && fail "the same noise with $other"
done

succeeds check base.ini --set integrator.step=12fs --set output.interval=120fs --set integrator.time=1.2ps
says stdout 'warning: step = 12 fs is longer than 11 fs, the longest step at which rattle was stable'
succeeds check base.ini --set integrator.step=12fs --set integrator.steps=9 --set output.interval=1steps --set constraints.solver=rotor
says stdout 'the longest step at which rattle with solver rotor was stable'
succeeds check base.ini --set integrator.step=12fs --set integrator.steps=9 --set output.interval=1steps --set integrator.method=dvp \
  --set penalty.stiffness=80akma
says stdout 'longer than 9.5 fs, the longest step at which dvp was stable'
succeeds run base.ini -o hopeless --set integrator.step=12fs --set output.interval=120fs --set integrator.steps=1
says stderr 'warning: step = 12 fs is longer than 11 fs'
warned() { # warned yes|no SETTING...: whether check warns of the step
  local expected=$1 found=no
  shift
  succeeds check base.ini --set output.interval=1step --set integrator.steps=1 "$@"
  grep -q '^warning: step' .stdout && found=yes
  [ $found = "$expected" ] || fail "rill check $*: a warning of the step: $found, expected $expected"
}
warned no --set integrator.step=10fs
warned yes --set integrator.step=10fs --set thermostat.temperature=300K
warned no --set integrator.step=10fs --set thermostat.temperature=300K --set constraints.solver=rotor
warned no --set integrator.step=6fs --set integrator.method=yoshida4
warned yes --set integrator.step=7fs --set integrator.method=yoshida4
warned yes --set integrator.step=20fs --set thermostat.method=none --set start.temperature=10K
warned no --set integrator.step=5fs --set integrator.method=zss-simplified --set penalty.stiffness=20akma --set thermostat.temperature=300K
warned yes --set integrator.step=5fs --set integrator.method=zss-simplified --set penalty.stiffness=80akma --set thermostat.temperature=300K
warned yes --set integrator.step=14fs --set integrator.method=dvp

# ---- far from the origin a trajectory in single precision rounds bonds: said, with the size that the file then has ----
awk 'NR < 3 || NF < 6 { print; next } { printf "%s%16.9f%16.9f%16.9f\n", substr($0, 1, 20), $4 + 500, $5, $6 }' \
  water7.gro >away.gro
succeeds run base.ini -o away --set system.structure=away.gro --set integrator.steps=0
said=$(sed -n 's/^note: .* changes bonds by up to \([^ ]*\) of their length; use output.precision = double.*/\1/p' .stderr)
succeeds convert away/base.h5md away-first.gro --frame 0
succeeds energy away-first.gro
awk -v said="$said" '/deviates from the model/ { found = said > 5e-5 && $10 < 1.3 * said && $10 > 0.7 * said } END { exit !found }' .stdout ||
  fail "away: bonds off by $(grep 'deviates from the model' .stdout), but said '$said'"
succeeds run base.ini -o away-double --set system.structure=away.gro --set integrator.steps=0 --set output.precision=double
if grep -q 'single precision' .stderr; then fail 'away: a note about single precision in double'; fi
succeeds run base.ini -o near --set integrator.steps=0
if grep -q 'single precision' .stderr; then fail 'a note about single precision near the origin'; fi
finish
